//! What a picture file says before its pixels: how many pages, how large, which way up, how fine. Not for decoding.

/// Finer or coarser is not meant: photographs say 72 dots an inch whatever they show.
const SIDE_POINTS: std::ops::RangeInclusive<f32> = 150.0..=3_500.0;
/// The longer side of a page whose file says no size that can be meant: A4.
const A4_POINTS: f32 = 842.0;
/// Pages of a TIFF that are looked for.
const MAX_DIRECTORIES: usize = 4_000;
/// Entries of one directory.
const MAX_ENTRIES: usize = 512;

/// A page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PageHead {
    /// Pixels in a row as stored.
    pub(super) width: u32,
    /// Rows as stored.
    pub(super) height: u32,
    /// How it must be turned to be seen as it was taken (EXIF's values, 1 to 8; 1 is as stored).
    pub(super) orientation: u8,
    /// Pixels to the inch, as stored.
    dots_per_inch: Option<f32>,
}

impl PageHead {
    /// Width and height in pixels as it is seen.
    pub(super) fn upright(&self) -> (u32, u32) {
        if self.orientation >= 5 { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// Width and height in points as it is seen: by its resolution where that makes a page, else as a sheet of A4.
    pub(super) fn size_points(&self) -> (f32, f32) {
        let (width, height) = (self.upright().0 as f32, self.upright().1 as f32);
        let said = self.dots_per_inch.map(|dpi| 72.0 / dpi).filter(|s| SIDE_POINTS.contains(&(width.max(height) * s)));
        let points = said.unwrap_or(A4_POINTS / width.max(height).max(1.0));
        (width * points, height * points)
    }
}

/// The pages of a PNG, JPEG or TIFF; none where it has no size.
pub(super) fn pages(bytes: &[u8]) -> Vec<PageHead> {
    let pages = match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes).into_iter().collect(),
        [0xff, 0xd8, ..] => jpeg(bytes).into_iter().collect(),
        _ => tiff(bytes),
    };
    pages.into_iter().filter(|page: &PageHead| page.width > 0 && page.height > 0).collect()
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?)))
}

/// PNG (W3C): the header chunk first, then `pHYs` and `eXIf` before the pixels.
fn png(bytes: &[u8]) -> Option<PageHead> {
    let (width, height) = (be32(bytes, 16)?, be32(bytes, 20)?);
    let mut head = PageHead { width, height, orientation: 1, dots_per_inch: None };
    let mut at = 8_usize;
    while let (Some(length), Some(kind)) = (be32(bytes, at), bytes.get(at + 4..at + 8)) {
        let data = bytes.get(at + 8..).map(|rest| &rest[..rest.len().min(length as usize)]).unwrap_or_default();
        match kind {
            b"pHYs" if data.get(8) == Some(&1) => {
                head.dots_per_inch = be32(data, 0).map(|per_metre| per_metre as f32 * 0.0254);
            }
            b"eXIf" => head.orientation = tiff(data).first().map_or(1, |exif| exif.orientation),
            b"IDAT" | b"IEND" => break,
            _ => {}
        }
        at = at.checked_add(12)?.checked_add(length as usize)?;
    }
    Some(head)
}

/// JPEG (ITU-T T.81): segments up to the frame header, which has the size.
fn jpeg(bytes: &[u8]) -> Option<PageHead> {
    let mut head = PageHead { width: 0, height: 0, orientation: 1, dots_per_inch: None };
    let mut at = 2_usize;
    loop {
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let (&0xff, &marker) = (bytes.get(at)?, bytes.get(at + 1)?) else { return None };
        let length = be16(bytes, at + 2)? as usize;
        let data = bytes.get(at + 4..(at + 2).checked_add(length)?).unwrap_or_default();
        match marker {
            // Frame headers, but for the three of that row that are none.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                head.height = be16(data, 1)?;
                head.width = be16(data, 3)?;
                return Some(head);
            }
            0xe0 if data.starts_with(b"JFIF\0") => {
                let unit = match data.get(7) {
                    Some(1) => 1.0,
                    Some(2) => 2.54,
                    _ => 0.0,
                };
                let density = be16(data, 8)? as f32 * unit;
                head.dots_per_inch = (density > 1.0).then_some(density);
            }
            0xe1 => {
                if let Some(exif) = data.strip_prefix(b"Exif\0\0").and_then(|exif| tiff(exif).first().copied()) {
                    head.orientation = exif.orientation;
                    head.dots_per_inch = head.dots_per_inch.or(exif.dots_per_inch);
                }
            }
            0xd9 | 0xda => return None,
            _ => {}
        }
        at = (at + 2).checked_add(length)?;
    }
}

