//! Plain text: paragraphs, headings and steps by form.

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
    text: &str,
    _warnings: &mut Vec<ParseWarning>,
    _progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut builder = DocumentBuilder::new(id, name);
    builder.leaf(NodeKind::Paragraph, text);
    Ok(builder.finish())
}
