//! Pictures of pages: PNG, JPEG and TIFF with any number of pages. Each picture is a page.
//!
//! Not for recognising text ([`super::scan`]) nor for layout ([`super::pdf`] lays out what was seen, as it does for
//! scanned PDF pages). Without a reader the document holds its pictures as figures and says that they were not read.

#[cfg(feature = "scan")]
mod decode;
mod head;

use super::{ParseError, ParseOptions, ParseWarning, ParseWarningKind, pdf, tick};
use crate::{
    document::{BBox, Document, DocumentBuilder, DocumentId, NodeKind, file_stem},
    host::Progress,
};
use head::PageHead;

/// Pages of one file that are read.
const MAX_PAGES: usize = 2_000;

/// Reads it.
///
/// # Errors
/// [`ParseError::Damaged`] when no picture is found in it, and [`ParseError::Cancelled`].
pub(super) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut heads = head::pages(bytes);
    if heads.is_empty() {
        return Err(ParseError::Damaged { detail: "it has no picture of a known size".to_owned() });
    }
    if heads.len() > MAX_PAGES {
        let message = format!("The file has {} pages. The first {MAX_PAGES} are read.", heads.len());
        warnings.push(ParseWarning { kind: ParseWarningKind::Truncated, page: None, message });
        heads.truncate(MAX_PAGES);
    }
    let seen = see(bytes, &heads, options, warnings, progress)?;
    if seen.iter().any(|page| !page.seen.lines.is_empty()) {
        return pdf::lay_out_pictures(&id, name, &seen, warnings, progress);
    }
    let mut builder = DocumentBuilder::new(id, name);
    for (number, head) in (1..).zip(&heads) {
        let (width, height) = head.size_points();
        builder.page(number);
        let figure = builder.leaf(NodeKind::Figure, "");
        builder.bbox(figure, BBox { x0: 0.0, y0: 0.0, x1: width, y1: height });
    }
    // Nothing else could be its title.
    builder.title(file_stem(name));
    Ok(builder.finish())
}

