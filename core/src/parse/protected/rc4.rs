//! RC4 over the streams of XLS files (MS-XLS 2.2.10): with a key of 40 bits as Excel 97 wrote it, or of up to 128.

use super::{DEFAULT_PASSWORD, utf16};
use crate::parse::ParseError;
use md5::{Digest, Md5};
use sha1::Sha1;

/// The key changes after so many bytes of the stream.
const BLOCK_BYTES: usize = 1024;
const FILE_PASS: u16 = 0x2f;

/// What a file says of its encryption.
enum Scheme {
    /// MD5, keys of 40 bits stretched to 128.
    Old { salt: [u8; 16] },
    /// SHA-1, keys of as many bytes.
    Crypto { salt: [u8; 16], key_bytes: usize },
}

/// Decrypts the stream of a workbook in place, if it is encrypted. Lengths and kinds of records never are.
///
/// # Errors
/// [`ParseError::Password`], [`ParseError::WrongPassword`], and [`ParseError::Unsupported`] for other ways.
pub(crate) fn decrypt(stream: &mut [u8], password: Option<&str>) -> Result<(), ParseError> {
    let Some((at, length)) = records(stream).take(64).find(|(kind, _, _)| *kind == FILE_PASS).map(|(_, at, n)| (at, n))
    else {
        return Ok(());
    };
    let unknown = || ParseError::Unsupported {
        found: "an old Excel workbook (XLS) that is protected in the way of Excel 95 (saved as XLSX it can be read)"
            .to_owned(),
    };
    let (scheme, verifier) = read(&stream[at..at + length]).ok_or_else(unknown)?;
    let password = password.filter(|password| !password.is_empty());
    let base = scheme.base(password.unwrap_or(DEFAULT_PASSWORD));
    if !scheme.opens(&base, &verifier) {
        return Err(if password.is_some() { ParseError::WrongPassword } else { ParseError::Password });
    }
    let ranges: Vec<(usize, usize)> =
        records(stream).map(|(kind, at, length)| (at + n_plain(kind, length), at + length)).collect();
    let mut key: Option<(usize, [u8; BLOCK_BYTES])> = None;
    for (start, end) in ranges {
        for place in start..end {
            let block = place / BLOCK_BYTES;
            if key.as_ref().is_none_or(|(known, _)| *known != block) {
                key = Some((block, scheme.stream(&base, block)));
            }
            if let Some((_, bytes)) = &key {
                stream[place] ^= bytes[place % BLOCK_BYTES];
            }
        }
    }
    Ok(())
}

/// Kind, first byte and length of every record.
fn records(stream: &[u8]) -> impl Iterator<Item = (u16, usize, usize)> + '_ {
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        let [a, b, c, d] = *stream.get(at..)?.first_chunk()?;
        let (kind, length) = (u16::from_le_bytes([a, b]), usize::from(u16::from_le_bytes([c, d])));
        let start = at + 4;
        at = start.checked_add(length).filter(|end| *end <= stream.len())?;
        Some((kind, start, length))
    })
}

/// How many bytes of a record are never encrypted.
fn n_plain(kind: u16, length: usize) -> usize {
    match kind {
        // The beginnings, the encryption's own record, and those about sharing.
        0x809 | FILE_PASS | 0xe1 | 0x194 | 0x195 | 0x196 | 0x138 => length,
        // Where a sheet begins.
        0x85 => length.min(4),
        _ => 0,
    }
}

/// The scheme, and an encrypted number followed by its encrypted hash.
fn read(record: &[u8]) -> Option<(Scheme, Vec<u8>)> {
    let number = |at: usize| record.get(at..)?.first_chunk().map(|two| u16::from_le_bytes(*two));
    let long = |at: usize| record.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four) as usize);
    if number(0)? != 1 {
        return None;
    }
    match (number(2)?, number(4)?) {
        (1, 1) => Some((Scheme::Old { salt: *record.get(6..)?.first_chunk()? }, record.get(22..54)?.to_vec())),
        (2..=4, 2) => {
            let header = long(10)?;
            let key_bits = long(14 + 16)?;
            let key_bytes = if key_bits == 0 { 5 } else { key_bits / 8 };
            let verifier = record.get(14_usize.checked_add(header)?..)?;
            let salt = *verifier.get(4..)?.first_chunk()?;
            let encrypted = [verifier.get(20..36)?, verifier.get(40..60)?].concat();
            (5..=16).contains(&key_bytes).then_some((Scheme::Crypto { salt, key_bytes }, encrypted))
        }
        _ => None,
    }
}

impl Scheme {
    /// What the keys of all blocks are made from.
    fn base(&self, password: &str) -> Vec<u8> {
        match self {
            Self::Old { salt } => {
                let hash = Md5::digest(utf16(password));
                let mut stretched = Md5::new();
                for _ in 0..16 {
                    stretched.update(&hash[..5]);
                    stretched.update(salt);
                }
                stretched.finalize()[..5].to_vec()
            }
            Self::Crypto { salt, .. } => {
                Sha1::new().chain_update(salt).chain_update(utf16(password)).finalize().to_vec()
            }
        }
    }

