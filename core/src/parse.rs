//! Reading formats: bytes in, a [`Document`] tree and [`ParseWarning`]s out. One file a format.
//!
//! Not for deciding what to search: parsers keep everything, furniture included, and say what it is.
//! A malformed file gives a tree and warnings whenever anything can be read; an error only when nothing can.

mod admonition;
mod asciidoc;
mod attachment;
mod compound;
mod csv;
mod decode;
mod docx;
mod email;
#[cfg(test)]
mod fixture;
mod flow;
mod format;
#[cfg(test)]
mod hostile;
mod html;
mod invoice;
mod markdown;
mod markup;
mod numerals;
mod odt;
mod package;
mod pdf;
mod picture;
mod plain;
mod protected;
mod rtf;
pub mod scan;
mod sheets;
mod style_name;
#[cfg(test)]
mod tests;
pub(crate) mod unit;
mod writer;
mod xml;

use crate::{
    document::{Document, DocumentId, LineRange, Span},
    host::Progress,
};
use attachment::{Nest, Reading};
pub use decode::{Decoded, decode};
pub use format::Format;
#[cfg(feature = "scan")]
pub use pdf::PagePictures;
pub use pdf::{Bookmark, Word, bookmarks, page_words};
use serde::{Deserialize, Serialize};
use std::{ops::ControlFlow, sync::Arc};

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
    /// A page holds no text, and what its picture shows was read.
    ReadFromPicture,
    /// A bound was reached and the rest left out.
    Truncated,
    /// A part is of a kind that is not read: an attachment in another format, a form of a foreign make.
    NotRead,
    /// Something that a person looking at the document does not see was read too.
    Hidden,
    /// Pages are pictures, and no reader of scans was there: with one they can be read.
    ScanNotRead,
}

/// Why nothing of a file could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ParseError {
    /// No bytes, or nothing but white space or NUL.
    #[error("The file is empty. Check that it was saved or copied completely.")]
    Empty,
    /// The content is of a format that is not read.
    #[error(
        "This is {found}, which Millwright cannot read. It reads PDF, Word, RTF, spreadsheets, e-mails, electronic invoices, Markdown, HTML, CSV and plain text."
    )]
    Unsupported {
        /// What the content looks like, with its article: "a ZIP archive", "a PNG picture".
        found: String,
    },
    /// A password is needed.
    #[error("The file is protected with a password. Give the password to have it read.")]
    Password,
    /// The password that was given is not the file's.
    #[error("The file is protected, and this is not its password. Give the right one to have it read.")]
    WrongPassword,
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

/// The most nodes that a text format makes of one file; the rest is left out with a [`ParseWarningKind::Truncated`].
/// A node takes some 200 bytes with its text, so a full tree stays far below what a browser tab may use. Tests reach
/// the bound sooner.
pub(crate) const MAX_NODES: usize = if cfg!(test) { 50_000 } else { 1_000_000 };

/// What a reader may be told beyond the bytes.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// The password of a protected file.
    pub password: Option<String>,
    /// Headings of a PDF are told by their form even where it has bookmarks: to measure how well that is done.
    pub ignore_bookmarks: bool,
    /// Reads pages that are pictures; without it they are listed as not read.
    pub scans: Option<Arc<dyn scan::ReadScan>>,
}

/// What a file is, where its bytes alone tell; `None` for text and for what is not read. O(file) at worst.
#[must_use]
pub fn binary_format(bytes: &[u8]) -> Option<Format> {
    match format::content(bytes) {
        Ok(format::Content::Binary(format)) => Some(format),
        Ok(format::Content::Text) | Err(_) => None,
    }
}

/// Reads a file with nothing further known: [`parse_with`] and no options.
///
/// # Errors
/// As [`parse_with`].
pub fn parse(name: &str, bytes: &[u8], progress: &mut dyn Progress) -> Result<Parsed, ParseError> {
    parse_with(name, bytes, &ParseOptions::default(), progress)
}

/// Reads a file. The format is told by content; `name` (a file name or relative path) only decides between text formats.
///
/// # Errors
/// [`ParseError`] when nothing can be read, and [`ParseError::Cancelled`] when `progress` says stop.
pub fn parse_with(
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
    progress: &mut dyn Progress,
) -> Result<Parsed, ParseError> {
    parse_nested(name, bytes, options, &mut Nest::outermost(), progress)
}

