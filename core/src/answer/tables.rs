//! Tables as names of columns and rows of cells, read back from nodes; and rows as statements.

mod rows;

use super::evidence::{Source, Stretch};
use crate::{
    document::{Node, NodeId, NodeKind, facts},
    text,
};
pub(super) use rows::{best_rows, say_row};
use std::ops::Range;

/// A table with more rows than this is not computed over.
pub(super) const MAX_ROWS: usize = 50_000;
/// Columns that a cell is taken to span, at most.
const MAX_SPAN: u16 = 200;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) node: NodeId,
    pub(super) caption: String,
    /// The names of its columns, of several header rows joined by ` / `; empty where it names none.
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// A row that is no header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    pub(super) node: NodeId,
    pub(super) cells: Vec<Cell>,
    /// It sums up others.
    pub(super) is_total: bool,
    pub(super) is_hidden: bool,
    /// The row above that names this and others.
    pub(super) group: Option<String>,
}

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) unit: Option<String>,
    /// The stored number, where what is shown is another.
    pub(super) value: Option<String>,
}

impl Table {
    /// The table at a node of a stretch; `None` where there is none.
    pub(super) fn of(stretch: &Stretch, id: NodeId) -> Option<Self> {
        let subtree = stretch.subtree(id);
        let node = subtree.first().filter(|node| node.kind == NodeKind::Table)?;
        let caption = text::collapse_whitespace(&node.text);
        let mut table = Self { node: id, caption, columns: Vec::new(), rows: Vec::new() };
        // By column: for how many rows more a cell above reaches down, and what it says.
        let mut reaching: Vec<(u16, Cell)> = Vec::new();
        let mut headers: Vec<Vec<Cell>> = Vec::new();
        let mut group: Option<String> = None;
        for row in subtree.iter().filter(|node| matches!(node.kind, NodeKind::Row { .. })).take(MAX_ROWS + 1) {
            let is_header = matches!(row.kind, NodeKind::Row { header: true });
            let (cells, n_filled, spans_all) = cells(stretch, row, &mut reaching);
            if is_header && table.rows.is_empty() {
                headers.push(cells);
                continue;
            }
            if n_filled == 1 && spans_all && cells.len() > 1 {
                group = cells.iter().find(|cell| !cell.text.is_empty()).map(|cell| cell.text.clone());
                continue;
            }
            if n_filled == 0 {
                continue;
            }
            table.rows.push(Row {
                node: row.id,
                is_total: row.metadata.contains_key(facts::TOTAL) || says_total(&cells),
                is_hidden: row.metadata.contains_key(facts::HIDDEN),
                cells,
                group: group.clone(),
            });
        }
        table.columns = names(&headers);
        Some(table)
    }

    /// All tables of a stretch that are not inside another.
    pub(super) fn all(stretch: &Stretch) -> Vec<Self> {
        let tables = stretch.nodes.iter().filter(|node| node.kind == NodeKind::Table);
        tables.filter_map(|node| Self::of(stretch, node.id)).collect()
    }
}

/// Words in the first cells of a row that sums up others.
const TOTALS: [&str; 18] = [
    "total",
    "totals",
    "subtotal",
    "sub-total",
    "sum",
    "grand total",
    "net total",
    "total amount",
    "summe",
    "gesamt",
    "gesamtsumme",
    "gesamtbetrag",
    "zwischensumme",
    "somme",
    "sous-total",
    "total general",
    "suma",
    "total:",
];

fn says_total(cells: &[Cell]) -> bool {
    let first = cells.iter().find(|cell| !cell.text.is_empty());
    first.is_some_and(|cell| {
        let folded = cell.text.to_lowercase();
        let folded = folded.trim().trim_end_matches([':', '.']);
        TOTALS.contains(&folded)
            || folded.starts_with("total ") && cells.iter().filter(|cell| !cell.text.is_empty()).count() <= 3
    })
}

/// The cells of a row in their columns, how many have text, and whether the one that does spans all columns.
fn cells(stretch: &Stretch, row: &Node, reaching: &mut Vec<(u16, Cell)>) -> (Vec<Cell>, usize, bool) {
    let mut cells: Vec<Cell> = Vec::new();
    let (mut n_filled, mut spans_all) = (0, false);
    let from_above = |cells: &mut Vec<Cell>, reaching: &mut Vec<(u16, Cell)>| {
        while let Some((n, cell)) = reaching.get_mut(cells.len()).filter(|(n, _)| *n > 0) {
            *n -= 1;
            cells.push(cell.clone());
        }
    };
    let below = stretch.subtree(row.id);
    let n_own = below.iter().filter(|node| node.parent == Some(row.id)).count();
    for node in below.iter().filter(|node| node.parent == Some(row.id)) {
        from_above(&mut cells, reaching);
        let (colspan, rowspan) = match node.kind {
            NodeKind::Cell { colspan, rowspan, .. } => (colspan.clamp(1, MAX_SPAN), rowspan.max(1)),
            _ => (1, 1),
        };
        let fact = |key: &str| node.metadata.get(key).cloned();
        let cell = Cell { text: stretch.text_of(node.id), unit: fact(facts::UNIT), value: fact(facts::VALUE) };
        if !cell.text.is_empty() {
            n_filled += 1;
            spans_all = n_own == 1 && colspan > 1;
        }
        for at in 0..colspan {
            let column = cells.len();
            if reaching.len() <= column {
                reaching.resize(column + 1, (0, Cell::default()));
            }
            reaching[column] = (rowspan - 1, cell.clone());
            // A name over several columns is every one's; a value is the first one's.
            let is_header = matches!(row.kind, NodeKind::Row { header: true });
            cells.push(if at == 0 || is_header { cell.clone() } else { Cell::default() });
        }
    }
    from_above(&mut cells, reaching);
    (cells, n_filled, spans_all)
}

fn names(headers: &[Vec<Cell>]) -> Vec<String> {
    let n_columns = headers.iter().map(Vec::len).max().unwrap_or(0);
    let name = |column: usize| {
        let mut parts: Vec<&str> = Vec::new();
        for part in headers.iter().filter_map(|row| row.get(column)).map(|cell| cell.text.as_str()) {
            if !part.is_empty() && parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        parts.join(" / ")
    };
    (0..n_columns).map(name).collect()
}

/// Where a row stands word for word: its chunk, and the range of it there.
pub(super) fn locate_row<'a>(stretch: &'a Stretch, row: &Row) -> Option<(Source<'a>, Range<usize>)> {
    let chunk = stretch.covering(row.node).next()?;
    let source = Source::of(chunk, &stretch.name);
    let texts: Vec<&str> = row.cells.iter().map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()).collect();
    let first = texts.first()?;
    let mut at = 0;
    // The line that has all of the row's cells; of a row's own chunk that is all of it.
    for line in chunk.text.split_inclusive('\n') {
        let range = at..at + line.trim_end_matches('\n').len();
        at += line.len();
        let has = |text: &&str| line.contains(*text);
        if line.contains(first) && texts.iter().all(has) {
            return Some((source, range));
        }
    }
    Some((source, 0..chunk.text.len()))
}
