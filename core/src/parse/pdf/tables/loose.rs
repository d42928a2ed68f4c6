//! Tables without lines around their cells: columns told by the white between words, rows by [`super::stack`].

mod names;

use super::{
    Cell, Spans, Table, header,
    rivers::{self, Part},
    stack::{self, Room, StackCell, StackLine},
    text::{self, Token},
    units,
};
use crate::{
    document::BBox,
    parse::pdf::{glyphs::Rule, prose, rows::Row},
};

/// Lines above the first full one that may be names of columns.
const MAX_HEADER_LINES: usize = 7;
/// So many lines more are tried as names where the columns do not agree otherwise.
const MORE_NAMES: usize = 3;
/// Ascent and descent of ordinary type, in ems.
const ASCENT: f32 = 0.8;
const DESCENT: f32 = 0.22;

/// A line of a table: its words, and whether a rule parts it from the line above.
struct Line {
    v: f32,
    size: f32,
    ruled_above: bool,
    tokens: Vec<Token>,
    parts: Vec<Part>,
}

impl Line {
    fn words(&self, part: Part) -> &[Token] {
        self.tokens.get(part.from..part.to).unwrap_or_default()
    }

    fn extent(&self, part: Part) -> (f32, f32) {
        let words = self.words(part);
        let u0 = words.first().map_or(0.0, |word| word.u0);
        (u0, words.iter().map(|word| word.u1).fold(u0, f32::max))
    }

    /// Texts with wide gaps between.
    fn n_pieces(&self) -> usize {
        1 + self.tokens.windows(2).filter(|pair| pair[1].u0 - pair[0].u1 >= rivers::CLEAR_GAP * pair[0].size).count()
    }
}

/// The table that these rows are. `rules` are the horizontal lines of the page, `before` the columns of the table that the
/// page before ended with, where these are its first rows.
///
/// # Errors
/// How many rows from the top may be one, if these are none: up to the first that has other columns.
pub(super) fn build(rows: &[Row], rules: &[Rule], before: Option<&[(f32, f32)]>) -> Result<Table, usize> {
    let mut lines: Vec<Line> = rows.iter().filter_map(line).collect();
    let n_above = n_above_body(&lines);
    // Names may stand wider than what they name and hide where the columns part: then they are left out of it.
    let mut result = build_lines(&mut lines, n_above, n_above, rules);
    for n_names in n_above + 1..=(n_above + MORE_NAMES).min(lines.len().saturating_sub(3)) {
        if result.is_ok() {
            break;
        }
        let without = build_lines(&mut lines, n_names, n_names, rules);
        if without.is_ok() {
            result = without;
        }
    }
    // Or what they name stands so close that only they tell the columns.
    if result.is_err() && n_above == 1 {
        let with = build_lines(&mut lines, n_above, 0, rules);
        if with.is_ok() {
            result = with;
        }
    }
    let is_rest =
        |table: &Table, columns: &[(f32, f32)]| table.n_header_rows == 0 && table.columns.len() < columns.len();
    match (&result, before) {
        (Ok(table), Some(columns)) if is_rest(table, columns) => rest(&mut lines, columns).map_or(result, Ok),
        _ => result,
    }
}

/// The rest of a table with these columns: too few rows are left of it to tell where they part.
fn rest(lines: &mut [Line], columns: &[(f32, f32)]) -> Option<Table> {
    let rivers = rivers::of_columns(columns);
    for line in lines.iter_mut() {
        line.parts = rivers::part(&line.tokens, &rivers);
    }
    let stands_in_columns = |line: &Line| line.parts.iter().all(|part| part.first == part.last);
    if !lines.iter().all(stands_in_columns) {
        return None;
    }
    let stacked: Vec<StackLine> = lines.iter().map(stacked).collect();
    let widths: Vec<f32> = columns.iter().map(|(from, to)| to - from).collect();
    let starts = stack::starts(&stacked, &Room { widths: &widths, by_rules: false });
    let ends = starts.iter().skip(1).copied().chain([lines.len()]);
    let mut rows: Vec<Vec<Cell>> =
        starts.iter().zip(ends).filter_map(|(from, to)| Some(row(lines.get(*from..to)?, columns))).collect();
    let filled = rows.iter().flatten().filter(|cell| !cell.text.is_empty()).map(|cell| cell.bbox);
    let bbox = filled.reduce(BBox::union)?;
    header::spread_totals(&mut rows, 0);
    units::give_units(&mut rows, 0);
    Some(Table { bbox, rows, n_header_rows: 0, columns: columns.to_vec() })
}

