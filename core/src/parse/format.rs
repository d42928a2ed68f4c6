//! Tells formats by content; the ending only decides between text formats.

use super::{ParseError, ParseWarning, ParseWarningKind, csv, decode, email, invoice, xml};
use serde::{Deserialize, Serialize};

mod magic;

pub(crate) use magic::is_protected;

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
    /// Office Open XML text: DOCX, DOCM, DOTX.
    Docx,
    /// OpenDocument text.
    Odt,
    /// Office Open XML workbook: XLSX, XLSM.
    Xlsx,
    /// Excel's binary workbook.
    Xlsb,
    /// Excel's workbook before 2007.
    Xls,
    /// OpenDocument spreadsheet.
    Ods,
    /// An e-mail as it was sent (RFC 5322), with its attachments.
    Email,
    /// An electronic invoice as XML: Cross Industry Invoice or UBL (Factur-X, ZUGFeRD, XRechnung).
    Invoice,
    /// A picture of a page: PNG, JPEG or TIFF.
    Picture,
    /// XML of any other kind.
    Xml,
    /// Rich Text Format.
    Rtf,
}

impl Format {
    /// The endings under which files of these formats come, for pickers to offer: any other file can still be chosen, and
    /// is told by its content.
    pub const ENDINGS: [&str; 35] = [
        "pdf", "docx", "docm", "dotx", "odt", "ott", "rtf", "xlsx", "xlsm", "xlsb", "xls", "ods", "csv", "tsv", "tab",
        "md", "markdown", "adoc", "rst", "html", "htm", "xhtml", "txt", "text", "log", "eml", "xml", "json", "png",
        "jpg", "jpeg", "tif", "tiff", "ini", "yaml",
    ];

    /// The name that users see.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Markdown => "Markdown",
            Self::Html => "HTML",
            Self::Csv => "CSV",
            Self::Text => "Text",
            Self::Docx => "Word (DOCX)",
            Self::Odt => "OpenDocument text",
            Self::Xlsx => "Excel (XLSX)",
            Self::Xlsb => "Excel (XLSB)",
            Self::Xls => "Excel (XLS)",
            Self::Ods => "OpenDocument spreadsheet",
            Self::Email => "E-mail",
            Self::Invoice => "Electronic invoice",
            Self::Picture => "Picture",
            Self::Xml => "XML",
            Self::Rtf => "Rich text (RTF)",
        }
    }
}

/// What raw bytes are, as far as they must be told apart before they are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A format that is known by its bytes.
    Binary(Format),
    /// Text in some encoding.
    Text,
}

/// Tells the formats known by their bytes from text, and refuses everything else.
///
/// # Errors
/// [`ParseError::Empty`] and [`ParseError::Unsupported`].
pub(crate) fn content(bytes: &[u8]) -> Result<Content, ParseError> {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Err(ParseError::Empty);
    }
    if magic::is_pdf(bytes) {
        return Ok(Content::Binary(Format::Pdf));
    }
    if let Some(format) = magic::format(bytes) {
        return Ok(Content::Binary(format));
    }
    if let Some(found) = magic::known(bytes) {
        return Err(ParseError::Unsupported { found: found.to_owned() });
    }
    // Before it is decoded: a message may hold parts in several encodings, or binary ones.
    if email::begins(bytes) {
        return Ok(Content::Binary(Format::Email));
    }
    if !decode::is_wide(bytes) && magic::is_binary(bytes) {
        return Err(ParseError::Unsupported { found: "binary data".to_owned() });
    }
    Ok(Content::Text)
}

/// The refusal of a file that is of a known kind, but not one that is read.
pub(crate) fn unsupported(bytes: &[u8]) -> ParseError {
    ParseError::Unsupported { found: magic::known(bytes).unwrap_or("binary data").to_owned() }
}

