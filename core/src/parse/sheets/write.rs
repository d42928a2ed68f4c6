//! A sheet's parts as nodes.

use super::{
    blocks::{self, Block, TableBlock},
    grid::{Grid, GridCell, GridFigure},
    header,
    part::Part,
};
use crate::{
    document::{CellRange, DocumentBuilder, NodeId, NodeKind, facts},
    host::Progress,
    parse::{MAX_NODES, ParseError, tick, unit},
    text::collapse_whitespace,
};
use std::collections::BTreeMap;

/// Facts take more room than the text they stand beside; beyond this many only hidden things are marked.
const MAX_FACTS: usize = MAX_NODES / 4;

/// Rows between two reports.
const ROWS_PER_TICK: u32 = 512;

/// Writes sheets below the root of a document.
#[derive(Debug)]
pub(super) struct SheetWriter {
    pub(super) builder: DocumentBuilder,
    /// Rows for which there was no room.
    pub(super) n_rows_left_out: u64,
    n_facts: usize,
}

impl SheetWriter {
    pub(super) fn new(builder: DocumentBuilder) -> Self {
        Self { builder, n_rows_left_out: 0, n_facts: 0 }
    }

    /// Whether no more nodes may be added.
    pub(super) fn is_full(&self) -> bool {
        self.builder.n_nodes() >= MAX_NODES
    }

    /// Writes the parts of a sheet into the section that is open.
    ///
    /// # Errors
    /// [`ParseError::Cancelled`] alone.
    pub(super) fn sheet(&mut self, grid: &Grid, progress: &mut dyn Progress) -> Result<(), ParseError> {
        let mut figures = grid.figures.iter().peekable();
        for block in blocks::find(grid) {
            let top = match &block {
                Block::Table(table) => table.cells.first_row,
                Block::Pairs(cells) | Block::Line(cells) => cells.first_row,
            };
            while let Some(figure) = figures.next_if(|figure| figure.cells.first_row < top) {
                self.figure(figure);
            }
            self.block(grid, &block, progress)?;
        }
        figures.for_each(|figure| self.figure(figure));
        for comment in &grid.comments {
            let place = CellRange::cell(comment.row, comment.column);
            let text = match comment.author.trim() {
                "" => comment.text.clone(),
                author => format!("{author}: {}", comment.text),
            };
            if let Some(node) = self.leaf(NodeKind::Comment, &text, place) {
                self.builder.node_metadata(node, facts::MARK, &place.to_string());
            }
        }
        Ok(())
    }

    fn block(&mut self, grid: &Grid, block: &Block<'_>, progress: &mut dyn Progress) -> Result<(), ParseError> {
        match block {
            Block::Table(table) => self.table(grid, table, progress)?,
            Block::Line(cells) => {
                let part = Part { grid, cells: *cells };
                let texts: Vec<&str> = part.row(cells.first_row).map(|cell| cell.text.trim()).collect();
                let node = self.leaf(NodeKind::Paragraph, &texts.join(" "), *cells);
                if let (Some(node), Some(cell)) = (node, part.lone(cells.first_row)) {
                    self.facts(node, cell, None);
                    self.hidden(node, grid, cell.row, Some(cell.column));
                }
            }
            Block::Pairs(cells) => self.pairs(Part { grid, cells: *cells }),
        }
        Ok(())
    }

    fn leaf(&mut self, kind: NodeKind, text: &str, cells: CellRange) -> Option<NodeId> {
        if self.is_full() || text.is_empty() {
            return None;
        }
        let node = self.builder.leaf(kind, text);
        self.builder.cells(node, cells);
        Some(node)
    }

    fn figure(&mut self, figure: &GridFigure) {
        if self.is_full() {
            return;
        }
        let node = self.builder.open(NodeKind::Figure, &figure.text);
        self.builder.cells(node, figure.cells);
        self.leaf(NodeKind::Caption, &figure.title, figure.cells);
        self.builder.close();
    }

    /// "Customer: | ACME | Date: | 2026-11-30" is two keys with their values.
    fn pairs(&mut self, part: Part<'_>) {
        let mut cells = part.row(part.cells.first_row).peekable();
        while let Some(key) = cells.next() {
            let name = collapse_whitespace(key.text.trim().trim_end_matches([':', '：']));
            let is_key = |cell: &&GridCell| cell.text.trim_end().ends_with([':', '：']);
            let Some(value) = cells.next_if(|cell| !is_key(cell)) else {
                self.leaf(NodeKind::Paragraph, key.text.trim(), CellRange::cell(key.row, key.column));
                continue;
            };
            let place = CellRange { last_column: value.column, ..CellRange::cell(key.row, key.column) };
            if let Some(node) = self.leaf(NodeKind::KeyValue, &format!("{name}: {}", value.text.trim()), place) {
                let unit = unit::in_header(&name);
                self.facts(node, value, unit.as_deref());
                self.hidden(node, part.grid, key.row, Some(value.column));
            }
        }
    }

