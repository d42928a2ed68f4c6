//! From the items of a region to blocks: paragraphs, list items, code, tables.
//!
//! Not for telling headings from paragraphs: that takes the whole document ([`super::headings`]).

use super::{
    bidi,
    columns::Item,
    contents, footnotes,
    frames::{Frame, Frames},
    glyphs::Rule,
    labels,
    rows::{self, Line, Row, marker},
    tables::{self, Table},
};

use crate::document::BBox;

/// A step to the next line of more than this times the usual one begins a new block.
const PARAGRAPH_GAP: f32 = 1.3;
/// Leading where nothing better is known, in ems.
const USUAL_LEADING: f32 = 1.2;
/// An indent of at least this, in ems, begins a paragraph.
const INDENT: f32 = 0.8;
/// Room for the next word and this many ems more: the line was ended on purpose.
const FORCED_BREAK: f32 = 4.0;
/// The width of an average letter, in ems.
const LETTER: f32 = 0.5;
/// Lines above and below whose right ends tell how wide the text is set.
const NEIGHBOURS: usize = 40;

/// What a block is, as far as its form tells.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A paragraph, heading, list item or code: lines that belong together.
    Text(Vec<Line>),
    /// A table.
    Table(Table),
    /// Entries of a table of contents: kept, but what they announce stands elsewhere.
    Contents(Vec<Line>),
}

/// What is known beyond the region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'c> {
    /// Fixed-pitch text is program text.
    pub(super) keep_code: bool,
    /// The size of body text.
    pub(super) body_size: f32,
    /// The page's ruling lines.
    pub(super) rules: &'c [Rule],
    /// What stands around text.
    pub(super) frames: &'c Frames,
    /// The columns of the table that the page before ended with, in the first region of a page.
    pub(super) table_before: Option<&'c [(f32, f32)]>,
}

/// The blocks of a region in order.
pub(super) fn blocks(region: Vec<Item>, context: Context<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut segments = Vec::new();
    for item in region {
        match item {
            Item::Text(segment) => segments.push(segment),
            Item::Table(table) => {
                text_blocks(rows::rows(std::mem::take(&mut segments), context.rules), context, &mut blocks);
                blocks.push(Block::Table(table));
            }
        }
    }
    text_blocks(rows::rows(segments, context.rules), context, &mut blocks);
    blocks
}

fn text_blocks(rows: Vec<Row>, context: Context<'_>, blocks: &mut Vec<Block>) {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let n_entries = contents::n_entries(&rows[at..]);
        if n_entries > 0 {
            paragraphs(&std::mem::take(&mut lines), context, blocks);
            blocks.push(Block::Contents(rows[at..at + n_entries].iter().map(Row::line).collect()));
            at += n_entries;
            continue;
        }
        let captioned = at.checked_sub(1).is_some_and(|before| tables::is_captioned(&rows[before], &rows[at]));
        let before = context.table_before.filter(|_| at == 0 && blocks.is_empty());
        let (table, n_rows) = tables::aligned(&rows[at..], context.rules, captioned, before);
        match table {
            Some(table) => {
                paragraphs(&std::mem::take(&mut lines), context, blocks);
                blocks.extend(table.parted().into_iter().map(Block::Table));
            }
            None => lines.extend(rows[at..at + n_rows].iter().map(Row::line)),
        }
        at += n_rows.max(1);
    }
    paragraphs(&lines, context, blocks);
}

/// Groups lines into blocks.
fn paragraphs(lines: &[Line], context: Context<'_>, blocks: &mut Vec<Block>) {
    let leading = leading(lines);
    let frames: Vec<Option<Frame>> = lines.iter().map(|line| context.frames.around(line.bbox, line.size)).collect();
    // Text from the right is grouped by its mirror image.
    let n_rtl = lines.iter().filter(|line| bidi::runs_rtl(&line.text)).count();
    let mirrored: Vec<Line> = if n_rtl * 2 > lines.len() { lines.iter().map(mirrored).collect() } else { Vec::new() };
    let placed = if mirrored.is_empty() { lines } else { mirrored.as_slice() };
    let mut start = 0;
    for at in 1..=lines.len() {
        let parted = match (lines.get(at - 1), lines.get(at)) {
            (Some(last), Some(line)) if context.keep_code && last.style.fixed_pitch && line.style.fixed_pitch => {
                !same_listing(last, line)
            }
            (Some(_), Some(_)) if says_beside(lines, start, at) => false,
            (Some(_), Some(_)) => frames.get(at - 1) != frames.get(at) || begins(placed, start, at, leading, context),
            _ => true,
        };
        if parted && start < at {
            blocks.push(Block::Text(lines[start..at].to_vec()));
            start = at;
        }
    }
}

/// Whether a line goes on with what stands beside a signal word, the number of a caption or the mark of a note at the
/// beginning of the block.
fn says_beside(lines: &[Line], start: usize, at: usize) -> bool {
    let (first, last, line) = (&lines[start], &lines[at - 1], &lines[at]);
    let is_close = (0.0..2.0 * last.size).contains(&(line.v - last.v));
    let is_alike = line.n_segments == 1 && (line.size - first.size).abs() < 0.1;
    let is_caption = labels::caption(&first.text).is_some();
    let middle = |line: &Line| (line.bbox.x0 + line.bbox.x1) / 2.0;
    let is_centred = (middle(first) - middle(line)).abs() < 0.5 * line.size && line.style == first.style;
    if is_close && is_alike && is_caption && is_centred && is_full(last, line) {
        return true;
    }
    let hangs = is_close && first.second.is_some_and(|second| (line.bbox.x0 - second).abs() < 3.0);
    hangs
        && (labels::label(std::slice::from_ref(first), &first.text).is_some()
            || is_alike && (is_caption || is_marked(&first.text)))
}

