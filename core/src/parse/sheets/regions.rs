//! Where things stand in a sheet: groups of cells that touch, parted by blank rows and columns.
//!
//! Not for what they are (that is [`super::blocks`]).

use super::grid::Grid;
use crate::document::CellRange;
use std::collections::BTreeMap;

/// More groups than this are no layout but a scatter; then a row is read as a line.
const MAX_REGIONS: usize = 4096;
/// A group may cover this many blank cells for every filled one, and as many in any case.
const MAX_BLANKS_PER_CELL: u64 = 16;
const MAX_BLANKS: u64 = 20_000;
/// Rounds of joining what overlaps. A few do for any layout; groups set like the links of a chain would take thousands.
const MAX_JOINS: usize = 32;
/// Rows that merged cells are followed through, all together.
const MAX_MERGED_ROWS: usize = 100_000;

/// Cells of one row that touch.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u32,
    last: u32,
    group: usize,
}

/// The groups of cells, each as the smallest range around it, from the top, then from the left. `None` where the cells
/// are scattered so widely that ranges say nothing. O(cells log cells).
pub(super) fn find(grid: &Grid) -> Option<Vec<CellRange>> {
    let mut rows = runs(grid);
    let mut groups = Groups::default();
    for runs in rows.values_mut() {
        for run in runs {
            run.group = groups.add();
        }
    }
    let mut above: Option<(u32, &[Run])> = None;
    for (row, runs) in &rows {
        if let Some((above_row, above_runs)) = above
            && above_row + 1 == *row
        {
            touch(above_runs, runs, &mut groups);
        }
        above = Some((*row, runs));
    }
    let mut ranges: BTreeMap<usize, CellRange> = BTreeMap::new();
    for (row, runs) in &rows {
        for run in runs {
            let range = CellRange { first_row: *row, first_column: run.first, last_row: *row, last_column: run.last };
            let group = groups.root(run.group);
            ranges.entry(group).and_modify(|known| *known = around(*known, range)).or_insert(range);
        }
    }
    if ranges.len() > MAX_REGIONS {
        return None;
    }
    let ranges: Vec<CellRange> = join_overlapping(ranges.into_values().collect())?;
    let mut ranges = declared_apart(grid, ranges)?;
    ranges = ranges.into_iter().filter_map(|range| trimmed(grid, range)).collect();
    ranges.sort_by_key(|range| (range.first_row, range.first_column));
    let sparse = |range: &CellRange| {
        let area =
            u64::from(range.last_row - range.first_row + 1) * u64::from(range.last_column - range.first_column + 1);
        // Rows are counted without looking at columns: close enough for a bound.
        let n_cells = n_cells(grid, range.first_row, range.last_row) as u64;
        area > MAX_BLANKS + n_cells * MAX_BLANKS_PER_CELL
    };
    (!ranges.iter().any(sparse)).then_some(ranges)
}

/// Whether two ranges share a cell.
pub(super) fn overlap(a: CellRange, b: CellRange) -> bool {
    a.first_row <= b.last_row
        && b.first_row <= a.last_row
        && a.first_column <= b.last_column
        && b.first_column <= a.last_column
}

/// The smallest range around both.
pub(super) fn around(a: CellRange, b: CellRange) -> CellRange {
    CellRange {
        first_row: a.first_row.min(b.first_row),
        first_column: a.first_column.min(b.first_column),
        last_row: a.last_row.max(b.last_row),
        last_column: a.last_column.max(b.last_column),
    }
}

/// Of every row the runs of cells that are filled, framed, or covered by a merge that begins in a filled cell.
fn runs(grid: &Grid) -> BTreeMap<u32, Vec<Run>> {
    let n_blank = grid.cells.iter().filter(|cell| !cell.is_filled()).count();
    // Frames around everything are graph paper, not tables.
    let frames_count = n_blank * 2 <= grid.cells.len();
    let mut rows: BTreeMap<u32, Vec<Run>> = BTreeMap::new();
    let counts = |cell: &&super::grid::GridCell| cell.is_filled() || (frames_count && cell.look.framed);
    for cell in grid.cells.iter().filter(counts) {
        rows.entry(cell.row).or_default().push(Run { first: cell.column, last: cell.column, group: 0 });
    }
    let last_row = grid.cells.iter().rfind(|cell| cell.is_filled()).map_or(0, |cell| cell.row);
    let mut n_merged_rows = 0;
    for merge in &grid.merges {
        let is_filled =
            grid.row(merge.first_row).iter().any(|cell| cell.column == merge.first_column && cell.is_filled());
        if !is_filled {
            continue;
        }
        for row in merge.first_row..=merge.last_row.min(last_row) {
            n_merged_rows += 1;
            if n_merged_rows > MAX_MERGED_ROWS {
                break;
            }
            rows.entry(row).or_default().push(Run { first: merge.first_column, last: merge.last_column, group: 0 });
        }
    }
    for runs in rows.values_mut() {
        runs.sort_unstable_by_key(|run| run.first);
        runs.dedup_by(|next, kept| {
            let touches = next.first <= kept.last.saturating_add(1);
            if touches {
                kept.last = kept.last.max(next.last);
            }
            touches
        });
    }
    rows
}

/// Puts runs of neighbouring rows that share a column into one group. Both are in order.
fn touch(above: &[Run], below: &[Run], groups: &mut Groups) {
    let (mut a, mut b) = (0, 0);
    while let (Some(upper), Some(lower)) = (above.get(a), below.get(b)) {
        if upper.first <= lower.last && lower.first <= upper.last {
            groups.join(upper.group, lower.group);
        }
        if upper.last < lower.last { a += 1 } else { b += 1 }
    }
}

