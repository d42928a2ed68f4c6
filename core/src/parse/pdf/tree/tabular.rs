//! Tables and captions: which caption belongs to what, and which table goes on over the page.

use super::{Tree, apart::Waiting, bbox};
use crate::{
    document::{BBox, NodeId, NodeKind, facts},
    parse::pdf::{
        blocks::Block,
        figures,
        headings::Placed,
        labels::{self, Captioned},
        prose,
        sheet::Sheet,
        tables::{self, Ending, Table},
    },
};

use std::borrow::Cow;

/// A table that may go on.
#[derive(Debug)]
pub(super) struct OpenTable {
    pub(super) node: NodeId,
    /// It has a caption.
    pub(super) captioned: bool,
    pub(super) ending: Ending,
}

impl Tree<'_> {
    /// A caption, in the figure that it stands by.
    pub(super) fn caption_of(&mut self, captioned: Captioned, sheet: &Sheet, text: &str, bounds: BBox) {
        let caption = sheet.on_page(bounds);
        let figure = figures::captioned(&sheet.figures, caption).and_then(|index| sheet.figures.get(index));
        let figure = figure.filter(|_| captioned == Captioned::Figure);
        if let Some(figure) = figure {
            let node = self.builder.open(NodeKind::Figure, "");
            self.builder.bbox(node, *figure);
        }
        let node = self.builder.leaf(NodeKind::Caption, text);
        self.builder.bbox(node, caption);
        if figure.is_some() {
            self.builder.close();
        }
    }

    /// A signal word and what it says, in boxes beside one another.
    pub(super) fn panel(&mut self, sheet: &Sheet, table: &Table, left: f32) {
        const USUAL_SIZE: f32 = 10.0;
        let Some((kind, word, text)) = labels::panel(table) else { return };
        let indent = table.bbox.x0 - left;
        self.announced_takes(indent, USUAL_SIZE);
        self.end_announced();
        self.end_lists_from(indent, USUAL_SIZE);
        let node = self.builder.leaf(kind, &format!("{word} {text}"));
        self.place(node, sheet, table.bbox);
    }

    /// Whether a caption here belongs to the table before it rather than to the one after it: to the nearer one.
    pub(super) fn captions_last(&self, caption: BBox, next_table: Option<BBox>) -> bool {
        let Some((_, last)) = self.last_table else { return false };
        let above = caption.y0 - last.y1;
        above >= -1.0 && next_table.is_none_or(|next| above < next.y0 - caption.y1)
    }

    pub(super) fn end_table(&mut self) {
        if self.open_table.take().is_some() {
            self.builder.close();
            self.add_waiting();
        }
    }

    /// The blocks of a page without the first where that is the caption of the open table printed again over its rest.
    pub(super) fn without_caption_again<'p>(&mut self, sheet: &Sheet, blocks: &'p [Placed]) -> &'p [Placed] {
        let [first, second, ..] = blocks else { return blocks };
        let (Block::Text(lines), Block::Table(table), Some(open)) = (&first.block, &second.block, &self.open_table)
        else {
            return blocks;
        };
        let text = prose::join(lines.iter().map(|line| line.text.as_str()), self.vocabulary);
        if !(open.ending.is_captioned_again(&text) && open.ending.goes_on(table)) {
            return blocks;
        }
        let (page, bbox) = (sheet.number, sheet.on_page(bbox(lines)));
        self.waiting.push(Waiting { page, kind: NodeKind::Furniture, text, bbox, hiding: None, mark: None });
        blocks.get(1..).unwrap_or_default()
    }

    pub(super) fn table(&mut self, sheet: &Sheet, table: &Table) {
        let ending = self.open_table.as_ref().map(|open| open.ending.clone());
        let table = ending.as_ref().map_or(Cow::Borrowed(table), |ending| ending.completed(table));
        let table = table.as_ref();
        let repeated = match &self.open_table {
            Some(open) if open.ending.goes_on(table) => {
                let (node, n_repeated) = (open.node, open.ending.n_repeated(table));
                self.place(node, sheet, table.bbox);
                n_repeated
            }
            _ => {
                self.end_table();
                self.end_lists();
                self.builder.page(sheet.number);
                let (caption, place) = self.caption.take().unzip();
                let node = self.builder.open(NodeKind::Table, caption.as_deref().unwrap_or_default());
                if let Some(place) = place {
                    self.builder.page_box(node, place);
                }
                self.place(node, sheet, table.bbox);
                let captioned = place.is_some();
                let ending = Ending::of(table, caption.as_deref().unwrap_or_default());
                self.open_table = Some(OpenTable { node, captioned, ending });
                0
            }
        };
        for (index, row) in table.rows.iter().enumerate().skip(repeated) {
            let header = index < table.n_header_rows;
            let node = self.builder.open(NodeKind::Row { header }, "");
            if tables::is_total(row) {
                self.builder.node_metadata(node, facts::TOTAL, "yes");
            }
            if let Some(bbox) = row.iter().map(|cell| cell.bbox).reduce(BBox::union) {
                self.place(node, sheet, bbox);
            }
            for cell in row {
                let kind = NodeKind::Cell { header, colspan: cell.colspan, rowspan: cell.rowspan };
                let node = self.builder.leaf(kind, &cell.text);
                self.place(node, sheet, cell.bbox);
                if let Some(unit) = &cell.unit {
                    self.builder.node_metadata(node, facts::UNIT, unit);
                }
            }
            self.builder.close();
        }
    }
}
