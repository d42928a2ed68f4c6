//! Which lines of a table make one row, where no rule tells: the wrapped rows.
//!
//! Evidence, the strongest first: two figures in one column are two rows; where a word was moved to the next line although
//! it had room, the line was ended on purpose; rows that wrap are set wider apart than their lines; and a line that leaves
//! the key column empty carries on the one above. (The row separators of Nurminen's thesis and of pdfplumber's and
//! Tabula's stream modes make every line a row.)

use super::text::{is_blank_mark, is_figure};
use crate::parse::pdf::rows;

/// A step this many times the usual one begins a row where the steps are of two kinds.
const WIDER_STEP: f32 = 1.22;

/// Lines of one cell are set no further apart than this, in ems.
const LARGEST_LEADING: f32 = 1.55;
/// Lines nearer than this, in ems, stand beside one another, though not on one baseline.
const BESIDE: f32 = 0.8;

/// One line of a table.
#[derive(Clone, Debug)]
pub(super) struct StackLine {
    pub(super) v: f32,
    pub(super) size: f32,
    /// A ruling line parts it from the line above.
    pub(super) ruled_above: bool,
    /// From the left.
    pub(super) cells: Vec<StackCell>,
}

/// The part of a cell on one line.
#[derive(Clone, Debug)]
pub(super) struct StackCell {
    /// The first and the last column it covers.
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) u0: f32,
    pub(super) u1: f32,
    pub(super) text: String,
    /// How wide its first word is.
    pub(super) first_word: f32,
}

impl StackLine {
    fn cell(&self, column: usize) -> Option<&StackCell> {
        self.cells.iter().find(|cell| cell.first <= column && column <= cell.last)
    }
}

/// What is known of the columns that the lines stand in.
pub(super) struct Room<'r> {
    /// How wide text may be in each; of a column without rules that is the widest text in it.
    pub(super) widths: &'r [f32],
    /// Rules part rows elsewhere in the table, so that lines without a rule between them are one row unless figures say
    /// otherwise.
    pub(super) by_rules: bool,
}

/// The lines at which rows begin, the first included. O(lines · columns).
pub(super) fn starts(lines: &[StackLine], room: &Room<'_>) -> Vec<usize> {
    let bands = if room.by_rules { None } else { bands(lines, room) };
    let least = steps(lines).first().copied().unwrap_or(0.0);
    let key = key_column(lines);
    let mut starts = Vec::new();
    for at in 0..lines.len() {
        let from = starts.last().copied().unwrap_or(0);
        let begins = |at: usize| match &bands {
            Some(bands) => {
                let begins = bands.contains(&at) || lines[at].ruled_above;
                begins && !stands_beside(&lines[from..at], &lines[at]) || spans_otherwise(&lines[from..at], &lines[at])
            }
            None => begins(lines, from, at, room, least, key),
        };
        if at == 0 || begins(at) {
            starts.push(at);
        }
    }
    starts
}

/// Steps from line to line, the smallest usual one first.
fn steps(lines: &[StackLine]) -> Vec<f32> {
    let pairs = lines.windows(2).filter(|pair| !pair[1].ruled_above);
    let mut steps: Vec<f32> = pairs.map(|pair| pair[1].v - pair[0].v).collect();
    steps.sort_by(f32::total_cmp);
    steps.split_off(steps.len() / 10)
}

