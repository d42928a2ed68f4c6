//! How the text of a picture stands: how far the sheet was laid on crookedly, and which way its lines run.

use super::{Picture, rectangle::Rectangle, rules::Luma};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// A region this many times as long as high shows which way its text runs.
const LONG: f32 = 2.2;
/// Less skew does no harm, in radians.
const MIN_SKEW: f32 = 0.003;
/// More is no crooked sheet.
const MAX_SKEW: f32 = 0.26;
/// Text that runs more aslant than this against the others is a watermark or part of a picture, in radians.
const MAX_SLANT: f32 = 0.12;

/// A picture laid straight: turned about its middle against its skew.
#[derive(Clone, Copy, Debug)]
pub(super) struct Upright {
    width: f32,
    height: f32,
    skew: f32,
    /// Most lines run from left to right (or back) on the picture rather than up and down.
    pub(super) is_level: bool,
}

/// A region with the directions in which its text may run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Direction {
    /// It runs up or down where most text runs from left to right, or the other way round.
    pub(super) across: bool,
    /// It may as well run as most text does: its form does not tell.
    pub(super) doubtful: bool,
}

impl Upright {
    /// By the longest regions. O(n log n).
    pub(super) fn of(regions: &[Rectangle], picture: &Picture) -> Self {
        let long = || regions.iter().filter(|region| is_long(region));
        let (mut level, mut upright) = (0.0, 0.0);
        let mut slants: Vec<(f32, f32)> = Vec::new();
        for region in long() {
            let (is_level, slant) = nearest_axis(region.angle);
            *(if is_level { &mut level } else { &mut upright }) += region.along;
            slants.push((slant, region.along));
        }
        slants.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = slants.iter().map(|(_, weight)| weight).sum::<f32>() / 2.0;
        let mut seen = 0.0;
        let median = slants.iter().find(|(_, weight)| {
            seen += weight;
            seen >= half
        });
        let skew = median.map_or(0.0, |(slant, _)| *slant);
        let skew = if (MIN_SKEW..=MAX_SKEW).contains(&skew.abs()) { skew } else { 0.0 };
        Self { width: picture.width() as f32, height: picture.height() as f32, skew, is_level: level >= upright }
    }

    /// How the text of a region may run; `None` if it runs aslant.
    pub(super) fn direction(&self, region: &Rectangle) -> Option<Direction> {
        if !is_long(region) {
            return Some(Direction { across: false, doubtful: false });
        }
        let (is_level, slant) = nearest_axis(region.angle);
        let across = is_level != self.is_level;
        let aslant = (slant - self.skew).abs() > MAX_SLANT;
        // A single 1 or I stands upright on its own.
        let doubtful = across && region.along < 4.0 * region.across;
        if aslant && !doubtful { None } else { Some(Direction { across, doubtful }) }
    }

    /// The region as a line whose text runs in quarter `turn` of the picture.
    pub(super) fn line(&self, region: &Rectangle, turn: u8) -> Rectangle {
        let (_, slant) = nearest_axis(region.angle);
        let slant = if is_long(region) && (slant - self.skew).abs() <= MAX_SLANT { slant } else { self.skew };
        let angle = f32::from(turn) * FRAC_PI_2 + slant;
        let (sin, cos) = (angle - region.angle).sin_cos();
        let (sin, cos) = (sin.abs(), cos.abs());
        Rectangle {
            angle,
            along: region.along * cos + region.across * sin,
            across: region.along * sin + region.across * cos,
            ..*region
        }
    }

    /// A point of the picture in the frame of a turn, laid straight.
    pub(super) fn to_frame(self, turn: u8, x: f32, y: f32) -> (f32, f32) {
        let (sin, cos) = self.skew.sin_cos();
        let (dx, dy) = (x - self.width / 2.0, y - self.height / 2.0);
        let (x, y) = (dx * cos + dy * sin + self.width / 2.0, dy * cos - dx * sin + self.height / 2.0);
        match turn % 4 {
            0 => (x, y),
            1 => (y, self.width - x),
            2 => (self.width - x, self.height - y),
            _ => (self.height - y, x),
        }
    }

