//! What names the columns and rows of a table: header rows, totals.
//!
//! Not for the units that the names tell ([`super::units`]).

use super::{
    Cell,
    text::{is_blank_mark, is_figure},
};
use crate::document::BBox;

/// More rows do not name columns.
const MAX_HEADER_ROWS: usize = 4;

/// How many rows at the top name the columns: those set bold over rows that are not, those above the first line where a
/// line parts them, or words over figures. A row that only part of the columns' names stand in takes the next with it.
pub(super) fn n_header_rows(rows: &[Vec<Cell>], rule_below_rows: Option<usize>) -> usize {
    let n_rows = rows.len();
    let n_bold = rows.iter().take_while(|row| is_bold(row)).count();
    let reach = |n: usize| {
        // Names that span rows, and groups of columns over the columns' own names.
        let spans = rows
            .iter()
            .take(n)
            .enumerate()
            .flat_map(|(at, row)| row.iter().map(move |cell| at + usize::from(cell.rowspan)));
        let mut n = spans.max().unwrap_or(n).max(n);
        while n < MAX_HEADER_ROWS && n > 0 && n + 1 < n_rows && groups_columns(&rows[n - 1]) && names_columns(&rows[n])
        {
            n += 1;
        }
        if n < n_rows { n } else { 0 }
    };
    if n_bold > 0 && n_bold < n_rows {
        return reach(n_bold.min(MAX_HEADER_ROWS - 1));
    }
    if let Some(n) = rule_below_rows.filter(|n| *n > 0 && *n < n_rows)
        && rows.iter().take(n).flatten().filter(|cell| is_figure(&cell.text) && !is_year(&cell.text)).count() == 0
    {
        return reach(n);
    }
    let n_names = rows.iter().take(MAX_HEADER_ROWS).take_while(|row| names_columns(row)).count();
    if n_names == 0 || n_names >= n_rows {
        return 0;
    }
    let (names, body) = rows.split_at(n_names);
    let figures_below = |cell: &Cell| {
        let below = || body.iter().flatten().filter(|other| other.column == cell.column && !other.text.is_empty());
        let n_figures = below().filter(|other| is_figure(&other.text) || is_blank_mark(&other.text)).count();
        n_figures >= 1 && below().any(|other| is_figure(&other.text)) && n_figures * 3 >= below().count() * 2
    };
    let over_figures = names.iter().flatten().any(|cell| !cell.text.is_empty() && figures_below(cell));
    if !over_figures {
        return 0;
    }
    // Rows that name a group of rows look like names, too: only as many as are needed to name every column.
    let n_columns = rows.iter().flatten().map(Cell::end).max().unwrap_or(0);
    let mut named = vec![false; n_columns];
    for (at, row) in names.iter().enumerate() {
        for cell in row.iter().filter(|cell| !cell.text.is_empty()) {
            named[cell.column..cell.end()].fill(true);
        }
        let all_named = named.iter().skip(1).all(|named| *named);
        if all_named && !groups_columns(row) {
            return reach(at + 1);
        }
    }
    if named.iter().filter(|named| **named).count() * 2 >= n_columns { reach(1) } else { 0 }
}

/// Lets a name span the columns to its right that have names of their own below it and nothing beside it.
pub(super) fn spread_groups(rows: &mut [Vec<Cell>], n_header_rows: usize) {
    for at in 0..n_header_rows.saturating_sub(1).min(rows.len()) {
        let below: Vec<usize> = rows
            .get(at + 1..n_header_rows)
            .unwrap_or_default()
            .iter()
            .flatten()
            .filter(|cell| !cell.text.is_empty() && cell.colspan == 1)
            .map(|cell| cell.column)
            .collect();
        let row = &mut rows[at];
        // What spans already was told to by a line or by its place.
        let told: Vec<usize> = row.iter().filter(|cell| cell.colspan > 1).map(|cell| cell.column).collect();
        let mut index = 0;
        while index + 1 < row.len() {
            let (cell, next) = (&row[index], &row[index + 1]);
            let is_name = !cell.text.is_empty() && cell.column > 0 && cell.rowspan == 1;
            let is_group = is_name && !told.contains(&cell.column) && below.contains(&cell.column);
            let is_free = next.text.is_empty() && next.colspan == 1 && next.rowspan == 1 && next.column == cell.end();
            if is_group && is_free && below.contains(&next.column) {
                let bbox = next.bbox;
                row.remove(index + 1);
                row[index].colspan += 1;
                row[index].bbox = row[index].bbox.union(bbox);
            } else {
                index += 1;
            }
        }
    }
}

