//! Tables drawn with ruling lines: a grid from the lines, cells from the grid, words into the cells.
//!
//! Not for tables without lines: see [`super::aligned`].

use super::{
    glyphs::Rule,
    lines::{Segment, Word},
    prose,
};
use crate::document::BBox;

/// Lines this near are one, in points: borders drawn twice, cells each with their own border.
const NEAR: f32 = 2.5;
/// More lines than this on a page are a drawing.
const MAX_LINES: usize = 4_000;
/// More cells than this on a page are a drawing.
const MAX_CELLS: usize = 50_000;
/// The part of a cell's side that a line must cover to be its border.
const BORDER: f32 = 0.6;

/// A table as it stands on a page.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Around all of it.
    pub(super) bbox: BBox,
    /// Its rows from the top; cells that are covered by a span of another are absent.
    pub(super) rows: Vec<Vec<Cell>>,
    /// How many rows at the top name the columns.
    pub(super) n_header_rows: usize,
    /// The left edges of its columns.
    pub(super) columns: Vec<f32>,
}

/// One cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its text, lines joined.
    pub(super) text: String,
    /// Where it stands.
    pub(super) bbox: BBox,
    /// The column it begins in.
    pub(super) column: usize,
    /// Columns it spans.
    pub(super) colspan: u16,
    /// Rows it spans.
    pub(super) rowspan: u16,
    /// All of it is bold.
    pub(super) bold: bool,
}

/// Takes the segments that stand in ruled tables out of `segments` and returns the tables, from the top.
pub(super) fn ruled(rules: &[Rule], segments: &mut Vec<Segment>) -> Vec<Table> {
    let mut tables = Vec::new();
    for grid in grids(rules) {
        let (inside, outside): (Vec<Segment>, Vec<Segment>) = std::mem::take(segments)
            .into_iter()
            .partition(|segment| holds(&grid.bbox, place(segment.bbox.x0, segment.bbox.x1, segment)));
        *segments = outside;
        match fill(&grid, &inside) {
            Some(table) => tables.push(table),
            None => segments.extend(inside),
        }
    }
    tables.sort_by(|a, b| a.bbox.y0.total_cmp(&b.bbox.y0).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    tables
}

#[derive(Debug)]
struct Grid {
    bbox: BBox,
    xs: Vec<f32>,
    cells: Vec<GridCell>,
}

#[derive(Debug)]
struct GridCell {
    row: usize,
    column: usize,
    rowspan: usize,
    colspan: usize,
    bbox: BBox,
}

fn grids(rules: &[Rule]) -> Vec<Grid> {
    let horizontal = merged(rules.iter().filter(|rule| rule.horizontal));
    let vertical = merged(rules.iter().filter(|rule| !rule.horizontal));
    if horizontal.len() + vertical.len() > MAX_LINES {
        return Vec::new();
    }
    let mut n_cells = 0;
    let components = components(&horizontal, &vertical);
    let mut grids = Vec::new();
    for (across, down) in components {
        let Some(grid) = grid(&across, &down) else { continue };
        n_cells += grid.cells.len();
        if n_cells > MAX_CELLS {
            break;
        }
        grids.push(grid);
    }
    grids
}

/// Lines on one straight that touch or nearly touch, as one.
fn merged<'r>(rules: impl Iterator<Item = &'r Rule>) -> Vec<Rule> {
    let mut sorted: Vec<Rule> = rules.copied().collect();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.from.total_cmp(&b.from)));
    let mut merged: Vec<Rule> = Vec::new();
    for rule in sorted {
        // Lines at nearly one place may come in any order of beginnings: look back over all that are near.
        let same = merged
            .iter_mut()
            .rev()
            .take_while(|kept| rule.at - kept.at <= NEAR / 2.0)
            .find(|kept| rule.from <= kept.to + NEAR && rule.to >= kept.from - NEAR);
        match same {
            Some(kept) => {
                kept.from = kept.from.min(rule.from);
                kept.to = kept.to.max(rule.to);
            }
            None => merged.push(rule),
        }
    }
    merged
}

