//! Tables without lines around their cells: columns told by the white between words, rows by [`super::stack`].

use super::{
    Cell, Spans, Table,
    rivers::{self, Part, River},
    stack::{self, Room, StackCell, StackLine},
    text::{self, Token},
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

/// The table that these rows are. `rules` are the horizontal lines of the page.
///
/// # Errors
/// How many rows from the top may be one, if these are none: up to the first that has other columns.
pub(super) fn build(rows: &[Row], rules: &[Rule]) -> Result<Table, usize> {
    let mut lines: Vec<Line> = rows.iter().filter_map(line).collect();
    let n_above = n_above_body(&lines);
    // Names may stand wider than what they name and hide where the columns part: then they are left out of it.
    let mut result = build_lines(&mut lines, n_above, rules);
    for n_names in n_above + 1..=(n_above + MORE_NAMES).min(lines.len().saturating_sub(3)) {
        if result.is_ok() {
            break;
        }
        let without = build_lines(&mut lines, n_names, rules);
        if without.is_ok() {
            result = without;
        }
    }
    result
}

fn build_lines(lines: &mut [Line], n_above: usize, rules: &[Rule]) -> Result<Table, usize> {
    let body: Vec<&[Token]> = lines.iter().skip(n_above).map(|line| line.tokens.as_slice()).collect();
    let rivers = rivers::rivers(&body);
    if rivers.is_empty() {
        return Err(0);
    }
    for line in lines.iter_mut() {
        line.parts = rivers::part(&line.tokens, &rivers);
    }
    part_close(lines, &rivers);
    part_names(lines, &rivers, n_above);
    check(lines, n_above, rivers.len() + 1)?;
    let extents = extents(lines, rivers.len() + 1, n_above);
    spread_names(lines, n_above, &extents, rules);
    spread_over_names(lines);
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

/// Parts words of several columns that stand closer together than columns do, where each part is set as its column is: at
/// its left edge, its right edge or its middle.
fn part_close(lines: &mut [Line], rivers: &[River]) {
    let n_columns = rivers.len() + 1;
    let mut edges: Vec<[Vec<f32>; 3]> = vec![[Vec::new(), Vec::new(), Vec::new()]; n_columns];
    for line in lines.iter().filter(|line| line.parts.len() > 1) {
        for part in line.parts.iter().filter(|part| part.first == part.last) {
            let (u0, u1) = line.extent(*part);
            let of = &mut edges[part.first];
            of[0].push(u0);
            of[1].push(u1);
            of[2].push((u0 + u1) / 2.0);
        }
    }
    edges.iter_mut().flatten().for_each(|of| of.sort_by(f32::total_cmp));
    // An edge counts where a third of the column's texts have it.
    let is_usual = |of: &[f32], at: f32| {
        let near = of.partition_point(|edge| *edge <= at + 1.0) - of.partition_point(|edge| *edge < at - 1.0);
        near >= 2 && near * 3 >= of.len()
    };
    for line in lines.iter_mut().filter(|line| line.parts.len() > 1) {
        let mut at = 0;
        while at < line.parts.len() {
            let part = line.parts[at];
            let parted = (part.from + 1..part.to).find_map(|index| {
                let (before, after) = (&line.tokens[index - 1], &line.tokens[index]);
                let separator =
                    rivers.iter().position(|river| river.1 >= before.u1 - 0.5 && river.0 <= after.u0 + 0.5)?;
                let wide = after.u0 - before.u1 >= rivers::WEAK_GAP * before.size;
                let (left, right) =
                    (Part { to: index, last: separator, ..part }, Part { from: index, first: separator + 1, ..part });
                if !wide || left.last < left.first || right.last < right.first {
                    return None;
                }
                let fits = |of: Part, column: usize| {
                    let (u0, u1) = line.extent(of);
                    is_usual(&edges[column][0], u0)
                        || is_usual(&edges[column][1], u1)
                        || is_usual(&edges[column][2], (u0 + u1) / 2.0)
                };
                (fits(left, left.last) && fits(right, right.first)).then_some((left, right))
            });
            if let Some((left, right)) = parted.filter(|_| part.first < part.last) {
                line.parts.splice(at..=at, [left, right]);
            }
            at += 1;
        }
    }
}

/// Parts names that stand close together, where a blank is at every place that parts their columns and the line below does
/// not name the columns one by one.
fn part_names(lines: &mut [Line], rivers: &[River], n_above: usize) {
    for at in 0..lines.len() {
        let below: Vec<Part> = lines.get(at + 1).map(|line| line.parts.clone()).unwrap_or_default();
        let line = &mut lines[at];
        // A line of one text is parted only where it names every column.
        let names_all = at <= n_above && line.parts.iter().all(|part| part.first == 0 && part.last == rivers.len());
        if line.parts.len() < 2 && !names_all {
            continue;
        }
        let mut parts = Vec::with_capacity(line.parts.len());
        for part in std::mem::take(&mut line.parts) {
            let named_below =
                below.iter().filter(|other| other.first >= part.first && other.last <= part.last).count() > 1;
            match parted(&line.tokens, part, rivers).filter(|_| part.first < part.last && !named_below) {
                Some(parted) => parts.extend(parted),
                None => parts.push(part),
            }
        }
        line.parts = parts;
    }
}

/// Words over several columns parted at each of the rivers between them, if they leave a blank there and something stands
/// in each column.
fn parted(tokens: &[Token], part: Part, rivers: &[River]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut from = part.from;
    for column in part.first..part.last {
        let river = *rivers.get(column)?;
        let gap = |index: &usize| tokens[*index].u0 - tokens[*index - 1].u1;
        let fits = |index: &usize| {
            let (before, after) = (&tokens[*index - 1], &tokens[*index]);
            before.u1 <= river.1 + 0.5 && after.u0 >= river.0 - 0.5 && gap(index) >= rivers::WEAK_GAP * after.size
        };
        // The widest of the blanks in the river, the first of equals.
        let to = (from + 1..part.to)
            .filter(fits)
            .reduce(|best, index| if gap(&index) > gap(&best) { index } else { best })?;
        parts.push(Part { first: column, last: column, from, to });
        from = to;
    }
    parts.push(Part { first: part.last, last: part.last, from, to: part.to });
    Some(parts)
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

/// Lets the names of groups of columns span them: over a rule that does, or where a name stands in the middle of several
/// columns that have names of their own below.
fn spread_names(lines: &mut [Line], n_above: usize, extents: &[(f32, f32)], rules: &[Rule]) {
    for at in 0..n_above.min(lines.len().saturating_sub(1)) {
        let (v, next_v) = (lines[at].v, lines[at + 1].v);
        let parts = lines[at].parts.clone();
        for (index, part) in parts.iter().enumerate() {
            let (u0, u1) = lines[at].extent(*part);
            let free_from = index.checked_sub(1).map_or(1, |before| parts[before].last + 1).min(part.first);
            let free_to =
                parts.get(index + 1).map_or(extents.len() - 1, |after| after.first.saturating_sub(1)).max(part.last);
            let under = rules.iter().find(|rule| {
                rule.horizontal && rule.at > v - 1.0 && rule.at < next_v && rule.from <= u0 + 2.0 && rule.to >= u1 - 2.0
            });
            let middle = |from: usize, to: usize| (extents[from].0 + extents[to].1) / 2.0;
            let off = |from: usize, to: usize| ((u0 + u1) / 2.0 - middle(from, to)).abs();
            let ruled = under.and_then(|rule| {
                let is_over = |column: &usize| {
                    let (from, to) = extents[*column];
                    rule.from <= (from + to) / 2.0 && (from + to) / 2.0 <= rule.to
                };
                let mut over = (0..extents.len()).filter(is_over);
                let first = over.next()?;
                Some((first, over.next_back().unwrap_or(first)))
            });
            let spread = match ruled {
                Some((first, last)) if first >= free_from && last <= free_to => {
                    (first.min(part.first), last.max(part.last))
                }
                _ => {
                    // A name that goes on from the line above stands in that one's column.
                    let goes_on = at > 0
                        && lines[at - 1].parts.iter().any(|over| over.first <= part.last && part.first <= over.last);
                    let named_below = |from: usize, to: usize| {
                        let is_name = |line: &&Line| !line.tokens.iter().any(|token| text::is_figure(&token.text));
                        let below = lines.iter().take(n_above + 1).skip(at + 1).filter(is_name);
                        below
                            .filter(|line| {
                                line.parts.iter().filter(|p| p.first >= from && p.last <= to).count() > to - from
                            })
                            .count()
                            > 0
                    };
                    let mut best = (part.first, part.last);
                    for from in free_from..=part.first {
                        for to in part.last..=free_to {
                            let nearer = off(from, to) + 3.0 < off(best.0, best.1)
                                && off(from, to) < 0.12 * (extents[to].1 - extents[from].0) + 2.0;
                            if nearer && !goes_on && named_below(from, to) {
                                best = (from, to);
                            }
                        }
                    }
                    best
                }
            };
            lines[at].parts[index] = Part { first: spread.0, last: spread.1, ..*part };
        }
    }
}

/// Lets a name span the columns that a line below names one by one, where nothing else stands over them and the names of
/// the other columns stand above or beside: "Limits" over "min" and "max".
fn spread_over_names(lines: &mut [Line]) {
    const MAX_NAMES: usize = 4;
    let keyed = |line: &Line| line.parts.iter().any(|part| part.first == 0);
    for at in 1..MAX_NAMES.min(lines.len().saturating_sub(1)) {
        let (above, below) = lines.split_at_mut(at);
        let Some(next) = below.first() else { continue };
        let named = !next.tokens.iter().any(|token| text::is_figure(&token.text));
        let single = next.parts.iter().all(|part| part.first == part.last);
        if !named || !single || keyed(next) || !above.iter().any(keyed) {
            continue;
        }
        let names_below = |column: usize| next.parts.iter().any(|part| part.first == column);
        let taken: Vec<(usize, usize)> =
            above.iter().flat_map(|line| &line.parts).map(|part| (part.first, part.last)).collect();
        let is_free = |column: usize| !taken.iter().any(|(first, last)| (*first..=*last).contains(&column));
        for line in above.iter_mut() {
            // A name that wraps has its lines nearer than rows are.
            let apart = next.v - line.v >= 0.75 * line.size.min(next.size);
            // What spans already was told to by a line or by its place.
            let alone =
                |part: &&mut Part| apart && part.first > 0 && part.first == part.last && names_below(part.first);
            for part in line.parts.iter_mut().filter(alone) {
                while names_below(part.last + 1) && is_free(part.last + 1) {
                    part.last += 1;
                }
            }
        }
    }
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
