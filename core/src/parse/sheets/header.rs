//! Which rows of a table name its columns, and which sum up.
//!
//! What the file says of itself counts first (filter buttons, frozen rows), then how rows look, then what is in them.

use super::{
    grid::{GridCell, ValueKind},
    part::Part,
};
use crate::parse::unit;
use std::collections::BTreeSet;

/// Headers of more rows are read as far as this.
const MAX_HEADER_ROWS: u32 = 4;
/// Rows below a header that are looked at.
const MAX_SAMPLE_ROWS: u32 = 200;
/// A name of a column is hardly longer.
const MAX_NAME_CHARS: usize = 80;

/// How many of the first rows name the columns; fewer than there are rows.
pub(super) fn n_header_rows(part: Part<'_>) -> u32 {
    let most = MAX_HEADER_ROWS.min(part.n_rows().saturating_sub(1));
    if most == 0 {
        return 0;
    }
    let said = by_filter(part).or_else(|| by_frozen(part)).filter(|n| (1..=most).contains(n));
    if let Some(n) = said.or_else(|| by_look(part, most)) {
        return n;
    }
    by_content(part, most)
}

/// Whether a row sums up others: it says so, and has figures.
pub(super) fn is_total(part: Part<'_>, row: u32) -> bool {
    const SUMS: [&str; 5] = ["SUM(", "SUBTOTAL(", "SUMME(", "SUMIF(", "AGGREGATE("];
    let is_sum = |cell: &GridCell| {
        let formula = cell.facts.as_ref().and_then(|facts| facts.formula.as_deref());
        formula.is_some_and(|formula| SUMS.iter().any(|sum| formula.trim_start_matches("of:=").starts_with(sum)))
    };
    let mut words = part.row(row).filter(|cell| cell.is_wordy());
    let named = words.next().is_some_and(|cell| is_total_name(&cell.text));
    let n_figures = part.row(row).filter(|cell| !cell.is_wordy()).count();
    named && n_figures > 0
        || (n_figures > 0 && words.next().is_none() && part.row(row).any(is_sum) && below_many(part, row))
}

/// A sum of a column stands below what it sums, not beside it in every row.
fn below_many(part: Part<'_>, row: u32) -> bool {
    let has_formulas = |row: u32| part.row(row).any(|cell| cell.facts.as_ref().is_some_and(|f| f.formula.is_some()));
    row == part.cells.last_row && row > part.cells.first_row + 1 && !has_formulas(row - 1)
}

/// Whether a text announces a total, in the languages that are told: "Total", "Summe netto:", "Sous-total".
pub(crate) fn is_total_name(text: &str) -> bool {
    const NAMES: [&str; 18] = [
        "total",
        "totals",
        "subtotal",
        "sub-total",
        "sum",
        "grand",
        "summe",
        "gesamt",
        "gesamtsumme",
        "zwischensumme",
        "gesamtbetrag",
        "endsumme",
        "somme",
        "sous-total",
        "suma",
        "totale",
        "totaal",
        "insgesamt",
    ];
    let text = text.trim().to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let n_more = words.count();
    n_more <= 4 && (NAMES.contains(&first) || text.starts_with("montant total") || text.starts_with("importe total"))
}

fn by_filter(part: Part<'_>) -> Option<u32> {
    let filter = part.grid.filter?;
    let within = part.rows().contains(&filter.first_row)
        && filter.first_column <= part.cells.last_column
        && part.cells.first_column <= filter.last_column;
    within.then(|| filter.first_row - part.cells.first_row + 1)
}

fn by_frozen(part: Part<'_>) -> Option<u32> {
    part.grid.frozen_rows.checked_sub(part.cells.first_row)
}

/// Rows at the top that all look alike in a way that the row below them does not.
fn by_look(part: Part<'_>, most: u32) -> Option<u32> {
    let stands_out = |row: u32| {
        let mut cells = part.row(row).peekable();
        let any = cells.peek().is_some();
        let (mut bold, mut filled) = (any, any);
        for cell in cells {
            bold &= cell.look.bold;
            filled &= cell.look.filled;
        }
        (bold, filled)
    };
    let top = stands_out(part.cells.first_row);
    let like_top = |row: u32| {
        let (bold, filled) = stands_out(row);
        (top.0 && bold) || (top.1 && filled)
    };
    if part.row(part.cells.first_row).count() < 2 && part.n_columns() > 1 {
        return None;
    }
    let n = part.rows().take_while(|row| like_top(*row)).count() as u32;
    (n > 0 && n <= most).then_some(n)
}

