//! The pixels of a picture file, turned as they were taken. Bounded by what its head says and by the decoders' limits.

use super::head::PageHead;
use crate::parse::scan::{MAX_PIXELS, Picture};
use std::io::Cursor;
use tiff::decoder::{DecodingResult, Limits};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// Decoded bytes of one page.
const MAX_BYTES: usize = 1 << 29;

/// The page at `index`, whose head was read before.
///
/// # Errors
/// Why not, as a part of a sentence.
pub(super) fn page(bytes: &[u8], index: usize, head: &PageHead) -> Result<Picture, String> {
    let n_pixels = u64::from(head.width) * u64::from(head.height);
    if n_pixels > MAX_PIXELS {
        return Err(format!(
            "it has {} million pixels, and {} can be read",
            n_pixels / 1_000_000,
            MAX_PIXELS / 1_000_000
        ));
    }
    let (width, height, rgb) = match bytes {
        [0x89, ..] => png(bytes)?,
        [0xff, ..] => jpeg(bytes, head)?,
        _ => tiff_page(bytes, index)?,
    };
    let (width, height, rgb) = oriented(width, height, rgb, head.orientation);
    Picture::new(width, height, rgb).ok_or_else(|| "its size is not what it says".to_owned())
}

/// Width, height and red, green, blue of every pixel.
type Pixels = (u32, u32, Vec<u8>);

fn png(bytes: &[u8]) -> Result<Pixels, String> {
    let failed = |error: png::DecodingError| error.to_string();
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MAX_BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size().filter(|size| *size <= MAX_BYTES).ok_or("it is too large")?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(failed)?;
    Ok((frame.width, frame.height, on_white(&samples, frame.color_type.samples())))
}

fn jpeg(bytes: &[u8], head: &PageHead) -> Result<Pixels, String> {
    // A second head, larger than the one that was looked at, is not followed.
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGB)
        .set_max_width(head.width as usize)
        .set_max_height(head.height as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let rgb = decoder.decode().map_err(|error| format!("{error:?}"))?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    let side = |side: usize| u32::try_from(side).map_err(|_| "it is too large".to_owned());
    Ok((side(width)?, side(height)?, rgb))
}

fn tiff_page(bytes: &[u8], index: usize) -> Result<Pixels, String> {
    let failed = |error: tiff::TiffError| error.to_string();
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_BYTES;
    limits.intermediate_buffer_size = MAX_BYTES;
    let mut decoder = tiff::decoder::Decoder::new(Cursor::new(bytes)).map_err(failed)?.with_limits(limits);
    decoder.seek_to_image(index).map_err(failed)?;
    let (width, height) = decoder.dimensions().map_err(failed)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err("it is larger than it says".to_owned());
    }
    let kind = decoder.colortype().map_err(failed)?;
    let samples = match decoder.read_image().map_err(failed)? {
        DecodingResult::U8(samples) => samples,
        DecodingResult::U16(samples) => samples.into_iter().map(|sample| (sample >> 8) as u8).collect(),
        _ => return Err("its numbers are of an unusual kind".to_owned()),
    };
    let rgb = match kind {
        tiff::ColorType::Gray(1) => bits(&samples, width as usize, height as usize),
        tiff::ColorType::Gray(8 | 16) => on_white(&samples, 1),
        tiff::ColorType::GrayA(8 | 16) => on_white(&samples, 2),
        tiff::ColorType::RGB(8 | 16) => on_white(&samples, 3),
        tiff::ColorType::RGBA(8 | 16) => on_white(&samples, 4),
        tiff::ColorType::CMYK(8 | 16) => samples.chunks_exact(4).flat_map(from_cmyk).collect(),
        tiff::ColorType::YCbCr(8) => samples.chunks_exact(3).flat_map(from_ycbcr).collect(),
        other => return Err(format!("its colours are of an unusual kind, {other:?}")),
    };
    Ok((width, height, rgb))
}

/// Grey or colour, without or with how opaque it is, as colour on white.
fn on_white(samples: &[u8], n_samples: usize) -> Vec<u8> {
    let over = |value: u8, opaque: u8| {
        let (value, opaque) = (u32::from(value), u32::from(opaque));
        ((value * opaque + 255 * (255 - opaque)) / 255) as u8
    };
    match n_samples {
        1 => samples.iter().flat_map(|grey| [*grey; 3]).collect(),
        2 => samples.chunks_exact(2).flat_map(|s| [over(s[0], s[1]); 3]).collect(),
        4 => samples.chunks_exact(4).flat_map(|s| [over(s[0], s[3]), over(s[1], s[3]), over(s[2], s[3])]).collect(),
        _ => samples.to_vec(),
    }
}

/// One bit a pixel, rows padded to bytes; 1 is white.
fn bits(packed: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(width * height * 3);
    for row in packed.chunks_exact(width.div_ceil(8).max(1)).take(height) {
        rgb.extend((0..width).flat_map(|x| [if row[x / 8] >> (7 - x % 8) & 1 == 1 { 255 } else { 0 }; 3]));
    }
    rgb
}

