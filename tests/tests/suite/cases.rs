//! The data-driven cases of `tests/suite`.

use anyhow::{Context, Result, ensure};
use millwright_core::{
    chunk::{Chunk, chunk},
    document::outline,
    host::NoProgress,
    parse::parse,
};
use millwright_tests::{library::NativeLibrary, suite};
use std::fmt::Write as _;

/// A file and its tree, with what the parser had to say.
#[test]
fn parse_cases() -> Result<()> {
    suite::run("parse", |case| {
        let input = case.input()?;
        let shown = match parse(&input.name, &input.bytes, &mut NoProgress) {
            Ok(parsed) => {
                let mut shown = format!("{}\n{}", parsed.format.label(), outline(&parsed.document));
                for warning in &parsed.warnings {
                    let page = warning.page.map(|page| format!(" p.{page}")).unwrap_or_default();
                    let _ = writeln!(shown, "! {:?}{page}: {}", warning.kind, warning.message);
                }
                shown
            }
            Err(error) => format!("{error}\n"),
        };
        Ok(Some(shown))
    })
}

/// A file and its chunks.
#[test]
fn chunk_cases() -> Result<()> {
    suite::run("chunk", |case| {
        let input = case.input()?;
        let parsed = parse(&input.name, &input.bytes, &mut NoProgress)?;
        Ok(Some(chunk(&parsed.document).iter().map(shown).collect::<Vec<_>>().join("\n")))
    })
}

fn shown(chunk: &Chunk) -> String {
    let mut shown = format!("{} {:?} {}..{}", chunk.id.ordinal, chunk.kind, chunk.node.0, chunk.end_node.0);
    if let Some(page) = chunk.page {
        let _ = write!(shown, " p.{page}");
    }
    if let Some(span) = chunk.span {
        let _ = write!(shown, " @{}..{}", span.start, span.end);
    }
    let _ = writeln!(shown, " {} words: {}", chunk.n_words, chunk.heading_path.join(" > "));
    for line in chunk.text.lines() {
        let _ = writeln!(shown, "    {line}");
    }
    shown
}

/// Documents, and questions with where the answer stands: `question TAB at most this rank TAB file TAB text`, or
/// `question TAB 0` for one that must find nothing.
#[test]
fn find_cases() -> Result<()> {
    suite::run("find", |case| {
        let library = NativeLibrary::of(&case.documents()?)?;
        let mut missed = String::new();
        for line in case.text("queries.tsv")?.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut cells = line.split('\t');
            let (question, rank) = (cells.next().unwrap_or_default(), cells.next().context("no rank")?);
            let rank: u32 = rank.parse().with_context(|| line.to_owned())?;
            let passages = library.find(question, rank.max(1))?;
            let found = if rank == 0 {
                passages.is_empty()
            } else {
                let (file, text) = (cells.next().context("no file")?, cells.next().context("no text")?);
                passages.iter().any(|passage| passage.name == file && passage.text.contains(text))
            };
            if !found {
                let _ = writeln!(missed, "  {line}");
                for passage in &passages {
                    let _ = writeln!(missed, "    {:.3} {}: {:?}", passage.score, passage.name, passage.text);
                }
            }
        }
        ensure!(missed.is_empty(), "not answered:\n{missed}");
        Ok(None)
    })
}
