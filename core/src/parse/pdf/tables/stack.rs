//! Which lines of a table make one row, where no rule tells: the wrapped rows.
//!
//! Evidence, the strongest first: two figures in one column are two rows; where a word was moved to the next line although
//! it had room, the line was ended on purpose; rows that wrap are set wider apart than their lines; and a line that leaves
//! the key column empty carries on the one above. (The row separators of Nurminen's thesis and of pdfplumber's and
//! Tabula's stream modes make every line a row.)

use super::text::{is_blank_mark, is_figure};

/// A step this many times the usual one begins a row where the steps are of two kinds.
const WIDER_STEP: f32 = 1.22;

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
    let steps = Steps::of(lines, room);
    let key = key_column(lines);
    let mut starts = Vec::new();
    for at in 0..lines.len() {
        let from = starts.last().copied().unwrap_or(0);
        if at == 0 || begins(lines, from, at, room, &steps, key) {
            starts.push(at);
        }
    }
    starts
}

/// Steps from line to line.
struct Steps {
    /// The smallest usual one, in points.
    least: f32,
    /// Some are small and some are wide, and no two figures stand a small one apart.
    of_two_kinds: bool,
}

impl Steps {
    fn of(lines: &[StackLine], room: &Room<'_>) -> Self {
        let pairs = || lines.windows(2).filter(|pair| !pair[1].ruled_above);
        let mut steps: Vec<f32> = pairs().map(|pair| pair[1].v - pair[0].v).collect();
        steps.sort_by(f32::total_cmp);
        let least = steps.get(steps.len() / 10).copied().unwrap_or(0.0);
        let is_wide = |step: f32| step > WIDER_STEP * least;
        let n_wide = steps.iter().filter(|step| is_wide(**step)).count();
        let close = |pair: &&[StackLine]| !is_wide(pair[1].v - pair[0].v);
        let n_close_rows = pairs().filter(close).filter(|pair| same_column_figures(&pair[0], &pair[1])).count();
        // Lines of one row were ended because they were full; rows that stand in groups were not.
        let n_close = pairs().filter(close).count();
        let ended = |pair: &&[StackLine]| pair[1].cells.iter().any(|cell| had_room(&pair[..1], cell, &pair[1], room));
        let n_ended = pairs().filter(close).filter(ended).count();
        let of_two_kinds = n_wide >= 2 && n_wide < steps.len() && n_close_rows == 0 && n_ended * 4 <= n_close;
        Self { least, of_two_kinds }
    }
}

fn same_column_figures(above: &StackLine, below: &StackLine) -> bool {
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

fn begins(lines: &[StackLine], from: usize, at: usize, room: &Room<'_>, steps: &Steps, key: usize) -> bool {
    let (above, line) = (&lines[at - 1], &lines[at]);
    let group = &lines[from..at];
    if line.ruled_above {
        return true;
    }
    // What spans columns stands over (or under) what does not.
    let spans_otherwise = |cell: &StackCell| {
        let over = group.iter().flat_map(|line| &line.cells);
        over.filter(|over| over.first <= cell.last && cell.first <= over.last)
            .any(|over| (over.first, over.last) != (cell.first, cell.last) && (over.first, cell.first) != (0, 0))
    };
    if line.cells.iter().any(spans_otherwise) {
        return true;
    }
    if group.iter().any(|above| same_column_figures(above, line)) {
        return true;
    }
    let step = line.v - above.v;
    if steps.of_two_kinds {
        return step > WIDER_STEP * steps.least;
    }
    if step > 1.6 * steps.least.max(above.size.min(line.size)) {
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

/// Whether the first word of a cell's line had room on the line above it in the same column.
fn had_room(group: &[StackLine], cell: &StackCell, line: &StackLine, room: &Room<'_>) -> bool {
    let Some(over) = group.iter().rev().find_map(|above| above.cell(cell.first)) else { return false };
    let width = room.widths.get(cell.first..=cell.last).map_or(0.0, |widths| widths.iter().sum());
    width - (over.u1 - over.u0) > cell.first_word + 0.25 * line.size
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
    if room.by_rules { ended || shared().count() == 0 } else { ended || !reads_on }
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
