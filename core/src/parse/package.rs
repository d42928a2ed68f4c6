//! Packed documents (DOCX, ODT, XLSX): a ZIP archive of parts, read one at a time and within bounds.
//!
//! Not for knowing what is in a part, and never for writing to a disk: parts are read into memory, and a part that
//! would unpack to more than a browser tab can hold is refused.

use super::{ParseError, protected::odf::Locks};
use std::{
    collections::BTreeMap,
    io::{Cursor, Read as _},
};
use zip::{ZipArchive, result::ZipError};

/// Parts of one package. The largest real documents have some thousand pictures.
const MAX_PARTS: usize = 50_000;
/// Bytes of one part, unpacked. A text of 10,000 pages has some 100 MiB.
const MAX_PART_BYTES: u64 = if cfg!(test) { 4 << 20 } else { 160 << 20 };
/// Bytes of all parts that are read, unpacked.
const MAX_TOTAL_BYTES: u64 = if cfg!(test) { 6 << 20 } else { 320 << 20 };
/// A part beyond [`SMALL_BYTES`] that is this many times larger than it is packed was made to fill the memory: written
/// text packs to a tenth, the emptiest of sheets to a hundredth.
const MAX_RATIO: u64 = 400;
/// Below this no part can do harm, however well it packs.
const SMALL_BYTES: u64 = 2 << 20;

/// An opened package.
pub(crate) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    /// Places of the parts by their names in lower case: names differ in nothing else.
    parts: BTreeMap<String, usize>,
    unpacked_bytes: u64,
    /// Parts that a password opens.
    locks: Option<Locks>,
}

