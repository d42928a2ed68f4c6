//! Tables with nothing but blanks or tabulators between their columns.

use super::{MAX_COLUMNS, TextRow, TextTable, between, names_columns};

/// Fewer lines say too little of where columns are.
const MIN_LINES: usize = 3;

/// The table that these lines are: columns parted by blanks that all lines have at the same places, names above them.
pub(super) fn find(lines: &[Vec<char>]) -> Option<TextTable> {
    if lines.len() < MIN_LINES || lines.iter().any(|line| is_program_text(line)) {
        return None;
    }
    let rows = if lines.iter().any(|line| line.contains(&'\t')) { tabbed(lines)? } else { aligned(lines)? };
    let table = TextTable { n_headers: usize::from(names_columns(&rows)), rows };
    is_certain(&table).then_some(table)
}

/// Signs that program text, trees and drawings have and cells hardly.
fn is_program_text(line: &[char]) -> bool {
    let ends = line.last().is_some_and(|c| matches!(c, '{' | '}' | ';' | '\\'));
    let begins =
        line.iter().find(|c| !c.is_whitespace()).is_some_and(|c| matches!(c, '|' | '+' | '{' | '}' | '<' | '/' | '#'));
    let comment = line.windows(2).any(|pair| matches!(pair, ['/', '/'] | ['/', '*'] | [':', '='] | ['=', '=']));
    ends || begins || comment
}

fn tabbed(lines: &[Vec<char>]) -> Option<Vec<TextRow>> {
    let split = |line: &Vec<char>| -> Vec<String> {
        line.split(|c| *c == '\t').map(|cell| cell.iter().collect::<String>().trim().to_owned()).collect()
    };
    let n_columns = lines.iter().map(|line| split(line).len()).max().filter(|n| (2..=MAX_COLUMNS).contains(n))?;
    let rows = lines.iter().enumerate().map(|(at, line)| {
        let mut cells = split(line);
        // Blanks at the end of a line may have been lost, with them at most the last columns.
        let is_whole = cells.len() == n_columns || cells.len() + 1 == n_columns;
        cells.resize(n_columns, String::new());
        is_whole.then(|| TextRow { cells: cells.into_iter().map(|cell| (cell, 1)).collect(), lines: (at, at) })
    });
    rows.collect()
}

fn aligned(lines: &[Vec<char>]) -> Option<Vec<TextRow>> {
    let width = lines.iter().map(Vec::len).max()?;
    let filled = |line: &[char], at: usize| line.get(at).is_some_and(|c| !c.is_whitespace());
    let mut is_blank = vec![true; width];
    for line in lines {
        for (at, blank) in is_blank.iter_mut().enumerate().take(line.len()) {
            *blank &= line[at].is_whitespace();
        }
    }
    // Runs of blanks that all lines share: two or more part columns; one does where every line has a word on either
    // side of it and begins or ends right there.
    let mut starts = vec![is_blank.iter().position(|blank| !blank)?];
    let mut n_wide = 0;
    let mut at = starts[0];
    while at < width {
        if !is_blank[at] {
            at += 1;
            continue;
        }
        let end = (at..width).find(|place| !is_blank[*place]).unwrap_or(width);
        let is_narrow = || lines.iter().all(|line| filled(line, end)) || lines.iter().all(|line| filled(line, at - 1));
        if end < width && (end - at >= 2 || is_narrow()) {
            n_wide += usize::from(end - at >= 2);
            starts.push(end);
        }
        at = end;
    }
    if n_wide == 0 || starts.len() > MAX_COLUMNS {
        return None;
    }
    let ends = || starts.iter().skip(1).copied().chain([usize::MAX]);
    let rows = lines.iter().enumerate().map(|(at, line)| TextRow {
        cells: starts.iter().zip(ends()).map(|(from, to)| (between(line, *from, to), 1)).collect(),
        lines: (at, at),
    });
    Some(rows.collect())
}

/// Whether these are columns: they have names, every one holds something in most rows, and cells are short.
fn is_certain(table: &TextTable) -> bool {
    let n_columns = table.rows.first().map_or(0, |row| row.cells.len());
    if n_columns < 2 || table.n_headers == 0 {
        return false;
    }
    let body = &table.rows[table.n_headers..];
    let n_filled = |column: usize| body.iter().filter(|row| !row.cells[column].0.is_empty()).count();
    let is_filled = (0..n_columns).all(|column| n_filled(column) > 0 && !table.rows[0].cells[column].0.is_empty());
    let n_cells: usize = (0..n_columns).map(n_filled).sum();
    is_filled && body.len() >= 2 && n_cells * 2 >= n_columns * body.len()
}
