//! A long manual is found page by page while it is still being read.

use anyhow::{Context, Result, ensure};
use millwright_tests::{
    corpus::{Numbers, TestFile, pdf, write_files},
    person::story,
};
use std::time::{Duration, Instant};

/// A manual of so many full pages; page 3 alone names the kestrelflange, the last page alone the lastwordflange.
pub(crate) fn long_manual(n_pages: usize) -> Vec<u8> {
    let words =
        ["pump", "valve", "the", "seal", "of", "a", "pressure", "is", "checked", "shaft", "and", "oil", "cover"];
    let mut numbers = Numbers::new(5);
    let mut line = || (0..12).map(|_| words[numbers.below(words.len())]).collect::<Vec<_>>().join(" ");
    let pages: Vec<String> = (1..=n_pages)
        .map(|page| {
            let mut text = format!("Section {page}\n\n");
            (0..40).for_each(|_| text += &(line() + "\n"));
            match page {
                3 => text + "The kestrelflange is tightened to 40 Nm.\n",
                last if last == n_pages => text + "The lastwordflange is tightened to 50 Nm.\n",
                _ => text,
            }
        })
        .collect();
    pdf(&pages.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn the_first_pages_are_found_while_the_rest_is_read() -> Result<()> {
    story("reading", |person| {
        let folder = tempfile::tempdir()?;
        let paths = write_files(folder.path(), &[TestFile::new("manual.pdf", long_manual(800))])?;
        person.open()?;
        let begun = Instant::now();
        person.pick("file-input", &paths)?;
        person.await_line("manual.pdf", |line| line.text.contains("of 800"))?;
        let early = loop {
            if let Some(first) = person.ask("kestrelflange")?.into_iter().next() {
                break first;
            }
            ensure!(begun.elapsed() < Duration::from_secs(120), "never found");
        };
        ensure!(
            early.text.contains("Still being read: pages 1–"),
            "found too late to show that it is early: {early:?}"
        );
        eprintln!("page 3 of 800 was found after {:.1} s", begun.elapsed().as_secs_f32());
        person.picture("reading")?;
        let place = person.open_passage(0)?;
        ensure!(place.contains("40 Nm"), "and can be opened: {place:?}");
        ensure!(person.text("reading-part")?.contains("of 800"));
        ensure!(person.documents()?.is_empty(), "nothing is in the library yet");

        person.await_added(Duration::from_secs(300))?;
        eprintln!("all 800 pages were read after {:.1} s", begun.elapsed().as_secs_f32());
        person.await_gone("reading-part")?;
        let last = person.ask("lastwordflange")?.into_iter().next().context("the last page is not found")?;
        ensure!(last.text.contains("Page 800"), "{last:?}");
        let whole = person.ask("kestrelflange")?;
        ensure!(
            whole.len() == 1 && !whole[0].text.contains("Still being read"),
            "nothing is left of the draft: {whole:?}"
        );
        Ok(())
    })
}
