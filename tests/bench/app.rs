//! The whole app at the same sizes: a folder of Markdown files goes in through the page, questions are typed, the browser
//! is closed and opened again. What a person waits for, storage and page included.

use crate::corpus::{Chunk, Corpus};
use anyhow::{Context, Result};
use millwright_tests::{
    corpus::{TestFile, write_files},
    person::{Person, story},
};
use std::{
    fmt::Write as _,
    time::{Duration, Instant},
};

/// How many chunks a file holds.
const CHUNKS_PER_FILE: usize = 50;

/// How many questions are typed.
const N_TYPED: usize = 40;

/// How long the largest folder may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(1800);

/// One line about the whole app.
pub(crate) fn measure(corpus: &Corpus, chunks: &[Chunk]) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let files: Vec<TestFile> = chunks.chunks(CHUNKS_PER_FILE).enumerate().map(|(n, chunks)| file(n, chunks)).collect();
    write_files(folder.path(), &files)?;
    let mut line = String::new();
    story(&format!("bench-{}", chunks.len()), |person| {
        person.open()?;
        let began = Instant::now();
        person.add_folder(folder.path().join("packages"), PATIENCE)?;
        let ingest = began.elapsed();
        let mut engine_millis = Vec::new();
        for question in corpus.questions.iter().take(N_TYPED) {
            person.ask(question)?;
            engine_millis.push(took_millis(person)?);
        }
        engine_millis.sort_by(f64::total_cmp);
        let stored = "return navigator.storage.estimate().then(e => e.usageDetails?.indexedDB ?? e.usage)";
        let stored = person.browser()?.run(stored, &[])?.as_f64().context("no usage")?;
        person.restart_browser()?;
        let first_millis = first_answer_millis(person, &corpus.questions[3])?;
        line = format!(
            "The whole app: {} files of {CHUNKS_PER_FILE} chunks each read, cut, indexed and stored in {:.1} s \
             ({:.1} MB in the browser's store, originals included); an answer with its passages takes the engine \
             {:.2} ms (p50 of {N_TYPED}); from opening the page in a fresh browser to the first answer on show {:.0} ms.",
            files.len(),
            ingest.as_secs_f64(),
            stored / 1e6,
            engine_millis[engine_millis.len() / 2],
            first_millis
        );
        Ok(())
    })?;
    Ok(line)
}

/// The texts of such files.
#[cfg(feature = "dense")]
pub(crate) fn files(chunks: &[Chunk]) -> Vec<String> {
    let files = chunks.chunks(CHUNKS_PER_FILE).enumerate().map(|(n, chunks)| text(n, chunks));
    files.collect()
}

fn file(n: usize, chunks: &[Chunk]) -> TestFile {
    TestFile::new(format!("packages/{n:04}.md"), text(n, chunks))
}

fn text(n: usize, chunks: &[Chunk]) -> String {
    let mut text = format!("# Packages {n}\n\n");
    for chunk in chunks {
        let _ = write!(text, "## {}\n\n{}\n\n", chunk.title, chunk.text);
    }
    text
}

/// How long the engine took for the answer on show, as the page says: "… searched in 0.8 ms".
fn took_millis(person: &mut Person) -> Result<f64> {
    let line = person.text("result-line")?;
    let took = line.rsplit(" in ").next().unwrap_or_default();
    let (number, unit) = took.split_once(' ').with_context(|| format!("no time in {line:?}"))?;
    let number: f64 = number.parse().with_context(|| format!("no time in {line:?}"))?;
    Ok(if unit.starts_with("ms") { number } else { number * 1000.0 })
}

/// From the navigation to the first passage on show, by the page's own clock.
fn first_answer_millis(person: &mut Person, question: &str) -> Result<f64> {
    let address = format!("{}/?q={}", person.origin(), percent_encoded(question));
    let browser = person.browser()?;
    browser.goto(&address)?;
    let waited = "return new Promise(done => { const look = () => document.querySelector('[data-testid=passage]')
        ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look); look(); })";
    browser.run(waited, &[])?.as_f64().context("no time")
}

/// A question as a part of an address (RFC 3986): everything but letters and digits is escaped.
fn percent_encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}
