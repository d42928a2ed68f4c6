//! Tables: which cells are neighbours, as the ICDAR-2013 competition measured it, and whether every cell is in its place.

use super::{Faults, Reading, Tally, reading, truth};
use millwright_core::document::{Document, Node, NodeKind};
use std::collections::BTreeMap;

/// Two tables are the same where they share at least this part of their cells' texts.
const MIN_SHARED: f64 = 0.4;

/// A cell on its table's grid.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Placed {
    row: usize,
    column: usize,
    rowspan: usize,
    colspan: usize,
    text: String,
}

/// A table as a grid.
#[derive(Clone, Debug, Default)]
struct Grid {
    page: u32,
    /// Every cell's edges are drawn, so that its spans can be seen.
    ruled: bool,
    cells: Vec<Placed>,
}

/// Pairs of neighbouring cells, and tables that are right to the last cell.
pub(super) fn score(reading: &Reading<'_>, truth: &truth::Truth, faults: &mut Faults) -> (Tally, Tally) {
    let known: Vec<Grid> = truth.tables.iter().map(of_truth).collect();
    let mut read: Vec<Grid> = tables(reading.document).collect();
    let (mut pairs, mut tables) = (Tally::default(), Tally::default());
    tables.known = known.len();
    tables.read = read.len();
    for table in &known {
        // The same rows may stand in two tables: the one on its page is meant.
        let likeness = |other: &Grid| ((shared(table, other) * 1000.0) as usize, other.page == table.page);
        let best =
            (0..read.len()).max_by_key(|n| likeness(&read[*n])).filter(|n| shared(table, &read[*n]) >= MIN_SHARED);
        let Some(best) = best else {
            faults.push(format!("tables: page {}, “{}” not found", table.page, first_cells(table)));
            pairs.known += neighbours(table).values().sum::<usize>();
            continue;
        };
        let found = read.swap_remove(best);
        let (mine, theirs) = (neighbours(table), neighbours(&found));
        let right: usize = mine.iter().map(|(pair, n)| (*n).min(theirs.get(pair).copied().unwrap_or_default())).sum();
        pairs.add(Tally { right, read: theirs.values().sum(), known: mine.values().sum() });
        if same(table, &found) {
            tables.right += 1;
        } else {
            let different = difference(table, &found);
            faults.push(format!(
                "tables: page {}, “{}”: {} for {}{different}",
                table.page,
                first_cells(table),
                size(&found),
                size(table)
            ));
        }
    }
    for table in &read {
        pairs.read += neighbours(table).values().sum::<usize>();
        faults.push(format!("tables: page {}, “{}” is none ({})", table.page, first_cells(table), size(table)));
    }
    (pairs, tables)
}

fn of_truth(table: &truth::Table) -> Grid {
    let rows = table
        .rows
        .iter()
        .map(|row| row.iter().map(|cell| (reading::dense(&cell.text), cell.rowspan, cell.colspan)).collect::<Vec<_>>());
    Grid { page: table.page, ruled: table.style == "grid", cells: place(rows) }
}

/// Every table of a document with its cells; one inside another counts for itself.
fn tables(document: &Document) -> impl Iterator<Item = Grid> + '_ {
    document.nodes.iter().filter(|node| node.kind == NodeKind::Table).map(|table| {
        let rows = document.children(table.id).filter(|row| matches!(row.kind, NodeKind::Row { .. }));
        let rows = rows.map(|row| document.children(row.id).filter_map(|cell| of_node(document, cell)).collect());
        Grid { page: table.page.unwrap_or(0), ruled: false, cells: place(rows) }
    })
}

fn of_node(document: &Document, cell: &Node) -> Option<(String, usize, usize)> {
    let NodeKind::Cell { colspan, rowspan, .. } = cell.kind else { return None };
    Some((reading::dense(&reading::subtree_text(document, cell.id)), usize::from(rowspan), usize::from(colspan)))
}

/// Puts the cells of rows on the grid: a cell goes to the first column that no cell above reaches into, as in HTML.
fn place(rows: impl Iterator<Item = Vec<(String, usize, usize)>>) -> Vec<Placed> {
    let mut cells: Vec<Placed> = Vec::new();
    for (row, texts) in rows.enumerate() {
        let reaching: Vec<(usize, usize)> =
            cells.iter().filter(|c| c.row + c.rowspan > row).map(|c| (c.column, c.column + c.colspan)).collect();
        let mut column = 0;
        for (text, rowspan, colspan) in texts {
            while let Some((_, end)) = reaching.iter().find(|(from, end)| (*from..*end).contains(&column)) {
                column = *end;
            }
            cells.push(Placed { row, column, rowspan: rowspan.max(1), colspan: colspan.max(1), text });
            column += colspan.max(1);
        }
    }
    cells
}