fn from_cmyk(ink: &[u8]) -> [u8; 3] {
    let left = |at: usize| 255 - u32::from(ink.get(at).copied().unwrap_or(0));
    [0, 1, 2].map(|at| (left(at) * left(3) / 255) as u8)
}

/// ITU-R BT.601, full range, as TIFF 6.0 section 21 has it.
fn from_ycbcr(sample: &[u8]) -> [u8; 3] {
    let at = |at: usize| f32::from(sample.get(at).copied().unwrap_or(128));
    let (y, cb, cr) = (at(0), at(1) - 128.0, at(2) - 128.0);
    [y + 1.402 * cr, y - 0.344_14 * cb - 0.714_14 * cr, y + 1.772 * cb].map(|value| value.clamp(0.0, 255.0) as u8)
}

/// Turns and mirrors pixels by EXIF's orientation: it says where the first row and the first column are seen.
fn oriented(width: u32, height: u32, rgb: Vec<u8>, orientation: u8) -> Pixels {
    if orientation <= 1 || rgb.len() as u64 != u64::from(width) * u64::from(height) * 3 {
        return (width, height, rgb);
    }
    let (w, h) = (width as usize, height as usize);
    let (out_w, out_h) = if orientation >= 5 { (h, w) } else { (w, h) };
    let mut out = Vec::with_capacity(rgb.len());
    for y in 0..out_h {
        for x in 0..out_w {
            let (from_x, from_y) = match orientation {
                2 => (w - 1 - x, y),
                3 => (w - 1 - x, h - 1 - y),
                4 => (x, h - 1 - y),
                5 => (y, x),
                6 => (y, h - 1 - x),
                7 => (w - 1 - y, h - 1 - x),
                _ => (w - 1 - y, x),
            };
            let at = (from_y * w + from_x) * 3;
            out.extend_from_slice(rgb.get(at..at + 3).unwrap_or(&[255; 3]));
        }
    }
    (out_w as u32, out_h as u32, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::picture::head;

    fn decoded(bytes: &[u8]) -> Picture {
        page(bytes, 0, &head::pages(bytes)[0]).unwrap()
    }

    /// Three by two, the first pixel black, the others half transparent red.
    fn small_png() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 3, 2);
        encoder.set_color(png::ColorType::Rgba);
        let pixels: Vec<u8> = (0..6).flat_map(|at| if at == 0 { [0, 0, 0, 255] } else { [255, 0, 0, 128] }).collect();
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        bytes
    }

    #[test]
    fn a_png_is_decoded_onto_white() {
        let picture = decoded(&small_png());
        assert_eq!((picture.width(), picture.height()), (3, 2));
        assert_eq!((picture.pixel(0, 0), picture.pixel(2, 1)), ([0, 0, 0], [255, 127, 127]));
    }

    #[test]
    fn a_tiff_of_two_pages_is_decoded_page_by_page() {
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
        encoder.write_image::<tiff::encoder::colortype::Gray8>(2, 1, &[0, 200]).unwrap();
        encoder.write_image::<tiff::encoder::colortype::RGB8>(1, 2, &[1, 2, 3, 4, 5, 6]).unwrap();
        let bytes = bytes.into_inner();
        let heads = head::pages(&bytes);
        assert_eq!(heads.len(), 2);
        assert_eq!(page(&bytes, 0, &heads[0]).unwrap().pixel(1, 0), [200; 3]);
        assert_eq!(page(&bytes, 1, &heads[1]).unwrap().pixel(0, 1), [4, 5, 6]);
    }

    #[test]
    fn bits_are_black_and_white() {
        assert_eq!(bits(&[0b0100_0000, 0b1000_0000], 2, 2), [[0; 3], [255; 3], [255; 3], [0; 3]].concat());
    }

    #[test]
    fn every_orientation_is_undone() {
        // The stored first row is "1 2", the second "3 4".
        let rgb: Vec<u8> = [1, 2, 3, 4].into_iter().flat_map(|value| [value; 3]).collect();
        let seen = |orientation| {
            let (_, _, rgb) = oriented(2, 2, rgb.clone(), orientation);
            rgb.chunks_exact(3).map(|pixel| pixel[0]).collect::<Vec<_>>()
        };
        // EXIF: 6 means that the first row is seen on the right, the first column at the top.
        let all = [1, 2, 3, 4, 5, 6, 7, 8].map(seen);
        assert_eq!(
            all.map(|seen| [seen[0], seen[1], seen[2], seen[3]]),
            [
                [1, 2, 3, 4],
                [2, 1, 4, 3],
                [4, 3, 2, 1],
                [3, 4, 1, 2],
                [1, 3, 2, 4],
                [3, 1, 4, 2],
                [4, 2, 3, 1],
                [2, 4, 1, 3]
            ]
        );
    }

    #[test]
    fn a_picture_that_says_a_huge_size_is_refused() {
        let mut bytes = small_png();
        bytes[16..20].copy_from_slice(&100_000_u32.to_be_bytes());
        bytes[20..24].copy_from_slice(&100_000_u32.to_be_bytes());
        let refused = page(&bytes, 0, &head::pages(&bytes)[0]).unwrap_err();
        assert!(refused.contains("10000 million"), "{refused}");
    }
}
