//! Opens a file, with a password where it asks for one.
//!
//! The library decrypts; what it leaves out is added here: a file of the older kind (RC4, AES-128) also opens with its
//! owner's password.

use super::super::ParseError;
use hayro_syntax::{
    DecryptionError, LoadPdfError, Pdf, PdfData,
    content::{TypedIter, ops::TypedInstruction},
    object::{Dict, Object, String as PdfString},
};
use md5::{Digest, Md5};
use unicode_normalization::UnicodeNormalization;

/// What a password is filled up with (ISO 32000-2, 7.6.4.3.2).
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08, 0x2E, 0x2E, 0x00,
    0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// Opens a file: without a password where that is enough, otherwise with the one that was given, be it its reader's or
/// its owner's.
///
/// # Errors
/// [`ParseError::Password`] where one is needed, [`ParseError::WrongPassword`] where another is, [`ParseError::Damaged`].
pub(super) fn open(bytes: &[u8], password: Option<&str>) -> Result<Pdf, ParseError> {
    let data = PdfData::from(bytes.to_vec());
    if let Some(pdf) = attempt(&data, "")? {
        return Ok(pdf);
    }
    let Some(password) = password.filter(|password| !password.is_empty()) else { return Err(ParseError::Password) };
    // Newer files want one of the forms in which the same letters can be written.
    let composed: String = password.nfkc().collect();
    let of_owner = Encryption::find(bytes).and_then(|encryption| encryption.user_password(password));
    for candidate in [Some(password), Some(composed.as_str()).filter(|other| *other != password), of_owner.as_deref()] {
        if let Some(candidate) = candidate
            && let Some(pdf) = attempt(&data, candidate)?
        {
            return Ok(pdf);
        }
    }
    Err(ParseError::WrongPassword)
}

/// `None` where the password is not the right one.
fn attempt(data: &PdfData, password: &str) -> Result<Option<Pdf>, ParseError> {
    let damaged = |detail: &str| ParseError::Damaged { detail: detail.to_owned() };
    match Pdf::new_with_password(data.clone(), password) {
        Ok(pdf) if pdf.pages().is_empty() => Err(damaged("it has no pages")),
        Ok(pdf) => Ok(Some(pdf)),
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected)) => Ok(None),
        Err(LoadPdfError::Decryption(_)) => Err(damaged("its encryption is not understood")),
        Err(LoadPdfError::Invalid) => Err(damaged("no pages were found")),
    }
}

/// What an encryption dictionary of revision 2 to 4 says, as far as the owner's password goes.
struct Encryption {
    owner: [u8; 32],
    revision: u8,
    n_key_bytes: usize,
}

impl Encryption {
    /// Looks for it in the bytes: a file that does not open gives no access to its parts. The dictionary itself is
    /// never encrypted or packed.
    fn find(bytes: &[u8]) -> Option<Self> {
        /// Longer ones are none.
        const MAX_BYTES: usize = 4096;
        let after = rfind(bytes, b"/Encrypt")? + b"/Encrypt".len();
        let rest = bytes.get(after..)?.trim_ascii_start();
        let dict = if rest.starts_with(b"<<") {
            rest
        } else {
            let mut numbers = rest.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
            let mut number = || std::str::from_utf8(numbers.next()?).ok()?.parse::<u32>().ok();
            let head = format!("{} {} obj", number()?, number()?);
            bytes.get(rfind(bytes, head.as_bytes())? + head.len()..)?
        };
        let dict = dict.get(..dict.len().min(MAX_BYTES))?;
        let end = find(dict, b"endobj").unwrap_or(dict.len());
        // As the properties of a marked-content operator, which is how the library reads a dictionary by itself.
        let operator = [b"/E ", &dict[..end], b" BDC"].concat();
        let mut operators = TypedIter::new(&operator);
        let Some(TypedInstruction::BeginMarkedContentWithProperties(mark)) = operators.next() else { return None };
        let Object::Dict(dict) = mark.1 else { return None };
        Self::of(dict)
    }

