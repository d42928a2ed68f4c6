//! An axe run over the main pages, light and dark: nothing serious, nothing critical.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    paths,
    person::{Person, story},
    webdriver::PATIENCE,
};
use serde_json::Value;
use std::{fmt::Write as _, fs};

#[test]
fn axe_finds_nothing_serious() -> Result<()> {
    let Some(modules) = paths::node_modules()? else { return Ok(()) };
    let axe = fs::read_to_string(modules.join("axe-core/axe.min.js")).context("axe-core is not installed")?;
    story("accessibility", |person| {
        let mut found = String::new();
        person.open()?;
        // A checker that finds nothing in a button without a name would find nothing anywhere.
        person.browser()?.run("document.body.append(document.createElement('button'))", &[])?;
        look(person, &axe, "probe", &LOOKS[..1], &mut found)?;
        ensure!(found.contains("critical"), "axe does not look");
        found.clear();
        person.reload()?;
        look(person, &axe, "empty", &LOOKS, &mut found)?;
        person.click("sample-button")?;
        person.await_added(PATIENCE)?;
        look(person, &axe, "library", &LOOKS, &mut found)?;
        person.ask("mechanical seal")?;
        look(person, &axe, "results", &LOOKS, &mut found)?;
        person.open_passage(0)?;
        look(person, &axe, "viewer", &LOOKS, &mut found)?;
        ensure!(found.is_empty(), "axe found:\n{found}");
        Ok(())
    })
}

/// Widths, and whether the dark scheme is on: colours change with the scheme, what is on show with the width.
const LOOKS: [(u32, bool); 3] = [(1280, false), (1280, true), (390, false)];

/// Runs axe and writes down what is serious.
fn look(person: &mut Person, axe: &str, page: &str, looks: &[(u32, bool)], found: &mut String) -> Result<()> {
    let browser = person.browser()?;
    // Idempotent: axe replaces itself. Passed through DevTools, which the page's own policy does not bind.
    browser.run(&format!("{axe}; window.axe = axe;"), &[])?;
    for &(width, dark) in looks {
        browser.resize(width, 800)?;
        browser.dark(dark)?;
        // Colours that fade in are not judged half-way.
        browser.run("document.getAnimations().forEach(a => { try { a.finish() } catch {} })", &[])?;
        let report = browser.run("return axe.run(document, { resultTypes: ['violations'] })", &[])?;
        let violations = report["violations"].as_array().context("axe gave no report")?;
        ensure!(report["testEngine"]["name"] == "axe-core", "axe ran: {report}");
        for violation in violations {
            let impact = violation["impact"].as_str().unwrap_or_default();
            let scheme = if dark { "dark" } else { "light" };
            let line =
                format!("{page}, {width} px, {scheme}: {impact}: {}\n{}", text(&violation["help"]), nodes(violation));
            if ["serious", "critical"].contains(&impact) {
                found.push_str(&line);
            } else {
                eprintln!("axe, not counted: {line}");
            }
        }
    }
    browser.dark(false)?;
    browser.resize(1280, 800)
}

fn nodes(violation: &Value) -> String {
    let mut lines = String::new();
    for node in violation["nodes"].as_array().map(Vec::as_slice).unwrap_or_default().iter().take(3) {
        let _ = writeln!(lines, "    {} {}", node["target"], text(&node["failureSummary"]).replace('\n', " "));
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
