//! Finding by meaning in the tab: what is said without a model, and with one how vectors come, stay, stop, go on, and are
//! refused where another model made them.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    paths,
    person::{Person, story, story_with_models},
    webdriver::PATIENCE,
};
use std::{collections::BTreeSet, fmt::Write as _, path::Path, process::Command, time::Duration};

/// Making some hundred vectors takes seconds, and some times as many on a busy machine.
const MAKING: Duration = Duration::from_secs(300);

/// Says what a manual says in words that none of its sentences has.
const PARAPHRASE: &str = "my automobile refuses to start";

/// A manual of short sections.
fn manual() -> TestFile {
    let sections = [
        ("Ignition", "If the engine does not turn over, check the ignition key and the immobiliser of the car."),
        ("Tyres", "Keep all tyres at 2.4 bar and replace them when the tread is below 3 mm."),
        ("Coolant", "Top up the coolant only while the radiator is cold; it is hot and under pressure otherwise."),
        ("Windscreen", "Clean the windscreen from inside and outside; smears dazzle at night."),
        ("Belt", "A squealing belt is worn or loose: tension it, or fit a new one."),
        ("Lamps", "Do not touch the glass of a new lamp with bare fingers."),
    ];
    let text = sections.iter().fold("# Vehicle handbook\n\n".to_owned(), |mut text, (heading, words)| {
        let _ = write!(text, "## {heading}\n\n{words}\n\n");
        text
    });
    TestFile::new("handbook.md", text)
}

/// A list of a thousand parts that differ in their numbers alone.
fn near_twins() -> TestFile {
    let rows = (0..1000).fold("Part number,Description,Stock\n".to_owned(), |mut text, n| {
        let _ = writeln!(text, "SKU-{},Sealing ring for gear pump GP-20,{}", 48_000 + n, n % 17);
        text
    });
    TestFile::new("parts.csv", rows)
}

fn add(person: &mut Person, files: &[TestFile]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    person.add_files(&write_files(folder.path(), files)?, PATIENCE)
}

/// Gets a model from the server, by its row in the list.
fn get_model(person: &mut Person, id: &str) -> Result<()> {
    let browser = person.browser()?;
    browser.run("const list = document.querySelector('[data-testid=models]'); if (!list.open) list.querySelector('summary').click()", &[])?;
    let get = browser.element(&format!("[data-model={id}] [data-testid=model-get]"))?;
    browser.click(&get)?;
    let row = format!("[data-model={id}][data-whole=true]");
    browser.until("the model", MAKING, || Ok(browser.has(&row)?.then_some(())))
}

fn await_line(person: &mut Person, wanted: &str) -> Result<()> {
    let line = person.await_text("vectors-line", MAKING, |text| text.contains(wanted));
    line.map(drop).with_context(|| format!("waiting for {wanted:?}"))
}

fn vectors_stored(person: &mut Person) -> Result<BTreeSet<String>> {
    Ok(person.stored_keys()?.into_iter().filter(|key| key.contains("/vectors/")).collect())
}

/// Without a model everything is found by its words, and the page says once, in a quiet place, what would add to it.
#[test]
fn without_a_model() -> Result<()> {
    story("meaning-without", |person| {
        person.open()?;
        add(person, &[manual()])?;
        let found = person.ask("squealing belt")?;
        ensure!(found.first().is_some_and(|passage| passage.text.contains("tension it")), "{found:?}");
        let how = person.text("how-found")?;
        ensure!(how.contains("words alone") && how.contains("all-MiniLM-L6-v2 (91 MB)"), "{how}");
        ensure!(how.contains("in other words"), "it says what it would add: {how}");
        ensure!(person.ask(PARAPHRASE)?.is_empty(), "no word of it stands there, or this test tests nothing");
        ensure!(
            person.text("how-found")?.contains("Searched by words alone"),
            "it says so where nothing was found, too"
        );
        person.picture("asked")?;
        ensure!(person.all("vectors-line")?.is_empty(), "nothing is on its way");

        // The way to the model ends at its button, on a telephone, too.
        person.browser()?.resize(390, 844)?;
        person.click("meaning-show-model")?;
        let focus = "const b = document.activeElement, r = b.getBoundingClientRect();
            return [b.dataset.testid, b.closest('[data-model]')?.dataset.model, r.top >= 0 && r.bottom <= innerHeight]";
        let browser = person.browser()?;
        browser.until("the button that gets it", PATIENCE, || {
            Ok((browser.run(focus, &[])? == serde_json::json!(["model-get", "minilm", true])).then_some(()))
        })?;
        let said = person.text_of_all("model")?;
        ensure!(said.iter().any(|row| row.contains("by what they mean") && row.contains("Not here.")), "{said:?}");
        person.picture("model")
    })
}

