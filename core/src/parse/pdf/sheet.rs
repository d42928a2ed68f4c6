//! One page after its characters were read: segments, ruled tables, and what stands aside in another direction.

use super::{
    aslant::{self, Aslant},
    drawing, figures,
    frames::Frames,
    glyphs::{PageContent, Rule, Turn},
    lines::{self, Segment},
    paint::Hiding,
    tables::{self, Aside, Heads, Table},
};
use crate::document::BBox;
use std::collections::BTreeSet;

/// Hidden pieces that are compared with those that are seen.
const MAX_SHADOWS: usize = 1_000;
/// Lines that are kept beside the tables: more are a drawing.
const MAX_RULES: usize = 400;

/// A page as text with places.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    /// From 1.
    pub(super) number: u32,
    /// Width of the upright page in points.
    width: f32,
    /// Height of the upright page in points.
    height: f32,
    /// Which way most of its text runs.
    turn: Turn,
    /// The slope that it was turned straight by.
    skew: f32,
    /// The text that runs that way, in the frame of that turn.
    pub(super) segments: Vec<Segment>,
    /// Its horizontal ruling lines, in the same frame.
    pub(super) rules: Vec<Rule>,
    /// Its shaded rectangles that may be cells or rows, in the same frame.
    shades: Vec<BBox>,
    /// What stands around text, in the same frame.
    pub(super) frames: Frames,
    /// The ruled tables, in the same frame.
    pub(super) tables: Vec<Table>,
    /// Pictures and drawings, on the upright page.
    pub(super) figures: Vec<BBox>,
    /// The parts of a large drawing, in the frame of the main text.
    pub(super) drawings: Vec<BBox>,
    /// Text that runs otherwise, each turn in its own frame.
    pub(super) asides: Vec<(Turn, Vec<Segment>)>,
    /// Text that runs aslant, and whether it is a watermark; that is told by [`super::furniture`].
    pub(super) aslant: Vec<(Aslant, bool)>,
    /// Text that is not seen, why, and which way it runs.
    pub(super) hidden: Vec<(Hiding, Turn, Vec<Segment>)>,
    /// Running heads and feet; filled by [`super::furniture`].
    pub(super) furniture: Vec<Segment>,
}

impl Sheet {
    /// Lays out what a page shows.
    pub(super) fn of(number: u32, content: &PageContent) -> Self {
        let turn = Self::main_turn(content);
        let rules = Self::rules(content, turn);
        let mut segments = lines::segments(&content.glyphs, turn, None, &rules);
        let hidden = hidden(content, turn, &segments);
        let (width, height) = (content.width, content.height);
        let is_used = |turn: Turn| content.glyphs.iter().any(|glyph| glyph.turn == turn && glyph.hiding.is_none());
        let others = Turn::ALL.into_iter().filter(|other| *other != turn && is_used(*other));
        let mut beside: Vec<Aside> = Vec::new();
        for other in others {
            beside.extend(lines::segments(&content.glyphs, other, None, &[]).into_iter().map(|segment| {
                let bbox = in_frame(other.to_page(segment.bbox, width, height), turn, width, height);
                Aside { bbox, turn: other, segment }
            }));
        }
        let mut tables = tables::ruled(&rules, &mut segments, &mut beside);
        let shades = content.boxes.iter().map(|shade| in_frame(*shade, turn, width, height));
        let shades: Vec<BBox> = shades.filter(|shade| shades_cells(shade, width * height)).take(MAX_RULES).collect();
        tables.extend(tables::shaded(&shades, &tables, &mut segments, &mut beside));
        let asides = by_turn(&beside);
        let outlines = content.outlines.iter().map(|outline| in_frame(*outline, turn, width, height));
        let boxes: Vec<BBox> = shades.iter().copied().chain(outlines).collect();
        let frames = Frames::of(&boxes, &rules, width * height);
        let figures = figures::of(content);
        let drawings = drawing::of(content, &figures).into_iter();
        let drawings = drawings.map(|drawing| in_frame(drawing, turn, width, height)).collect();
        let rules = rules.into_iter().filter(|rule| rule.horizontal).take(MAX_RULES).collect();
        Self {
            number,
            width,
            height,
            turn,
            skew: content.skew,
            segments,
            rules,
            shades,
            frames,
            tables,
            drawings,
            figures,
            asides,
            aslant: content.aslant.iter().map(|aslant| (aslant.clone(), false)).collect(),
            hidden,
            furniture: Vec::new(),
        }
    }

    /// Which way most of a page's text runs.
    pub(super) fn main_turn(content: &PageContent) -> Turn {
        let seen = || content.glyphs.iter().filter(|glyph| glyph.hiding.is_none());
        let n_glyphs = |turn: &Turn| seen().filter(|glyph| glyph.turn == *turn).count();
        Turn::ALL.into_iter().rev().max_by_key(n_glyphs).unwrap_or_default()
    }

    /// A page's ruling lines in the frame of `turn`.
    pub(super) fn rules(content: &PageContent, turn: Turn) -> Vec<Rule> {
        content.rules.iter().map(|rule| turned(rule, turn, content)).collect()
    }

