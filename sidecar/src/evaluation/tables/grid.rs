//! A table as cells with places in a grid, and the relations between neighbouring cells.

use millwright_core::document::{Document, Node, NodeKind};

/// A table, or the part of one that stands on a page.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) page: u32,
    pub(super) cells: Vec<Cell>,
}

/// A cell and the places it covers, both ends included.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) last_row: usize,
    pub(super) last_column: usize,
    pub(super) text: String,
}

/// Two neighbouring cells with text: their texts, to the right or below, and how many empty places are between them.
pub(super) type Relation = (String, String, Direction, usize);

/// Where the second cell of a relation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Right,
    Below,
}

impl Grid {
    /// The relations between each cell with text and the nearest one to the right and below, over empty places, once for
    /// each pair; sorted.
    pub(super) fn relations(&self) -> Vec<Relation> {
        let (n_rows, n_columns) = self
            .cells
            .iter()
            .fold((0, 0), |(rows, columns), cell| (rows.max(cell.last_row + 1), columns.max(cell.last_column + 1)));
        let mut at: Vec<Option<usize>> = vec![None; n_rows * n_columns];
        let texts: Vec<String> = self.cells.iter().map(|cell| normal(&cell.text)).collect();
        for (index, cell) in self.cells.iter().enumerate().filter(|(index, _)| !texts[*index].is_empty()) {
            for row in cell.row..=cell.last_row {
                at[row * n_columns + cell.column..=row * n_columns + cell.last_column].fill(Some(index));
            }
        }
        let mut pairs: Vec<(usize, usize, Direction, usize)> = Vec::new();
        let mut pair = |line: &mut dyn Iterator<Item = Option<usize>>, direction| {
            let mut last: Option<(usize, usize)> = None;
            for (place, index) in line.enumerate() {
                let Some(index) = index else { continue };
                match last {
                    Some((before, _)) if before == index => {}
                    Some((before, end)) => pairs.push((before, index, direction, place - end - 1)),
                    None => {}
                }
                last = Some((index, place));
            }
        };
        for row in 0..n_rows {
            pair(&mut (0..n_columns).map(|column| at[row * n_columns + column]), Direction::Right);
        }
        for column in 0..n_columns {
            pair(&mut (0..n_rows).map(|row| at[row * n_columns + column]), Direction::Below);
        }
        // Cells that span rows are neighbours once.
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| (pair.0, pair.1, pair.2));
        let relation =
            |(a, b, direction, n_blank): (usize, usize, _, _)| (texts[a].clone(), texts[b].clone(), direction, n_blank);
        let mut relations: Vec<Relation> = pairs.into_iter().map(relation).collect();
        relations.sort_unstable();
        relations
    }

    /// Rows and columns from the first to the last that hold text.
    pub(super) fn shape(&self) -> (usize, usize) {
        let filled = || self.cells.iter().filter(|cell| !normal(&cell.text).is_empty());
        let extent = |first: fn(&Cell) -> usize, last: fn(&Cell) -> usize| match (
            filled().map(first).min(),
            filled().map(last).max(),
        ) {
            (Some(first), Some(last)) => last + 1 - first,
            _ => 0,
        };
        (extent(|cell| cell.row, |cell| cell.last_row), extent(|cell| cell.column, |cell| cell.last_column))
    }

    /// The part of the words in two tables that is in both, counted with their repetitions.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let (a, b) = (self.words(), other.words());
        let n_both = super::in_both(&a, &b);
        super::rate(n_both, a.len() + b.len() - n_both)
    }

    fn words(&self) -> Vec<String> {
        let mut words: Vec<String> =
            self.cells.iter().flat_map(|cell| cell.text.split_whitespace()).map(normal).collect();
        words.sort_unstable();
        words
    }
}

/// As the competition compares texts: no white space, capitals, all but letters and digits alike.
fn normal(text: &str) -> String {
    let shown = text.chars().filter(|c| !c.is_whitespace());
    shown.flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// The tables of a document, each page's part of one for itself.
pub(super) fn of_document(document: &Document) -> Vec<Grid> {
    let mut grids = Vec::new();
    for table in document.nodes.iter().filter(|node| node.kind == NodeKind::Table) {
        let mut parts: Vec<(u32, Vec<&Node>)> = Vec::new();
        for row in document.children(table.id).filter(|node| matches!(node.kind, NodeKind::Row { .. })) {
            let page = row.boxes.first().map(|place| place.page).or(row.page).unwrap_or(0);
            match parts.last_mut() {
                Some((last, rows)) if *last == page => rows.push(row),
                _ => parts.push((page, vec![row])),
            }
        }
        grids.extend(parts.into_iter().map(|(page, rows)| Grid { page, cells: place(document, &rows) }));
    }
    grids
}

/// Gives each cell the first places of its row that no cell above reaches into.
fn place(document: &Document, rows: &[&Node]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for (row, node) in rows.iter().enumerate() {
        for cell in document.children(node.id) {
            let NodeKind::Cell { colspan, rowspan, .. } = cell.kind else { continue };
            let taken = |column: usize| {
                cells
                    .iter()
                    .any(|c| (c.row..=c.last_row).contains(&row) && (c.column..=c.last_column).contains(&column))
            };
            let column = (0..).find(|column| !taken(*column)).unwrap_or(0);
            let last_row = (row + usize::from(rowspan.max(1)) - 1).min(rows.len() - 1);
            let last_column = column + usize::from(colspan.max(1)) - 1;
            cells.push(Cell { row, column, last_row, last_column, text: cell.text.clone() });
        }
    }
    cells
}