/// What a reader sees on the pictures; nothing, and a warning, where there is none or no picture can be looked at.
fn see(
    bytes: &[u8],
    heads: &[PageHead],
    options: &ParseOptions,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Vec<pdf::SeenPage>, ParseError> {
    use super::scan::{ScanError, Seen};
    let n_pages = heads.len() as u32;
    let mut warn =
        |page, message: String| warnings.push(ParseWarning { kind: ParseWarningKind::NoText, page, message });
    let Some(reader) = options.scans.as_deref().filter(|_| cfg!(feature = "scan")) else {
        let message =
            "The file is a picture, and its text was not read: that takes the reading model for scans.".to_owned();
        warnings.push(ParseWarning { kind: ParseWarningKind::ScanNotRead, page: None, message });
        return Ok(Vec::new());
    };
    let mut seen = Vec::new();
    let mut n_text = 0;
    for (number, head) in (1..=n_pages).zip(heads) {
        tick(progress, number - 1, n_pages)?;
        let read = match picture(bytes, number as usize - 1, head) {
            Ok(picture) => match reader.read(&picture, &mut || tick(progress, number - 1, n_pages)) {
                Ok(read) => read,
                Err(ScanError::Stopped(error)) => return Err(error),
                Err(error) => {
                    warn(Some(number), format!("Page {number} could not be read. {error}"));
                    break;
                }
            },
            Err(why) => {
                warn(Some(number), format!("The picture of page {number} could not be opened: {why}."));
                Seen::default()
            }
        };
        n_text += usize::from(!read.lines.is_empty());
        let (width, height) = head.size_points();
        seen.push(pdf::SeenPage { width, height, scale: head.upright().0 as f32 / width.max(1.0), seen: read });
    }
    if n_text == 0 && !seen.is_empty() {
        warn(None, "No text was found on the picture.".to_owned());
    }
    Ok(seen)
}

#[cfg(feature = "scan")]
fn picture(bytes: &[u8], index: usize, head: &PageHead) -> Result<super::scan::Picture, String> {
    decode::page(bytes, index, head)
}

#[cfg(not(feature = "scan"))]
fn picture(_bytes: &[u8], _index: usize, _head: &PageHead) -> Result<super::scan::Picture, String> {
    Err("this build opens no pictures".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{host::NoProgress, parse::Parsed};

    /// A TIFF head of two pages of A4 at 200 dpi, without their pixels.
    fn heads_of_two() -> Vec<u8> {
        let mut bytes = b"II*\0\x08\0\0\0".to_vec();
        for next in [50_u32, 0] {
            bytes.extend([3, 0]);
            for (tag, value) in [(256_u16, 1654_u32), (257, 2339), (274, 1)] {
                bytes.extend(tag.to_le_bytes());
                bytes.extend([4, 0, 1, 0, 0, 0]);
                bytes.extend(value.to_le_bytes());
            }
            bytes.extend(next.to_le_bytes());
        }
        bytes
    }

    fn parsed(bytes: &[u8], options: &ParseOptions) -> Parsed {
        crate::parse::parse_with("scans/inspection.tif", bytes, options, &mut NoProgress).unwrap()
    }

    #[test]
    fn pictures_that_nobody_reads_are_figures() {
        let parsed = parsed(&heads_of_two(), &ParseOptions::default());
        assert_eq!((parsed.document.title(), parsed.document.n_pages), ("inspection", Some(2)));
        let figures: Vec<_> = parsed.document.nodes.iter().filter(|node| node.kind == NodeKind::Figure).collect();
        assert_eq!((figures.len(), figures[1].page), (2, Some(2)));
        let bbox = figures[1].boxes[0].bbox;
        assert!((bbox.x1 - 595.4).abs() < 0.1 && (bbox.y1 - 842.0).abs() < 0.1, "{bbox:?}");
        assert_eq!(parsed.warnings.len(), 1);
        assert_eq!(parsed.warnings[0].kind, ParseWarningKind::ScanNotRead);
        assert!(parsed.warnings[0].message.contains("reading model"));
    }

    #[test]
    fn a_picture_without_a_size_is_damaged() {
        let error = crate::parse::parse("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &mut NoProgress).unwrap_err();
        assert!(matches!(error, ParseError::Damaged { .. }), "{error}");
    }

    #[cfg(feature = "scan")]
    #[test]
    fn what_is_seen_on_a_picture_becomes_the_tree() {
        use crate::document::facts;
        use crate::parse::scan::{Picture, ReadScan, ScanError, Seen, SeenCharacter, SeenLine};
        use std::sync::Arc;

        #[derive(Debug)]
        struct Fake;
        impl ReadScan for Fake {
            fn read(&self, _: &Picture, _: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Seen, ScanError> {
                let place = |(at, character)| SeenCharacter {
                    character,
                    from: at as f32,
                    to: at as f32 + 1.0,
                    confidence: 0.7,
                };
                let characters = "Bearing worn".chars().enumerate().map(place).collect();
                Ok(Seen {
                    lines: vec![SeenLine { turn: 0, characters, baseline: 10.0, size: 2.0, bold: false }],
                    rules: vec![],
                })
            }
        }
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
        for _ in 0..2 {
            encoder.write_image::<tiff::encoder::colortype::Gray8>(30, 20, &[255; 600]).unwrap();
        }
        let options = ParseOptions { scans: Some(Arc::new(Fake)), ..ParseOptions::default() };
        let parsed = parsed(&bytes.into_inner(), &options);
        let read: Vec<_> = parsed.document.nodes.iter().filter(|node| node.text == "Bearing worn").collect();
        assert!(read.iter().any(|node| node.page == Some(2)), "{:?}", parsed.document.nodes);
        assert_eq!(read[0].metadata.get(facts::CONFIDENCE).map(String::as_str), Some("0.70"));
    }
}