/// A paraphrase is found once vectors are there, after a reload and without a network, too; without the model again by
/// words alone.
#[test]
fn a_paraphrase_is_found() -> Result<()> {
    let Some(dir) = paths::model("minilm")? else { return Ok(()) };
    story_with_models("meaning-paraphrase", &dir, |person| {
        person.open()?;
        add(person, &[manual()])?;
        ensure!(person.ask(PARAPHRASE)?.is_empty(), "by words it is not found");
        person.click("clear-question")?;
        get_model(person, "minilm")?;
        await_line(person, "all")?;
        person.picture("made")?;
        check_paraphrase(person)?;
        person.picture("found")?;
        person.click("clear-question")?;
        // What comes later joins by itself.
        let all = person.text("vectors-line")?;
        add(person, &[TestFile::new("note.md", "# Yard\n\nBring vehicles that broke down to hall 4.\n")])?;
        person.await_text("vectors-line", MAKING, |line| line.contains("all") && line != all)?;

        let stored = vectors_stored(person)?;
        ensure!(stored.len() == 2, "a group for each document: {stored:?}");
        person.await_offline_ready()?;
        person.pull_the_network()?;
        person.reload()?;
        person.await_text("vectors-line", PATIENCE, |line| line.contains("all"))?;
        check_paraphrase(person)?;
        ensure!(vectors_stored(person)? == stored, "nothing was made again");

        person.click("clear-question")?;
        let browser = person.browser()?;
        browser.run("document.querySelector('[data-testid=models]').open = true", &[])?;
        let remove = browser.element("[data-model=minilm] [data-testid=model-remove]")?;
        browser.click(&remove)?;
        let refused = person.text("vectors-refused")?;
        ensure!(refused.contains("all-MiniLM-L6-v2, which is not here any more"), "{refused}");
        ensure!(person.ask(PARAPHRASE)?.is_empty(), "questions have no vectors any more");
        let how = person.text("how-found")?;
        ensure!(how.contains("Get it again under Models"), "{how}");
        ensure!(!person.ask("squealing belt")?.is_empty(), "words are found in any case");
        Ok(())
    })
}

fn check_paraphrase(person: &mut Person) -> Result<()> {
    let found = person.ask(PARAPHRASE)?;
    let first = found.first().context("the paraphrase is not found")?;
    ensure!(first.text.contains("immobiliser"), "{found:?}");
    let how = person.text("how-found")?;
    ensure!(how.contains("their meaning"), "{how}");
    Ok(())
}

/// Making vectors is stopped, by a button and by a reload, and goes on where it was; and among a thousand near twins, which
/// mean the same, the very number that was asked for is first.
#[test]
fn a_stopped_run_goes_on_and_identifiers_stay_first() -> Result<()> {
    let Some(dir) = paths::model("minilm")? else { return Ok(()) };
    story_with_models("meaning-stopped", &dir, |person| {
        person.open()?;
        get_model_first(person)?;
        add(person, &[near_twins()])?;
        person.await_text("vectors-line", MAKING, |line| n_done(line).is_some_and(|n| n >= 64))?;
        person.click("vectors-pause")?;
        person.element("vectors-go-on")?;
        let stored = vectors_stored(person)?;
        let line = person.text("vectors-line")?;
        let done = n_done(&line).with_context(|| line.clone())?;
        ensure!(done >= 64 && !line.contains("all"), "{line}");
        person.picture("paused")?;
        ensure!(!person.ask("SKU-48291")?.is_empty(), "what is asked meanwhile is answered");
        std::thread::sleep(Duration::from_secs(2));
        ensure!(vectors_stored(person)? == stored, "it is stopped");

        person.click("clear-question")?;
        person.reload()?;
        let line = person.await_text("vectors-line", PATIENCE, |line| n_done(line).is_some())?;
        ensure!(n_done(&line) >= Some(done), "it does not begin anew: {line}");
        await_line(person, "all")?;
        ensure!(vectors_stored(person)?.is_superset(&stored), "what was made is kept");
        for number in ["SKU-48291", "SKU-48007", "where is sealing ring SKU-48999"] {
            let asked = number.rsplit(' ').next().unwrap_or(number);
            let found = person.ask(number)?;
            ensure!(found.first().is_some_and(|first| first.text.contains(asked)), "{number}: {:?}", found.first());
        }
        person.picture("twin")
    })
}

/// Gets the model while there are no documents: with a first one, so that the list is there, which is deleted again.
fn get_model_first(person: &mut Person) -> Result<()> {
    add(person, &[TestFile::new("first.txt", "Nothing of interest.\n")])?;
    get_model(person, "minilm")?;
    await_line(person, "all 1 passages")
}

/// "Meaning search: 1,240 of 6,500 passages" is 1240.
fn n_done(line: &str) -> Option<u32> {
    let (_, numbers) = line.split_once(": ")?;
    numbers.split(' ').next()?.replace(',', "").parse().ok()
}

