//! Tables: rows that stand one after the other and say themselves how their cells are merged.

use crate::parse::flow::table::{Cell, MAX_SPAN, Row};

/// A row has no more cells.
const MAX_CELLS: usize = 1_000;

/// How a cell is drawn, said before its row's text or after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellShape {
    /// It goes on with the cell left of it, or with the one above.
    pub(super) after: bool,
    pub(super) below: bool,
    pub(super) shaded: bool,
    right: i32,
}

/// A table that is being read.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    cells: Vec<Cell>,
    /// The cell that is open.
    pub(super) cell: Cell,
    shapes: Vec<CellShape>,
    shape: CellShape,
    pub(super) is_header: bool,
    edges: Vec<Vec<i32>>,
}

impl Table {
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.cells.is_empty() && self.cell.text.is_empty()
    }

    /// `\trowd`: the shape of the next row begins.
    pub(super) fn define(&mut self) {
        self.shapes.clear();
        self.shape = CellShape::default();
        self.is_header = false;
    }

    pub(super) fn shape(&mut self) -> &mut CellShape {
        &mut self.shape
    }

    /// `\cellx2000`: a cell's shape ends at its right edge.
    pub(super) fn define_cell(&mut self, right: i32) {
        let shape = std::mem::take(&mut self.shape);
        if self.shapes.len() < MAX_CELLS {
            self.shapes.push(CellShape { right, ..shape });
        }
    }

    pub(super) fn end_cell(&mut self) {
        let cell = std::mem::take(&mut self.cell);
        if self.cells.len() < MAX_CELLS {
            self.cells.push(cell);
        }
    }

    pub(super) fn end_row(&mut self) {
        if !self.cell.text.is_empty() {
            self.end_cell();
        }
        let mut cells: Vec<Cell> = Vec::new();
        let mut edges = Vec::new();
        for (at, mut cell) in std::mem::take(&mut self.cells).into_iter().enumerate() {
            let shape = self.shapes.get(at).copied().unwrap_or_default();
            if shape.after
                && let Some(left) = cells.last_mut()
            {
                left.colspan = (left.colspan + 1).min(MAX_SPAN);
                if !cell.text.is_empty() {
                    left.push_line(&cell.text);
                }
                edges.pop();
            } else {
                (cell.colspan, cell.rowspan, cell.continued, cell.shaded) = (1, 1, shape.below, shape.shaded);
                cells.push(cell);
            }
            edges.push(shape.right);
        }
        if !cells.is_empty() {
            self.rows.push(Row { cells, repeated: self.is_header, ..Row::default() });
            self.edges.push(edges);
        }
    }

    /// The rows with the columns of their cells: edges that any row has part columns.
    pub(super) fn finish(mut self) -> Vec<Row> {
        if !self.cells.is_empty() || !self.cell.text.is_empty() {
            self.end_row();
        }
        let mut edges: Vec<i32> = self.edges.iter().flatten().copied().filter(|edge| *edge > 0).collect();
        edges.sort_unstable();
        // Edges of rows that were drawn by hand are some twips apart.
        edges.dedup_by(|next, kept| (*next).saturating_sub(*kept) < 60);
        let column_after = |edge: i32| edges.partition_point(|known| known.saturating_add(60) <= edge) + 1;
        for (row, rights) in self.rows.iter_mut().zip(&self.edges) {
            let mut column = 0;
            for (cell, right) in row.cells.iter_mut().zip(rights) {
                cell.column = column;
                let end =
                    if *right > 0 { column_after(*right).max(column + 1) } else { column + usize::from(cell.colspan) };
                cell.colspan = u16::try_from(end - column).unwrap_or(MAX_SPAN).min(MAX_SPAN);
                column = end;
            }
        }
        merge_down(&mut self.rows);
        self.rows
    }
}

/// Gives cells that go on below the number of rows they take.
fn merge_down(rows: &mut [Row]) {
    // Of every column the row in which the cell that may go on stands.
    let mut open: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    for at in 0..rows.len() {
        for n in 0..rows[at].cells.len() {
            let (column, continued) = (rows[at].cells[n].column, rows[at].cells[n].continued);
            match open.get(&column).copied().filter(|_| continued) {
                Some(above) => {
                    if let Some(cell) = rows[above].cells.iter_mut().find(|cell| cell.column == column) {
                        cell.rowspan = u16::try_from(at - above + 1).unwrap_or(u16::MAX);
                    }
                }
                None => {
                    rows[at].cells[n].continued = false;
                    open.insert(column, at);
                }
            }
        }
    }
}
