//! Tables with lines around or between their cells: `+---+`, `│`, `|---|`, and the output of database shells.

use super::{MAX_COLUMNS, TextRow, TextTable, between, names_columns};

/// The table that these lines are.
pub(super) fn find(lines: &[Vec<char>]) -> Option<TextTable> {
    let is_rule: Vec<bool> = lines.iter().map(|line| is_rule(line)).collect();
    if !is_rule.contains(&true) || is_rule.iter().all(|rule| *rule) {
        return None;
    }
    let borders = borders(lines, &is_rule)?;
    let n_rules = is_rule.iter().filter(|rule| **rule).count();
    // A line under the header that is drawn with "=" says that every rule after it ends a row.
    let is_grid = n_rules > 3
        && lines.iter().zip(&is_rule).any(|(line, rule)| *rule && line.iter().any(|c| matches!(c, '=' | '═')));
    let first_rule = is_rule.iter().position(|rule| *rule)?;
    let mut table = TextTable::default();
    let mut begins_row = true;
    for (at, line) in lines.iter().enumerate() {
        if is_rule[at] {
            if table.n_headers == 0 && !table.rows.is_empty() {
                table.n_headers = table.rows.len();
            }
            begins_row = true;
            continue;
        }
        let cells = cells(line, &borders)?;
        let goes_on = !begins_row && (is_grid || cells.first().is_some_and(|(text, _)| text.is_empty()));
        match table.rows.last_mut().filter(|row| goes_on && row.cells.len() == cells.len()) {
            Some(row) => row.go_on(cells, at),
            None => table.rows.push(TextRow { cells, lines: (at, at) }),
        }
        begins_row = false;
    }
    // A frame around everything without a line below the names: names may still be told by what they say.
    if table.n_headers >= table.rows.len() || (first_rule == 0 && n_rules < 3) {
        table.n_headers = usize::from(names_columns(&table.rows));
    }
    Some(table)
}

fn is_border(c: char) -> bool {
    matches!(c, '|' | '│' | '║' | '┃')
}

/// Whether a line is nothing but a rule with crossings.
fn is_rule(line: &[char]) -> bool {
    let mut n_drawn = 0;
    let mut n_crossings = 0;
    for c in line.iter().skip_while(|c| c.is_whitespace()) {
        match c {
            '-' | '=' | '─' | '━' | '═' => n_drawn += 1,
            '+' | '|' | '\u{2500}'..='\u{257f}' => n_crossings += 1,
            ':' => {}
            _ => return false,
        }
    }
    n_drawn >= 3 && n_crossings >= 1
}

/// The places of the lines between columns, from the crossings of the rules; `None` where there are too many.
///
/// Rules that do not reach the edges (`----+----`) leave the edges open; then the first column begins at the left edge.
fn borders(lines: &[Vec<char>], is_rule: &[bool]) -> Option<Borders> {
    let mut places = Vec::new();
    let mut end = 0;
    for (line, _) in lines.iter().zip(is_rule).filter(|(_, rule)| **rule) {
        places.extend(
            line.iter()
                .enumerate()
                .filter(|(_, c)| !matches!(c, '-' | '=' | '─' | '━' | '═' | ':' | ' '))
                .map(|(at, _)| at),
        );
        end = end.max(line.len());
    }
    places.sort_unstable();
    places.dedup();
    // Pipes that people typed need not stand below one another: then they are counted, not placed.
    let content = || lines.iter().zip(is_rule).filter(|(_, rule)| !**rule).map(|(line, _)| line);
    let n_pipes = |line: &Vec<char>| line.iter().filter(|c| is_border(**c)).count();
    let is_placed = content()
        .all(|line| line.iter().enumerate().filter(|(_, c)| is_border(**c)).all(|(at, _)| places.contains(&at)));
    if is_placed {
        return (places.len() <= MAX_COLUMNS + 1).then_some(Borders::Placed(places));
    }
    let n = content().map(n_pipes).next()?;
    ((1..=MAX_COLUMNS).contains(&n) && content().all(|line| n_pipes(line) == n)).then_some(Borders::Counted)
}

enum Borders {
    /// They stand below one another at these places.
    Placed(Vec<usize>),
    /// Every line has as many.
    Counted,
}

/// The cells of a line; `None` where it has no lines between them.
fn cells(line: &[char], borders: &Borders) -> Option<Vec<(String, u16)>> {
    let present: Vec<usize> = line.iter().enumerate().filter(|(_, c)| is_border(**c)).map(|(at, _)| at).collect();
    if present.is_empty() {
        return None;
    }
    let first_text = line.iter().position(|c| !c.is_whitespace())?;
    let mut edges = Vec::with_capacity(present.len() + 2);
    if present.first() != Some(&first_text) {
        edges.push(None);
    }
    edges.extend(present.iter().map(|at| Some(*at)));
    if present.last().is_some_and(|last| last + 1 < line.len()) || line.last().is_none_or(|c| !is_border(*c)) {
        edges.push(None);
    }
    let n_between = |from: Option<usize>, to: Option<usize>| match borders {
        Borders::Counted => 0,
        Borders::Placed(places) => {
            let (from, to) = (from.map_or(0, |from| from + 1), to.unwrap_or(usize::MAX));
            places.iter().filter(|place| (from..to).contains(*place)).count()
        }
    };
    let cells = edges.windows(2).map(|edge| {
        let text = between(line, edge[0].map_or(0, |at| at + 1), edge[1].unwrap_or(line.len()));
        // Where the rule's own end lies beyond an open edge nothing is spanned.
        let n_spanned = if edge[0].is_some() && edge[1].is_some() { n_between(edge[0], edge[1]) } else { 0 };
        (text, u16::try_from(n_spanned + 1).unwrap_or(u16::MAX))
    });
    Some(cells.collect())
}
