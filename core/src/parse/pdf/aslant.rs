//! Text that runs neither along nor across the page: a page that was laid on crookedly as a whole is turned straight,
//! and lines that run aslant by themselves (dimensions in a drawing, a stamp, a watermark) are read each on its own.
//!
//! Not for pages read from their pictures: those are turned straight before.

use super::{
    glyphs::{Glyph, PageContent, Turn},
    lines::{self, Segment},
    paint::Hiding,
};
use crate::document::BBox;

/// Text with this slope against the straight (1.1 degrees) is still read as straight, unless the whole page has it.
const STRAIGHT: f64 = 0.02;
/// Pages are turned straight by up to 6 degrees: more is meant.
const CROOKED: f64 = 0.1;
/// A page with less slope needs no turning: 500 points on, a line is off by no more than its descent.
const NOTICED: f64 = 0.003;
/// Slopes of lines that run the same way differ by no more.
const AGREES: f64 = 0.01;
/// Directions of one page that are told apart; a page with more is an ornament.
const MAX_DIRECTIONS: usize = 400;

/// The slopes of the characters of a page that are nearly straight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slopes {
    n: f64,
    sum: f64,
    sum_of_squares: f64,
}

impl Slopes {
    fn add(&mut self, slope: f64) {
        self.n += 1.0;
        self.sum += slope;
        self.sum_of_squares += slope * slope;
    }

    /// The slope that all of them have, with some scatter, if it can be noticed.
    fn common(&self) -> Option<f64> {
        let mean = self.sum / self.n.max(1.0);
        let variance = (self.sum_of_squares / self.n.max(1.0) - mean * mean).max(0.0);
        (mean.abs() >= NOTICED && variance.sqrt() <= mean.abs() / 2.0).then_some(mean)
    }
}

/// Which way a character runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// The nearest quarter turn.
    turn: Turn,
    /// Against that turn, down to the right in its frame.
    slope: f64,
    /// On the upright page, of length 1.
    unit: (f64, f64),
}

impl Direction {
    /// That of text which advances by `(dx, dy)` on a page whose y grows downwards; `None` if it does not advance.
    pub(super) fn of(dx: f64, dy: f64) -> Option<Self> {
        let length = (dx * dx + dy * dy).sqrt();
        let turn = match (dx.abs() >= dy.abs(), dx >= 0.0, dy >= 0.0) {
            (true, true, _) => Turn(0),
            (true, false, _) => Turn(2),
            (false, _, true) => Turn(1),
            (false, _, false) => Turn(3),
        };
        let (along, across) = match turn.0 {
            0 => (dx, dy),
            1 => (dy, -dx),
            2 => (-dx, -dy),
            _ => (-dy, dx),
        };
        (along > 0.0 && length.is_finite()).then(|| Self {
            turn,
            slope: across / along,
            unit: (dx / length, dy / length),
        })
    }

    /// The quarter turn that it is read in, if it is straight.
    pub(super) fn straight(self) -> Option<Turn> {
        (self.slope.abs() <= STRAIGHT).then_some(self.turn)
    }

    /// A point of the upright page in a frame in which text of this direction runs to the right.
    fn to_frame(self, x: f64, y: f64) -> (f64, f64) {
        let (cos, sin) = self.unit;
        (x * cos + y * sin, y * cos - x * sin)
    }

    /// A point of that frame on the page.
    fn to_page(self, u: f64, v: f64) -> (f64, f64) {
        let (cos, sin) = self.unit;
        (u * cos - v * sin, u * sin + v * cos)
    }
}

/// A character that runs aslant, in the frame of its direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slanted {
    direction: Direction,
    glyph: Glyph,
}

/// Text that runs aslant.
#[derive(Clone, Debug)]
pub(super) struct Aslant {
    /// Its lines, in a frame of their own.
    pub(super) segments: Vec<Segment>,
    /// Around it, on the upright page.
    pub(super) bbox: BBox,
    /// Why it is not seen, if it is not.
    pub(super) hiding: Option<Hiding>,
}

/// The characters of a page by how straight they are, while it is read.
#[derive(Debug, Default)]
pub(super) struct Slants {
    straight: Slopes,
    slanted: Vec<Slanted>,
}

impl Slants {
    /// How many run aslant.
    pub(super) fn len(&self) -> usize {
        self.slanted.len()
    }

    /// Takes in that text of a nearly straight direction was shown.
    pub(super) fn note(&mut self, direction: Direction) {
        self.straight.add(direction.slope);
    }

    /// Takes in a character at `(x, y)`; what `glyph` says beside its place holds.
    pub(super) fn push(&mut self, direction: Direction, (x, y): (f64, f64), length: f32, glyph: Glyph) {
        let (u, v) = direction.to_frame(x, y);
        let glyph = Glyph { u0: u as f32, u1: u as f32 + length, v: v as f32, turn: Turn(0), ..glyph };
        self.slanted.push(Slanted { direction, glyph });
    }

