//! Tables without lines that a caption tells of, found before a page is parted into columns: cells with long texts look
//! like columns of prose there.
//!
//! Not for what such a table is ([`super::aligned`]).

use super::{Table, aligned};
use crate::parse::pdf::{
    glyphs::Rule,
    labels::{self, Captioned},
    lines::Segment,
    rows::{self, Row},
};

/// A caption stands within so many ems of its table.
const NEAR: f32 = 4.0;
/// Rows of a table over its caption follow one another within so many ems.
const STEP: f32 = 4.6;
/// Lines of a caption.
const MAX_CAPTION_LINES: usize = 3;
/// Rows that are looked at above a caption.
const MAX_ABOVE: usize = 80;

/// Whether a row is the caption of a table.
pub(in crate::parse::pdf) fn is_caption(row: &Row) -> bool {
    row.segments.len() == 1 && labels::caption(&row.text()) == Some(Captioned::Table)
}

/// Whether the first of two rows is the caption of what the second may begin.
pub(in crate::parse::pdf) fn is_captioned(caption: &Row, first: &Row) -> bool {
    is_caption(caption) && first.v() - caption.v() <= NEAR * first.size()
}

/// The tables among these segments, each with the heights of its first and its last line.
pub(in crate::parse::pdf) fn captioned(segments: &[&Segment], rules: &[Rule]) -> Vec<(Table, (f32, f32))> {
    let mut found = Vec::new();
    if !segments.iter().any(|segment| labels::caption(&segment.text) == Some(Captioned::Table)) {
        return found;
    }
    let rows = rows::rows(segments.iter().map(|segment| (*segment).clone()).collect(), rules);
    let mut free_from = 0;
    for at in 0..rows.len() {
        if at < free_from || !is_caption(&rows[at]) {
            continue;
        }
        let step = |a: usize, b: usize| rows.get(a).zip(rows.get(b)).map_or(f32::MAX, |(a, b)| b.v() - a.v());
        let above_first = at > 0 && step(at - 1, at) < step(at, at + 1);
        let above = || above(&rows, free_from, at, rules);
        let below = || below(&rows, at, rules);
        let table = if above_first { above().or_else(below) } else { below().or_else(above) };
        let Some((table, from, to)) = table else { continue };
        found.push((table, (rows[from].v() - 0.3 * rows[from].size(), rows[to - 1].v() + 0.3 * rows[to - 1].size())));
        free_from = to.max(at + 1);
    }
    found
}

/// The table under a caption, and from which row to which it goes.
fn below(rows: &[Row], caption: usize, rules: &[Rule]) -> Option<(Table, usize, usize)> {
    for from in caption + 1..=caption + MAX_CAPTION_LINES {
        let (before, first) = (rows.get(from - 1)?, rows.get(from)?);
        if first.v() - before.v() > NEAR * first.size() || from > caption + 1 && before.segments.len() > 1 {
            return None;
        }
        let (table, n_rows) = aligned(rows.get(from..)?, rules, true, None);
        if let Some(table) = table.filter(|table| stands_by(table, &rows[caption])) {
            return Some((table, from, from + n_rows));
        }
    }
    None
}

/// The table above a caption: the longest that ends there.
fn above(rows: &[Row], free_from: usize, caption: usize, rules: &[Rule]) -> Option<(Table, usize, usize)> {
    let goes_on = |at: &usize| {
        let (row, next) = (&rows[*at], &rows[*at + 1]);
        next.v() - row.v() <= STEP * next.size() && !is_caption(row)
    };
    let from = (free_from..caption).rev().take(MAX_ABOVE).take_while(goes_on).last()?;
    (from..caption).find_map(|from| {
        let (table, n_rows) = aligned(&rows[from..caption], rules, true, None);
        let table = table.filter(|table| from + n_rows == caption && stands_by(table, &rows[caption]))?;
        Some((table, from, caption))
    })
}

/// Whether a caption begins within the width of a table, or the table within that of the caption.
fn stands_by(table: &Table, caption: &Row) -> bool {
    let (bbox, slack) = (caption.bbox(), 2.0 * caption.size());
    bbox.x0 <= table.bbox.x1 && bbox.x1 >= table.bbox.x0 - slack
}
