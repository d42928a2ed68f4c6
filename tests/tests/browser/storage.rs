//! What the browser may do to a library: run out of room, throw it away, be closed half-way. All of it is said, nothing
//! is half there.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::{Person, story},
    webdriver::PATIENCE,
};
use serde_json::json;
use std::time::Duration;

fn small(person: &mut Person) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let paths = write_files(folder.path(), &[TestFile::new("small.md", "# Small\n\nThe fuse F-12 is slow.\n")])?;
    person.add_files(&paths, PATIENCE)
}

#[test]
fn a_full_disk_is_said_and_nothing_is_lost() -> Result<()> {
    story("full", |person| {
        person.open()?;
        small(person)?;
        let origin = person.origin().to_owned();
        let used = person.browser()?.run("return navigator.storage.estimate().then(e => e.usage)", &[])?;
        let quota = used.as_u64().context("the browser tells its usage")? + 600_000;
        // A browser remembers for a while how much room there was: a fresh process learns of the little there is.
        person.restart_browser()?;
        person
            .browser()?
            .devtools("Storage.overrideQuotaForOrigin", &json!({ "origin": origin, "quotaSize": quota }))?;
        person.open()?;

        let folder = tempfile::tempdir()?;
        // Every line is new, so that no compression makes it small.
        let large: String =
            (0..60_000_u64).map(|n| format!("Part {:016x}\n\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect();
        let paths = write_files(folder.path(), &[TestFile::new("large.txt", large)])?;
        person.add_files(&paths, Duration::from_secs(120))?;
        let failures = person.failures()?;
        ensure!(failures.len() == 1 && failures[0].0 == "large.txt", "{failures:?}");
        ensure!(failures[0].1.contains("room") || failures[0].1.contains("full"), "{failures:?}");
        person.picture("full")?;
        ensure!(person.documents()? == ["small.md"], "nothing of it is there");
        ensure!(person.ask("fuse F-12")?.len() == 1, "what was there before still is");

        person.browser()?.devtools("Storage.overrideQuotaForOrigin", &json!({ "origin": origin }))?;
        person.add_files(&paths, Duration::from_secs(120))?;
        ensure!(person.documents()?.len() == 2, "with room again it is added");
        Ok(())
    })
}

#[test]
fn an_evicted_library_is_noticed() -> Result<()> {
    story("evicted", |person| {
        person.open()?;
        small(person)?;
        let origin = person.origin().to_owned();
        person.browser()?.goto("about:blank")?;
        let everything_kept = json!({ "origin": origin, "storageTypes": "indexeddb" });
        person.browser()?.devtools("Storage.clearDataForOrigin", &everything_kept)?;
        person.open()?;
        let notice = person.text("notice-banner")?;
        ensure!(notice.contains("the document"), "{notice:?}");
        person.picture("evicted")?;
        small(person)?;
        ensure!(person.ask("fuse F-12")?.len() == 1, "the library can be filled again");
        Ok(())
    })
}

#[test]
fn a_browser_closed_half_way_leaves_whole_documents() -> Result<()> {
    story("closed", |person| {
        let folder = tempfile::tempdir()?;
        let page = |n: usize| TestFile::new(format!("{n:03}.txt"), format!("Sheet {n}\n\nKey hx{n}z hangs here.\n"));
        let paths = write_files(folder.path(), &(0..200).map(page).collect::<Vec<_>>())?;
        person.open()?;
        person.pick("file-input", &paths)?;
        person.await_documents("begun", |documents| documents.len() > 3)?;
        person.restart_browser()?;
        person.open()?;
        let kept = person.documents()?;
        ensure!(!kept.is_empty() && kept.len() < 200, "it was closed half-way: {} are there", kept.len());
        let n_originals = person.stored_keys()?.iter().filter(|key| key.contains("/originals/")).count();
        ensure!(n_originals == kept.len(), "{n_originals} originals of {} documents", kept.len());
        for name in kept.iter().step_by(kept.len().div_ceil(5)) {
            let n: usize = name.trim_end_matches(".txt").parse()?;
            ensure!(person.ask(&format!("hx{n}z"))?.len() == 1, "{name} is listed and found");
        }
        person.add_files(&paths, Duration::from_secs(120))?;
        ensure!(person.documents()?.len() == 200, "the rest can be added");
        Ok(())
    })
}
