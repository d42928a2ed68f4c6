//! Tables: merged cells, header rows, nested tables, and tables that are only boxes.

use super::{block::is_bold, inline::Object, reader::Reader, styles::is_on};
use crate::{
    document::{NodeKind, facts},
    parse::{
        admonition,
        flow::{Facts, lines},
        markup::Element,
    },
};

/// The most columns that a cell may span, as in HTML.
const MAX_SPAN: u16 = 1000;
/// Tables inside one another; deeper ones are read as text of their cell.
const MAX_NESTED: usize = 12;

/// A cell as read.
#[derive(Debug, Default)]
struct Cell<'e> {
    text: String,
    column: usize,
    colspan: u16,
    rowspan: u16,
    /// It goes on with the cell above.
    continued: bool,
    bold: bool,
    shaded: bool,
    /// What a box, picture or note in it is, written after the table.
    objects: Vec<Object<'e>>,
    tables: Vec<&'e Element>,
    facts: Facts,
}

#[derive(Debug, Default)]
struct Row<'e> {
    cells: Vec<Cell<'e>>,
    /// It is printed again on every page.
    repeated: bool,
    anchors: Vec<String>,
    change: Option<String>,
    page: u32,
}

impl Reader<'_> {
    /// Reads a table.
    pub(super) fn table(&mut self, table: &Element) {
        let rows = rows(table);
        if let Some(cells) = only_arranges(&rows) {
            let framed = rows.len() == 1 && cells.len() == 1;
            self.arranged(&cells, framed);
            return;
        }
        let caption = self.flow.table_caption();
        self.flow.begin_outside();
        let mut read: Vec<Row<'_>> = rows.iter().map(|row| self.row(row)).collect();
        merge(&mut read);
        if let Some(kind) = labelled(&read) {
            self.warning(kind, &read);
        } else {
            self.write(table, caption, &read);
        }
        for cell in read.iter().flat_map(|row| &row.cells) {
            cell.objects.iter().for_each(|object| self.object(object));
            self.flow.depth += 1;
            if self.flow.depth < MAX_NESTED {
                cell.tables.iter().for_each(|table| self.table(table));
            }
            self.flow.depth -= 1;
        }
    }

    fn write(&mut self, table: &Element, caption: Option<String>, rows: &[Row<'_>]) {
        let n_columns =
            rows.iter().flat_map(|row| &row.cells).map(|cell| cell.column + usize::from(cell.colspan)).max();
        if n_columns.is_none() {
            return;
        }
        let properties = table.child("w:tblPr");
        let described = properties.and_then(|properties| properties.value("w:tblCaption", "w:val"));
        let text = caption.as_deref().or(described).unwrap_or_default();
        let node = self.flow.writer.open_as(NodeKind::Table, text, None);
        let looks = Looks::of(properties, &self.parts.styles);
        let n_headers = headers(rows, &looks);
        for (at, row) in rows.iter().enumerate() {
            if self.flow.writer.is_full() {
                break;
            }
            if row.page > 0 {
                self.turn_pages(row.page);
            }
            if let Some(anchor) = row.anchors.last() {
                self.flow.writer.anchor(anchor);
            }
            if let Some(change) = &row.change {
                self.flow.writer.fact(facts::CHANGE, change);
            }
            let header = at < n_headers;
            self.flow.writer.open_as(NodeKind::Row { header }, "", None);
            for cell in row.cells.iter().filter(|cell| !cell.continued) {
                let names_row = looks.first_column && cell.column == 0;
                self.flow.say(&cell.facts);
                let kind =
                    NodeKind::Cell { header: header || names_row, colspan: cell.colspan, rowspan: cell.rowspan.max(1) };
                self.flow.writer.leaf(kind, &cell.text, None);
            }
            self.flow.writer.close();
        }
        self.flow.writer.close();
        self.flow.table_ended(node, !text.is_empty());
    }

    /// A warning that is drawn as a table: the signal word or a sign in one cell, the text in the other.
    fn warning(&mut self, kind: NodeKind, rows: &[Row<'_>]) {
        let texts =
            rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.as_str()).filter(|text| !text.is_empty());
        let mut texts = texts.flat_map(str::lines);
        self.flow.writer.open_as(kind, texts.next().unwrap_or_default(), None);
        texts.for_each(|text| self.flow.writer.leaf(NodeKind::Paragraph, text, None));
        self.flow.writer.close();
    }

    /// The content of cells that only stand where they stand: in a frame, or beside one another.
    fn arranged(&mut self, cells: &[&Element], framed: bool) {
        self.flow.begin_outside();
        let first_words = cells.first().map(|cell| cell.text()).filter(|_| framed);
        let label = first_words.and_then(|text| admonition::recognise(text.trim()));
        let depth = self.flow.writer.depth();
        if let Some(label) = label.filter(|label| !label.alone) {
            self.flow.writer.open(label.kind, None);
        }
        self.flow.depth += 1;
        if self.flow.depth < MAX_NESTED {
            for cell in cells {
                self.blocks(cell);
                self.flow.begin_outside();
            }
        }
        self.flow.depth -= 1;
        self.flow.writer.close_down_to(depth);
    }

    fn row<'e>(&mut self, row: &RowParts<'e>) -> Row<'e> {
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
            let mut inline = super::inline::Inline::default();
            super::inline::note_change(&mut inline, "inserted", inserted);
            read.change = inline.facts.changes.pop();
        }
        let mut column = 0;
        let before = skipped("w:gridBefore");
        if before > 0 {
            read.cells.push(Cell { colspan: before, ..Cell::default() });
            column = usize::from(before);
        }
        for element in &row.cells {
            let mut cell = self.cell(element, &mut read);
            cell.column = column;
            column += usize::from(cell.colspan);
            read.cells.push(cell);
        }
        read
    }

    fn cell<'e>(&mut self, element: &'e Element, row: &mut Row<'e>) -> Cell<'e> {
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
        let mut texts = Vec::new();
        self.flow.depth += 1;
        self.cell_blocks(element, &mut cell, row, &mut texts);
        self.flow.depth -= 1;
        cell.text = texts.join("\n");
        cell.bold &= !cell.text.is_empty();
        cell
    }

    fn cell_blocks<'e>(
        &mut self,
        blocks: &'e Element,
        cell: &mut Cell<'e>,
        row: &mut Row<'e>,
        texts: &mut Vec<String>,
    ) {
        for block in blocks.children() {
            match &*block.name {
                "w:p" => {
                    let mut resolved = self.resolve(block);
                    row.page += resolved.inline.pages_before + resolved.inline.pages_within;
                    cell.objects.append(&mut resolved.inline.before);
                    cell.objects.append(&mut resolved.inline.objects);
                    cell.facts.changes.append(&mut resolved.inline.facts.changes);
                    cell.facts.links.append(&mut resolved.inline.facts.links);
                    row.anchors.append(&mut resolved.inline.facts.anchors);
                    let text = lines(&resolved.inline.text);
                    if text.is_empty() {
                        continue;
                    }
                    cell.bold &= is_bold(&resolved.inline);
                    let marker = resolved.marker.map(|(_, _, marker)| marker.text).filter(|marker| !marker.is_empty());
                    texts.push(marker.map_or(text.clone(), |marker| format!("{marker} {text}")));
                }
                "w:tbl" => cell.tables.push(block),
                "w:sdt" => {
                    if let Some(content) = block.child("w:sdtContent") {
                        self.cell_blocks(content, cell, row, texts);
                    }
                }
                "w:customXml" | "w:ins" | "w:smartTag" => self.cell_blocks(block, cell, row, texts),
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
fn merge(rows: &mut [Row<'_>]) {
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
                        let owner = &mut rows[row].cells[owner].text;
                        owner.push_str(if owner.is_empty() { "" } else { "\n" });
                        owner.push_str(&text);
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

/// A signal word alone in the first cell of a small table makes a warning of the whole.
fn labelled(rows: &[Row<'_>]) -> Option<NodeKind> {
    let n_cells: usize = rows.iter().map(|row| row.cells.len()).sum();
    let mut worded = rows.iter().flat_map(|row| &row.cells).filter(|cell| !cell.text.is_empty());
    let first = worded.next().filter(|_| n_cells <= 4)?;
    let label = admonition::recognise(&first.text).filter(|label| label.alone)?;
    // A table of several columns whose first is called "Note" is a table.
    let rest: Vec<&Cell<'_>> = worded.collect();
    (rest.len() == 1 || (rest.len() == 2 && rows.iter().all(|row| row.cells.len() == 1))).then_some(label.kind)
}

/// What a table's style says of its first row and column.
#[derive(Debug, Default)]
struct Looks {
    first_row: bool,
    first_column: bool,
}

impl Looks {
    fn of(properties: Option<&Element>, styles: &super::styles::Styles) -> Self {
        let style = properties.and_then(|properties| properties.value("w:tblStyle", "w:val"));
        let Some(style) = style.and_then(|id| styles.get(id)) else { return Self::default() };
        let look = properties.and_then(|properties| properties.child("w:tblLook"));
        let bits = look.and_then(|look| u16::from_str_radix(look.attribute("w:val")?, 16).ok()).unwrap_or(0x04a0);
        let on = |name: &str, bit: u16| {
            let own = look.and_then(|look| look.attribute(name)).map(|value| is_on(Some(value)));
            own.unwrap_or(bits & bit != 0)
        };
        Self {
            first_row: style.first_row && on("w:firstRow", 0x20),
            first_column: style.first_column && on("w:firstColumn", 0x80),
        }
    }
}

/// How many rows name the columns: those that are repeated, or the first if it is set apart from the others.
fn headers(rows: &[Row<'_>], looks: &Looks) -> usize {
    let repeated = rows.iter().take_while(|row| row.repeated).count();
    if repeated > 0 {
        // A table that repeats all its rows has no header.
        return if repeated < rows.len() { repeated } else { 0 };
    }
    let [first, rest @ ..] = rows else { return 0 };
    if rest.is_empty() {
        return 0;
    }
    let own = |row: &Row<'_>, holds: fn(&Cell<'_>) -> bool| {
        let mut filled = row.cells.iter().filter(|cell| !cell.continued && !cell.text.is_empty()).peekable();
        filled.peek().is_some() && filled.all(holds)
    };
    let set_apart = |holds: fn(&Cell<'_>) -> bool| own(first, holds) && !rest.iter().all(|row| own(row, holds));
    let stands_out = looks.first_row || set_apart(|cell| cell.bold) || set_apart(|cell| cell.shaded);
    if stands_out || names_columns(first, rest) {
        // A cell that reaches down from the header makes the rows it reaches headers, too.
        let reach = first.cells.iter().map(|cell| usize::from(cell.rowspan)).max().unwrap_or(1).min(rows.len() - 1);
        let whole = first.cells.iter().all(|cell| usize::from(cell.rowspan) == reach);
        return if whole { 1 } else { reach.max(1) };
    }
    0
}

/// Whether a first row of plain words stands over a column of figures.
fn names_columns(first: &Row<'_>, rest: &[Row<'_>]) -> bool {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let named = first.cells.len() > 1
        && first.cells.iter().all(|cell| !cell.text.is_empty() && cell.text.len() < 60 && !has_digit(&cell.text));
    named
        && first.cells.iter().any(|head| {
            let below = rest.iter().flat_map(|row| &row.cells).filter(|cell| cell.column == head.column);
            let (n_figures, n_filled) = below
                .filter(|cell| !cell.text.is_empty())
                .fold((0, 0), |(figures, all), cell| (figures + usize::from(has_digit(&cell.text)), all + 1));
            n_filled >= 2 && n_figures * 4 >= n_filled * 3
        })
}