    fn cipher(&self, base: &[u8], block: usize) -> Rc4 {
        let number = u32::try_from(block).unwrap_or(u32::MAX).to_le_bytes();
        match self {
            Self::Old { .. } => Rc4::new(&Md5::new().chain_update(base).chain_update(number).finalize()),
            Self::Crypto { key_bytes, .. } => {
                let mut key = Sha1::new().chain_update(base).chain_update(number).finalize()[..*key_bytes].to_vec();
                // A key of 40 bits is filled up.
                if *key_bytes == 5 {
                    key.resize(16, 0);
                }
                Rc4::new(&key)
            }
        }
    }

    /// Whether a number and its hash, decrypted, fit together.
    fn opens(&self, base: &[u8], verifier: &[u8]) -> bool {
        let mut cipher = self.cipher(base, 0);
        let opened: Vec<u8> = verifier.iter().map(|byte| byte ^ cipher.next()).collect();
        let (number, hash) = opened.split_at(16.min(opened.len()));
        match self {
            Self::Old { .. } => Md5::digest(number).as_slice() == hash,
            Self::Crypto { .. } => Sha1::digest(number).as_slice() == hash,
        }
    }

    /// What a block of the stream is mixed with.
    fn stream(&self, base: &[u8], block: usize) -> [u8; BLOCK_BYTES] {
        let mut cipher = self.cipher(base, block);
        std::array::from_fn(|_| cipher.next())
    }
}

/// RC4, of which nothing is kept but its state.
struct Rc4 {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Rc4 {
    fn new(key: &[u8]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
        let mut j = 0_u8;
        for at in 0..256 {
            j = j.wrapping_add(state[at]).wrapping_add(key[at % key.len().max(1)]);
            state.swap(at, usize::from(j));
        }
        Self { state, i: 0, j: 0 }
    }

    fn next(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        self.j = self.j.wrapping_add(self.state[usize::from(self.i)]);
        self.state.swap(usize::from(self.i), usize::from(self.j));
        let sum = self.state[usize::from(self.i)].wrapping_add(self.state[usize::from(self.j)]);
        self.state[usize::from(sum)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream of two records, encrypted as Excel 97 does.
    fn encrypted(password: &str) -> Vec<u8> {
        let scheme = Scheme::Old { salt: *b"sixteen of salt!" };
        let base = scheme.base(password);
        let number = *b"a number of 16 b";
        let plain = [number.as_slice(), Md5::digest(number).as_slice()].concat();
        let mut cipher = scheme.cipher(&base, 0);
        let verifier: Vec<u8> = plain.iter().map(|byte| byte ^ cipher.next()).collect();
        let pass = [&[1, 0, 1, 0, 1, 0][..], b"sixteen of salt!", &verifier].concat();
        let mut stream = vec![0x09, 0x08, 4, 0, 0, 6, 5, 0, 0x2f, 0, pass.len() as u8, 0];
        stream.extend(&pass);
        // One that reaches into the second block.
        let text: Vec<u8> = (0..1200).map(|n| (n % 251) as u8).collect();
        stream.extend([0x04, 0x02]);
        stream.extend((text.len() as u16).to_le_bytes());
        let start = stream.len();
        stream.extend(&text);
        for (place, byte) in stream.iter_mut().enumerate().skip(start) {
            *byte ^= scheme.stream(&base, place / BLOCK_BYTES)[place % BLOCK_BYTES];
        }
        stream
    }

    #[test]
    fn a_stream_opens_with_its_password_alone() {
        let mut stream = encrypted("sésame");
        assert_eq!(decrypt(&mut stream, None), Err(ParseError::Password));
        assert_eq!(decrypt(&mut stream, Some("other")), Err(ParseError::WrongPassword));
        assert_eq!(decrypt(&mut stream, Some("sésame")), Ok(()));
        let last = stream.len() - 1200;
        assert!(stream[last..].iter().enumerate().all(|(n, byte)| *byte == (n % 251) as u8));
        // Excel's own password is never asked for.
        assert_eq!(decrypt(&mut encrypted(DEFAULT_PASSWORD), None), Ok(()));
    }

    #[test]
    fn the_cipher_is_rc4() {
        let mut cipher = Rc4::new(b"Key");
        let encrypted: Vec<u8> = b"Plaintext".iter().map(|byte| byte ^ cipher.next()).collect();
        assert_eq!(encrypted, [0xbb, 0xf3, 0x16, 0xe8, 0xd9, 0x40, 0xaf, 0x0a, 0xd3]);
    }

    #[test]
    fn what_breaks_off_is_refused_or_left() {
        let stream = encrypted("x");
        for end in 0..120 {
            let _either = decrypt(&mut stream[..end].to_vec(), Some("x"));
        }
    }
}
