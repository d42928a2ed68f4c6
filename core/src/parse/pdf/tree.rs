//! From blocks to the document tree: sections, paragraphs, nested lists, tables, code, furniture.

mod apart;
mod listing;
mod lists;
mod tabular;

use super::{
    Layout,
    blocks::Block,
    footnotes,
    headings::Placed,
    labels::{self, Captioned},
    prose::{self, Vocabulary},
    rows::{self, Line},
    sheet::Sheet,
};
use crate::{
    document::{BBox, DocumentBuilder, NodeId, NodeKind, PageBox},
    parse::MAX_NODES,
};
use apart::Waiting;
use listing::listing;
use lists::OpenItem;
use tabular::OpenTable;

/// A paragraph this long is not carried on any further.
const MAX_CARRIED_BYTES: usize = 20_000;

/// A paragraph that the next page may carry on.
#[derive(Debug)]
struct Unfinished {
    node: NodeId,
    text: String,
    size: f32,
}

/// Builds the tree.
pub(super) struct Tree<'b> {
    builder: &'b mut DocumentBuilder,
    vocabulary: &'b Vocabulary,
    keep_code: bool,
    body_size: f32,
    items: Vec<OpenItem>,
    unfinished: Option<Unfinished>,
    announced: Option<Announced>,
    /// The caption of the next table, and where it stands.
    caption: Option<(String, PageBox)>,
    /// The table that the block before was, if it has no caption, and where it stands.
    last_table: Option<(NodeId, BBox)>,
    /// The section whose heading was last begun: a heading of two blocks stands in both their places.
    heading: Option<NodeId>,
    /// Levels by which headings are deeper than they look, because a running title stands over them.
    shift: u8,
    running: Option<String>,
    /// The table that ended the last page, still open in the builder because the next page may carry it on.
    open_table: Option<OpenTable>,
    /// Furniture that waits until the open table is closed.
    waiting: Vec<Waiting>,
    /// The page that is being added.
    page: Option<u32>,
    /// The left edge of the text of the last left and right page.
    left: [Option<f32>; 2],
}

/// A warning or note whose label stood alone: what follows stands in it.
#[derive(Debug)]
struct Announced {
    /// Where the label begins, from the left edge of the page's text.
    indent: f32,
    /// It is set in from the text around it, so that it ends where the text goes on further left; otherwise it takes
    /// one block.
    set_in: bool,
    n_blocks: u32,
}

impl<'b> Tree<'b> {
    /// Adds to `builder`.
    pub(super) fn new(builder: &'b mut DocumentBuilder, layout: &'b Layout) -> Self {
        Self {
            builder,
            vocabulary: &layout.vocabulary,
            keep_code: layout.keep_code,
            body_size: layout.body.size,
            items: Vec::new(),
            unfinished: None,
            announced: None,
            caption: None,
            last_table: None,
            heading: None,
            shift: 0,
            running: None,
            open_table: None,
            waiting: Vec::new(),
            page: None,
            left: [None; 2],
        }
    }

    /// From here on the pages are about this, as their running head says; it becomes a section over theirs.
    pub(super) fn running_title(&mut self, sheet: &Sheet, title: &str) {
        self.shift = 1;
        if self.running.as_deref() != Some(title) {
            self.end_table();
            self.end_lists();
            self.builder.page(sheet.number);
            let node = self.builder.section(1, title);
            let printed = sheet.furniture.iter().find(|segment| segment.text == title);
            if let Some(segment) = printed {
                self.place(node, sheet, segment.bbox);
            }
            self.running = Some(title.to_owned());
            self.unfinished = None;
        }
    }

