//! Tables of OpenDocument: spans, repeated cells and rows, header rows, nested tables.

use super::{inline::Object, reader::Reader};
use crate::parse::{
    flow::{
        lines,
        table::{Cell, Looks, MAX_NESTED, MAX_SPAN, Row},
    },
    markup::Element,
};

/// Cells or rows that one element stands for; what is repeated more often is empty space.
const MAX_REPEATED: usize = 100;

/// What hangs on the cells of a table, written after it.
enum Hanging<'e> {
    Object(Object<'e>),
    Table(&'e Element),
}

impl Reader<'_> {
    /// Reads a table.
    pub(super) fn table(&mut self, table: &Element) {
        let mut elements = Vec::new();
        rows(table, false, &mut elements);
        if let [(row, _)] = elements.as_slice()
            && let [cell] =
                row.children().filter(|cell| &*cell.name == "table:table-cell").collect::<Vec<_>>().as_slice()
        {
            self.framed(cell);
            return;
        }
        let caption = self.flow.table_caption();
        let described =
            table.child("table:title").or_else(|| table.child("table:desc")).map(|text| lines(&text.text()));
        let mut hanging = Vec::new();
        let mut read: Vec<Row> = Vec::new();
        for (element, repeated) in &elements {
            if self.flow.writer.is_full() || read.len() >= crate::parse::MAX_NODES {
                break;
            }
            let row = self.row(element, *repeated, &mut hanging);
            let n_times = times(element, "table:number-rows-repeated");
            let is_empty = row.cells.iter().all(|cell| cell.text.is_empty());
            let n_bytes: usize = row.cells.iter().map(Cell::n_bytes).sum();
            for _ in 1..if is_empty { 1 } else { n_times } {
                let Some(left) = self.repeats_left.checked_sub(n_bytes) else { break };
                self.repeats_left = left;
                let cells =
                    row.cells.iter().map(|cell| Cell { text: cell.text.clone(), facts: cell.facts.clone(), ..*cell });
                read.push(Row { cells: cells.collect(), repeated: row.repeated, ..Row::default() });
            }
            read.push(row);
        }
        self.flow.table(&caption.or(described).unwrap_or_default(), &read, &Looks::default());
        for hanging in &hanging {
            match hanging {
                Hanging::Object(object) => self.object(object),
                Hanging::Table(table) if self.flow.depth < MAX_NESTED => {
                    self.flow.depth += 1;
                    self.table(table);
                    self.flow.depth -= 1;
                }
                Hanging::Table(_) => {}
            }
        }
    }

    /// The content of a frame around something.
    fn framed(&mut self, cell: &Element) {
        let depth = self.flow.begin_frame(&cell.text());
        if self.flow.depth < MAX_NESTED {
            self.flow.depth += 1;
            cell.children().for_each(|child| self.block(child));
            self.flow.begin_outside();
            self.flow.depth -= 1;
        }
        self.flow.writer.close_down_to(depth);
    }

    fn row<'e>(&mut self, element: &'e Element, repeated: bool, hanging: &mut Vec<Hanging<'e>>) -> Row {
        let mut row = Row { repeated, ..Row::default() };
        let page = self.page;
        let mut column = 0;
        for cell in element.children() {
            let n_times = times(cell, "table:number-columns-repeated");
            match &*cell.name {
                "table:covered-table-cell" => column += n_times,
                "table:table-cell" => {
                    let mut read = self.cell(cell, &mut row, hanging);
                    let n_bytes = read.n_bytes();
                    for at in 0..n_times {
                        if at > 0 {
                            let Some(left) = self.repeats_left.checked_sub(n_bytes) else { break };
                            self.repeats_left = left;
                        }
                        let facts = std::mem::take(&mut read.facts);
                        row.cells.push(Cell { text: read.text.clone(), facts, column, ..read });
                        column += 1;
                    }
                }
                _ => {}
            }
        }
        row.page = (self.page != page).then_some(self.page);
        row
    }

    fn cell<'e>(&mut self, element: &'e Element, row: &mut Row, hanging: &mut Vec<Hanging<'e>>) -> Cell {
        let span = |name: &str| element.attribute(name).and_then(|span| span.parse::<u16>().ok()).unwrap_or(1);
        let style = self.styles.get("table-cell", element.attribute("table:style-name"));
        let mut cell = Cell {
            colspan: span("table:number-columns-spanned").clamp(1, MAX_SPAN),
            rowspan: span("table:number-rows-spanned").max(1),
            shaded: style.shaded,
            bold: true,
            ..Cell::default()
        };
        self.flow.depth += 1;
        self.cell_blocks(element, &mut cell, row, hanging);
        self.flow.depth -= 1;
        cell.bold &= !cell.text.is_empty();
        cell
    }

    fn cell_blocks<'e>(&mut self, blocks: &'e Element, cell: &mut Cell, row: &mut Row, hanging: &mut Vec<Hanging<'e>>) {
        for block in blocks.children() {
            match &*block.name {
                "text:p" | "text:h" => {
                    let (_, mut inline) = self.resolve(block);
                    if self.knows_pages {
                        self.page = self.page.saturating_add(inline.pages_before + inline.pages_within);
                    }
                    hanging.extend(inline.before.drain(..).chain(inline.objects.drain(..)).map(Hanging::Object));
                    cell.take_facts(&mut inline.facts, row);
                    let text = lines(&inline.words.text);
                    if !text.is_empty() {
                        cell.bold &= inline.words.is_bold();
                        cell.push_line(&text);
                    }
                }
                "table:table" => hanging.push(Hanging::Table(block)),
                "text:list" => {
                    // Its numbers count for themselves: a list in a cell is short.
                    let mut items = Vec::new();
                    self.list_lines(block, 0, "", &mut items);
                    items.iter().for_each(|item| cell.push_line(item));
                    cell.bold = false;
                }
                "text:section" => self.cell_blocks(block, cell, row, hanging),
                _ => {}
            }
        }
    }
}

/// How often an element counts; at least once.
fn times(element: &Element, attribute: &str) -> usize {
    element.attribute(attribute).and_then(|times| times.parse().ok()).unwrap_or(1).clamp(1, MAX_REPEATED)
}

/// The rows of a table, those that are repeated on every page said to be.
fn rows<'e>(element: &'e Element, repeated: bool, found: &mut Vec<(&'e Element, bool)>) {
    for child in element.children() {
        match &*child.name {
            "table:table-row" => found.push((child, repeated)),
            "table:table-header-rows" => rows(child, true, found),
            "table:table-rows" | "table:table-row-group" => rows(child, repeated, found),
            _ => {}
        }
    }
}
