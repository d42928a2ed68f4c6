//! The answer above the passages: quoted with its sources, computed with its rows, or said not to be there; without a model,
//! and without a network.

use anyhow::{Context as _, Result, ensure};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::{Person, story},
    webdriver::PATIENCE,
};

const MANUAL: &str = "# Gear pump GP-20\n\n## Changing the shaft seal\n\nWARNING: Close both valves and let the pressure out \
before the cover is taken off.\n\n1. Drain the oil into a clean pan.\n2. Loosen the four screws of the cover.\n3. Press the new seal in until it sits flush.\n\n## Oil\n\n\
The pump holds 2.4 litres of ISO VG 46 oil. The oil is changed after 4000 hours of work.\n";

fn files() -> Vec<TestFile> {
    let parts = "Part,Name,Stock\nSKU-48290,Shaft seal,4\nSKU-48291,Cover gasket,7\nSKU-48292,Ball bearing,12\n";
    vec![TestFile::new("pump.md", MANUAL), TestFile::new("parts.csv", parts)]
}

/// What the answer's card says once it answers this question: its kind and its text.
fn answered(person: &mut Person, question: &str) -> Result<(String, String)> {
    person.ask(question)?;
    let script = "
        const card = document.querySelector('[data-testid=answer]');
        return card && card.dataset.query === arguments[0] ? [card.dataset.kind, card.textContent] : null";
    let browser = person.browser()?;
    let seen = browser.until(&format!("an answer to {question}"), PATIENCE, || {
        let seen = browser.run(script, &[question.into()])?;
        Ok((!seen.is_null()).then_some(seen))
    })?;
    serde_json::from_value(seen).context("the card has a kind and a text")
}

#[test]
fn questions_are_answered_with_their_sources() -> Result<()> {
    story("answers", |person| {
        let folder = tempfile::tempdir()?;
        person.open()?;
        person.add_files(&write_files(folder.path(), &files())?, PATIENCE)?;

        let (kind, said) = answered(person, "After how many hours is the oil changed?")?;
        ensure!(kind == "extractive" && said.contains("4000 hours"), "{kind}: {said}");
        person.picture("answers-quoted")?;
        person.click("citation")?;
        let pointed = person.pointed_at()?;
        ensure!(pointed.contains("4000 hours"), "the source opens where it says so: {pointed}");

        let (kind, said) = answered(person, "How do I change the shaft seal?")?;
        let (warning, step) = (said.find("Close both valves"), said.find("Loosen the four screws"));
        ensure!(kind == "extractive" && warning.is_some() && warning < step, "the warning comes first: {said}");
        person.picture("answers-steps")?;

        let (kind, said) = answered(person, "What is the total stock?")?;
        ensure!(kind == "exact" && said.contains("23") && said.contains("3 of 3 rows"), "{kind}: {said}");
        person.picture("answers-computed")?;

        let (kind, said) = answered(person, "Who is the president of France?")?;
        ensure!(kind == "not_found" && said.contains("do not say it"), "{kind}: {said}");

        person.await_offline_ready()?;
        person.pull_the_network()?;
        let (kind, said) = answered(person, "stock of SKU-48291")?;
        ensure!(kind == "exact" && said.contains('7'), "{kind}: {said}");
        for (width, height) in [(390, 844), (1280, 800)] {
            person.browser()?.resize(width, height)?;
            let fits = person.browser()?.run("return document.documentElement.scrollWidth <= innerWidth", &[])?;
            ensure!(fits == serde_json::json!(true), "{width} px");
            person.picture(&format!("answers-{width}"))?;
        }
        Ok(())
    })
}