/// The table of these lines, of which `n_above` name columns; `n_silent` from the top do not tell where the columns part.
fn build_lines(lines: &mut [Line], n_above: usize, n_silent: usize, rules: &[Rule]) -> Result<Table, usize> {
    let body: Vec<&[Token]> = lines.iter().skip(n_silent).map(|line| line.tokens.as_slice()).collect();
    let rivers = rivers::rivers(&body);
    if rivers.is_empty() {
        return Err(0);
    }
    for line in lines.iter_mut() {
        line.parts = rivers::part(&line.tokens, &rivers);
    }
    names::part_close(lines, &rivers);
    names::part_names(lines, &rivers, n_above);
    names::settle_wide_names(lines, &rivers, n_above);
    check(lines, n_above, rivers.len() + 1)?;
    let extents = extents(lines, rivers.len() + 1, n_above);
    names::spread_names(lines, n_above, &extents, rules);
    names::spread_over_names(lines);
    let stacked: Vec<StackLine> = lines.iter().map(stacked).collect();
    let widths: Vec<f32> = extents.iter().map(|(from, to)| to - from).collect();
    let n_ruled = lines.iter().skip(1).filter(|line| line.ruled_above).count();
    // Where lines part rows, they part all: unless they stand between groups of rows, with figures under figures.
    let bands = stacked.chunk_by(|_, below| !below.ruled_above);
    let n_groups =
        bands.filter(|band| band.windows(2).any(|pair| stack::same_column_figures(&pair[0], &pair[1]))).count();
    let by_rules = n_ruled >= 3 && n_groups * 8 <= n_ruled;
    let starts = stack::starts(&stacked, &Room { widths: &widths, by_rules });
    let mut built = Vec::with_capacity(starts.len());
    for (index, &from) in starts.iter().enumerate() {
        let to = starts.get(index + 1).copied().unwrap_or(lines.len());
        built.push(row(&lines[from..to], &extents));
    }
    let bbox = built
        .iter()
        .flatten()
        .filter(|cell| !cell.text.is_empty())
        .map(|cell| cell.bbox)
        .reduce(BBox::union)
        .ok_or(0_usize)?;
    let first_rule = lines.iter().skip(1).position(|line| line.ruled_above).map(|before| before + 1);
    let rule_below_rows = first_rule.map(|line| starts.iter().filter(|start| **start < line).count());
    Table::finished(built, extents, bbox, rule_below_rows.filter(|n| *n <= 4), Spans::ByPlace).ok_or(0)
}

/// Whether the lines have the same columns: hardly any has gaps where there is no river, and most are parted.
fn check(lines: &[Line], n_above: usize, n_columns: usize) -> Result<(), usize> {
    const STRAYS: usize = 8;
    let several = || lines.iter().enumerate().skip(n_above).filter(|(_, line)| line.n_pieces() > 1);
    let is_other = |line: &Line| line.n_pieces() > line.parts.len();
    let n_gaps: usize = several().map(|(_, line)| line.n_pieces() - 1).sum();
    let n_lost: usize = several().map(|(_, line)| line.n_pieces().saturating_sub(line.parts.len())).sum();
    let spans =
        |line: &Line| line.parts.len() > 1 && line.parts.iter().any(|part| part.first > 0 && part.first < part.last);
    let n_spanning = several().filter(|(_, line)| spans(line)).count();
    let n_several = several().count();
    let first_other = several().find(|(_, line)| is_other(line) || spans(line)).map_or(0, |(index, _)| index);
    if n_lost * STRAYS > n_gaps || n_spanning * STRAYS > n_several.max(STRAYS) || n_columns < 2 {
        return Err(first_other);
    }
    Ok(())
}

