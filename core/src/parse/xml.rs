//! XML as a tree of elements, and the reading of XML that no other reader knows: what its elements say.
//!
//! Entities are never expanded and nothing is ever fetched: a document type is skipped, an unknown reference stays as
//! it is written.

use super::{MAX_NODES, ParseError, ParseWarning, ParseWarningKind, kib, span, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind},
    host::Progress,
    text::collapse_whitespace,
};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesRef, BytesStart, Event},
};
use std::{borrow::Cow, ops::Range};

/// Elements inside one another; deeper ones stand side by side.
const MAX_DEPTH: usize = 64;
/// Elements that are kept: an invoice of 10,000 lines has some 300,000.
const MAX_ELEMENTS: usize = if cfg!(test) { 100_000 } else { 1_000_000 };
/// Longer names are cut: they become part of every field's name below them.
const MAX_NAME_BYTES: usize = 100;
/// Events between two reports.
const EVENTS_PER_TICK: u32 = 20_000;
/// A text longer than this is running text, not the value of a field.
const MAX_VALUE_CHARACTERS: usize = 160;

/// The place of an element in its tree.
pub(super) type ElementId = usize;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element<'s> {
    /// Its name without the prefix.
    pub(super) name: &'s str,
    /// Its attributes as written.
    attributes: &'s str,
    /// The text directly in it, blanks collapsed at both ends alone.
    pub(super) text: String,
    /// Where it stands in the source.
    pub(super) place: Range<usize>,
    first_child: Option<ElementId>,
    last_child: Option<ElementId>,
    next: Option<ElementId>,
    /// Text stands between its children.
    mixed: bool,
}

/// The elements of a source in order; the first is the root.
#[derive(Debug, Default)]
pub(super) struct Tree<'s> {
    elements: Vec<Element<'s>>,
}

impl<'s> Tree<'s> {
    /// Reads a source as far as it is well-formed, with a warning where that is not to its end.
    ///
    /// # Errors
    /// [`ParseError::Cancelled`].
    pub(super) fn read(
        source: &'s str,
        warnings: &mut Vec<ParseWarning>,
        progress: &mut dyn Progress,
    ) -> Result<Self, ParseError> {
        // The reader passes over a byte-order mark without counting it, and every place after it would be wrong.
        let n_marks = source.len() - source.trim_start_matches('\u{feff}').len();
        let mut reader = Reader::from_str(&source[n_marks..]);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut tree = Self::default();
        let mut open: Vec<ElementId> = Vec::new();
        let mut n_events = 0_u32;
        let at = |reader: &Reader<&[u8]>| {
            usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX).saturating_add(n_marks)
        };
        let stopped = loop {
            n_events = n_events.wrapping_add(1);
            let before = at(&reader);
            if n_events.is_multiple_of(EVENTS_PER_TICK) {
                tick(progress, kib(before), kib(source.len()))?;
            }
            match reader.read_event() {
                Ok(Event::Start(start)) => {
                    if tree.elements.len() >= MAX_ELEMENTS {
                        break Some((ParseWarningKind::Truncated, "is larger than what is read"));
                    }
                    let id = tree.begin(source, &start, before, &open);
                    open.push(id);
                }
                Ok(Event::End(_)) => {
                    if let Some(element) = open.pop().and_then(|id| tree.elements.get_mut(id)) {
                        element.place.end = at(&reader);
                    }
                }
                Ok(Event::Text(text)) => tree.text(&open, &text.xml10_content()),
                Ok(Event::CData(text)) => tree.text(&open, &text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => tree.text(&open, &resolve(&reference)),
                Ok(Event::Eof) if open.is_empty() => break None,
                Ok(Event::Eof) => break Some((ParseWarningKind::Damaged, "ends in the middle")),
                Ok(_) => {}
                Err(_) => break Some((ParseWarningKind::Damaged, "is not well-formed")),
            }
        };
        let end = at(&reader).min(source.len());
        for id in open {
            tree.elements[id].place.end = end;
        }
        if let Some((kind, what)) = stopped {
            let line = source.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!("The XML {what}; it was read up to line {line}. Ask its sender for a whole copy.");
            warnings.push(ParseWarning { kind, page: None, message });
        }
        for element in &mut tree.elements {
            element.text = element.text.trim().to_owned();
        }
        Ok(tree)
    }

    fn begin(&mut self, source: &'s str, start: &BytesStart<'_>, at: usize, open: &[ElementId]) -> ElementId {
        let id = self.elements.len();
        // The event borrows from the reader; the source lives longer. A tag begins with `<`.
        let name_end = at + 1 + start.name().as_ref().len();
        let attributes_end = name_end + start.attributes_raw().len();
        let full_name = source.get(at + 1..name_end).unwrap_or_default();
        let name = full_name.rsplit(':').next().unwrap_or(full_name);
        let name = &name[..name.floor_char_boundary(MAX_NAME_BYTES)];
        self.elements.push(Element {
            name,
            attributes: source.get(name_end..attributes_end).unwrap_or_default(),
            text: String::new(),
            place: at..attributes_end,
            first_child: None,
            last_child: None,
            next: None,
            mixed: false,
        });
        let parent = open.get(open.len().min(MAX_DEPTH).wrapping_sub(1)).copied();
        if let Some(parent) = parent {
            let around = &mut self.elements[parent];
            around.mixed |= !around.text.trim().is_empty();
            let last = around.last_child.replace(id);
            match last {
                Some(last) => self.elements[last].next = Some(id),
                None => self.elements[parent].first_child = Some(id),
            }
        }
        id
    }