/// The same of a file that may stand in another.
fn parse_nested(
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
    nest: &mut Nest,
    progress: &mut dyn Progress,
) -> Result<Parsed, ParseError> {
    let size_bytes = bytes.len() as u64;
    if size_bytes > MAX_FILE_BYTES {
        return Err(ParseError::TooLarge { size_bytes, limit_bytes: MAX_FILE_BYTES });
    }
    let mut warnings = Vec::new();
    tick(progress, 0, 0)?;
    let id = DocumentId::of(bytes);
    let opened;
    let mut bytes = bytes;
    if format::is_protected(bytes) {
        opened = protected::open(bytes, options.password.as_deref())?;
        bytes = &opened;
    }
    let (document, format) = match format::content(bytes)? {
        format::Content::Binary(format) => {
            format::check_ending(name, format, &mut warnings);
            let mut reading = Reading { options, nest, warnings: &mut warnings, progress };
            (binary(format, id, name, bytes, &mut reading)?, format)
        }
        format::Content::Text => text(name, bytes, options, nest, &mut warnings, progress)?,
    };
    Ok(Parsed { document, warnings, format })
}

/// Reads a file of a format that is known by its bytes.
fn binary(
    format: Format,
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    reading: &mut Reading<'_>,
) -> Result<Document, ParseError> {
    let password = reading.options.password.as_deref();
    match format {
        Format::Pdf => return pdf::parse(id, name, bytes, reading),
        Format::Email => return email::parse(id, name, bytes, reading),
        _ => {}
    }
    let Reading { options, warnings, progress, .. } = reading;
    match format {
        Format::Xlsx | Format::Xlsb | Format::Xls | Format::Ods => {
            sheets::parse(format, id, name, bytes, password, warnings, *progress)
        }
        Format::Docx => docx::parse(id, name, bytes, warnings, *progress),
        Format::Rtf => rtf::parse(id, name, bytes, warnings, *progress),
        Format::Odt => odt::parse(id, name, bytes, password, warnings, *progress),
        Format::Picture => picture::parse(id, name, bytes, options, warnings, *progress),
        _ => Err(format::unsupported(bytes)),
    }
}

/// Reads a file that is text in some encoding.
fn text(
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
    nest: &mut Nest,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<(Document, Format), ParseError> {
    let id = DocumentId::of(bytes);
    let decoded = decode(bytes, warnings);
    if decoded.text.trim().is_empty() {
        return Err(ParseError::Empty);
    }
    let format = format::text_format(name, &decoded.text);
    format::check_ending(name, format, warnings);
    let text = &decoded.text;
    let mut document = match format {
        Format::Email => email::parse(id, name, bytes, &mut Reading { options, nest, warnings, progress })?,
        Format::Invoice => invoice::parse(id, name, text, &mut Reading { options, nest, warnings, progress })?,
        Format::Markdown => markdown::parse(id, name, text, warnings, progress)?,
        Format::Html => html::parse(id, name, text, warnings, progress)?,
        Format::Csv => csv::parse(id, name, text, warnings, progress)?,
        Format::Xml => xml::parse(id, name, text, warnings, progress)?,
        _ if format::is_asciidoc(name) => asciidoc::parse(id, name, text, warnings, progress)?,
        _ => plain::parse(id, name, text, warnings, progress)?,
    };
    document.metadata.insert("encoding".to_owned(), decoded.encoding.to_owned());
    place_lines(&mut document, &decoded.text);
    Ok((document, format))
}

/// Says of every node with a place in the source which lines it stands on. O(text + nodes log lines).
fn place_lines(document: &mut Document, source: &str) {
    let starts: Vec<usize> = std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1)).collect();
    // The number of lines that begin at or before a byte is the number of the line it stands on.
    let line = |at: u32| u32::try_from(starts.partition_point(|start| *start <= at as usize)).unwrap_or(u32::MAX);
    for node in &mut document.nodes {
        if let Some(span) = node.span {
            let last = span.end.saturating_sub(1).max(span.start);
            node.lines = Some(LineRange { first: line(span.start), last: line(last) });
        }
    }
}

/// How far a text is read, in KiB, as [`tick`] wants it.
pub(crate) fn kib(bytes: usize) -> u32 {
    u32::try_from(bytes >> 10).unwrap_or(u32::MAX)
}

/// A range of the source as a [`Span`]; files are far smaller than 4 GiB.
pub(crate) fn span(range: std::ops::Range<usize>) -> Span {
    let bound = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: bound(range.start), end: bound(range.end) }
}
