//! Tables drawn with ruling lines: words put into the cells of a grid, and the grid completed where lines are missing.
//!
//! Not for finding the grid ([`super::grid`]).

use super::{
    Aside, Cell, Spans, Table,
    grid::{Grid, grids},
    items, rivers,
    stack::{self, Room, StackCell, StackLine},
    text::{self, TextLine, Token, is_blank_mark, is_figure},
};
use crate::{
    document::BBox,
    parse::pdf::{glyphs::Rule, lines::Segment},
};

/// Room between a border and its text, both sides together, in ems.
const PADDING: f32 = 0.6;
/// Fewer lines of plain words in a row of cells are one row's.
const MIN_LINES: usize = 4;

/// A cell of the grid with its words.
#[derive(Clone, Debug)]
struct Draft {
    row: usize,
    column: usize,
    rowspan: usize,
    colspan: usize,
    bbox: BBox,
    tokens: Vec<Token>,
}

/// Takes the segments that stand in ruled tables out of `segments`, and the text that runs upwards or downwards in them
/// out of `turned` (each with its place in the frame of `segments`), and returns the tables, from the top.
pub(in crate::parse::pdf) fn ruled(rules: &[Rule], segments: &mut Vec<Segment>, turned: &mut Vec<Aside>) -> Vec<Table> {
    filled(grids(rules), segments, turned, |_| true)
}

