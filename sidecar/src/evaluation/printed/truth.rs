//! The truth of a printed document, as `tests/printed/README.md` describes it.

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::{collections::BTreeMap, fs, fs::File, path::Path};

/// A document.
#[derive(Debug, Deserialize)]
pub(super) struct Truth {
    pub(super) title: String,
    pub(super) pages: Vec<Page>,
    /// The running text in reading order.
    pub(super) main: String,
    pub(super) free: Vec<Aside>,
    /// Lines that may be taken for headings or not.
    pub(super) loose: Vec<String>,
    /// Head and foot of every page.
    pub(super) furniture: Vec<String>,
    pub(super) headings: Vec<Heading>,
    pub(super) tables: Vec<Table>,
    pub(super) warnings: Vec<Warning>,
}

/// A page's printed words.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) words: Vec<PrintedWord>,
}

/// Text, left, top, right, bottom in points.
#[derive(Debug, Deserialize)]
pub(super) struct PrintedWord(pub(super) String, pub(super) f32, pub(super) f32, pub(super) f32, pub(super) f32);

/// A text that stands beside the running one.
#[derive(Debug, Deserialize)]
pub(super) struct Aside {
    pub(super) text: String,
}

/// A heading.
#[derive(Debug, Deserialize)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) text: String,
    pub(super) page: u32,
}

/// A table.
#[derive(Debug, Deserialize)]
pub(super) struct Table {
    pub(super) page: u32,
    /// How it is drawn; only `grid` shows the edges of every cell.
    pub(super) style: String,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Deserialize)]
pub(super) struct Cell {
    #[serde(rename = "t")]
    pub(super) text: String,
    #[serde(rename = "cs", default = "one")]
    pub(super) colspan: usize,
    #[serde(rename = "rs", default = "one")]
    pub(super) rowspan: usize,
}

/// A warning or note.
#[derive(Debug, Deserialize)]
pub(super) struct Warning {
    pub(super) grade: String,
    pub(super) word: String,
    pub(super) text: String,
    pub(super) section: String,
    pub(super) step: String,
    pub(super) page: u32,
}

fn one() -> usize {
    1
}

/// Every truth of a folder by its document's name; a sentence where one cannot be read.
pub(super) fn load(folder: &Path) -> Result<BTreeMap<String, Truth>, String> {
    let mut truths = BTreeMap::new();
    let entries = fs::read_dir(folder).map_err(|_| "tests/printed/set is not there.".to_owned())?;
    for entry in entries.flatten() {
        let file_name = entry.file_name().to_string_lossy().into_owned();
        let Some(name) = file_name.strip_suffix(".json.gz") else { continue };
        let file = File::open(entry.path()).map_err(|error| format!("{file_name} cannot be opened: {error}."))?;
        let truth = serde_json::from_reader(GzDecoder::new(file))
            .map_err(|error| format!("{file_name} does not hold a truth: {error}."))?;
        truths.insert(name.to_owned(), truth);
    }
    Ok(truths)
}
