//! Showing text: the text operators, and where each character comes to stand.

use super::Reader;
use crate::parse::pdf::{aslant::Direction, bidi, font::Face, glyphs::Glyph, state::State};
use hayro_font::kurbo::{Affine, Vec2};
use hayro_syntax::{
    content::ops::TypedInstruction as Op,
    object::{Object, String as PdfString},
    page::Resources,
};

/// A font whose em is less than this part of a character's advance does not tell its em.
const MIN_EM: f32 = 0.25;
/// No em is taken to be smaller than this, in points: gaps are measured in it.
const MIN_SIZE: f32 = 0.1;
/// The em in advances, where a font does not tell it.
const USUAL_EM: f32 = 1.6;

impl<'a> Reader<'_, 'a> {
    pub(super) fn text_step(&mut self, op: &Op<'_, '_>, resources: &Resources<'a>, state: &mut State<'a>) {
        match op {
            Op::BeginText(_) => {
                state.text = Affine::IDENTITY;
                state.line = Affine::IDENTITY;
            }
            Op::TextFont(font) => {
                state.face = resources.get_font(font.0).and_then(|dict| self.fonts.face(&dict));
                state.size = font.1.as_f64();
            }
            Op::CharacterSpacing(n) => state.char_space = n.0.as_f64(),
            Op::WordSpacing(n) => state.word_space = n.0.as_f64(),
            Op::HorizontalScaling(n) => state.stretch = n.0.as_f64() / 100.0,
            Op::TextLeading(n) => state.leading = n.0.as_f64(),
            Op::TextRise(n) => state.rise = n.0.as_f64(),
            Op::NextLine(n) => state.next_line(n.0.as_f64(), n.1.as_f64()),
            Op::NextLineAndSetLeading(n) => {
                state.leading = -n.1.as_f64();
                state.next_line(n.0.as_f64(), n.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
            Op::SetTextMatrix(m) => {
                state.line = Affine::new([m.0, m.1, m.2, m.3, m.4, m.5].map(|n| n.as_f64()));
                state.text = state.line;
            }
            Op::ShowText(text) => {
                self.begins = true;
                self.show(text.0, state);
            }
            Op::ShowTexts(texts) => {
                self.begins = true;
                for part in texts.0.iter::<Object<'_>>() {
                    match part {
                        Object::String(text) => self.show(&text, state),
                        Object::Number(back) => state.move_back(back.as_f64()),
                        _ => {}
                    }
                }
            }
            Op::NextLineAndShowText(text) => {
                state.next_line(0.0, -state.leading);
                self.begins = true;
                self.show(text.0, state);
            }
            Op::ShowTextWithParameters(text) => {
                state.word_space = text.0.as_f64();
                state.char_space = text.1.as_f64();
                state.next_line(0.0, -state.leading);
                self.begins = true;
                self.show(text.2, state);
            }
            _ => {}
        }
    }

    fn show(&mut self, text: &PdfString<'_>, state: &mut State<'a>) {
        let Some(face) = state.face.clone() else {
            // A font that cannot be understood: most often an East Asian one by a character map that is not built in.
            self.out.n_unreadable = self.out.n_unreadable.saturating_add(u32::try_from(text.len()).unwrap_or(u32::MAX));
            return;
        };
        let bytes = text.as_bytes();
        let horizontal = face.font.is_horizontal();
        let hidden = self.marks.hide();
        let mut at = 0;
        while at < bytes.len() && self.out.glyphs.len() + self.slants.len() <= self.most.n_glyphs {
            let (code, length) = face.font.read_code(bytes, at);
            at += length.max(1);
            let advance = face.font.code_advance(code) / 1000.0;
            if !hidden {
                self.place(&face, code, advance, state);
            }
            let word_space = if code == 32 && length == 1 { state.word_space } else { 0.0 };
            let spaces = state.char_space + word_space;
            let step = if horizontal {
                Vec2::new((advance.x * state.size + spaces) * state.stretch, 0.0)
            } else {
                Vec2::new(0.0, advance.y * state.size + spaces)
            };
            state.text *= Affine::translate(step);
        }
    }

    /// Records one character where the state puts it.
    fn place(&mut self, face: &Face<'a>, code: u32, advance: Vec2, state: &State<'a>) {
        let em = Affine::new([state.size * state.stretch, 0.0, 0.0, state.size, 0.0, state.rise]);
        let c = (state.ctm * state.text * em).as_coeffs();
        let linear = |v: Vec2| Vec2::new(c[0] * v.x + c[2] * v.y, c[1] * v.x + c[3] * v.y);
        let origin = Vec2::new(c[4], c[5]) + linear(face.font.origin_displacement(code) / 1000.0);
        let step = linear(advance);
        let size = (c[2] * c[2] + c[3] * c[3]).sqrt() * face.em;
        let direction = if step.x == 0.0 && step.y == 0.0 { linear(Vec2::new(1.0, 0.0)) } else { step };
        let placed = [origin.x, origin.y, step.x, step.y, size].iter().all(|n| n.is_finite() && n.abs() < 1e6);
        let (width, height) = (self.out.width, self.out.height);
        let Some(direction) = Direction::of(direction.x, direction.y) else { return };
        if !placed {
            return;
        }
        let text = face.text(code);
        let n_characters = text.chars().count();
        if n_characters == 0 {
            self.out.n_unreadable += 1;
            return;
        }
        let length = (step.x * step.x + step.y * step.y).sqrt() as f32;
        let size = if (size as f32) < MIN_EM * length { USUAL_EM * length } else { (size as f32).max(MIN_SIZE) };
        let middle = origin + step / 2.0 + linear(Vec2::new(0.0, 0.3 * face.em));
        let hiding = self.backdrop.hides(&state.paint, (middle.x as f32, middle.y as f32), size, length);
        let turn = direction.straight();
        let (u, v) = turn.unwrap_or_default().to_frame(origin.x as f32, origin.y as f32, width, height);
        let (artifact, role) = (self.marks.in_artifact(), self.marks.role());
        let begins = std::mem::take(&mut self.begins);
        let style = face.style;
        let turned = turn.unwrap_or_default();
        let glyph =
            Glyph { character: ' ', u0: u, u1: u, v, size, style, turn: turned, artifact, role, begins, hiding };
        // A ligature's letters share its width.
        let share = length / n_characters as f32;
        // Those of a right-to-left script stand the other way round.
        let text = if n_characters > 1 { bidi::reorder(&text).into() } else { text };
        if turn.is_none() {
            let step = step / n_characters as f64;
            for (index, character) in text.chars().enumerate() {
                let at = origin + step * index as f64;
                let glyph = Glyph { character, begins: begins && index == 0, ..glyph };
                self.slants.push(direction, (at.x, at.y), share, glyph);
            }
            return;
        }
        self.slants.note(direction);
        self.out.glyphs.extend(text.chars().enumerate().map(|(index, character)| {
            let u0 = u + share * index as f32;
            Glyph { character, u0, u1: u0 + share, begins: begins && index == 0, ..glyph }
        }));
    }
}
