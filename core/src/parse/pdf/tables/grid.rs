//! Grids of ruling lines: which lines belong together and which cells they enclose.

use crate::document::BBox;
use crate::parse::pdf::glyphs::Rule;

/// Lines this near are one, in points: borders drawn twice, cells each with their own border.
const NEAR: f32 = 2.5;
/// The parts of a double line are as near as this.
const DOUBLE: f32 = 6.0;
/// More lines than this on a page are a drawing.
const MAX_LINES: usize = 4_000;
/// More cells than this on a page are a drawing.
const MAX_CELLS: usize = 50_000;
/// The part of a cell's side that a line must cover to be its border.
const BORDER: f32 = 0.6;

/// Lines that cross one another, as cells.
#[derive(Debug)]
pub(super) struct Grid {
    /// Around all of it.
    pub(super) bbox: BBox,
    /// The edges of its columns, one more than there are columns.
    pub(super) xs: Vec<f32>,
    /// Its cells by row and column.
    pub(super) cells: Vec<GridCell>,
    /// The edges of its rows.
    ys: Vec<f32>,
    /// Which cell covers each place, row by row.
    at: Vec<usize>,
}

impl Grid {
    /// The cell at a point. O(log n).
    pub(super) fn cell_at(&self, (x, y): (f32, f32)) -> Option<usize> {
        let place = |edges: &[f32], at: f32| edges.partition_point(|edge| *edge <= at).checked_sub(1);
        let (row, column) = (place(&self.ys, y)?, place(&self.xs, x)?);
        let n_columns = self.xs.len() - 1;
        (column < n_columns).then(|| self.at.get(row * n_columns + column).copied()).flatten()
    }
}

/// A cell of a grid, with the cells that no line parts from it.
#[derive(Debug)]
pub(super) struct GridCell {
    /// Its first row.
    pub(super) row: usize,
    /// Its first column.
    pub(super) column: usize,
    /// Rows it spans.
    pub(super) rowspan: usize,
    /// Columns it spans.
    pub(super) colspan: usize,
    /// Where it stands.
    pub(super) bbox: BBox,
}

/// The grids that ruling lines draw. O(horizontal · vertical lines), both bounded.
pub(super) fn grids(rules: &[Rule]) -> Vec<Grid> {
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
    // Double lines of one length are one line: what stands above and below them is one table.
    for (i, h) in horizontal.iter().enumerate() {
        let after = horizontal.iter().enumerate().skip(i + 1).take_while(|(_, other)| other.at - h.at <= DOUBLE);
        for (j, other) in after {
            let is_crossed = |line: &Rule| {
                let across = |v: &&Rule| v.at >= line.from - NEAR && v.at <= line.to + NEAR;
                vertical.iter().filter(across).any(|v| line.at >= v.from - NEAR && line.at <= v.to + NEAR)
            };
            // The last line of one table and the first of a box below it are two.
            let both = || is_crossed(h) && is_crossed(other);
            if (h.from - other.from).abs() <= NEAR && (h.to - other.to).abs() <= NEAR && both() {
                let (a, b) = (root(&mut parent, i), root(&mut parent, j));
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
    let mut at = vec![0; n_columns * n_rows];
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
                at[r * n_columns + column..r * n_columns + right].fill(cells.len());
            }
            let bbox = BBox { x0: xs[column], y0: ys[row], x1: xs[right], y1: ys[below] };
            cells.push(GridCell { row, column, rowspan: below - row, colspan: right - column, bbox });
        }
    }
    let bbox = BBox { x0: xs[0], y0: ys[0], x1: xs[n_columns], y1: ys[n_rows] };
    (cells.len() >= 2).then_some(Grid { bbox, xs, cells, ys, at })
}

fn distinct(places: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut sorted: Vec<f32> = places.filter(|place| place.is_finite()).collect();
    sorted.sort_by(f32::total_cmp);
    sorted.dedup_by(|next, kept| *next - *kept <= NEAR);
    sorted
}
