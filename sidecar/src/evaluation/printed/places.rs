//! The boxes of words, and whether the boxes of nodes hold what the nodes say.

use super::{
    Faults, Reading, Tally, reading,
    truth::{PrintedWord, Truth},
};
use millwright_core::document::{BBox, Node, NodeKind};
use std::collections::BTreeMap;

/// A box is right where it shares this much of what both cover.
const MIN_OVERLAP: f32 = 0.5;
/// A node's boxes hold at least this share of its letters…
const MIN_HELD: f64 = 0.98;
/// …and at most this many times as many as it has.
const MAX_HELD: f64 = 1.6;

/// The printed words of every page that were read with the same text and nearly the same box.
pub(super) fn words(reading: &Reading<'_>, truth: &Truth, faults: &mut Faults) -> Tally {
    let mut tally = Tally::default();
    for (number, page) in (1..).zip(&truth.pages) {
        let read = number_of(reading, number);
        let mut by_text: BTreeMap<String, Vec<BBox>> = BTreeMap::new();
        for word in read {
            by_text.entry(reading::plain(&word.text)).or_default().push(word.bbox);
        }
        let mut wrong = Vec::new();
        for word in &page.words {
            let candidates = by_text.entry(reading::plain(&word.0)).or_default();
            let best = (0..candidates.len())
                .max_by(|a, b| overlap(candidates[*a], bbox(word)).total_cmp(&overlap(candidates[*b], bbox(word))));
            match best {
                Some(best) if overlap(candidates[best], bbox(word)) >= MIN_OVERLAP => {
                    candidates.swap_remove(best);
                    tally.right += 1;
                }
                Some(best) => {
                    wrong.push(format!("{} {:?} for {:?}", word.0, short(candidates[best]), short(bbox(word))))
                }
                None => wrong.push(word.0.clone()),
            }
        }
        // The browser says nothing of the boxes of the numbers that it counts itself.
        let counted = |text: &str| text.strip_suffix('.').is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()));
        let surplus: Vec<&str> = by_text.iter().flat_map(|(text, left)| left.iter().map(|_| text.as_str())).collect();
        let n_counted = surplus.iter().filter(|text| counted(text)).count();
        tally.known += page.words.len();
        tally.read += read.len() - n_counted;
        if !wrong.is_empty() {
            let surplus: Vec<&str> = surplus.into_iter().filter(|text| !counted(text)).take(12).collect();
            let n = wrong.len();
            wrong.truncate(12);
            faults.push(format!(
                "boxes: page {number}, {n} words: {}; instead: {}",
                wrong.join(", "),
                surplus.join(" ")
            ));
        }
    }
    tally
}

fn number_of<'a>(reading: &Reading<'a>, page: usize) -> &'a [millwright_core::parse::Word] {
    reading.words.get(page - 1).map_or(&[], Vec::as_slice)
}

/// Nodes with text whose boxes hold the printed letters of it, and not much else.
pub(super) fn nodes(reading: &Reading<'_>, truth: &Truth, faults: &mut Faults) -> Tally {
    let mut tally = Tally::default();
    for node in &reading.document.nodes {
        let counts = !matches!(node.kind, NodeKind::Document | NodeKind::List { .. } | NodeKind::Row { .. });
        let text = said(reading, node);
        if !counts || text.is_empty() {
            continue;
        }
        tally.read += 1;
        tally.known += 1;
        let Some(held) = held(node, truth) else {
            faults.push(format!("places: no box for {:?} “{:.60}”", node.kind, node.text));
            continue;
        };
        let (mut n_found, mut n_letters) = (0, 0);
        let mut counts = letters(&held);
        let n_held: i64 = counts.values().sum();
        for (letter, n) in letters(&text) {
            let there = counts.remove(&letter).unwrap_or_default();
            n_found += there.min(n);
            n_letters += n;
        }
        let (n_found, n_letters, n_held) = (n_found as f64, n_letters as f64, n_held as f64);
        if n_found >= MIN_HELD * n_letters && n_held <= MAX_HELD * n_letters + 4.0 {
            tally.right += 1;
        } else {
            let boxes: Vec<_> = node.boxes.iter().map(|b| (b.page, short(b.bbox))).collect();
            faults.push(format!(
                "places: {:?} “{:.60}” has {n_letters} letters, its boxes {boxes:?} hold {n_found} of them in {n_held}",
                node.kind, text
            ));
        }
    }
    tally
}

/// What should stand in a node's boxes: its own words, and those below it unless it is a section.
fn said(reading: &Reading<'_>, node: &Node) -> String {
    if matches!(node.kind, NodeKind::Section { .. }) {
        node.text.clone()
    } else {
        reading::subtree_text(reading.document, node.id)
    }
}

/// The printed words whose middle lies in a node's boxes; `None` without boxes.
fn held(node: &Node, truth: &Truth) -> Option<String> {
    if node.boxes.is_empty() {
        return None;
    }
    let mut held = String::new();
    for place in &node.boxes {
        let words = truth.pages.get((place.page as usize).saturating_sub(1)).map_or(&[][..], |page| &page.words);
        for word in words {
            let (x, y) = ((word.1 + word.3) / 2.0, (word.2 + word.4) / 2.0);
            let BBox { x0, y0, x1, y1 } = place.bbox;
            if x0 <= x && x <= x1 && y0 <= y && y <= y1 {
                held.push_str(&word.0);
            }
        }
    }
    Some(held)
}

fn letters(text: &str) -> BTreeMap<char, i64> {
    let mut counts = BTreeMap::new();
    // Digits are left out: the browser does not say where the numbers stand that it counts itself.
    for letter in reading::plain(text).chars().filter(|c| c.is_alphabetic()) {
        *counts.entry(letter).or_default() += 1;
    }
    counts
}

fn bbox(word: &PrintedWord) -> BBox {
    BBox { x0: word.1, y0: word.2, x1: word.3, y1: word.4 }
}

fn short(bbox: BBox) -> [i32; 4] {
    [bbox.x0, bbox.y0, bbox.x1, bbox.y1].map(|v| v.round() as i32)
}

/// The intersection of two boxes over their union.
fn overlap(a: BBox, b: BBox) -> f32 {
    let area = |b: BBox| (b.x1 - b.x0).max(0.0) * (b.y1 - b.y0).max(0.0);
    let both = area(BBox { x0: a.x0.max(b.x0), y0: a.y0.max(b.y0), x1: a.x1.min(b.x1), y1: a.y1.min(b.y1) });
    if both > 0.0 { both / (area(a) + area(b) - both) } else { 0.0 }
}