    /// The brightness of the picture laid straight.
    pub(super) fn luma(self, picture: &Picture) -> Luma {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let luma = |[r, g, b]: [f32; 3]| (r * 0.299 + g * 0.587 + b * 0.114) as u8;
        let bytes = if self.skew == 0.0 {
            picture.rgb().chunks_exact(3).map(|rgb| luma([rgb[0], rgb[1], rgb[2]].map(f32::from))).collect()
        } else {
            let (sin, cos) = self.skew.sin_cos();
            let at = |at: usize| {
                let (dx, dy) =
                    ((at % width) as f32 + 0.5 - self.width / 2.0, (at / width) as f32 + 0.5 - self.height / 2.0);
                let (x, y) = (dx * cos - dy * sin + self.width / 2.0, dx * sin + dy * cos + self.height / 2.0);
                luma(super::crop::between(picture, x, y))
            };
            (0..width * height).map(at).collect()
        };
        Luma { width, height, bytes }
    }
}

fn is_long(region: &Rectangle) -> bool {
    region.along >= LONG * region.across
}

/// Whether an angle is nearer to the x axis than to the y axis, and how far it is from the nearer one.
fn nearest_axis(angle: f32) -> (bool, f32) {
    if angle.abs() <= FRAC_PI_4 {
        (true, angle)
    } else {
        (false, if angle > 0.0 { angle - FRAC_PI_2 } else { angle + FRAC_PI_2 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(x: f32, y: f32, angle: f32, along: f32) -> Rectangle {
        Rectangle { x, y, angle, along, across: 10.0 }
    }

    fn page() -> Picture {
        Picture::new(400, 600, vec![255; 400 * 600 * 3]).unwrap()
    }

    #[test]
    fn skew_is_that_of_most_text() {
        let regions =
            [region(200.0, 100.0, 0.02, 150.0), region(200.0, 200.0, 0.02, 140.0), region(50.0, 300.0, 0.7, 40.0)];
        let upright = Upright::of(&regions, &page());
        assert!((upright.skew - 0.02).abs() < 1e-6 && upright.is_level);
        // Both lines begin at the same place once they are laid straight.
        let begin = |r: &Rectangle| upright.to_frame(0, r.x - r.along * r.angle.cos(), r.y - r.along * r.angle.sin());
        let end = |r: &Rectangle| upright.to_frame(0, r.x + r.along * r.angle.cos(), r.y + r.along * r.angle.sin());
        assert!((begin(&regions[0]).1 - end(&regions[0]).1).abs() < 0.01);
        assert!(upright.direction(&regions[2]).is_none(), "a watermark");
    }

    #[test]
    fn upright_text_runs_across_the_others() {
        let regions = [
            region(200.0, 100.0, 0.0, 150.0),
            region(20.0, 300.0, FRAC_PI_2, 100.0),
            region(9.0, 9.0, FRAC_PI_2, 24.0),
        ];
        let upright = Upright::of(&regions, &page());
        let across = regions.map(|r| upright.direction(&r).map(|d| (d.across, d.doubtful)));
        assert_eq!(across, [Some((false, false)), Some((true, false)), Some((true, true))]);
        let line = upright.line(&regions[1], 3);
        assert!((line.along - 100.0).abs() < 1e-3 && (line.angle - 3.0 * FRAC_PI_2).abs() < 1e-6);
        assert!((upright.line(&regions[2], 0).across - 24.0).abs() < 1e-3);
    }

    #[test]
    fn frames_are_those_of_pdf_pages() {
        let upright = Upright::of(&[], &page());
        assert_eq!(
            [0, 1, 2, 3].map(|turn| upright.to_frame(turn, 100.0, 50.0)),
            [(100.0, 50.0), (50.0, 300.0), (300.0, 550.0), (550.0, 100.0)]
        );
    }
}