/// Whether a centred line was ended because it was full: the next one is no longer.
fn is_full(line: &Line, next: &Line) -> bool {
    line.bbox.x1 - line.bbox.x0 >= next.bbox.x1 - next.bbox.x0
}

/// Whether a line begins with a mark in brackets, as notes under tables do: "(a)", "(1)", "(:)".
fn is_marked(text: &str) -> bool {
    /// Characters of the mark with its brackets.
    const MAX_MARK: usize = 6;
    let word = text.split_whitespace().next().unwrap_or_default();
    word.starts_with('(') && word.ends_with(')') && word.chars().count() <= MAX_MARK
}

fn mirrored(line: &Line) -> Line {
    Line { bbox: BBox { x0: -line.bbox.x1, x1: -line.bbox.x0, ..line.bbox }, ..line.clone() }
}

/// The usual step from line to line in ems.
fn leading(lines: &[Line]) -> f32 {
    let steps = lines.windows(2).filter(|pair| (pair[0].size - pair[1].size).abs() < 0.1);
    let mut steps: Vec<f32> = steps
        .map(|pair| (pair[1].v - pair[0].v) / pair[0].size.max(0.1))
        .filter(|step| (0.8..2.2).contains(step))
        .collect();
    steps.sort_by(f32::total_cmp);
    // A low quantile: the step within paragraphs, not the one between them.
    steps.get(steps.len() / 4).copied().unwrap_or(USUAL_LEADING)
}

fn same_listing(last: &Line, line: &Line) -> bool {
    (last.size - line.size).abs() < 0.1 * last.size && line.v - last.v < 3.2 * last.size
}

/// Whether the line at `at` begins a new block after the one that began at `start`.
fn begins(lines: &[Line], start: usize, at: usize, leading: f32, context: Context<'_>) -> bool {
    let (first, last, line) = (&lines[start], &lines[at - 1], &lines[at]);
    let size = last.size.max(0.1);
    let step = line.v - last.v;
    let differs = (line.size / size - 1.0).abs() > 0.08
        || is_sparse(last)
        || is_sparse(line)
        || line.style.bold != last.style.bold
        || context.keep_code && line.style.fixed_pitch != last.style.fixed_pitch;
    let begins_note = line.size < context.body_size && footnotes::begins(&line.text);
    if differs || step > PARAGRAPH_GAP * leading * size || step < 0.0 || marker(&line.text).is_some() || begins_note {
        return true;
    }
    // The lines of a title are centred or ragged as their words fall.
    if line.size > 1.1 * context.body_size {
        return line.text.starts_with(|c: char| c.is_ascii_digit());
    }
    let indent = (line.bbox.x0 - last.bbox.x0) / size;
    let hangs = if marker(&first.text).is_some() {
        // Lines of an item hang under its text; one further left than the marker ends it.
        line.bbox.x0 >= first.bbox.x0 - 0.5 * size && (at - start == 1 || indent >= -INDENT)
    } else {
        indent <= INDENT && (indent >= -INDENT || at - start == 1)
    };
    // An item's own line may be short of its neighbours' measure; a small letter under its text still goes on with it.
    let goes_on = marker(&first.text).is_some() && line.text.starts_with(char::is_lowercase);
    !hangs || !goes_on && breaks(lines, at, size)
}

/// Whether a line has holes in it, as a row of a table or form has: it stands for itself.
fn is_sparse(line: &Line) -> bool {
    let set = line.text.chars().count() as f32 * LETTER * line.size;
    line.n_segments > 1 && set < 0.75 * (line.bbox.x1 - line.bbox.x0)
}

/// Whether the line before `at` was ended before it was full: by a forced break, or as the last of a paragraph.
fn breaks(lines: &[Line], at: usize, size: f32) -> bool {
    let (last, line) = (&lines[at - 1], &lines[at]);
    let around = &lines[at.saturating_sub(NEIGHBOURS)..(at + NEIGHBOURS).min(lines.len())];
    let is_alike = |other: &&Line| (other.bbox.x0 - last.bbox.x0).abs() < 2.0 * size && other.n_segments == 1;
    let mut rights: Vec<f32> = around.iter().filter(is_alike).map(|other| other.bbox.x1).collect();
    rights.sort_by(|a, b| b.total_cmp(a));
    // One line alone may stick out: something else was taken for text.
    let right = rights.get(usize::from(rights.len() > 4)).copied().unwrap_or(last.bbox.x1);
    let next_word = line.text.split_whitespace().next().map_or(0, |word| word.chars().count());
    let spare = right - last.bbox.x1 - (next_word as f32 * LETTER + 0.5) * size;
    let ended = last.text.ends_with(['.', '!', '?', ':'])
        && line.text.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
    spare > FORCED_BREAK * size || ended && spare > size
}
