//! Tables: merged cells, header rows, nested tables, and tables that are only boxes.

use super::{
    inline::{Inline, Object, note_change},
    reader::Reader,
    styles::{self, is_on},
};
use crate::parse::{
    flow::{
        lines,
        table::{Cell, Looks, MAX_NESTED, MAX_SPAN, Row},
    },
    markup::Element,
};

/// What hangs on the cells of a table, written after it.
enum Hanging<'e> {
    Object(Object<'e>),
    Table(&'e Element),
}

impl Reader<'_> {
    /// Reads a table.
    pub(super) fn table(&mut self, table: &Element) {
        let rows = rows(table);
        if let Some(cells) = only_arranges(&rows) {
            self.arranged(&cells, rows.len() == 1 && cells.len() == 1);
            return;
        }
        let caption = self.flow.table_caption();
        let mut hanging = Vec::new();
        let mut read: Vec<Row> = rows.iter().map(|row| self.row(row, &mut hanging)).collect();
        merge(&mut read);
        let properties = table.child("w:tblPr");
        let described = properties.and_then(|properties| properties.value("w:tblCaption", "w:val"));
        let looks = looks(properties, &self.parts.styles);
        self.flow.table(caption.as_deref().or(described).unwrap_or_default(), &read, &looks);
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

    /// The content of cells that only stand where they stand: in a frame, or beside one another.
    fn arranged(&mut self, cells: &[&Element], framed: bool) {
        let first_words = cells.first().filter(|_| framed).map(|cell| cell.text()).unwrap_or_default();
        let depth = self.flow.begin_frame(&first_words);
        if self.flow.depth < MAX_NESTED {
            self.flow.depth += 1;
            for cell in cells {
                self.blocks(cell);
                self.flow.begin_outside();
            }
            self.flow.depth -= 1;
        }
        self.flow.writer.close_down_to(depth);
    }

    fn row<'e>(&mut self, row: &RowParts<'e>, hanging: &mut Vec<Hanging<'e>>) -> Row {
        let properties = row.element.child("w:trPr");
        let flag = |name: &str| {
            properties.and_then(|properties| properties.child(name)).is_some_and(|on| is_on(on.attribute("w:val")))
        };
        let skipped = |name: &str| {
            let cells = properties.and_then(|properties| properties.value(name, "w:val"));
            cells.and_then(|cells| cells.parse::<u16>().ok()).unwrap_or(0).min(MAX_SPAN)
        };
        let mut read = Row { repeated: flag("w:tblHeader"), ..Row::default() };
        if let Some(inserted) = properties.and_then(|properties| properties.child("w:ins")) {
            let mut inline = Inline::default();
            note_change(&mut inline, "inserted", inserted);
            read.change = inline.facts.changes.pop();
        }
        let mut column = 0;
        let before = skipped("w:gridBefore");
        if before > 0 {
            read.cells.push(Cell { colspan: before, rowspan: 1, ..Cell::default() });
            column = usize::from(before);
        }
        let page = self.page;
        for element in &row.cells {
            let mut cell = self.cell(element, &mut read, hanging);
            cell.column = column;
            column += usize::from(cell.colspan);
            read.cells.push(cell);
        }
        read.page = (self.page != page).then_some(self.page);
        read
    }

    fn cell<'e>(&mut self, element: &'e Element, row: &mut Row, hanging: &mut Vec<Hanging<'e>>) -> Cell {
        let properties = element.child("w:tcPr");
        let value = |name: &str| properties.and_then(|properties| properties.value(name, "w:val"));
        let merged = properties.and_then(|properties| properties.child("w:vMerge"));
        let shading = properties.and_then(|properties| properties.value("w:shd", "w:fill"));
        let mut cell = Cell {
            colspan: value("w:gridSpan").and_then(|span| span.parse().ok()).unwrap_or(1).clamp(1, MAX_SPAN),
            rowspan: 1,
            continued: merged.is_some_and(|merge| merge.attribute("w:val") != Some("restart")),
            shaded: shading.is_some_and(|fill| fill != "auto" && !fill.eq_ignore_ascii_case("ffffff")),
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
                "w:p" => {
                    let mut resolved = self.resolve(block);
                    let n_pages = resolved.inline.pages_before + resolved.inline.pages_within;
                    self.page = self.page.saturating_add(if self.parts.knows_pages { n_pages } else { 0 });
                    let objects = resolved.inline.before.drain(..).chain(resolved.inline.objects.drain(..));
                    hanging.extend(objects.map(Hanging::Object));
                    cell.take_facts(&mut resolved.inline.facts, row);
                    let text = lines(&resolved.inline.words.text);
                    if text.is_empty() {
                        continue;
                    }
                    cell.bold &= resolved.inline.words.is_bold();
                    match resolved.marker.map(|(_, _, marker)| marker.text).filter(|marker| !marker.is_empty()) {
                        Some(marker) => cell.push_line(&format!("{marker} {text}")),
                        None => cell.push_line(&text),
                    }
                }
                "w:tbl" => hanging.push(Hanging::Table(block)),
                "w:sdt" => {
                    if let Some(content) = block.child("w:sdtContent") {
                        self.cell_blocks(content, cell, row, hanging);
                    }
                }
                "w:customXml" | "w:ins" | "w:smartTag" => self.cell_blocks(block, cell, row, hanging),
                _ => {}
            }
        }
    }
}