fn line(row: &Row) -> Option<Line> {
    let mut tokens: Vec<Token> = row.segments.iter().flat_map(text::tokens).collect();
    tokens.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    let size = tokens.iter().map(|token| token.size).fold(0.0, f32::max);
    (!tokens.is_empty()).then(|| Line { v: row.v(), size, ruled_above: row.ruled_above, tokens, parts: Vec::new() })
}

/// Lines at the top that have fewer texts than the lines of the body, because names span columns or wrap.
fn n_above_body(lines: &[Line]) -> usize {
    let mut counts: Vec<usize> = lines.iter().map(Line::n_pieces).filter(|n| *n > 1).collect();
    counts.sort_unstable();
    let usual = counts.get(counts.len() / 2).copied().unwrap_or(1);
    let first_full = lines.iter().position(|line| line.n_pieces() >= usual).unwrap_or(0);
    let first_ruled = lines.iter().skip(1).position(|line| line.ruled_above).map_or(0, |before| before + 1);
    let n = first_full.max(if first_ruled <= MAX_HEADER_LINES { first_ruled } else { 0 });
    if n <= MAX_HEADER_LINES && n + 2 <= lines.len() { n } else { 0 }
}

/// From where to where text stands in each column, by the body where it has any.
fn extents(lines: &[Line], n_columns: usize, n_above: usize) -> Vec<(f32, f32)> {
    let mut extents = vec![(f32::MAX, f32::MIN); n_columns];
    for above in [false, true] {
        let of: Vec<(f32, f32)> = extents.clone();
        for (_, line) in lines.iter().enumerate().filter(|(index, _)| (*index < n_above) == above) {
            for part in line.parts.iter().filter(|part| part.first == part.last) {
                // Names only where the body says nothing.
                if above && of[part.first].0 <= of[part.first].1 {
                    continue;
                }
                let (u0, u1) = line.extent(*part);
                let extent = &mut extents[part.first];
                *extent = (extent.0.min(u0), extent.1.max(u1));
            }
        }
    }
    // A column that nothing stands in alone lies between its neighbours.
    for column in 0..n_columns {
        if extents[column].0 > extents[column].1 {
            let before = column.checked_sub(1).map_or(0.0, |before| extents[before].1);
            extents[column] = (before, before);
        }
    }
    extents
}

fn stacked(line: &Line) -> StackLine {
    let cell = |part: &Part| {
        let words = line.words(*part);
        let (u0, u1) = line.extent(*part);
        StackCell {
            first: part.first,
            last: part.last,
            u0,
            u1,
            text: text::joined(words),
            first_word: words.first().map_or(0.0, |word| word.u1 - word.u0),
        }
    };
    StackLine {
        v: line.v,
        size: line.size,
        ruled_above: line.ruled_above,
        cells: line.parts.iter().map(cell).collect(),
    }
}

/// The cells of the lines of one row, with empty ones where nothing stands.
fn row(lines: &[Line], extents: &[(f32, f32)]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for line in lines {
        for part in &line.parts {
            let words = line.words(*part);
            let (x0, x1) = line.extent(*part);
            let bbox = BBox { x0, y0: line.v - ASCENT * line.size, x1, y1: line.v + DESCENT * line.size };
            let text = text::joined(words);
            let bold = words.iter().all(|word| word.bold);
            match cells.iter_mut().find(|cell| cell.column <= part.last && part.first < cell.end()) {
                Some(cell) => {
                    prose::append(&mut cell.text, &text, &prose::Vocabulary::default());
                    cell.bbox = cell.bbox.union(bbox);
                    cell.bold &= bold;
                }
                None => {
                    let cell = Cell::empty(bbox, part.first, part.last + 1 - part.first);
                    cells.push(Cell { text, bold, ..cell });
                }
            }
        }
    }
    let (y0, y1) = cells.iter().fold((f32::MAX, f32::MIN), |(y0, y1), c| (y0.min(c.bbox.y0), y1.max(c.bbox.y1)));
    for (column, &(x0, x1)) in extents.iter().enumerate() {
        if !cells.iter().any(|cell| cell.column <= column && column < cell.end()) {
            cells.push(Cell::empty(BBox { x0, y0, x1, y1 }, column, 1));
        }
    }
    cells.sort_by_key(|cell| cell.column);
    cells
}
