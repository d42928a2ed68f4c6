//! Tables of word processors: which rows name the columns, and tables that only look like one.

use super::{Facts, Flow};
use crate::{
    document::{NodeKind, facts},
    parse::admonition,
};
use std::collections::BTreeMap;

/// The most columns that a cell may span, as in HTML.
pub(in crate::parse) const MAX_SPAN: u16 = 1000;
/// Tables inside one another; deeper ones are left out.
pub(in crate::parse) const MAX_NESTED: usize = 12;

/// A cell as read.
#[derive(Debug, Default)]
pub(in crate::parse) struct Cell {
    pub(in crate::parse) text: String,
    /// Its first column, from 0.
    pub(in crate::parse) column: usize,
    pub(in crate::parse) colspan: u16,
    pub(in crate::parse) rowspan: u16,
    /// It goes on with the cell above and is none itself.
    pub(in crate::parse) continued: bool,
    pub(in crate::parse) bold: bool,
    pub(in crate::parse) shaded: bool,
    pub(in crate::parse) facts: Facts,
}

impl Cell {
    /// What it takes in memory, about.
    pub(in crate::parse) fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.text.len()
    }

    /// Adds a line to its text.
    pub(in crate::parse) fn push_line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
    }

    /// Takes over what is known of a paragraph in it; the names by which links reach it become its row's.
    pub(in crate::parse) fn take_facts(&mut self, facts: &mut Facts, row: &mut Row) {
        self.facts.changes.append(&mut facts.changes);
        self.facts.links.append(&mut facts.links);
        row.anchors.append(&mut facts.anchors);
    }
}

/// A row as read.
#[derive(Debug, Default)]
pub(in crate::parse) struct Row {
    pub(in crate::parse) cells: Vec<Cell>,
    /// It is printed again on every page.
    pub(in crate::parse) repeated: bool,
    pub(in crate::parse) anchors: Vec<String>,
    pub(in crate::parse) change: Option<String>,
    /// The page it begins on, where it is another than the row's before.
    pub(in crate::parse) page: Option<u32>,
}

/// What a table's style says of its first row and column.
#[derive(Debug, Default)]
pub(in crate::parse) struct Looks {
    pub(in crate::parse) first_row: bool,
    pub(in crate::parse) first_column: bool,
}

impl Flow<'_> {
    /// Writes a table, or the warning that is drawn as one.
    pub(in crate::parse) fn table(&mut self, caption: &str, rows: &[Row], looks: &Looks) {
        if rows.iter().all(|row| row.cells.is_empty()) {
            return;
        }
        self.begin_outside();
        if let Some(kind) = labelled(rows) {
            self.drawn_warning(kind, rows);
            return;
        }
        let node = self.writer.open_as(NodeKind::Table, caption, None);
        let n_headers = headers(rows, looks);
        for (at, row) in rows.iter().enumerate() {
            if self.writer.is_full() {
                break;
            }
            if let Some(page) = row.page {
                self.writer.builder().page(page);
            }
            if let Some(anchor) = row.anchors.last() {
                self.writer.anchor(anchor);
            }
            if let Some(change) = &row.change {
                self.writer.fact(facts::CHANGE, change);
            }
            let header = at < n_headers;
            self.writer.open_as(NodeKind::Row { header }, "", None);
            for cell in row.cells.iter().filter(|cell| !cell.continued) {
                let names_row = looks.first_column && cell.column == 0;
                self.say(&cell.facts);
                let (colspan, rowspan) = (cell.colspan.max(1), cell.rowspan.max(1));
                self.writer.leaf(NodeKind::Cell { header: header || names_row, colspan, rowspan }, &cell.text, None);
            }
            self.writer.close();
        }
        self.writer.close();
        self.table_ended(node, !caption.is_empty());
    }

    /// The signal word or a sign stands in one cell, the text in another.
    fn drawn_warning(&mut self, kind: NodeKind, rows: &[Row]) {
        let texts = rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.as_str());
        let mut texts = texts.filter(|text| !text.is_empty()).flat_map(str::lines);
        self.writer.open_as(kind, texts.next().unwrap_or_default(), None);
        texts.for_each(|text| self.writer.leaf(NodeKind::Paragraph, text, None));
        self.writer.close();
    }

    /// Begins the content of a table that only frames or arranges; a frame may be a warning as a whole.
    pub(in crate::parse) fn begin_frame(&mut self, first_words: &str) -> usize {
        self.begin_outside();
        let depth = self.writer.depth();
        if let Some(label) = admonition::recognise(first_words.trim()).filter(|label| !label.alone) {
            self.writer.open(label.kind, None);
        }
        depth
    }
}

