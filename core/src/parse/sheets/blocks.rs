//! What the groups of cells of a sheet are: tables with their titles, keys with their values, lines of text.

use super::{
    grid::{DeclaredTable, Grid, GridCell, ValueKind},
    header,
    part::Part,
    regions,
};
use crate::document::CellRange;
use std::collections::BTreeSet;

/// A title stands at most so many blank rows above its table.
const MAX_TITLE_GAP: u32 = 2;
/// A table goes on after at most so many blank rows.
const MAX_ROW_GAP: u32 = 2;
/// Longer lists of pairs are tables.
const MAX_PAIRS: u32 = 40;

/// A part of a sheet.
#[derive(Debug)]
pub(super) enum Block<'g> {
    /// A table.
    Table(TableBlock<'g>),
    /// A row of keys with values.
    Pairs(CellRange),
    /// A line of text: the filled cells of one row.
    Line(CellRange),
}

impl Block<'_> {
    fn place(&self) -> (u32, u32) {
        let cells = match self {
            Self::Table(table) => table.cells,
            Self::Pairs(cells) | Self::Line(cells) => *cells,
        };
        (cells.first_row, cells.first_column)
    }
}

/// A table and what belongs to it.
#[derive(Debug)]
pub(super) struct TableBlock<'g> {
    pub(super) cells: CellRange,
    pub(super) n_header_rows: u32,
    /// The cell that says what the table is about.
    pub(super) title: Option<(u32, u32)>,
    pub(super) declared: Option<&'g DeclaredTable>,
}

/// The parts of a sheet from the top, then from the left.
pub(super) fn find(grid: &Grid) -> Vec<Block<'_>> {
    let Some(ranges) = regions::find(grid) else { return scattered(grid) };
    let mut blocks = Vec::new();
    for cells in ranges {
        split(Part { grid, cells }, &mut blocks);
    }
    blocks.sort_by_key(Block::place);
    join_continued(grid, &mut blocks);
    take_titles(grid, &mut blocks);
    blocks
}

/// Every row a line.
fn scattered(grid: &Grid) -> Vec<Block<'_>> {
    let rows = grid.cells.chunk_by(|a, b| a.row == b.row);
    rows.filter_map(|cells| {
        let (first, last) = (cells.first()?, cells.last()?);
        Some(Block::Line(CellRange {
            first_row: first.row,
            first_column: first.column,
            last_row: last.row,
            last_column: last.column,
        }))
    })
    .collect()
}

/// One group of cells: lines above a table, the table, lines below it.
fn split<'g>(part: Part<'g>, blocks: &mut Vec<Block<'g>>) {
    if let Some(declared) = part.grid.tables.iter().find(|table| table.cells == part.cells) {
        let n_header_rows = declared.n_header_rows.min(part.n_rows().saturating_sub(1));
        blocks.push(Block::Table(TableBlock {
            cells: part.cells,
            n_header_rows,
            title: None,
            declared: Some(declared),
        }));
        return;
    }
    let line = |row: u32| Block::Line(part.with_rows(row, row).cells);
    if part.n_columns() == 1
        && part.n_rows() <= 2
        && part.rows().all(|row| part.lone(row).is_some_and(GridCell::is_wordy))
    {
        // One or two lines of words: a title, an address.
        blocks.extend(part.rows().map(line));
        return;
    }
    let (mut first, mut last) = (part.cells.first_row, part.cells.last_row);
    if part.n_columns() > 1 {
        while first < last && is_line_above(part, first) {
            blocks.push(if is_pair_row(part, first) {
                Block::Pairs(part.with_rows(first, first).cells)
            } else {
                line(first)
            });
            first += 1;
        }
        while last > first && is_note(part, last) {
            last -= 1;
        }
    }
    let notes = last + 1..=part.cells.last_row;
    body(narrowed(part.with_rows(first, last)), blocks);
    blocks.extend(notes.map(line));
}

