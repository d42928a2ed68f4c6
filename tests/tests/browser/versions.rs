//! A new version of the app: offered, not forced, and the library comes along.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::story,
    webdriver::PATIENCE,
};
use std::fs;

/// What the new version is called.
const NEW_VERSION: &str = "0123456789abcdef";

#[test]
fn a_new_version_is_offered_and_taken() -> Result<()> {
    story("versions", |person| {
        let folder = tempfile::tempdir()?;
        let paths = write_files(folder.path(), &[TestFile::new("kept.md", "# Kept\n\nThe belt B-77 is new.\n")])?;
        person.open()?;
        person.add_files(&paths, PATIENCE)?;
        person.await_offline_ready()?;
        ensure!(person.all("update-banner")?.is_empty(), "there is no newer version yet");

        // The server gets a new bundle: the same files under another version.
        let worker_file = person.bundle().join("sw.js");
        let worker = fs::read_to_string(&worker_file)?;
        let version = worker.split("const VERSION = \"").nth(1).and_then(|rest| rest.split('"').next());
        let version = version.context("the service worker names its version")?.to_owned();
        fs::write(&worker_file, worker.replace(&version, NEW_VERSION))?;
        // A compressed copy of the old one would be served in its place.
        let _ = fs::remove_file(person.bundle().join("sw.js.gz"));

        person.reload()?;
        person.element("update-banner")?;
        ensure!(person.ask("belt B-77")?.len() == 1, "the old version goes on working until it is told");
        person.picture("update")?;
        // Models have a cache of their own, which no version touches.
        let running =
            "return caches.keys().then(names => names.filter(name => name.startsWith('millwright-shell-')).join())";
        ensure!(person.browser()?.run(running, &[])?.as_str().is_some_and(|names| names.contains(&version)));
        person.click("update-now")?;
        let browser = person.browser()?;
        browser.until("the new version alone", PATIENCE, || {
            let names = browser.run(running, &[])?;
            Ok((names == format!("millwright-shell-{NEW_VERSION}")).then_some(()))
        })?;
        person.await_ready()?;
        person.await_gone("update-banner")?;
        ensure!(person.ask("belt B-77")?.len() == 1, "the library came along");
        Ok(())
    })
}