/// Joins ranges until none overlaps another; `None` where that does not end soon.
fn join_overlapping(mut ranges: Vec<CellRange>) -> Option<Vec<CellRange>> {
    for _ in 0..MAX_JOINS {
        let n_before = ranges.len();
        let mut joined: Vec<CellRange> = Vec::with_capacity(n_before);
        for range in ranges {
            match joined.iter_mut().find(|other| overlap(**other, range)) {
                Some(other) => *other = around(*other, range),
                None => joined.push(range),
            }
        }
        if joined.len() == n_before {
            return Some(joined);
        }
        ranges = joined;
    }
    None
}

/// What the file calls a table stands for itself: rows above and below it in the same group become groups of their own.
/// `None` where tables cut one another into too many.
fn declared_apart(grid: &Grid, ranges: Vec<CellRange>) -> Option<Vec<CellRange>> {
    let mut parts = ranges;
    for table in grid.tables.iter().take(MAX_REGIONS) {
        let cells = table.cells;
        let mut next = Vec::with_capacity(parts.len() + 2);
        for range in parts {
            if !overlap(range, cells) {
                next.push(range);
                continue;
            }
            if range.first_row < cells.first_row {
                next.push(CellRange { last_row: cells.first_row - 1, ..range });
            }
            if range.last_row > cells.last_row {
                next.push(CellRange { first_row: cells.last_row + 1, ..range });
            }
            let middle = CellRange {
                first_row: range.first_row.max(cells.first_row),
                last_row: range.last_row.min(cells.last_row),
                ..range
            };
            if middle.first_column < cells.first_column {
                next.push(CellRange { last_column: cells.first_column - 1, ..middle });
            }
            if middle.last_column > cells.last_column {
                next.push(CellRange { first_column: cells.last_column + 1, ..middle });
            }
        }
        next.push(cells);
        if next.len() > MAX_REGIONS {
            return None;
        }
        parts = next;
    }
    Some(parts)
}

/// The range without rows and columns at its edges in which nothing is written; `None` if nothing is written at all.
fn trimmed(grid: &Grid, range: CellRange) -> Option<CellRange> {
    let mut tight: Option<CellRange> = None;
    let from = grid.cells.partition_point(|cell| cell.row < range.first_row);
    for cell in grid.cells[from..].iter().take_while(|cell| cell.row <= range.last_row) {
        if cell.is_filled() && (range.first_column..=range.last_column).contains(&cell.column) {
            let place = CellRange::cell(cell.row, cell.column);
            tight = Some(tight.map_or(place, |tight| around(tight, place)));
        }
    }
    let filled = tight?;
    let mut tight = filled;
    // A merged heading reaches further than the cell that holds its text.
    for merge in grid.merges.iter().filter(|merge| overlap(**merge, filled) && overlap(**merge, range)) {
        tight.last_row = tight.last_row.max(merge.last_row.min(range.last_row));
        tight.last_column = tight.last_column.max(merge.last_column.min(range.last_column));
    }
    Some(tight)
}

fn n_cells(grid: &Grid, first_row: u32, last_row: u32) -> usize {
    let from = grid.cells.partition_point(|cell| cell.row < first_row);
    grid.cells.partition_point(|cell| cell.row <= last_row) - from
}

/// Disjoint sets (union by the smaller number, paths halved).
#[derive(Default)]
struct Groups {
    parents: Vec<usize>,
}

impl Groups {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::{DeclaredTable, fixture::grid};
    use super::*;

    fn found(lines: &[&str]) -> Vec<String> {
        find(&grid(lines)).expect("regions").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn blank_rows_and_columns_part_and_corners_do_not_join() {
        assert_eq!(found(&["a|b||c", "d|e||f", "", "g|h"]), ["A1:B2", "D1:D2", "A4:B4"]);
        assert_eq!(found(&["a|b", "c|d", "||e|f", "||g|h"]), ["A1:B2", "C3:D4"]);
        // A blank corner or hole does not part.
        assert_eq!(found(&["|a|b", "c||d", "e|f|g"]), ["A1:C3"]);
    }

    #[test]
    fn a_scatter_is_no_layout() {
        let lines: Vec<String> = (0..200).map(|row| ["x||", "|x|"][row % 2].repeat(50)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert!(find(&grid(&lines)).is_none());
        // An L of a thousand cells each way has a million blanks.
        let mut lines = vec!["x"; 1000];
        let wide = "x|".repeat(1000);
        lines.push(&wide);
        assert!(find(&grid(&lines)).is_none());
    }

    #[test]
    fn tables_that_cut_one_another_are_no_layout() {
        let wide = "x|".repeat(300);
        let mut sheet = grid(&vec![wide.as_str(); 300]);
        let table = |cells| DeclaredTable { name: String::new(), cells, n_header_rows: 1, n_total_rows: 0 };
        for at in (0..300).step_by(2) {
            let row = CellRange { first_row: at, first_column: 0, last_row: at, last_column: 299 };
            let column = CellRange { first_row: 0, first_column: at, last_row: 299, last_column: at };
            sheet.tables.extend([table(row), table(column)]);
        }
        assert!(find(&sheet).is_none(), "22,500 pieces");
    }

    #[test]
    fn ranges_that_join_one_after_another_come_to_an_end() {
        // Each overlaps the next only once it was joined with the one before.
        let link = |at: u32| CellRange { first_row: at, first_column: 2 * at, last_row: 4000, last_column: 2 * at };
        let mut links: Vec<CellRange> = (0..4000).rev().map(link).collect();
        links.push(CellRange { first_row: 0, first_column: 0, last_row: 4000, last_column: 1 });
        let _ = join_overlapping(links);
    }
}
