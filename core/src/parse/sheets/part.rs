//! A rectangle of a grid and what is in it.

use super::grid::{Grid, GridCell};
use crate::document::CellRange;

/// A view of some cells of a sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'g> {
    pub(super) grid: &'g Grid,
    pub(super) cells: CellRange,
}

impl<'g> Part<'g> {
    /// The filled cells of a row of the sheet that stand in this part.
    pub(super) fn row(self, row: u32) -> impl DoubleEndedIterator<Item = &'g GridCell> + Clone {
        let cells = self.grid.row(row);
        let from = cells.partition_point(|cell| cell.column < self.cells.first_column);
        let rest = &cells[from..];
        let n = rest.partition_point(|cell| cell.column <= self.cells.last_column);
        rest[..n].iter().filter(|cell| cell.is_filled())
    }

    /// The numbers of its rows.
    pub(super) fn rows(self) -> std::ops::RangeInclusive<u32> {
        self.cells.first_row..=self.cells.last_row
    }

    /// Number of rows.
    pub(super) fn n_rows(self) -> u32 {
        self.cells.last_row - self.cells.first_row + 1
    }

    /// Number of columns.
    pub(super) fn n_columns(self) -> u32 {
        self.cells.last_column - self.cells.first_column + 1
    }

    /// The cell at a place of the sheet, if it is filled.
    pub(super) fn cell(self, row: u32, column: u32) -> Option<&'g GridCell> {
        let cells = self.grid.row(row);
        let at = cells.binary_search_by_key(&column, |cell| cell.column).ok()?;
        cells.get(at).filter(|cell| cell.is_filled())
    }

    /// The merge that begins at a place.
    pub(super) fn merge_at(self, row: u32, column: u32) -> Option<CellRange> {
        let merges = &self.grid.merges;
        let at = merges.binary_search_by_key(&(row, column), |merge| (merge.first_row, merge.first_column)).ok()?;
        merges.get(at).copied()
    }

    /// The only filled cell of a row, if it is the only one and nothing but it is to be seen there.
    pub(super) fn lone(self, row: u32) -> Option<&'g GridCell> {
        let mut cells = self.row(row);
        let first = cells.next()?;
        cells.next().is_none().then_some(first)
    }

    /// The same part with other rows.
    pub(super) fn with_rows(self, first_row: u32, last_row: u32) -> Self {
        Self { cells: CellRange { first_row, last_row, ..self.cells }, ..self }
    }
}
