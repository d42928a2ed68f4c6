//! Runs a page's content streams and collects what they show: characters and ruling lines.
//!
//! An interpreter of its own rather than a rendering device, because text needs what a device is not told (the font's
//! name, artifacts, replacement text), needs no images or outlines, and must stop at a bound or when the caller says so
//! in the middle of a page.

mod marks;
mod show;

use super::{
    aslant::Slants,
    font::Fonts,
    glyphs::PageContent,
    inflation,
    layers::Layers,
    paint::{Backdrop, Hiding, Paint, intersection},
    parts,
    path::Path,
    state::State,
    tags::{Role, Tags},
    upright::Upright,
};
use crate::{document::BBox, parse::ParseError};
use hayro_font::kurbo::{self, Affine};
use hayro_syntax::{
    content::{TypedIter, ops::TypedInstruction as Op},
    object::{Array, Dict, Name, Object, Rect, Stream},
    page::{Page, Resources},
};
use marks::{Mark, Marks};

/// Operators of one page: a dense drawing has some 100,000.
const MAX_OPERATORS: u32 = 4_000_000;
/// Characters of one page: a page set solid in 4 points has some 60,000.
const MAX_GLYPHS: usize = 300_000;
/// Nested forms, as a picture in a letterhead in a page.
const MAX_DEPTH: u32 = 12;
/// Nested saved states.
const MAX_STATES: usize = 512;
/// Decoded bytes of the streams of one page, forms counted each time they are used.
const MAX_DECODED_BYTES: usize = 256 << 20;
/// Pictures of one page whose places are kept.
const MAX_PICTURES: usize = 1_000;
/// How often progress is reported within a page.
const OPERATORS_PER_TICK: u32 = 100_000;

/// What all pages of a file together may cost, so that a small file whose thousand pages share one stream, or forms that
/// draw forms, does not keep a reader busy for hours. Real files stay far below: their pages say something of their own.
#[derive(Debug)]
pub(super) struct Effort {
    n_operators: u32,
    n_glyphs: usize,
    n_decoded_bytes: usize,
}

impl Effort {
    /// As much as goes with a file of so many bytes.
    pub(super) fn of(n_bytes: usize) -> Self {
        /// Operators and characters for each byte of the file; text packs to a tenth at most.
        const TIMES: usize = 32;
        /// Characters whatever the size: a book of a thousand pages.
        const FREE_GLYPHS: usize = 2_000_000;
        let of_size = n_bytes.saturating_mul(TIMES);
        Self {
            n_operators: MAX_OPERATORS.saturating_add(u32::try_from(of_size).unwrap_or(u32::MAX)),
            n_glyphs: FREE_GLYPHS.saturating_add(of_size),
            n_decoded_bytes: MAX_DECODED_BYTES.saturating_add(of_size),
        }
    }

    /// What one page may cost.
    fn of_page(&self) -> Self {
        Self {
            n_operators: self.n_operators.min(MAX_OPERATORS),
            n_glyphs: self.n_glyphs.min(MAX_GLYPHS),
            n_decoded_bytes: self.n_decoded_bytes.min(MAX_DECODED_BYTES),
        }
    }
}

/// Why reading a page ended early.
enum Stop {
    /// A bound was reached.
    Bound,
    /// The caller stopped it.
    Cancelled(ParseError),
}

