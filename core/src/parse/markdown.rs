//! Markdown: CommonMark with GitHub's tables, footnotes, task lists and alerts, and front matter.
//!
//! Not for showing: emphasis, links and code spans become their text, template tags are dropped.

mod front_matter;
mod liquid;
mod reader;
mod toml;
mod value;

use super::{ParseError, ParseWarning, writer::Writer};
use crate::{
    document::{Document, DocumentId, NodeId},
    host::Progress,
};
use reader::{Place, Reader};

/// Reads a Markdown document. The title is the front matter's, or the only first-level heading if the text begins with
/// it; that heading is then no section.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    text: &str,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut writer = Writer::new(id, name);
    let Some((matter, body_start)) = front_matter::split(text) else {
        Reader::new(&mut writer, text, Place::At(0)).with_title().read(warnings, progress)?;
        return Ok(writer.finish());
    };
    front_matter::write(&mut writer, text, &matter, warnings);
    writer.builder().close_to(NodeId::ROOT);
    let body = liquid::blank(&text[body_start..]);
    let reader = Reader::new(&mut writer, &body, Place::At(body_start));
    reader.with_title().read(warnings, progress)?;
    Ok(writer.finish())
}
