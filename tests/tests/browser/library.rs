//! The library as a whole: cleared at a word, and brought up to date where an older version wrote it.

use anyhow::{Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::{Person, story},
    webdriver::PATIENCE,
};

fn fill(person: &mut Person) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let files = [
        TestFile::new("fuse.md", "# Fuses\n\nThe fuse F-12 is slow.\n"),
        TestFile::new("oil.txt", "The gearbox holds 4 l of oil.\n"),
    ];
    person.add_files(&write_files(folder.path(), &files)?, PATIENCE)
}

#[test]
fn clearing_asks_once_more_and_removes_everything() -> Result<()> {
    story("clear", |person| {
        person.open()?;
        fill(person)?;
        person.click("clear-library")?;
        person.picture("clear")?;
        person.click("clear-no")?;
        ensure!(person.documents()?.len() == 2, "asked, not done");
        person.click("clear-library")?;
        person.click("clear-yes")?;
        person.element("empty-state")?;
        ensure!(person.stored_keys()?.iter().all(|key| !key.contains("/originals/")), "{:?}", person.stored_keys()?);
        fill(person)?;
        ensure!(person.ask("fuse F-12")?.len() == 1, "it can be filled again");
        person.reload()?;
        ensure!(person.documents()?.len() == 2);
        Ok(())
    })
}

/// Says that the store was written in format 1, whose records begin as today's do.
const GROW_OLD: &str = "
    const done = request => new Promise((ok, no) => { request.onsuccess = () => ok(request.result); request.onerror = no; });
    return (async () => {
        for (const { name } of await indexedDB.databases()) {
            const database = await done(indexedDB.open(name));
            if (database.objectStoreNames.contains('manifest')) {
                const manifest = await done(database.transaction('manifest').objectStore('manifest').get('manifest'));
                manifest[0] = arguments[0];
                await done(database.transaction('manifest', 'readwrite').objectStore('manifest').put(manifest, 'manifest'));
            }
            database.close();
        }
    })()";

#[test]
fn an_older_library_is_read_again() -> Result<()> {
    story("older", |person| {
        person.open()?;
        fill(person)?;
        person.browser()?.run(GROW_OLD, &[1.into()])?;
        person.reload()?;
        person.await_documents("read again", |documents| documents.len() == 2)?;
        let browser = person.browser()?;
        browser.until("the documents to be read again", PATIENCE, || {
            Ok((!browser.has(".row-alert")? && !browser.has("[data-testid=renewing-banner]")?).then_some(()))
        })?;
        ensure!(person.ask("fuse F-12")?.len() == 1, "found again");
        ensure!(person.ask("oil of the gearbox")?.len() == 1, "found again");
        Ok(())
    })
}

/// What was written by a newer version is left alone, and said.
#[test]
fn a_newer_library_is_refused_in_words() -> Result<()> {
    story("newer", |person| {
        person.open()?;
        fill(person)?;
        person.browser()?.run(GROW_OLD, &[99.into()])?;
        person.browser()?.reload()?;
        let said = person.text("engine-banner")?;
        ensure!(said.contains("newer version"), "{said:?}");
        person.browser()?.run(GROW_OLD, &[2.into()])?;
        person.reload()?;
        ensure!(person.documents()?.len() == 2, "nothing was changed");
        Ok(())
    })
}
