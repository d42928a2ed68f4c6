//! A file that needs a password asks for it in its line; it is kept nowhere.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    paths,
    person::{Person, story},
    webdriver::{PATIENCE, key},
};
use std::fs;

fn type_password(person: &mut Person, name: &str, password: &str) -> Result<()> {
    let field = format!(".batch-file[data-name={name:?}] [data-testid=password-input]");
    let field = person.browser()?.element(&field)?;
    person.browser()?.type_into(&field, password)?;
    person.press(&[key::ENTER])
}

#[test]
fn it_is_asked_for_given_and_forgotten() -> Result<()> {
    story("passwords", |person| {
        let fixtures = paths::workspace().join("core/src/parse/pdf/fixtures");
        let read = |name: &str| fs::read(fixtures.join(name)).with_context(|| format!("no {name}"));
        let files = [
            TestFile::new("seal.pdf", read("aes_256.pdf")?),
            TestFile::new("other.pdf", read("rc4_128.pdf")?),
            TestFile::new("plain.txt", "The plain one needs none.\n"),
        ];
        let folder = tempfile::tempdir()?;
        let paths = write_files(folder.path(), &files)?;
        person.open()?;
        person.pick("file-input", &paths)?;
        person.await_line("seal.pdf", |line| line.state == "locked" && line.text.contains("password"))?;
        person.await_line("plain.txt", |line| line.state == "added")?;
        person.await_line("other.pdf", |line| line.state == "locked")?;
        person.picture("passwords")?;
        type_password(person, "seal.pdf", "guess")?;
        person.await_line("seal.pdf", |line| line.text.contains("does not open it"))?;
        type_password(person, "seal.pdf", "keeper")?;
        person.await_line("seal.pdf", |line| line.state == "added")?;
        person.click_in_line("other.pdf", "password-skip")?;
        person.await_line("other.pdf", |line| line.state == "stopped")?;
        person.await_added(PATIENCE)?;
        ensure!(person.documents()? == ["plain.txt", "seal.pdf"]);
        ensure!(person.ask("how often is the seal changed")?[0].text.contains("4,000 hours"));
        let kept = person.browser()?.run(STORED_VALUES, &[])?;
        let kept = kept.as_str().context("no text")?;
        ensure!(kept.contains("seal.pdf"), "the store was looked through");
        ensure!(!kept.contains("keeper") && !kept.contains("guess"), "no password is kept");
        Ok(())
    })
}

/// Everything that the browser keeps for the page, as Latin-1 text.
const STORED_VALUES: &str = "
    const done = request => new Promise((ok, no) => { request.onsuccess = () => ok(request.result); request.onerror = no; });
    return (async () => {
        let all = location.href + JSON.stringify(localStorage) + JSON.stringify(sessionStorage);
        for (const { name } of await indexedDB.databases()) {
            const database = await done(indexedDB.open(name));
            for (const table of database.objectStoreNames) {
                if (table === 'originals') continue;
                for (const value of await done(database.transaction(table).objectStore(table).getAll())) {
                    all += new TextDecoder('latin1').decode(value);
                }
            }
            database.close();
        }
        return all;
    })()";
