//! How well files are read must not become worse: a floor under every measure of `millwright evaluate parsing`.
//!
//! A floor is the value reached, rounded down a little, or the goal once that is reached; whoever makes reading better
//! raises it. Public data is read where it is, and a bench whose data is missing is skipped with a loud line. Not for
//! speed, which a test cannot judge: that bench refuses in a debug build.

use anyhow::{Context, Result, ensure};
use millwright_sidecar::evaluation::{BENCHES, Outcome};
use millwright_tests::paths;
use std::{fmt::Write as _, path::PathBuf};

/// A bench's measures and what each of them must not fall below.
type Floors = &'static [(&'static str, f64)];

/// Benches whose floor stands elsewhere: `robustness` reads the hostile files as a worker does, on a worker's stack and up
/// to the index; speed is nothing for a test.
const ELSEWHERE: [&str; 4] = ["pdfjs", "poi_hostile", "qpdf", "speed"];

/// All others.
const FLOORS: &[(&str, Floors)] = &[
    ("commonmark", &[("examples read exactly", 1.0)]),
    ("csv_spectrum", &[("files read exactly", 1.0)]),
    ("docling", DOCLING),
    ("manual_linuxcnc", HEADINGS),
    ("printed", PRINTED),
    ("scans", &[("character accuracy", 0.98)]),
    ("tabula_java", TABULA_JAVA),
    ("zugferd_corpus", ZUGFERD),
];

const DOCLING: Floors = &[
    ("all: the same", 0.97),
    ("DOCX: blocks in kind, text and order, F1", 0.96),
    ("HTML: the same", 0.98),
    ("Markdown: the same", 0.98),
    ("CSV: the same", 1.0),
    ("XLSX: the same", 0.96),
];

const HEADINGS: Floors = &[
    ("headings by form: precision", 0.95),
    ("headings by form: recall", 0.95),
    ("headings by form: levels", 0.95),
    ("headings as read: precision", 0.95),
    ("headings as read: recall", 0.95),
];

const PRINTED: Floors = &[
    ("words of the tree, in order", 0.98),
    ("boxes of words", 0.98),
    ("headings: text, level, page", 0.98),
    ("tables: neighbouring cells", 0.98),
    ("tables: every cell in its place", 0.98),
    ("warnings: grade and text", 0.98),
    ("warnings: tied to section and step", 0.98),
    ("running heads and page numbers", 0.98),
    ("nodes whose boxes hold their words", 0.98),
];

const TABULA_JAVA: Floors = &[("tables found", 0.98), ("cell adjacency F1", 0.98), ("exact rows and columns", 0.98)];

const ZUGFERD: Floors =
    &[("embedded invoices read", 1.0), ("invoices alone read", 1.0), ("texts of elements kept", 1.0)];

#[test]
fn markdown_exactly() -> Result<()> {
    holds("commonmark")
}

#[test]
fn headings_of_long_manuals() -> Result<()> {
    holds("manual_linuxcnc")
}

#[test]
fn electronic_invoices_and_all_that_they_say() -> Result<()> {
    holds("zugferd_corpus")
}

#[test]
fn delimited_text_exactly() -> Result<()> {
    holds("csv_spectrum")
}

#[test]
fn office_web_and_text_files_as_another_converter_reads_them() -> Result<()> {
    holds("docling")
}

#[test]
fn printed_pages_of_our_own() -> Result<()> {
    holds("printed")
}

/// Only where the reading of scans is built in and its model is there.
#[test]
fn pictures_of_our_own_pages() -> Result<()> {
    holds("scans")
}

#[test]
fn tables_of_the_icdar_competition() -> Result<()> {
    holds("tabula_java")
}

/// A bench without a floor could fall unnoticed.
#[test]
fn every_bench_has_its_floor() {
    let without = BENCHES.iter().filter(|bench| FLOORS.iter().all(|(name, _)| *name != bench.name));
    let mut names: Vec<&str> = without.map(|bench| bench.name).collect();
    names.sort_unstable();
    assert_eq!(names, ELSEWHERE, "every other bench needs a floor in {}", file!());
}

/// Runs a bench and holds each of its measures against its floor.
fn holds(name: &str) -> Result<()> {
    let bench = BENCHES.iter().find(|bench| bench.name == name).with_context(|| format!("no bench named {name}"))?;
    let (_, floors) =
        FLOORS.iter().find(|(bench, _)| *bench == name).with_context(|| format!("{name} has no floors"))?;
    // A bench over the project's own files runs without the public data too.
    let data = paths::public_data("").unwrap_or_else(|| PathBuf::from("no-public-data"));
    let measures = match (bench.run)(&data, &mut |_| ()) {
        Outcome::Measured(measures) => measures,
        Outcome::Skipped(why) => {
            ensure!(name != "printed", "the printed pages are part of the project: {why}");
            eprintln!("SKIPPED: {name}: {why}");
            return Ok(());
        }
    };
    let mut broken = String::new();
    for (measure, floor) in *floors {
        let value = measures.iter().find(|found| found.name == *measure).map(|found| found.value);
        eprintln!("{name}: {measure}: {value:?}, at least {floor}");
        if value.is_none_or(|value| value < *floor) {
            let _ = writeln!(broken, "  {measure}: {value:?}, but at least {floor} was reached before");
        }
    }
    ensure!(broken.is_empty(), "{name}:\n{broken}");
    Ok(())
}
