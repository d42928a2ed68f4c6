//! Tables without lines: rows of short texts that begin at the same places one under the other.

use super::{
    prose,
    rows::Row,
    tables::{self, Cell, Table},
};
use crate::document::BBox;

/// Fewer rows of several cells are chance.
const MIN_ROWS: usize = 3;
/// Columns are parted by at least this, in ems, over the whole table.
const COLUMN_GAP: f32 = 0.8;
/// The largest step from line to line, in ems, and between two rows of several cells or parted by a line.
const STEP: f32 = 2.6;
const WIDE_STEP: f32 = 4.6;
/// Rows that failed to be a table are only looked at once where there are as many.
const LONG_RUN: usize = 20;
/// More columns are a drawing or a spaced-out text.
const MAX_COLUMNS: usize = 24;

/// The longest table that begins with the first of `rows` and how many rows it takes; without a table, how many rows
/// were seen not to be one. O(rows · cells).
pub(super) fn table(rows: &[Row]) -> (Option<Table>, usize) {
    if rows.first().is_none_or(|first| first.segments.len() < 2) {
        return (None, 1);
    }
    let mut columns: Vec<(f32, f32)> = Vec::new();
    let (mut n_taken, mut n_full) = (0, 0);
    for (index, row) in rows.iter().enumerate() {
        let size = row.size();
        if let Some(before) = index.checked_sub(1).and_then(|before| rows.get(before)) {
            // A table is set evenly; a larger step ends it.
            let cells = row.segments.len().min(before.segments.len());
            let most = if row.ruled_above || cells > 1 { WIDE_STEP } else { STEP };
            if row.v() - before.v() > most * size.max(before.size()) || (size / before.size() - 1.0).abs() > 0.25 {
                break;
            }
        }
        let with = merge(&columns, row, COLUMN_GAP * size);
        // A row that would melt two columns into one, or is a full line of prose, is not of this table.
        let melts = columns.len() >= 2 && with.len() < columns.len();
        let continues = row.segments.len() > 1 || n_taken > 0 && fits(&columns, row);
        if melts || !continues || with.len() > MAX_COLUMNS {
            break;
        }
        columns = with;
        n_taken = index + 1;
        n_full += usize::from(row.segments.len() > 1);
    }
    // Trailing lines under the first column alone are text that follows.
    while n_taken > 0 && rows[n_taken - 1].segments.len() < 2 && starts_in(&columns, &rows[n_taken - 1]) == Some(0) {
        n_taken -= 1;
    }
    let n_seen = if n_taken >= LONG_RUN { n_taken } else { 1 };
    let rows = &rows[..n_taken];
    let n_characters: usize = rows.iter().flat_map(|row| &row.segments).map(|s| s.text.chars().count()).sum();
    let n_cells: usize = rows.iter().map(|row| row.segments.len()).sum();
    if n_full < MIN_ROWS || columns.len() < 2 || n_full * 2 < n_taken || n_characters > 60 * n_cells {
        return (None, n_seen);
    }
    match build(rows, &columns) {
        Some(table) => (Some(table), n_taken),
        None => (None, n_seen),
    }
}

/// The places of the columns after taking a row in.
fn merge(columns: &[(f32, f32)], row: &Row, gap: f32) -> Vec<(f32, f32)> {
    let mut all: Vec<(f32, f32)> = columns.to_vec();
    all.extend(row.segments.iter().map(|segment| (segment.bbox.x0, segment.bbox.x1)));
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut merged: Vec<(f32, f32)> = Vec::new();
    for (from, to) in all {
        match merged.last_mut() {
            Some(last) if from - last.1 < gap => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// Whether a row of one text stands within one column.
fn fits(columns: &[(f32, f32)], row: &Row) -> bool {
    row.segments.iter().all(|s| columns.iter().any(|(from, to)| s.bbox.x0 >= from - 2.0 && s.bbox.x1 <= to + 2.0))
}

fn starts_in(columns: &[(f32, f32)], row: &Row) -> Option<usize> {
    let x0 = row.segments.first()?.bbox.x0;
    columns.iter().rposition(|(from, _)| x0 >= from - 2.0)
}

fn build(rows: &[Row], columns: &[(f32, f32)]) -> Option<Table> {
    let mut built: Vec<Vec<Cell>> = Vec::new();
    let n_ruled = rows.iter().skip(1).filter(|row| row.ruled_above).count();
    let by_rules = n_ruled >= 2;
    for row in rows {
        // Lines part the rows where there are some; otherwise a row without a first cell carries on the one above.
        let carries_on = if by_rules {
            !row.ruled_above
        } else {
            starts_in(columns, row) != Some(0) && row.segments.len() < columns.len()
        };
        let mut cells: Vec<Cell> = Vec::new();
        for segment in &row.segments {
            let column = columns.iter().rposition(|(from, _)| segment.bbox.x0 >= from - 2.0).unwrap_or(0);
            cells.push(Cell {
                text: segment.text.clone(),
                bbox: segment.bbox,
                column,
                colspan: 1,
                rowspan: 1,
                bold: segment.style.bold,
            });
        }
        match built.last_mut() {
            Some(above) if carries_on => {
                for cell in cells {
                    match above.iter_mut().find(|over| over.column == cell.column) {
                        Some(over) => {
                            prose::append(&mut over.text, &cell.text, &prose::Vocabulary::default());
                            over.bold &= cell.bold;
                            over.bbox = over.bbox.union(cell.bbox);
                        }
                        None => above.push(cell),
                    }
                }
            }
            _ => built.push(cells),
        }
    }
    let bbox = built.iter().flatten().map(|cell| cell.bbox).reduce(BBox::union)?;
    // Every row has every column, so that cells can be named by their column.
    for row in &mut built {
        let (y0, y1) = row.iter().fold((f32::MAX, f32::MIN), |(y0, y1), c| (y0.min(c.bbox.y0), y1.max(c.bbox.y1)));
        for (column, &(x0, x1)) in columns.iter().enumerate() {
            if !row.iter().any(|cell| cell.column == column) {
                let bbox = BBox { x0, y0, x1, y1 };
                row.push(Cell { text: String::new(), bbox, column, colspan: 1, rowspan: 1, bold: false });
            }
        }
        row.sort_by_key(|cell| cell.column);
    }
    // A single line under the first rows is what parts the header from the body.
    let n_above = rows.iter().skip(1).position(|row| row.ruled_above).map_or(0, |before| before + 1);
    let n_header_rows = match tables::n_header_rows(&built) {
        0 if n_ruled == 1 && n_above <= 2 && n_above < built.len() => n_above,
        n_header_rows => n_header_rows,
    };
    let columns = columns.iter().map(|(from, _)| *from).collect();
    Some(Table { bbox, rows: built, n_header_rows, columns })
}