/// What a page shows, with the appearances of its annotations, except those that are read as parts of their own. `tags`
/// are those of the file, with the page's number.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn read_page<'a>(
    page: &Page<'a>,
    fonts: &mut Fonts<'a>,
    layers: &Layers,
    tags: (&Tags, u32),
    effort: &mut Effort,
    tick: &mut dyn FnMut() -> Result<(), ParseError>,
) -> Result<PageContent, ParseError> {
    let Upright { transform, width, height, .. } = Upright::of(page);
    let mut reader = Reader {
        fonts,
        layers,
        most: effort.of_page(),
        tags,
        stream: None,
        tick,
        out: PageContent { width, height, ..PageContent::default() },
        slants: Slants::default(),
        marks: Marks::default(),
        backdrop: Backdrop::default(),
        begins: true,
        n_operators: 0,
        n_decoded_bytes: 0,
    };
    let state = State::new(transform, Paint::new(width, height));
    match reader.page(page, &state) {
        Err(Stop::Cancelled(error)) => return Err(error),
        Err(Stop::Bound) => reader.out.truncated = true,
        Ok(()) => {}
    }
    let Reader { mut out, slants, n_operators, n_decoded_bytes, .. } = reader;
    effort.n_operators = effort.n_operators.saturating_sub(n_operators);
    effort.n_glyphs = effort.n_glyphs.saturating_sub(out.glyphs.len() + slants.len());
    effort.n_decoded_bytes = effort.n_decoded_bytes.saturating_sub(n_decoded_bytes);
    slants.settle(&mut out);
    read_ocr_layer(&mut out);
    Ok(out)
}

struct Reader<'r, 'a> {
    fonts: &'r mut Fonts<'a>,
    layers: &'r Layers,
    /// What the page may cost.
    most: Effort,
    tags: (&'r Tags, u32),
    /// The form whose marked content has numbers of its own, while it is shown.
    stream: Option<(u32, i32)>,
    tick: &'r mut dyn FnMut() -> Result<(), ParseError>,
    out: PageContent,
    slants: Slants,
    marks: Marks,
    /// What was painted so far.
    backdrop: Backdrop,
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
        if !inflation::stays_within(stream, self.most.n_decoded_bytes.saturating_sub(self.n_decoded_bytes)) {
            return Err(Stop::Bound);
        }
        // A stream that cannot be decoded leaves the others readable.
        if let Ok(bytes) = stream.decoded_data() {
            self.n_decoded_bytes = self.n_decoded_bytes.saturating_add(bytes.len());
            if self.n_decoded_bytes > self.most.n_decoded_bytes {
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
        if let Some(bbox) = dict.get::<Rect>("BBox") {
            let bbox = kurbo::Rect::new(bbox.x0, bbox.y0, bbox.x1, bbox.y1);
            state.paint.clip_to(on_page(state.ctm.transform_rect_bbox(bbox)));
        }
        let around = self.stream;
        if dict.contains_key("StructParents") {
            let id = stream.obj_id();
            self.stream = Some((id.obj_number, id.gen_number));
        }
        let read = self.run(&bytes, own.as_ref().unwrap_or(outer), state, depth + 1);
        self.stream = around;
        read
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
            let n_glyphs = self.out.glyphs.len() + self.slants.len();
            if self.n_operators > self.most.n_operators || n_glyphs > self.most.n_glyphs {
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
                            self.picture(&state);
                        }
                    }
                }
                Op::InlineImage(_) => self.picture(&state),
                Op::Shading(_) => self.backdrop.paint(state.paint.clip, None),
                Op::BeginMarkedContent(mark) => {
                    let artifact = mark.0.as_str() == "Artifact";
                    self.begin_mark(if artifact { Mark::Artifact } else { Mark::Plain }, None)?;
                }
                Op::BeginMarkedContentWithProperties(mark) => {
                    let (tags, page) = self.tags;
                    let tag = marks::number(mark.1, resources).and_then(|number| tags.tag(page, self.stream, number));
                    let mark = Mark::of(mark.0, mark.1, resources, self.layers, self.out.glyphs.len());
                    let replaced = tag.and_then(|tag| tag.actual_text.clone());
                    let mark = match (mark, replaced) {
                        (Mark::Plain, Some(text)) => Mark::ActualText(self.out.glyphs.len(), text),
                        (Mark::Plain, None) if tag.is_some_and(|tag| tag.role == Role::Artifact) => Mark::Artifact,
                        (mark, _) => mark,
                    };
                    self.begin_mark(mark, tag.map(|tag| (tag.role, tag.figure)))?;
                }
                Op::EndMarkedContent(_) if self.marks.len() > n_marks => self.marks.end(&mut self.out.glyphs),
                op => {
                    if !path.step(&op, &mut state, &mut self.out, &mut self.backdrop)
                        && !state.paint.step(&op, resources)
                    {
                        self.text_step(&op, resources, &mut state);
                    }
                }
            }
        }
        while self.marks.len() > n_marks {
            self.marks.end(&mut self.out.glyphs);
        }
        Ok(())
    }

    fn begin_mark(&mut self, mark: Mark, tag: Option<(Role, Option<usize>)>) -> Result<(), Stop> {
        if self.marks.begin(mark, tag) { Ok(()) } else { Err(Stop::Bound) }
    }

    /// A picture fills the unit square.
    fn picture(&mut self, state: &State<'a>) {
        let square = state.ctm.transform_rect_bbox(kurbo::Rect::new(0.0, 0.0, 1.0, 1.0));
        let place = intersection(on_page(square), state.paint.clip);
        self.out.n_pictures = self.out.n_pictures.saturating_add(1);
        self.backdrop.paint(place, None);
        if self.out.pictures.len() < MAX_PICTURES {
            if let Some(figure) = self.marks.figure() {
                self.out.tagged_pictures.push((figure, place));
            }
            self.out.pictures.push(place);
        }
    }
}

