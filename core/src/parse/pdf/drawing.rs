//! Labels in a large drawing: dimensions, part numbers, names of views. What stands on one height is no line of text, so
//! that each label is read by itself, with its own place.
//!
//! Not for the notes and the title block beside the drawing, which are read as on any page.

use super::{glyphs::PageContent, lines::Segment};
use crate::document::BBox;

/// A drawing covers at least this part of its page.
const MIN_SHARE: f32 = 0.3;
/// What is drawn with fewer strokes is an ornament or a frame.
const MIN_PATHS: u32 = 100;
/// Fewer labels are read as text.
const MIN_LABELS: usize = 8;
/// Most labels are no longer.
const MAX_CHARACTERS: usize = 32;
/// Labels that are compared with one another; of more each is by itself.
const MAX_COMPARED: usize = 4_000;
/// Words of a label follow one another, and its lines, within this many ems.
const NEXT_WORD: f32 = 1.2;
const NEXT_LINE: f32 = 0.7;

/// Where a page is a drawing, on the upright page: nothing, if it is none. `figures` are its pictures and drawings.
pub(super) fn of(content: &PageContent, figures: &[BBox]) -> Vec<BBox> {
    let area = |bbox: &BBox| (bbox.x1 - bbox.x0) * (bbox.y1 - bbox.y0);
    let is_drawn = |figure: &&BBox| content.drawings.iter().any(|part| holds(figure, part));
    let drawn: Vec<BBox> = figures.iter().filter(is_drawn).copied().collect();
    let share = drawn.iter().map(area).sum::<f32>() / (content.width * content.height).max(1.0);
    if content.n_paths >= MIN_PATHS && share >= MIN_SHARE { drawn } else { Vec::new() }
}

/// Takes the labels out of the segments of a page whose drawings stand at `drawings`, in the same frame, each with its
/// words and lines together, from the top. O(n²), bounded.
pub(super) fn take_labels(drawings: &[BBox], segments: &mut Vec<Segment>) -> Vec<Vec<Segment>> {
    let is_label = |segment: &Segment| drawings.iter().any(|drawing| holds(drawing, &middle(segment.bbox)));
    let within = || segments.iter().filter(|segment| is_label(segment));
    let n_long = within().filter(|segment| segment.text.chars().count() > MAX_CHARACTERS).count();
    let n_labels = within().count();
    // Text in a frame with round corners is no drawing.
    if n_labels < MIN_LABELS || n_long * 10 > n_labels {
        return Vec::new();
    }
    let (labels, others): (Vec<Segment>, Vec<Segment>) = std::mem::take(segments).into_iter().partition(is_label);
    *segments = others;
    let compared = labels.len() <= MAX_COMPARED;
    let mut groups: Vec<(BBox, Vec<Segment>)> = Vec::new();
    for label in labels {
        match groups.iter_mut().rev().find(|(_, group)| compared && group.iter().any(|other| goes_on(other, &label))) {
            Some((bbox, group)) => {
                *bbox = bbox.union(label.bbox);
                group.push(label);
            }
            None => groups.push((label.bbox, vec![label])),
        }
    }
    groups.sort_by(|(a, _), (b, _)| a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0)));
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether one segment goes on with another, on its line or on the next.
fn goes_on(before: &Segment, after: &Segment) -> bool {
    let size = before.size.max(after.size);
    let beside = (after.bbox.x0 - before.bbox.x1).max(before.bbox.x0 - after.bbox.x1);
    if (after.v - before.v).abs() <= 0.3 * size {
        return beside <= NEXT_WORD * size;
    }
    let below = after.bbox.y0 - before.bbox.y1;
    (-0.3 * size..=NEXT_LINE * size).contains(&below) && beside <= 0.0 && (before.size - after.size).abs() <= 0.1 * size
}

fn holds(outer: &BBox, inner: &BBox) -> bool {
    const SLACK: f32 = 1.0;
    outer.x0 <= inner.x0 + SLACK
        && inner.x1 <= outer.x1 + SLACK
        && outer.y0 <= inner.y0 + SLACK
        && inner.y1 <= outer.y1 + SLACK
}

fn middle(bbox: BBox) -> BBox {
    let (x, y) = ((bbox.x0 + bbox.x1) / 2.0, (bbox.y0 + bbox.y1) / 2.0);
    BBox { x0: x, y0: y, x1: x, y1: y }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pdf::font::Style;

    fn segment(text: &str, x0: f32, v: f32) -> Segment {
        let bbox = BBox { x0, y0: v - 8.0, x1: x0 + 5.0 * text.len() as f32, y1: v + 2.0 };
        let (text, style) = (text.to_owned(), Style::default());
        Segment { text, words: Vec::new(), bbox, v, size: 10.0, style, artifact: false, role: None }
    }

    #[test]
    fn labels_are_read_one_by_one() {
        let drawing = BBox { x0: 0.0, y0: 0.0, x1: 1_000.0, y1: 1_000.0 };
        let mut segments = vec![segment("BEARING", 100.0, 100.0), segment("SKU-48291", 300.0, 100.0)];
        segments.push(segment("HOUSING", 100.0, 111.0));
        segments.extend((0..6).map(|n| segment("12", 500.0, 200.0 + 50.0 * n as f32)));
        segments.push(segment("NOTES", 1_200.0, 100.0));
        let labels = take_labels(&[drawing], &mut segments);
        let texts: Vec<Vec<&str>> = labels.iter().map(|of| of.iter().map(|s| s.text.as_str()).collect()).collect();
        assert_eq!(texts[..2], [vec!["BEARING", "HOUSING"], vec!["SKU-48291"]]);
        assert_eq!((texts.len(), segments.len()), (8, 1), "what stands beside the drawing is no label");
        let prose = "The pump is filled before its first start.";
        let mut framed: Vec<Segment> = (0..9).map(|n| segment(prose, 50.0, 100.0 + 12.0 * n as f32)).collect();
        assert!(take_labels(&[drawing], &mut framed).is_empty() && framed.len() == 9);
    }
}