/// A row's element and its cells, whatever stands around them.
struct RowParts<'e> {
    element: &'e Element,
    cells: Vec<&'e Element>,
}

/// The rows of a table that are not deleted.
fn rows(table: &Element) -> Vec<RowParts<'_>> {
    let mut rows = Vec::new();
    unwrapped(table, "w:tr", &mut rows);
    rows.retain(|row| row.child("w:trPr").is_none_or(|properties| properties.child("w:del").is_none()));
    let parts = rows.into_iter().map(|element| {
        let mut cells = Vec::new();
        unwrapped(element, "w:tc", &mut cells);
        RowParts { element, cells }
    });
    parts.filter(|row| !row.cells.is_empty()).collect()
}

/// The elements of a name in an element, and in the controls and marks around them.
fn unwrapped<'e>(element: &'e Element, name: &str, found: &mut Vec<&'e Element>) {
    for child in element.children() {
        match &*child.name {
            known if known == name => found.push(child),
            "w:sdt" | "w:sdtContent" | "w:customXml" | "w:ins" | "w:moveTo" | "w:smartTag" => {
                unwrapped(child, name, found);
            }
            _ => {}
        }
    }
}

/// The cells of a table that is a frame around something, or arranges pictures: a single cell, or a single one with
/// text in one row.
fn only_arranges<'e>(rows: &[RowParts<'e>]) -> Option<Vec<&'e Element>> {
    let [row] = rows else { return None };
    let worded = row.cells.iter().filter(|cell| !cell.text().trim().is_empty()).count();
    let has_table = row.cells.iter().any(|cell| cell.find("w:tbl").is_some());
    (row.cells.len() == 1 || (worded <= 1 && !has_table && row.cells.len() <= 3)).then(|| row.cells.clone())
}

/// Gives cells that go on with the one above to that one.
fn merge(rows: &mut [Row]) {
    // For every column the row and place of the cell that may go on below.
    let mut above: Vec<Option<(usize, usize)>> = Vec::new();
    for at in 0..rows.len() {
        for place in 0..rows[at].cells.len() {
            let (column, continued) = (rows[at].cells[place].column, rows[at].cells[place].continued);
            if above.len() <= column {
                above.resize(column + 1, None);
            }
            let owner = above[column].filter(|(row, owner)| {
                let cell = &rows[*row].cells[*owner];
                row + usize::from(cell.rowspan) == at && cell.colspan == rows[at].cells[place].colspan
            });
            match owner.filter(|_| continued) {
                Some((row, owner)) => {
                    rows[row].cells[owner].rowspan = rows[row].cells[owner].rowspan.saturating_add(1);
                    // Word shows nothing of what a merged cell held; it holds nothing as a rule.
                    let text = std::mem::take(&mut rows[at].cells[place].text);
                    if !text.is_empty() {
                        rows[row].cells[owner].push_line(&text);
                    }
                }
                None => {
                    rows[at].cells[place].continued = false;
                    above[column] = Some((at, place));
                }
            }
        }
    }
}

/// What a table's style says of its first row and column, as far as the table heeds it.
fn looks(properties: Option<&Element>, styles: &styles::Styles) -> Looks {
    let style = properties.and_then(|properties| properties.value("w:tblStyle", "w:val"));
    let Some(style) = style.and_then(|id| styles.get(id)) else { return Looks::default() };
    let look = properties.and_then(|properties| properties.child("w:tblLook"));
    let bits = look.and_then(|look| u16::from_str_radix(look.attribute("w:val")?, 16).ok()).unwrap_or(0x04a0);
    let on = |name: &str, bit: u16| {
        let own = look.and_then(|look| look.attribute(name)).map(|value| is_on(Some(value)));
        own.unwrap_or(bits & bit != 0)
    };
    Looks {
        first_row: style.first_row && on("w:firstRow", 0x20),
        first_column: style.first_column && on("w:firstColumn", 0x80),
    }
}
