//! What is no part of the text that is read down a page: text in other directions, hidden text, furniture.

use super::Tree;
use crate::{
    document::{BBox, NodeKind, facts},
    parse::pdf::{
        aslant::Aslant,
        glyphs::{Rule, Turn},
        labels,
        lines::{self, Segment},
        paint::Hiding,
        prose,
        rows::Line,
        sheet::Sheet,
    },
};

/// A node to be added when no table is open.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) page: u32,
    pub(super) kind: NodeKind,
    pub(super) text: String,
    pub(super) bbox: BBox,
    pub(super) hiding: Option<Hiding>,
    /// The mark that refers to it.
    pub(super) mark: Option<String>,
}

impl Tree<'_> {
    /// Keeps text for later that is no part of what is read down the page, what stands apart apart: two labels at two
    /// axes are no sentence.
    pub(super) fn wait(&mut self, sheet: &Sheet, turn: Turn, segments: &[Segment], hiding: Option<Hiding>) {
        for run in segments.chunk_by(lines::stand_together) {
            let text = prose::join(run.iter().map(|segment| segment.text.as_str()), self.vocabulary);
            let Some(bbox) = run.iter().map(|segment| segment.bbox).reduce(BBox::union) else { continue };
            let bbox = sheet.aside_on_page(turn, bbox);
            self.waiting.push(Waiting {
                page: sheet.number,
                kind: NodeKind::Paragraph,
                text,
                bbox,
                hiding,
                mark: None,
            });
        }
    }

    /// The mark of a footnote that nothing refers to: a plain one in the first note under the short line that parts notes from
    /// the text, or in one right after such a note.
    pub(super) fn footnote_mark(&self, sheet: &Sheet, lines: &[Line]) -> Option<String> {
        /// A note begins within so many ems of the line over it.
        const NEAR: f32 = 2.5;
        /// The line takes at most this part of the page's width.
        const SHORT: f32 = 0.4;
        let first = lines.first()?;
        let mark = labels::plain_footnote_mark(&first.text)?;
        let parts = |rule: &&Rule| {
            let above = first.v - rule.at;
            (0.5 * first.size..NEAR * first.size).contains(&above)
                && (rule.from - first.bbox.x0).abs() < first.size
                && rule.to - rule.from < SHORT * sheet.frame_width()
        };
        let follows = || {
            let last = self.waiting.last().filter(|last| last.kind == NodeKind::Footnote && last.page == sheet.number);
            let bbox = sheet.on_page(first.bbox);
            last.is_some_and(|last| (0.0..first.size).contains(&(bbox.y0 - last.bbox.y1)))
        };
        (sheet.rules.iter().any(|rule| parts(&rule)) || follows()).then_some(mark)
    }

    /// The same for text that runs aslant; what is said on many pages is a watermark.
    pub(super) fn wait_aslant(&mut self, page: u32, aslant: &Aslant, is_watermark: bool) {
        let text = prose::join(aslant.segments.iter().map(|segment| segment.text.as_str()), self.vocabulary);
        let kind = if is_watermark { NodeKind::Furniture } else { NodeKind::Paragraph };
        let (bbox, hiding) = (aslant.bbox, aslant.hiding);
        self.waiting.push(Waiting { page, kind, text, bbox, hiding, mark: None });
    }

    /// Adds what stands at the edges of the pages so far; it must not land in a list that goes on over the page.
    pub(super) fn add_waiting(&mut self) {
        for Waiting { page, kind, text, bbox, hiding, mark } in std::mem::take(&mut self.waiting) {
            self.end_lists();
            self.builder.page(page);
            let node = self.builder.leaf(kind, &text);
            self.builder.bbox(node, bbox);
            if let Some(hiding) = hiding {
                self.builder.node_metadata(node, facts::HIDDEN, hiding.word());
            }
            if let Some(mark) = mark {
                self.builder.node_metadata(node, facts::MARK, &mark);
            }
        }
        if let Some(page) = self.page {
            self.builder.page(page);
        }
    }
}