/// TIFF (6.0) and EXIF, which is a TIFF without a picture: a chain of directories.
fn tiff(bytes: &[u8]) -> Vec<PageHead> {
    let little = bytes.starts_with(b"II");
    let number = |at: usize, length: usize| -> Option<u32> {
        let bytes = bytes.get(at..at.checked_add(length)?)?;
        let fold = |sum: u32, byte: &u8| sum << 8 | u32::from(*byte);
        Some(if little { bytes.iter().rev().fold(0, fold) } else { bytes.iter().fold(0, fold) })
    };
    let mut pages = Vec::new();
    let mut next = number(4, 4).unwrap_or(0) as usize;
    let mut seen = Vec::new();
    // A directory that was there already would go round for ever.
    while next != 0 && !seen.contains(&next) && seen.len() < MAX_DIRECTORIES {
        seen.push(next);
        let Some(n_entries) = number(next, 2) else { break };
        let mut head = PageHead { width: 0, height: 0, orientation: 1, dots_per_inch: None };
        let (mut density, mut per_centimetre, mut reduced) = (None, false, false);
        for entry in 0..(n_entries as usize).min(MAX_ENTRIES) {
            let at = next.saturating_add(2 + entry * 12);
            let (Some(tag), Some(kind)) = (number(at, 2), number(at.saturating_add(2), 2)) else { break };
            let value = number(at.saturating_add(8), if kind == 3 { 2 } else { 4 }).unwrap_or(0);
            match tag {
                // Thumbnails stand beside their picture.
                254 => reduced = value & 1 == 1,
                256 => head.width = value,
                257 => head.height = value,
                274 if (1..=8).contains(&value) => head.orientation = value as u8,
                282 => {
                    let at = value as usize;
                    let (over, under) = (number(at, 4), at.checked_add(4).and_then(|at| number(at, 4)));
                    density = over.zip(under).map(|(over, under)| over as f32 / under.max(1) as f32);
                }
                296 => per_centimetre = value == 3,
                _ => {}
            }
        }
        head.dots_per_inch = density.filter(|d| *d > 1.0).map(|d| if per_centimetre { d * 2.54 } else { d });
        // A reduced picture keeps its place, so that pages count as the decoder counts them, but is no page.
        if reduced && !pages.is_empty() {
            head.width = 0;
        }
        pages.push(head);
        next = number(next.saturating_add(2 + n_entries as usize * 12), 4).unwrap_or(0) as usize;
    }
    pages
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A little-endian TIFF of directories of (tag, type, value), the resolution 200 at byte 8.
    fn tiff_of(directories: &[&[(u16, u16, u32)]]) -> Vec<u8> {
        let mut bytes = b"II*\0\x10\0\0\0".to_vec();
        bytes.extend(200_u32.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        for (index, entries) in directories.iter().enumerate() {
            let length = 2 + entries.len() * 12 + 4;
            let next = if index + 1 < directories.len() { bytes.len() + length } else { 0 };
            bytes.extend((entries.len() as u16).to_le_bytes());
            for (tag, kind, value) in *entries {
                bytes.extend(tag.to_le_bytes());
                bytes.extend(kind.to_le_bytes());
                bytes.extend(1_u32.to_le_bytes());
                bytes.extend(value.to_le_bytes());
            }
            bytes.extend((next as u32).to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_tiff_has_a_page_for_each_directory() {
        let page: &[(u16, u16, u32)] = &[(256, 4, 1654), (257, 3, 2339), (282, 5, 8), (296, 3, 2)];
        let turned: &[(u16, u16, u32)] = &[(256, 4, 1654), (257, 3, 2339), (274, 3, 6), (282, 5, 8)];
        let pages = pages(&tiff_of(&[page, turned]));
        assert_eq!(pages.iter().map(|page| page.orientation).collect::<Vec<_>>(), [1, 6]);
        assert_eq!(pages[1].upright(), (2339, 1654));
        let (width, height) = pages[0].size_points();
        assert!((width - 595.4).abs() < 0.1 && (height - 842.0).abs() < 0.1, "{width} {height}");
    }

    #[test]
    fn a_chain_of_directories_that_goes_round_ends() {
        let mut bytes = tiff_of(&[&[(256, 4, 10), (257, 4, 10)]]);
        let end = bytes.len();
        bytes[end - 4..].copy_from_slice(&16_u32.to_le_bytes());
        assert_eq!(pages(&bytes).len(), 1);
    }

    #[test]
    fn a_jpeg_says_its_size_and_which_way_up_it_is() {
        let exif = tiff_of(&[&[(274, 3, 8)]]);
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
        bytes.extend((exif.len() as u16 + 8).to_be_bytes());
        bytes.extend(b"Exif\0\0");
        bytes.extend(&exif);
        bytes.extend([0xff, 0xc2, 0, 17, 8, 0, 100, 0, 200, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
        let head = pages(&bytes)[0];
        assert_eq!((head.width, head.height, head.orientation, head.upright()), (200, 100, 8, (100, 200)));
        // A photograph that says nothing is a sheet of A4.
        assert_eq!(head.size_points(), (421.0, 842.0));
        assert_eq!(pages(&bytes[..bytes.len() - 16]), []);
    }

    #[test]
    fn a_png_says_its_size_and_resolution() {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
        bytes.extend(1000_u32.to_be_bytes());
        bytes.extend(500_u32.to_be_bytes());
        bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend(b"\0\0\0\x09pHYs");
        bytes.extend([3937_u32.to_be_bytes(), 3937_u32.to_be_bytes()].concat());
        bytes.extend([1, 0, 0, 0, 0]);
        let (width, height) = pages(&bytes)[0].size_points();
        assert!((width - 720.0).abs() < 0.1 && (height - 360.0).abs() < 0.1, "{width} {height}");
    }

    #[test]
    fn broken_heads_have_no_pages() {
        for bytes in [
            &b"\x89PNG\r\n\x1a\n"[..],
            b"\xff\xd8\xff",
            b"\xff\xd8\xff\xe0\xff\xff",
            b"II*\0\xff\xff\xff\xff",
            b"MM\0*",
        ] {
            assert_eq!(pages(bytes), []);
        }
    }
}
