//! Bytes to text: byte-order marks, UTF-8, UTF-16, UTF-32, declared encodings, and a guess at the old ones.
//!
//! Not for telling formats apart: that is [`super::format`], which runs before and after.

use super::{ParseWarning, ParseWarningKind};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// How much of a file is looked at to guess its encoding.
const SAMPLE_BYTES: usize = 1 << 20;

/// Decoded text, borrowed from the bytes where they were plain UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text without a byte-order mark and without NULs, line ends as they were.
    pub text: Cow<'a, str>,
    /// The encoding's WHATWG name, or `UTF-32LE`/`UTF-32BE`.
    pub encoding: &'static str,
}

/// Decodes bytes of unknown encoding; never fails, warns where characters were replaced or the encoding guessed.
///
/// In this order: a byte-order mark, valid UTF-8, UTF-16 by its NULs, what an HTML or XML head declares, UTF-8 with few
/// faults, a guess by letter frequencies. Deterministic. O(n).
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], warnings: &mut Vec<ParseWarning>) -> Decoded<'a> {
    let (text, encoding) = decode_marked(bytes).unwrap_or_else(|| {
        // UTF-16 of ASCII letters is valid UTF-8 full of NULs, so it has to be asked for first.
        if utf16_by_nuls(bytes).is_none()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return (Cow::Borrowed(text), UTF_8.name());
        }
        let (encoding, guessed) = unmarked_encoding(bytes);
        if guessed {
            warn(
                warnings,
                format!(
                    "The file does not say its encoding; {} was assumed. If letters look wrong, save it as UTF-8.",
                    encoding.name()
                ),
            );
        }
        (encoding.decode_without_bom_handling(bytes).0, encoding.name())
    });
    let n_replaced = text.matches('\u{fffd}').count();
    // U+FFFD may also stand in the source itself, which is then valid and nothing was replaced.
    if n_replaced > 0 && !(encoding == UTF_8.name() && std::str::from_utf8(bytes).is_ok()) {
        warn(
            warnings,
            format!(
                "{n_replaced} characters could not be decoded as {encoding} and are shown as \u{fffd}. The file may be damaged or in another encoding."
            ),
        );
    }
    let n_nul = text.matches('\0').count();
    if n_nul == 0 {
        return Decoded { text, encoding };
    }
    warnings.push(ParseWarning {
        kind: ParseWarningKind::Damaged,
        page: None,
        message: format!("{n_nul} NUL characters inside the text were left out. The file may be damaged."),
    });
    Decoded { text: Cow::Owned(text.replace('\0', "")), encoding }
}

/// Whether these bytes are UTF-16 or UTF-32, which a look at raw bytes would take for binary data.
pub(super) fn is_wide(bytes: &[u8]) -> bool {
    decode_mark(bytes).is_some_and(|mark| !matches!(mark, Mark::Utf8)) || utf16_by_nuls(bytes).is_some()
}

#[derive(Clone, Copy)]
enum Mark {
    Utf8,
    Utf16(&'static Encoding),
    Utf32 { big_endian: bool },
}

fn decode_mark(bytes: &[u8]) -> Option<Mark> {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => Some(Mark::Utf8),
        // FF FE 00 00 is also UTF-16 beginning with a NUL, which no text does.
        [0xff, 0xfe, 0, 0, ..] if bytes.len().is_multiple_of(4) => Some(Mark::Utf32 { big_endian: false }),
        [0, 0, 0xfe, 0xff, ..] if bytes.len().is_multiple_of(4) => Some(Mark::Utf32 { big_endian: true }),
        [0xff, 0xfe, ..] => Some(Mark::Utf16(UTF_16LE)),
        [0xfe, 0xff, ..] => Some(Mark::Utf16(UTF_16BE)),
        _ => None,
    }
}

fn decode_marked(bytes: &[u8]) -> Option<(Cow<'_, str>, &'static str)> {
    Some(match decode_mark(bytes)? {
        Mark::Utf8 => (UTF_8.decode_without_bom_handling(&bytes[3..]).0, UTF_8.name()),
        Mark::Utf16(encoding) => (encoding.decode_without_bom_handling(&bytes[2..]).0, encoding.name()),
        Mark::Utf32 { big_endian } => {
            let characters = bytes[4..].chunks_exact(4).map(|unit| {
                let unit = [unit[0], unit[1], unit[2], unit[3]];
                let code = if big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
                char::from_u32(code).unwrap_or('\u{fffd}')
            });
            (Cow::Owned(characters.collect()), if big_endian { "UTF-32BE" } else { "UTF-32LE" })
        }
    })
}