/// The lines at which rows begin that are set wider apart than their lines: in each column the lines that follow closely
/// are one cell, and cells at one height, wherever in it their lines stand, are one row. `None` where all steps are alike,
/// or where what would be one row holds figures under figures or lines that were ended on purpose.
fn bands(lines: &[StackLine], room: &Room<'_>) -> Option<Vec<usize>> {
    let n_columns = room.widths.len();
    let of_column = |column: usize| -> Vec<(usize, &StackCell)> {
        let cell = |(at, line): (usize, &'_ StackLine)| {
            line.cells.iter().position(|cell| cell.first == column).map(|cell| (at, cell))
        };
        lines
            .iter()
            .enumerate()
            .filter_map(cell)
            .filter_map(|(at, cell)| Some((at, lines.get(at)?.cells.get(cell)?)))
            .collect()
    };
    let columns: Vec<Vec<(usize, &StackCell)>> = (0..n_columns).map(of_column).collect();
    let pairs = || columns.iter().flat_map(|column| column.windows(2));
    let step = |pair: &[(usize, &StackCell)]| lines[pair[1].0].v - lines[pair[0].0].v;
    let mut all: Vec<f32> = pairs().map(step).collect();
    all.sort_by(f32::total_cmp);
    let size = lines.iter().map(|line| line.size).fold(f32::MAX, f32::min);
    let least = *all.iter().find(|step| **step >= 0.9 * size)?;
    let is_close =
        |pair: &[(usize, &StackCell)]| step(pair) <= WIDER_STEP * least && step(pair) <= LARGEST_LEADING * size;
    let n_close = pairs().filter(|pair| is_close(pair)).count();
    let n_ended = pairs().filter(|pair| is_close(pair)).filter(|pair| {
        let (over, under) = (pair[0].1, pair[1].1);
        // A point of a list in a cell has a line of its own.
        let listed = rows::marker(&under.text).is_some_and(rows::is_bullet);
        is_figure(&over.text) && is_figure(&under.text)
            || !listed && fits_above(over, under, lines[pair[1].0].size, room)
    });
    let n_ended = n_ended.count();
    let n_wide = all.len() - n_close;
    if n_close == 0 || n_wide < 2 || n_ended * 4 > n_close {
        return None;
    }
    // Each line reaches down to the last line of the cells that it has.
    let mut reach: Vec<usize> = (0..lines.len()).collect();
    for column in &columns {
        let mut from = 0;
        for end in 1..=column.len() {
            if end == column.len() || !is_close(&column[end - 1..=end]) {
                let (first, last) = (column[from].0, column[end - 1].0);
                reach[first] = reach[first].max(last);
                from = end;
            }
        }
    }
    let mut bands = Vec::new();
    let mut until = 0;
    for (at, reach) in reach.iter().enumerate() {
        if at == 0 || at > until {
            bands.push(at);
        }
        until = until.max(*reach);
    }
    let holds_figures_twice = |from: usize, to: usize| {
        (from..to).any(|at| (from..at).any(|above| same_column_figures(&lines[above], &lines[at])))
    };
    let ends = bands.iter().skip(1).copied().chain([lines.len()]);
    let n_bad =
        bands.iter().zip(ends).filter(|(from, to)| to - **from < 60 && holds_figures_twice(**from, *to)).count();
    (n_bad == 0).then_some(bands)
}

/// Whether two figures stand in one column of two lines.
pub(super) fn same_column_figures(above: &StackLine, below: &StackLine) -> bool {
    let is_value = |text: &str| is_figure(text) || is_blank_mark(text);
    below.cells.iter().filter(|cell| cell.first > 0 && is_value(&cell.text)).any(|cell| {
        above.cells.iter().any(|over| over.first == cell.first && over.last == cell.last && is_value(&over.text))
    })
}

/// The column that names the rows: the first that most lines with several cells have.
fn key_column(lines: &[StackLine]) -> usize {
    let several = || lines.iter().filter(|line| line.cells.len() > 1);
    let n_several = several().count();
    let n_columns = lines.iter().flat_map(|line| &line.cells).map(|cell| cell.last + 1).max().unwrap_or(1);
    let filled = |column: &usize| several().filter(|line| line.cell(*column).is_some()).count() * 2 > n_several;
    (0..n_columns).find(filled).unwrap_or(0)
}

fn begins(lines: &[StackLine], from: usize, at: usize, room: &Room<'_>, least: f32, key: usize) -> bool {
    let (above, line) = (&lines[at - 1], &lines[at]);
    let group = &lines[from..at];
    if line.ruled_above {
        return true;
    }
    if spans_otherwise(group, line) {
        return true;
    }
    if stands_beside(group, line) {
        return false;
    }
    if group.iter().any(|above| same_column_figures(above, line)) {
        return true;
    }
    if room.by_rules {
        // Lines that were ended on purpose in every column, and in more than one.
        let shared = line.cells.iter().filter(|cell| group.iter().any(|above| above.cell(cell.first).is_some()));
        let (n_ended, n) =
            shared.fold((0, 0), |(ended, n), cell| (ended + usize::from(had_room(group, cell, line, room)), n + 1));
        return n >= 2 && n_ended == n;
    }
    let step = line.v - above.v;
    if step > 1.6 * least.max(above.size.min(line.size)) {
        return true;
    }
    let has_key = line.cell(key).is_some();
    let n_columns = room.widths.len();
    if !has_key {
        // Not the key's column: it goes on with the row above, unless it fills as much as a row does.
        return line.cells.len() * 2 > n_columns
            && line.cells.len() >= above.cells.len()
            && line.cells.len() > 1
            && goes_on_nowhere(group, line, room, key);
    }
    if line.cells.len() == 1 {
        return label_begins(lines, from, at, key);
    }
    if group.iter().all(|above| above.cells.len() == 1) && group.iter().all(|above| above.cell(key).is_some()) {
        // Labels alone stand above: this may be the last line of theirs, with the values beside it.
        return !carries_on(group.last().and_then(|above| above.cell(key)), line.cell(key));
    }
    goes_on_nowhere(group, line, room, key)
}