fn matrix(dict: &Dict<'_>) -> Affine {
    Affine::new(dict.get::<[f64; 6]>("Matrix").unwrap_or([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]))
}

fn on_page(rect: kurbo::Rect) -> BBox {
    BBox { x0: rect.x0 as f32, y0: rect.y0 as f32, x1: rect.x1 as f32, y1: rect.y1 as f32 }
}

/// Invisible characters over a picture that fills most of the page are what was read from a scan: the page's text. So
/// they are over letters drawn with lines, as plotting programs write them.
fn read_ocr_layer(out: &mut PageContent) {
    /// The part of the page that its pictures cover together, and that each of them must have to be counted.
    const MOST: f32 = 0.5;
    const MIN_PART: f32 = 0.01;
    const MAX_PARTS: usize = 200;
    let n_of = |hiding| out.glyphs.iter().filter(|glyph| glyph.hiding == hiding).count();
    let (n_invisible, n_seen) = (n_of(Some(Hiding::Invisible)), n_of(None));
    if n_invisible == 0 {
        return;
    }
    if n_seen * 20 < n_invisible && out.n_paths as usize * 2 > n_invisible {
        out.glyphs
            .iter_mut()
            .filter(|glyph| glyph.hiding == Some(Hiding::Invisible))
            .for_each(|glyph| glyph.hiding = None);
        return;
    }
    let page = out.width * out.height;
    let area = |bbox: &BBox| (bbox.x1 - bbox.x0) * (bbox.y1 - bbox.y0);
    let parts = out.pictures.iter().filter(|picture| area(picture) >= MIN_PART * page).take(MAX_PARTS);
    let parts: Vec<BBox> = parts.copied().collect();
    if parts.iter().map(area).sum::<f32>() < MOST * page {
        return;
    }
    for glyph in out.glyphs.iter_mut().filter(|glyph| glyph.hiding == Some(Hiding::Invisible)) {
        let point = BBox { x0: glyph.u0, y0: glyph.v, x1: glyph.u1, y1: glyph.v };
        let place = glyph.turn.to_page(point, out.width, out.height);
        let (x, y) = ((place.x0 + place.x1) / 2.0, (place.y0 + place.y1) / 2.0);
        if parts.iter().any(|part| part.x0 <= x && x <= part.x1 && part.y0 <= y && y <= part.y1) {
            glyph.hiding = None;
        }
    }
}
