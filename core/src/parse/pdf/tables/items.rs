//! Lists of items, as invoices, orders and delivery notes have them: a row of names over lines with figures, and below
//! each of these what else is said of the item.
//!
//! Such a list may have one item only, rows of any height and next to no lines, so that neither rules nor white space tell
//! it from an address. What tells it are the names of its columns: of what, how many, at which price, for which amount.
//! They tell the columns, too, and the figures under them the rows. Not for other tables ([`super::open`], [`super::aligned`]).

mod names;

use super::{
    Cell, Spans, Table, header,
    text::{self, Token, is_figure},
    units,
};
use crate::{
    document::BBox,
    parse::pdf::{
        glyphs::Rule,
        lines::Segment,
        prose,
        rows::{self, Row},
    },
};
pub(in crate::parse::pdf) use names::Heads;
use names::Name;
pub(super) use names::are_heads;

/// A gap this wide, in ems, parts the texts of a line.
const PIECE_GAP: f32 = 0.75;
/// From line to line of a list it is no further than this, in ems.
const LARGEST_STEP: f32 = 7.0;
/// A heading that ends the list stands further from it than this, in ems.
const TITLE_STEP: f32 = 2.8;
/// A figure this far below the others of an item, in ems, is set lower in the same row.
const LOWER: f32 = 1.2;
/// Type this much smaller is a foot's.
const SMALLER: f32 = 0.8;
/// From the last item to a sum, in ems.
const SUM_STEP: f32 = 4.6;
/// Lines of one text follow within so many ems.
const LEADING: f32 = 1.6;
/// Type this much larger is a heading's.
const LARGER: f32 = 1.25;
/// A line of one text that is longer is a sentence, in characters.
const SENTENCE: usize = 60;
/// Lists on one page; more are something else.
const MAX_LISTS: usize = 40;
/// Ascent and descent of ordinary type, in ems.
const ASCENT: f32 = 0.8;
const DESCENT: f32 = 0.22;

/// Words of a line without wide gaps between.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) words: Vec<Token>,
    pub(super) u0: f32,
    pub(super) u1: f32,
    bold: bool,
    is_figure: bool,
}

/// A line of the page.
pub(super) struct Line {
    pub(super) v: f32,
    pub(super) size: f32,
    pub(super) pieces: Vec<Piece>,
    ruled_above: bool,
}

impl Line {
    fn of(row: &Row) -> Option<Self> {
        let mut words: Vec<Token> = row.segments.iter().flat_map(text::tokens).collect();
        words.sort_by(|a, b| a.u0.total_cmp(&b.u0));
        let size = words.iter().map(|word| word.size).fold(0.0, f32::max);
        let mut pieces: Vec<Piece> = Vec::new();
        for word in words {
            match pieces.last_mut() {
                Some(piece) if word.u0 - piece.u1 < PIECE_GAP * size => piece.add(word),
                _ => pieces.push(Piece::of(vec![word])?),
            }
        }
        (!pieces.is_empty()).then_some(Self { v: row.v(), size, pieces, ruled_above: row.ruled_above })
    }

    /// Nothing in it is a figure.
    pub(super) fn has_no_figure(&self) -> bool {
        !self.pieces.iter().any(|piece| piece.is_figure)
    }

    pub(super) fn is_bold(&self) -> bool {
        self.pieces.iter().all(|piece| piece.bold)
    }

    /// A single text as long as a sentence that begins left of what is said of items.
    fn is_sentence(&self, heads: &Heads) -> bool {
        let begins = |piece: &Piece| piece.u0 < heads.left() + heads.size;
        matches!(self.pieces.as_slice(), [piece] if piece.text.chars().count() > SENTENCE && begins(piece))
    }

    /// A heading: one bold text without a figure at its end.
    fn is_title(&self) -> bool {
        matches!(self.pieces.as_slice(), [piece] if piece.bold && !piece.text.ends_with(|c: char| c.is_ascii_digit()))
    }
}

impl Piece {
    /// Of words from left to right.
    pub(super) fn of(words: Vec<Token>) -> Option<Self> {
        let (first, last) = (words.first()?, words.last()?);
        let text = text::joined(&words);
        let is_figure = is_figure(&text) || is_figure(&last.text) && words.len() == 2 && is_currency(&first.text);
        let (u0, u1, bold) = (first.u0, last.u1, words.iter().all(|word| word.bold));
        Some(Self { text, u0, u1, bold, is_figure, words })
    }

    fn add(&mut self, word: Token) {
        let mut words = std::mem::take(&mut self.words);
        words.push(word);
        if let Some(piece) = Self::of(words) {
            *self = piece;
        }
    }
}

