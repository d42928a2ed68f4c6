//! Reading order: parts a page into regions of one column each, in the order in which they are read.
//!
//! A page is cut where a gutter runs between two columns of prose. What spans the gutter (a heading over both columns,
//! a wide table) ends a band of columns: above it everything is read before it, below it after.

use super::{
    glyphs::Rule,
    lines::Segment,
    tables::{self, Table},
};
use crate::document::BBox;
use std::collections::BTreeMap;

/// A gutter is at least this wide, in ems of body text.
const GUTTER: f32 = 1.0;
/// Columns beside one another; more are a table.
const MAX_SPLITS: u32 = 5;
/// Fewer lines on a side are no column.
const MIN_LINES: usize = 3;

/// A page of more pieces than this is a drawing, and is read from the top.
const MAX_ITEMS: usize = 3_000;

/// Something with a place on the page.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A run of text.
    Text(Segment),
    /// A ruled table.
    Table(Table),
}

impl Item {
    /// The run of text, if it is one.
    fn text(&self) -> Option<&Segment> {
        match self {
            Self::Text(segment) => Some(segment),
            Self::Table(_) => None,
        }
    }

    /// Around it.
    pub(super) fn bbox(&self) -> BBox {
        match self {
            Self::Text(segment) => segment.bbox,
            Self::Table(table) => table.bbox,
        }
    }
}

/// The regions of a page in reading order, the items in each from the top. O(n²) in items at worst.
/// `rules` are the page's horizontal lines.
pub(super) fn regions(mut items: Vec<Item>, body_size: f32, rules: &[Rule]) -> Vec<Vec<Item>> {
    // A page that is set or shown smaller than the others has narrower gutters.
    let body_size = usual_size(&items).map_or(body_size, |size| size.min(body_size));
    items.sort_by(|a, b| a.bbox().y0.total_cmp(&b.bbox().y0).then(a.bbox().x0.total_cmp(&b.bbox().x0)));
    if items.len() > MAX_ITEMS {
        return vec![items];
    }
    let mut regions = Vec::new();
    part(items, body_size, rules, MAX_SPLITS, &mut regions);
    regions
}

/// The size that most characters have.
fn usual_size(items: &[Item]) -> Option<f32> {
    let mut n_characters: BTreeMap<i32, usize> = BTreeMap::new();
    for item in items {
        if let Item::Text(segment) = item {
            let tenths = (segment.size * 10.0).round().clamp(0.0, 1e5) as i32;
            *n_characters.entry(tenths).or_default() += segment.text.len();
        }
    }
    let (tenths, _) = n_characters.into_iter().max_by_key(|(_, n)| *n)?;
    Some(tenths as f32 / 10.0)
}

fn part(items: Vec<Item>, body_size: f32, rules: &[Rule], splits: u32, regions: &mut Vec<Vec<Item>>) {
    let edge = best_edge(&items, body_size);
    let cut: Vec<Band> = edge.map(|edge| bands(&items, edge, body_size)).unwrap_or_default();
    let items = with_captioned(items, &cut, rules);
    let Some(edge) = best_edge(&items, body_size).filter(|_| splits > 0) else {
        if !items.is_empty() {
            regions.push(items);
        }
        return;
    };
    let bands = bands(&items, edge, body_size);
    let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    let mut take =
        |indices: &[usize]| -> Vec<Item> { indices.iter().filter_map(|&i| items.get_mut(i)?.take()).collect() };
    for band in bands {
        match band {
            Band::Columns(left, right) => {
                part(take(&left), body_size, rules, splits - 1, regions);
                part(take(&right), body_size, rules, splits - 1, regions);
            }
            Band::Flow(all) => regions.push(take(&all)),
        }
    }
}

/// The same with the tables that captions tell of, but for what is mostly parts of longer columns: `cut` are the bands that
/// the page would be parted into.
fn with_captioned(mut items: Vec<Item>, cut: &[Band], rules: &[Rule]) -> Vec<Item> {
    let height = |index: &usize| items.get(*index).and_then(Item::text).map(|segment| segment.v);
    let columns = cut.iter().filter_map(|band| match band {
        Band::Columns(left, right) => Some(left.iter().chain(right).filter_map(height).collect::<Vec<f32>>()),
        Band::Flow(_) => None,
    });
    let columns: Vec<Vec<f32>> = columns.collect();
    let is_part_of_columns = |from: f32, to: f32| {
        columns.iter().any(|column| {
            let n_inside = column.iter().filter(|v| (from..=to).contains(v)).count();
            n_inside > 0 && n_inside * 3 < column.len() * 2
        })
    };
    let segments: Vec<&Segment> = items.iter().filter_map(Item::text).collect();
    let tables = tables::captioned(&segments, rules).into_iter();
    let tables: Vec<_> = tables.filter(|(_, (from, to))| !is_part_of_columns(*from, *to)).collect();
    for (table, (from, to)) in tables {
        items.retain(|item| !item.text().is_some_and(|segment| (from..=to).contains(&segment.v)));
        let at = items.partition_point(|item| item.bbox().y0 < table.bbox.y0);
        items.insert(at, Item::Table(table));
    }
    items
}

