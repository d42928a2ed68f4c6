//! Runs a page's content streams and collects what they show: characters and ruling lines.
//!
//! An interpreter of its own rather than a rendering device, because text needs what a device is not told (the font's
//! name, artifacts, replacement text), needs no colours, images or clips, and must stop at a bound or when the caller
//! says so in the middle of a page.

use super::{
    font::{Face, Fonts},
    glyphs::{Glyph, PageContent, Turn},
    inflation,
    layers::Layers,
    parts,
    path::Path,
    state::State,
    strings,
};
use crate::parse::ParseError;
use hayro_font::kurbo::{self, Affine, Vec2};
use hayro_syntax::{
    content::{TypedIter, ops::TypedInstruction as Op},
    object::{Array, Dict, Name, Object, Rect, Stream, String as PdfString},
    page::{Page, Resources},
};

/// Operators of one page: a dense drawing has some 100,000.
const MAX_OPERATORS: u32 = 4_000_000;
/// Characters of one page: a page set solid in 4 points has some 60,000.
const MAX_GLYPHS: usize = 300_000;
/// Nested forms, as a picture in a letterhead in a page.
const MAX_DEPTH: u32 = 12;
/// Nested saved states.
const MAX_STATES: usize = 512;
/// Nested marked-content sequences.
const MAX_MARKS: usize = 10_000;
/// Decoded bytes of the streams of one page, forms counted each time they are used.
const MAX_DECODED_BYTES: usize = 256 << 20;
/// How often progress is reported within a page.
const OPERATORS_PER_TICK: u32 = 100_000;

/// Why reading a page ended early.
enum Stop {
    /// A bound was reached.
    Bound,
    /// The caller stopped it.
    Cancelled(ParseError),
}

/// What a page shows, with the appearances of its annotations, except those that are read as parts of their own.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn read_page<'a>(
    page: &Page<'a>,
    fonts: &mut Fonts<'a>,
    layers: &Layers,
    tick: &mut dyn FnMut() -> Result<(), ParseError>,
) -> Result<PageContent, ParseError> {
    let (width, height) = page.render_dimensions();
    let mut reader = Reader {
        fonts,
        layers,
        tick,
        out: PageContent { width, height, ..PageContent::default() },
        marks: Vec::new(),
        n_artifacts: 0,
        n_hiding: 0,
        begins: true,
        n_operators: 0,
        n_decoded_bytes: 0,
    };
    let state = State::new(Affine::new(page.initial_transform(true).as_coeffs()));
    match reader.page(page, &state) {
        Err(Stop::Cancelled(error)) => return Err(error),
        Err(Stop::Bound) => reader.out.truncated = true,
        Ok(()) => {}
    }
    Ok(reader.out)
}

/// What an open marked-content sequence means for the text in it.
enum Mark {
    Plain,
    /// Page furniture.
    Artifact,
    /// A layer that is switched off.
    Hidden,
    /// Text to be read instead of the characters from this one on.
    ActualText(usize, String),
}

struct Reader<'r, 'a> {
    fonts: &'r mut Fonts<'a>,
    layers: &'r Layers,
    tick: &'r mut dyn FnMut() -> Result<(), ParseError>,
    out: PageContent,
    marks: Vec<Mark>,
    /// How many of the open marks are artifacts, and how many hide.
    n_artifacts: u32,
    n_hiding: u32,
    /// The next character is the first of what an operator shows.
    begins: bool,
    n_operators: u32,
    n_decoded_bytes: usize,
}

