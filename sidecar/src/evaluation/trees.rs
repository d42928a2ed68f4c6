//! The trees of structured formats (DOCX, HTML, Markdown, CSV, XLSX) against what the docling project accepts for its
//! own test files.
//!
//! Both trees become a row of blocks in reading order ([`accepted`], [`ours`]); two blocks are the same if they are of
//! one class and say the same. What is measured is the F1 of the longest common subsequence, over all blocks of all
//! files. Every disagreement counts against us, even where docling's guess contradicts the source: they are listed with
//! `--files`.
//!
//! | docling | ours | class, and what must agree |
//! | --- | --- | --- |
//! | title, section_header | section, title of the document | heading, text; its number with or without a full stop |
//! | text, reference, inline group | paragraph, quote, note, warning, footnote, key and value, form field | text |
//! | list_item | list item | item, text with or without our marker, which docling does not keep |
//! | table | table | table, number of rows and columns |
//! | row of a table's cells | row | row, columns and texts of the cells that are not empty |
//! | caption | caption, text of a table | caption, text |
//! | picture | figure | picture (of alternative texts docling keeps those in HTML, as captions) |
//! | code, formula | the same | code, text; formula, letters and signs without the notation's brackets |
//!
//! Left out on both sides: groups (lists, sheets, sections), which hold no text; empty paragraphs; furniture and
//! comments, which docling keeps beside the tree. The pieces that docling cuts a paragraph into at every change of type
//! are one block, compared without blanks. The document's own title is counted only where it matches: it may come from
//! metadata, which is no part of docling's tree.
//!
//! Of workbooks three things that docling writes in its own way are held equal, and nothing else:
//!
//! - it keeps numbers and dates as they are stored, Millwright as they are shown (`1.0` and `1`, `0.19` and `19 %`,
//!   `2026-11-30 00:00:00` and `30-Nov-26`): in rows, cells that are numbers or dates count by their stored value;
//! - it knows nothing but tables, so that a cell that stands alone is a table of one cell: that counts as a text;
//! - it knows no captions there: the title that Millwright gives a table counts as the text above it.

mod accepted;
mod common;
mod formula;
mod ours;
mod stored;

use super::{Bench, Measure, Outcome};
use millwright_core::{host::NoProgress, parse};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The bench over docling's files.
pub(super) const DOCLING: Bench = Bench { name: "docling", run };

/// The formats, with the name of their measure.
const FORMATS: [(&str, &str); 5] = [
    ("docx", "DOCX: blocks in kind, text and order, F1"),
    ("html", "HTML: the same"),
    ("md", "Markdown: the same"),
    ("csv", "CSV: the same"),
    ("xlsx", "XLSX: the same"),
];

/// What must agree of two blocks besides their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Heading,
    Text,
    Item,
    Table,
    Row,
    Caption,
    Figure,
    Code,
    Formula,
}

/// One block of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    class: Class,
    /// What it says, blanks collapsed.
    text: String,
    /// Another form that is as good: without the marker that docling does not keep.
    bare: Option<String>,
    /// A row of a workbook by the stored values of its cells.
    stored: Option<String>,
    /// It was put together from pieces whose blanks are lost: compared without any.
    pieced: bool,
    /// Counted only where it matches.
    optional: bool,
}

impl Block {
    fn new(class: Class, text: &str) -> Self {
        Self { class, text: common::collapse(text), bare: None, stored: None, pieced: false, optional: false }
    }

    /// Whether this block of ours is that accepted one.
    fn is(&self, accepted: &Self) -> bool {
        let same = |text: &str| {
            if accepted.class == Class::Formula || (accepted.pieced && accepted.text.contains(['\\', '{'])) {
                formula::reduce(text) == formula::reduce(&formula::plain(&accepted.text))
            } else if accepted.pieced {
                common::squeeze(text) == common::squeeze(&accepted.text)
            } else {
                text == accepted.text
            }
        };
        let same_values = || self.stored.is_some() && self.stored == accepted.stored;
        self.class == accepted.class
            && (self.class == Class::Figure
                || same(&self.text)
                || self.bare.as_deref().is_some_and(same)
                || same_values())
    }
}

