//! Reading formats: bytes in, a [`Document`] tree and [`ParseWarning`]s out. One file a format.
//!
//! Not for deciding what to search: parsers keep everything, furniture included, and say what it is.
//! A malformed file gives a tree and warnings whenever anything can be read; an error only when nothing can.

mod csv;
mod decode;
mod format;
mod html;
mod markdown;
mod pdf;
mod plain;

use crate::{
    document::{Document, DocumentId},
    host::Progress,
};
pub use decode::{Decoded, decode};
pub use format::Format;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Something a reader should know about how a file was read. Kept with the document and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParseWarning {
    /// What kind of thing it is.
    pub kind: ParseWarningKind,
    /// The page concerned, from 1, if one is.
    pub page: Option<u32>,
    /// What happened and what it means for the reader, as a full sentence.
    pub message: String,
}

/// The kinds of [`ParseWarning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParseWarningKind {
    /// The encoding was guessed or bytes could not be decoded.
    Encoding,
    /// The ending says one format, the content another.
    WrongEnding,
    /// A part was damaged and left out or repaired.
    Damaged,
    /// A page holds no text: probably a scan.
    NoText,
    /// A bound was reached and the rest left out.
    Truncated,
}

/// Why nothing of a file could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ParseError {
    /// No bytes, or nothing but white space or NUL.
    #[error("The file is empty. Check that it was saved or copied completely.")]
    Empty,
    /// The content is of a format that is not read.
    #[error("This is {found}, which Millwright cannot read. It reads PDF, Markdown, HTML, CSV and plain text.")]
    Unsupported {
        /// What the content looks like, with its article: "a ZIP archive", "a PNG picture".
        found: String,
    },
    /// A password is needed.
    #[error("The file is protected with a password. Save a copy without the password and add that.")]
    Password,
    /// The file is larger than what is read.
    #[error("The file has {size_bytes} bytes; at most {limit_bytes} are read. Split it and add the parts.")]
    TooLarge {
        /// Its size.
        size_bytes: u64,
        /// The bound.
        limit_bytes: u64,
    },
    /// The content is broken so that nothing could be read.
    #[error(
        "The file is damaged and nothing could be read from it ({detail}). Open it in its own program and save it anew."
    )]
    Damaged {
        /// What the reader stumbled over, short.
        detail: String,
    },
    /// The caller stopped it.
    #[error("Stopped.")]
    Cancelled,
}

/// Turns a progress report into an early return.
pub(crate) fn tick(progress: &mut dyn Progress, done: u32, total: u32) -> Result<(), ParseError> {
    match progress.report(done, total) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(ParseError::Cancelled),
    }
}

/// A parsed file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parsed {
    /// The tree.
    pub document: Document,
    /// What a reader should know about it.
    pub warnings: Vec<ParseWarning>,
    /// What the content turned out to be.
    pub format: Format,
}

/// The largest file that is read, in bytes.
pub const MAX_FILE_BYTES: u64 = 512 << 20;

/// Reads a file. The format is told by content; `name` (a file name or relative path) only decides between text formats.
///
/// # Errors
/// [`ParseError`] when nothing can be read, and [`ParseError::Cancelled`] when `progress` says stop.
pub fn parse(name: &str, bytes: &[u8], progress: &mut dyn Progress) -> Result<Parsed, ParseError> {
    let size_bytes = bytes.len() as u64;
    if size_bytes > MAX_FILE_BYTES {
        return Err(ParseError::TooLarge { size_bytes, limit_bytes: MAX_FILE_BYTES });
    }
    let id = DocumentId::of(bytes);
    let mut warnings = Vec::new();
    let format = format::detect(name, bytes, &mut warnings)?;
    tick(progress, 0, 0)?;
    let document = match format {
        Format::Pdf => pdf::parse(id, name, bytes, &mut warnings, progress)?,
        text_format => {
            let decoded = decode(bytes, &mut warnings);
            let mut document = match text_format {
                Format::Markdown => markdown::parse(id, name, &decoded.text, &mut warnings, progress)?,
                Format::Html => html::parse(id, name, &decoded.text, &mut warnings, progress)?,
                Format::Csv => csv::parse(id, name, &decoded.text, &mut warnings, progress)?,
                Format::Text | Format::Pdf => plain::parse(id, name, &decoded.text, &mut warnings, progress)?,
            };
            document.metadata.insert("encoding".to_owned(), decoded.encoding.to_owned());
            document
        }
    };
    Ok(Parsed { document, warnings, format })
}
