//! From the detector's map of probabilities to regions of text: what is likely text and hangs together, with a
//! rectangle around it (Liao et al., "Real-time scene text detection with differentiable binarization", 2020: the map
//! shows text shrunken, so the rectangles are grown again). Not for running the detector.

use super::rectangle::{self, Rectangle};

/// A pixel above this is text. (PP-OCR's value.)
const TEXT: f32 = 0.3;
/// A region must be this sure on average. (PP-OCR's value.)
const REGION: f32 = 0.6;
/// How far a region is grown, as a part of its area over its perimeter. (PP-OCR's value.)
const UNCLIP: f32 = 1.5;
/// Smaller regions, in pixels of the map, are specks.
const MIN_SIDE: f32 = 3.0;
/// More regions of one page are noise: a dense page of a telephone book has some 3,000 words.
const MAX_REGIONS: usize = 10_000;

/// The regions of a map of `width` columns, row by row; in pixels of the map, from the top. O(pixels).
pub(super) fn regions(map: &[f32], width: usize) -> Vec<Rectangle> {
    let height = map.len().checked_div(width).unwrap_or(0);
    let mut seen = vec![false; map.len()];
    let mut found = Vec::new();
    let mut stack = Vec::new();
    let mut outline = Vec::new();
    for start in 0..map.len() {
        if map[start] <= TEXT || seen[start] || found.len() >= MAX_REGIONS {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        outline.clear();
        let (mut sum, mut n_pixels) = (0.0, 0_u32);
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            sum += map[at];
            n_pixels += 1;
            let mut at_edge = false;
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let (Some(nx), Some(ny)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                    at_edge = true;
                    continue;
                };
                let next = ny * width + nx;
                if nx >= width || ny >= height || map[next] <= TEXT {
                    at_edge = true;
                } else if !seen[next] {
                    seen[next] = true;
                    stack.push(next);
                }
            }
            if at_edge {
                // The pixel's corners, so that a line of one pixel has a height.
                let (x, y) = (x as f32, y as f32);
                outline.extend([(x, y), (x + 1.0, y), (x, y + 1.0), (x + 1.0, y + 1.0)]);
            }
        }
        let Some(around) = rectangle::smallest_around(&mut outline) else { continue };
        if sum / n_pixels as f32 >= REGION && around.across * 2.0 >= MIN_SIDE {
            let (length, breadth) = (around.along * 2.0, around.across * 2.0);
            found.push(around.grown(length * breadth * UNCLIP / (2.0 * (length + breadth))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map with rectangles of text: x, y, width, height, probability.
    fn map(width: usize, height: usize, texts: &[(usize, usize, usize, usize, f32)]) -> Vec<f32> {
        let mut map = vec![0.02; width * height];
        for &(x, y, w, h, p) in texts {
            for row in y..y + h {
                map[row * width + x..row * width + x + w].fill(p);
            }
        }
        map
    }

    #[test]
    fn lines_are_found_from_the_top_and_grown() {
        let found = regions(&map(100, 60, &[(10, 40, 30, 6, 0.9), (20, 10, 60, 8, 0.8)]), 100);
        assert_eq!(found.len(), 2);
        let top = found[0];
        assert_eq!((top.x, top.y), (50.0, 14.0));
        // 60 by 8: area over perimeter 480 / 136, times 1.5.
        assert!((top.across - (4.0 + 480.0 / 136.0 * 1.5)).abs() < 1e-3, "{top:?}");
    }

    #[test]
    fn specks_and_doubtful_places_are_left_out() {
        assert_eq!(regions(&map(50, 50, &[(10, 10, 2, 2, 0.9), (20, 30, 20, 6, 0.4)]), 50), []);
    }

    #[test]
    fn no_map_has_no_regions() {
        assert_eq!(regions(&[], 0), []);
        assert_eq!(regions(&[], 10), []);
    }

    #[test]
    fn text_that_touches_the_edge_is_found() {
        assert_eq!(regions(&map(40, 20, &[(0, 0, 40, 6, 0.9), (0, 14, 40, 6, 0.9)]), 40).len(), 2);
    }
}
