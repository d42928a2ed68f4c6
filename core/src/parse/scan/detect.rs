//! Runs the detector: a picture in, regions of text out. Not for what stands in them.

use super::{Picture, crop, model::Network, rectangle::Rectangle, regions};

/// The longer side of what the detector sees, in pixels: at this size 6-point type on A4 is still found, and a page takes
/// about a second.
const MAX_SIDE: f32 = 1_536.0;
/// A small picture is enlarged to this, but not more than twice: what it was trained with.
const MIN_SIDE: f32 = 736.0;
/// Sides must be multiples of this, the network's coarsest step.
const STEP: f32 = 32.0;
/// Mean and spread of each channel in the pictures that it was trained with (ImageNet's, in their order of channels).
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
const SPREAD: [f32; 3] = [0.229, 0.224, 0.225];

/// The regions of text on a picture, in its pixels, from the top.
///
/// # Errors
/// What the runtime says, short.
pub(super) fn regions(detector: &Network, picture: &Picture) -> Result<Vec<Rectangle>, String> {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let scale = (MIN_SIDE / width.min(height)).clamp(1.0, 2.0).min(MAX_SIDE / width.max(height));
    let fit = |side: f32| ((side * scale / STEP).round() * STEP).clamp(STEP, MAX_SIDE) as usize;
    let (columns, rows) = (fit(width), fit(height));
    let (shape, map) = detector.run(shrunken(picture, columns, rows), columns, rows)?;
    if shape != [1, 1, rows, columns] {
        return Err(format!("its map has the shape {shape:?}"));
    }
    let found = regions::regions(&map, columns);
    Ok(found.into_iter().map(|r| r.scaled(width / columns as f32, height / rows as f32)).collect())
}

/// The picture at another size, as the detector wants its channels: blue first, as they were in training.
fn shrunken(picture: &Picture, columns: usize, rows: usize) -> Vec<f32> {
    let (by_x, by_y) = (picture.width() as f32 / columns as f32, picture.height() as f32 / rows as f32);
    let n_samples = by_x.max(by_y).ceil().clamp(1.0, 8.0) as usize;
    let n_pixels = columns * rows;
    let mut channels = vec![0.0; 3 * n_pixels];
    for at in 0..n_pixels {
        let mut sum = [0.0; 3];
        for sample in 0..n_samples * n_samples {
            let part = |index: usize| (index as f32 + 0.5) / n_samples as f32;
            let x = ((at % columns) as f32 + part(sample % n_samples)) * by_x;
            let y = ((at / columns) as f32 + part(sample / n_samples)) * by_y;
            sum.iter_mut().zip(crop::between(picture, x, y)).for_each(|(sum, part)| *sum += part);
        }
        for channel in 0..3 {
            let value = sum[2 - channel] / (n_samples * n_samples) as f32 / 255.0;
            channels[channel * n_pixels + at] = (value - MEAN[channel]) / SPREAD[channel];
        }
    }
    channels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_shrunken_by_their_mean_and_normalised() {
        // Left half red, right half black.
        let rgb = (0..64 * 8).flat_map(|at| if at % 64 < 32 { [255, 0, 0] } else { [0; 3] }).collect();
        let channels = shrunken(&Picture::new(64, 8, rgb).unwrap(), 8, 1);
        assert_eq!(channels.len(), 24);
        let (blue, red) = (&channels[..8], &channels[16..]);
        assert!((red[0] - (1.0 - 0.406) / 0.225).abs() < 1e-4, "{red:?}");
        assert!((red[7] + 0.406 / 0.225).abs() < 1e-4 && (blue[0] + 0.485 / 0.229).abs() < 1e-4);
    }
}