/// The format of a text: HTML, XML and invoices by what they begin with, the others by the ending.
pub(crate) fn text_format(name: &str, text: &str) -> Format {
    if invoice::is_invoice(text) {
        return Format::Invoice;
    }
    match (Ending::of(name), begins_as_html(text)) {
        (Ending::Text(Format::Html), _) | (_, true) => Format::Html,
        (Ending::Text(Format::Email), false) if !email::has_headers(text) => Format::Text,
        (Ending::Text(format), false) => format,
        // Spreadsheet programs are handed HTML and delimited text under their own endings all the time.
        (Ending::Spreadsheet, false) if csv::is_delimited(text) => Format::Csv,
        (Ending::Free, false) if xml::begins(text, ending(name).as_deref() == Some("xml")) => Format::Xml,
        _ => Format::Text,
    }
}

/// Whether a text calls itself AsciiDoc.
pub(crate) fn is_asciidoc(name: &str) -> bool {
    matches!(ending(name).as_deref(), Some("adoc" | "asciidoc" | "asc"))
}

/// Warns where the name promises another format than the content has.
pub(crate) fn check_ending(name: &str, format: Format, warnings: &mut Vec<ParseWarning>) {
    let agrees = match Ending::of(name) {
        Ending::Text(ending) | Ending::Binary(ending) => ending == format,
        // The ending stays the same whatever the program that wrote it.
        Ending::Spreadsheet => matches!(format, Format::Xls | Format::Xlsx | Format::Xlsb | Format::Ods),
        Ending::Free => {
            matches!(
                format,
                Format::Text | Format::Markdown | Format::Csv | Format::Email | Format::Invoice | Format::Xml
            )
        }
        Ending::Other => false,
    };
    // A file without any ending promises nothing.
    if let Some(ending) = ending(name).filter(|_| !agrees) {
        warnings.push(ParseWarning {
            kind: ParseWarningKind::WrongEnding,
            page: None,
            message: format!(
                "The name ends in .{ending}, but the content is {}; it was read as that.",
                match format {
                    Format::Text => "plain text",
                    other => other.label(),
                }
            ),
        });
    }
}

/// What an ending promises.
enum Ending {
    /// A format that is text.
    Text(Format),
    /// A format known by its bytes.
    Binary(Format),
    /// A spreadsheet.
    Spreadsheet,
    /// Something that is not text.
    Other,
    /// Text of any kind, or nothing.
    Free,
}

/// Endings that promise something which is not text: a text under such a name is worth a warning.
const NOT_TEXT: [&str; 30] = [
    "7z", "avi", "bin", "bmp", "doc", "dwg", "epub", "exe", "gif", "gz", "heic", "mkv", "mov", "mp3", "mp4", "odp",
    "ogg", "pages", "ppt", "pptx", "psd", "rar", "sqlite", "tar", "tgz", "wav", "webm", "webp", "xz", "zip",
];

impl Ending {
    fn of(name: &str) -> Self {
        match ending(name).as_deref() {
            Some("pdf") => Self::Binary(Format::Pdf),
            Some("docx" | "docm" | "dotx" | "dotm") => Self::Binary(Format::Docx),
            Some("rtf") => Self::Binary(Format::Rtf),
            Some("odt" | "ott") => Self::Binary(Format::Odt),
            Some("png" | "jpg" | "jpeg" | "jpe" | "tif" | "tiff") => Self::Binary(Format::Picture),
            Some("eml") => Self::Text(Format::Email),
            Some("md" | "markdown" | "mdown" | "mkd") => Self::Text(Format::Markdown),
            Some("html" | "htm" | "xhtml" | "xht") => Self::Text(Format::Html),
            Some("csv" | "tsv" | "tab" | "psv") => Self::Text(Format::Csv),
            Some("xls" | "xlsx" | "xlsm" | "xlsb" | "ods") => Self::Spreadsheet,
            Some(other) if NOT_TEXT.contains(&other) => Self::Other,
            _ => Self::Free,
        }
    }
}

/// The ending in lower case, without the dot.
fn ending(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next()?;
    let (stem, ending) = last.rsplit_once('.')?;
    (!stem.is_empty() && !ending.is_empty()).then(|| ending.to_lowercase())
}

