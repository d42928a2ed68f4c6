//! Two tables side by side, told by the same names over both.

use super::{Cell, Table};
use crate::document::BBox;

/// A table as the two that it is, if its columns are named twice over, from the left. The names of the rows may differ.
pub(super) fn parted(table: Table) -> Vec<Table> {
    let n = table.columns.len();
    let half = n / 2;
    let named_twice = n.is_multiple_of(2) && half >= 2 && table.n_header_rows > 0 && {
        let name = |column: usize| {
            let cells = table.rows.iter().take(table.n_header_rows).flatten();
            let texts = cells.filter(|cell| cell.column == column).map(|cell| cell.text.as_str());
            texts.collect::<Vec<_>>().join(" ")
        };
        let same = |column: &usize| !name(*column).is_empty() && name(*column) == name(column + half);
        let first = |column: usize| name(column).split(' ').next().map(str::to_owned).filter(|word| !word.is_empty());
        // A comparison of years names what it compares over both halves; two tables have names of rows in each.
        (1..half).filter(same).count() + 1 == half && first(0).is_some() && first(0) == first(half)
    };
    let whole = |cell: &Cell| cell.end() <= half || cell.column >= half;
    if !named_twice || !table.rows.iter().flatten().all(whole) {
        return vec![table];
    }
    let part = |from: usize, to: usize| {
        let of_row = |row: &Vec<Cell>| -> Vec<Cell> {
            let cells = row.iter().filter(|cell| (from..to).contains(&cell.column));
            cells.map(|cell| Cell { column: cell.column - from, ..cell.clone() }).collect()
        };
        let rows: Vec<Vec<Cell>> = table.rows.iter().map(of_row).collect();
        let filled = rows.iter().flatten().filter(|cell| !cell.text.is_empty()).map(|cell| cell.bbox);
        let bbox = filled.reduce(BBox::union).unwrap_or(table.bbox);
        Table { bbox, rows, n_header_rows: table.n_header_rows, columns: table.columns[from..to].to_vec() }
    };
    vec![part(0, half), part(half, n)]
}
