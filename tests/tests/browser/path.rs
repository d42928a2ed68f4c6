//! The way from an empty page to a cited passage, and again without a network.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, samples, write_files},
    person::{PassageSeen, Person, story},
    webdriver::PATIENCE,
};

/// A document with a place that can only be one.
const VALVE_BOOK: &str = "# Valve book\n\n## Opening\n\nTurn the wheel to the left.\n\n## Seat\n\n\
    Grind the seat of valve V-7731 with paste 400.\n";

fn add(person: &mut Person, name: &str, text: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let paths = write_files(folder.path(), &[TestFile::new(name, text)])?;
    person.add_files(&paths, PATIENCE)
}

fn first(passages: Vec<PassageSeen>) -> Result<PassageSeen> {
    passages.into_iter().next().context("nothing was found")
}

/// The seat's passage, with these words marked.
fn check_seat(passages: Vec<PassageSeen>, marked: &[&str]) -> Result<()> {
    let passage = first(passages)?;
    ensure!(passage.name == "valves.md", "{passage:?}");
    ensure!(passage.text.contains("paste 400") && passage.text.contains("Seat"), "text and heading: {passage:?}");
    ensure!(passage.marks == marked, "marks: {passage:?}");
    Ok(())
}

/// Samples in, ask, open, reload, ask again.
#[test]
fn from_an_empty_page_to_the_passage() -> Result<()> {
    story("path", |person| {
        person.open()?;
        person.picture("empty")?;
        person.click("sample-button")?;
        person.await_added(PATIENCE)?;
        let n_samples = samples()?.len();
        person.await_documents("the samples", |documents| documents.len() == n_samples)?;
        // A sample that cannot be searched shows nothing of what Millwright does.
        let facts = person.text_of_all("document-row")?;
        ensure!(facts.iter().all(|row| !row.contains(" 0 passages")), "{facts:?}");
        person.picture("library")?;
        add(person, "valves.md", VALVE_BOOK)?;

        check_seat(person.ask("grind V-7731")?, &["Grind", "V-7731"])?;
        person.picture("results")?;
        let place = person.open_passage(0)?;
        ensure!(place.contains("Grind the seat"), "the right place is pointed at: {place:?}");
        ensure!(!place.contains("Turn the wheel"), "and no other: {place:?}");
        person.picture("viewer")?;
        person.click("close-viewer")?;
        person.await_gone("viewer")?;

        person.reload()?;
        check_seat(person.ask("which paste for the seat of V-7731")?, &["seat", "V-7731", "paste"])?;
        ensure!(person.text("storage-line")?.contains("used"), "the room is shown");
        Ok(())
    })
}

/// The example questions on the empty page promise something: the samples must answer them.
#[test]
fn the_examples_are_answered_by_the_samples() -> Result<()> {
    story("examples", |person| {
        person.open()?;
        person.click("sample-button")?;
        person.await_added(PATIENCE)?;
        let n_examples = person.all("example")?.len();
        ensure!(n_examples > 0, "examples are offered");
        for place in 0..n_examples {
            let example = person.all("example")?.swap_remove(place);
            let browser = person.browser()?;
            let question = browser.run("return arguments[0].innerText", &[example.argument()])?;
            browser.click(&example)?;
            let question = question.as_str().context("no text")?.trim().to_owned();
            ensure!(!person.answer(&question)?.is_empty(), "{question:?} finds nothing in the samples");
            person.click("clear-question")?;
        }
        Ok(())
    })
}

/// The network goes, the browser is closed: the page still opens and answers.
#[test]
fn without_a_network() -> Result<()> {
    story("offline", |person| {
        person.open()?;
        add(person, "valves.md", VALVE_BOOK)?;
        person.await_offline_ready()?;
        person.pull_the_network()?;
        person.reload()?;
        check_seat(person.ask("grind V-7731")?, &["Grind", "V-7731"])?;
        person.restart_browser()?;
        person.open()?;
        check_seat(person.ask("which paste for the seat of V-7731")?, &["seat", "V-7731", "paste"])?;
        let place = person.open_passage(0)?;
        ensure!(place.contains("Grind the seat"), "{place:?}");
        person.picture("offline")
    })
}

/// What reads files comes after the page: a tab that never read one reads its first without a network.
#[test]
fn the_first_file_comes_without_a_network() -> Result<()> {
    story("offline-first-file", |person| {
        person.open()?;
        person.await_offline_ready()?;
        person.pull_the_network()?;
        person.reload()?;
        add(person, "valves.md", VALVE_BOOK)?;
        check_seat(person.ask("grind V-7731")?, &["Grind", "V-7731"])
    })
}

/// Deleted, brought back, deleted for good: gone from the list, the answers and the store.
#[test]
fn deleting_and_bringing_back() -> Result<()> {
    story("delete", |person| {
        person.open()?;
        add(person, "valves.md", VALVE_BOOK)?;
        add(person, "note.md", "# Note\n\nOil the hinge of the gate.\n")?;
        person.delete("valves.md")?;
        person.await_documents("without valves.md", |documents| documents == ["note.md"])?;
        ensure!(person.ask("V-7731")?.is_empty(), "a deleted document is not found");
        person.click("undo")?;
        person.await_documents("whole again", |documents| documents.len() == 2)?;
        check_seat(person.ask("grind V-7731")?, &["Grind", "V-7731"])?;

        person.delete("valves.md")?;
        person.await_documents("without valves.md", |documents| documents == ["note.md"])?;
        // The chance to undo passes.
        person.await_gone("undo")?;
        person.reload()?;
        person.await_documents("without valves.md", |documents| documents == ["note.md"])?;
        ensure!(person.ask("V-7731")?.is_empty(), "nor after a reload");
        let left = person.stored_keys()?;
        ensure!(left.iter().filter(|key| key.contains("/originals/")).count() == 1, "one original is left: {left:?}");
        ensure!(!first(person.ask("oil the hinge")?)?.text.is_empty(), "the other document is still there");
        Ok(())
    })
}
