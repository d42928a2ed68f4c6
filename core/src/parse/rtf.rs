//! RTF: what editors on factory machines and old Word versions write. Paragraphs, headings, lists, tables, footnotes.
//!
//! Not for pictures, drawings and embedded objects, which are only marked; fields show what they showed last.

mod letters;
mod paragraph;
mod reader;
mod styles;
mod table;
#[cfg(test)]
mod tests;
mod tokens;

use super::{ParseError, ParseWarning, ParseWarningKind, kib, tick, writer::Writer};
use crate::{
    document::{Document, DocumentId},
    host::Progress,
};
use reader::Reader;
use tokens::Tokens;

/// Tokens between two reports.
const TOKENS_PER_TICK: usize = 1 << 16;

/// Reads an RTF document.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut writer = Writer::new(id, name);
    let mut reader = Reader::new(&mut writer);
    let mut tokens = Tokens::new(bytes);
    let mut n_tokens = 0_usize;
    while let Some(token) = tokens.next() {
        n_tokens += 1;
        if n_tokens.is_multiple_of(TOKENS_PER_TICK) {
            tick(progress, kib(tokens.position()), kib(bytes.len()))?;
        }
        reader.token(token);
        if reader.is_full() {
            break;
        }
    }
    let is_cut = reader.is_full();
    let is_closed = reader.finish();
    let mut warn = |kind, message: &str| warnings.push(ParseWarning { kind, page: None, message: message.to_owned() });
    if is_cut {
        warn(
            ParseWarningKind::Truncated,
            "The document is very long; the rest was left out. Split it to have all of it.",
        );
    } else if !is_closed {
        warn(
            ParseWarningKind::Damaged,
            "The document breaks off before its end. Open it in its own program and save it anew.",
        );
    }
    let mut document = writer.finish();
    if let Some(title) = document.metadata.get("title").filter(|_| document.nodes[0].text.is_empty()) {
        document.nodes[0].text = title.clone();
    }
    Ok(document)
}
