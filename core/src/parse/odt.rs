//! OpenDocument text (ODT, OTT), as LibreOffice and others write it.
//!
//! What a person sees is read, in the version with all tracked changes accepted. Not for spreadsheets (ODS), which are
//! tables alone, and not for layout: pages are known only where the program wrote down where they began.

mod block;
mod inline;
mod lists;
mod names;
mod reader;
mod styles;
mod table;
#[cfg(test)]
mod tests;

use super::{
    ParseError, ParseWarning, flow, kib,
    markup::{self, Element, Stream},
    package::Package,
    tick,
    writer::Writer,
};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind},
    host::Progress,
    text::collapse_whitespace,
};
use reader::Reader;
use styles::Styles;

/// Reads an OpenDocument text. The title is its paragraph of that style, otherwise the heading above all others,
/// otherwise what its properties say.
///
/// # Errors
/// [`ParseError::Damaged`] where there is no text part, [`ParseError::Password`] or
/// [`ParseError::WrongPassword`], [`ParseError::Cancelled`].
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    password: Option<&str>,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut package = Package::open(bytes)?;
    // The manifest says what is encrypted; the text part then looks like noise.
    package.unlock(password)?;
    let Some(xml) = package.text("content.xml")? else {
        return Err(ParseError::Damaged { detail: "it has no part content.xml".to_owned() });
    };
    tick(progress, 0, kib(xml.len()))?;
    let mut writer = Writer::new(id, name);
    let title = properties(&mut package, writer.builder());
    let common = package.optional_text("styles.xml").and_then(|xml| markup::root(&xml, names::prefixes));
    let mut styles = Styles::default();
    if let Some(common) = &common {
        styles.add(common);
        for text in running(common) {
            writer.leaf(NodeKind::Furniture, &text, None);
        }
    }
    // Styles of the text's own stand before the text.
    let mut stream = Stream::new(&xml, names::prefixes);
    let mut reader = Reader::new(&mut writer, styles, xml.contains("text:soft-page-break"));
    if !stream.enter("office:document-content") {
        return Err(ParseError::Damaged { detail: "its part content.xml is no OpenDocument".to_owned() });
    }
    let mut has_body = false;
    while !has_body {
        match stream.next_unless("office:body") {
            markup::Next::Element(element) => reader.styles.add_from(&element),
            markup::Next::Entered => has_body = true,
            markup::Next::End => break,
        }
    }
    if !has_body || !stream.enter("office:text") {
        return Err(ParseError::Damaged { detail: "its part content.xml has no text".to_owned() });
    }
    while let Some(block) = stream.next() {
        let (done, all) = stream.progress();
        tick(progress, kib(done), kib(all))?;
        reader.formulas(&block, &mut package);
        reader.block(&block);
        if reader.flow.writer.is_full() {
            break;
        }
    }
    reader.finish();
    Ok(flow::conclude(writer, &stream, "LibreOffice", title, warnings))
}

/// Takes over what the properties say, and returns their title.
fn properties(package: &mut Package<'_>, builder: &mut DocumentBuilder) -> Option<String> {
    let root = package.optional_text("meta.xml").and_then(|xml| markup::root(&xml, names::prefixes))?;
    let meta = root.child("office:meta")?;
    let property = |name: &str| {
        meta.child(name).map(|element| collapse_whitespace(&element.text())).filter(|text| !text.is_empty())
    };
    for (key, name) in [
        ("author", "meta:initial-creator"),
        ("author", "dc:creator"),
        ("subject", "dc:subject"),
        ("description", "dc:description"),
        ("keywords", "meta:keyword"),
        ("language", "dc:language"),
        ("created", "meta:creation-date"),
        ("modified", "dc:date"),
    ] {
        // Who began it is its author; who saved it last only where nobody else is known.
        if let Some(value) = property(name)
            .filter(|_| key != "author" || name != "dc:creator" || property("meta:initial-creator").is_none())
        {
            builder.metadata(key, &value);
        }
    }
    let title = property("dc:title")?;
    builder.metadata("title", &title);
    Some(title)
}

/// The texts of running heads and feet, each once, a line a paragraph.
fn running(styles: &Element) -> Vec<String> {
    let pages = styles.child("office:master-styles").into_iter().flat_map(|pages| pages.all("style:master-page"));
    let mut texts: Vec<String> = Vec::new();
    for part in pages.flat_map(Element::children) {
        if !part.name.starts_with("style:header") && !part.name.starts_with("style:footer") {
            continue;
        }
        let mut paragraphs = Vec::new();
        inline::gather(part, &mut paragraphs);
        let lines = paragraphs.into_iter().map(|paragraph| collapse_whitespace(&inline::plain(paragraph)));
        let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
        if !text.is_empty() && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

impl Reader<'_> {
    /// Writes what waits for the end: endnotes, and whatever is still open.
    fn finish(&mut self) {
        self.flow.begin_outside();
        for (note, mark) in std::mem::take(&mut self.endnotes) {
            self.note(&note, &mark);
        }
        self.flow.begin_outside();
    }

    /// Unpacks the equations that a block shows, each a part of its own.
    fn formulas(&mut self, block: &Element, package: &mut Package<'_>) {
        let mut objects = Vec::new();
        inline::objects(block, &mut objects);
        for object in objects {
            let part = format!("{}/content.xml", object.trim_start_matches("./").trim_end_matches('/'));
            let root = package.optional_text(&part).and_then(|xml| markup::root(&xml, names::prefixes));
            // LibreOffice keeps what was typed: `a^2 + b^2 = c^2`.
            let typed =
                root.as_ref().filter(|root| &*root.name == "math:math").and_then(|root| root.find("math:annotation"));
            if let Some(typed) = typed {
                self.equations.insert(object.to_owned(), flow::lines(&typed.text()).replace('\n', "; "));
            }
        }
    }
}
