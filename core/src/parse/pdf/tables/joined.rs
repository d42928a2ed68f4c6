//! Tables over several pages: whether one at the top of a page is the rest of one that ended the page before.

use super::{Cell, Table};
use crate::document::BBox;
use std::borrow::Cow;

/// Edges of columns that are one are this near, in points.
const NEAR: f32 = 4.0;

/// What is remembered of a table that may go on.
#[derive(Clone, Debug)]
pub(in crate::parse::pdf) struct Ending {
    /// From where to where its columns reach.
    columns: Vec<(f32, f32)>,
    /// The texts of its header rows.
    header: Vec<Vec<String>>,
    /// Its caption.
    caption: String,
}

impl Ending {
    /// Of a table with this caption.
    pub(in crate::parse::pdf) fn of(table: &Table, caption: &str) -> Self {
        Self { columns: table.columns.clone(), header: header(table), caption: caption.to_owned() }
    }

    /// Whether a table is the rest of this one: the same number of columns at the same places, under the same header or
    /// none. Under a header printed again the columns may have moved: where no lines are, texts alone tell them.
    pub(in crate::parse::pdf) fn goes_on(&self, next: &Table) -> bool {
        if self.columns.len() != next.columns.len() {
            return self.fewer(next).is_some();
        }
        let pairs = || self.columns.iter().zip(&next.columns);
        if self.n_repeated(next) > 0 {
            return pairs().all(|(a, b)| a.0 <= b.1 + NEAR && b.0 <= a.1 + NEAR);
        }
        let near = |a: f32, b: f32| (a - b).abs() <= NEAR;
        let agrees = |a: &(f32, f32), b: &(f32, f32)| near(a.0, b.0) || near(a.1, b.1) || near(a.0 + a.1, b.0 + b.1);
        next.n_header_rows == 0 && pairs().all(|(a, b)| agrees(a, b))
    }

    /// The columns of this table that those of a rest of it are, where the rest has nothing in some of them.
    fn fewer(&self, next: &Table) -> Option<Vec<usize>> {
        let n = next.columns.len();
        if next.n_header_rows > 0 || n >= self.columns.len() || n < 2 || n * 2 < self.columns.len() {
            return None;
        }
        let near = |a: f32, b: f32| (a - b).abs() <= NEAR;
        let mut of_next = Vec::with_capacity(n);
        for b in &next.columns {
            let from = of_next.last().map_or(0, |last| last + 1);
            let agrees = |a: &(f32, f32)| near(a.0, b.0) || near(a.1, b.1) || near(a.0 + a.1, b.0 + b.1);
            of_next.push(from + self.columns.get(from..)?.iter().position(agrees)?);
        }
        Some(of_next)
    }

    /// The rest of this table with as many columns as it has.
    pub(in crate::parse::pdf) fn completed<'t>(&self, next: &'t Table) -> Cow<'t, Table> {
        let Some(of_next) = self.fewer(next) else { return Cow::Borrowed(next) };
        let column = |at: usize| of_next.get(at).copied().unwrap_or(at);
        let row = |row: &Vec<Cell>| {
            let mut cells: Vec<Cell> = Vec::with_capacity(self.columns.len());
            for cell in row {
                let (first, end) = (column(cell.column), column(cell.end() - 1) + 1);
                cells.extend(self.empty(cells.last().map_or(0, Cell::end), first, cell));
                cells.push(Cell {
                    column: first,
                    colspan: u16::try_from(end - first).unwrap_or(u16::MAX),
                    ..cell.clone()
                });
            }
            if let Some(last) = cells.last().cloned() {
                cells.extend(self.empty(last.end(), self.columns.len(), &last));
            }
            cells
        };
        let rows = next.rows.iter().map(row).collect();
        Cow::Owned(Table { rows, columns: self.columns.clone(), ..next.clone() })
    }

    /// Empty cells from one column up to another, as high as a cell beside them.
    fn empty(&self, from: usize, to: usize, beside: &Cell) -> Vec<Cell> {
        let of_column = |at: usize| {
            let (x0, x1) = self.columns.get(at).copied().unwrap_or_default();
            Cell::empty(BBox { x0, x1, ..beside.bbox }, at, 1)
        };
        (from..to.max(from)).map(of_column).collect()
    }

    /// How many rows at the top of the next page's part print the header again.
    pub(in crate::parse::pdf) fn n_repeated(&self, next: &Table) -> usize {
        let texts = |row: &Vec<String>| -> Vec<String> { filled(row.iter().map(String::as_str)) };
        let is_again = |(header, row): (&Vec<String>, &Vec<Cell>)| {
            texts(header) == filled(row.iter().map(|cell| cell.text.as_str()))
        };
        let n = self.header.len();
        if n > 0 && next.rows.len() >= n && self.header.iter().zip(&next.rows).all(is_again) { n } else { 0 }
    }

    /// Whether a caption is that of this table printed again: "Table 3 (continued)".
    pub(in crate::parse::pdf) fn is_captioned_again(&self, caption: &str) -> bool {
        const WORDS: [&str; 7] = ["continued", "cont", "fortsetzung", "forts", "suite", "continuación", "continuation"];
        let number = |text: &str| text.split_whitespace().take(2).map(plain).collect::<Vec<_>>();
        let words: Vec<String> = caption.split(|c: char| !c.is_alphabetic()).map(plain).collect();
        let same = !self.caption.is_empty() && number(&self.caption) == number(caption);
        same && (plain(&self.caption) == plain(caption)
            || WORDS.iter().any(|word| words.iter().any(|other| other == word)))
    }
}

fn header(table: &Table) -> Vec<Vec<String>> {
    let texts = |row: &Vec<Cell>| row.iter().map(|cell| cell.text.clone()).collect();
    table.rows.iter().take(table.n_header_rows).map(texts).collect()
}

/// The texts that say something, as far as white space, capitals and punctuation do not matter.
fn filled<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    texts.map(plain).filter(|text| !text.is_empty()).collect()
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