    /// Adds a page: its blocks in reading order, what stands aside, its furniture.
    pub(super) fn page(&mut self, sheet: &Sheet, blocks: &[Placed]) {
        let continues = match blocks.first().map(|placed| &placed.block) {
            Some(Block::Table(table)) => self.open_table.as_ref().is_some_and(|open| open.ending.goes_on(table)),
            _ => false,
        };
        let n_blocks = blocks.len();
        let blocks = if continues { blocks } else { self.without_caption_again(sheet, blocks) };
        let continues = continues || blocks.len() < n_blocks;
        if !continues {
            self.end_table();
        }
        self.builder.page(sheet.number);
        self.page = Some(sheet.number);
        let lefts = self.lefts(sheet.number, blocks);
        let notes = footnotes::marks(blocks, self.body_size);
        for (index, (placed, left)) in blocks.iter().zip(lefts).enumerate() {
            let mark = notes.get(&index).cloned();
            if let (None, Block::Text(lines)) = (&placed.heading, &placed.block)
                && let Some(mark) = mark.or_else(|| self.footnote_mark(sheet, lines))
            {
                // It interrupts the text: a paragraph or list may go on after it.
                let text = prose::join(lines.iter().map(|line| line.text.as_str()), self.vocabulary);
                let bbox = sheet.on_page(bbox(lines));
                let (page, kind) = (sheet.number, NodeKind::Footnote);
                self.waiting.push(Waiting { page, kind, text, bbox, hiding: None, mark: Some(mark) });
                continue;
            }
            if !matches!(placed.block, Block::Table(_)) {
                self.end_table();
            }
            let carried = self.unfinished.take().filter(|_| placed.starts_region);
            match (&placed.heading, &placed.block) {
                (Some(heading), Block::Text(lines)) => {
                    if !heading.text.is_empty() {
                        self.end_announced();
                        self.end_lists();
                        self.add_waiting();
                        self.heading =
                            Some(self.builder.section(heading.level.saturating_add(self.shift), &heading.text));
                    }
                    if let Some(node) = self.heading {
                        self.place(node, sheet, bbox(lines));
                    }
                }
                (None, Block::Text(lines)) if placed.term => self.term(sheet, lines, left),
                (None, Block::Text(lines)) => {
                    let next_table = match blocks.get(index + 1).map(|next| &next.block) {
                        Some(Block::Table(table)) => Some(table.bbox),
                        _ => None,
                    };
                    self.text(sheet, lines, left, carried, next_table);
                    self.last_table = None;
                }
                (_, Block::Table(table)) if labels::panel(table).is_some() => self.panel(sheet, table, left),
                (_, Block::Table(table)) => {
                    self.announced_takes(table.bbox.x0 - left, 10.0);
                    self.table(sheet, table);
                    let open = self.open_table.as_ref().filter(|open| !open.captioned);
                    self.last_table = open.map(|open| (open.node, table.bbox));
                }
                (_, Block::Contents(lines)) => {
                    self.end_announced();
                    self.end_lists();
                    let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
                    let node = self.builder.leaf(NodeKind::Furniture, &text.join("\n"));
                    self.place(node, sheet, bbox(lines));
                }
            }
        }
        if self.announced.as_ref().is_some_and(|announced| announced.n_blocks > 0) {
            self.end_announced();
        }
        for (turn, segments) in &sheet.asides {
            self.wait(sheet, *turn, segments, None);
        }
        for (hiding, turn, segments) in &sheet.hidden {
            self.wait(sheet, *turn, segments, Some(*hiding));
        }
        for (aslant, is_watermark) in &sheet.aslant {
            self.wait_aslant(sheet.number, aslant, *is_watermark);
        }
        for segment in &sheet.furniture {
            let bbox = sheet.on_page(segment.bbox);
            let text = segment.text.clone();
            self.waiting.push(Waiting {
                page: sheet.number,
                kind: NodeKind::Furniture,
                text,
                bbox,
                hiding: None,
                mark: None,
            });
        }
        // A list, too, may go on over the page.
        if self.open_table.is_none() && self.announced.is_none() && self.items.is_empty() {
            self.add_waiting();
        }
    }

    /// No more nodes may be added.
    pub(super) fn is_full(&self) -> bool {
        self.builder.n_nodes() >= MAX_NODES
    }

    /// Closes what is open after the last page.
    pub(super) fn finish(mut self) {
        self.end_table();
        self.end_announced();
        self.add_waiting();
    }

    fn place(&mut self, node: NodeId, sheet: &Sheet, bbox: BBox) {
        self.builder.page_box(node, PageBox { page: sheet.number, bbox: sheet.on_page(bbox) });
    }

