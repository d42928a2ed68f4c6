//! Names that run up or down over the columns of a table without lines around its cells: they are laid down on the line
//! that they share with the name beside them, so that the table is found like any other.
//!
//! Not for tables whose cells have lines: there the lines tell where such a name belongs ([`super::lattice`]).

use super::Aside;
use crate::{
    document::BBox,
    parse::pdf::{glyphs::Rule, lines::Segment, lines::Word},
};

/// Fewer names that run upwards are no header.
const MIN_NAMES: usize = 3;
/// Longer texts name no column, in characters.
const MAX_NAME: usize = 30;
/// Their ends are on one height as near as this, in points.
const EVEN: f32 = 3.0;
/// Names stand at least this far apart: nearer ones are lines of one text. In ems.
const APART: f32 = 1.4;
/// The line under them follows within so many ems, and what stands beside them within so many above.
const NEAR: f32 = 2.5;

/// Moves rows of upright names over a line from `turned` to `segments`.
pub(in crate::parse::pdf) fn lay_down(rules: &[Rule], turned: &mut Vec<Aside>, segments: &mut Vec<Segment>) {
    let mut at = 0;
    while at < turned.len() {
        let names = row_of(&turned[at], turned);
        let Some(v) = height(&names, turned, rules, segments) else {
            at += 1;
            continue;
        };
        for index in names.iter().rev() {
            let Aside { bbox, segment, .. } = turned.remove(*index);
            let word = Word { text: segment.text.as_str().into(), u0: bbox.x0, u1: bbox.x1 };
            let bbox = BBox { y0: v - 0.8 * segment.size, y1: v + 0.22 * segment.size, ..bbox };
            segments.push(Segment { words: vec![word], bbox, v, ..segment });
        }
        at = 0;
    }
}

/// The names that run as one does and end, or begin, on its height: their places in `turned`, from the left.
fn row_of(name: &Aside, turned: &[Aside]) -> Vec<usize> {
    let middle = |at: &usize| (turned[*at].bbox.x0 + turned[*at].bbox.x1) / 2.0;
    let is_even = |other: &Aside| {
        let (ends, begins) = (other.bbox.y1 - name.bbox.y1, other.bbox.y0 - name.bbox.y0);
        other.turn == name.turn && (ends.abs() < EVEN || begins.abs() < EVEN)
    };
    let alike = |other: &Aside| {
        let same_size = (other.segment.size - name.segment.size).abs() < 0.1 * name.segment.size;
        same_size && other.segment.text.chars().count() <= MAX_NAME
    };
    let mut row: Vec<usize> = (0..turned.len()).filter(|at| is_even(&turned[*at]) && alike(&turned[*at])).collect();
    row.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    let apart = APART * name.segment.size;
    if row.windows(2).any(|pair| middle(&pair[1]) - middle(&pair[0]) < apart) {
        return Vec::new();
    }
    row.sort_unstable();
    row
}

/// The baseline that these names are laid on: that of the text left of them, or their lower end. `None` if they are no
/// header: too few, or without a line under them.
fn height(names: &[usize], turned: &[Aside], rules: &[Rule], segments: &[Segment]) -> Option<f32> {
    let around = names.iter().map(|at| turned[*at].bbox).reduce(BBox::union)?;
    let size = turned.get(*names.first()?)?.segment.size.max(0.1);
    let is_under = |rule: &&Rule| rule.horizontal && (-size..NEAR * size).contains(&(rule.at - around.y1));
    let first =
        rules.iter().filter(is_under).min_by(|a, b| a.at.total_cmp(&b.at)).filter(|_| names.len() >= MIN_NAMES)?;
    // Every cell may have drawn its own part of it.
    let parts = rules.iter().filter(|rule| rule.horizontal && (rule.at - first.at).abs() < 1.5);
    let rule = parts.fold(*first, |all, part| Rule { from: all.from.min(part.from), to: all.to.max(part.to), ..all });
    if rule.from > around.x0 || rule.to < around.x1 {
        return None;
    }
    let is_beside = |segment: &&Segment| {
        let over = segment.v > around.y0 - NEAR * size && segment.v < rule.at;
        over && segment.bbox.x1 < around.x0 && segment.bbox.x0 >= rule.from - 2.0 && segment.size <= 1.15 * size
    };
    let beside = segments.iter().filter(is_beside).max_by(|a, b| a.v.total_cmp(&b.v));
    Some(beside.map_or(around.y1 - 0.2 * size, |segment| segment.v))
}
