//! Colours, clips and what was painted before: as far as they decide whether a person sees a character.
//!
//! Not for showing colours. A colour that would take a colour profile, a function or a pattern to know is unknown, and
//! nothing is called hidden for an unknown colour's sake.

use crate::document::BBox;
use hayro_syntax::{
    content::ops::TypedInstruction as Op,
    object::{Array, Dict, Name, Number, Object, Stream},
    page::Resources,
};

/// Painted areas of one page that are remembered as backgrounds. A page with more is a drawing, on which nothing is
/// called hidden for its colour.
const MAX_AREAS: usize = 2_000;
/// What is thinner than this, in points, is no background.
const MIN_AREA: f32 = 2.0;
/// Two colours that differ by no more than this in red, green and blue are one to the eye.
const ALIKE: f32 = 0.04;
/// Paint that covers less than this part of what is under it cannot be seen.
const MIN_ALPHA: f32 = 0.05;
/// A character whose middle is this far outside the clip, in points, is clipped away.
const CLIP_SLACK: f32 = 1.0;
/// Smaller type cannot be read, in points.
const MIN_SIZE: f32 = 1.0;

/// Red, green and blue from 0 to 1; `None` where they are not known.
pub(super) type Colour = Option<[f32; 3]>;

const WHITE: [f32; 3] = [1.0; 3];
const BLACK: [f32; 3] = [0.0; 3];

/// Why a character is there and not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hiding {
    /// Drawn in the invisible mode, or with transparent paint.
    Invisible,
    /// In the colour of what is under it.
    White,
    /// Too small to be seen as text.
    Tiny,
    /// Outside the page, or clipped away.
    Outside,
}

impl Hiding {
    /// The word that [`facts::HIDDEN`](crate::document::facts::HIDDEN) has for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Invisible => "invisible",
            Self::White => "white",
            Self::Tiny => "tiny",
            Self::Outside => "outside",
        }
    }
}

/// How colours are given in a colour space, as far as it is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    Gray,
    Rgb,
    Cmyk,
    /// One ink: 0 is none.
    Ink,
    Unknown,
}

impl Space {
    /// The space that `name` stands for in `resources`.
    pub(super) fn named(name: &Name<'_>, resources: &Resources<'_>) -> Self {
        match name.as_str() {
            "DeviceGray" | "G" | "CalGray" => Self::Gray,
            "DeviceRGB" | "RGB" | "CalRGB" => Self::Rgb,
            "DeviceCMYK" | "CMYK" => Self::Cmyk,
            _ => match resources.get_color_space(name) {
                Some(Object::Array(array)) => Self::of(&array),
                Some(Object::Name(name)) => match name.as_str() {
                    "DeviceGray" => Self::Gray,
                    "DeviceRGB" => Self::Rgb,
                    "DeviceCMYK" => Self::Cmyk,
                    _ => Self::Unknown,
                },
                _ => Self::Unknown,
            },
        }
    }

    fn of(array: &Array<'_>) -> Self {
        let mut parts = array.iter::<Object<'_>>();
        let Some(Object::Name(family)) = parts.next() else { return Self::Unknown };
        match family.as_str() {
            "CalGray" | "DeviceGray" => Self::Gray,
            "CalRGB" | "DeviceRGB" => Self::Rgb,
            "DeviceCMYK" => Self::Cmyk,
            "Separation" => Self::Ink,
            "ICCBased" => match parts.next() {
                Some(Object::Stream(profile)) => match Stream::dict(&profile).get::<u8>("N") {
                    Some(1) => Self::Gray,
                    Some(3) => Self::Rgb,
                    Some(4) => Self::Cmyk,
                    _ => Self::Unknown,
                },
                _ => Self::Unknown,
            },
            _ => Self::Unknown,
        }
    }

    /// The colour that a space begins with.
    pub(super) fn first(self) -> Colour {
        matches!(self, Self::Gray | Self::Rgb | Self::Cmyk).then_some(BLACK)
    }

    /// The colour with these components.
    pub(super) fn colour(self, components: &[Number]) -> Colour {
        let part = |index: usize| components.get(index).map(|number| (number.as_f64() as f32).clamp(0.0, 1.0));
        match self {
            Self::Gray => part(0).map(|gray| [gray; 3]),
            Self::Rgb => Some([part(0)?, part(1)?, part(2)?]),
            Self::Cmyk => {
                let black = 1.0 - part(3)?;
                Some([0, 1, 2].map(|ink| (1.0 - part(ink).unwrap_or(0.0)) * black))
            }
            Self::Ink => part(0).filter(|ink| *ink <= ALIKE).map(|_| WHITE),
            Self::Unknown => None,
        }
    }
}