    fn text(&mut self, open: &[ElementId], text: &str) {
        if let Some(element) = open.last().and_then(|id| self.elements.get_mut(*id)) {
            element.mixed |= element.first_child.is_some() && !text.trim().is_empty();
            element.text.push_str(text);
        }
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Option<ElementId> {
        (!self.elements.is_empty()).then_some(0)
    }

    /// The element with this id.
    pub(super) fn get(&self, id: ElementId) -> &Element<'s> {
        &self.elements[id]
    }

    /// The elements directly in one, in order.
    pub(super) fn children(&self, id: ElementId) -> impl Iterator<Item = ElementId> {
        std::iter::successors(self.elements[id].first_child, |child| self.elements[*child].next)
    }

    /// The first element directly in one that has this name.
    pub(super) fn child(&self, id: ElementId, name: &str) -> Option<ElementId> {
        self.children(id).find(|child| self.elements[*child].name == name)
    }
}

impl Element<'_> {
    /// The value of an attribute by its name without the prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.attributes().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Names, without prefixes, and values; namespaces are none of them.
    fn attributes(&self) -> impl Iterator<Item = (String, String)> {
        let tag = BytesStart::from_content(self.attributes, 0);
        let pairs: Vec<(String, String)> = tag
            .attributes()
            .with_checks(false)
            .filter_map(Result::ok)
            .filter(|attribute| attribute.key.as_namespace_binding().is_none())
            .map(|attribute| {
                // A reference that is not known stays as it is written.
                let value = attribute.normalized_value(XmlVersion::Explicit1_0);
                let value = value.map_or_else(|_| attribute.value.to_string(), Cow::into_owned);
                (attribute.key.local_name().as_ref().to_owned(), value)
            })
            .collect();
        pairs.into_iter()
    }
}

/// All text of a piece of XML, without its tags.
pub(super) fn text_of(piece: &str) -> String {
    let mut reader = Reader::from_str(piece);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut text = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Text(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::CData(part)) => text.push_str(&part.xml10_content()),
            Ok(Event::GeneralRef(reference)) => text.push_str(&resolve(&reference)),
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    collapse_whitespace(&text)
}

/// What a reference stands for: a character, one of XML's own five, or nothing known.
fn resolve(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    match &reference.xml10_content()[..] {
        "lt" => "<".to_owned(),
        "gt" => ">".to_owned(),
        "amp" => "&".to_owned(),
        "apos" => "'".to_owned(),
        "quot" => "\"".to_owned(),
        other => format!("&{other};"),
    }
}

/// Whether a text is XML by its declaration, or by its ending and its first character.
pub(super) fn begins(text: &str, named_xml: bool) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with("<?xml") || named_xml && text.starts_with('<')
}

/// The name, without its prefix, and the attributes as written of the first element of a text that begins as XML.
pub(super) fn root_tag(text: &str) -> Option<(&str, &str)> {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        rest = if let Some(inside) = rest.strip_prefix("<?") {
            inside.split_once("?>")?.1
        } else if let Some(inside) = rest.strip_prefix("<!--") {
            inside.split_once("-->")?.1
        } else if rest.starts_with("<!DOCTYPE") {
            // The internal subset stands in brackets.
            let end = rest.find('>')?;
            match rest.find('[') {
                Some(bracket) if bracket < end => rest.split_once("]>")?.1,
                _ => rest.get(end + 1..)?,
            }
        } else {
            break;
        }
        .trim_start();
    }
    let tag = rest.strip_prefix('<')?;
    let tag = &tag[..tag.find('>')?];
    let name_end = tag.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(tag.len());
    let (name, attributes) = tag.split_at(name_end);
    Some((name.rsplit(':').next().unwrap_or(name), attributes))
}

/// Reads XML of an unknown kind: an element with a short text is a field named by its place, one with a long text or
/// with text between its elements a paragraph.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn parse(
    id: DocumentId,
    name: &str,
    source: &str,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let tree = Tree::read(source, warnings, progress)?;
    let mut builder = DocumentBuilder::new(id, name);
    // Parents and names from the root down: (element, path of names below the root).
    let mut pending: Vec<(ElementId, String)> = tree.root().map(|root| (root, String::new())).into_iter().collect();
    while let Some((at, path)) = pending.pop() {
        if builder.n_nodes() >= MAX_NODES {
            let message = "The XML holds more than can be kept. Its rest is missing.".to_owned();
            warnings.push(ParseWarning { kind: ParseWarningKind::Truncated, page: None, message });
            break;
        }
        let element = tree.get(at);
        let mut add = |kind, text: &str| {
            let node = builder.leaf(kind, text);
            builder.span(node, span(element.place.clone()));
        };
        for (key, value) in element.attributes().filter(|(_, value)| !value.trim().is_empty()) {
            add(NodeKind::KeyValue, &format!("{} {key}: {}", shown(&path, element.name), collapse_whitespace(&value)));
        }
        if element.mixed {
            add(NodeKind::Paragraph, &text_of(source.get(element.place.clone()).unwrap_or_default()));
            continue;
        }
        let text = collapse_whitespace(&element.text);
        if text.chars().count() > MAX_VALUE_CHARACTERS {
            add(NodeKind::Paragraph, &text);
        } else if !text.is_empty() {
            add(NodeKind::KeyValue, &format!("{}: {text}", shown(&path, element.name)));
        }
        let below = if at == 0 { String::new() } else { shown(&path, element.name) };
        let n_before = pending.len();
        pending.extend(tree.children(at).map(|child| (child, below.clone())));
        pending[n_before..].reverse();
    }
    Ok(builder.finish())
}

/// A field's name: the element's, after that of the element around it.
fn shown(path: &str, name: &str) -> String {
    let around = path.rsplit('/').next().unwrap_or_default();
    if around.is_empty() { name.to_owned() } else { format!("{around}/{name}") }
}

#[cfg(test)]
mod tests;
