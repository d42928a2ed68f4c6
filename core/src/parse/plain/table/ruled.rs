//! Tables with a rule under (and around) the names of their columns, and blanks between: `==== ====`, `----  ----`.

use super::{MAX_COLUMNS, TextRow, TextTable, between};

/// The table that these lines are.
pub(super) fn find(lines: &[Vec<char>]) -> Option<TextTable> {
    let rules: Vec<usize> = (0..lines.len()).filter(|at| columns(&lines[*at]).is_some()).collect();
    let widest = rules.iter().max_by_key(|at| columns(&lines[**at]).map_or(0, |columns| columns.len()))?;
    let columns = columns(&lines[*widest])?;
    let mut table = TextTable::default();
    // Names stand above the first rule, or between the first and the second.
    let header_end = if rules[0] == 0 { *rules.get(1)? } else { rules[0] };
    let is_framed = rules[0] == 0;
    if header_end > 3 + usize::from(is_framed) || (is_framed && rules.len() < 2) {
        return None;
    }
    for (at, line) in lines.iter().enumerate() {
        if rules.contains(&at) {
            if at == header_end {
                table.n_headers = table.rows.len();
            }
            continue;
        }
        let cells = cells(line, &columns)?;
        // Names may be broken over several lines; below them, nothing in the first column means that a row goes on.
        let continues = !table.rows.is_empty()
            && (if at < header_end { !is_framed } else { cells[0].0.is_empty() && table.rows.len() > table.n_headers });
        match table.rows.last_mut().filter(|_| continues) {
            Some(row) => row.go_on(cells, at),
            None => table.rows.push(TextRow { cells, lines: (at, at) }),
        }
    }
    // Two rules around everything, as a simple table without names has them.
    if table.n_headers == table.rows.len() {
        table.n_headers = 0;
    }
    Some(table)
}

/// Where the columns begin that a rule stands under: two runs or more of one sign, blanks between.
fn columns(line: &[char]) -> Option<Vec<usize>> {
    let sign = *line.iter().find(|c| !c.is_whitespace())?;
    if !matches!(sign, '-' | '=' | '─' | '~') || !line.iter().all(|c| *c == sign || *c == ' ') {
        return None;
    }
    let starts = (0..line.len()).filter(|at| line[*at] == sign && (*at == 0 || line[at - 1] == ' '));
    let starts: Vec<usize> = starts.collect();
    let n_signs = line.iter().filter(|c| **c == sign).count();
    // A row of spaced dashes is a line to cut along.
    ((2..=MAX_COLUMNS).contains(&starts.len()) && n_signs >= starts.len() * 2).then_some(starts)
}

/// The cells of a line; `None` where words cross from one column into the next.
fn cells(line: &[char], columns: &[usize]) -> Option<Vec<(String, u16)>> {
    let crosses = |start: &usize| {
        let filled = |at: usize| line.get(at).is_some_and(|c| !c.is_whitespace());
        *start > 0 && filled(start - 1) && filled(*start)
    };
    if columns.iter().any(crosses) {
        return None;
    }
    let ends = columns.iter().skip(1).copied().chain([usize::MAX]);
    let cells = columns.iter().zip(ends).enumerate().map(|(n, (from, to))| {
        let text = between(line, if n == 0 { 0 } else { *from }, to);
        // An empty first column of the simple form is written as a backslash.
        (if text == "\\" { String::new() } else { text }, 1)
    });
    Some(cells.collect())
}