impl<'a> Reader<'_, 'a> {
    fn page(&mut self, page: &Page<'a>, state: &State<'a>) -> Result<(), Stop> {
        let mut bytes = Vec::new();
        if let Some(stream) = page.raw().get::<Stream<'a>>("Contents") {
            self.decode(&stream, &mut bytes)?;
        } else if let Some(streams) = page.raw().get::<Array<'a>>("Contents") {
            for stream in streams.iter::<Stream<'a>>() {
                self.decode(&stream, &mut bytes)?;
                bytes.push(b' ');
            }
        }
        self.run(&bytes, page.resources(), state.clone(), 0)?;
        let annotations = page.raw().get::<Array<'a>>("Annots");
        for annotation in annotations.iter().flat_map(|all| all.iter::<Dict<'a>>()) {
            self.annotation(&annotation, page.resources(), state)?;
        }
        Ok(())
    }

    fn decode(&mut self, stream: &Stream<'a>, into: &mut Vec<u8>) -> Result<(), Stop> {
        if !inflation::stays_within(stream, MAX_DECODED_BYTES.saturating_sub(self.n_decoded_bytes)) {
            return Err(Stop::Bound);
        }
        // A stream that cannot be decoded leaves the others readable.
        if let Ok(bytes) = stream.decoded_data() {
            self.n_decoded_bytes = self.n_decoded_bytes.saturating_add(bytes.len());
            if self.n_decoded_bytes > MAX_DECODED_BYTES {
                return Err(Stop::Bound);
            }
            into.extend_from_slice(&bytes);
        }
        Ok(())
    }

    /// ISO 32000-2, 12.5.5: maps the appearance's box onto the annotation's rectangle.
    fn annotation(&mut self, dict: &Dict<'a>, resources: &Resources<'a>, state: &State<'a>) -> Result<(), Stop> {
        const HIDDEN: u32 = 1 << 1;
        const NO_VIEW: u32 = 1 << 5;
        if dict.get::<u32>("F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0 || parts::is_read_apart(dict) {
            return Ok(());
        }
        let normal = dict.get::<Dict<'a>>("AP").and_then(|appearances| appearances.get::<Object<'a>>("N"));
        let stream = match normal {
            Some(Object::Stream(stream)) => Some(stream),
            Some(Object::Dict(states)) => dict.get::<Name<'_>>("AS").and_then(|name| states.get::<Stream<'a>>(name)),
            _ => None,
        };
        let (Some(stream), Some(rect)) = (stream, dict.get::<Rect>("Rect")) else { return Ok(()) };
        let Some(bbox) = stream.dict().get::<Rect>("BBox") else { return Ok(()) };
        let matrix = matrix(stream.dict());
        let target = kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1);
        let source = matrix.transform_rect_bbox(kurbo::Rect::new(bbox.x0, bbox.y0, bbox.x1, bbox.y1));
        if source.width() <= 0.0 || source.height() <= 0.0 {
            return Ok(());
        }
        let (sx, sy) = (target.width() / source.width(), target.height() / source.height());
        let fit = Affine::new([sx, 0.0, 0.0, sy, target.x0 - sx * source.x0, target.y0 - sy * source.y0]);
        let mut state = state.clone();
        state.ctm *= fit;
        self.form(&stream, resources, state, 0)
    }

    fn form(&mut self, stream: &Stream<'a>, outer: &Resources<'a>, state: State<'a>, depth: u32) -> Result<(), Stop> {
        let dict = stream.dict();
        if depth > MAX_DEPTH || self.layers.hides(dict, "OC") {
            return Ok(());
        }
        let mut bytes = Vec::new();
        self.decode(stream, &mut bytes)?;
        let own = dict.get::<Dict<'a>>("Resources").map(Resources::new);
        let mut state = state;
        state.ctm *= matrix(dict);
        self.run(&bytes, own.as_ref().unwrap_or(outer), state, depth + 1)
    }

    fn run(&mut self, bytes: &[u8], resources: &Resources<'a>, first: State<'a>, depth: u32) -> Result<(), Stop> {
        let n_marks = self.marks.len();
        let mut saved = Vec::new();
        let mut state = first;
        let mut path = Path::default();
        let mut ops = TypedIter::new(bytes);
        while let Some(op) = ops.next() {
            self.n_operators += 1;
            if self.n_operators.is_multiple_of(OPERATORS_PER_TICK) {
                (self.tick)().map_err(Stop::Cancelled)?;
            }
            if self.n_operators > MAX_OPERATORS || self.out.glyphs.len() > MAX_GLYPHS {
                return Err(Stop::Bound);
            }
            match op {
                Op::SaveState(_) if saved.len() < MAX_STATES => saved.push(state.clone()),
                Op::RestoreState(_) => state = saved.pop().unwrap_or(state),
                Op::Transform(m) => {
                    state.ctm *= Affine::new([m.0, m.1, m.2, m.3, m.4, m.5].map(|n| n.as_f64()));
                }
                Op::XObject(name) => {
                    if let Some(stream) = resources.get_x_object(name.0) {
                        let subtype = stream.dict().get::<Name<'_>>("Subtype");
                        if subtype.is_some_and(|subtype| subtype.as_str() == "Form") {
                            self.form(&stream, resources, state.clone(), depth)?;
                        } else {
                            self.out.n_pictures = self.out.n_pictures.saturating_add(1);
                        }
                    }
                }
                Op::InlineImage(_) => self.out.n_pictures = self.out.n_pictures.saturating_add(1),
                Op::BeginMarkedContent(mark) => {
                    let artifact = mark.0.as_str() == "Artifact";
                    self.begin_mark(if artifact { Mark::Artifact } else { Mark::Plain })?;
                }
                Op::BeginMarkedContentWithProperties(mark) => {
                    let mark = self.mark(mark.0, mark.1, resources);
                    self.begin_mark(mark)?;
                }
                Op::EndMarkedContent(_) if self.marks.len() > n_marks => self.end_mark(),
                op => {
                    if !path.step(&op, state.ctm, &mut self.out) {
                        self.text_step(&op, resources, &mut state);
                    }
                }
            }
        }
        while self.marks.len() > n_marks {
            self.end_mark();
        }
        Ok(())
    }

    fn text_step(&mut self, op: &Op<'_, '_>, resources: &Resources<'a>, state: &mut State<'a>) {
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
        let hidden = self.n_hiding > 0;
        let mut at = 0;
        while at < bytes.len() && self.out.glyphs.len() <= MAX_GLYPHS {
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
        let inside =
            (-2.0..=f64::from(width) + 2.0).contains(&origin.x) && (-2.0..=f64::from(height) + 2.0).contains(&origin.y);
        let Some(turn) = Turn::of(direction.x, direction.y) else { return };
        if !placed || !inside || size <= 0.1 {
            return;
        }
        let text = face.text(code);
        let n_characters = text.chars().count();
        if n_characters == 0 {
            self.out.n_unreadable += 1;
            return;
        }
        let (u, v) = turn.to_frame(origin.x as f32, origin.y as f32, width, height);
        let length = (step.x * step.x + step.y * step.y).sqrt() as f32;
        let artifact = self.n_artifacts > 0;
        let begins = std::mem::take(&mut self.begins);
        let style = face.style;
        let glyph = Glyph { character: ' ', u0: u, u1: u, v, size: size as f32, style, turn, artifact, begins };
        // A ligature's letters share its width.
        let share = length / n_characters as f32;
        self.out.glyphs.extend(text.chars().enumerate().map(|(index, character)| {
            let u0 = u + share * index as f32;
            Glyph { character, u0, u1: u0 + share, begins: begins && index == 0, ..glyph }
        }));
    }

    fn mark(&self, tag: &Name<'_>, properties: &Object<'_>, resources: &Resources<'a>) -> Mark {
        match (tag.as_str(), properties) {
            ("Artifact", _) => Mark::Artifact,
            ("OC", Object::Name(name)) if self.layers.hides(&resources.properties, name.as_str()) => Mark::Hidden,
            (_, Object::Dict(dict)) => self.actual_text(dict),
            (_, Object::Name(name)) => {
                resources.properties.get::<Dict<'_>>(name).map_or(Mark::Plain, |dict| self.actual_text(&dict))
            }
            _ => Mark::Plain,
        }
    }

    fn begin_mark(&mut self, mark: Mark) -> Result<(), Stop> {
        if self.marks.len() >= MAX_MARKS {
            return Err(Stop::Bound);
        }
        self.n_artifacts += u32::from(matches!(mark, Mark::Artifact));
        self.n_hiding += u32::from(matches!(mark, Mark::Hidden));
        self.marks.push(mark);
        Ok(())
    }

    fn actual_text(&self, dict: &Dict<'_>) -> Mark {
        match dict.get::<PdfString<'_>>("ActualText") {
            Some(text) => Mark::ActualText(self.out.glyphs.len(), strings::decode(&text)),
            None => Mark::Plain,
        }
    }

    /// Closes the innermost mark; replacement text takes the place of what was shown inside it.
    fn end_mark(&mut self) {
        let (from, text) = match self.marks.pop() {
            Some(Mark::ActualText(from, text)) => (from, text),
            Some(Mark::Artifact) => {
                self.n_artifacts -= 1;
                return;
            }
            Some(Mark::Hidden) => {
                self.n_hiding -= 1;
                return;
            }
            Some(Mark::Plain) | None => return,
        };
        let shown = self.out.glyphs.get(from..).unwrap_or_default();
        let (Some(&first), Some(last)) = (shown.first(), shown.last()) else { return };
        let one_line = shown.iter().all(|glyph| glyph.turn == first.turn && (glyph.v - first.v).abs() < first.size);
        // Replacement text over several lines would lose its place; what is shown is the better text then.
        if !one_line || last.u1 < first.u0 {
            return;
        }
        let n_characters = text.chars().count();
        let share = (last.u1 - first.u0) / n_characters.max(1) as f32;
        self.out.glyphs.truncate(from);
        self.out.glyphs.extend(text.chars().enumerate().map(|(index, character)| {
            let u0 = first.u0 + share * index as f32;
            Glyph { character, u0, u1: u0 + share, ..first }
        }));
    }
}

fn matrix(dict: &Dict<'_>) -> Affine {
    Affine::new(dict.get::<[f64; 6]>("Matrix").unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]))
}
