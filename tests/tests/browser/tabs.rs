//! Several tabs over one library: one writes, the others follow.

use anyhow::{Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::story,
    webdriver::PATIENCE,
};

#[test]
fn a_second_tab_follows_and_takes_over() -> Result<()> {
    story("tabs", |person| {
        let folder = tempfile::tempdir()?;
        let files = [
            TestFile::new("a.md", "# Crane\n\nThe hook of crane C-9 carries 5 t.\n"),
            TestFile::new("b.md", "# Hoist\n\nThe hoist H-4 is out of order.\n"),
        ];
        let paths = write_files(folder.path(), &files)?;
        person.open()?;
        person.add_files(&paths[..1], PATIENCE)?;
        ensure!(person.all("writer-banner")?.is_empty(), "the only tab writes");
        let first = person.browser()?.tab()?;

        let second = person.browser()?.open_tab()?;
        person.open()?;
        person.element("writer-banner")?;
        ensure!(person.ask("hook of C-9")?.len() == 1, "the second tab answers from the same library");

        // What the first tab adds and deletes is seen in the second without a reload.
        person.browser()?.switch(&first)?;
        person.add_files(&paths[1..], PATIENCE)?;
        person.browser()?.switch(&second)?;
        person.await_documents("two documents", |documents| documents.len() == 2)?;
        ensure!(person.ask("H-4")?.len() == 1, "the second tab finds what the first added");
        person.browser()?.switch(&first)?;
        person.delete("a.md")?;
        person.browser()?.switch(&second)?;
        person.await_documents("b.md alone", |documents| documents == ["b.md"])?;
        ensure!(person.ask("hook of C-9")?.is_empty(), "the second tab finds no longer what the first deleted");

        // The writing tab is closed: the other one may write.
        person.browser()?.switch(&first)?;
        person.browser()?.close_tab(&second)?;
        person.await_gone("writer-banner")?;
        person.add_files(&paths[..1], PATIENCE)?;
        ensure!(person.ask("hook of C-9")?.len() == 1, "the second tab writes now");
        Ok(())
    })
}
