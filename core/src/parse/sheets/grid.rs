//! A sheet as its reader found it: filled cells with their looks, merges, and what the file says of rows and ranges.
//!
//! Not a table yet: where the tables are, [`super::regions`] finds out.

use crate::document::CellRange;

/// Cells of a sheet, filled or at least framed.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    /// By row, then column, each place once; [`sort`](Self::sort) sees to it.
    pub(crate) cells: Vec<GridCell>,
    /// Cells that are shown as one.
    pub(crate) merges: Vec<CellRange>,
    /// Rows that are not shown, first and last.
    pub(crate) hidden_rows: Vec<(u32, u32)>,
    /// Columns that are not shown, first and last.
    pub(crate) hidden_columns: Vec<(u32, u32)>,
    /// Ranges that the file itself calls tables.
    pub(crate) tables: Vec<DeclaredTable>,
    /// Rows that stay in view while a person scrolls.
    pub(crate) frozen_rows: u32,
    /// The range with filter buttons in its first row.
    pub(crate) filter: Option<CellRange>,
    /// Remarks on cells.
    pub(crate) comments: Vec<GridComment>,
    /// Pictures and charts.
    pub(crate) figures: Vec<GridFigure>,
}

/// One cell.
#[derive(Debug, Default)]
pub(crate) struct GridCell {
    pub(crate) row: u32,
    pub(crate) column: u32,
    /// As a person sees it; empty where the cell is only framed.
    pub(crate) text: String,
    pub(crate) value: ValueKind,
    pub(crate) look: Look,
    pub(crate) facts: Option<Box<CellFacts>>,
}

/// What most cells do not have.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellFacts {
    /// The formula whose value is shown, without its equals sign.
    pub(crate) formula: Option<String>,
    /// Where it leads.
    pub(crate) link: Option<String>,
    /// The unit that its number format names.
    pub(crate) unit: Option<String>,
    /// What is stored, where another thing is shown.
    pub(crate) value: Option<String>,
}

/// What a cell's value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Words.
    #[default]
    Text,
    /// A number, percentage or sum.
    Number,
    /// A date or time.
    Date,
    /// True or false.
    Truth,
    /// `#DIV/0!` and its like.
    Error,
}

/// How a cell looks, as far as headers and frames are told by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) bold: bool,
    /// Its ground has a colour.
    pub(crate) filled: bool,
    /// It has lines around it.
    pub(crate) framed: bool,
}

/// A range that the file calls a table.
#[derive(Debug)]
pub(crate) struct DeclaredTable {
    pub(crate) name: String,
    pub(crate) cells: CellRange,
    pub(crate) n_header_rows: u32,
    pub(crate) n_total_rows: u32,
}

/// A remark on a cell.
#[derive(Debug)]
pub(crate) struct GridComment {
    pub(crate) row: u32,
    pub(crate) column: u32,
    pub(crate) author: String,
    pub(crate) text: String,
}

/// A picture or chart.
#[derive(Debug)]
pub(crate) struct GridFigure {
    /// The cells that it covers.
    pub(crate) cells: CellRange,
    /// Its alternative text, or the names of what a chart shows.
    pub(crate) text: String,
    /// What stands above a chart.
    pub(crate) title: String,
}

impl Grid {
    /// Brings the cells into order. Of several at one place the last is kept, as programs do.
    pub(crate) fn sort(&mut self) {
        let key = |cell: &GridCell| (cell.row, cell.column);
        if !self.cells.is_sorted_by(|a, b| key(a) < key(b)) {
            self.cells.sort_by_key(key);
            self.cells.reverse();
            self.cells.dedup_by_key(|cell| key(cell));
            self.cells.reverse();
        }
        coalesce(&mut self.hidden_rows);
        coalesce(&mut self.hidden_columns);
        // Of merges that overlap only the first holds.
        self.merges.retain(|merge| merge.first_row <= merge.last_row && merge.first_column <= merge.last_column);
        self.merges.sort_by_key(|merge| (merge.first_row, merge.first_column));
        self.comments.sort_by_key(|comment| (comment.row, comment.column));
    }

    /// The cells of a row. O(log n).
    pub(crate) fn row(&self, row: u32) -> &[GridCell] {
        let from = self.cells.partition_point(|cell| cell.row < row);
        let rest = &self.cells[from..];
        &rest[..rest.partition_point(|cell| cell.row == row)]
    }

    /// Whether a row is not shown.
    pub(crate) fn is_hidden_row(&self, row: u32) -> bool {
        holds(&self.hidden_rows, row)
    }

    /// Whether a column is not shown.
    pub(crate) fn is_hidden_column(&self, column: u32) -> bool {
        holds(&self.hidden_columns, column)
    }
}

impl GridCell {
    /// The bytes of its text and of what is known of it.
    pub(crate) fn n_bytes(&self) -> usize {
        let facts = self.facts.as_deref().map(|facts| [&facts.formula, &facts.link, &facts.unit]);
        let facts = facts.into_iter().flatten().flatten();
        self.text.len() + facts.map(String::len).sum::<usize>()
    }

    /// Whether anything is written in it.
    pub(crate) fn is_filled(&self) -> bool {
        !self.text.is_empty()
    }

    /// Words rather than a figure, also where a figure was typed as text.
    pub(crate) fn is_wordy(&self) -> bool {
        self.value == ValueKind::Text && !crate::parse::csv::is_figure(self.text.trim())
    }
}

/// Joins ranges that touch, so that one can be found by halving.
fn coalesce(ranges: &mut Vec<(u32, u32)>) {
    ranges.sort_unstable();
    ranges.dedup_by(|next, kept| {
        let touches = next.0 <= kept.1.saturating_add(1);
        if touches {
            kept.1 = kept.1.max(next.1);
        }
        touches
    });
}

fn holds(ranges: &[(u32, u32)], at: u32) -> bool {
    let after = ranges.partition_point(|(first, _)| *first <= at);
    after.checked_sub(1).and_then(|before| ranges.get(before)).is_some_and(|(_, last)| at <= *last)
}

/// Grids written down for tests.
#[cfg(test)]
pub(crate) mod fixture {
    use super::{Grid, GridCell, ValueKind};

    /// A grid from lines with cells parted by `|`; `*` before a text makes it bold, figures are numbers.
    pub(crate) fn grid(lines: &[&str]) -> Grid {
        let mut grid = Grid::default();
        for (row, line) in lines.iter().enumerate() {
            for (column, written) in line.split('|').enumerate() {
                let text = written.trim_start_matches('*');
                let value = if text.parse::<f64>().is_ok() { ValueKind::Number } else { ValueKind::Text };
                let mut cell = GridCell {
                    row: row as u32,
                    column: column as u32,
                    text: text.to_owned(),
                    value,
                    ..GridCell::default()
                };
                cell.look.bold = written.starts_with('*');
                if cell.is_filled() {
                    grid.cells.push(cell);
                }
            }
        }
        grid
    }
}