impl<'a> Package<'a> {
    /// Opens a package by its directory. O(number of parts).
    ///
    /// # Errors
    /// [`ParseError::Damaged`] where there is no directory or it is absurdly long.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged("its directory", &error))?;
        if archive.len() > MAX_PARTS {
            return Err(ParseError::Damaged { detail: format!("it holds more than {MAX_PARTS} parts") });
        }
        let name = |at| Some((at, archive.name_for_index(at)?.ok()?.replace('\\', "/").to_lowercase()));
        let parts = (0..archive.len()).filter_map(name);
        let parts = parts.map(|(at, name)| (name.trim_start_matches('/').to_owned(), at)).collect();
        Ok(Self { archive, parts, unpacked_bytes: 0, locks: None })
    }

    /// Has parts that an OpenDocument manifest says are encrypted opened with this password as they are read.
    ///
    /// # Errors
    /// [`ParseError::Password`] where one is needed, [`ParseError::Unsupported`] where they are encrypted in a way that
    /// is not read. Whether the password is right is seen when a part is read.
    pub(crate) fn unlock(&mut self, password: Option<&str>) -> Result<(), ParseError> {
        let manifest = self.optional_text("META-INF/manifest.xml").unwrap_or_default();
        self.locks = Locks::read(&manifest, password)?;
        Ok(())
    }

    /// Whether there is a part of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.parts.contains_key(&key(name))
    }

    /// Unpacks a part; `None` if there is none of this name.
    ///
    /// # Errors
    /// [`ParseError::Damaged`] where it cannot be unpacked or grows beyond all bounds, [`ParseError::Password`] where
    /// it is encrypted.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>, ParseError> {
        match self.beginning(name)? {
            Some((_, false)) => {
                Err(ParseError::Damaged { detail: format!("its part {name} unpacks to more than is credible") })
            }
            part => Ok(part.map(|(bytes, _)| bytes)),
        }
    }

    /// Unpacks a part as far as the bounds allow, and says whether they allowed all of it.
    fn beginning(&mut self, name: &str) -> Result<Option<(Vec<u8>, bool)>, ParseError> {
        let Some(at) = self.parts.get(&key(name)).copied() else { return Ok(None) };
        let file = match self.archive.by_index(at) {
            Ok(file) => file,
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword) => {
                return Err(ParseError::Password);
            }
            Err(error) => return Err(damaged(name, &error)),
        };
        let by_ratio = file.compressed_size().saturating_mul(MAX_RATIO).max(SMALL_BYTES);
        let left = MAX_TOTAL_BYTES.saturating_sub(self.unpacked_bytes);
        let limit = MAX_PART_BYTES.min(by_ratio).min(left);
        // What the directory says of the size may be a lie: what counts is what comes out.
        let mut bytes = Vec::new();
        let read = file.take(limit + 1).read_to_end(&mut bytes);
        self.unpacked_bytes += bytes.len() as u64;
        let is_whole = bytes.len() as u64 <= limit;
        let opened = match &self.locks {
            Some(locks) => locks.open(&key(name), &bytes, MAX_PART_BYTES.min(left) + 1)?,
            None => None,
        };
        if let Some(opened) = opened {
            self.unpacked_bytes += opened.len() as u64;
            let is_whole = is_whole && opened.len() as u64 <= MAX_PART_BYTES.min(left);
            return Ok(Some((opened, is_whole)));
        }
        match read {
            Ok(_) => Ok(Some((bytes, is_whole))),
            // A file that was cut off: what came out before the break can still be read.
            Err(_) if !bytes.is_empty() => Ok(Some((bytes, is_whole))),
            Err(error) => Err(damaged(name, &error)),
        }
    }

    /// Unpacks a part that is text. XML is UTF-8 unless it begins as UTF-16 does.
    ///
    /// # Errors
    /// As [`part`](Self::part).
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, ParseError> {
        Ok(self.part(name)?.map(decoded))
    }

    /// Unpacks a text whose beginning is worth reading where the whole is beyond bounds, as that of a sheet of a million
    /// rows. The second value tells whether it is whole. `None` if there is none of this name, or it cannot be unpacked.
    ///
    /// # Errors
    /// [`ParseError::Password`].
    pub(crate) fn text_within_bounds(&mut self, name: &str) -> Result<Option<(String, bool)>, ParseError> {
        match self.beginning(name) {
            Ok(part) => Ok(part.map(|(bytes, is_whole)| (decoded(bytes), is_whole))),
            Err(error @ (ParseError::Password | ParseError::WrongPassword)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Unpacks a text without which the document can still be read: a damaged one counts as absent.
    pub(crate) fn optional_text(&mut self, name: &str) -> Option<String> {
        self.text(name).ok().flatten()
    }
}

fn key(name: &str) -> String {
    name.trim_start_matches('/').to_lowercase()
}

fn damaged(part: &str, error: &dyn std::fmt::Display) -> ParseError {
    ParseError::Damaged { detail: format!("{part} cannot be unpacked: {error}") }
}

fn decoded(bytes: Vec<u8>) -> String {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>()
    };
    let text = match bytes.get(..2) {
        Some([0xff, 0xfe] | [b'<', 0]) => wide(u16::from_le_bytes),
        Some([0xfe, 0xff] | [0, b'<']) => wide(u16::from_be_bytes),
        _ => String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    };
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
pub(crate) mod fixture {
    //! Packages for tests, from names and texts.

    use std::io::{Cursor, Write as _};
    use zip::{ZipWriter, write::SimpleFileOptions};

    /// A package with these parts, the first uncompressed as OpenDocument wants it.
    pub(crate) fn package(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (at, (name, content)) in parts.iter().enumerate() {
            let method = if at == 0 { zip::CompressionMethod::Stored } else { zip::CompressionMethod::Deflated };
            writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::{fixture::package, *};

    #[test]
    fn parts_are_found_whatever_the_case_of_their_names() {
        let bytes = package(&[("Word/Document.xml", "<a/>"), ("b", "\u{feff}x")]);
        let mut package = Package::open(&bytes).unwrap();
        assert_eq!(package.text("/word/document.XML").unwrap().as_deref(), Some("<a/>"));
        assert_eq!(package.text("b").unwrap().as_deref(), Some("x"));
        assert_eq!(package.part("c"), Ok(None));
        assert!(package.has("B") && !package.has("c"));
    }

    #[test]
    fn what_unpacks_beyond_all_bounds_is_refused() {
        let bytes = package(&[("first", ""), ("bomb", &" ".repeat(3 << 20))]);
        let refused = Package::open(&bytes).unwrap().part("bomb");
        assert!(matches!(refused, Err(ParseError::Damaged { detail }) if detail.contains("bomb")));
        // Each part alone would do, all together do not.
        let text: String = (0..600_000).map(|n| format!("{n:x}")).collect();
        let bytes = package(&[("a", &text), ("b", &text), ("c", &text)]);
        let mut package = Package::open(&bytes).unwrap();
        let n_read = ["a", "b", "c"].iter().filter(|name| package.part(name).is_ok()).count();
        assert_eq!(n_read, 2);
    }

    #[test]
    fn what_is_no_archive_is_damaged() {
        for bytes in [&b""[..], b"PK\x03\x04", b"PK\x05\x06", &[b'P'; 100]] {
            assert!(matches!(Package::open(bytes), Err(ParseError::Damaged { .. })));
        }
    }

    #[test]
    fn utf_16_is_read_as_such() {
        let wide: Vec<u8> = "\u{feff}<ä/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(wide), "<ä/>");
    }
}
