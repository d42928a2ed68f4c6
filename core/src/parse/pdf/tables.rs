//! Tables: text put into the cells of rows and columns.
//!
//! Three kinds, each found on its own and finished alike: with lines around the cells (`lattice` on `grid`), with lines
//! between some rows alone (`open`), without lines (`aligned`). `rivers` tells the columns where no line does, `stack` the
//! rows, `header` what names them. The lines come first, as in Camelot's and Tabula's lattice mode; inside of what they
//! enclose, white space goes on where they are missing, as in Nurminen's thesis.
//!
//! Not for joining tables over pages: that is [`super::tree`]'s.

mod aligned;
mod beside;
mod captioned;
mod contacts;
mod grid;
mod header;
mod items;
mod joined;
mod lattice;
mod loose;
mod open;
mod rivers;
mod stack;
mod text;
mod units;
mod upright;

pub(super) use aligned::aligned;
pub(super) use captioned::{captioned, is_captioned};
pub(super) use header::is_total;
pub(super) use items::{Heads, items};
pub(super) use joined::Ending;
pub(super) use lattice::{ruled, shaded};
pub(super) use open::open;
pub(super) use upright::lay_down;

use super::{glyphs::Turn, labels, lines::Segment};
use crate::document::BBox;

/// Text that runs in another direction than most of its page's.
#[derive(Clone, Debug)]
pub(super) struct Aside {
    /// Where it stands in the frame of the page's other text.
    pub(super) bbox: BBox,
    /// Which way it runs.
    pub(super) turn: Turn,
    /// It in the frame of its own turn.
    pub(super) segment: Segment,
}

/// What tells which cells span rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spans {
    /// Lines around the cells.
    ByLines,
    /// Where the texts stand; what is empty beside a name may belong to it.
    ByPlace,
}

/// A table as it stands on a page.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Around all of it.
    pub(super) bbox: BBox,
    /// Its rows from the top; cells that are covered by a span of another are absent.
    pub(super) rows: Vec<Vec<Cell>>,
    /// How many rows at the top name the columns.
    pub(super) n_header_rows: usize,
    /// From where to where its columns reach.
    pub(super) columns: Vec<(f32, f32)>,
}

/// One cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its text, lines joined.
    pub(super) text: String,
    /// Where it stands.
    pub(super) bbox: BBox,
    /// The column it begins in.
    pub(super) column: usize,
    /// Columns it spans.
    pub(super) colspan: u16,
    /// Rows it spans.
    pub(super) rowspan: u16,
    /// All of it is bold.
    pub(super) bold: bool,
    /// The unit of its value, from itself or from its column's name.
    pub(super) unit: Option<String>,
}

impl Cell {
    /// A cell of one row without anything in it yet.
    fn empty(bbox: BBox, column: usize, colspan: usize) -> Self {
        let colspan = u16::try_from(colspan).unwrap_or(u16::MAX);
        Self { text: String::new(), bbox, column, colspan, rowspan: 1, bold: false, unit: None }
    }

    /// One past the last column it covers.
    fn end(&self) -> usize {
        self.column + usize::from(self.colspan)
    }
}

impl Table {
    /// The tables that it is: two where two stand side by side.
    pub(super) fn parted(self) -> Vec<Self> {
        beside::parted(self)
    }

    /// Of rows, with what names their columns told and units given to their values. `None` if it is none: fewer than two
    /// rows or columns hold text.
    fn finished(
        mut rows: Vec<Vec<Cell>>,
        mut columns: Vec<(f32, f32)>,
        bbox: BBox,
        rule_below_rows: Option<usize>,
        spans_are_told: Spans,
    ) -> Option<Self> {
        drop_empty_rows(&mut rows);
        drop_empty_columns(&mut rows, &mut columns);
        let filled = |of: &dyn Fn(&Cell) -> usize| -> usize {
            let mut all: Vec<usize> = rows.iter().flatten().filter(|cell| !cell.text.is_empty()).map(of).collect();
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let n_rows = rows.iter().filter(|row| row.iter().any(|cell| !cell.text.is_empty())).count();
        if n_rows < 2 || filled(&|cell| cell.column) < 2 {
            // A signal word in a box beside its text is drawn as a table of one row.
            let panel = Self { bbox, rows, n_header_rows: 0, columns };
            return (spans_are_told == Spans::ByLines && labels::panel(&panel).is_some()).then_some(panel);
        }
        let n_header_rows = header::n_header_rows(&rows, rule_below_rows);
        if spans_are_told == Spans::ByPlace {
            header::spread_groups(&mut rows, n_header_rows);
            header::spread_names_down(&mut rows, n_header_rows);
            header::spread_totals(&mut rows, n_header_rows);
        }
        units::give_units(&mut rows, n_header_rows);
        Some(Self { bbox, rows, n_header_rows, columns })
    }
}

/// Takes rows out in which nothing stands, and shortens what spans them.
fn drop_empty_rows(rows: &mut Vec<Vec<Cell>>) {
    let mut at = 0;
    while at < rows.len() {
        // What reaches in from above keeps its row only if something else stands in it.
        if rows[at].iter().any(|cell| !cell.text.is_empty()) {
            at += 1;
            continue;
        }
        for (index, row) in rows.iter_mut().enumerate().take(at) {
            for cell in row.iter_mut().filter(|cell| index + usize::from(cell.rowspan) > at) {
                cell.rowspan -= 1;
            }
        }
        rows.remove(at);
    }
}

/// Takes columns out in which nothing begins: lines that stick out, borders drawn twice.
fn drop_empty_columns(rows: &mut [Vec<Cell>], columns: &mut Vec<(f32, f32)>) {
    let mut at = 0;
    while columns.len() > 1 && at < columns.len() {
        if rows.iter().flatten().any(|cell| cell.column == at && !cell.text.is_empty()) {
            at += 1;
            continue;
        }
        for row in rows.iter_mut() {
            row.retain(|cell| cell.column != at || cell.colspan > 1);
            for cell in row.iter_mut() {
                if cell.column <= at && cell.end() > at && cell.colspan > 1 {
                    cell.colspan -= 1;
                } else if cell.column > at {
                    cell.column -= 1;
                }
            }
        }
        columns.remove(at);
    }
}

#[cfg(test)]
mod tests;
