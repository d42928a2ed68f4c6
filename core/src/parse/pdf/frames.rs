//! Frames around text: shaded or ruled boxes, and bars beside it, as warnings and notes are set apart by.
//!
//! Not for tables, whose text is taken out before.

use super::glyphs::Rule;
use crate::document::BBox;

/// Frames of a page that are kept: more are a drawing.
const MAX_FRAMES: usize = 400;
/// A bar or a box's side stands at most this far left of the text beside it, in ems.
const BESIDE: f32 = 3.0;
/// How far text may stick out of its box, in points.
const SLACK: f32 = 2.0;

/// The frames of a page, in the frame of its main text.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    boxes: Vec<BBox>,
    bars: Vec<Rule>,
}

/// A frame, as long as all that matters is whether two lines stand in the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A box, by its place in the list.
    Box(usize),
    /// A bar, by its place across the page in points.
    Bar(i32),
}

impl Frames {
    /// Those that shaded areas, outlined boxes and ruling lines make on a page of `area` square points.
    pub(super) fn of(shades: &[BBox], rules: &[Rule], area: f32) -> Self {
        // What fills the page is its paper.
        let is_box = |shade: &&BBox| (shade.x1 - shade.x0) * (shade.y1 - shade.y0) < 0.5 * area;
        Self {
            boxes: shades.iter().filter(is_box).take(MAX_FRAMES).copied().collect(),
            bars: rules.iter().filter(|rule| !rule.horizontal).take(MAX_FRAMES).copied().collect(),
        }
    }

    /// The smallest box around a line, or else the bar beside it.
    pub(super) fn around(&self, line: BBox, size: f32) -> Option<Frame> {
        let (y, area) = (middle(line), |of: &BBox| (of.x1 - of.x0) * (of.y1 - of.y0));
        let holds =
            |frame: &BBox| frame.x0 <= line.x0 + SLACK && frame.x1 >= line.x1 - SLACK && frame.y0 <= y && y <= frame.y1;
        let boxes = self.boxes.iter().enumerate().filter(|(_, frame)| holds(frame));
        let smallest = boxes.min_by(|a, b| area(a.1).total_cmp(&area(b.1)));
        match smallest {
            Some((index, _)) => Some(Frame::Box(index)),
            None => self.bar(line, size).map(|bar| Frame::Bar(bar.at.clamp(-1e4, 1e4).round() as i32)),
        }
    }

    /// The smallest box around a whole region.
    pub(super) fn holding(&self, region: BBox) -> Option<BBox> {
        let area = |of: &&BBox| (of.x1 - of.x0) * (of.y1 - of.y0);
        let holds = |frame: &&BBox| {
            let (left, right) = (frame.x0 <= region.x0 + SLACK, frame.x1 >= region.x1 - SLACK);
            left && right && frame.y0 <= region.y0 + SLACK && frame.y1 >= region.y1 - SLACK
        };
        self.boxes.iter().filter(holds).min_by(|a, b| area(a).total_cmp(&area(b))).copied()
    }

    /// The left side of what stands around a line, where it is near.
    pub(super) fn left(&self, line: BBox, size: f32) -> Option<f32> {
        let left = match self.around(line, size)? {
            Frame::Box(index) => self.boxes.get(index)?.x0,
            Frame::Bar(_) => self.bar(line, size)?.at,
        };
        (line.x0 - left <= BESIDE * size).then_some(left)
    }

    /// The nearest bar left of a line.
    fn bar(&self, line: BBox, size: f32) -> Option<&Rule> {
        let y = middle(line);
        let beside = self
            .bars
            .iter()
            .filter(|bar| bar.at <= line.x0 && line.x0 - bar.at <= BESIDE * size && bar.from <= y && y <= bar.to);
        beside.max_by(|a, b| a.at.total_cmp(&b.at))
    }
}

fn middle(line: BBox) -> f32 {
    (line.y0 + line.y1) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_box_or_the_nearest_bar() {
        let shade = |x0, x1, y1| BBox { x0, y0: 100.0, x1, y1 };
        let bar = Rule { horizontal: false, at: 40.0, from: 300.0, to: 340.0 };
        let frames = Frames::of(&[shade(0.0, 300.0, 200.0), shade(40.0, 200.0, 150.0)], &[bar], 500_000.0);
        let line = |y: f32| BBox { x0: 50.0, y0: y - 8.0, x1: 150.0, y1: y + 2.0 };
        assert_eq!(frames.around(line(120.0), 10.0), Some(Frame::Box(1)));
        assert_eq!(frames.around(line(180.0), 10.0), Some(Frame::Box(0)));
        assert_eq!(
            (frames.around(line(320.0), 10.0), frames.left(line(320.0), 10.0)),
            (Some(Frame::Bar(40)), Some(40.0))
        );
        assert_eq!(frames.around(line(400.0), 10.0), None);
    }
}
