//! Files on their way in: all formats dropped together, a line for each, remarks that can be read, one stopped alone.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, docx, open_document, pdf, pdf_with_drawings, write_files, xlsx},
    person::story,
    webdriver::PATIENCE,
};
use std::time::Duration;

const INVOICE: &str = "<?xml version=\"1.0\"?><Invoice xmlns=\"urn:oasis:names:specification:ubl:schema:xsd:Invoice-2\" \
    xmlns:c=\"urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2\">\
    <c:ID>WX-5511</c:ID><c:IssueDate>2026-11-30</c:IssueDate><c:Note>Wexford invoice</c:Note></Invoice>";

const MAIL: &str = "From: Ann <ann@example.org>\r\nTo: Ben <ben@example.org>\r\nSubject: Quillon gasket\r\n\
    Date: Mon, 30 Nov 2026 10:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
    The quillon gasket has arrived.\r\n";

/// One small file of each format, each with a word that only it has.
fn one_of_each() -> Vec<(TestFile, &'static str)> {
    let rows: &[&[&str]] = &[&["Part", "Price"], &["Tarnwell", "12.5"]];
    let sheet = "<table:table table:name=\"Stock\"><table:table-row><table:table-cell><text:p>Part</text:p>\
        </table:table-cell><table:table-cell><text:p>Shelf</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell><text:p>Osmund</text:p></table:table-cell><table:table-cell>\
        <text:p>B4</text:p></table:table-cell></table:table-row></table:table>";
    vec![
        (TestFile::new("a.txt", "The brindle cover is blue.\n"), "brindle"),
        (TestFile::new("b.md", "# Care\n\nThe corvex seal is checked weekly.\n"), "corvex"),
        (TestFile::new("c.html", "<!doctype html><title>Page</title><p>The dalgo pin is steel.</p>"), "dalgo"),
        (TestFile::new("d.csv", "Part,Price\nEltham,3.20\n"), "eltham"),
        (TestFile::new("e.tsv", "Part\tPrice\nFennec\t4.20\n"), "fennec"),
        (TestFile::new("f.pdf", pdf(&["The gorbel valve is closed."])), "gorbel"),
        (TestFile::new("g.docx", docx(&["# Halvard", "The halvard joint is greased."], &[])), "halvard"),
        (TestFile::new("h.odt", open_document("text", "<text:p>The ilmen rod is bent.</text:p>")), "ilmen"),
        (TestFile::new("i.xlsx", xlsx(&[("Prices", rows)])), "tarnwell"),
        (TestFile::new("j.ods", open_document("spreadsheet", sheet)), "osmund"),
        (TestFile::new("k.eml", MAIL), "quillon"),
        (TestFile::new("l.xml", INVOICE), "wexford"),
    ]
}

#[test]
fn all_formats_dropped_together() -> Result<()> {
    story("formats", |person| {
        person.open()?;
        let (files, words): (Vec<_>, Vec<_>) = one_of_each().into_iter().unzip();
        person.drop_files(&files)?;
        person.await_line("a.txt", |_| true)?;
        let lines = person.lines()?;
        let names: Vec<_> = lines.iter().map(|line| line.name.as_str()).collect();
        ensure!(names == files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), "a line for each: {names:?}");
        person.await_added(Duration::from_secs(120))?;
        person.picture("formats")?;
        let lines = person.lines()?;
        let others: Vec<_> = lines.iter().filter(|line| line.state != "added").collect();
        ensure!(others.is_empty(), "all were read: {others:?}");
        for (file, word) in files.iter().zip(words) {
            let passages = person.ask(word)?;
            let first = passages.first().with_context(|| format!("{word:?} of {} is not found", file.name))?;
            ensure!(first.name == file.name, "{word:?} is in {}: {first:?}", file.name);
        }
        Ok(())
    })
}

#[test]
fn remarks_are_read_and_lead_to_their_page() -> Result<()> {
    story("remarks", |person| {
        let folder = tempfile::tempdir()?;
        let pages = ["The first page.", "", "The third page says yarrowmead.", ""];
        let paths = write_files(folder.path(), &[TestFile::new("partly.pdf", pdf_with_drawings(&pages))])?;
        person.open()?;
        person.add_files(&paths, PATIENCE)?;
        let row = "[data-testid=document-row] [data-testid=remarks] summary";
        let summary = person.browser()?.element(row)?;
        person.browser()?.click(&summary)?;
        person.picture("remarks")?;
        let remarks = person.text_of_all("remark")?;
        ensure!(remarks.iter().any(|remark| remark.contains("Page 2") && remark.contains("Page 4")), "{remarks:?}");
        let link = person.browser()?.element("[data-testid=document-row] [data-testid=remark-page]")?;
        person.browser()?.click(&link)?;
        ensure!(person.text("viewer")?.contains("yarrowmead"), "what follows the empty page is shown");
        Ok(())
    })
}

#[test]
fn one_file_is_stopped_and_the_others_go_on() -> Result<()> {
    story("stop-one", |person| {
        let folder = tempfile::tempdir()?;
        let long = crate::reading::long_manual(1200);
        let files = [TestFile::new("long.pdf", long), TestFile::new("short.txt", "The short one says umberlight.\n")];
        let paths = write_files(folder.path(), &files)?;
        person.open()?;
        person.pick("file-input", &paths)?;
        person.await_line("long.pdf", |line| line.text.contains("page"))?;
        person.click_in_line("long.pdf", "cancel-file")?;
        person.await_line("long.pdf", |line| line.state == "stopped")?;
        person.await_line("short.txt", |line| line.state == "added")?;
        person.await_added(PATIENCE)?;
        ensure!(person.documents()? == ["short.txt"]);
        ensure!(person.ask("umberlight")?.len() == 1);
        ensure!(person.ask("kestrelflange")?.is_empty(), "nothing is left of what was stopped");
        Ok(())
    })
}