/// Names above figures, or names that are all different above words.
fn by_content(part: Part<'_>, most: u32) -> u32 {
    let first = part.cells.first_row;
    let names: Vec<&GridCell> = part.row(first).collect();
    let named = |cell: &&GridCell| cell.is_wordy() && cell.text.chars().count() <= MAX_NAME_CHARS;
    if !names.iter().all(named) || (names.len() as u32) * 2 < part.n_columns() {
        return 0;
    }
    let body = part.with_rows(first + 1, part.cells.last_row.min(first + MAX_SAMPLE_ROWS));
    let changes = names.iter().any(|name| turns_to_figures(body, name.column));
    let distinct: BTreeSet<&str> = names.iter().map(|name| name.text.trim()).collect();
    if changes {
        let spans = names.iter().any(|name| part.merge_at(name.row, name.column).is_some());
        return if distinct.len() * 2 > names.len() || spans { 1 + n_more_rows(part, most, spans) } else { 0 };
    }
    // A list of words is no table with a heading.
    let is_list = part.n_columns() == 1;
    u32::from(!is_list && distinct.len() == names.len() && names.len() as u32 + 1 >= part.n_columns())
}

/// Whether what stands below a name is mostly no words.
fn turns_to_figures(body: Part<'_>, column: u32) -> bool {
    let (mut n_figures, mut n_words) = (0, 0);
    for row in body.rows() {
        match body.cell(row, column) {
            Some(cell) if cell.is_wordy() => n_words += 1,
            Some(cell) if cell.value != ValueKind::Error => n_figures += 1,
            _ => {}
        }
    }
    n_figures > 0 && n_figures >= n_words
}

/// Rows below the first that still name columns: names below headings that span them, or a row of units.
fn n_more_rows(part: Part<'_>, most: u32, spans: bool) -> u32 {
    let first = part.cells.first_row;
    let names = |row: u32| {
        let mut cells = part.row(row).peekable();
        cells.peek().is_some() && cells.all(|cell| cell.is_wordy() && cell.text.chars().count() <= MAX_NAME_CHARS)
    };
    let units = |row: u32| {
        let cells: Vec<&GridCell> = part.row(row).collect();
        let bare = |text: &str| text.trim().trim_matches(['[', ']', '(', ')']).to_owned();
        let n_units = cells.iter().filter(|cell| unit::known(&bare(&cell.text)).is_some()).count();
        n_units > 0 && n_units * 2 >= cells.len()
    };
    let below_span = u32::from(most > 1 && spans && names(first + 1));
    let next = first + 1 + below_span;
    below_span + u32::from(next - first < most && units(next))
}

#[cfg(test)]
mod tests {
    use super::super::{grid::fixture::grid, regions};
    use super::*;
    use crate::document::CellRange;

    fn n_headers(lines: &[&str]) -> u32 {
        let grid = grid(lines);
        let cells = regions::find(&grid).expect("regions")[0];
        n_header_rows(Part { grid: &grid, cells })
    }

    #[test]
    fn headers_are_told_by_content() {
        assert_eq!(n_headers(&["Part|Qty", "Seal|2", "Nut|4"]), 1);
        assert_eq!(n_headers(&["Name|City", "Bob|Berlin", "Eve|Essen"]), 1);
        assert_eq!(n_headers(&["1|2", "3|4"]), 0);
        assert_eq!(n_headers(&["x|x", "y|z"]), 0);
        assert_eq!(n_headers(&["Seal", "Nut", "Cap"]), 0);
        assert_eq!(n_headers(&["Torque|Length", "[Nm]|[mm]", "4|5"]), 2);
        assert_eq!(n_headers(&["|A|B", "x|1|2", "y|3|4"]), 1);
    }

    #[test]
    fn headers_are_told_by_looks_and_by_the_file() {
        assert_eq!(n_headers(&["*Part|*2025|*2026", "Seal|2|3"]), 1);
        assert_eq!(n_headers(&["*a|*b", "*c|*d", "1|2"]), 2);
        assert_eq!(n_headers(&["*a|*b", "*c|*d"]), 1, "everything is bold: that says nothing");
        let mut frozen = grid(&["1|2", "3|4", "5|6"]);
        frozen.frozen_rows = 1;
        let cells = CellRange { first_row: 0, first_column: 0, last_row: 2, last_column: 1 };
        assert_eq!(n_header_rows(Part { grid: &frozen, cells }), 1);
        frozen.frozen_rows = 0;
        frozen.filter = Some(CellRange { first_row: 1, ..cells });
        assert_eq!(n_header_rows(Part { grid: &frozen, cells }), 2);
    }

    #[test]
    fn totals_say_so() {
        for name in ["Total", "Summe netto:", "Grand total", "Sous-total", "Gesamtsumme EUR"] {
            assert!(is_total_name(name), "{name}");
        }
        for name in ["Totally enclosed motor with a long description", "Summer tyre", "Assembly", ""] {
            assert!(!is_total_name(name), "{name}");
        }
        let grid = grid(&["Part|Qty", "Seal|2", "Nut|4", "Total|6", "Total|see below"]);
        let cells = CellRange { first_row: 0, first_column: 0, last_row: 4, last_column: 1 };
        let totals = (0..5).filter(|row| is_total(Part { grid: &grid, cells }, *row)).collect::<Vec<_>>();
        assert_eq!(totals, [3]);
    }
}
