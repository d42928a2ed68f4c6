//! Whether decoding a stream stays within bounds: a few kilobytes may unpack to gigabytes.
//!
//! Not for decoding: streams that pass are decoded by the library. What it decodes by itself (object streams) is out
//! of reach here.

use flate2::read::ZlibDecoder;
use hayro_syntax::{Filter, object::Stream};
use std::io::{Read as _, copy, sink};

/// DEFLATE cannot do better (1,032 to 1, RFC 1951's longest match in the fewest bits).
const MAX_DEFLATE_RATIO: usize = 1_032;
/// LZW streams of more bytes than this are refused; no page that was written for people has one.
const MAX_LZW_BYTES: usize = 16 << 20;

/// Whether the decoded stream has at most `limit` bytes, as far as can be told without keeping it.
pub(super) fn stays_within(stream: &Stream<'_>, limit: usize) -> bool {
    let raw = stream.raw_data();
    let filters = stream.filters();
    let n_of = |wanted: Filter| filters.iter().filter(|filter| **filter == wanted).count();
    let (n_deflate, n_lzw) = (n_of(Filter::FlateDecode), n_of(Filter::LzwDecode));
    if n_lzw > 0 && (n_deflate + n_lzw > 1 || raw.len() > MAX_LZW_BYTES) {
        return false;
    }
    match n_deflate {
        0 => true,
        1 => raw.len().saturating_mul(MAX_DEFLATE_RATIO) <= limit || inflates_within(&raw, limit),
        // Packed twice: the first must come out so small that the second cannot exceed the limit.
        2 => inflates_within(&raw, limit / MAX_DEFLATE_RATIO),
        _ => false,
    }
}

/// Whether a zlib stream inflates to at most `limit` bytes. What is damaged or wrapped in another filter passes: it ends
/// early, or was short to begin with.
fn inflates_within(raw: &[u8], limit: usize) -> bool {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    copy(&mut ZlibDecoder::new(raw).take(most), &mut sink()).is_ok_and(|n_bytes| n_bytes < most) || !is_zlib(raw)
}

/// The two bytes that a zlib stream begins with (RFC 1950, 2.2).
fn is_zlib(raw: &[u8]) -> bool {
    matches!(raw, [first, second, ..] if first & 15 == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write as _;

    #[test]
    fn a_bomb_is_told_by_its_size() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&vec![0; 1 << 20]).unwrap();
        let packed = encoder.finish().unwrap();
        assert!(packed.len() < 2_000);
        assert!(inflates_within(&packed, 1 << 20) && !inflates_within(&packed, (1 << 20) - 1));
        assert!(inflates_within(b"BT (no zlib) Tj ET", 1));
    }
}