/// How many blocks there are and agree.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    files: usize,
    accepted: usize,
    ours: usize,
    matched: usize,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.accepted += other.accepted;
        self.ours += other.ours;
        self.matched += other.matched;
    }

    /// 2 · matched / (accepted + ours); 0 where there is nothing.
    fn f1(self) -> f64 {
        let n_blocks = (self.accepted + self.ours).max(1);
        2.0 * self.matched as f64 / n_blocks as f64
    }
}

fn run(data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    let folder = data.join("docling");
    let mut all = Counts::default();
    let mut measures = Vec::new();
    for (format, name) in FORMATS {
        let mut counts = Counts::default();
        for source in sources(&folder.join(format)) {
            if let Some(accepted) = accepted::blocks(&source) {
                counts.add(file(&source, &accepted, say));
            }
        }
        if counts.files > 0 {
            let n = format!("{} blocks of {} files", counts.accepted, counts.files);
            measures.push(Measure { name, value: counts.f1(), at_least: None, n });
        }
        all.add(counts);
    }
    if all.files == 0 {
        return Outcome::Skipped(format!("there are no files of docling's in {}.", folder.display()));
    }
    let n = format!("{} blocks of {} files", all.accepted, all.files);
    measures.insert(0, Measure { name: "all: the same", value: all.f1(), at_least: Some(0.95), n });
    Outcome::Measured(measures)
}

/// The files of a format, by name.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder.join("sources")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Compares one file; a file that cannot be read has no blocks.
fn file(source: &Path, accepted: &[Block], say: &mut dyn FnMut(&str)) -> Counts {
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = fs::read(source).unwrap_or_default();
    let ours = match parse::parse(&name, &bytes, &mut NoProgress) {
        Ok(parsed) => ours::blocks(&parsed.document),
        Err(error) => {
            say(&format!("{name}: {error}"));
            Vec::new()
        }
    };
    let pairs = common::subsequence(&ours, accepted);
    let is_matched = |at: usize| pairs.iter().any(|(our, _)| *our == at);
    let counted = ours.iter().enumerate().filter(|(at, block)| !block.optional || is_matched(*at)).count();
    let counts = Counts { files: 1, accepted: accepted.len(), ours: counted, matched: pairs.len() };
    say(&format!("{name}: {:.3} ({} of {}, {counted} ours)", counts.f1(), counts.matched, counts.accepted));
    for (at, block) in accepted.iter().enumerate() {
        if pairs.iter().all(|(_, accepted)| *accepted != at) {
            say(&format!("    missing {:?} {}", block.class, block.text));
        }
    }
    for (at, block) in ours.iter().enumerate() {
        if !is_matched(at) && !block.optional {
            say(&format!("    extra   {:?} {}", block.class, block.text));
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_the_same_with_or_without_its_marker() {
        let mut item = Block::new(Class::Item, "1. Stop  the pump");
        item.bare = Some("Stop the pump".to_owned());
        assert!(item.is(&Block::new(Class::Item, "Stop the pump")));
        assert!(item.is(&Block::new(Class::Item, "1. Stop the\npump")));
        assert!(!item.is(&Block::new(Class::Text, "Stop the pump")));
        assert!(!item.is(&Block::new(Class::Item, "Stopthepump")));
    }

    #[test]
    fn rows_of_workbooks_are_compared_by_what_is_stored() {
        let row = |text: &str, stored: &str| Block { stored: Some(stored.to_owned()), ..Block::new(Class::Row, text) };
        assert!(row("0: 19 %", "0: 0.19").is(&row("0: 0.190", "0: 0.19")));
        assert!(!row("0: 19 %", "0: 0.19").is(&row("0: 19", "0: 19")));
        // A row of another format has no stored values.
        assert!(!Block::new(Class::Row, "0: 1.0").is(&Block::new(Class::Row, "0: 1")));
    }

    #[test]
    fn pieces_are_compared_without_blanks() {
        let pieced = Block { pieced: true, ..Block::new(Class::Text, "Water is H 2 O .") };
        assert!(Block::new(Class::Text, "Water is H2O.").is(&pieced));
        assert!(!Block::new(Class::Text, "Water is H2O2.").is(&pieced));
    }

    #[test]
    fn everything_found_in_order_is_one() {
        let counts = Counts { files: 1, accepted: 4, ours: 5, matched: 3 };
        assert!((counts.f1() - 2.0 / 3.0).abs() < 1e-9);
        assert!(Counts::default().f1().abs() < 1e-9);
    }
}