/// The vectors of one model are no use to another: that is said, and they are made anew when somebody wants it. And the
/// page says which model is for a library that is not English.
#[test]
fn another_models_vectors_are_refused_and_made_anew() -> Result<()> {
    let (Some(dir), Some(_)) = (paths::model("minilm")?, paths::model("e5-small")?) else { return Ok(()) };
    story_with_models("meaning-another", &dir, |person| {
        person.open()?;
        let german = "# Handbuch\n\n## Start\n\nWenn der Motor nicht anspringt, ist die Wegfahrsperre zu prüfen.\n\n\
            ## Reifen\n\nDer Druck der Reifen muss einmal im Monat geprüft werden.\n";
        add(person, &[TestFile::new("handbuch.md", german)])?;
        get_model(person, "minilm")?;
        await_line(person, "all")?;
        let fit = person.text_of_all("model-fit")?;
        ensure!(
            fit.len() == 2 && fit[0].contains("It is for English") && fit[1].contains("this is the model"),
            "{fit:?}"
        );

        let browser = person.browser()?;
        let remove = browser.element("[data-model=minilm] [data-testid=model-remove]")?;
        browser.click(&remove)?;
        person.element("vectors-refused")?;
        get_model(person, "e5-small")?;
        let offer = person
            .await_text("vectors-refused", PATIENCE, |text| text.contains("Rebuild them with multilingual-e5-small"))?;
        ensure!(offer.contains("made with all-MiniLM-L6-v2") && offer.contains("minute"), "{offer}");
        person.picture("refused")?;
        let question = "das Auto lässt sich morgens nicht anlassen";
        person.ask(question)?;
        let how = person.text("how-found")?;
        ensure!(how.contains("made with all-MiniLM-L6-v2"), "nothing of another model is compared: {how}");
        person.click("clear-question")?;
        person.click("vectors-remake")?;
        await_line(person, "all")?;
        let found = person.ask(question)?;
        ensure!(found.first().is_some_and(|first| first.text.contains("Wegfahrsperre")), "{found:?}");
        ensure!(person.text("how-found")?.contains("their meaning"), "{}", person.text("how-found")?);
        Ok(())
    })
}

/// The same passages in the same order with the same scores as the command line finds.
#[test]
fn natively_and_in_the_browser() -> Result<()> {
    let Some(dir) = paths::model("minilm")? else { return Ok(()) };
    let files = [manual(), TestFile::new("note.md", "# Yard\n\nBring vehicles that broke down to hall 4.\n")];
    let folder = tempfile::tempdir()?;
    write_files(folder.path(), &files)?;
    let Some(native) = Native::of(&dir, folder.path(), &files)? else { return Ok(()) };
    story_with_models("meaning-agreement", &dir, |person| {
        person.open()?;
        // In another order, by the browser's own kernels.
        add(person, &files[1..])?;
        get_model(person, "minilm")?;
        add(person, &files[..1])?;
        person.await_text("vectors-line", MAKING, |line| line.contains("all") && !line.contains("all 1 "))?;
        for question in [PARAPHRASE, "tyre pressure", "noise when accelerating", "hall 4", "it is boiling over"] {
            let there: Vec<(String, String)> = person
                .ask(question)?
                .into_iter()
                .take(10)
                .map(|seen| (seen.chunk, format!("{:.4}", seen.score)))
                .collect();
            let here = native.find(question)?;
            ensure!(!here.is_empty() && here == there, "{question:?}: native {here:?}, browser {there:?}");
        }
        Ok(())
    })
}

/// A library of the command line's own.
struct Native {
    models: std::path::PathBuf,
    library: tempfile::TempDir,
}

impl Native {
    /// A library of these files with vectors; `None`, loudly, where the program was built without them.
    fn of(models: &Path, folder: &Path, files: &[TestFile]) -> Result<Option<Self>> {
        let native = Self { models: models.to_owned(), library: tempfile::tempdir()? };
        let paths = files.iter().map(|file| folder.join(&file.name));
        native.run(Command::new(paths::sidecar_binary()?).arg("ingest").args(paths))?;
        let found = native.run(Command::new(paths::sidecar_binary()?).args(["find", PARAPHRASE]))?;
        let first = &found["passages"][0]["explanation"]["cosine"];
        if first.is_number() {
            return Ok(Some(native));
        }
        eprintln!("SKIPPED: the sidecar was built without the cargo feature `embed`");
        Ok(None)
    }

    fn find(&self, question: &str) -> Result<Vec<(String, String)>> {
        let found = self.run(Command::new(paths::sidecar_binary()?).args(["find", "--limit", "10", question]))?;
        let passages = found["passages"].as_array().context("no passages")?;
        passages
            .iter()
            .map(|passage| {
                let chunk = &passage["chunk"];
                let document = chunk["document"].as_str().context("no document")?;
                let score = passage["score"].as_f64().context("no score")?;
                Ok((format!("{document}:{}", chunk["ordinal"]), format!("{score:.4}")))
            })
            .collect()
    }

    fn run(&self, command: &mut Command) -> Result<serde_json::Value> {
        let output = command
            .args(["--json", "--library"])
            .arg(self.library.path())
            .env("MILLWRIGHT_MODELS", &self.models)
            .output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // A document a line where there are several; the last is the result.
        let printed = String::from_utf8(output.stdout)?;
        Ok(serde_json::from_str(printed.trim())
            .or_else(|_| serde_json::from_str(printed.trim().lines().last().unwrap_or_default()))?)
    }
}
