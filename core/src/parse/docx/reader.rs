//! The state of reading a DOCX body, and the parts beside it that it refers to.

use super::{inline::Field, numbering::Numbering, styles::Styles};
use crate::parse::{flow::Flow, markup::Element, numerals, writer::Writer};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a package that are read whole.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) styles: Styles,
    /// Addresses of links, by relationship.
    pub(super) links: BTreeMap<String, String>,
    /// Words in diagrams and charts, by relationship.
    pub(super) graphics: BTreeMap<String, String>,
    pub(super) footnotes: BTreeMap<String, Element>,
    pub(super) endnotes: BTreeMap<String, Element>,
    pub(super) comments: BTreeMap<String, Element>,
    /// How footnotes and endnotes count.
    pub(super) foot_form: String,
    pub(super) end_form: String,
    /// HTML that was inserted as a whole, by relationship.
    pub(super) inserted: BTreeMap<String, String>,
    /// Word wrote down where its pages began.
    pub(super) knows_pages: bool,
}

impl Parts {
    /// Where a hyperlink leads: an address, or `#` and the name of a bookmark.
    pub(super) fn link(&self, hyperlink: &Element) -> Option<String> {
        let address = hyperlink.attribute("r:id").and_then(|id| self.links.get(id)).cloned();
        let anchor = hyperlink.attribute("w:anchor").filter(|anchor| !anchor.is_empty());
        match (address, anchor) {
            (Some(address), Some(anchor)) if !address.contains('#') => Some(format!("{address}#{anchor}")),
            (Some(address), _) => Some(address),
            (None, anchor) => anchor.map(|anchor| format!("#{anchor}")),
        }
    }

    /// The words of a diagram or chart.
    pub(super) fn graphic(&self, id: &str) -> Option<&str> {
        self.graphics.get(id).map(String::as_str)
    }
}

/// What stands in a part beside the text and is told where the text refers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Told {
    Footnote,
    Endnote,
    Comment,
    Page,
}

/// Reads blocks into a writer.
pub(super) struct Reader<'w> {
    pub(super) flow: Flow<'w>,
    /// Shared with what is read: elements of parts outlive every change to the state.
    pub(super) parts: std::rc::Rc<Parts>,
    pub(super) numbering: Numbering,
    pub(super) fields: Vec<Field>,
    /// The text of a paragraph whose end was deleted: it goes on in the next.
    pub(super) carried: String,
    /// Bookmarks before a block.
    pub(super) anchors: Vec<String>,
    pub(super) endnotes: Vec<(String, String)>,
    n_footnotes: u32,
    n_endnotes: u32,
    /// What was told where it was first referred to, and is not told again.
    told: BTreeSet<(Told, String)>,
    pub(super) page: u32,
    pub(super) skipped_part: bool,
}

impl<'w> Reader<'w> {
    pub(super) fn new(writer: &'w mut Writer, parts: Parts, numbering: Numbering) -> Self {
        if parts.knows_pages {
            writer.builder().page(1);
        }
        Self {
            flow: Flow::new(writer),
            parts: std::rc::Rc::new(parts),
            numbering,
            fields: Vec::new(),
            carried: String::new(),
            anchors: Vec::new(),
            endnotes: Vec::new(),
            n_footnotes: 0,
            n_endnotes: 0,
            told: BTreeSet::new(),
            page: 1,
            skipped_part: false,
        }
    }

    /// The mark of the next footnote or endnote.
    pub(super) fn next_mark(&mut self, foot: bool) -> String {
        let (count, form) = if foot {
            (&mut self.n_footnotes, &self.parts.foot_form)
        } else {
            (&mut self.n_endnotes, &self.parts.end_form)
        };
        *count = count.saturating_add(1);
        numerals::printed(*count, form)
    }

    /// Whether a note, remark or inserted page is told for the first time. Programs refer to each but once; where ten refer
    /// to one that refers to itself, telling each again would not end.
    pub(super) fn tells(&mut self, kind: Told, id: &str) -> bool {
        self.told.insert((kind, id.to_owned()))
    }

    /// Pages that begin here.
    pub(super) fn turn_pages(&mut self, n_pages: u32) {
        if n_pages > 0 && self.parts.knows_pages {
            self.page = self.page.saturating_add(n_pages);
            self.flow.writer.builder().page(self.page);
        }
    }
}