    fn table(&mut self, grid: &Grid, table: &TableBlock<'_>, progress: &mut dyn Progress) -> Result<(), ParseError> {
        if self.is_full() {
            self.n_rows_left_out += u64::from(table.cells.last_row - table.cells.first_row) + 1;
            return Ok(());
        }
        let part = Part { grid, cells: table.cells };
        let title = table.title.and_then(|(row, column)| {
            let place = CellRange::cell(row, column);
            (Part { grid, cells: place }).cell(row, column).map(|cell| collapse_whitespace(&cell.text))
        });
        let node = self.builder.open(NodeKind::Table, title.as_deref().unwrap_or_default());
        self.builder.cells(node, table.cells);
        if let Some(declared) = table.declared.filter(|declared| !declared.name.is_empty()) {
            self.builder.node_metadata(node, "name", &declared.name);
        }
        let body = part.cells.first_row + table.n_header_rows;
        let units = units(part, body);
        let mut covered: BTreeMap<u32, u32> = BTreeMap::new();
        for row in part.rows() {
            if row.is_multiple_of(ROWS_PER_TICK) {
                tick(progress, row, part.cells.last_row)?;
            }
            // A row covered by merges from above still stands for itself.
            let is_covered = covered.values().any(|last| *last >= row);
            if !is_covered && part.row(row).next().is_none() {
                continue;
            }
            let is_header = row < body;
            let room = MAX_NODES.saturating_sub(self.builder.n_nodes());
            if room <= part.n_columns() as usize {
                self.n_rows_left_out += u64::from(part.cells.last_row - row) + 1;
                break;
            }
            let is_declared_total =
                table.declared.is_some_and(|declared| part.cells.last_row - row < declared.n_total_rows);
            let node = self.builder.open(NodeKind::Row { header: is_header }, "");
            self.builder.cells(node, CellRange { first_row: row, last_row: row, ..part.cells });
            if !is_header && (is_declared_total || header::is_total(part, row)) {
                self.builder.node_metadata(node, facts::TOTAL, "yes");
            }
            self.hidden(node, grid, row, None);
            self.row(part, row, is_header, &units, &mut covered);
            self.builder.close();
        }
        self.builder.close();
        Ok(())
    }

    /// The cells of a row, blank ones too, so that the nth cell stands below the nth name.
    fn row(
        &mut self,
        part: Part<'_>,
        row: u32,
        is_header: bool,
        units: &BTreeMap<u32, String>,
        covered: &mut BTreeMap<u32, u32>,
    ) {
        let mut column = part.cells.first_column;
        while column <= part.cells.last_column {
            if covered.get(&column).is_some_and(|last| *last >= row) {
                column += 1;
                continue;
            }
            let place = CellRange::cell(row, column);
            let merge = part.merge_at(row, column).map_or(place, |merge| CellRange {
                last_row: merge.last_row.min(part.cells.last_row),
                last_column: merge.last_column.min(part.cells.last_column),
                ..place
            });
            if merge.last_row > row {
                for column in merge.first_column..=merge.last_column {
                    covered.insert(column, merge.last_row);
                }
            }
            let span = |first: u32, last: u32| u16::try_from(last - first + 1).unwrap_or(u16::MAX);
            let (colspan, rowspan) = (span(column, merge.last_column), span(row, merge.last_row));
            let cell = part.cell(row, column);
            let text = cell.map_or("", |cell| cell.text.as_str());
            let node = self.builder.leaf(NodeKind::Cell { header: is_header, colspan, rowspan }, text);
            self.builder.cells(node, merge);
            if let Some(cell) = cell {
                let unit = units.get(&column).filter(|_| !cell.is_wordy() || is_header);
                self.facts(node, cell, unit.map(String::as_str));
            }
            self.hidden(node, part.grid, u32::MAX, Some(column));
            column = merge.last_column.saturating_add(1);
        }
    }

    /// Stored value, formula, link and unit. The unit of the number's own format goes before that of its column.
    fn facts(&mut self, node: NodeId, cell: &GridCell, column_unit: Option<&str>) {
        if self.n_facts >= MAX_FACTS {
            return;
        }
        let own = cell.facts.as_deref();
        let unit = own.and_then(|facts| facts.unit.as_deref()).or(column_unit);
        let formula = own.and_then(|facts| facts.formula.as_deref());
        let link = own.and_then(|facts| facts.link.as_deref());
        let stored = own.and_then(|facts| facts.value.as_deref());
        let all = [(facts::UNIT, unit), (facts::VALUE, stored), (facts::FORMULA, formula), (facts::LINK, link)];
        for (key, value) in all {
            if let Some(value) = value {
                self.builder.node_metadata(node, key, value);
                self.n_facts += 1;
            }
        }
    }

    fn hidden(&mut self, node: NodeId, grid: &Grid, row: u32, column: Option<u32>) {
        if grid.is_hidden_row(row) {
            self.builder.node_metadata(node, facts::HIDDEN, "row");
        } else if column.is_some_and(|column| grid.is_hidden_column(column)) {
            self.builder.node_metadata(node, facts::HIDDEN, "column");
        }
    }
}

/// What the names of the columns say that the values below are in.
fn units(part: Part<'_>, body: u32) -> BTreeMap<u32, String> {
    let mut units = BTreeMap::new();
    for row in part.cells.first_row..body {
        for cell in part.row(row) {
            let bare = cell.text.trim().trim_matches(['[', ']', '(', ')']);
            // A row of units stands below the names, never first.
            let alone = || unit::known(bare).filter(|_| row > part.cells.first_row);
            let Some(unit) = unit::in_header(&cell.text).or_else(alone) else { continue };
            let last = part.merge_at(row, cell.column).map_or(cell.column, |merge| merge.last_column);
            for column in cell.column..=last.min(part.cells.last_column) {
                units.insert(column, unit.clone());
            }
        }
    }
    units
}