    /// Takes lists of items and the tables that have lines only between rows out of the text; after the furniture was.
    /// `list` are the names of a list that the page before ended with, `before` the columns of its last table.
    pub(super) fn find_open_tables(
        &mut self,
        keep_code: bool,
        list: &mut Option<Heads>,
        before: Option<&[(f32, f32)]>,
    ) {
        let places = |tables: &[Table]| -> Vec<BBox> { tables.iter().map(|table| table.bbox).collect() };
        self.tables.extend(tables::items(&self.rules, &places(&self.tables), list, &mut self.segments));
        let taken = places(&self.tables);
        if !self.asides.is_empty() {
            let mut beside = self.beside();
            tables::lay_down(&self.rules, &mut beside, &mut self.segments);
            self.asides = by_turn(&beside);
        }
        let lines = (self.rules.as_slice(), self.shades.as_slice());
        self.tables.extend(tables::open(&lines, &taken, keep_code, before, &mut self.segments));
    }

    /// The text that runs otherwise with its places in the frame of the main text.
    fn beside(&self) -> Vec<Aside> {
        let of_turn = |(turn, segments): &(Turn, Vec<Segment>)| {
            let turn = *turn;
            let aside = move |segment: &Segment| {
                let bbox = turn.to_page(segment.bbox, self.width, self.height);
                Aside { bbox: in_frame(bbox, self.turn, self.width, self.height), turn, segment: segment.clone() }
            };
            segments.iter().map(aside).collect::<Vec<_>>()
        };
        self.asides.iter().flat_map(of_turn).collect()
    }

    /// The height of the frame that most of the text stands in.
    pub(super) fn frame_height(&self) -> f32 {
        if self.turn.0.is_multiple_of(2) { self.height } else { self.width }
    }

    /// The width of the frame that most of the text stands in.
    pub(super) fn frame_width(&self) -> f32 {
        if self.turn.0.is_multiple_of(2) { self.width } else { self.height }
    }

    /// A rectangle of the main frame on the upright page.
    pub(super) fn on_page(&self, bbox: BBox) -> BBox {
        aslant::to_page(bbox, self.turn, self.skew, self.width, self.height)
    }

    /// A rectangle of the frame of `turn` on the upright page.
    pub(super) fn aside_on_page(&self, turn: Turn, bbox: BBox) -> BBox {
        aslant::to_page(bbox, turn, self.skew, self.width, self.height)
    }

    /// Text stands on it.
    pub(super) fn has_text(&self) -> bool {
        !(self.segments.is_empty() && self.tables.is_empty() && self.asides.is_empty() && self.aslant.is_empty())
    }
}

/// Text by the direction it runs in.
fn by_turn(beside: &[Aside]) -> Vec<(Turn, Vec<Segment>)> {
    let turns = beside.chunk_by(|a, b| a.turn == b.turn);
    turns.filter_map(|of| Some((of.first()?.turn, of.iter().map(|aside| aside.segment.clone()).collect()))).collect()
}

/// Whether a shaded rectangle is neither too small nor too large to be a cell, a row or a table.
fn shades_cells(shade: &BBox, page_area: f32) -> bool {
    const MIN_SIDE: f32 = 6.0;
    let (width, height) = (shade.x1 - shade.x0, shade.y1 - shade.y0);
    width >= MIN_SIDE && height >= MIN_SIDE && width * height < page_area / 2.0
}

/// A rectangle of the page in the frame of `turn`.
fn in_frame(bbox: BBox, turn: Turn, width: f32, height: f32) -> BBox {
    let (a, b) = (turn.to_frame(bbox.x0, bbox.y0, width, height), turn.to_frame(bbox.x1, bbox.y1, width, height));
    BBox { x0: a.0.min(b.0), y0: a.1.min(b.1), x1: a.0.max(b.0), y1: a.1.max(b.1) }
}

/// The text of a page that is not seen, but for copies of what is: shadows behind letters.
fn hidden(content: &PageContent, main: Turn, seen: &[Segment]) -> Vec<(Hiding, Turn, Vec<Segment>)> {
    let kinds: BTreeSet<(Hiding, Turn)> =
        content.glyphs.iter().filter_map(|glyph| Some((glyph.hiding?, glyph.turn))).collect();
    let mut hidden = Vec::new();
    for (hiding, turn) in kinds {
        let mut segments = lines::segments(&content.glyphs, turn, Some(hiding), &[]);
        // A page of more hidden pieces is no page with shadows behind its letters.
        let may_copy = turn == main && segments.len() <= MAX_SHADOWS;
        let is_copy = |segment: &Segment| {
            let start = seen.partition_point(|other| other.v < segment.v - segment.size);
            let near = seen[start..].iter().take_while(|other| other.v <= segment.v + segment.size);
            near.into_iter().any(|other| other.text == segment.text)
        };
        segments.retain(|segment| segment.text.chars().any(char::is_alphanumeric) && !(may_copy && is_copy(segment)));
        if !segments.is_empty() {
            hidden.push((hiding, turn, segments));
        }
    }
    hidden
}

fn turned(rule: &Rule, turn: Turn, content: &PageContent) -> Rule {
    if turn == Turn(0) {
        return *rule;
    }
    let (from, to) = if rule.horizontal {
        ((rule.from, rule.at), (rule.to, rule.at))
    } else {
        ((rule.at, rule.from), (rule.at, rule.to))
    };
    let (a, b) = (
        turn.to_frame(from.0, from.1, content.width, content.height),
        turn.to_frame(to.0, to.1, content.width, content.height),
    );
    if (a.1 - b.1).abs() < (a.0 - b.0).abs() {
        Rule { horizontal: true, at: a.1, from: a.0.min(b.0), to: a.0.max(b.0) }
    } else {
        Rule { horizontal: false, at: a.0, from: a.1.min(b.1), to: a.1.max(b.1) }
    }
}