/// What a graphics state says of how text is painted.
#[derive(Clone, Debug)]
pub(super) struct Paint {
    pub(super) fill: Colour,
    pub(super) fill_space: Space,
    pub(super) fill_alpha: f32,
    pub(super) stroke: Colour,
    pub(super) stroke_space: Space,
    pub(super) stroke_alpha: f32,
    /// The text rendering mode (ISO 32000-2, table 104).
    pub(super) mode: u8,
    /// The width of lines, in user space.
    pub(super) line_width: f32,
    /// Around the clipping path, on the page.
    pub(super) clip: BBox,
}

impl Paint {
    /// At the beginning of a page of this size.
    pub(super) fn new(width: f32, height: f32) -> Self {
        Self {
            fill: Some(BLACK),
            fill_space: Space::Gray,
            fill_alpha: 1.0,
            stroke: Some(BLACK),
            stroke_space: Space::Gray,
            stroke_alpha: 1.0,
            mode: 0,
            line_width: 1.0,
            clip: BBox { x0: 0.0, y0: 0.0, x1: width, y1: height },
        }
    }

    /// Takes an operator that sets colours in; `false` if it is none.
    pub(super) fn step(&mut self, op: &Op<'_, '_>, resources: &Resources<'_>) -> bool {
        let fill = |paint: &mut Self, space: Space, components: &[Number]| {
            (paint.fill_space, paint.fill) = (space, space.colour(components));
        };
        let stroke = |paint: &mut Self, space: Space, components: &[Number]| {
            (paint.stroke_space, paint.stroke) = (space, space.colour(components));
        };
        match op {
            Op::NonStrokeColorDeviceGray(c) => fill(self, Space::Gray, &[c.0]),
            Op::NonStrokeColorDeviceRgb(c) => fill(self, Space::Rgb, &[c.0, c.1, c.2]),
            Op::NonStrokeColorCmyk(c) => fill(self, Space::Cmyk, &[c.0, c.1, c.2, c.3]),
            Op::NonStrokeColor(c) => fill(self, self.fill_space, &c.0),
            Op::NonStrokeColorNamed(c) => match c.1 {
                Some(_) => self.fill = None,
                None => fill(self, self.fill_space, &c.0),
            },
            Op::ColorSpaceNonStroke(name) => {
                self.fill_space = Space::named(name.0, resources);
                self.fill = self.fill_space.first();
            }
            Op::StrokeColorDeviceGray(c) => stroke(self, Space::Gray, &[c.0]),
            Op::StrokeColorDeviceRgb(c) => stroke(self, Space::Rgb, &[c.0, c.1, c.2]),
            Op::StrokeColorCmyk(c) => stroke(self, Space::Cmyk, &[c.0, c.1, c.2, c.3]),
            Op::StrokeColor(c) => stroke(self, self.stroke_space, &c.0),
            Op::StrokeColorNamed(c) => match c.1 {
                Some(_) => self.stroke = None,
                None => stroke(self, self.stroke_space, &c.0),
            },
            Op::ColorSpaceStroke(name) => {
                self.stroke_space = Space::named(name.0, resources);
                self.stroke = self.stroke_space.first();
            }
            Op::LineWidth(width) => self.line_width = width.0.as_f64() as f32,
            Op::TextRenderingMode(mode) => self.mode = mode.0.as_f64().clamp(0.0, 7.0) as u8,
            Op::SetGraphicsState(name) => {
                if let Some(dict) = resources.get_ext_g_state(name.0) {
                    self.extend(&dict);
                }
            }
            _ => return false,
        }
        true
    }

    /// Takes the transparency of an extended graphics state over.
    fn extend(&mut self, dict: &Dict<'_>) {
        if let Some(alpha) = dict.get::<f32>("ca") {
            self.fill_alpha = alpha;
        }
        if let Some(alpha) = dict.get::<f32>("CA") {
            self.stroke_alpha = alpha;
        }
    }

    /// Narrows the clip.
    pub(super) fn clip_to(&mut self, path: BBox) {
        self.clip = intersection(self.clip, path);
    }

    /// What the letters of text are painted with: their faces, their outlines, or both.
    fn of_text(&self) -> [Option<(Colour, f32)>; 2] {
        let (fill, stroke) = ((self.fill, self.fill_alpha), (self.stroke, self.stroke_alpha));
        match self.mode {
            0 | 4 => [Some(fill), None],
            1 | 5 => [Some(stroke), None],
            2 | 6 => [Some(fill), Some(stroke)],
            _ => [None, None],
        }
    }

    /// What a filled area comes to look like; `None` where nothing is seen of it.
    pub(super) fn of_area(&self) -> Option<Colour> {
        (self.fill_alpha >= MIN_ALPHA).then_some(self.fill.filter(|_| self.fill_alpha >= 1.0))
    }
}