/// "EUR", "Rs", "€": before a figure.
fn is_currency(word: &str) -> bool {
    word.chars().count() <= 4 && !word.contains(|c: char| c.is_ascii_digit())
}

/// Takes the segments of such lists out of `segments` and returns them as tables, from the top. `taken` are the places of
/// tables that were found before.
///
/// `open` are the names of a list that ended with the last page; its rest is a table without them. It is left as the names
/// of the one that ends with this page.
pub(in crate::parse::pdf) fn items(
    rules: &[Rule],
    taken: &[BBox],
    open: &mut Option<Heads>,
    segments: &mut Vec<Segment>,
) -> Vec<Table> {
    let mut tables = Vec::new();
    let before = open.take();
    // The rows of a page are only made where a name of a column stands.
    if before.is_none() && !names::may_head(segments) {
        return tables;
    }
    let lines: Vec<Line> = rows::rows(segments.clone(), rules).iter().filter_map(Line::of).collect();
    let mut at = 0;
    let mut before = before.filter(|_| !lines.is_empty() && names::heads(&lines, 0).is_none());
    while at < lines.len() && tables.len() < MAX_LISTS {
        let heads = before.take().map(|heads| (heads, 0));
        let heads = heads.or_else(|| names::heads(&lines, at).map(|heads| (heads.clone(), heads.last + 1)));
        let Some((mut heads, first)) = heads else {
            at += 1;
            continue;
        };
        let top = if first == 0 { f32::MIN } else { heads.bottom };
        let until = taken.iter().map(|table| table.y0).filter(|y0| *y0 > top).fold(f32::MAX, f32::min);
        let Some((table, end)) = list(&mut heads, &lines, first, until) else {
            at += usize::from(first > 0);
            continue;
        };
        if end == lines.len() && !taken.iter().any(|table| table.y0 > lines[end - 1].v) {
            *open = Some(heads);
        }
        let inside = |segment: &Segment| {
            let middle = segment.v - 0.3 * segment.size;
            middle > table.bbox.y0 && middle < table.bbox.y1
        };
        segments.retain(|segment| !inside(segment));
        tables.push(table);
        at = end.max(at + 1);
    }
    tables
}

/// The list of the lines from the `first`, under these names, and the line after it. It ends above `until`. From the first
/// line of a page it is the rest of one.
fn list(heads: &mut Heads, lines: &[Line], first: usize, until: f32) -> Option<(Table, usize)> {
    let end = end(heads, lines, first, until)?;
    let starts = starts(heads, lines, first, end);
    let mut rows = if first > 0 { vec![heads.row()] } else { Vec::new() };
    for (index, from) in starts.iter().enumerate() {
        let to = starts.get(index + 1).copied().unwrap_or(end);
        rows.push(row(heads, &lines[*from..to]));
    }
    let bbox = rows.iter().flatten().filter(|cell| !cell.text.is_empty()).map(|cell| cell.bbox);
    let bbox = bbox.reduce(BBox::union)?;
    let columns = heads.columns();
    if first == 0 {
        // One row may be the rest, and nothing in it names columns.
        header::spread_totals(&mut rows, 0);
        units::give_units(&mut rows, 0);
        return Some((Table { bbox, rows, n_header_rows: 0, columns }, end));
    }
    Table::finished(rows, columns, bbox, Some(1), Spans::ByPlace).map(|table| (table, end))
}

/// The line after the last of the list; `None` if no item is in it.
fn end(heads: &mut Heads, lines: &[Line], first: usize, until: f32) -> Option<usize> {
    let mut end = None;
    let mut largest_inside = LEADING;
    let mut inside_left = heads.left() + heads.size;
    for at in first..lines.len() {
        let (line, before) = (&lines[at], &lines[at.saturating_sub(1)]);
        let step = (line.v - before.v) / heads.size;
        if line.v > until || step > LARGEST_STEP || line.size > LARGER * heads.size || line.size < SMALLER * heads.size
        {
            break;
        }
        if at > first && names::heads(lines, at).is_some() {
            break;
        }
        let is_sum = header::is_total(&sum_cells(line));
        // A title over what comes next ends with a colon, or stands far from the last item.
        let announces = line.is_title() && line.pieces.iter().all(|piece| piece.text.ends_with(':'));
        let parted = step > LEADING && (line.is_sentence(heads) || announces) || step > TITLE_STEP && line.is_title();
        if end.is_some() && (parted || is_sum && step > SUM_STEP) {
            break;
        }
        if heads.is_item(line) || end == Some(at) && step < LOWER && !heads.figures(line).is_empty() {
            if end.is_none() || line.pieces.len() > heads.names.len() {
                heads.learn(line);
            }
            // What stood between two items shows how far apart the lines of one may be.
            if end.is_some() && !is_sum {
                largest_inside = f32::max(largest_inside, lines_apart(lines, end?, at, heads.size));
                inside_left =
                    lines[end?..at].iter().flat_map(|line| &line.pieces).map(|p| p.u0).fold(inside_left, f32::min);
            }
            end = Some(at + 1);
        }
    }
    let mut end = end?;
    while let Some(line) = lines.get(end) {
        let before = &lines[end - 1];
        let step = (line.v - before.v) / heads.size;
        let set_in = line.pieces.iter().all(|piece| piece.u0 > inside_left - 0.5 * heads.size);
        let goes_on = step <= if set_in { largest_inside } else { LEADING }
            && line.v < until
            && !line.ruled_above
            && !line.is_sentence(heads)
            && (SMALLER * heads.size..=LARGER * heads.size).contains(&line.size)
            && !header::is_total(&sum_cells(before))
            && heads.describes(line)
            && names::heads(lines, end).is_none();
        if !goes_on {
            break;
        }
        end += 1;
    }
    Some(end)
}

