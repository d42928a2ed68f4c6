//! Terms of definition lists: short bold lines over text that is set in, as glossaries and option lists have them.
//!
//! They look like headings of the smallest kind. What tells them apart is that the text under them is set in from where
//! the document's text usually begins, while text under a heading begins there.

use super::{
    blocks::Block,
    headings::{Body, Look, Placed, look},
    rows::{Line, marker},
};
use std::collections::BTreeMap;

/// A definition is set in by at least this, and by no more than that, in ems.
const INDENT: f32 = 0.8;
const MAX_INDENT: f32 = 10.0;
/// Lines that begin this near to one another begin at one place, in points.
const NEAR: f32 = 6.0;
/// So much of the text of the definitions' measure must begin where the terms do, or else the text is set in everywhere.
const USUAL: f32 = 0.2;
/// Longer lines are no terms.
const MAX_CHARACTERS: usize = 100;
/// Terms that share one definition.
const MAX_TOGETHER: usize = 3;
/// With as many true terms of one look and place, what looks and stands like them is one too.
const MIN_ALIKE: usize = 3;

/// Marks the terms among the blocks that are no headings yet.
pub(super) fn mark(blocks: &mut [Placed], body: Body) {
    let lefts = Lefts::of(blocks, body);
    let mut alike: BTreeMap<(Look, i32), (usize, usize)> = BTreeMap::new();
    let mut may_be: Vec<(usize, (Look, i32), bool)> = Vec::new();
    for index in 0..blocks.len() {
        let Some(line) = term_line(&blocks[index], body) else { continue };
        let key = (look(std::slice::from_ref(line)), (line.bbox.x0 / 2.0).round() as i32);
        let defined = is_defined(blocks, index, line, body, &lefts);
        let (n, n_defined) = alike.entry(key).or_default();
        *n += 1;
        *n_defined += usize::from(defined);
        may_be.push((index, key, defined));
    }
    for (index, key, defined) in may_be {
        let (n, n_defined) = alike.get(&key).copied().unwrap_or_default();
        blocks[index].term = defined || n_defined >= MIN_ALIKE && n_defined * 10 >= n * 6;
    }
}

/// The line of a block that is set as terms are: one bold line of the body's size.
fn term_line(placed: &Placed, body: Body) -> Option<&Line> {
    let Block::Text(lines) = &placed.block else { return None };
    let [line] = lines.as_slice() else { return None };
    let body_sized = (line.size / body.size.max(0.1) - 1.0).abs() < 0.1;
    let is_term = placed.heading.is_none()
        && line.style.bold
        && !body.bold
        && body_sized
        && line.n_segments == 1
        && line.text.chars().count() <= MAX_CHARACTERS
        && marker(&line.text).is_none()
        && !line.text.starts_with(|c: char| c.is_ascii_digit());
    is_term.then_some(line)
}

/// Whether what follows, after at most two more terms, is set in under the term and no heading stands between.
fn is_defined(blocks: &[Placed], index: usize, term: &Line, body: Body, lefts: &Lefts) -> bool {
    let after = blocks.iter().skip(index + 1).take(MAX_TOGETHER);
    let definition = after.into_iter().find(|placed| term_line(placed, body).is_none());
    let Some(Placed { block: Block::Text(lines), heading: None, page, .. }) = definition else { return false };
    let Some(first) = lines.first() else { return false };
    let indent = (first.bbox.x0 - term.bbox.x0) / term.size.max(0.1);
    let parity = page % 2;
    *page == blocks[index].page
        && (INDENT..=MAX_INDENT).contains(&indent)
        && marker(&first.text).is_none()
        && lefts.at(parity, term.bbox.x0) >= USUAL * lefts.at(parity, first.bbox.x0)
}

/// How much plain text begins where, on left and on right pages.
struct Lefts(Vec<(u32, f32, f32)>);

impl Lefts {
    fn of(blocks: &[Placed], body: Body) -> Self {
        let mut lefts: BTreeMap<(u32, i32), f32> = BTreeMap::new();
        for placed in blocks {
            let Block::Text(lines) = &placed.block else { continue };
            for line in lines {
                if line.style.bold == body.bold && !line.style.fixed_pitch && line.size < 1.1 * body.size {
                    let place = (placed.page % 2, line.bbox.x0.clamp(0.0, 2e3).round() as i32);
                    *lefts.entry(place).or_default() += line.text.len() as f32;
                }
            }
        }
        Self(lefts.into_iter().map(|((parity, x), n)| (parity, x as f32, n)).collect())
    }

    fn at(&self, parity: u32, x: f32) -> f32 {
        let near = self.0.iter().filter(|(of, at, _)| *of == parity && (at - x).abs() <= NEAR);
        near.map(|(.., n)| n).sum()
    }
}