/// What was painted on a page so far, where text may stand on it.
#[derive(Debug, Default)]
pub(super) struct Backdrop {
    areas: Vec<(BBox, Colour)>,
    /// The different known colours among them.
    colours: Vec<[f32; 3]>,
    overflowed: bool,
}

impl Backdrop {
    /// Something was painted over an area.
    pub(super) fn paint(&mut self, area: BBox, colour: Colour) {
        if area.x1 - area.x0 < MIN_AREA || area.y1 - area.y0 < MIN_AREA {
            // A line: no text stands on it.
        } else if self.areas.len() >= MAX_AREAS {
            self.overflowed = true;
        } else {
            self.areas.push((area, colour));
            if let Some(colour) = colour
                && !self.colours.contains(&colour)
            {
                self.colours.push(colour);
            }
        }
    }

    /// Why a character with this middle, size and step is not seen; `None` if it is.
    pub(super) fn hides(&self, paint: &Paint, (x, y): (f32, f32), size: f32, step: f32) -> Option<Hiding> {
        let BBox { x0, y0, x1, y1 } = paint.clip;
        let mut paints = paint.of_text().into_iter().flatten();
        if x < x0 - CLIP_SLACK || x > x1 + CLIP_SLACK || y < y0 - CLIP_SLACK || y > y1 + CLIP_SLACK {
            Some(Hiding::Outside)
        } else if paint.mode == 3 || paint.mode < 3 && paints.clone().all(|(_, alpha)| alpha < MIN_ALPHA) {
            Some(Hiding::Invisible)
        } else if size < MIN_SIZE && step < MIN_SIZE {
            Some(Hiding::Tiny)
        } else if paint.mode < 3
            && paints.all(|(colour, _)| colour.is_some_and(|colour| self.shows_through((x, y), colour)))
        {
            Some(Hiding::White)
        } else {
            // Text that clips is most often seen: a picture or a pattern is painted through it.
            None
        }
    }

    /// Whether what is under a point has this colour. O(areas) for colours that were painted with, else O(colours).
    fn shows_through(&self, (x, y): (f32, f32), colour: [f32; 3]) -> bool {
        let alike = |other: [f32; 3]| colour.iter().zip(other).all(|(a, b)| (a - b).abs() <= ALIKE);
        let on_paper = alike(WHITE);
        if self.overflowed || !on_paper && !self.colours.iter().any(|other| alike(*other)) {
            return false;
        }
        let over = |area: &BBox| area.x0 <= x && x <= area.x1 && area.y0 <= y && y <= area.y1;
        match self.areas.iter().rev().find(|(area, _)| over(area)) {
            Some((_, under)) => under.is_some_and(alike),
            None => on_paper,
        }
    }
}

/// What two rectangles have in common; of no width or height where they are apart.
pub(super) fn intersection(a: BBox, b: BBox) -> BBox {
    let (x0, y0) = (a.x0.max(b.x0), a.y0.max(b.y0));
    BBox { x0, y0, x1: a.x1.min(b.x1).max(x0), y1: a.y1.min(b.y1).max(y0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(x0: f32, x1: f32) -> BBox {
        BBox { x0, y0: 0.0, x1, y1: 100.0 }
    }

    #[test]
    fn white_on_white_is_hidden_and_white_on_black_is_not() {
        let mut backdrop = Backdrop::default();
        backdrop.paint(area(0.0, 50.0), Some(BLACK));
        backdrop.paint(area(60.0, 80.0), None);
        let hidden = |colour, x| {
            let paint = Paint { fill: colour, ..Paint::new(200.0, 200.0) };
            backdrop.hides(&paint, (x, 50.0), 10.0, 5.0)
        };
        assert_eq!(hidden(Some(WHITE), 20.0), None, "on black");
        assert_eq!(hidden(Some(BLACK), 20.0), Some(Hiding::White), "in the colour under it");
        assert_eq!(hidden(Some(WHITE), 70.0), None, "on a picture");
        assert_eq!(hidden(Some([0.98; 3]), 100.0), Some(Hiding::White), "on paper");
        assert_eq!((hidden(None, 100.0), hidden(Some(BLACK), 100.0)), (None, None));
    }

    #[test]
    fn inks_and_spaces() {
        let number = |n: i32| Number::from_i32(n);
        assert_eq!(Space::Cmyk.colour(&[0, 0, 0, 1].map(number)), Some(BLACK));
        assert_eq!(Space::Cmyk.colour(&[0, 0, 0, 0].map(number)), Some(WHITE));
        assert_eq!(Space::Ink.colour(&[number(1)]), None, "which ink is not known");
        assert_eq!(Space::Rgb.colour(&[number(1)]), None, "too few");
    }
}