    fn of(dict: &Dict<'_>) -> Option<Self> {
        let revision = dict.get::<u8>("R").filter(|revision| (2..=4).contains(revision))?;
        let length_bits = dict.get::<u16>("Length").unwrap_or(if revision == 4 { 128 } else { 40 });
        let n_key_bytes = if revision == 2 { 5 } else { usize::from(length_bits / 8).clamp(5, 16) };
        let owner = dict.get::<PdfString<'_>>("O")?.as_bytes().get(..32)?.try_into().ok()?;
        Some(Self { owner, revision, n_key_bytes })
    }

    /// The reader's password, which such files keep encrypted with the owner's (ISO 32000-2, algorithm 7).
    fn user_password(&self, owner_password: &str) -> Option<String> {
        let mut padded = [0; 32];
        let letters = owner_password.bytes().chain(PADDING);
        padded.iter_mut().zip(letters).for_each(|(to, from)| *to = from);
        let mut digest = Md5::digest(padded);
        let later = self.revision >= 3;
        for _ in 0..if later { 50 } else { 0 } {
            digest = Md5::digest(digest);
        }
        let key = digest.get(..self.n_key_bytes)?;
        let mut password = self.owner;
        for round in (0..=if later { 19 } else { 0 }).rev() {
            let key: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
            rc4(&key, &mut password);
        }
        let length = (0..=password.len()).find(|at| password[*at..] == PADDING[..password.len() - at])?;
        String::from_utf8(password[..length].to_vec()).ok()
    }
}

/// RC4 in place; for the password alone, never for the file.
fn rc4(key: &[u8], bytes: &mut [u8]) {
    let mut state: [u8; 256] = std::array::from_fn(|n| n as u8);
    let mut j = 0_u8;
    for i in 0..256 {
        j = j.wrapping_add(state[i]).wrapping_add(key.get(i % key.len().max(1)).copied().unwrap_or_default());
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    for byte in bytes {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        *byte ^= state[usize::from(state[usize::from(i)].wrapping_add(state[usize::from(j)]))];
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

fn rfind(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::NoProgress,
        parse::{ParseOptions, parse_with},
    };

    /// The same sentence, protected with RC4 of 40 and 128 bits, AES of 128 and 256 bits; made with qpdf.
    const PROTECTED: [&[u8]; 4] = [
        include_bytes!("fixtures/rc4_40.pdf"),
        include_bytes!("fixtures/rc4_128.pdf"),
        include_bytes!("fixtures/aes_128.pdf"),
        include_bytes!("fixtures/aes_256.pdf"),
    ];

    fn read(bytes: &[u8], password: Option<&str>) -> Result<String, ParseError> {
        let options = ParseOptions { password: password.map(str::to_owned), ..ParseOptions::default() };
        let parsed = parse_with("seal.pdf", bytes, &options, &mut NoProgress)?;
        Ok(parsed.document.nodes.last().unwrap().text.clone())
    }

    #[test]
    fn either_password_opens_it_and_no_other() {
        for bytes in PROTECTED {
            for password in ["reader", "keeper"] {
                assert_eq!(read(bytes, Some(password)), Ok("The seal is changed every 4,000 hours.".to_owned()));
            }
            assert_eq!(read(bytes, None), Err(ParseError::Password));
            assert_eq!(read(bytes, Some("")), Err(ParseError::Password));
            assert_eq!(read(bytes, Some("Reader")), Err(ParseError::WrongPassword));
        }
    }

    #[test]
    fn what_opens_without_a_password_needs_none() {
        let bytes = include_bytes!("fixtures/no_reader_password.pdf");
        for password in [None, Some("keeper"), Some("another file's")] {
            assert_eq!(read(bytes, password), Ok("The seal is changed every 4,000 hours.".to_owned()));
        }
    }

    #[test]
    fn rc4_is_the_cipher_of_that_name() {
        let mut bytes = *b"Plaintext";
        rc4(b"Key", &mut bytes);
        assert_eq!(bytes, [0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3]);
    }
}
