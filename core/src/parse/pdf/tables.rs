//! Tables drawn with ruling lines: words put into the cells of a grid.
//!
//! Not for finding the grid ([`super::grid`]), nor for tables without lines ([`super::aligned`]).

use super::{
    glyphs::Rule,
    grid::{Grid, GridCell, grids},
    lines::{Segment, Word},
    prose,
};
use crate::document::BBox;

/// Baselines this near are one, in points.
const NEAR: f32 = 2.5;

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

fn fill(grid: &Grid, segments: &[Segment]) -> Option<Table> {
    let mut words: Vec<Vec<(&Segment, &Word)>> = vec![Vec::new(); grid.cells.len()];
    for segment in segments {
        for word in &segment.words {
            let place = place(word.u0, word.u1, segment);
            if let Some(index) = grid.cell_at(place) {
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
            text: prose::join(cell_lines(words).iter().map(|(_, line)| line.as_str()), &prose::Vocabulary::default()),
            bbox: cell.bbox,
            column: cell.column,
            colspan: u16::try_from(cell.colspan).unwrap_or(u16::MAX),
            rowspan: u16::try_from(cell.rowspan).unwrap_or(u16::MAX),
            bold: !words.is_empty() && words.iter().all(|(segment, _)| segment.style.bold),
        });
    }
    if let Some((row, parts)) = implicit_rows(grid, &words) {
        rows.splice(row..=row, parts);
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

/// The rows of a table that has lines around its body but none in it: the one row of the grid, if all its cells hold as
/// many lines on the same baselines. Cells of one row that wrap agree so only by chance, and not over many lines.
fn implicit_rows(grid: &Grid, words: &[Vec<(&Segment, &Word)>]) -> Option<(usize, Vec<Vec<Cell>>)> {
    const MIN_LINES: usize = 4;
    let n_rows = grid.cells.iter().map(|cell| cell.row).max()? + 1;
    let row = (0..n_rows).find(|row| {
        let mut of_row = grid.cells.iter().zip(words).filter(|(cell, _)| cell.row == *row);
        of_row.all(|(_, words)| cell_lines(words).len() >= MIN_LINES)
    })?;
    let cells: Vec<(&GridCell, Vec<(f32, String)>)> = grid
        .cells
        .iter()
        .zip(words)
        .filter(|(cell, _)| cell.row == row)
        .map(|(cell, words)| (cell, cell_lines(words)))
        .collect();
    let (_, first) = cells.first()?;
    let agree = |(_, lines): &(&GridCell, Vec<(f32, String)>)| {
        lines.len() == first.len() && lines.iter().zip(first).all(|(a, b)| (a.0 - b.0).abs() < NEAR)
    };
    if cells.len() < 2 || n_rows > 3 || !cells.iter().all(agree) || cells.iter().any(|(cell, _)| cell.rowspan > 1) {
        return None;
    }
    let height = |line: usize| {
        let top = line.checked_sub(1).and_then(|above| first.get(above));
        let (cell, _) = cells.first()?;
        Some((top.map_or(cell.bbox.y0, |(v, _)| *v), first.get(line).map(|(v, _)| *v)?))
    };
    let part = |line: usize| -> Vec<Cell> {
        let (y0, y1) = height(line).unwrap_or_default();
        let cell = |(cell, lines): &(&GridCell, Vec<(f32, String)>)| Cell {
            text: lines.get(line).map(|(_, text)| text.clone()).unwrap_or_default(),
            bbox: BBox { y0, y1, ..cell.bbox },
            column: cell.column,
            colspan: u16::try_from(cell.colspan).unwrap_or(u16::MAX),
            rowspan: 1,
            bold: false,
        };
        cells.iter().map(cell).collect()
    };
    Some((row, (0..first.len()).map(part).collect()))
}

/// The words of a cell as lines with their baselines.
fn cell_lines(words: &[(&Segment, &Word)]) -> Vec<(f32, String)> {
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
    lines
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
    // "mAP (0.75)" is a name, "14.50 %" and "$10" are figures.
    let numeric = |text: &str| {
        let n_digits = text.chars().filter(char::is_ascii_digit).count();
        let n_letters = text.chars().filter(|c| c.is_alphabetic()).count();
        n_digits > n_letters && !text.starts_with(char::is_alphabetic)
    };
    let all_names = names.len() >= 2 && names.len() + 1 >= first.len() && !names.iter().any(|cell| numeric(&cell.text));
    let figures_below = |column: usize| {
        let below = rest.iter().flatten().filter(|cell| cell.column == column && !cell.text.is_empty());
        let (figures, all) = below.fold((0, 0), |(f, n), cell| (f + usize::from(numeric(&cell.text)), n + 1));
        all >= 2 && figures * 3 >= all * 2
    };
    if !(all_names && rest.len() >= 2 && names.iter().any(|cell| figures_below(cell.column))) {
        return 0;
    }
    // A name over two rows makes both of them the header.
    let height = first.iter().map(|cell| usize::from(cell.rowspan)).max().unwrap_or(1);
    height.min(rest.len()).clamp(1, 3)
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
