//! A line of text cut out of a picture and laid straight, at the height that the recogniser wants.

use super::{Picture, rectangle::Rectangle};

/// The height that the recogniser was trained with, in pixels.
pub(super) const HEIGHT: usize = 48;
/// The longest strip; a longer line is squeezed. An A4 line of 6-point type has some 3,000 pixels.
const MAX_WIDTH: f32 = 4_000.0;

/// A line laid straight, [`HEIGHT`] rows of `width` pixels.
#[derive(Debug)]
pub(super) struct Strip {
    pub(super) width: usize,
    /// Red, green and blue, row by row.
    pub(super) pixels: Vec<[u8; 3]>,
    /// Pixels of the strip for one of the picture, along the line.
    pub(super) scale_along: f32,
    /// The same across it.
    pub(super) scale_across: f32,
}

/// Cuts out what stands in `line`, whose angle is the direction in which its text runs. O(pixels of the strip · those of
/// the picture under each).
pub(super) fn strip(picture: &Picture, line: Rectangle) -> Strip {
    let scale_across = HEIGHT as f32 / (2.0 * line.across).max(1.0);
    let wanted = (2.0 * line.along * scale_across).clamp(8.0, MAX_WIDTH).round();
    let scale_along = wanted / (2.0 * line.along).max(1.0);
    let width = wanted as usize;
    let (sin, cos) = line.angle.sin_cos();
    // Where the picture is finer than the strip, several samples are averaged, or thin strokes would be missed.
    let n_samples = (1.0 / scale_across.min(scale_along)).ceil().clamp(1.0, 8.0) as usize;
    let mut pixels = Vec::with_capacity(width * HEIGHT);
    for row in 0..HEIGHT {
        for column in 0..width {
            let mut sum = [0.0; 3];
            for sample in 0..n_samples * n_samples {
                let part = |index: usize| (index as f32 + 0.5) / n_samples as f32;
                let u = (column as f32 + part(sample % n_samples)) / scale_along - line.along;
                let v = (row as f32 + part(sample / n_samples)) / scale_across - line.across;
                let at = between(picture, line.x + u * cos - v * sin, line.y + u * sin + v * cos);
                sum.iter_mut().zip(at).for_each(|(sum, part)| *sum += part);
            }
            pixels.push(sum.map(|sum| (sum / (n_samples * n_samples) as f32 + 0.5) as u8));
        }
    }
    Strip { width, pixels, scale_along, scale_across }
}

/// The colour at a point, between the middles of the four pixels around it.
pub(super) fn between(picture: &Picture, x: f32, y: f32) -> [f32; 3] {
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let (right_share, bottom_share) = (x - left, y - top);
    let (left, top) = (left as i64, top as i64);
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| picture.pixel(left + dx, top + dy).map(f32::from));
    std::array::from_fn(|channel| {
        let upper = corners[0][channel] * (1.0 - right_share) + corners[1][channel] * right_share;
        let lower = corners[2][channel] * (1.0 - right_share) + corners[3][channel] * right_share;
        upper * (1.0 - bottom_share) + lower * bottom_share
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI};

    /// White, 200 by 100, with a black block.
    fn picture(block: (u32, u32, u32, u32)) -> Picture {
        let (x0, y0, x1, y1) = block;
        let pixel = |at: u32| if (x0..x1).contains(&(at % 200)) && (y0..y1).contains(&(at / 200)) { 0 } else { 255 };
        Picture::new(200, 100, (0..20_000).flat_map(|at| [pixel(at); 3]).collect()).unwrap()
    }

    /// Whether the strip is dark at a place given by parts of its width and height.
    fn dark(strip: &Strip, across: f32, down: f32) -> bool {
        let (column, row) = ((across * strip.width as f32) as usize, (down * HEIGHT as f32) as usize);
        strip.pixels[row * strip.width + column][0] < 128
    }

    #[test]
    fn text_that_runs_to_the_right_stays_as_it_is() {
        // The block is the left half of the line.
        let line = Rectangle { x: 100.0, y: 50.0, angle: 0.0, along: 40.0, across: 12.0 };
        let strip = strip(&picture((60, 40, 100, 60)), line);
        assert_eq!((strip.width, strip.pixels.len()), (160, 160 * HEIGHT));
        assert!(dark(&strip, 0.25, 0.5) && !dark(&strip, 0.75, 0.5) && !dark(&strip, 0.25, 0.05));
    }

    #[test]
    fn turned_text_is_laid_straight() {
        // The block is the upper half of an upright line.
        let line = Rectangle { x: 100.0, y: 50.0, angle: FRAC_PI_2, along: 40.0, across: 12.0 };
        let picture = picture((90, 10, 110, 50));
        assert!(dark(&strip(&picture, line), 0.25, 0.5), "read downwards it begins with the block");
        let upwards = strip(&picture, Rectangle { angle: -FRAC_PI_2, ..line });
        assert!(dark(&upwards, 0.75, 0.5) && !dark(&upwards, 0.25, 0.5));
        let over = strip(&picture, Rectangle { angle: PI, along: 12.0, across: 40.0, ..line });
        assert!(dark(&over, 0.5, 0.75) && !dark(&over, 0.5, 0.25));
    }

    #[test]
    fn no_line_is_too_long_or_too_thin() {
        let picture = picture((0, 0, 1, 1));
        let strip = strip(&picture, Rectangle { x: 0.0, y: 0.0, angle: 0.0, along: 1e6, across: 0.0 });
        assert_eq!(strip.width, 4_000);
    }
}