/// A signal word alone in the first cell of a small table makes a warning of the whole.
fn labelled(rows: &[Row]) -> Option<NodeKind> {
    let n_cells: usize = rows.iter().map(|row| row.cells.len()).sum();
    let mut worded = rows.iter().flat_map(|row| &row.cells).filter(|cell| !cell.text.is_empty());
    let first = worded.next().filter(|_| n_cells <= 4)?;
    let label = admonition::recognise(&first.text).filter(|label| label.alone)?;
    // A table of several columns whose first is called "Note" is a table.
    let n_others = worded.count();
    (n_others == 1 || (n_others == 2 && rows.iter().all(|row| row.cells.len() == 1))).then_some(label.kind)
}

/// How many rows name the columns: those that are repeated, or the first if it is set apart from the others.
fn headers(rows: &[Row], looks: &Looks) -> usize {
    let repeated = rows.iter().take_while(|row| row.repeated).count();
    if repeated > 0 {
        // A table that repeats all its rows has no header.
        return if repeated < rows.len() { repeated } else { 0 };
    }
    let [first, rest @ ..] = rows else { return 0 };
    if rest.is_empty() {
        return 0;
    }
    let own = |row: &Row, holds: fn(&Cell) -> bool| {
        let mut filled = row.cells.iter().filter(|cell| !cell.continued && !cell.text.is_empty()).peekable();
        filled.peek().is_some() && filled.all(holds)
    };
    let set_apart = |holds: fn(&Cell) -> bool| own(first, holds) && !rest.iter().all(|row| own(row, holds));
    let stands_out = looks.first_row || set_apart(|cell| cell.bold) || set_apart(|cell| cell.shaded);
    if stands_out || names_columns(first, rest) {
        // A header cell that reaches down makes the rows that it reaches headers, too.
        let reach = first.cells.iter().map(|cell| usize::from(cell.rowspan)).max().unwrap_or(1);
        let whole = first.cells.iter().all(|cell| usize::from(cell.rowspan.max(1)) == reach.max(1));
        return if whole { 1 } else { reach.clamp(1, rows.len() - 1) };
    }
    0
}

/// Whether a first row of plain words stands over a column of figures.
fn names_columns(first: &Row, rest: &[Row]) -> bool {
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let is_name = |cell: &Cell| !cell.text.is_empty() && cell.text.len() < 60 && !has_digit(&cell.text);
    // By column: cells with a figure, and all that are filled. One pass: a table may have as many columns as rows.
    let mut below: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for cell in rest.iter().flat_map(|row| &row.cells).filter(|cell| !cell.text.is_empty()) {
        let (n_figures, n_filled) = below.entry(cell.column).or_default();
        *n_figures += usize::from(has_digit(&cell.text));
        *n_filled += 1;
    }
    let over_figures = |head: &Cell| {
        let (n_figures, n_filled) = below.get(&head.column).copied().unwrap_or_default();
        n_filled >= 2 && n_figures * 4 >= n_filled * 3
    };
    first.cells.len() > 1 && first.cells.iter().all(is_name) && first.cells.iter().any(over_figures)
}