/// What is left when lines above and below are taken away: pairs, a line, or a table.
fn body<'g>(part: Part<'g>, blocks: &mut Vec<Block<'g>>) {
    let cells = part.cells;
    if are_pairs(part) {
        blocks.extend(part.rows().map(|row| Block::Pairs(part.with_rows(row, row).cells)));
    } else if cells.first_row == cells.last_row && part.row(cells.first_row).count() == 1 {
        blocks.push(Block::Line(cells));
    } else {
        let n_header_rows = header::n_header_rows(part);
        blocks.push(Block::Table(TableBlock { cells, n_header_rows, title: None, declared: None }));
    }
}

/// The part without columns at its edges that only the lines above or below it had used.
fn narrowed(part: Part<'_>) -> Part<'_> {
    let columns = || part.rows().flat_map(|row| part.row(row));
    let first = columns().map(|cell| cell.column).min();
    let last = columns().map(|cell| match part.merge_at(cell.row, cell.column) {
        Some(merge) => merge.last_column.min(part.cells.last_column),
        None => cell.column,
    });
    match (first, last.max()) {
        (Some(first_column), Some(last_column)) => {
            Part { cells: CellRange { first_column, last_column, ..part.cells }, ..part }
        }
        _ => part,
    }
}

/// A title, a date or a remark right above a table, or pairs: the next row has more to say.
fn is_line_above(part: Part<'_>, row: u32) -> bool {
    match part.row(row).count() {
        0 => true,
        1 => part.lone(row).is_some_and(|cell| {
            // A heading over some columns of a table begins further right, one over rows reaches down.
            let is_flat = part.merge_at(row, cell.column).is_none_or(|merge| merge.last_row == row);
            let goes_on = part.row(row + 1).next().is_some_and(|next| next.column == cell.column)
                || part.row(row + 1).count() > 1;
            cell.is_wordy() && cell.column == part.cells.first_column && is_flat && goes_on
        }),
        2 => part.n_columns() > 2 && is_pair_row(part, row),
        _ => is_pair_row(part, row),
    }
}

/// A remark below a table: a mark, a signal word or a sentence alone in its row.
fn is_note(part: Part<'_>, row: u32) -> bool {
    const WORDS: [&str; 12] = [
        "note",
        "notes",
        "hinweis",
        "anmerkung",
        "bemerkung",
        "remark",
        "source",
        "quelle",
        "nota",
        "remarque",
        "legend",
        "legende",
    ];
    let Some(cell) = part.lone(row).filter(|cell| cell.is_wordy()) else { return part.row(row).next().is_none() };
    let text = cell.text.trim();
    let lower = text.to_lowercase();
    let first_word = lower.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let marked = text.starts_with(['*', '†', '¹', '²', '³']) || WORDS.contains(&first_word);
    let n_words = text.split_whitespace().count();
    marked || n_words >= 6 || (n_words >= 4 && text.ends_with('.'))
}

/// Whether every filled cell is a key with a colon or the value right of one, beginning with a key.
fn is_pair_row(part: Part<'_>, row: u32) -> bool {
    let (mut n_keys, mut n_open) = (0, 0);
    for cell in part.row(row) {
        if is_key(cell) {
            n_keys += 1;
            n_open = 1;
        } else if n_open == 1 {
            n_open = 0;
        } else {
            return false;
        }
    }
    n_keys > 0 && !(n_keys * 2 > part.row(row).count() && has_values_below(part, row))
}

/// Whether the row below has a cell below each of this row's and no key: then these are names of columns.
fn has_values_below(part: Part<'_>, row: u32) -> bool {
    if row >= part.cells.last_row || part.row(row).count() < 2 {
        return false;
    }
    let columns = |row: u32| part.row(row).map(|cell| cell.column);
    columns(row).eq(columns(row + 1))
        && part.row(row + 1).all(|cell| !is_key(cell))
        && part.row(row).all(|cell| cell.is_wordy())
}

/// "Supplier:"
fn is_key(cell: &GridCell) -> bool {
    let text = cell.text.trim_end();
    text.ends_with([':', '：']) && text.chars().count() > 1 && text.chars().count() <= 60
}

/// Whether a part is keys beside their values: by colons, by the looks of the keys, or by values of all kinds.
fn are_pairs(part: Part<'_>) -> bool {
    if part.n_rows() > MAX_PAIRS || part.n_columns() < 2 {
        return false;
    }
    let rows = || part.rows().filter(|row| part.row(*row).next().is_some());
    let n_rows = rows().count();
    let n_keyed = rows().filter(|row| is_pair_row(part, *row)).count();
    if n_keyed * 3 >= n_rows * 2 {
        return rows().all(|row| is_pair_row(part, row) || part.row(row).count() <= 2);
    }
    let (key_column, value_column) = (part.cells.first_column, part.cells.last_column);
    let pairs: Vec<(&GridCell, Option<&GridCell>)> = rows()
        .filter_map(|row| {
            let mut cells = part.row(row);
            let key = cells.next().filter(|key| key.column == key_column && key.is_wordy())?;
            let value = cells.next();
            cells.next().is_none().then_some((key, value))
        })
        .collect();
    let values = || pairs.iter().filter_map(|(_, value)| *value);
    if pairs.len() != n_rows || values().count() * 2 <= n_rows || values().any(|value| value.column != value_column) {
        return false;
    }
    let stands_out = |look: super::grid::Look| look.bold || look.filled;
    let keys_stand_out =
        pairs.iter().all(|(key, value)| stands_out(key.look) && value.is_none_or(|value| value.look != key.look));
    let mut kinds: Vec<ValueKind> = values().map(|value| value.value).collect();
    let first_is_figure = kinds.first().is_some_and(|kind| *kind != ValueKind::Text);
    kinds.sort_by_key(|kind| *kind as u8);
    kinds.dedup();
    let has_words = kinds.contains(&ValueKind::Text);
    // "Bolt | Torque" above figures is a table; figures first, or words, dates and numbers in turn, are not.
    let mixed = (kinds.len() >= 3 && has_words) || (first_is_figure && kinds.len() >= 2 && has_words);
    let is_single = n_rows == 1 && first_is_figure;
    keys_stand_out && n_rows > 1 || mixed || is_single
}

/// A table that goes on after a blank row without naming its columns again is one.
fn join_continued(grid: &Grid, blocks: &mut Vec<Block<'_>>) {
    let mut at = 1;
    while at < blocks.len() {
        let joined = match (&blocks[at - 1], &blocks[at]) {
            (Block::Table(upper), Block::Table(lower)) => continued(grid, upper, lower),
            _ => None,
        };
        match (joined, &mut blocks[at - 1]) {
            (Some(cells), Block::Table(upper)) => {
                upper.cells = cells;
                blocks.remove(at);
            }
            _ => at += 1,
        }
    }
}

fn continued(grid: &Grid, upper: &TableBlock<'_>, lower: &TableBlock<'_>) -> Option<CellRange> {
    let gap = lower.cells.first_row.checked_sub(upper.cells.last_row + 1)?;
    let same_columns =
        upper.cells.first_column == lower.cells.first_column && upper.cells.last_column == lower.cells.last_column;
    let plain = upper.declared.is_none() && lower.declared.is_none();
    let fits = gap <= MAX_ROW_GAP && same_columns && plain && upper.n_header_rows > 0 && lower.n_header_rows == 0;
    if !fits {
        return None;
    }
    // In every column the same kinds of values, and not only words.
    let above =
        Part { grid, cells: CellRange { first_row: upper.cells.first_row + upper.n_header_rows, ..upper.cells } };
    let below = Part { grid, cells: lower.cells };
    let mut n_figures = 0;
    for column in upper.cells.first_column..=upper.cells.last_column {
        let kind = |part: Part<'_>| part.rows().find_map(|row| part.cell(row, column)).map(GridCell::is_wordy);
        match (kind(above), kind(below)) {
            (Some(a), Some(b)) if a != b => return None,
            (Some(false), Some(false)) => n_figures += 1,
            _ => {}
        }
    }
    (n_figures > 0).then(|| regions::around(upper.cells, lower.cells))
}

/// A lone line of words right above a table is its title. Of several the nearest, or one that stands out.
fn take_titles(grid: &Grid, blocks: &mut Vec<Block<'_>>) {
    let mut taken = BTreeSet::new();
    for at in 0..blocks.len() {
        let Block::Table(table) = &blocks[at] else { continue };
        let cells = table.cells;
        let mut title = None;
        let mut below = cells.first_row;
        for (before, block) in blocks[..at].iter().enumerate().rev() {
            let Block::Line(line) = block else { break };
            let in_columns = line.first_column <= cells.last_column && cells.first_column <= line.last_column;
            let near = line.last_row < below && below - line.last_row - 1 <= MAX_TITLE_GAP;
            let Some(cell) = (Part { grid, cells: *line }).lone(line.first_row).filter(|_| in_columns && near) else {
                break;
            };
            let is_title = cell.is_wordy() && cell.text.chars().count() <= 120;
            let better = title.is_none_or(|(_, known): (usize, &GridCell)| cell.look.bold && !known.look.bold);
            if !is_title || taken.contains(&before) || !better {
                break;
            }
            title = Some((before, cell));
            below = line.first_row;
        }
        if let Some((before, cell)) = title {
            taken.insert(before);
            let place = (cell.row, cell.column);
            if let Block::Table(table) = &mut blocks[at] {
                table.title = Some(place);
            }
        }
    }
    let mut at = 0;
    blocks.retain(|_| {
        at += 1;
        !taken.contains(&(at - 1))
    });
}

#[cfg(test)]
mod tests {
    use super::super::grid::fixture::grid;
    use super::*;

    fn shapes(lines: &[&str]) -> Vec<String> {
        let grid = grid(lines);
        let shape = |block: &Block<'_>| match block {
            Block::Table(table) => {
                let title = table.title.map(|(row, column)| format!(" under {}", CellRange::cell(row, column)));
                format!("table {} header {}{}", table.cells, table.n_header_rows, title.unwrap_or_default())
            }
            Block::Pairs(cells) => format!("pairs {cells}"),
            Block::Line(cells) => format!("line {cells}"),
        };
        find(&grid).iter().map(shape).collect()
    }

    #[test]
    fn titles_tables_and_notes_of_a_sheet() {
        let lines = [
            "Spare parts||",
            "",
            "Part|Qty|Price",
            "Seal|2|3.50",
            "Nut|8|0.10",
            "Total|10|",
            "Note: prices without tax||",
            "",
            "Tools||",
            "Tool|Size|Torque",
            "Key|8|4",
        ];
        assert_eq!(shapes(&lines), ["table A3:C6 header 1 under A1", "line A7:C7", "table A10:C11 header 1 under A9"]);
    }

    #[test]
    fn keys_and_values_are_no_table() {
        assert_eq!(shapes(&["Supplier:|ACME", "Date:|4", "Order:|x"]), ["pairs A1:B1", "pairs A2:B2", "pairs A3:B3"]);
        assert_eq!(shapes(&["*Supplier|ACME", "*City|Berlin"]), ["pairs A1:B1", "pairs A2:B2"]);
        assert_eq!(shapes(&["Length|4", "Colour|red", "Width|5"])[0], "pairs A1:B1");
        assert_eq!(shapes(&["Doc:|Package:|Rev.", "4711|X|A"]), ["table A1:C2 header 1"]);
        assert_eq!(shapes(&["Part|Qty", "Seal|4", "Nut|5"]), ["table A1:B3 header 1"]);
        assert_eq!(
            shapes(&["Customer:|ACME|||", "Pos|Part|Qty|Price", "1|Seal|2|3", "2|Nut|2|4"]),
            ["pairs A1:D1", "table A2:D4 header 1"]
        );
    }

    #[test]
    fn a_table_goes_on_after_a_blank_row() {
        assert_eq!(shapes(&["Part|Qty", "Seal|2", "", "Nut|8", "Cap|9"]), ["table A1:B5 header 1"]);
        assert_eq!(shapes(&["Part|Qty", "Seal|2", "", "Tool|Size", "Key|9"]).len(), 2);
    }
}