/// The part of the texts that two tables share, of those of both.
fn shared(a: &Grid, b: &Grid) -> f64 {
    let texts = |grid: &Grid| {
        let mut texts: BTreeMap<String, usize> = BTreeMap::new();
        for cell in grid.cells.iter().filter(|cell| !cell.text.is_empty()) {
            *texts.entry(cell.text.clone()).or_default() += 1;
        }
        texts
    };
    let (a, b) = (texts(a), texts(b));
    let both: usize = a.iter().map(|(text, n)| (*n).min(b.get(text).copied().unwrap_or_default())).sum();
    let n_a = a.values().sum::<usize>().max(1);
    both as f64 / n_a as f64
}

/// Every pair of a cell with text and the next such cell to its right or below it.
fn neighbours(grid: &Grid) -> BTreeMap<(String, String, bool), usize> {
    let mut pairs = BTreeMap::new();
    let filled: Vec<&Placed> = grid.cells.iter().filter(|cell| !cell.text.is_empty()).collect();
    for cell in &filled {
        let in_rows = |other: &Placed| other.row < cell.row + cell.rowspan && cell.row < other.row + other.rowspan;
        let in_columns =
            |other: &Placed| other.column < cell.column + cell.colspan && cell.column < other.column + other.colspan;
        let mut add = |others: Vec<&&Placed>, rightwards: bool, key: fn(&Placed) -> usize| {
            let nearest = others.iter().map(|other| key(other)).min();
            for other in others.into_iter().filter(|other| Some(key(other)) == nearest) {
                *pairs.entry((cell.text.clone(), other.text.clone(), rightwards)).or_default() += 1;
            }
        };
        let right = filled.iter().filter(|o| o.column >= cell.column + cell.colspan && in_rows(o));
        add(right.collect(), true, |other| other.column);
        let below = filled.iter().filter(|o| o.row >= cell.row + cell.rowspan && in_columns(o));
        add(below.collect(), false, |other| other.row);
    }
    pairs
}

/// Whether every cell with text is in its place; those without say nothing. Where no edges are drawn, nobody can see how
/// far a cell reaches: it is in its place if it stands within the cell of the source, and nothing else does.
fn same(known: &Grid, read: &Grid) -> bool {
    let (a, b) = (filled(known), filled(read));
    size(known) == size(read)
        && a.len() == b.len()
        && a.iter().all(|cell| {
            b.iter().any(|other| cell == other || (!known.ruled && cell.text == other.text && within(other, cell)))
        })
}

fn within(cell: &Placed, outer: &Placed) -> bool {
    cell.row >= outer.row
        && cell.row + cell.rowspan <= outer.row + outer.rowspan
        && cell.column >= outer.column
        && cell.column + cell.colspan <= outer.column + outer.colspan
}

fn filled(grid: &Grid) -> Vec<Placed> {
    grid.cells.iter().filter(|cell| !cell.text.is_empty()).cloned().collect()
}

fn size(grid: &Grid) -> String {
    let n_rows = grid.cells.iter().map(|cell| cell.row + cell.rowspan).max().unwrap_or(0);
    let n_columns = grid.cells.iter().map(|cell| cell.column + cell.colspan).max().unwrap_or(0);
    format!("{n_rows} × {n_columns}")
}

fn first_cells(grid: &Grid) -> String {
    grid.cells.iter().take(3).map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" | ")
}

fn difference(known: &Grid, read: &Grid) -> String {
    let described = |cell: Option<&&Placed>| {
        cell.map_or_else(|| "nothing".to_owned(), |c| format!("“{:.40}” {}×{}", c.text, c.rowspan, c.colspan))
    };
    let (known, read) = (filled(known), filled(read));
    let first = known.iter().find(|cell| !read.contains(cell));
    first.map_or_else(String::new, |cell| {
        let there: Vec<&Placed> = read.iter().filter(|o| o.row == cell.row && o.column == cell.column).collect();
        format!("; at {},{}: {} for {}", cell.row, cell.column, described(there.first()), described(Some(&cell)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[(&str, usize, usize)]]) -> Grid {
        let rows = rows.iter().map(|row| row.iter().map(|(text, r, c)| ((*text).to_owned(), *r, *c)).collect());
        Grid { page: 1, ruled: false, cells: place(rows) }
    }

    #[test]
    fn spans_push_cells_aside() {
        let grid = grid(&[&[("a", 2, 1), ("b", 1, 2)], &[("c", 1, 1), ("d", 1, 1)]]);
        let columns: Vec<usize> = grid.cells.iter().map(|cell| cell.column).collect();
        assert_eq!(columns, [0, 1, 1, 2]);
    }

    #[test]
    fn neighbours_look_over_empty_cells() {
        let grid = grid(&[&[("a", 1, 1), ("", 1, 1), ("b", 1, 1)], &[("c", 1, 1), ("d", 1, 1), ("", 1, 1)]]);
        let pairs: Vec<String> = neighbours(&grid).into_keys().map(|(a, b, right)| format!("{a}{b}{right}")).collect();
        assert_eq!(pairs, ["abtrue", "acfalse", "cdtrue"]);
    }
}