/// A stretch of the page from one height to another, as indices of items.
enum Band {
    /// Left and right of a gutter.
    Columns(Vec<usize>, Vec<usize>),
    /// What belongs to no pair of columns, together with what crosses the gutter.
    Flow(Vec<usize>),
}

/// The left edge of a right column, such that most lines stand in columns on its two sides; `None` if the items are
/// one column.
fn best_edge(items: &[Item], body_size: f32) -> Option<f32> {
    let mut edges: Vec<f32> = items.iter().map(|item| item.bbox().x0).collect();
    edges.sort_by(f32::total_cmp);
    // Places where several lines begin; the leftmost has nothing beside it.
    let mut candidates: Vec<f32> = Vec::new();
    let mut start = 0;
    for end in 1..=edges.len() {
        if end == edges.len() || edges[end] - edges[start] > 2.0 {
            if end - start >= MIN_LINES {
                candidates.push(edges[start]);
            }
            start = end;
        }
    }
    let mut best: Option<(usize, f32)> = None;
    for edge in candidates.into_iter().skip(1).take(60) {
        let in_columns = |band: &Band| match band {
            Band::Columns(left, right) => left.len() + right.len(),
            Band::Flow(_) => 0,
        };
        let n_lines: usize = bands(items, edge, body_size).iter().map(in_columns).sum();
        if n_lines > best.map_or(0, |(most, _)| most) {
            best = Some((n_lines, edge));
        }
    }
    best.map(|(_, edge)| edge)
}

/// Cuts items, sorted from the top, into bands: pairs of columns left and right of `edge`, and the rest.
fn bands(items: &[Item], edge: f32, body_size: f32) -> Vec<Band> {
    let mut bands = Vec::new();
    let (mut left, mut right, mut flow) = (Vec::new(), Vec::new(), Vec::new());
    let close = |left: &mut Vec<usize>, right: &mut Vec<usize>, flow: &mut Vec<usize>, bands: &mut Vec<Band>| {
        let (left, right) = (std::mem::take(left), std::mem::take(right));
        if are_columns(&pick(items, &left), &pick(items, &right), body_size) {
            if !flow.is_empty() {
                bands.push(Band::Flow(std::mem::take(flow)));
            }
            bands.push(Band::Columns(left, right));
        } else {
            flow.extend(left);
            flow.extend(right);
            flow.sort_unstable();
        }
    };
    for (index, item) in items.iter().enumerate() {
        let bbox = item.bbox();
        if bbox.x0 >= edge - 1.0 {
            right.push(index);
        } else if bbox.x1 <= edge - GUTTER * body_size {
            left.push(index);
        } else {
            let mut tail = loose_ends(items, &mut left, &right, bbox.y0);
            tail.extend(loose_ends(items, &mut right, &left, bbox.y0));
            tail.sort_unstable();
            close(&mut left, &mut right, &mut flow, &mut bands);
            flow.extend(tail);
            flow.push(index);
        }
    }
    close(&mut left, &mut right, &mut flow, &mut bands);
    if !flow.is_empty() {
        bands.push(Band::Flow(flow));
    }
    bands
}

/// Takes the last lines of a column out that stand below the other column and nearer to what follows than to their own
/// column: short lines that belong to what spans both columns.
fn loose_ends(items: &[Item], column: &mut Vec<usize>, other: &[usize], next_top: f32) -> Vec<usize> {
    let bottom = other.iter().map(|&index| items[index].bbox().y1).fold(f32::MIN, f32::max);
    let mut ends = Vec::new();
    let mut next_top = next_top;
    while let [.., before, last] = column.as_slice() {
        let (before, last) = (items[*before].bbox(), items[*last].bbox());
        if last.y0 < bottom || next_top - last.y1 >= last.y0 - before.y1 {
            break;
        }
        next_top = last.y0;
        ends.extend(column.pop());
    }
    ends
}

fn pick<'i>(items: &'i [Item], indices: &[usize]) -> Vec<&'i Item> {
    indices.iter().filter_map(|&index| items.get(index)).collect()
}

