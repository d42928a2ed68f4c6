//! Markdown: CommonMark with GitHub's tables, footnotes, task lists and alerts, and front matter.
//!
//! Not for showing: emphasis, links and code spans become their text, template tags are dropped.

mod containers;
mod front_matter;
mod inline;
mod liquid;
mod reader;
mod toml;
mod value;

use super::{ParseError, ParseWarning, span, writer::Writer};
use crate::{
    document::{Document, DocumentId, NodeId},
    host::Progress,
};
use containers::Piece;
use reader::{Labels, Place, Reader};
use std::borrow::Cow;

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
    let (body, body_start) = match front_matter::split(text) {
        Some((matter, start)) => {
            front_matter::write(&mut writer, text, &matter, warnings);
            writer.builder().close_to(NodeId::ROOT);
            (&text[start..], start)
        }
        None => (text, 0),
    };
    let pieces = containers::pieces(body);
    // Only what has front matter goes through a site generator, whose tags are no content.
    let body = if body_start > 0 { liquid::blank(body) } else { Cow::Borrowed(body) };
    let title = reader::title(&body);
    let labels = if pieces.len() > 1 { reader::labels(&body) } else { Labels::new() };
    for piece in pieces {
        let (range, admonition) = match piece {
            Piece::Text(range) => (range, None),
            Piece::Admonition { kind, label, content, indented } => (content, Some((kind, label, indented))),
        };
        let place = span(body_start + range.start..body_start + range.end);
        let inside = &body[range.clone()];
        match admonition {
            None => {
                let title = title.clone().filter(|title| range.contains(&title.start));
                let title = title.map(|title| title.start - range.start);
                Reader::new(&mut writer, inside, Place::At(body_start + range.start))
                    .with_title(title)
                    .with_labels(&labels)
                    .read(warnings, progress)?;
            }
            Some((kind, label, indented)) => {
                writer.open_as(kind, &label, Some(place));
                if indented {
                    Reader::new(&mut writer, &containers::outdent(inside), Place::Within(place))
                        .with_labels(&labels)
                        .read_part();
                } else {
                    Reader::new(&mut writer, inside, Place::At(body_start + range.start)).read(warnings, progress)?;
                }
                writer.close();
            }
        }
    }
    Ok(writer.finish())
}
