//! The engine worker's promises, in a real Chromium without the page: a file that crashes or stalls its reader harms no
//! other, cancelling is quick, questions are answered meanwhile, one tab writes and another takes over, and a reader that
//! is missing or of another build is told apart from a file that is bad.

use anyhow::{Context, Result};
use millwright_tests::{
    paths,
    sidecar::Sidecar,
    webdriver::{Browser, PATIENCE},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

const DRIVER: &str = include_str!("browser_engine/driver.js");

/// What a reader does with a file named `crash…` or `hang…` instead of reading it. It stands where the engine's boot script
/// hands over to Rust.
const FAULTS: (&str, &str) = (
    "for (const event of early",
    r#"if (self.name === "reader") {
         const honest = self.onmessage;
         let name = "";
         self.onmessage = (event) => {
           name = event.data.name ?? name;
           if (event.data.go && name.startsWith("crash")) throw new Error("a trap");
           if (event.data.go && name.startsWith("hang")) for (;;);
           honest(event);
         };
       }
       for (const event of early"#,
);

/// The reader's program.
const READER: &str = "reader_bg.wasm";

/// A copy of what the engine needs of the bundle, with an empty page to drive it from: the app's own would start a second
/// engine.
fn copy_bundle(bundle: &Path, copy: &Path) -> Result<()> {
    for name in ["engine-boot.js", "engine.js", "engine_bg.wasm", "reader.js", READER, "index.html"] {
        fs::copy(bundle.join(name), copy.join(name)).with_context(|| format!("the bundle lacks {name}"))?;
    }
    fs::write(copy.join("empty.html"), "<!doctype html><title>empty</title>")?;
    Ok(())
}

/// Puts the faults into a copy.
fn make_faulty(copy: &Path) -> Result<()> {
    let boot = fs::read_to_string(copy.join("engine-boot.js"))?;
    assert!(boot.contains(FAULTS.0), "the boot script has changed; put the faults elsewhere");
    fs::write(copy.join("engine-boot.js"), boot.replace(FAULTS.0, FAULTS.1))?;
    Ok(())
}

/// Opens the empty page and greets its engine; gives the engine's answer.
fn open(browser: &Browser, sidecar: &Sidecar) -> Result<Value> {
    browser.goto(&format!("{}/empty.html", sidecar.origin()))?;
    browser.run(DRIVER, &[])?;
    browser.run(
        "await engine.up; return (await engine.ask({type: 'hello', protocol: arguments[0]}))[0]",
        &[json!(millwright_core::protocol::PROTOCOL_VERSION)],
    )
}

/// How each file of a finished ingestion ended, by its place: the outcome's name.
fn outcomes(events: &Value) -> Vec<String> {
    let done = events.as_array().into_iter().flatten().filter(|event| event["type"] == "file_done");
    let mut outcomes: Vec<(u64, String)> = done
        .map(|event| {
            let outcome = &event["outcome"];
            let kind = outcome["error_type"].as_str().or(outcome["outcome"].as_str()).unwrap_or("?");
            (event["file"].as_u64().unwrap_or(u64::MAX), kind.to_owned())
        })
        .collect();
    outcomes.sort();
    outcomes.into_iter().map(|(_, kind)| kind).collect()
}

fn names(browser: &Browser) -> Result<Value> {
    browser.run("return (await engine.ask({type: 'documents'}))[0].documents.map((record) => record.name)", &[])
}

#[test]
fn the_engine_outlives_its_readers_and_its_tab() -> Result<()> {
    let Some(bundle) = paths::bundle()? else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let (app, profile) = (folder.path().join("app"), folder.path().join("profile"));
    fs::create_dir_all(&app)?;
    copy_bundle(&bundle, &app)?;
    make_faulty(&app)?;
    let log = paths::out("browser")?.join("engine-sidecar.log");
    let sidecar = Sidecar::start(&paths::sidecar_binary()?, &app, &log)?;
    let mut browser = Browser::start(&profile)?;
    let ready = open(&browser, &sidecar)?;
    assert_eq!((&ready["type"], &ready["writer"]), (&json!("ready"), &json!(true)), "{ready}");

    a_crash_costs_one_file(&browser)?;
    cancelling_is_quick_and_questions_go_before(&browser)?;
    a_stall_costs_one_file(&browser)?;
    another_tab_follows_and_takes_over(&mut browser, &sidecar)?;
    what_was_stored_is_there_in_a_new_tab(&browser, &sidecar)
}

fn a_crash_costs_one_file(browser: &Browser) -> Result<()> {
    let events = browser.run(
        "return await engine.ingest([['a.md', '# Alpha\\n\\nThe pump.'], ['crash.md', 'x'], ['empty.txt', ''], ['b.md', '# Beta\\n\\nThe mill.']]).ended",
        &[],
    )?;
    assert_eq!(outcomes(&events), ["added", "reader_failed", "empty_file", "added"], "{events}");
    assert_eq!(names(browser)?, json!(["a.md", "b.md"]), "nothing of the others is in the library");
    Ok(())
}

fn cancelling_is_quick_and_questions_go_before(browser: &Browser) -> Result<()> {
    let result = browser.run(
        "const ingestion = engine.ingest([['hang.md', 'x'], ['c.md', 'never begun'], ['d.md', 'nor this']]);
         await new Promise((resolve) => setTimeout(resolve, 500));
         const found = (await engine.ask({type: 'find', query: 'pump', limit: 3, explains: false}))[0];
         const endedEarly = ingestion.events.some((event) => event.type === 'done');
         const start = performance.now();
         await engine.ask({type: 'cancel', request: ingestion.id});
         const events = await ingestion.ended;
         return {found, endedEarly, millis: performance.now() - start, events};",
        &[],
    )?;
    assert_eq!(result["endedEarly"], false, "the question was answered while a file was being read");
    assert_eq!(result["found"]["passages"][0]["name"], "a.md", "{result}");
    assert_eq!(outcomes(&result["events"]), ["cancelled"; 3], "{result}");
    // The promise is 200 ms; the margin is for a machine that does ten other things.
    assert!(result["millis"].as_f64().is_some_and(|millis| millis < 2000.0), "{result}");
    assert_eq!(names(browser)?, json!(["a.md", "b.md"]));
    Ok(())
}

fn a_stall_costs_one_file(browser: &Browser) -> Result<()> {
    let events = browser.run("return await engine.ingest([['hang.md', 'x'], ['e.md', '# Epsilon']]).ended", &[])?;
    assert_eq!(outcomes(&events), ["reader_failed", "added"], "{events}");
    Ok(())
}

fn another_tab_follows_and_takes_over(browser: &mut Browser, sidecar: &Sidecar) -> Result<()> {
    let first = browser.tab()?;
    let second = browser.open_tab()?;
    let ready = open(browser, sidecar)?;
    assert_eq!(ready["writer"], false, "{ready}");
    assert_eq!(names(browser)?, json!(["a.md", "b.md", "e.md"]), "a follower sees what is there");
    let refused = browser.run("return await engine.ingest([['f.md', 'x']]).ended", &[])?;
    assert_eq!(refused[0]["error_type"], "read_only", "{refused}");

    browser.switch(&first)?;
    let events = browser.run("return await engine.ingest([['g.md', '# Gamma\\n\\nThe lathe.']]).ended", &[])?;
    assert_eq!(outcomes(&events), ["added"], "{events}");
    browser.switch(&second)?;
    browser.until("the follower hears of g.md", PATIENCE, || {
        let found = browser
            .run("return (await engine.ask({type: 'find', query: 'lathe', limit: 1, explains: false}))[0]", &[])?;
        Ok((found["passages"][0]["name"] == "g.md").then_some(()))
    })?;
    let told = browser.run("return engine.unasked.map((event) => event.type)", &[])?;
    assert!(told.as_array().is_some_and(|types| types.contains(&json!("changed"))), "{told}");

    browser.switch(&first)?;
    browser.close_tab(&second)?;
    browser.until("the second tab writes", PATIENCE, || {
        let told = browser.run("return engine.unasked", &[])?;
        let promoted = json!({ "type": "role", "writer": true });
        Ok(told.as_array().is_some_and(|events| events.contains(&promoted)).then_some(()))
    })?;
    let events = browser.run("return await engine.ingest([['f.md', '# Phi']]).ended", &[])?;
    assert_eq!(outcomes(&events), ["added"], "{events}");
    Ok(())
}

fn what_was_stored_is_there_in_a_new_tab(browser: &Browser, sidecar: &Sidecar) -> Result<()> {
    open(browser, sidecar)?;
    assert_eq!(names(browser)?, json!(["a.md", "b.md", "e.md", "f.md", "g.md"]));
    Ok(())
}

/// The sidecar looks for new files when the page itself is asked for.
const LOOK_FOR_FILES: &str = "return (await fetch('/')).status";

/// One file's outcome with its words.
fn ingest_one(browser: &Browser, name: &str) -> Result<(String, String)> {
    let events = browser.run("return await engine.ingest([[arguments[0], '# Alpha']]).ended", &[json!(name)])?;
    let kind = outcomes(&events).pop().context("no outcome")?;
    let done = events.as_array().into_iter().flatten().find(|event| event["type"] == "file_done");
    let words = done.and_then(|event| event["outcome"]["error"].as_str()).unwrap_or_default();
    Ok((kind, words.to_owned()))
}

#[test]
fn a_reader_that_is_missing_or_of_another_build_is_said_and_can_be_put_right() -> Result<()> {
    let Some(bundle) = paths::bundle()? else { return Ok(()) };
    let folder = tempfile::tempdir()?;
    let app = folder.path().join("app");
    fs::create_dir_all(&app)?;
    copy_bundle(&bundle, &app)?;
    fs::remove_file(app.join(READER))?;
    let log = paths::out("browser")?.join("engine-reader-sidecar.log");
    let sidecar = Sidecar::start(&paths::sidecar_binary()?, &app, &log)?;
    let browser = Browser::start(&folder.path().join("profile"))?;
    open(&browser, &sidecar)?;
    let (kind, words) = ingest_one(&browser, "a.md")?;
    assert_eq!(kind, "reader_failed");
    assert!(words.contains("a.md") && words.contains("network"), "{words}");
    assert_eq!(names(&browser)?, json!([]));

    // It can be had again: the same engine reads.
    fs::copy(bundle.join(READER), app.join(READER))?;
    browser.run(LOOK_FOR_FILES, &[])?;
    assert_eq!(ingest_one(&browser, "a.md")?.0, "added");

    // One that says it is of another build, as after an update of the server.
    let boot = fs::read_to_string(app.join("engine-boot.js"))?;
    let other = "\nif (self.name === 'reader') self.postMessage({ up: 'another build' });\nelse try {";
    assert!(boot.contains("\ntry {"), "the boot script has changed; put the other build elsewhere");
    fs::write(app.join("engine-boot.js"), boot.replacen("\ntry {", other, 1))?;
    browser.run(LOOK_FOR_FILES, &[])?;
    open(&browser, &sidecar)?;
    let (kind, words) = ingest_one(&browser, "b.md")?;
    assert_eq!((kind.as_str(), words.contains("Reload the page")), ("version_mismatch", true), "{words}");
    assert_eq!(names(&browser)?, json!(["a.md"]));
    Ok(())
}
