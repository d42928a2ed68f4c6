//! Where single files lie in a wheel, which is a zip: told from its end, its directory and one local head, so that nobody
//! needs to hold the whole of it.
//!
//! Not for inflating, and not for archives of unknown make ([`crate::parse`] has its own ways with those): a wheel has the
//! hash that the catalogue says, or it is not looked at.

use std::ops::Range;

/// How much of the end must be looked at: the record of the directory, and a comment of the greatest length.
pub const TAIL_BYTES: u64 = 22 + (1 << 16);
/// How long a file's own head is, without what follows of varying length.
pub const HEAD_BYTES: u64 = 30;

/// A file of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whether it is deflated; otherwise it is stored as it is.
    pub is_deflated: bool,
    /// How many bytes it takes in the archive.
    pub packed_bytes: u64,
    /// Where its head is.
    pub head_at: u64,
}

/// Where the directory of an archive is, whose last bytes are `tail`. `None` if that is the end of no zip.
#[must_use]
pub fn directory(tail: &[u8]) -> Option<Range<u64>> {
    const END: &[u8] = b"PK\x05\x06";
    let end = tail.windows(END.len()).rposition(|window| window == END)?;
    let (length, at) = (u32_at(tail, end + 12)?, u32_at(tail, end + 16)?);
    Some(at..at.checked_add(length)?)
}

/// The file at `path` of a directory. `None` if it is not there, or packed in a way that wheels are not.
#[must_use]
pub fn entry(directory: &[u8], path: &str) -> Option<Entry> {
    let mut rest = directory;
    while rest.starts_with(b"PK\x01\x02") {
        let (name, extra, comment) = (u16_at(rest, 28)?, u16_at(rest, 30)?, u16_at(rest, 32)?);
        if rest.get(46..46 + name)? == path.as_bytes() {
            let method = u16_at(rest, 10)?;
            let entry = Entry { is_deflated: method == 8, packed_bytes: u32_at(rest, 20)?, head_at: u32_at(rest, 42)? };
            return matches!(method, 0 | 8).then_some(entry);
        }
        rest = rest.get(46 + name + extra + comment..)?;
    }
    None
}

/// How far behind the beginning of its head a file's bytes begin. `None` if `head` is none.
#[must_use]
pub fn data_offset(head: &[u8]) -> Option<u64> {
    let lengths = u16_at(head, 26)? + u16_at(head, 28)?;
    head.starts_with(b"PK\x03\x04").then_some(HEAD_BYTES + lengths as u64)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?)))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

    fn archive() -> Vec<u8> {
        let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let method = |method| SimpleFileOptions::default().compression_method(method);
        zip.start_file("m/a.txt", method(CompressionMethod::Stored)).unwrap();
        zip.write_all(b"first").unwrap();
        zip.start_file("m/b.bin", method(CompressionMethod::Deflated)).unwrap();
        zip.write_all(&b"weights ".repeat(1000)).unwrap();
        zip.set_comment("a comment").unwrap();
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn files_are_found_by_what_is_looked_at_alone() {
        let archive = archive();
        let directory = directory(&archive[archive.len() - 60..]).unwrap();
        let directory = &archive[directory.start as usize..directory.end as usize];
        let stored = entry(directory, "m/a.txt").unwrap();
        assert_eq!((stored.is_deflated, stored.packed_bytes, stored.head_at), (false, 5, 0));
        let begin = data_offset(&archive[..HEAD_BYTES as usize]).unwrap() as usize;
        assert_eq!(&archive[begin..begin + 5], b"first");
        assert!(entry(directory, "m/b.bin").is_some_and(|entry| entry.is_deflated && entry.packed_bytes < 100));
        assert_eq!(entry(directory, "m/c"), None);
    }

    #[test]
    fn what_is_cut_off_gives_nothing() {
        let archive = archive();
        for length in 0..archive.len() {
            let cut = &archive[..length];
            assert!(directory(cut).is_none_or(|place| place.end as usize <= archive.len()));
            let _ = (entry(cut, "m/b.bin"), data_offset(cut));
        }
    }
}