/// Whether two sets of items are columns of prose rather than columns of a table.
fn are_columns(left: &[&Item], right: &[&Item], body_size: f32) -> bool {
    let (Some(a), Some(b)) = (extent(left), extent(right)) else { return false };
    let overlap = a.y1.min(b.y1) - a.y0.max(b.y0);
    let lower = (a.y1 - a.y0).min(b.y1 - b.y0);
    if left.len() < MIN_LINES || right.len() < MIN_LINES || overlap < 0.5 * lower {
        return false;
    }
    let is_wide = |bbox: &BBox| bbox.x1 - bbox.x0 >= 8.0 * body_size;
    let (left, right) = (lines(left), lines(right));
    let n_characters: usize = left.iter().chain(&right).map(|line| line.n_characters).sum();
    let is_dense = n_characters >= 12 * (left.len() + right.len());
    // Cells of a row stand on one baseline; lines of two columns only by chance or on a common grid.
    let beside = |line: &&Beside| right.iter().any(|other| (line.bbox.y1 - other.bbox.y1).abs() < 1.0);
    let is_aligned = left.iter().filter(beside).count() * 3 >= left.len();
    let (prose_left, prose_right) = (is_prose(&left, &a), is_prose(&right, &b));
    let (table_left, table_right) = (is_table(&left, body_size), is_table(&right, body_size));
    // Text beside a table is a column; a table with a column of long texts is not.
    let is_tabular = (table_left || table_right) && (is_aligned || !(prose_left || prose_right));
    is_wide(&a) && is_wide(&b) && is_dense && !is_tabular && (!is_aligned || prose_left && prose_right)
}

/// What stands on one line of a column.
struct Beside {
    bbox: BBox,
    n_pieces: usize,
    n_characters: usize,
}

/// The items of a column, sorted from the top, by line.
fn lines(items: &[&Item]) -> Vec<Beside> {
    let mut lines: Vec<Beside> = Vec::new();
    for item in items {
        let (bbox, n_characters) = (item.bbox(), n_characters(item));
        match lines.last_mut() {
            Some(line) if (line.bbox.y1 - bbox.y1).abs() < 1.0 => {
                line.bbox = line.bbox.union(bbox);
                line.n_pieces += 1;
                line.n_characters += n_characters;
            }
            _ => lines.push(Beside { bbox, n_pieces: 1, n_characters }),
        }
    }
    lines
}

/// Whether most lines are parted into short pieces, as the rows of a table are. Columns within a column have wide ones.
fn is_table(lines: &[Beside], body_size: f32) -> bool {
    let is_parted =
        |line: &&Beside| line.n_pieces > 1 && (line.bbox.x1 - line.bbox.x0) / (line.n_pieces as f32) < 12.0 * body_size;
    lines.iter().filter(is_parted).count() * 2 > lines.len()
}

/// Whether most lines fill the width of their column, as running text does and cells do not.
fn is_prose(lines: &[Beside], extent: &BBox) -> bool {
    let mut fill: Vec<f32> = lines.iter().map(|line| (line.bbox.x1 - line.bbox.x0) / (extent.x1 - extent.x0)).collect();
    fill.sort_by(f32::total_cmp);
    let n_characters: usize = lines.iter().map(|line| line.n_characters).sum();
    fill.get(fill.len() / 2).is_some_and(|fill| *fill >= 0.6) && n_characters >= 15 * lines.len()
}

fn n_characters(item: &Item) -> usize {
    match item {
        Item::Text(segment) => segment.text.chars().count(),
        Item::Table(_) => 0,
    }
}

fn extent(items: &[&Item]) -> Option<BBox> {
    items.iter().map(|item| item.bbox()).reduce(BBox::union)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pdf::font::Style;

    fn line(text: &str, x0: f32, x1: f32, v: f32) -> Item {
        Item::Text(Segment {
            text: text.to_owned(),
            words: Vec::new(),
            bbox: BBox { x0, y0: v - 8.0, x1, y1: v + 2.0 },
            v,
            size: 10.0,
            style: Style::default(),
            artifact: false,
            role: None,
        })
    }

    fn texts(items: Vec<Item>) -> Vec<String> {
        let text = |item: Item| match item {
            Item::Text(segment) => segment.text,
            Item::Table(_) => String::new(),
        };
        regions(items, 10.0, &[])
            .into_iter()
            .map(|region| region.into_iter().map(text).collect::<Vec<_>>().join("|"))
            .collect()
    }

    #[test]
    fn two_columns_under_a_heading_are_read_one_after_the_other() {
        let mut items = vec![line("A heading across both of the columns", 50.0, 500.0, 50.0)];
        for row in 0..4 {
            let v = 80.0 + 12.0 * row as f32;
            items.push(line(&format!("left column, line number {row}"), 50.0, 265.0, v));
            items.push(line(&format!("right column, line number {row}"), 285.0, 500.0, v));
        }
        items.push(line("A closing line that also runs across both", 50.0, 500.0, 140.0));
        let regions = texts(items);
        assert_eq!(regions.len(), 4, "{regions:#?}");
        assert!(regions[1].starts_with("left") && !regions[1].contains("right"), "{regions:#?}");
        assert!(regions[2].starts_with("right") && !regions[2].contains("left"), "{regions:#?}");
    }

    #[test]
    fn a_table_is_not_columns() {
        let mut items = Vec::new();
        for row in 0..6 {
            let v = 80.0 + 12.0 * row as f32;
            items.push(line(&format!("G{row}"), 50.0, 70.0, v));
            items.push(line("a description of what it does", 285.0, 480.0, v));
        }
        assert_eq!(texts(items).len(), 1);
    }
}
