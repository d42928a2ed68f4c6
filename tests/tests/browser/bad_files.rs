//! Bad files: each gets a message or is found, the rest goes on, nothing is half there.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    bad_files::{Fate, bad_files},
    corpus::{TestFile, write_files},
    person::story,
    webdriver::PATIENCE,
};
use std::{fs, time::Duration};

#[test]
fn each_gets_a_message_and_the_rest_goes_on() -> Result<()> {
    story("bad-files", |person| {
        let folder = tempfile::tempdir()?;
        let (mut files, fates): (Vec<_>, Vec<_>) = bad_files().into_iter().unzip();
        let good = TestFile::new("good.md", "# Good\n\nThe gearbox holds 4 l of oil.\n");
        files.push(good.clone());
        files.push(TestFile::new("good again.md", good.bytes));
        let paths = write_files(folder.path(), &files)?;
        person.open()?;
        person.add_files(&paths, Duration::from_secs(120))?;
        person.picture("bad-files")?;
        let failures = person.failures()?;
        for (file, fate) in files.iter().zip(&fates) {
            match fate {
                Fate::Refused(word) => {
                    let said = failures.iter().find(|(name, _)| *name == file.name);
                    let (_, message) = said.with_context(|| format!("no word on {}: {failures:?}", file.name))?;
                    ensure!(message.contains(word), "{}: {message:?} does not say {word:?}", file.name);
                }
                Fate::Found(word) => {
                    let passages = person.ask(word)?;
                    ensure!(passages.iter().any(|seen| seen.name == file.name), "{}: {word} not found", file.name);
                }
            }
        }
        let n_refused = fates.iter().filter(|fate| matches!(fate, Fate::Refused(_))).count();
        ensure!(failures.len() == n_refused, "nothing else failed: {failures:?}");
        let gearbox = person.ask("how much oil does the gearbox hold")?;
        ensure!(
            gearbox.iter().filter(|seen| seen.text.contains("4 l")).count() == 1,
            "the same bytes once: {gearbox:?}"
        );
        let listed = person.documents()?;
        ensure!(listed.len() == fates.len() - n_refused + 1, "{listed:?}");
        let keys = person.stored_keys()?;
        let n_originals = keys.iter().filter(|key| key.contains("/originals/")).count();
        ensure!(n_originals == listed.len(), "nothing half stored: {keys:?}");
        Ok(())
    })
}

#[test]
fn five_hundred_files_and_a_change_of_mind() -> Result<()> {
    story("five-hundred", |person| {
        let folder = tempfile::tempdir()?;
        let note = |n: usize| {
            TestFile::new(format!("note-{n:03}.txt"), format!("Machine number {n}\n\nKey kx{n}z hangs here.\n"))
        };
        let paths = write_files(folder.path(), &(0..500).map(note).collect::<Vec<_>>())?;
        person.open()?;
        person.pick("file-input", &paths)?;
        // Half-way: as soon as something is findable.
        person.await_documents("begun", |documents| !documents.is_empty())?;
        person.picture("ingesting")?;
        person.click("cancel-batch")?;
        person.await_added(PATIENCE)?;
        let kept = person.documents()?;
        ensure!(!kept.is_empty() && kept.len() < 500, "stopped half-way: {} are there", kept.len());
        let last = kept.last().context("one is there")?.trim_start_matches("note-").trim_end_matches(".txt").to_owned();
        let last: usize = last.parse()?;
        ensure!(person.ask(&format!("kx{last}z"))?.len() == 1, "what is listed is found");
        person.reload()?;
        ensure!(person.documents()? == kept, "and still there after a reload");

        person.add_files(&paths, Duration::from_secs(300))?;
        ensure!(person.documents()?.len() == 500, "the second time all are there");
        ensure!(person.failures()?.is_empty());
        for n in [0, 250, 499] {
            let passages = person.ask(&format!("kx{n}z"))?;
            ensure!(passages.len() == 1 && passages[0].name == format!("note-{n:03}.txt"), "{passages:?}");
        }
        Ok(())
    })
}

/// The same name with other bytes takes the old one's place everywhere.
#[test]
fn a_new_edition_replaces_the_old() -> Result<()> {
    story("replace", |person| {
        let folder = tempfile::tempdir()?;
        let paths = write_files(folder.path(), &[TestFile::new("rules.md", "# Rules\n\nWear the yellow helmet.\n")])?;
        person.open()?;
        person.add_files(&paths, PATIENCE)?;
        fs::write(&paths[0], "# Rules\n\nWear the orange helmet.\n")?;
        person.add_files(&paths, PATIENCE)?;
        ensure!(person.documents()? == ["rules.md"]);
        ensure!(person.ask("yellow")?.is_empty(), "the old edition is not found");
        ensure!(person.ask("orange helmet")?.len() == 1, "the new one is");
        person.reload()?;
        ensure!(person.ask("yellow")?.is_empty(), "nor after a reload");
        ensure!(person.ask("orange helmet")?.len() == 1, "and the new one stays");
        Ok(())
    })
}

/// A file that vanishes between picking and reading is named, and the others are read.
#[test]
fn a_file_that_vanishes() -> Result<()> {
    story("vanish", |person| {
        let folder = tempfile::tempdir()?;
        let mut files: Vec<_> =
            (0..60).map(|n| TestFile::new(format!("{n:02}.txt"), format!("Line {n}\n\nword wq{n}\n"))).collect();
        files.push(TestFile::new("zz-gone.txt", "This will not be there."));
        let paths = write_files(folder.path(), &files)?;
        person.open()?;
        person.pick("file-input", &paths)?;
        fs::remove_file(&paths[60])?;
        person.await_added(Duration::from_secs(120))?;
        let failures = person.failures()?;
        ensure!(failures.len() == 1 && failures[0].0 == "zz-gone.txt", "{failures:?}");
        ensure!(person.documents()?.len() == 60);
        Ok(())
    })
}