    fn text(
        &mut self,
        sheet: &Sheet,
        lines: &[Line],
        left: f32,
        carried: Option<Unfinished>,
        next_table: Option<BBox>,
    ) {
        let Some(first) = lines.first() else { return };
        let bounds = bbox(lines);
        let mut indent = first.bbox.x0 - left;
        self.announced_takes(indent, first.size);
        if self.keep_code && lines.iter().all(|line| line.style.fixed_pitch) {
            self.end_lists_from(indent, first.size);
            let node = self.builder.leaf(NodeKind::Code { language: String::new() }, &listing(lines));
            self.place(node, sheet, bounds);
            return;
        }
        let text = prose::join(lines.iter().map(|line| line.text.as_str()), self.vocabulary);
        if let Some(marker) = rows::marker(&first.text) {
            let node = self.item(&text, indent, first.size, !rows::is_bullet(marker));
            self.place(node, sheet, bounds);
            self.unfinished = Some(Unfinished { node, text, size: first.size });
            return;
        }
        if let Some(mut before) = carried
            && (before.size - first.size).abs() < 0.6
            && before.text.len() < MAX_CARRIED_BYTES
            && !before.text.ends_with(['.', '!', '?', ':', ';'])
            && (first.text.starts_with(char::is_lowercase) || before.text.ends_with('-'))
        {
            prose::append(&mut before.text, &text, self.vocabulary);
            self.builder.set_text(before.node, &before.text);
            self.place(before.node, sheet, bounds);
            self.unfinished = Some(before);
            return;
        }
        let label = labels::label(lines, &text);
        if label.is_some()
            && let Some(edge) = sheet.frames.left(first.bbox, first.size)
        {
            // A box belongs where its side stands, not the words in it.
            indent = edge - left;
        }
        let kind = match (label, labels::caption(&text)) {
            (Some(label), _) if label.alone => {
                self.end_announced();
                self.end_lists_from(indent, first.size);
                let node = self.builder.open(label.kind, &text);
                self.place(node, sheet, bounds);
                let indent = first.bbox.x0 - left;
                self.announced = Some(Announced { indent, set_in: indent > 1.5 * first.size, n_blocks: 0 });
                return;
            }
            (Some(label), _) => label.kind,
            (None, Some(Captioned::Table)) if self.captions_last(bounds, next_table) => {
                if let Some((table, _)) = self.last_table {
                    self.builder.set_text(table, &text);
                    self.place(table, sheet, bounds);
                }
                return;
            }
            (None, Some(Captioned::Table)) if next_table.is_some() => {
                self.caption = Some((text, PageBox { page: sheet.number, bbox: sheet.on_page(bounds) }));
                return;
            }
            (None, Some(captioned)) => {
                self.end_lists_from(indent, first.size);
                self.caption_of(captioned, sheet, &text, bounds);
                return;
            }
            (None, None) => NodeKind::Paragraph,
        };
        self.end_lists_from(indent, first.size);
        let node = self.builder.leaf(kind, &text);
        self.place(node, sheet, bounds);
        self.unfinished = Some(Unfinished { node, text, size: first.size });
    }

    /// For each block, the left edge that indents are counted from: that of its column, or of the page where the column
    /// is only set in.
    fn lefts(&mut self, number: u32, blocks: &[Placed]) -> Vec<f32> {
        /// A column stands at least this far from the edge of the page's text, in points.
        const COLUMN: f32 = 80.0;
        let edge = |placed: &Placed| match &placed.block {
            Block::Text(lines) | Block::Contents(lines) => bbox(lines).x0,
            Block::Table(table) => table.bbox.x0,
        };
        let of_page = blocks.iter().map(edge).fold(f32::MAX, f32::min);
        // A page of nothing but the rest of a list has its edge where the page before it has it.
        let parity = (number % 2) as usize;
        let before = self.left[parity].or(self.left[1 - parity]);
        let before = before.filter(|before| !self.items.is_empty() && (0.0..COLUMN).contains(&(of_page - before)));
        let of_page = before.unwrap_or(of_page);
        self.left[parity] = Some(of_page);
        let regions = blocks.chunk_by(|_, next| !next.starts_region);
        let mut lefts = Vec::with_capacity(blocks.len());
        for region in regions {
            let left = region.iter().map(edge).fold(f32::MAX, f32::min);
            let left = if left - of_page < COLUMN { of_page } else { left };
            lefts.extend(std::iter::repeat_n(left, region.len()));
        }
        lefts
    }

    /// A block at this indent comes: it belongs to what was announced, or ends it.
    fn announced_takes(&mut self, indent: f32, size: f32) {
        match &mut self.announced {
            Some(open) if open.n_blocks == 0 || open.set_in && indent >= open.indent - size => open.n_blocks += 1,
            Some(_) => self.end_announced(),
            None => {}
        }
    }

    fn end_announced(&mut self) {
        if self.announced.take().is_some() {
            self.end_table();
            self.end_lists();
            self.builder.close();
        }
    }
}

fn bbox(lines: &[Line]) -> BBox {
    lines.iter().map(|line| line.bbox).reduce(BBox::union).unwrap_or(BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 })
}
