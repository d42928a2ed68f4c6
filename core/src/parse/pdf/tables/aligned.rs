//! Tables without lines: rows of short texts that begin at the same places one under the other.
//!
//! Not for what the rows say ([`super::loose`]), only for where such a table begins and ends among the lines of a region.

use super::{Table, loose, text::is_figure};
use crate::parse::pdf::{contents, glyphs::Rule, labels, rows::Row};

/// Fewer rows of several cells are chance.
const MIN_ROWS: usize = 3;
/// Columns are parted by at least this, in ems, over the whole table.
const COLUMN_GAP: f32 = 0.7;
/// The largest step from line to line, in ems, and between two rows of several cells or parted by a line.
const STEP: f32 = 2.6;
const WIDE_STEP: f32 = 4.6;
/// Rows that failed to be a table are only looked at once where there are as many.
const LONG_RUN: usize = 20;
/// More columns are a drawing or a spaced-out text.
const MAX_COLUMNS: usize = 30;
/// A single text among rows of cells is no longer than this.
const MAX_GROUP_NAME: usize = 90;
/// Lines over the first row of several cells that name groups of columns.
const MAX_LEAD: usize = 2;

/// The longest table that begins with the first of `rows` and how many rows it takes; without a table, how many rows
/// were seen not to be one. O(rows · cells).
pub(in crate::parse::pdf) fn aligned(rows: &[Row], rules: &[Rule]) -> (Option<Table>, usize) {
    let n_lead = rows.iter().take(MAX_LEAD + 1).take_while(|row| row.segments.len() < 2).count();
    let Some(first) = rows.get(n_lead).filter(|_| n_lead <= MAX_LEAD) else { return (None, 1) };
    if n_lead > 0
        && !rows[..n_lead]
            .windows(2)
            .chain([[rows[n_lead - 1].clone(), first.clone()].as_slice()])
            .all(|pair| leads(&pair[0], &pair[1], first))
    {
        return (None, 1);
    }
    let (n_body, _, n_columns) = reach(&rows[n_lead..]);
    let n_seen = if n_body >= LONG_RUN { n_body + n_lead } else { 1 };
    let mut n_rows = n_lead + n_body;
    // What has other columns further down is another table.
    while n_rows > n_lead {
        if !is_likely(&rows[n_lead..n_rows], n_columns) {
            return (None, n_seen);
        }
        match loose::build(&rows[..n_rows], rules) {
            Ok(table) => return (Some(table), n_rows),
            Err(fewer) => n_rows = fewer.min(n_rows - 1),
        }
    }
    (None, n_seen)
}

/// Whether rows look like a table, by number, evidence and length of their texts.
fn is_likely(body: &[Row], n_columns: usize) -> bool {
    let n_full = body.iter().filter(|row| row.segments.len() > 1).count();
    let n_characters: usize = body.iter().flat_map(|row| &row.segments).map(|s| s.text.chars().count()).sum();
    let n_cells: usize = body.iter().map(|row| row.segments.len()).sum();
    let n_figures = body.iter().flat_map(|row| &row.segments).filter(|segment| is_figure(&segment.text)).count();
    let few = n_full < MIN_ROWS && !(n_full == 2 && n_columns >= 3 && n_figures * 3 >= n_cells);
    // A few lines of words alone may be spread out by chance.
    let has_number =
        |row: &&Row| row.segments.iter().any(|segment| segment.text.contains(|c: char| c.is_ascii_digit()));
    let n_numbered = body.iter().filter(has_number).count();
    let vague = n_full <= MIN_ROWS && n_numbered * 3 < n_full && !body.iter().skip(1).any(|row| row.ruled_above);
    let n_listed = body.iter().flat_map(|row| &row.segments).filter(|segment| is_index_entry(&segment.text)).count();
    !(few || vague || n_columns < 2 || n_full * 2 < body.len() || n_characters > 60 * n_cells || n_listed * 2 > n_cells)
}

/// "ball screw, 59", "GUI, 58, 60": an entry of an index.
fn is_index_entry(text: &str) -> bool {
    let is_folio = |part: &str| {
        !part.trim().is_empty()
            && part.trim().chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | 'f' | 'i' | 'v' | 'x'))
    };
    text.rsplit_once(", ").is_some_and(|(name, folio)| is_folio(folio) && name.chars().any(char::is_alphabetic))
}

/// Whether a line with one text names columns of the table below: close to it, over its columns but the first.
fn leads(row: &Row, next: &Row, first: &Row) -> bool {
    let (bbox, text) = (row.bbox(), row.text());
    let key = first.segments.first().map_or(f32::MAX, |segment| segment.bbox.x1);
    next.v() - row.v() < 1.9 * row.size()
        && bbox.x0 > key
        && bbox.x1 <= first.bbox().x1 + 2.0 * row.size()
        && text.chars().count() <= MAX_GROUP_NAME
        && !text.ends_with(['.', ':', ';'])
        && labels::caption(&text).is_none()
        && first.segments.len() > 2
}

/// How many rows the table takes, how many of them have several cells, and how many columns there are.
fn reach(rows: &[Row]) -> (usize, usize, usize) {
    let mut columns: Vec<(f32, f32)> = Vec::new();
    let (mut n_taken, mut n_full, mut most) = (0, 0, 0);
    for (index, row) in rows.iter().enumerate() {
        let size = row.size();
        if contents::n_entries(&rows[index..]) > 0 {
            break;
        }
        if let Some(before) = index.checked_sub(1).and_then(|before| rows.get(before)) {
            // A table is set evenly; a larger step ends it.
            let cells = row.segments.len().min(before.segments.len());
            let most = if row.ruled_above || cells > 1 { WIDE_STEP } else { STEP };
            if row.v() - before.v() > most * size.max(before.size()) || (size / before.size() - 1.0).abs() > 0.25 {
                break;
            }
        }
        if row.segments.len() < 2 {
            if n_taken == 0 || !(fits(&columns, row) || names_group(rows, index, &columns)) {
                break;
            }
            if fits(&columns, row) {
                columns = merge(&columns, row, COLUMN_GAP * size);
            }
            n_taken = index + 1;
            continue;
        }
        let with = merge(&columns, row, COLUMN_GAP * size);
        // A row that would melt two columns into one is not of this table, unless all above it are names of groups.
        if columns.len() >= 2 && with.len() < columns.len() || with.len() > MAX_COLUMNS {
            if n_full > 2 || row.segments.len() <= most {
                break;
            }
            columns = merge(&[], row, COLUMN_GAP * size);
        } else if n_full > 0 && n_full <= 2 && row.segments.len() > with.len() {
            columns = merge(&[], row, COLUMN_GAP * size);
        } else {
            columns = with;
        }
        most = most.max(row.segments.len());
        n_taken = index + 1;
        n_full += 1;
    }
    // Trailing lines under the first column alone are text that follows, unless they go on with the row above.
    while n_taken > 0 && rows[n_taken - 1].segments.len() < 2 && starts_in(&columns, &rows[n_taken - 1]) == Some(0) {
        n_taken -= 1;
    }
    (n_taken, n_full, columns.len())
}

/// Whether a single text that stands in no one column is the name of the rows that follow, and the table goes on.
fn names_group(rows: &[Row], at: usize, columns: &[(f32, f32)]) -> bool {
    let text = rows[at].text();
    let Some(next) = rows.get(at + 1) else { return false };
    let goes_on = next.segments.len() > 1 && merge(columns, next, COLUMN_GAP * next.size()).len() >= columns.len();
    goes_on && text.chars().count() <= MAX_GROUP_NAME && !text.ends_with(['.', ';']) && labels::caption(&text).is_none()
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
