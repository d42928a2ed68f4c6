//! A question about one row of a table gives that row with its header first, whatever the file was.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, docx, pdf_with_table, write_files, xlsx},
    person::story,
    webdriver::PATIENCE,
};

const HEADER: [&str; 3] = ["Part number", "Torque (Nm)", "Supplier"];

/// A table of bolts whose part numbers begin with this.
fn bolts(prefix: &str, n_rows: usize) -> Vec<Vec<String>> {
    let mut rows = vec![HEADER.map(str::to_owned).to_vec()];
    for n in 0..n_rows {
        let suppliers = ["Nordfast", "Brightbolt", "Kellering"];
        rows.push(vec![format!("{prefix}-{}", 7700 + n), format!("{}", 20 + 3 * n), suppliers[n % 3].to_owned()]);
    }
    rows
}

fn words(rows: &[Vec<String>]) -> Vec<Vec<&str>> {
    rows.iter().map(|row| row.iter().map(String::as_str).collect()).collect()
}

fn slices<'a>(rows: &'a [Vec<&'a str>]) -> Vec<&'a [&'a str]> {
    rows.iter().map(Vec::as_slice).collect()
}

#[test]
fn the_row_comes_first_with_its_header() -> Result<()> {
    story("rows", |person| {
        let (in_pdf, in_docx, in_xlsx) = (bolts("PB", 20), bolts("DB", 40), bolts("XB", 400));
        let (pdf_cells, docx_cells, xlsx_cells) = (words(&in_pdf), words(&in_docx), words(&in_xlsx));
        let files = [
            TestFile::new("bolts.pdf", pdf_with_table("Bolts of the press", &slices(&pdf_cells))),
            TestFile::new("bolts.docx", docx(&["# Bolts", "All bolts of the lathe."], &slices(&docx_cells))),
            TestFile::new("bolts.xlsx", xlsx(&[("Bolts", &slices(&xlsx_cells))])),
        ];
        let folder = tempfile::tempdir()?;
        person.open()?;
        person.add_files(&write_files(folder.path(), &files)?, PATIENCE)?;
        ensure!(person.failures()?.is_empty(), "{:?}", person.failures()?);
        for (name, prefix, torque, place) in [
            ("bolts.pdf", "PB", "53", "Page 1"),
            ("bolts.docx", "DB", "53", ""),
            ("bolts.xlsx", "XB", "53", "Bolts!A13:C13"),
        ] {
            let question = format!("torque of {prefix}-7711");
            let first = person.ask(&question)?.into_iter().next().with_context(|| format!("{question}: nothing"))?;
            ensure!(first.name == name, "{question}: {first:?}");
            for wanted in [format!("{prefix}-7711").as_str(), torque, HEADER[0], HEADER[1], place] {
                ensure!(first.text.contains(wanted), "{question}: {wanted:?} is not in {first:?}");
            }
        }
        person.picture("rows")
    })
}