/// Whether a text begins as an HTML document: a doctype or `<html>` after nothing but comments, declarations and white
/// space. A text that merely mentions HTML does not.
fn begins_as_html(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let skipped = ["<?", "<!--"].into_iter().zip(["?>", "-->"]).find_map(|(open, close)| {
            let inside = rest.strip_prefix(open)?;
            Some(inside.split_once(close)?.1.trim_start())
        });
        match skipped {
            Some(after) => rest = after,
            None => break,
        }
    }
    let mut head = rest.chars().take(16).collect::<String>();
    head.make_ascii_lowercase();
    let tag = |name: &str| {
        head.strip_prefix(name).is_some_and(|after| after.starts_with(|c: char| c == '>' || c.is_whitespace()))
    };
    head.starts_with("<!doctype html") || tag("<html") || tag("<head") || tag("<body")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unsupported(bytes: &[u8]) -> String {
        match content(bytes) {
            Err(ParseError::Unsupported { found }) => found,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn content_wins_over_the_ending() {
        let mut warnings = Vec::new();
        let format = text_format("a.txt", "<!-- saved -->\n<!DOCTYPE html><html>");
        check_ending("a.txt", format, &mut warnings);
        assert_eq!((format, warnings[0].kind), (Format::Html, ParseWarningKind::WrongEnding));
        assert_eq!(text_format("a.md", "Write `<html>` first"), Format::Markdown);
        assert_eq!(text_format("a.pdf", "just text"), Format::Text);
    }

    #[test]
    fn a_spreadsheet_that_is_text_is_read_as_a_table() {
        assert_eq!(text_format("a.xls", "Part\tQty\nSeal\t2\nNut\t4\n"), Format::Csv);
        assert_eq!(text_format("a.xls", "One line of prose."), Format::Text);
    }

    #[test]
    fn names_without_an_ending_promise_nothing() {
        let mut warnings = Vec::new();
        for name in ["README", "manuals.d/LICENSE", ".profile", "pump.nc", "setup.ini"] {
            check_ending(name, text_format(name, "text"), &mut warnings);
        }
        assert_eq!(warnings, []);
    }

    #[test]
    fn nothing_and_padding_are_empty() {
        for bytes in [&b""[..], b" \r\n\t", &[0; 4096]] {
            assert_eq!(content(bytes), Err(ParseError::Empty));
        }
    }

    #[test]
    fn other_formats_are_named() {
        assert_eq!(unsupported(b"PK\x03\x04\x14\0\0\0\0\0photos/a.jpg"), "a ZIP archive");
        assert_eq!(unsupported(b"GIF89a\0\0\0\rIHDR"), "a GIF picture");
        assert_eq!(unsupported(&[7, 1, 0, 200, 3, 9, 1, 2, 250, 1, 2, 3, 9, 4, 130, 1]), "binary data");
    }

    #[test]
    fn packed_formats_are_told_apart_by_what_is_in_them() {
        for (inside, format) in [
            ("word/document.xml", Format::Docx),
            ("xl/workbook.xml", Format::Xlsx),
            ("xl/workbook.bin", Format::Xlsb),
            ("mimetypeapplication/vnd.oasis.opendocument.spreadsheet", Format::Ods),
        ] {
            assert_eq!(content(format!("PK\x03\x04\x14\0{inside}").as_bytes()), Ok(Content::Binary(format)));
        }
        assert_eq!(content(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Ok(Content::Binary(Format::Picture)));
    }

    #[test]
    fn a_text_that_mentions_pdf_is_text() {
        assert_eq!(content(b"%PDF-1.4\n1 0 obj"), Ok(Content::Binary(Format::Pdf)));
        assert_eq!(content(b"junk\r\n%PDF-1.4\n1 0 obj"), Ok(Content::Binary(Format::Pdf)));
        assert_eq!(content(b"A PDF file begins with %PDF-1.4 and a version."), Ok(Content::Text));
    }
}