/// The encoding of bytes that carry no mark and are not valid UTF-8, and whether it is a mere guess.
fn unmarked_encoding(bytes: &[u8]) -> (&'static Encoding, bool) {
    if let Some(encoding) = utf16_by_nuls(bytes) {
        return (encoding, false);
    }
    if let Some(encoding) = declared(bytes) {
        return (encoding, false);
    }
    if is_damaged_utf8(bytes) {
        return (UTF_8, false);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    // ASCII tells nothing: the sample begins at the first byte that does.
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let sample = &bytes[first.saturating_sub(64)..];
    let sample = &sample[..sample.len().min(SAMPLE_BYTES)];
    detector.feed(sample, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // A stateful or replacement encoding is never a safe guess.
    (if guess.is_ascii_compatible() { guess } else { WINDOWS_1252 }, true)
}

/// UTF-16 without a mark: text of any script has NULs in one half of its pairs, at line ends and blanks at the least,
/// and next to none in the other.
fn utf16_by_nuls(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = &bytes[..bytes.len().min(SAMPLE_BYTES)];
    let n_pairs = sample.len() / 2;
    if n_pairs < 4 {
        return None;
    }
    let nuls = |offset: usize| sample.chunks_exact(2).filter(|pair| pair[offset] == 0).count();
    let (high_first, low_first) = (nuls(0), nuls(1));
    // A file padded with NULs has them in both halves; mostly CJK text has few in either.
    let (many, few) = (high_first.max(low_first), high_first.min(low_first));
    if many * 10 < n_pairs * 3 || few * 20 > many {
        return None;
    }
    Some(if high_first > low_first { UTF_16BE } else { UTF_16LE })
}

/// What `<meta charset>` or an XML declaration at the head says, if it is known and can hold what is there.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    let head = String::from_utf8_lossy(&head);
    let after = head.find("<meta").and_then(|meta| head[meta..].split_once("charset=").map(|(_, rest)| rest)).or_else(
        || head.trim_start().strip_prefix("<?xml").and_then(|xml| xml.split_once("encoding=")).map(|(_, r)| r),
    )?;
    let label = after.trim_start_matches(['"', '\'', ' ']);
    let label = label.split(['"', '\'', ' ', '>', ';', '?', '/']).next()?;
    let encoding = Encoding::for_label(label.as_bytes())?;
    // A head that could be read byte by byte is not UTF-16, whatever it says; and UTF-8 was tried already.
    (encoding.is_ascii_compatible() && encoding != UTF_8).then_some(encoding)
}

/// Whether the bytes are UTF-8 with a few faults rather than another encoding: at least four good multi-byte characters
/// for each bad place.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut n_good, mut n_bad) = (0usize, 0usize);
    for part in bytes[..bytes.len().min(SAMPLE_BYTES)].utf8_chunks() {
        n_good += part.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        n_bad += usize::from(!part.invalid().is_empty());
    }
    n_good >= 4 * n_bad && n_good > 0
}

fn warn(warnings: &mut Vec<ParseWarning>, message: String) {
    warnings.push(ParseWarning { kind: ParseWarningKind::Encoding, page: None, message });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, &'static str, Vec<ParseWarning>) {
        let mut warnings = Vec::new();
        let Decoded { text, encoding } = decode(bytes, &mut warnings);
        (text.into_owned(), encoding, warnings)
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn marks_decide() {
        assert_eq!(decoded(b"\xef\xbb\xbfM\xc3\xbcller").0, "Müller");
        let mut little = vec![0xff, 0xfe];
        little.extend(utf16("Prüfung", u16::to_le_bytes));
        assert_eq!(decoded(&little), ("Prüfung".into(), "UTF-16LE", vec![]));
        let mut wide = vec![0, 0, 0xfe, 0xff];
        wide.extend("Öl".chars().flat_map(|c| u32::from(c).to_be_bytes()));
        assert_eq!(decoded(&wide), ("Öl".into(), "UTF-32BE", vec![]));
    }

    #[test]
    fn utf16_without_a_mark_is_told_by_its_nuls() {
        let text = "Part;Qty\r\nSeal;2\r\n";
        assert_eq!(decoded(&utf16(text, u16::to_le_bytes)), (text.into(), "UTF-16LE", vec![]));
        assert_eq!(decoded(&utf16(text, u16::to_be_bytes)), (text.into(), "UTF-16BE", vec![]));
    }

    #[test]
    fn the_old_encodings_are_guessed_and_said() {
        let (text, encoding, warnings) =
            decoded(b"Die Dichtung f\xfcr das \xd6lventil pr\xfcfen, danach schlie\xdfen.");
        assert_eq!(text, "Die Dichtung für das Ölventil prüfen, danach schließen.");
        assert_eq!(encoding, "windows-1252");
        assert!(warnings[0].kind == ParseWarningKind::Encoding && warnings[0].message.contains("windows-1252"));
    }

    #[test]
    fn a_declared_encoding_is_believed_without_a_warning() {
        let (text, encoding, warnings) = decoded(b"<html><meta charset=\"iso-8859-5\"><p>\xbd\xd0\xe1\xde\xe1");
        assert!(text.ends_with("Насос"), "{text}");
        assert_eq!((encoding, warnings.len()), ("ISO-8859-5", 0));
    }

    #[test]
    fn damaged_utf8_stays_utf8_and_is_counted() {
        let (text, encoding, warnings) =
            decoded("Größe ä ö ü ß \u{e9}".as_bytes().iter().copied().chain([0xff]).collect::<Vec<_>>().as_slice());
        assert_eq!(encoding, "UTF-8");
        assert!(text.ends_with('\u{fffd}') && text.starts_with("Größe"));
        assert!(warnings[0].message.starts_with("1 characters"), "{warnings:?}");
    }

    #[test]
    fn nuls_are_left_out_with_a_warning() {
        let (text, _, warnings) = decoded(b"valve\0 closed");
        assert_eq!(text, "valve closed");
        assert_eq!(warnings[0].kind, ParseWarningKind::Damaged);
        assert!(decoded("a \u{fffd} of the source".as_bytes()).2.is_empty());
    }
}