    /// Turns a crooked page straight, and gives it what runs aslant on it. O(n log n).
    pub(super) fn settle(mut self, page: &mut PageContent) {
        let n_characters = page.glyphs.len() + self.slanted.len();
        let mut slopes: Vec<f64> = self.slanted.iter().map(|slanted| slanted.direction.slope).collect();
        slopes.retain(|slope| slope.abs() <= CROOKED);
        slopes.sort_by(f64::total_cmp);
        let median = slopes.get(slopes.len() / 2).copied().unwrap_or(0.0);
        let agrees = |slanted: &Slanted| (slanted.direction.slope - median).abs() <= AGREES;
        let n_agreeing = self.slanted.iter().filter(|slanted| agrees(slanted)).count();
        if n_agreeing > 0 && n_agreeing * 10 >= n_characters * 7 {
            let (agreeing, others): (Vec<Slanted>, Vec<Slanted>) = self.slanted.into_iter().partition(agrees);
            self.slanted = others;
            for Slanted { direction, glyph } in agreeing {
                let (x, y) = direction.to_page(f64::from(glyph.u0), f64::from(glyph.v));
                let (u, v) = direction.turn.to_frame(x as f32, y as f32, page.width, page.height);
                let u1 = u + (glyph.u1 - glyph.u0);
                page.glyphs.push(Glyph { u0: u, u1, v, turn: direction.turn, ..glyph });
            }
            page.skew = median as f32;
        } else if let Some(slope) = self.straight.common() {
            page.skew = slope as f32;
        }
        if page.skew != 0.0 {
            for glyph in &mut page.glyphs {
                glyph.v -= slip(page.skew, glyph.turn, glyph.u0, page.width, page.height);
            }
        }
        page.aslant = lines_of(self.slanted);
    }
}

/// How much lower than at the middle of the page a line of this slope stands at `u`, in the frame of `turn`.
fn slip(skew: f32, turn: Turn, u: f32, width: f32, height: f32) -> f32 {
    let middle = if turn.0.is_multiple_of(2) { width } else { height } / 2.0;
    skew * (u - middle)
}

/// A rectangle of the frame of `turn`, on a page turned straight by `skew`, around what it holds on the page as it is.
pub(super) fn to_page(bbox: BBox, turn: Turn, skew: f32, width: f32, height: f32) -> BBox {
    if skew == 0.0 {
        return turn.to_page(bbox, width, height);
    }
    let (left, right) = (slip(skew, turn, bbox.x0, width, height), slip(skew, turn, bbox.x1, width, height));
    let bbox = BBox { y0: bbox.y0 + left.min(right), y1: bbox.y1 + left.max(right), ..bbox };
    turn.to_page(bbox, width, height)
}

/// Lines of the same direction that stand together are one text.
fn lines_of(mut slanted: Vec<Slanted>) -> Vec<Aslant> {
    // The order of showing is kept within a direction.
    let key = |slanted: &Slanted| (slanted.direction.turn, (slanted.direction.slope / AGREES).round() as i32);
    slanted.sort_by_key(key);
    let mut texts = Vec::new();
    for group in slanted.chunk_by(|a, b| key(a) == key(b)).take(MAX_DIRECTIONS) {
        let Some(direction) = group.first().map(|first| first.direction) else { continue };
        let glyphs: Vec<Glyph> = group.iter().map(|slanted| slanted.glyph).collect();
        let mut kinds: Vec<Option<Hiding>> = glyphs.iter().map(|glyph| glyph.hiding).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for hiding in kinds {
            let segments = lines::segments(&glyphs, Turn(0), hiding, &[]);
            for run in segments.chunk_by(lines::stand_together) {
                let Some(around) = run.iter().map(|segment| segment.bbox).reduce(BBox::union) else { continue };
                let bbox = on_page(direction, around);
                texts.push(Aslant { segments: run.to_vec(), bbox, hiding });
            }
        }
    }
    texts.sort_by(|a, b| a.bbox.y0.total_cmp(&b.bbox.y0).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    texts
}

/// Around a rectangle of the frame of a direction, on the page.
fn on_page(direction: Direction, bbox: BBox) -> BBox {
    let corners = [(bbox.x0, bbox.y0), (bbox.x1, bbox.y0), (bbox.x0, bbox.y1), (bbox.x1, bbox.y1)];
    let corners = corners.map(|(u, v)| direction.to_page(f64::from(u), f64::from(v)));
    let least = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::MAX, f64::min) as f32;
    let most = |of: fn(&(f64, f64)) -> f64| corners.iter().map(of).fold(f64::MIN, f64::max) as f32;
    BBox { x0: least(|c| c.0), y0: least(|c| c.1), x1: most(|c| c.0), y1: most(|c| c.1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_the_nearest_turn_and_a_slope() {
        for (dx, dy, turn, slope) in
            [(10.0, 0.5, 0, 0.05), (-0.5, 10.0, 1, 0.05), (-10.0, -0.5, 2, 0.05), (0.5, -10.0, 3, 0.05)]
        {
            let direction = Direction::of(dx, dy).unwrap();
            assert!(direction.turn == Turn(turn) && (direction.slope - slope).abs() < 1e-9, "{direction:?}");
            let (u, v) = direction.to_frame(dx, dy);
            assert!(u > 9.9 && v.abs() < 1e-9);
            let (x, y) = direction.to_page(u, v);
            assert!((x - dx).abs() < 1e-9 && (y - dy).abs() < 1e-9);
        }
        assert!(Direction::of(0.0, 0.0).is_none() && Direction::of(1.0, 0.019).unwrap().straight() == Some(Turn(0)));
    }

    #[test]
    fn a_page_is_crooked_where_all_of_it_agrees() {
        let slopes = |of: &[f64]| {
            let mut slopes = Slopes::default();
            of.iter().for_each(|slope| slopes.add(*slope));
            slopes.common()
        };
        assert!(slopes(&[0.012, 0.010, 0.011]).is_some_and(|slope| (slope - 0.011).abs() < 1e-9));
        assert_eq!(slopes(&[0.0, 0.0, 0.012]), None);
        assert_eq!(slopes(&[0.001, 0.001]), None);
    }
}
