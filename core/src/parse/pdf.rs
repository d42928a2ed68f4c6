//! PDF: text page by page with positions.

use super::{ParseError, ParseWarning};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind},
    host::Progress,
};

/// Reads it. Skeleton: one paragraph.
///
/// # Errors
/// [`ParseError`] when nothing can be read.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    text: &[u8],
    _warnings: &mut Vec<ParseWarning>,
    _progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut builder = DocumentBuilder::new(id, name);
    builder.leaf(NodeKind::Paragraph, &String::from_utf8_lossy(text));
    Ok(builder.finish())
}