/// The largest step between the lines of an item that ended before `to`, without the one to the next item.
fn lines_apart(lines: &[Line], from: usize, to: usize, size: f32) -> f32 {
    let between = lines.get(from.saturating_sub(1)..to).unwrap_or_default();
    between.windows(2).map(|pair| (pair[1].v - pair[0].v) / size).fold(0.0, f32::max)
}

/// A line's texts as cells, as far as sums are told by them.
fn sum_cells(line: &Line) -> Vec<Cell> {
    let bbox = BBox { x0: 0.0, y0: 0.0, x1: 0.0, y1: 0.0 };
    let cell = |(column, piece): (usize, &Piece)| Cell { text: piece.text.clone(), ..Cell::empty(bbox, column, 1) };
    line.pieces.iter().enumerate().map(cell).collect()
}

/// The lines at which rows begin: where a column of figures has one already, and where a sum is named.
fn starts(heads: &Heads, lines: &[Line], first: usize, end: usize) -> Vec<usize> {
    let mut starts = vec![first];
    let mut filled = vec![false; heads.names.len()];
    for at in first..end {
        let line = &lines[at];
        let figures: Vec<usize> = heads.figures(line);
        let begins = figures.iter().any(|column| filled[*column])
            || !figures.is_empty() && header::is_total(&sum_cells(line))
            || line.ruled_above && heads.is_item(line);
        let from = starts.last().copied().unwrap_or(first);
        if begins && at > from {
            let start = top(lines, from, at, heads);
            starts.push(start);
            filled.fill(false);
        }
        figures.iter().for_each(|column| filled[*column] = true);
    }
    starts
}

/// Where the row begins whose figures stand on the line `at`: its text may begin higher.
fn top(lines: &[Line], from: usize, at: usize, heads: &Heads) -> usize {
    let mut top = at;
    while top > from + 1 {
        let (over, above, line) = (&lines[top - 2], &lines[top - 1], &lines[top]);
        let (step, step_above) = (line.v - above.v, above.v - over.v);
        let is_nearer = step <= LEADING * heads.size && step < 0.85 * step_above;
        if line.ruled_above || !heads.figures(above).is_empty() || !is_nearer {
            break;
        }
        top -= 1;
    }
    top
}

/// The cells of one row.
fn row(heads: &Heads, lines: &[Line]) -> Vec<Cell> {
    let mut cells: Vec<Option<Cell>> = vec![None; heads.names.len()];
    for line in lines {
        for (piece, column) in heads.placed(line) {
            let bbox =
                BBox { x0: piece.u0, y0: line.v - ASCENT * line.size, x1: piece.u1, y1: line.v + DESCENT * line.size };
            match &mut cells[column] {
                Some(cell) => {
                    prose::append(&mut cell.text, &piece.text, &prose::Vocabulary::default());
                    cell.bbox = cell.bbox.union(bbox);
                    cell.bold &= piece.bold;
                }
                empty => {
                    let cell = Cell::empty(bbox, column, 1);
                    *empty = Some(Cell { text: piece.text.clone(), bold: piece.bold, ..cell });
                }
            }
        }
    }
    let filled = cells.iter().flatten();
    let (y0, y1) = filled.fold((f32::MAX, f32::MIN), |(y0, y1), c| (y0.min(c.bbox.y0), y1.max(c.bbox.y1)));
    let empty = |name: &Name, column| Cell::empty(BBox { x0: name.u0, y0, x1: name.u1, y1 }, column, 1);
    let of_names = cells.into_iter().zip(&heads.names).enumerate();
    of_names.map(|(column, (cell, name))| cell.unwrap_or_else(|| empty(name, column))).collect()
}
