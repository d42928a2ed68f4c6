//! What a page shows, as the content stream says it: placed characters and ruling lines. No order, no words yet.

use super::{aslant::Aslant, font::Style, paint::Hiding, tags::Role};
use crate::document::BBox;

/// Which way text runs on the upright page, in quarter turns clockwise: 0 is to the right, 1 downwards.
///
/// Text is laid out in a frame of its own, in which it runs to the right: `u` along the text, `v` downwards from line
/// to line. For turn 0 that frame is the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn(pub(super) u8);

impl Turn {
    /// All there are.
    pub(super) const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// A point of the page in the frame.
    pub(super) fn to_frame(self, x: f32, y: f32, width: f32, height: f32) -> (f32, f32) {
        match self.0 {
            0 => (x, y),
            1 => (y, width - x),
            2 => (width - x, height - y),
            _ => (height - y, x),
        }
    }

    /// A rectangle of the frame on the page.
    pub(super) fn to_page(self, bbox: BBox, width: f32, height: f32) -> BBox {
        let BBox { x0, y0, x1, y1 } = bbox;
        match self.0 {
            0 => bbox,
            1 => BBox { x0: width - y1, y0: x0, x1: width - y0, y1: x1 },
            2 => BBox { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 },
            _ => BBox { x0: y0, y0: height - x1, x1: y1, y1: height - x0 },
        }
    }
}

/// A placed character, in the frame of its turn, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    /// What it says.
    pub(super) character: char,
    /// Where it begins along the line.
    pub(super) u0: f32,
    /// Where it ends along the line.
    pub(super) u1: f32,
    /// Its baseline.
    pub(super) v: f32,
    /// The height of the em.
    pub(super) size: f32,
    /// How it is set.
    pub(super) style: Style,
    /// Which way it runs.
    pub(super) turn: Turn,
    /// The file itself calls it furniture (`/Artifact`).
    pub(super) artifact: bool,
    /// What the file's tags say it is part of.
    pub(super) role: Option<Role>,
    /// It is the first of what one operator shows.
    pub(super) begins: bool,
    /// Why it is not seen, if it is not.
    pub(super) hiding: Option<Hiding>,
}

/// A straight ruling line on the page, horizontal or vertical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// Which way it runs.
    pub(super) horizontal: bool,
    /// Its y if it is horizontal, else its x.
    pub(super) at: f32,
    /// Where it begins.
    pub(super) from: f32,
    /// Where it ends, not before `from`.
    pub(super) to: f32,
}

/// What one page shows.
#[derive(Debug, Default)]
pub(super) struct PageContent {
    /// Width of the upright page in points.
    pub(super) width: f32,
    /// Height of the upright page in points.
    pub(super) height: f32,
    /// Characters in the order of the content stream.
    pub(super) glyphs: Vec<Glyph>,
    /// Text that runs aslant.
    pub(super) aslant: Vec<Aslant>,
    /// The slope that its straight characters were turned by, about the middle of the page.
    pub(super) skew: f32,
    /// Ruling lines.
    pub(super) rules: Vec<Rule>,
    /// Filled rectangles that are no lines: shading behind rows, boxes behind code.
    pub(super) boxes: Vec<BBox>,
    /// Around what was painted with curves and slanting lines.
    pub(super) drawings: Vec<BBox>,
    /// Outlined rectangles: boxes around text, cells with borders of their own.
    pub(super) outlines: Vec<BBox>,
    /// Characters whose meaning the file does not tell.
    pub(super) n_unreadable: u32,
    /// Pictures were drawn.
    pub(super) n_pictures: u32,
    /// Where the first of them stand.
    pub(super) pictures: Vec<BBox>,
    /// Pictures that are part of a tagged figure, with its number.
    pub(super) tagged_pictures: Vec<(usize, BBox)>,
    /// What it shows was seen on its picture.
    pub(super) from_picture: bool,
    /// Paths were painted.
    pub(super) n_paths: u32,
    /// A bound was reached and the rest of the page left out.
    pub(super) truncated: bool,
}

#[cfg(test)]
mod tests {
    use super::{super::aslant::Direction, *};

    #[test]
    fn frames_turn_there_and_back() {
        let (width, height) = (600.0, 800.0);
        for (turn, dx, dy) in [(0, 1.0, 0.0), (1, 0.0, 1.0), (2, -1.0, 0.0), (3, 0.0, -1.0)] {
            let turn = Turn(turn);
            assert_eq!(Direction::of(dx, dy).and_then(Direction::straight), Some(turn));
            let from = turn.to_frame(100.0, 200.0, width, height);
            let to = turn.to_frame(100.0 + 10.0 * dx as f32, 200.0 + 10.0 * dy as f32, width, height);
            assert_eq!((to.0 - from.0, to.1 - from.1), (10.0, 0.0), "text runs to the right in its frame");
            let bbox = BBox { x0: from.0, y0: from.1 - 5.0, x1: to.0, y1: to.1 };
            let page = turn.to_page(bbox, width, height);
            assert!(page.x0 <= 100.0 && page.x1 >= 100.0 && page.y0 <= 200.0 && page.y1 >= 200.0);
            assert!(page.x0 <= page.x1 && page.y0 <= page.y1);
        }
        assert_eq!(Direction::of(1.0, 1.0).and_then(Direction::straight), None);
    }
}