/// Whether a line overlaps the one above in height and shares no column with it: one of the two is set in the middle of
/// what the other is a line of.
fn stands_beside(group: &[StackLine], line: &StackLine) -> bool {
    group.last().is_some_and(|above| {
        let shares = line
            .cells
            .iter()
            .any(|cell| above.cells.iter().any(|over| over.first <= cell.last && cell.first <= over.last));
        !shares && line.v - above.v < BESIDE * line.size.min(above.size)
    })
}

/// Whether a cell of the line spans columns that cells above do not, or the other way: group names over names.
fn spans_otherwise(group: &[StackLine], line: &StackLine) -> bool {
    let over = || group.iter().flat_map(|line| &line.cells);
    line.cells.iter().any(|cell| {
        over()
            .filter(|over| over.first <= cell.last && cell.first <= over.last)
            .any(|over| (over.first, over.last) != (cell.first, cell.last) && (over.first, cell.first) != (0, 0))
    })
}

/// Whether the first word of a cell's line had room on the line above it in the same column.
fn had_room(group: &[StackLine], cell: &StackCell, line: &StackLine, room: &Room<'_>) -> bool {
    let Some(over) = group.iter().rev().find_map(|above| above.cell(cell.first)) else { return false };
    fits_above(over, cell, line.size, room)
}

fn fits_above(over: &StackCell, cell: &StackCell, size: f32, room: &Room<'_>) -> bool {
    let width = room.widths.get(cell.first..=cell.last).map_or(0.0, |widths| widths.iter().sum());
    width - (over.u1 - over.u0) > cell.first_word + 0.25 * size
}

/// Whether a line that has the key is no rest of the row above: in some column a word had room, and the key does not read
/// on from the key above.
fn goes_on_nowhere(group: &[StackLine], line: &StackLine, room: &Room<'_>, key: usize) -> bool {
    let above = group.iter().rev().find_map(|above| above.cell(key));
    let reads_on = carries_on(above, line.cell(key));
    let is_shared = |cell: &&StackCell| group.iter().any(|above| above.cell(cell.first).is_some());
    let is_value = |cell: &StackCell| is_figure(&cell.text);
    let shared = || line.cells.iter().filter(is_shared);
    let ended = shared().any(|cell| is_value(cell) || had_room(group, cell, line, room));
    ended || !reads_on
}

/// Whether a line with nothing but the key begins a row: a group's name, or the first line of a label whose values stand
/// beside a later one. Otherwise it is the rest of the label above.
fn label_begins(lines: &[StackLine], from: usize, at: usize, key: usize) -> bool {
    let above = lines[from..at].iter().rev().find_map(|line| line.cell(key));
    let next = lines.get(at + 1).and_then(|next| next.cell(key));
    let here = lines[at].cell(key);
    if carries_on(above, here) {
        // It may as well be carried on below, where the label's values stand.
        return carries_on(here, next)
            && lines.get(at + 1).is_none_or(|next| next.cells.len() != 1)
            && lines[from..at].iter().any(|line| line.cells.len() > 1)
            && !starts_small(here);
    }
    true
}

fn starts_small(cell: Option<&StackCell>) -> bool {
    cell.is_some_and(|cell| cell.text.starts_with(char::is_lowercase))
}

/// Whether the text below reads on from the text above: it begins small, the one above ends open, or it hangs.
fn carries_on(above: Option<&StackCell>, below: Option<&StackCell>) -> bool {
    const OPEN: [&str; 14] = ["and", "or", "of", "the", "for", "in", "to", "with", "by", "und", "der", "et", "de", "y"];
    let (Some(above), Some(below)) = (above, below) else { return false };
    let last_word = above.text.rsplit(' ').next().unwrap_or_default();
    let open = above.text.ends_with(['-', ',', '/', '&', '(']) || OPEN.contains(&last_word);
    let unclosed = above.text.matches('(').count() > above.text.matches(')').count();
    below.text.starts_with(|c: char| c.is_lowercase() || c == '(' || c == '&') || open || unclosed
}