/// Sets of lines that cross or touch one another, horizontal and vertical ones.
fn components(horizontal: &[Rule], vertical: &[Rule]) -> Vec<(Vec<Rule>, Vec<Rule>)> {
    let n = horizontal.len() + vertical.len();
    let mut parent: Vec<usize> = (0..n).collect();
    for (i, h) in horizontal.iter().enumerate() {
        for (j, v) in vertical.iter().enumerate() {
            let crosses = v.at >= h.from - NEAR && v.at <= h.to + NEAR && h.at >= v.from - NEAR && h.at <= v.to + NEAR;
            if crosses {
                let (a, b) = (root(&mut parent, i), root(&mut parent, horizontal.len() + j));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let mut sets: Vec<(Vec<Rule>, Vec<Rule>)> = vec![(Vec::new(), Vec::new()); n];
    for (index, rule) in horizontal.iter().chain(vertical).enumerate() {
        let set = &mut sets[root(&mut parent, index)];
        if rule.horizontal { set.0.push(*rule) } else { set.1.push(*rule) }
    }
    sets.retain(|(across, down)| !across.is_empty() && !down.is_empty());
    sets
}

fn root(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}

fn grid(across: &[Rule], down: &[Rule]) -> Option<Grid> {
    // Outer borders are often left out: lines end where the table ends.
    let places = |rules: &[Rule], ends: &[Rule]| {
        let ends = ends.iter().flat_map(|rule| [rule.from, rule.to]);
        let (low, high) = ends.fold((f32::MAX, f32::MIN), |(low, high), end| (low.min(end), high.max(end)));
        distinct(rules.iter().map(|rule| rule.at).chain([low, high]))
    };
    let (xs, ys) = (places(down, across), places(across, down));
    let (n_columns, n_rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
    if n_columns < 2 || n_columns * n_rows > MAX_CELLS || n_rows == 0 {
        return None;
    }
    let covered = |rules: &[Rule], at: f32, from: f32, to: f32| {
        let of = rules.iter().filter(|rule| (rule.at - at).abs() <= NEAR);
        let length: f32 = of.map(|rule| (rule.to.min(to) - rule.from.max(from)).max(0.0)).sum();
        length >= BORDER * (to - from)
    };
    let mut taken = vec![false; n_columns * n_rows];
    let mut cells = Vec::new();
    for row in 0..n_rows {
        for column in 0..n_columns {
            if taken[row * n_columns + column] {
                continue;
            }
            let mut right = column + 1;
            while right < n_columns
                && !taken[row * n_columns + right]
                && !covered(down, xs[right], ys[row], ys[row + 1])
            {
                right += 1;
            }
            let mut below = row + 1;
            while below < n_rows
                && (column..right).all(|c| !covered(across, ys[below], xs[c], xs[c + 1]))
                && (column + 1..right).all(|c| !covered(down, xs[c], ys[below], ys[below + 1]))
            {
                below += 1;
            }
            for r in row..below {
                taken[r * n_columns + column..r * n_columns + right].fill(true);
            }
            let bbox = BBox { x0: xs[column], y0: ys[row], x1: xs[right], y1: ys[below] };
            cells.push(GridCell { row, column, rowspan: below - row, colspan: right - column, bbox });
        }
    }
    let bbox = BBox { x0: xs[0], y0: ys[0], x1: xs[n_columns], y1: ys[n_rows] };
    (cells.len() >= 2).then_some(Grid { bbox, xs, cells })
}

fn distinct(places: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = places.filter(|place| place.is_finite()).collect();
    sorted.sort_by(f32::total_cmp);
    sorted.dedup_by(|next, kept| *next - *kept <= NEAR);
    sorted
}

fn fill(grid: &Grid, segments: &[Segment]) -> Option<Table> {
    let mut words: Vec<Vec<(&Segment, &Word)>> = vec![Vec::new(); grid.cells.len()];
    for segment in segments {
        for word in &segment.words {
            let place = place(word.u0, word.u1, segment);
            if let Some(index) = grid.cells.iter().position(|cell| holds(&cell.bbox, place)) {
                words[index].push((segment, word));
            }
        }
    }
    let n_filled = words.iter().filter(|cell| !cell.is_empty()).count();
    // A chart's grid is mostly empty.
    if n_filled < 2 || n_filled * 4 < grid.cells.len() {
        return None;
    }
    let n_rows = grid.cells.iter().map(|cell| cell.row + cell.rowspan).max()?;
    let mut rows: Vec<Vec<Cell>> = vec![Vec::new(); n_rows];
    for (cell, words) in grid.cells.iter().zip(&words) {
        rows[cell.row].push(Cell {
            text: cell_text(words),
            bbox: cell.bbox,
            column: cell.column,
            colspan: u16::try_from(cell.colspan).unwrap_or(u16::MAX),
            rowspan: u16::try_from(cell.rowspan).unwrap_or(u16::MAX),
            bold: !words.is_empty() && words.iter().all(|(segment, _)| segment.style.bold),
        });
    }
    rows.retain(|row| row.iter().any(|cell| !cell.text.is_empty() || cell.rowspan > 1));
    let mut columns = grid.xs[..grid.xs.len() - 1].to_vec();
    // Lines that stick out make columns of nothing.
    while let Some(last) = columns.len().checked_sub(1).filter(|last| *last > 0) {
        let mut of_last = rows.iter().flatten().filter(|cell| cell.column + usize::from(cell.colspan) > last);
        if of_last.any(|cell| cell.column < last || !cell.text.is_empty()) {
            break;
        }
        rows.iter_mut().for_each(|row| row.retain(|cell| cell.column < last));
        columns.pop();
    }
    let n_header_rows = n_header_rows(&rows);
    Some(Table { bbox: grid.bbox, rows, n_header_rows, columns })
}

/// The words of a cell as lines, the lines joined as prose is.
fn cell_text(words: &[(&Segment, &Word)]) -> String {
    let mut lines: Vec<(f32, String)> = Vec::new();
    let mut sorted = words.to_vec();
    sorted.sort_by(|a, b| a.0.v.total_cmp(&b.0.v).then(a.1.u0.total_cmp(&b.1.u0)));
    for (segment, word) in sorted {
        match lines.last_mut() {
            Some((v, line)) if (segment.v - *v).abs() < 0.3 * segment.size => {
                line.push(' ');
                line.push_str(&word.text);
            }
            _ => lines.push((segment.v, word.text.to_string())),
        }
    }
    prose::join(lines.iter().map(|(_, line)| line.as_str()), &prose::Vocabulary::default())
}

/// How many rows at the top name the columns: those set bold over rows that are not, or words over figures.
pub(super) fn n_header_rows(rows: &[Vec<Cell>]) -> usize {
    let filled = |row: &Vec<Cell>| -> Vec<Cell> { row.iter().filter(|cell| !cell.text.is_empty()).cloned().collect() };
    let bold = |row: &Vec<Cell>| {
        let filled = filled(row);
        !filled.is_empty() && filled.iter().all(|cell| cell.bold)
    };
    let n_bold = rows.iter().take_while(|row| bold(row)).count();
    if n_bold > 0 && n_bold < rows.len() {
        return n_bold.min(3);
    }
    let Some((first, rest)) = rows.split_first() else { return 0 };
    let names = filled(first);
    let numeric = |text: &str| {
        let n_digits = text.chars().filter(char::is_ascii_digit).count();
        n_digits > 0 && n_digits * 2 >= text.chars().filter(|c| c.is_alphanumeric()).count()
    };
    let all_names = names.len() >= 2 && names.len() + 1 >= first.len() && !names.iter().any(|cell| numeric(&cell.text));
    let figures_below = |column: usize| {
        let below = rest.iter().flatten().filter(|cell| cell.column == column && !cell.text.is_empty());
        let (figures, all) = below.fold((0, 0), |(f, n), cell| (f + usize::from(numeric(&cell.text)), n + 1));
        all >= 2 && figures * 3 >= all * 2
    };
    usize::from(all_names && rest.len() >= 2 && names.iter().any(|cell| figures_below(cell.column)))
}

/// A point of a text that tells its cell: near its beginning, because long texts overflow to the right.
fn place(u0: f32, u1: f32, segment: &Segment) -> (f32, f32) {
    (u0 + (0.4 * segment.size).min((u1 - u0) / 2.0), (segment.bbox.y0 + segment.bbox.y1) / 2.0)
}

fn holds(bbox: &BBox, (x, y): (f32, f32)) -> bool {
    x >= bbox.x0 && x < bbox.x1 && y >= bbox.y0 && y < bbox.y1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pdf::font::Style;

    fn line(horizontal: bool, at: f32, from: f32, to: f32) -> Rule {
        Rule { horizontal, at, from, to }
    }

    fn text(text: &str, u0: f32, v: f32) -> Segment {
        let u1 = u0 + 5.0 * text.len() as f32;
        Segment {
            text: text.to_owned(),
            words: vec![Word { text: text.into(), u0, u1 }],
            bbox: BBox { x0: u0, y0: v - 8.0, x1: u1, y1: v + 2.0 },
            v,
            size: 10.0,
            style: Style::default(),
            artifact: false,
        }
    }

    /// Three rows of two columns of 100 by 20, from (0, 0); the middle row is one cell.
    fn lines() -> Vec<Rule> {
        let mut lines: Vec<Rule> = [0.0, 20.0, 40.0, 60.0].map(|y| line(true, y, 0.0, 200.0)).to_vec();
        lines.extend([0.0, 200.0].map(|x| line(false, x, 0.0, 60.0)));
        lines.extend([line(false, 100.0, 0.0, 20.0), line(false, 100.5, 40.0, 60.0)]);
        lines
    }

    #[test]
    fn a_grid_becomes_rows_and_spans() {
        let mut segments = vec![
            text("G21", 10.0, 15.0),
            text("millimetres", 110.0, 15.0),
            text("below", 10.0, 80.0),
            text("both", 60.0, 35.0),
            text("G20", 10.0, 55.0),
            text("inches", 110.0, 55.0),
        ];
        let tables = ruled(&lines(), &mut segments);
        let [table] = tables.as_slice() else { panic!("one table: {tables:?}") };
        let rows: Vec<Vec<(&str, u16)>> =
            table.rows.iter().map(|row| row.iter().map(|cell| (cell.text.as_str(), cell.colspan)).collect()).collect();
        assert_eq!(rows, [vec![("G21", 1), ("millimetres", 1)], vec![("both", 2)], vec![("G20", 1), ("inches", 1)]]);
        assert_eq!(segments.len(), 1, "what stands outside stays");
    }

    #[test]
    fn an_empty_grid_is_a_drawing() {
        let mut segments = vec![text("x", 10.0, 15.0)];
        assert!(ruled(&lines(), &mut segments).is_empty());
        assert_eq!(segments.len(), 1);
    }
}
