//! Text strings of the file's own structures (titles, bookmarks): UTF-16, UTF-8 or PDFDocEncoding.

/// PDFDocEncoding from 0x80 to 0xA0 (ISO 32000-2, annex D.3); above it is Latin-1.
const PDF_DOC_80: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€";
/// PDFDocEncoding from 0x18 to 0x1F.
const PDF_DOC_18: &str = "˘ˇˆ˙˝˛˚˜";

/// A text string as it should be shown: decoded, blanks collapsed.
pub(super) fn decode(bytes: &[u8]) -> String {
    let decoded = match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        // Not allowed before PDF 2.0 without a mark, but written by many: what is valid UTF-8 and not ASCII is UTF-8.
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| pdf_doc(*byte)).collect(),
        },
    };
    let shown: String = decoded.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    crate::text::collapse_whitespace(&shown)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::new();
    // Language codes stand between escape characters (ISO 32000-2, 7.9.2.2).
    let mut in_language = false;
    for character in char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')) {
        match character {
            '\u{1B}' => in_language = !in_language,
            _ if in_language => {}
            _ => text.push(character),
        }
    }
    text
}

fn pdf_doc(byte: u8) -> char {
    let from = |table: &str, first: u8| table.chars().nth(usize::from(byte - first)).unwrap_or('\u{FFFD}');
    match byte {
        0x18..=0x1F => from(PDF_DOC_18, 0x18),
        0x80..=0xA0 => from(PDF_DOC_80, 0x80),
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_in_every_encoding() {
        assert_eq!(decode(b"\xFE\xFF\0P\0u\0m\0p\0 \x20\xAC"), "Pump €");
        assert_eq!(decode(b"\xFE\xFF\0\x1B\0d\0e\0\x1B\0A"), "A");
        assert_eq!(decode(b"\xFF\xFEA\0"), "A");
        assert_eq!(decode(b"\xEF\xBB\xBFGr\xC3\xB6\xC3\x9Fe"), "Größe");
        assert_eq!(decode(b"Gr\xC3\xB6\xC3\x9Fe"), "Größe");
        assert_eq!(decode(b"Gr\xF6\xDFe \x80 \xA0"), "Größe • €");
        assert_eq!(decode(b" a\r\nb\0"), "a b");
    }
}
