//! The graphics state of a content stream, as far as text and ruling lines depend on it.

use super::{font::Face, paint::Paint};
use hayro_font::kurbo::{Affine, Vec2};
use std::rc::Rc;

/// The graphics state, as far as text and lines depend on it.
#[derive(Clone)]
pub(super) struct State<'a> {
    /// User space to the upright page.
    pub(super) ctm: Affine,
    /// Colours and clip.
    pub(super) paint: Paint,
    /// The font.
    pub(super) face: Option<Rc<Face<'a>>>,
    /// Its size.
    pub(super) size: f64,
    /// Added after each character.
    pub(super) char_space: f64,
    /// Added after each one-byte blank.
    pub(super) word_space: f64,
    /// Horizontal scaling, 1 for none.
    pub(super) stretch: f64,
    /// From line to line.
    pub(super) leading: f64,
    /// Above the baseline.
    pub(super) rise: f64,
    /// The text matrix.
    pub(super) text: Affine,
    /// The text line matrix.
    pub(super) line: Affine,
}

impl State<'_> {
    /// At the beginning of a page.
    pub(super) fn new(ctm: Affine, paint: Paint) -> Self {
        Self {
            ctm,
            paint,
            face: None,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            text: Affine::IDENTITY,
            line: Affine::IDENTITY,
        }
    }

    /// To the beginning of a line, `(x, y)` from that of this one.
    pub(super) fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.text = self.line;
    }

    /// Steps back by thousandths of the font size along the line, as the numbers in `TJ` do.
    pub(super) fn move_back(&mut self, thousandths: f64) {
        let by = -thousandths / 1000.0 * self.size;
        let horizontal = self.face.as_ref().is_none_or(|face| face.font.is_horizontal());
        let step = if horizontal { Vec2::new(by * self.stretch, 0.0) } else { Vec2::new(0.0, by) };
        self.text *= Affine::translate(step);
    }
}