/// Lets a column's only name span all header rows, whichever of them it stands beside.
pub(super) fn spread_names_down(rows: &mut [Vec<Cell>], n_header_rows: usize) {
    let Some(header) = rows.get_mut(..n_header_rows).filter(|header| header.len() > 1) else { return };
    let n_columns = header.iter().flatten().map(Cell::end).max().unwrap_or(0);
    for column in 0..n_columns {
        let cells: Vec<&Cell> =
            header.iter().filter_map(|row| row.iter().find(|c| c.column <= column && column < c.end())).collect();
        let alone = cells.len() == header.len() && cells.iter().all(|cell| cell.colspan == 1 && cell.rowspan == 1);
        let mut named = cells.iter().filter(|cell| !cell.text.is_empty());
        let (Some(name), None) = (named.next().copied().cloned(), named.next()) else { continue };
        if !alone {
            continue;
        }
        let bbox = cells.iter().map(|cell| cell.bbox).reduce(BBox::union).unwrap_or(name.bbox);
        let rowspan = u16::try_from(n_header_rows).unwrap_or(u16::MAX);
        for row in header.iter_mut() {
            row.retain(|cell| cell.column != column);
        }
        if let Some(first) = header.first_mut() {
            first.push(Cell { bbox, rowspan, ..name });
            first.sort_by_key(|cell| cell.column);
        }
    }
}

/// Lets what names a sum at the end of a row span the empty cells before it.
pub(super) fn spread_totals(rows: &mut [Vec<Cell>], n_header_rows: usize) {
    for row in rows.iter_mut().skip(n_header_rows) {
        let mut filled = row.iter().filter(|cell| !cell.text.is_empty());
        let (Some(label), Some(value), None) = (filled.next(), filled.next(), filled.next()) else { continue };
        let is_sum = !is_figure(&label.text)
            && is_figure(&value.text)
            && row.last().is_some_and(|last| last.column == value.column);
        let plain = row.iter().all(|cell| cell.rowspan == 1);
        let (column, end) = (label.column, label.end());
        if !(is_sum && plain && column > 0) {
            continue;
        }
        let bbox = row.iter().filter(|cell| cell.column <= column).map(|cell| cell.bbox).reduce(BBox::union);
        row.retain(|cell| cell.column >= column);
        if let (Some(label), Some(bbox)) = (row.first_mut(), bbox) {
            (label.column, label.colspan, label.bbox) = (0, u16::try_from(end).unwrap_or(u16::MAX), bbox);
        }
    }
}

fn is_bold(row: &[Cell]) -> bool {
    let mut filled = row.iter().filter(|cell| !cell.text.is_empty()).peekable();
    filled.peek().is_some() && filled.all(|cell| cell.bold)
}

/// Whether some of a row's cells stand over several columns, and not one over all.
fn groups_columns(row: &[Cell]) -> bool {
    row.iter().any(|cell| cell.colspan > 1 && !cell.text.is_empty())
}

/// Whether a row has names in two cells or more, or one over several columns, and no figures but years.
fn names_columns(row: &[Cell]) -> bool {
    let filled = || row.iter().filter(|cell| !cell.text.is_empty());
    let several = filled().count() >= 2 || groups_columns(row);
    several
        && filled().all(|cell| !is_figure(&cell.text) || is_year(&cell.text) || cell.text.starts_with('('))
        && filled().any(|cell| !is_blank_mark(&cell.text))
}

/// "1997", "2003-2007", "1990/91", "1995*".
fn is_year(text: &str) -> bool {
    let mut parts = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let first = parts.next().is_some_and(|year| year.len() == 4 && (year.starts_with("19") || year.starts_with("20")));
    first && parts.all(|part| part.len() == 4 || part.len() <= 2) && text.chars().count() <= 12
}

/// Whether a row sums up others, by the word it begins with.
pub(in crate::parse::pdf) fn is_total(row: &[Cell]) -> bool {
    const WORDS: [&str; 22] = [
        "total",
        "totals",
        "subtotal",
        "sub-total",
        "sum",
        "grand",
        "overall",
        "summe",
        "gesamt",
        "gesamtsumme",
        "gesamtbetrag",
        "zwischensumme",
        "insgesamt",
        "endsumme",
        "totaux",
        "sous-total",
        "somme",
        "ensemble",
        "suma",
        "totales",
        "totale",
        "subtotales",
    ];
    let Some(first) = row.iter().find(|cell| !cell.text.is_empty()) else { return false };
    let word = first.text.split_whitespace().next().unwrap_or_default().to_lowercase();
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let last_word = first.text.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let named = WORDS.contains(&word)
        || matches!(last_word.trim_matches(|c: char| !c.is_alphanumeric()), "total" | "gesamt" | "insgesamt");
    let short = first.text.split_whitespace().count() <= 6;
    let mut others = row.iter().filter(|cell| cell.column > first.column);
    named && short && others.any(|cell| is_figure(&cell.text))
}
