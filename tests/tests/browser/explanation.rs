//! Why the passages stand where they stand: the table of candidates, whole, reachable by keyboard, within any screen.

use anyhow::{Context as _, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::{Person, story},
    webdriver::{PATIENCE, key},
};

/// Two revisions say the same, and many parts nearly so.
fn files() -> Vec<TestFile> {
    let seal = "Close both valves and let the pressure out before the cover of the pump is taken off for a new seal.";
    let parts: String = (0..60).map(|n| format!("SKU-{},bolt of zinc plated steel,{n}\n", 48_260 + n)).collect();
    vec![
        TestFile::new("rev-a.md", format!("# Seal\n\n{seal}\n").into_bytes()),
        TestFile::new("rev-b.md", format!("# Seal ring\n\n{seal}\n").into_bytes()),
        TestFile::new("parts.csv", format!("Part,Name,Stock\n{parts}").into_bytes()),
    ]
}

/// The table as it stands: the titles of its columns, and the cells of its rows as they are read out.
fn table(person: &mut Person) -> Result<(Vec<String>, Vec<Vec<String>>)> {
    let script = "
        const table = document.querySelector('[data-testid=candidates] table');
        const texts = cells => [...cells].map(cell => cell.textContent.trim());
        return table && [texts(table.tHead.rows[0].cells), [...table.tBodies[0].rows].map(row => texts(row.cells))]";
    let seen = person.browser()?.run(script, &[])?;
    serde_json::from_value(seen).context("the table is not there")
}

#[test]
fn every_candidate_is_explained() -> Result<()> {
    story("explanation", |person| {
        let folder = tempfile::tempdir()?;
        person.open()?;
        person.add_files(&write_files(folder.path(), &files())?, PATIENCE)?;
        person.ask("new seal of the pump")?;
        // By keyboard alone: the line that unfolds it, then the table, which scrolls.
        person.browser()?.run("document.querySelector('[data-testid=why-these] > summary').focus()", &[])?;
        person.browser()?.press(&[key::ENTER])?;
        let browser = person.browser()?;
        browser.until("candidates that are not shown", PATIENCE, || {
            Ok(browser.has("[data-testid=candidates] tr.candidate-left")?.then_some(()))
        })?;
        let (titles, rows) = table(person)?;
        for title in [
            "Rank", "Shown", "Document", "Page", "Kind", "Headings", "Found by", "BM25", "Cosine", "Reranked", "Grade",
            "Hop",
        ] {
            ensure!(titles.iter().any(|seen| seen == title), "{title} is not among {titles:?}");
        }
        ensure!(
            rows.iter().all(|row| row.len() == titles.len() && row.iter().all(|cell| !cell.is_empty())),
            "{rows:?}"
        );
        let column = |title: &str| titles.iter().position(|seen| seen == title).unwrap_or_default();
        ensure!(rows[0][column("BM25")].parse::<f32>().is_ok_and(|score| score > 0.0), "{:?}", rows[0]);
        ensure!(rows[0][column("Cosine")].contains("not applicable"), "no vectors were asked: {:?}", rows[0]);
        let same = rows.iter().find(|row| row[column("Shown")].contains("the same as 1")).context("no duplicate")?;
        ensure!(same[column("Document")].starts_with("rev-"), "{same:?}");
        let also = person.browser()?.run("return document.querySelector('[data-testid=also-in]').textContent", &[])?;
        ensure!(also.as_str().is_some_and(|also| also.contains("1 other place") && also.contains("rev-")), "{also}");

        // One thing is named, and only it is shown; its twins are told of in the table.
        let shown = person.ask("SKU-48291")?;
        ensure!(shown.len() == 1 && shown[0].text.contains("SKU-48291"), "{shown:?}");
        let route = person.browser()?.run("return document.querySelector('[data-testid=route]').textContent", &[])?;
        ensure!(route.as_str().is_some_and(|route| route.contains("SKU-48291")), "{route}");

        for (width, height) in [(1280, 800), (390, 844)] {
            person.browser()?.resize(width, height)?;
            let fits = "
                const box = document.querySelector('[data-testid=candidates]');
                box.scrollLeft = 1e6;
                return [document.documentElement.scrollWidth <= innerWidth, box.scrollWidth > box.clientWidth === box.scrollLeft > 0, box.tabIndex]";
            let seen = person.browser()?.run(fits, &[])?;
            ensure!(seen == serde_json::json!([true, true, 0]), "{width} px: {seen}");
            person.picture(&format!("explanation-{width}"))?;
        }
        Ok(())
    })
}
