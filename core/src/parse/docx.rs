//! DOCX (Office Open XML text, transitional and strict, with or without macros, which are never run).
//!
//! An own reader over `zip` and `quick-xml`, not the `docling` crate: see ARCHITECTURE.md. What a person sees is read,
//! in the version with all tracked changes accepted; what is beside the text (headers, comments, hidden words) is kept
//! and said to be so. Not for layout: pages are known only where Word wrote down where they began.

mod block;
mod drawing;
mod inline;
mod math;
mod names;
mod numbering;
mod parts;
mod reader;
mod styles;
mod symbols;
mod table;
#[cfg(test)]
mod tests;

use super::{
    ParseError, ParseWarning, ParseWarningKind, flow, kib, markup::Stream, package::Package, tick, writer::Writer,
};
use crate::{
    document::{Document, DocumentId, NodeKind},
    host::Progress,
};
use reader::{Reader, Told};

/// Reads a DOCX document. The title is its paragraph of that style, otherwise the heading above all others, otherwise
/// what its properties say.
///
/// # Errors
/// [`ParseError::Damaged`] where there is no text part, [`ParseError::Password`], [`ParseError::Cancelled`].
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut package = Package::open(bytes)?;
    let main = parts::main_part(&mut package);
    let Some(xml) = package.text(&main)? else {
        return Err(ParseError::Damaged { detail: format!("it has no part {main}") });
    };
    tick(progress, 0, kib(xml.len()))?;
    let mut writer = Writer::new(id, name);
    let title = parts::properties(&mut package, writer.builder());
    let (parts, numbering, furniture) = parts::read(&mut package, &main, &xml);
    for text in &furniture {
        writer.leaf(NodeKind::Furniture, text, None);
    }
    let mut reader = Reader::new(&mut writer, parts, numbering);
    let mut stream = Stream::new(&xml, names::prefixes);
    if !stream.enter("w:body") {
        return Err(ParseError::Damaged { detail: format!("its part {main} has no body") });
    }
    while let Some(block) = stream.next() {
        let (done, all) = stream.progress();
        tick(progress, kib(done), kib(all))?;
        reader.block(&block);
        if reader.flow.writer.is_full() {
            break;
        }
    }
    reader.finish();
    let skipped_part = reader.skipped_part;
    let document = flow::conclude(writer, &stream, "Word", title, warnings);
    if skipped_part {
        warnings.push(ParseWarning {
            kind: ParseWarningKind::Truncated,
            page: None,
            message: "Another document is inserted in this one and was not read. Open the file in Word and save it: \
                      that puts the text in."
                .to_owned(),
        });
    }
    Ok(document)
}

impl Reader<'_> {
    /// Writes what waits for the end: endnotes, and whatever is still open.
    fn finish(&mut self) {
        let carried = flow::lines(&std::mem::take(&mut self.carried));
        self.flow.begin_outside();
        self.flow.writer.paragraph(&carried, None);
        let parts = std::rc::Rc::clone(&self.parts);
        for (id, mark) in std::mem::take(&mut self.endnotes) {
            if let Some(note) = parts.endnotes.get(&id).filter(|_| self.tells(Told::Endnote, &id)) {
                self.note(note, &mark);
            }
        }
        self.flow.begin_outside();
    }
}