fn filled(
    grids: Vec<Grid>,
    segments: &mut Vec<Segment>,
    turned: &mut Vec<Aside>,
    accepts: impl Fn(&Table) -> bool,
) -> Vec<Table> {
    let mut tables = Vec::new();
    for grid in grids {
        let (inside, outside): (Vec<Segment>, Vec<Segment>) = std::mem::take(segments)
            .into_iter()
            .partition(|segment| holds(&grid.bbox, place(segment.bbox.x0, segment.bbox.x1, segment)));
        let (turned_inside, turned_outside): (Vec<_>, Vec<_>) =
            std::mem::take(turned).into_iter().partition(|aside| holds(&grid.bbox, middle(&aside.bbox)));
        (*segments, *turned) = (outside, turned_outside);
        match fill(grid, &inside, &turned_inside).filter(&accepts) {
            Some(table) => tables.push(table),
            None => {
                segments.extend(inside);
                turned.extend(turned_inside);
            }
        }
    }
    tables.sort_by(|a, b| a.bbox.y0.total_cmp(&b.bbox.y0).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    tables
}

/// The same for cells that are told apart by their shading, where no lines do. `taken` are the tables found by lines: a
/// writer that shades the lines of a text one by one would part their rows once more. Shades with room between them are
/// stripes, which tell rows alone ([`super::open`]).
pub(in crate::parse::pdf) fn shaded(
    shades: &[BBox],
    taken: &[Table],
    segments: &mut Vec<Segment>,
    turned: &mut Vec<Aside>,
) -> Vec<Table> {
    let free = |bbox: &BBox| !taken.iter().any(|table| holds(&table.bbox, middle(bbox)));
    let shades: Vec<BBox> = shades.iter().filter(|shade| free(shade)).copied().collect();
    let edges: Vec<Rule> = shades.iter().flat_map(shade_edges).collect();
    let area = |bbox: &BBox| (bbox.x1 - bbox.x0) * (bbox.y1 - bbox.y0);
    let is_filled = |bbox: &BBox| {
        let inside = shades.iter().filter(|shade| holds(bbox, middle(shade)));
        let (filled, n) = inside.fold((0.0, 0), |(filled, n), shade| (filled + area(shade), n + 1));
        n >= 4 && (0.8..1.3).contains(&(filled / area(bbox).max(1.0)))
    };
    // A shaded head over rows without shades is not the whole table.
    let goes_on = |bbox: &BBox| {
        let below = |ems: f32| {
            let is_below = move |segment: &&Segment| {
                let middle = (segment.bbox.x0 + segment.bbox.x1) / 2.0;
                let near = segment.v > bbox.y1 && segment.v < bbox.y1 + ems * segment.size;
                middle > bbox.x0 && middle < bbox.x1 && near
            };
            segments.iter().filter(is_below)
        };
        // Under it a group of rows may be named first.
        let beside = |a: &Segment, b: &Segment| (a.v - b.v).abs() < 0.3 * a.size && a.bbox.x0 != b.bbox.x0;
        let named = below(2.4).next().is_some() && below(4.6).any(|a| below(4.6).any(|b| beside(a, b)));
        below(2.4).count() > 1 || named
    };
    let grids = grids(&edges).into_iter().filter(|grid| is_filled(&grid.bbox) && !goes_on(&grid.bbox));
    let grids = grids.collect();
    // Nor are the shaded names over a list of items.
    filled(grids, segments, turned, |table| !items::are_heads(table))
}

/// The edges of a shaded rectangle.
fn shade_edges(shade: &BBox) -> [Rule; 4] {
    let across = |at: f32| Rule { horizontal: true, at, from: shade.x0, to: shade.x1 };
    let down = |at: f32| Rule { horizontal: false, at, from: shade.y0, to: shade.y1 };
    [across(shade.y0), across(shade.y1), down(shade.x0), down(shade.x1)]
}

fn fill(grid: Grid, segments: &[Segment], turned: &[Aside]) -> Option<Table> {
    let draft = |cell: &super::grid::GridCell| Draft {
        row: cell.row,
        column: cell.column,
        rowspan: cell.rowspan,
        colspan: cell.colspan,
        bbox: cell.bbox,
        tokens: Vec::new(),
    };
    let mut cells: Vec<Draft> = grid.cells.iter().map(draft).collect();
    for segment in segments {
        for token in text::tokens(segment) {
            if let Some(index) = grid.cell_at(place(token.u0, token.u1, segment)) {
                cells[index].tokens.push(token);
            }
        }
    }
    for Aside { bbox, segment, .. } in turned {
        if let Some(index) = grid.cell_at(middle(bbox)) {
            let tokens = &mut cells[index].tokens;
            tokens.push(turned_token(bbox, segment, tokens.len()));
        }
    }
    let n_filled = cells.iter().filter(|cell| !cell.tokens.is_empty()).count();
    // A chart's grid is mostly empty.
    if n_filled < 2 || n_filled * 4 < cells.len() {
        return None;
    }
    if cells.iter().any(is_frame) {
        return None;
    }
    let mut edges = grid.xs;
    part_columns(&mut cells, &mut edges);
    part_spans(&mut cells, &edges);
    let by_rules = part_rows(&mut cells);
    let n_rows = cells.iter().map(|cell| cell.row + cell.rowspan).max()?;
    let mut rows: Vec<Vec<Cell>> = vec![Vec::new(); n_rows];
    for cell in &cells {
        let span = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        rows[cell.row].push(Cell {
            text: text::cell_text(&cell.tokens),
            bbox: cell.bbox,
            column: cell.column,
            colspan: span(cell.colspan),
            rowspan: span(cell.rowspan),
            bold: !cell.tokens.is_empty() && cell.tokens.iter().all(|token| token.bold),
            unit: None,
        });
    }
    rows.iter_mut().for_each(|row| row.sort_by_key(|cell| cell.column));
    let columns = edges.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Table::finished(rows, columns, grid.bbox, by_rules, Spans::ByLines)
}

/// Whether a cell is a frame around a part of a page, with things beside one another in it, rather than a cell.
fn is_frame(cell: &Draft) -> bool {
    const MIN_LINES: usize = 10;
    const MIN_PARTED: usize = 6;
    const GAP: f32 = 1.5;
    if cell.tokens.len() < 2 * MIN_LINES {
        return false;
    }
    let lines = text::lines(cell.tokens.clone());
    let is_parted = |line: &&TextLine| line.tokens.windows(2).any(|pair| pair[1].u0 - pair[0].u1 > GAP * line.size);
    let n_parted = lines.iter().filter(is_parted).count();
    cell.row + cell.rowspan > 1 && lines.len() >= MIN_LINES && n_parted >= MIN_PARTED && n_parted * 3 >= lines.len()
}

/// Text that runs up or down as a word in its cell: lines beside one another become lines one under the other.
fn turned_token(bbox: &BBox, segment: &Segment, n_before: usize) -> Token {
    let size = segment.size.max(0.1);
    let v = bbox.y0 + size * (n_before as f32 + 1.0);
    Token { text: segment.text.as_str().into(), u0: bbox.x0, u1: bbox.x1, v, size, bold: segment.style.bold }
}

/// Parts columns in which figures stand beside other text in line after line with a river between.
fn part_columns(cells: &mut [Draft], edges: &mut Vec<f32>) {
    const MIN_FIGURES: usize = 3;
    let mut column = 0;
    while column + 1 < edges.len() {
        let of_column = cells.iter().filter(|cell| cell.column == column && cell.colspan == 1);
        let lines: Vec<TextLine> = of_column.flat_map(|cell| text::lines(cell.tokens.clone())).collect();
        let runs: Vec<&[Token]> = lines.iter().map(|line| line.tokens.as_slice()).collect();
        let places = rivers::rivers(&runs);
        let beside = |line: &&TextLine| {
            let parts = rivers::part(&line.tokens, &places);
            parts.len() > 1
                && parts.iter().skip(1).any(|part| is_figure(&text::joined(&line.tokens[part.from..part.to])))
        };
        let n_figures = lines.iter().filter(beside).count();
        // Justified words stand apart too, but are no figures.
        if places.is_empty() || n_figures < MIN_FIGURES || n_figures * 2 < lines.len() {
            column += 1;
            continue;
        }
        for place in places {
            edges.insert(column + 1, rivers::middle(place));
            for cell in cells.iter_mut() {
                if cell.column > column {
                    cell.column += 1;
                } else if cell.column + cell.colspan > column {
                    cell.colspan += 1;
                }
            }
            column += 1;
        }
        column += 1;
    }
}

/// Parts cells that span columns because no line parts them, though their text stands in the columns: rows under a ruled
/// header that have no lines of their own.
fn part_spans(cells: &mut Vec<Draft>, edges: &[f32]) {
    let mut parted = Vec::with_capacity(cells.len());
    for cell in std::mem::take(cells) {
        let inner = edges.get(cell.column + 1..cell.column + cell.colspan).unwrap_or_default();
        let inner: Vec<rivers::River> = inner.iter().map(|edge| (*edge, *edge)).collect();
        let lines = text::lines(cell.tokens.clone());
        let stands_in_columns =
            |line: &TextLine| rivers::part(&line.tokens, &inner).iter().all(|part| part.first == part.last);
        let n_several = lines.iter().filter(|line| rivers::part(&line.tokens, &inner).len() > 1).count();
        if cell.colspan < 2 || n_several == 0 || !lines.iter().all(stands_in_columns) {
            parted.push(cell);
            continue;
        }
        let mut parts: Vec<Draft> = (0..cell.colspan)
            .map(|index| {
                let (x0, x1) = (edges[cell.column + index], edges[cell.column + index + 1]);
                let bbox = BBox { x0, x1, ..cell.bbox };
                Draft { column: cell.column + index, colspan: 1, bbox, tokens: Vec::new(), ..cell }
            })
            .collect();
        for line in &lines {
            for part in rivers::part(&line.tokens, &inner) {
                parts[part.first].tokens.extend_from_slice(&line.tokens[part.from..part.to]);
            }
        }
        parted.extend(parts);
    }
    *cells = parted;
}

/// Parts the rows of the grid that hold several rows without lines between them. How many rows at the top were parted
/// from the rest by the only line there is, if there is one.
fn part_rows(cells: &mut Vec<Draft>) -> Option<usize> {
    let n_bands = cells.iter().map(|cell| cell.row + cell.rowspan).max().unwrap_or(0);
    let mut first_of_band = Vec::with_capacity(n_bands + 1);
    let mut parted: Vec<Draft> = Vec::new();
    let mut n_rows = 0;
    for band in 0..n_bands {
        first_of_band.push(n_rows);
        let of_band: Vec<&Draft> = cells.iter().filter(|cell| cell.row == band && cell.rowspan == 1).collect();
        let spans_in = cells.iter().any(|cell| cell.rowspan > 1 && cell.row <= band && band < cell.row + cell.rowspan);
        match part_band(&of_band) {
            Some(rows) if !spans_in || rows.len() > 1 => {
                for (index, row) in rows.iter().enumerate() {
                    parted.extend(row.iter().cloned().map(|cell| Draft { row: n_rows + index, ..cell }));
                }
                n_rows += rows.len();
            }
            _ => {
                parted.extend(of_band.into_iter().cloned().map(|cell| Draft { row: n_rows, ..cell }));
                n_rows += 1;
            }
        }
    }
    first_of_band.push(n_rows);
    for cell in cells.iter().filter(|cell| cell.rowspan > 1) {
        let (from, to) = (first_of_band[cell.row], first_of_band[cell.row + cell.rowspan]);
        parted.push(Draft { row: from, rowspan: to - from, ..cell.clone() });
    }
    *cells = parted;
    (n_bands == 2 || n_bands == 3 && n_rows > 4).then(|| first_of_band.get(1).copied()).flatten().filter(|n| *n <= 3)
}

/// The rows of one row of the grid, if it holds several.
fn part_band(cells: &[&Draft]) -> Option<Vec<Vec<Draft>>> {
    let lines: Vec<Vec<TextLine>> = cells.iter().map(|cell| text::lines(cell.tokens.clone())).collect();
    let all = stack_lines(cells, &lines);
    let filled: Vec<&Vec<TextLine>> = lines.iter().filter(|lines| !lines.is_empty()).collect();
    let figures = |lines: &&&Vec<TextLine>| {
        let is_value =
            |line: &TextLine| is_figure(&text::joined(&line.tokens)) || is_blank_mark(&text::joined(&line.tokens));
        lines.len() >= 2 && lines.iter().all(is_value)
    };
    let n_values = filled.iter().filter(figures).map(|lines| lines.len()).max();
    let widths: Vec<f32> = room(cells);
    let several = match n_values {
        // As many labels, or other values, as there are values.
        Some(n) => filled.iter().filter(|lines| lines.len() >= n).count() >= 2,
        None => false,
    };
    let listed = || {
        let n = filled.first().map_or(0, |lines| lines.len());
        let agree = |lines: &&Vec<TextLine>| {
            lines.len() == n
                && filled
                    .first()
                    .is_some_and(|first| first.iter().zip(lines.iter()).all(|(a, b)| (a.v - b.v).abs() < 0.3 * a.size))
        };
        n >= MIN_LINES && filled.len() >= 2 && filled.len() == cells.len() && filled.iter().all(agree)
    };
    if all.len() < 2 || !(several || listed()) {
        return None;
    }
    let starts = stack::starts(&all, &Room { widths: &widths, by_rules: false });
    if starts.len() < 2 {
        return None;
    }
    Some(parted_band(cells, &lines, &all, &starts))
}

fn room(cells: &[&Draft]) -> Vec<f32> {
    let n_columns = cells.iter().map(|cell| cell.column + cell.colspan).max().unwrap_or(0);
    let mut widths = vec![0.0; n_columns];
    for cell in cells {
        let size = cell.tokens.first().map_or(0.0, |token| token.size);
        let width = (cell.bbox.x1 - cell.bbox.x0 - PADDING * size).max(0.0) / cell.colspan as f32;
        widths[cell.column..cell.column + cell.colspan].fill(width);
    }
    widths
}

/// The lines of all cells, those on one baseline together.
fn stack_lines(cells: &[&Draft], lines: &[Vec<TextLine>]) -> Vec<StackLine> {
    let mut all: Vec<StackLine> = Vec::new();
    for (cell, lines) in cells.iter().zip(lines) {
        for line in lines {
            let (Some(first), Some(last)) = (line.tokens.first(), line.tokens.last()) else { continue };
            let part = StackCell {
                first: cell.column,
                last: cell.column + cell.colspan - 1,
                u0: first.u0,
                u1: last.u1,
                text: text::joined(&line.tokens),
                first_word: first.u1 - first.u0,
            };
            all.push(StackLine { v: line.v, size: line.size, ruled_above: false, cells: vec![part] });
        }
    }
    all.sort_by(|a, b| a.v.total_cmp(&b.v));
    let mut merged: Vec<StackLine> = Vec::new();
    for line in all {
        match merged.last_mut() {
            Some(last) if line.v - last.v <= 0.4 * last.size.min(line.size) => last.cells.extend(line.cells),
            _ => merged.push(line),
        }
    }
    merged.iter_mut().for_each(|line| line.cells.sort_by_key(|cell| cell.first));
    merged
}

fn parted_band(cells: &[&Draft], lines: &[Vec<TextLine>], all: &[StackLine], starts: &[usize]) -> Vec<Vec<Draft>> {
    let n_rows = starts.len();
    // The height at which a row begins: half-way between its first line and the last of the row before.
    let top = |row: usize| -> Option<f32> {
        let at = *starts.get(row)?;
        let (above, first) = (all.get(at.checked_sub(1)?)?, all.get(at)?);
        Some((above.v + first.v - 0.6 * first.size) / 2.0)
    };
    let mut rows: Vec<Vec<Draft>> = vec![Vec::new(); n_rows];
    for (cell, lines) in cells.iter().zip(lines) {
        let row_of = |v: f32| (1..n_rows).take_while(|row| top(*row).is_some_and(|top| v > top)).count();
        // One line between those of the others stands beside all of them.
        let beside_all = lines.len() == 1
            && !all.iter().any(|line| (line.v - lines[0].v).abs() < 0.2 * line.size && line.cells.len() > 1);
        if beside_all {
            rows[0].push(Draft { rowspan: n_rows, ..(*cell).clone() });
            continue;
        }
        for (row, parts) in rows.iter_mut().enumerate() {
            let (y0, y1) = (top(row).unwrap_or(cell.bbox.y0), top(row + 1).unwrap_or(cell.bbox.y1));
            let tokens =
                lines.iter().filter(|line| row_of(line.v) == row).flat_map(|line| line.tokens.clone()).collect();
            parts.push(Draft { bbox: BBox { y0, y1, ..cell.bbox }, tokens, ..(*cell).clone() });
        }
    }
    rows
}

/// A point of a text that tells its cell: near its beginning, because long texts overflow to the right.
fn place(u0: f32, u1: f32, segment: &Segment) -> (f32, f32) {
    (u0 + (0.4 * segment.size).min((u1 - u0) / 2.0), (segment.bbox.y0 + segment.bbox.y1) / 2.0)
}

fn middle(bbox: &BBox) -> (f32, f32) {
    ((bbox.x0 + bbox.x1) / 2.0, (bbox.y0 + bbox.y1) / 2.0)
}

fn holds(bbox: &BBox, (x, y): (f32, f32)) -> bool {
    x >= bbox.x0 && x < bbox.x1 && y >= bbox.y0 && y < bbox.y1
}
