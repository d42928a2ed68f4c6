//! Scans in the tab: what is said without the reading model, and how it comes and reads them.

use anyhow::{Context, Result, ensure};
use millwright_sidecar::models::shipped;
use millwright_tests::{
    paths,
    person::{Person, story, story_with_models},
    webdriver::{PATIENCE, key},
};
use std::{path::PathBuf, time::Duration};

/// Reading a page takes some seconds, and some times as many in a build that is not optimised.
const READING: Duration = Duration::from_secs(240);

fn scan(name: &str) -> PathBuf {
    paths::workspace().join("tests/scans").join(name)
}

/// The files of the model that reads scans, where this machine has it.
fn model_files() -> Result<Option<(PathBuf, Vec<PathBuf>)>> {
    let model = shipped().model("ocr").context("no model reads scans")?;
    let Some(dir) = paths::model(&model.id)? else { return Ok(None) };
    Ok(Some((dir.clone(), model.files.iter().map(|file| dir.join(&model.id).join(&file.name)).collect())))
}

/// The first passage is the scan's own, and its place is the one that is pointed at.
fn check(person: &mut Person, question: &str, name: &str, words: &str) -> Result<()> {
    let passage =
        person.ask(question)?.into_iter().next().with_context(|| format!("nothing found for {question:?}"))?;
    ensure!(passage.name == name && passage.text.contains(words), "{passage:?}");
    let place = person.open_passage(0)?;
    ensure!(place.contains(words), "the right place is pointed at: {place:?}");
    person.click("close-viewer")?;
    person.await_gone("viewer")
}

fn await_state(person: &mut Person, wanted: &str) -> Result<()> {
    let words = person.await_text("model-state", READING, |text| text.contains(wanted));
    words.map(drop).with_context(|| format!("waiting for {wanted:?}"))
}

/// No model, no server that has it, a wrong file: each is told in words, with what to do.
#[test]
fn without_its_model() -> Result<()> {
    story("scan-unread", |person| {
        person.open()?;
        person.add_files(&[scan("filter.png")], PATIENCE)?;
        let row = person.text("document-row")?;
        ensure!(row.contains("It is a scan that was not read"), "{row}");
        ensure!(person.ask("approved disposer")?.is_empty(), "nothing of it is found");
        person.click("clear-question")?;
        // By keyboard: the button of the notice leads to the list of models, unfolded.
        let button = person.element("scans-get-model")?;
        person.browser()?.run("arguments[0].focus()", &[button.argument()])?;
        person.press(&[key::ENTER])?;
        let focused = "[data-model=ocr] [data-testid=model-get]:focus";
        person.browser()?.element(focused).context("the focus goes to what gets it")?;
        let said = person.text("model")?;
        ensure!(said.contains("31 MB") && said.contains("Apache-2.0") && said.contains("Not here."), "{said}");
        person.picture("models")?;

        // The test's own sidecar has no models and no index that answers.
        person.click("model-get")?;
        let refused = person.text("model-failure")?;
        ensure!(refused.contains("could not be fetched") && refused.contains("From a file"), "{refused}");
        person.picture("models-refused")?;

        person.pick("model-input", &[scan("standstill.jpg")])?;
        let refused =
            person.await_text("model-failure", PATIENCE, |text| text.contains("standstill.jpg is no file of"))?;
        ensure!(refused.contains("PP-OCRv6_det_small.rten") && refused.contains(".whl"), "{refused}");
        await_state(person, "Not here.")?;

        person.pull_the_network()?;
        person.click("model-get")?;
        let silent = person.await_text("model-failure", PATIENCE, |text| text.contains("does not answer"))?;
        ensure!(silent.contains("From a file"), "{silent}");
        Ok(())
    })
}

/// From files: half of them is not enough, a damaged one is refused, all are kept; scans are read then and without a
/// network, and the model can be removed.
#[test]
fn the_model_from_files() -> Result<()> {
    let Some((_, files)) = model_files()? else { return Ok(()) };
    story("scan-files", |person| {
        person.open()?;
        person.add_files(&[scan("filter.png")], PATIENCE)?;
        person.click("scans-get-model")?;
        let folder = tempfile::tempdir()?;
        let damaged = folder.path().join("characters.txt");
        let mut bytes = std::fs::read(files.last().context("no files")?)?;
        if let Some(byte) = bytes.first_mut() {
            *byte ^= 1;
        }
        std::fs::write(&damaged, bytes)?;
        person.pick("model-input", &[files[0].clone(), damaged])?;
        let refused = person.await_text("model-failure", PATIENCE, |text| text.contains("not what this version"))?;
        ensure!(refused.contains("ppocrv6_dict.txt"), "{refused}");
        await_state(person, "10 MB of 31 MB are here")?;

        person.pick("model-input", &files[1..])?;
        await_state(person, "Here, in use.")?;
        // The scan that waited is read by itself.
        person.await_added(READING)?;
        ensure!(
            person.text("ingest-summary")?.contains("1 read with their scans"),
            "{}",
            person.text("ingest-summary")?
        );
        person.picture("scan-read")?;
        check(person, "approved disposer of used cartridges", "filter.png", "handed to an approved disposer")?;
        check(person, "SKU-49999", "filter.png", "23.0")?;
        person.picture("scan-found")?;
        person.click("clear-question")?;

        person.await_offline_ready()?;
        person.pull_the_network()?;
        person.reload()?;
        person.add_files(&[scan("standstill.jpg"), scan("maintenance.tif")], READING)?;
        check(person, "oil film for long standstill", "standstill.jpg", "protect bare surfaces")?;
        check(person, "interlock of the guard", "maintenance.tif", "try the interlock")?;
        person.click("clear-question")?;
        let rows = person.text_of_all("document-row")?;
        ensure!(rows.iter().all(|row| !row.contains("was not read")), "{rows:?}");

        person.click("models-summary")?;
        person.click("model-remove")?;
        await_state(person, "Not here.")
    })
}

/// From the server, which has it in its folder.
#[test]
fn the_model_from_the_server() -> Result<()> {
    let Some((dir, _)) = model_files()? else { return Ok(()) };
    story_with_models("scan-server", &dir, |person| {
        person.open()?;
        person.add_files(&[scan("standstill.jpg")], PATIENCE)?;
        person.click("scans-get-model")?;
        person.click("model-get")?;
        await_state(person, "Here, in use.")?;
        person.await_added(READING)?;
        check(person, "oil film for long standstill", "standstill.jpg", "protect bare surfaces")?;
        // Another visit finds it there.
        person.reload()?;
        person.click("models-summary")?;
        await_state(person, "Here, in use.")
    })
}
