//! What is no part of the text that is read down a page: text in other directions, hidden text, furniture.

use super::Tree;
use crate::{
    document::{BBox, NodeKind, facts},
    parse::pdf::{glyphs::Turn, lines::Segment, paint::Hiding, prose, sheet::Sheet},
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
        let together = |a: &Segment, b: &Segment| {
            let near = 2.0 * a.size.max(b.size);
            b.bbox.y0 - a.bbox.y1 < near && b.bbox.x0 - a.bbox.x1 < near && a.bbox.x0 - b.bbox.x1 < near
        };
        for run in segments.chunk_by(together) {
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
