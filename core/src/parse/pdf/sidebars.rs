//! Sidebars: narrow columns beside the text that are no part of what is read down the page.

use super::{columns::Item, frames::Frames, headings::Placed};
use crate::document::BBox;

/// A sidebar has at most this part of the width of the text beside it.
const NARROW: f32 = 0.6;
/// As large a part of its height stands beside that text.
const BESIDE: f32 = 0.5;
/// Without a box around it, its type is at most this part of the body's.
const SMALLER: f32 = 0.93;

/// Which of a page's regions are sidebars: those in a box of their own, or in smaller type, beside a wider one.
pub(super) fn among(regions: &[Vec<Item>], frames: &Frames, body_size: f32) -> Vec<bool> {
    let extents: Vec<Option<BBox>> = regions.iter().map(|region| extent(region)).collect();
    let is_beside = |index: usize, bbox: &BBox| {
        let others = extents.iter().enumerate().filter(|(other, _)| *other != index);
        let beside = |other: &BBox| {
            let over = bbox.y1.min(other.y1) - bbox.y0.max(other.y0);
            let apart = other.x1 < bbox.x0 || bbox.x1 < other.x0;
            apart && over > BESIDE * (bbox.y1 - bbox.y0) && bbox.x1 - bbox.x0 < NARROW * (other.x1 - other.x0)
        };
        others.filter_map(|(_, other)| other.as_ref()).any(beside)
    };
    let is_sidebar = |(index, region): (usize, &Vec<Item>)| {
        let Some(bbox) = extents.get(index).copied().flatten() else { return false };
        let own_box = frames.holding(bbox).is_some_and(|frame| {
            let others = extents.iter().enumerate().filter(|(other, _)| *other != index);
            !others.filter_map(|(_, other)| other.as_ref()).any(|other| overlaps(&frame, other))
        });
        is_beside(index, &bbox) && (own_box || is_small(region, body_size))
    };
    regions.iter().enumerate().map(is_sidebar).collect()
}

/// Puts the sidebars of every page before the last heading on it, where nothing is cut in two that goes on after them or
/// on the next page; on a page without one they come last.
pub(super) fn set_between(placed: Vec<Placed>) -> Vec<Placed> {
    if !placed.iter().any(|block| block.aside) {
        return placed;
    }
    let mut settled = Vec::with_capacity(placed.len());
    let mut placed = placed.into_iter().peekable();
    while let Some(page) = placed.peek().map(|block| block.page) {
        let of_page = std::iter::from_fn(|| placed.next_if(|block| block.page == page));
        let (asides, mut main): (Vec<Placed>, Vec<Placed>) = of_page.partition(|block| block.aside);
        let begins = |block: &Placed| block.heading.as_ref().is_some_and(|heading| !heading.text.is_empty());
        let last = main.iter().rposition(begins).filter(|last| *last > 0 && !asides.is_empty());
        let after = main.split_off(last.unwrap_or(main.len()));
        settled.extend(main);
        settled.extend(asides);
        settled.extend(after.into_iter().enumerate().map(|(index, block)| {
            let starts_region = block.starts_region || index == 0;
            Placed { starts_region, ..block }
        }));
    }
    settled
}

fn is_small(region: &[Item], body_size: f32) -> bool {
    region.iter().all(|item| matches!(item, Item::Text(segment) if segment.size <= SMALLER * body_size))
}

fn overlaps(a: &BBox, b: &BBox) -> bool {
    a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1
}

fn extent(region: &[Item]) -> Option<BBox> {
    region.iter().map(Item::bbox).reduce(BBox::union)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pdf::{font::Style, lines::Segment};

    fn line(x0: f32, x1: f32, v: f32, size: f32) -> Item {
        let bbox = BBox { x0, y0: v - 0.8 * size, x1, y1: v + 0.2 * size };
        let style = Style::default();
        Item::Text(Segment {
            text: "text".to_owned(),
            words: Vec::new(),
            bbox,
            v,
            size,
            style,
            artifact: false,
            role: None,
        })
    }

    fn column(x0: f32, x1: f32, size: f32) -> Vec<Item> {
        (0..10).map(|n| line(x0, x1, 100.0 + 12.0 * n as f32, size)).collect()
    }

    #[test]
    fn a_narrow_column_in_a_box_or_in_small_type_is_one() {
        let shade = BBox { x0: 395.0, y0: 80.0, x1: 540.0, y1: 780.0 };
        let framed = Frames::of(&[shade], &[], 500_000.0);
        let regions = [column(50.0, 380.0, 10.0), column(400.0, 530.0, 10.0)];
        assert_eq!(among(&regions, &framed, 10.0), [false, true]);
        assert_eq!(among(&regions, &Frames::default(), 10.0), [false, false]);
        let small = [column(50.0, 380.0, 10.0), column(400.0, 530.0, 8.0)];
        assert_eq!(among(&small, &Frames::default(), 10.0), [false, true]);
        let equal = [column(50.0, 280.0, 10.0), column(300.0, 530.0, 8.0)];
        assert_eq!(among(&equal, &Frames::default(), 10.0), [false, false]);
    }
}
