//! How well files are read, measured on public data with known truth and on pages of our own.
//!
//! One file a bench; each compares what the core read with a truth and knows nothing of how it was read. Not for
//! ranking (that is `core::eval`) and not for speed beside other programs (that is `tests/peers`).

mod commonmark;
mod csv;
mod headings;
mod hostile;
mod invoices;
mod printed;
mod scans;
mod speed;
mod tables;
mod trees;

use serde::Serialize;
use std::path::Path;

/// Every bench, in the order in which they are printed; one a line, so that several can be added side by side.
#[rustfmt::skip]
pub const BENCHES: &[Bench] = &[
    headings::HEADINGS,
    tables::TABLES,
    trees::DOCLING,
    commonmark::COMMONMARK,
    printed::PRINTED,
    scans::SCANS,
    csv::SPECTRUM,
    invoices::ZUGFERD,
    hostile::POI,
    hostile::PDFJS,
    hostile::QPDF,
    speed::SPEED,
];

/// A set of files whose truth is known.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The name of its folder in the public data, or of what is measured.
    pub name: &'static str,
    /// Runs it.
    pub run: Run,
}

/// Runs a bench on the folder with the public data; the second argument is given a line for every file, as it is done.
pub type Run = fn(&Path, &mut dyn FnMut(&str)) -> Outcome;

/// How a bench ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// What was measured.
    Measured(Vec<Measure>),
    /// Why it could not run, as a full sentence: which folder is missing.
    Skipped(String),
}

/// A number and what it should be at least.
#[derive(Clone, Debug, Serialize)]
pub struct Measure {
    /// What was measured, in a few words.
    pub name: &'static str,
    /// The number. Rates and F1 are from 0 to 1.
    pub value: f64,
    /// The goal, where there is one.
    pub at_least: Option<f64>,
    /// Over how many things it was measured, with their name: `156 tables`.
    pub n: String,
}
