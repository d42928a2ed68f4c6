//! A ZIP package of parts, read within bounds: only what is asked for is inflated, and never beyond a size.

use flate2::read::DeflateDecoder;
use std::{collections::BTreeMap, io::Read};

/// More parts than any document has.
const MAX_PARTS: usize = 20_000;

/// The parts of a package by name.
#[derive(Debug)]
pub(crate) struct Package<'b> {
    bytes: &'b [u8],
    parts: BTreeMap<String, Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    offset: usize,
    packed: usize,
    method: u16,
    is_encrypted: bool,
}

impl<'b> Package<'b> {
    /// Reads the directory. `None` if there is none.
    pub(crate) fn open(bytes: &'b [u8]) -> Option<Self> {
        let end = bytes.len().saturating_sub(66_000);
        let at = end + bytes.get(end..)?.windows(4).rposition(|window| window == b"PK\x05\x06")?;
        let mut entry = usize::try_from(u32_at(bytes, at + 16)?).ok()?;
        let mut parts = BTreeMap::new();
        while bytes.get(entry..entry.checked_add(4)?) == Some(b"PK\x01\x02") && parts.len() < MAX_PARTS {
            let length = |offset| u16_at(bytes, entry + offset).map(usize::from);
            let (name, extra, comment) = (length(28)?, length(30)?, length(32)?);
            let part = Part {
                offset: usize::try_from(u32_at(bytes, entry + 42)?).ok()?,
                packed: usize::try_from(u32_at(bytes, entry + 20)?).ok()?,
                method: u16_at(bytes, entry + 10)?,
                is_encrypted: u16_at(bytes, entry + 8)? & 1 == 1,
            };
            let name = String::from_utf8_lossy(bytes.get(entry + 46..entry + 46 + name)?).replace('\\', "/");
            parts.insert(name, part);
            entry += 46 + length(28)? + extra + comment;
        }
        (!parts.is_empty()).then_some(Self { bytes, parts })
    }

    /// Whether a part needs a password.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.parts.values().any(|part| part.is_encrypted)
    }

    /// A part, up to `limit` bytes of it: whether it is whole is the second value. `None` if it is not there or is
    /// packed in an unknown way.
    pub(crate) fn part(&self, name: &str, limit: u64) -> Option<(Vec<u8>, bool)> {
        let part = self.parts.get(name).or_else(|| {
            // Names differ in case in packages of some writers.
            self.parts.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, part)| part)
        })?;
        let header = part.offset;
        if part.is_encrypted || self.bytes.get(header..header.checked_add(4)?) != Some(b"PK\x03\x04") {
            return None;
        }
        let skip = usize::from(u16_at(self.bytes, header + 26)?) + usize::from(u16_at(self.bytes, header + 28)?);
        let packed = self.bytes.get(header + 30 + skip..)?;
        let packed = packed.get(..part.packed).unwrap_or(packed);
        let mut content = Vec::new();
        let is_whole = match part.method {
            0 => std::io::copy(&mut packed.take(limit), &mut content).is_ok(),
            8 => DeflateDecoder::new(packed).take(limit).read_to_end(&mut content).is_ok(),
            _ => return None,
        };
        let is_whole = is_whole && (content.len() as u64) < limit;
        Some((content, is_whole))
    }

    /// The same as text.
    pub(crate) fn text(&self, name: &str, limit: u64) -> Option<(String, bool)> {
        let (bytes, is_whole) = self.part(name, limit)?;
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => crate::parse::decode(error.as_bytes(), &mut Vec::new()).text.into_owned(),
        };
        Some((text, is_whole))
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
