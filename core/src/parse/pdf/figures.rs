//! Pictures and drawings: where something is shown on a page that is no text.

use super::glyphs::PageContent;
use crate::document::BBox;

/// Parts of pictures and drawings that are put together; a page with more is one drawing anyway.
const MAX_PARTS: usize = 400;
/// Parts this near, in points, belong together.
const NEAR: f32 = 12.0;
/// Smaller things are signs and ornaments, in points.
const MIN_SIDE: f32 = 30.0;
/// A caption stands at most this far from its figure, in points.
const MAX_DISTANCE: f32 = 40.0;

/// The pictures and drawings of a page, on the upright page. O(parts²), bounded.
pub(super) fn of(content: &PageContent) -> Vec<BBox> {
    let page = content.width * content.height;
    let area = |bbox: &BBox| (bbox.x1 - bbox.x0) * (bbox.y1 - bbox.y0);
    // What fills the page is its background, or a scan of it.
    let parts = content.pictures.iter().chain(&content.drawings).filter(|part| area(part) < 0.8 * page);
    let mut figures: Vec<BBox> = Vec::new();
    for part in parts.take(MAX_PARTS) {
        let mut whole = *part;
        // A part may join figures that were apart.
        while let Some(index) = figures.iter().position(|figure| is_near(figure, &whole)) {
            whole = whole.union(figures.swap_remove(index));
        }
        figures.push(whole);
    }
    figures.retain(|figure| figure.x1 - figure.x0 >= MIN_SIDE && figure.y1 - figure.y0 >= MIN_SIDE);
    figures.sort_by(|a, b| a.y0.total_cmp(&b.y0).then(a.x0.total_cmp(&b.x0)));
    figures
}

/// The figure that a caption belongs to: the nearest above it, or else the nearest below.
pub(super) fn captioned(figures: &[BBox], caption: BBox) -> Option<usize> {
    let beside = |figure: &BBox| figure.x0 < caption.x1 && caption.x0 < figure.x1;
    let nearest = |distance: fn(&BBox, &BBox) -> f32| {
        let near = figures.iter().enumerate().filter(|(_, figure)| beside(figure));
        let near = near.map(|(index, figure)| (index, distance(figure, &caption)));
        let near = near.filter(|(_, distance)| (-NEAR..=MAX_DISTANCE).contains(distance));
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    };
    nearest(|figure, caption| caption.y0 - figure.y1).or_else(|| nearest(|figure, caption| figure.y0 - caption.y1))
}

fn is_near(a: &BBox, b: &BBox) -> bool {
    a.x0 - NEAR < b.x1 && b.x0 - NEAR < a.x1 && a.y0 - NEAR < b.y1 && b.y0 - NEAR < a.y1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_figures_and_captions_find_them() {
        let part = |x0: f32, y0: f32| BBox { x0, y0, x1: x0 + 30.0, y1: y0 + 30.0 };
        let content = PageContent {
            width: 600.0,
            height: 800.0,
            pictures: vec![part(50.0, 100.0), part(130.0, 100.0), part(50.0, 400.0)],
            // Joins the two beside it.
            drawings: vec![part(90.0, 110.0), BBox { x0: 300.0, y0: 100.0, x1: 310.0, y1: 110.0 }],
            ..PageContent::default()
        };
        let figures = of(&content);
        assert_eq!(
            figures.iter().map(|figure| (figure.x0, figure.x1)).collect::<Vec<_>>(),
            [(50.0, 160.0), (50.0, 80.0)]
        );
        let caption = |y: f32| BBox { x0: 60.0, y0: y, x1: 200.0, y1: y + 10.0 };
        assert_eq!(captioned(&figures, caption(145.0)), Some(0));
        assert_eq!(captioned(&figures, caption(380.0)), Some(1), "below it");
        assert_eq!(captioned(&figures, caption(250.0)), None);
    }
}
