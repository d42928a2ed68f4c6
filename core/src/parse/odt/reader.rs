//! The state of reading an OpenDocument text.

use super::{lists::Counter, styles::Styles};
use crate::parse::{flow::Flow, markup::Element, writer::Writer};
use std::collections::BTreeMap;

/// What cells and rows that stand for many may take in memory, all that are written a second time together.
const MAX_REPEATED_BYTES: usize = 16 << 20;

/// A change as the document's head tells it.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// `inserted by Ada on 2024-05-01`.
    pub(super) note: String,
    /// It took something away, which is no longer in the text.
    pub(super) deletion: bool,
}

/// Reads blocks into a writer.
pub(super) struct Reader<'w> {
    pub(super) flow: Flow<'w>,
    pub(super) styles: Styles,
    /// Equations by the object that shows them.
    pub(super) equations: BTreeMap<String, String>,
    pub(super) changes: BTreeMap<String, Change>,
    /// Insertions that are open, which may span paragraphs.
    pub(super) inserting: Vec<String>,
    /// What cells and rows may still be repeated, in bytes.
    pub(super) repeats_left: usize,
    /// How far lists have counted: by style, for those that go on with the last, and by their own name.
    pub(super) counters: BTreeMap<String, Counter>,
    pub(super) headings: Counter,
    /// Lists so far: each is a numbering of its own.
    pub(super) n_lists: u32,
    pub(super) endnotes: Vec<(Element, String)>,
    pub(super) knows_pages: bool,
    pub(super) page: u32,
}

impl<'w> Reader<'w> {
    pub(super) fn new(writer: &'w mut Writer, styles: Styles, knows_pages: bool) -> Self {
        if knows_pages {
            writer.builder().page(1);
        }
        Self {
            flow: Flow::new(writer),
            styles,
            equations: BTreeMap::new(),
            changes: BTreeMap::new(),
            inserting: Vec::new(),
            repeats_left: MAX_REPEATED_BYTES,
            counters: BTreeMap::new(),
            headings: Counter::default(),
            n_lists: 0,
            endnotes: Vec::new(),
            knows_pages,
            page: 1,
        }
    }

    /// Pages that begin here.
    pub(super) fn turn_pages(&mut self, n_pages: u32) {
        if n_pages > 0 && self.knows_pages {
            self.page = self.page.saturating_add(n_pages);
            self.flow.writer.builder().page(self.page);
        }
    }
}
