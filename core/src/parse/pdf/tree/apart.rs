//! What is no part of the text that is read down a page: text in other directions, hidden text, furniture.

use super::Tree;
use crate::{
    document::{BBox, NodeKind, facts},
    parse::pdf::{
        glyphs::{Rule, Turn},
        labels,
        lines::Segment,
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

    /// The mark of a footnote: a raised one, or a plain one in the first note under the short line that parts notes from
    /// the text, or in one right after such a note.
    pub(super) fn footnote_mark(&self, sheet: &Sheet, lines: &[Line]) -> Option<String> {
        /// A note begins within so many ems of the line over it.
        const NEAR: f32 = 2.5;
        /// The line takes at most this part of the page's width.
        const SHORT: f32 = 0.4;
        let first = lines.first()?;
        labels::footnote_mark(&first.text).or_else(|| {
            let mark = labels::plain_footnote_mark(&first.text)?;
            let parts = |rule: &&Rule| {
                let above = first.v - rule.at;
                (0.5 * first.size..NEAR * first.size).contains(&above)
                    && (rule.from - first.bbox.x0).abs() < first.size
                    && rule.to - rule.from < SHORT * sheet.frame_width()
            };
            let follows = || {
                let last =
                    self.waiting.last().filter(|last| last.kind == NodeKind::Footnote && last.page == sheet.number);
                let bbox = sheet.on_page(first.bbox);
                last.is_some_and(|last| (0.0..first.size).contains(&(bbox.y0 - last.bbox.y1)))
            };
            (sheet.rules.iter().any(|rule| parts(&rule)) || follows()).then_some(mark)
        })
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
