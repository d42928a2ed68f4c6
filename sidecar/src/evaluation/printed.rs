//! Pages of our own, printed to PDF by Chromium and LibreOffice, whose structure is known to the last word.
//!
//! `tests/printed` says how they were made and what their truth holds. Every measure is an F1 over all documents
//! together. Not for public files: those have benches of their own.

mod headings;
mod places;
mod reading;
mod tables;
mod truth;
mod warnings;
mod words;

use super::{Bench, Measure, Outcome};
use millwright_core::{
    document::Document,
    host::NoProgress,
    parse::{self, ParseOptions, Word},
};
use std::{fs, path::Path};
use truth::Truth;

/// Printed pages of our own.
pub(super) const PRINTED: Bench = Bench { name: "printed", run };

/// What issue 3 asks of every measure.
const GOAL: f64 = 0.98;

/// How many were right, of how many that were read and how many that are true.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: usize,
    read: usize,
    known: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.read += other.read;
        self.known += other.known;
    }

    /// The harmonic mean of precision and recall.
    fn f1(self) -> f64 {
        2.0 * self.right as f64 / (self.read + self.known).max(1) as f64
    }
}

/// What one document gave, or all together.
#[derive(Debug, Default)]
struct Score {
    words: Tally,
    boxes: Tally,
    headings: Tally,
    table_cells: Tally,
    tables: Tally,
    warnings: Tally,
    tied: Tally,
    furniture: Tally,
    places: Tally,
}

/// Collects what was wrong with a document, for a person to look at.
type Faults = Vec<String>;

/// A document as it was read.
struct Reading<'a> {
    document: &'a Document,
    words: &'a [Vec<Word>],
}

/// Runs the bench. The public data is not needed: the set is part of the project.
fn run(_data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/printed/set");
    let truths = match truth::load(&folder) {
        Ok(truths) if !truths.is_empty() => truths,
        Ok(_) => return Outcome::Skipped("tests/printed/set holds no documents.".to_owned()),
        Err(why) => return Outcome::Skipped(why),
    };
    let mut total = Score::default();
    let mut n_pages = 0;
    for (name, truth) in &truths {
        n_pages += truth.pages.len();
        let mut faults = Faults::new();
        let score = match fs::read(folder.join(format!("{name}.pdf"))) {
            Ok(bytes) => score(name, &bytes, truth, &mut faults),
            Err(error) => return Outcome::Skipped(format!("{name}.pdf cannot be read: {error}.")),
        };
        say(&line(name, &score));
        faults.iter().for_each(|fault| say(&format!("    {fault}")));
        total.take(score);
    }
    Outcome::Measured(total.measures(truths.len(), n_pages))
}

fn score(name: &str, bytes: &[u8], truth: &Truth, faults: &mut Faults) -> Score {
    let parsed = match parse::parse(&format!("{name}.pdf"), bytes, &mut NoProgress) {
        Ok(parsed) => parsed,
        Err(error) => {
            faults.push(format!("not read: {error}"));
            return unread(truth);
        }
    };
    let words = parse::page_words(bytes, &ParseOptions::default()).unwrap_or_default();
    let reading = Reading { document: &parsed.document, words: &words };
    let (table_cells, tables) = tables::score(&reading, truth, faults);
    let (warnings, tied) = warnings::score(&reading, truth, faults);
    Score {
        words: words::in_order(&reading, truth, faults),
        boxes: places::words(&reading, truth, faults),
        headings: headings::score(&reading, truth, faults),
        table_cells,
        tables,
        warnings,
        tied,
        furniture: words::furniture(&reading, truth, faults),
        places: places::nodes(&reading, truth, faults),
    }
}

/// Nothing right, everything missing: a file that is not read must not vanish from the sums.
fn unread(truth: &Truth) -> Score {
    let known = |known| Tally { known, ..Tally::default() };
    Score {
        words: known(truth.main.split_whitespace().count()),
        boxes: known(truth.pages.iter().map(|page| page.words.len()).sum()),
        headings: known(truth.headings.len()),
        tables: known(truth.tables.len()),
        warnings: known(truth.warnings.len()),
        tied: known(truth.warnings.len()),
        ..Score::default()
    }
}

impl Score {
    fn tallies(&self) -> [(&'static str, Tally, &'static str, Option<f64>); 9] {
        [
            ("words of the tree, in order", self.words, "words", Some(GOAL)),
            ("boxes of words", self.boxes, "words", Some(GOAL)),
            ("headings: text, level, page", self.headings, "headings", Some(GOAL)),
            ("tables: neighbouring cells", self.table_cells, "pairs of cells", Some(GOAL)),
            ("tables: every cell in its place", self.tables, "tables", Some(GOAL)),
            ("warnings: grade and text", self.warnings, "warnings", Some(GOAL)),
            ("warnings: tied to section and step", self.tied, "warnings", Some(GOAL)),
            ("running heads and page numbers", self.furniture, "words", None),
            ("nodes whose boxes hold their words", self.places, "nodes", Some(GOAL)),
        ]
    }

    fn take(&mut self, other: Self) {
        self.words.add(other.words);
        self.boxes.add(other.boxes);
        self.headings.add(other.headings);
        self.table_cells.add(other.table_cells);
        self.tables.add(other.tables);
        self.warnings.add(other.warnings);
        self.tied.add(other.tied);
        self.furniture.add(other.furniture);
        self.places.add(other.places);
    }

    fn measures(&self, n_documents: usize, n_pages: usize) -> Vec<Measure> {
        let measure = |(name, tally, of, at_least): (&'static str, Tally, &str, Option<f64>)| {
            let n = format!("{} {of} on {n_pages} pages of {n_documents} documents", tally.known);
            Measure { name, value: tally.f1(), at_least, n }
        };
        self.tallies().into_iter().map(measure).collect()
    }
}

fn line(name: &str, score: &Score) -> String {
    let shares = score.tallies().map(|(_, tally, _, _)| match tally.read + tally.known {
        0 => "     –".to_owned(),
        _ => format!("{:6.3}", tally.f1()),
    });
    let [words, boxes, headings, cells, tables, warnings, tied, furniture, places] = shares;
    format!(
        "{name:28} words {words} boxes {boxes} headings {headings} cells {cells} tables {tables} warnings {warnings} tied \
         {tied} furniture {furniture} places {places}"
    )
}
