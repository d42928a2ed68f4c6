//! Packages (DOCX, ODT, workbooks) as their parts: `%%name` on a line of its own, then the part. So a mutation changes an
//! element, not a checksum.

use crate::records;
use std::io::{Cursor, Read as _, Write as _};
use zip::{CompressionMethod, ZipArchive, ZipWriter, write::SimpleFileOptions};

/// What stands before the name of a part.
const MARK: &[u8] = b"\n%%";
/// Larger parts of a seed are left out: a seed should be small.
const MAX_SEED_PART_BYTES: u64 = 24 << 10;
/// A larger seed is none.
const MAX_SEED_BYTES: usize = 60 << 10;

/// A part that is there and empty.
pub(crate) const NOTHING: &str = "<a/>";
/// What a workbook refers to, by the numbers that [`crate::target`]'s defaults use.
pub(crate) const WORKBOOK_RELATIONS: &str = "<Relationships>\
    <Relationship Id=\"r1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.xml\"/>\
    <Relationship Id=\"r2\" Type=\"x/styles\" Target=\"styles.xml\"/>\
    <Relationship Id=\"r3\" Type=\"x/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>";
/// The same of a binary one.
pub(crate) const BINARY_RELATIONS: &str = "<Relationships>\
    <Relationship Id=\"rId1\" Type=\"x/worksheet\" Target=\"worksheets/sheet1.bin\"/>\
    <Relationship Id=\"rId2\" Type=\"x/styles\" Target=\"styles.bin\"/>\
    <Relationship Id=\"rId3\" Type=\"x/sharedStrings\" Target=\"sharedStrings.bin\"/></Relationships>";

/// The package of the parts in an input and of the defaults that it lacks, stored. `has_records` says that parts named
/// `.bin` are series of records.
pub(crate) fn write(input: &[u8], defaults: &[(&str, &str)], has_records: bool) -> Vec<u8> {
    let mut parts: Vec<(String, Vec<u8>)> = Vec::new();
    for part in split(input) {
        let end = part.iter().position(|byte| *byte == b'\n').unwrap_or(part.len());
        let name = String::from_utf8_lossy(&part[..end]).into_owned();
        let content = part.get(end + 1..).unwrap_or_default();
        let content = if has_records && name.ends_with(".bin") { records::long(content) } else { content.to_vec() };
        parts.push((name, content));
    }
    let missing = defaults.iter().filter(|(name, _)| parts.iter().all(|(other, _)| other != name));
    let mut all: Vec<(String, Vec<u8>)> =
        missing.map(|(name, content)| ((*name).to_owned(), content.as_bytes().to_vec())).collect();
    all.append(&mut parts);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in all {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        // A name that stands there twice is refused, which is as well.
        if writer.start_file(name, stored).is_ok() {
            writer.write_all(&content).expect("memory takes it");
        }
    }
    writer.finish().map(Cursor::into_inner).unwrap_or_default()
}

/// The parts of a package as an input; the large ones left out. `None` where it is no package or too large even so.
pub(crate) fn read(file: &[u8], has_records: bool) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(file)).ok()?;
    let mut input = Vec::new();
    for at in 0..archive.len() {
        let Ok(mut part) = archive.by_index(at) else { continue };
        let Ok(name) = part.name().map(|name| name.into_owned()) else { continue };
        let is_wanted = [".xml", ".rels", ".bin"].iter().any(|ending| name.ends_with(ending))
            && !["theme", "docProps", "printerSettings", "Content_Types"].iter().any(|word| name.contains(word));
        let mut content = Vec::new();
        if !is_wanted || part.size() > MAX_SEED_PART_BYTES || part.read_to_end(&mut content).is_err() {
            continue;
        }
        let content = if has_records && name.ends_with(".bin") { records::split_long(&content) } else { content };
        input.extend_from_slice(MARK);
        input.extend_from_slice(name.as_bytes());
        input.push(b'\n');
        input.extend_from_slice(&content);
    }
    (!input.is_empty() && input.len() <= MAX_SEED_BYTES).then_some(input)
}

/// The pieces of an input, each with its name in its first line.
pub(crate) fn split(input: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = input.strip_prefix(&MARK[1..]).unwrap_or(input);
    rest = rest.strip_prefix(MARK).unwrap_or(rest);
    while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
        pieces.push(&rest[..at]);
        rest = &rest[at + MARK.len()..];
    }
    pieces.push(rest);
    pieces
}
