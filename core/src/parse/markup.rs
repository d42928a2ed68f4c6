//! The XML parts of packed documents as small trees, one block at a time, so that a long document is never held whole.
//!
//! Namespaces become short prefixes of our own choosing, whatever prefixes the file uses. Entities that a document
//! defines are never expanded and nothing outside is ever fetched: the reader knows no more than the five of XML.

use quick_xml::{
    NsReader,
    escape::resolve_predefined_entity,
    events::{BytesRef, BytesStart, Event},
    name::{Namespace, ResolveResult},
};

/// Elements inside one another; deeper ones stand side by side. Word itself nests tables some dozen deep at most, and
/// readers may walk down a tree by calling themselves.
const MAX_DEPTH: usize = 100;
/// Elements inside one another, in the file: each looks through the namespaces of all around it. What nests deeper is cut.
const MAX_NESTING: usize = 10_000;
/// Elements of one block: a table of 50,000 cells. The rest of a larger block is left out.
const MAX_ELEMENTS: usize = if cfg!(test) { 20_000 } else { 1_000_000 };

/// The prefix by which a namespace is known here; `None` for those that are not read.
pub(crate) type Prefixes = fn(&str) -> Option<&'static str>;

/// An element with all that is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    /// `w:p`; without a prefix where the namespace is none, `?:p` where it is unknown.
    pub(crate) name: Box<str>,
    attributes: Vec<(Box<str>, Box<str>)>,
    /// What is in it, in order.
    pub(crate) content: Vec<Content>,
}

/// What stands in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// An element.
    Element(Element),
    /// Text.
    Text(String),
}

impl Element {
    /// An attribute by its name, `w:val`; those without a prefix by their bare name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| **known == *name).map(|(_, value)| &**value)
    }

    /// The elements directly in it.
    pub(crate) fn children(&self) -> impl DoubleEndedIterator<Item = &Self> {
        self.content.iter().filter_map(|content| match content {
            Content::Element(element) => Some(element),
            Content::Text(_) => None,
        })
    }

    /// The first element of this name directly in it.
    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children().find(|child| *child.name == *name)
    }

    /// The elements of this name directly in it.
    pub(crate) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children().filter(move |child| *child.name == *name)
    }

    /// The first element of this name anywhere in it.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        self.children().find_map(|child| if *child.name == *name { Some(child) } else { child.find(name) })
    }

    /// An attribute of a child: `("w:pStyle", "w:val")`.
    pub(crate) fn value(&self, child: &str, attribute: &str) -> Option<&str> {
        self.child(child)?.attribute(attribute)
    }

    /// All text in it.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.push_text(&mut text);
        text
    }

    fn push_text(&self, text: &mut String) {
        for content in &self.content {
            match content {
                Content::Text(part) => text.push_str(part),
                Content::Element(element) => element.push_text(text),
            }
        }
    }
}

/// What comes next in a part.
pub(crate) enum Next {
    /// An element with all that is in it.
    Element(Element),
    /// The element that was asked for, now entered.
    Entered,
    /// The end of the element that was entered before.
    End,
}

/// A part that is read from its beginning to its end.
pub(crate) struct Stream<'x> {
    reader: NsReader<&'x [u8]>,
    prefixes: Prefixes,
    n_bytes: usize,
    /// Elements that are open.
    n_open: usize,
    over: bool,
    /// The XML broke off or made no sense; what was read before counts.
    pub(crate) damaged: bool,
    /// A block was too large and lost its end.
    pub(crate) truncated: bool,
}

impl<'x> Stream<'x> {
    pub(crate) fn new(xml: &'x str, prefixes: Prefixes) -> Self {
        let mut reader = NsReader::from_str(xml);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        Self { reader, prefixes, n_bytes: xml.len(), n_open: 0, over: false, damaged: false, truncated: false }
    }

    /// Goes into the next element of this name; `false`, at the end of the part, where there is none.
    pub(crate) fn enter(&mut self, name: &str) -> bool {
        loop {
            match self.event() {
                Some(Event::Start(start)) if *self.element(&start).name == *name => return true,
                Some(Event::Empty(start)) if *self.element(&start).name == *name => {
                    self.over = true;
                    return true;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// The next element in the one that was entered; `None` at its end.
    pub(crate) fn next(&mut self) -> Option<Element> {
        match self.next_unless("") {
            Next::Element(element) => Some(element),
            Next::Entered | Next::End => None,
        }
    }

    /// The same, but an element of this name is entered.
    pub(crate) fn next_unless(&mut self, name: &str) -> Next {
        loop {
            match self.event() {
                Some(Event::Start(start)) => {
                    let element = self.element(&start);
                    if *element.name == *name {
                        return Next::Entered;
                    }
                    return Next::Element(self.tree(element));
                }
                Some(Event::Empty(start)) => return Next::Element(self.element(&start)),
                Some(Event::End(_)) => self.over = true,
                Some(_) => {}
                None => return Next::End,
            }
        }
    }

    /// How far the part is read, in bytes, and its length.
    pub(crate) fn progress(&self) -> (usize, usize) {
        (usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX), self.n_bytes)
    }

    /// Reads on to the end of an element.
    fn tree(&mut self, root: Element) -> Element {
        let mut open = vec![root];
        let mut n_elements = 0;
        // Elements that are open in the file, but stand side by side here.
        let mut n_flat = 0_usize;
        loop {
            let event = self.event();
            let full = n_elements >= MAX_ELEMENTS;
            let Some(top) = open.last_mut() else { return Element::default() };
            match event {
                Some(Event::Start(start)) => {
                    n_elements += 1;
                    let element = self.element(&start);
                    if full || open.len() >= MAX_DEPTH {
                        n_flat += 1;
                    } else {
                        open.push(element);
                    }
                    self.truncated |= full;
                }
                Some(Event::Empty(start)) if !full => {
                    n_elements += 1;
                    top.content.push(Content::Element(self.element(&start)));
                }
                Some(Event::Empty(_)) => self.truncated = true,
                Some(Event::Text(text)) if !full => push_text(top, &text.xml10_content()),
                Some(Event::CData(text)) if !full => push_text(top, &text.xml10_content()),
                Some(Event::GeneralRef(reference)) if !full => push_text(top, &resolved(&reference)),
                Some(Event::End(_)) if n_flat > 0 => n_flat -= 1,
                Some(Event::End(_)) => {
                    if let Some(done) = close(&mut open) {
                        return done;
                    }
                }
                Some(_) => {}
                // The file ends in the middle: everything that is open ends here.
                None => loop {
                    if let Some(done) = close(&mut open) {
                        return done;
                    }
                },
            }
        }
    }

    /// The next event; `None` at the end and for ever after.
    fn event(&mut self) -> Option<Event<'x>> {
        if self.over {
            return None;
        }
        match self.reader.read_event() {
            Ok(Event::Eof) => self.over = true,
            Ok(Event::Start(_)) if self.n_open >= MAX_NESTING => (self.over, self.damaged) = (true, true),
            Ok(event) => {
                match event {
                    Event::Start(_) => self.n_open += 1,
                    Event::End(_) => self.n_open = self.n_open.saturating_sub(1),
                    _ => {}
                }
                return Some(event);
            }
            Err(_) => (self.over, self.damaged) = (true, true),
        }
        None
    }

    /// An element without its content.
    fn element(&self, start: &BytesStart<'_>) -> Element {
        let resolver = self.reader.resolver();
        let named = |(namespace, local): (ResolveResult<'_>, &str)| match namespace {
            ResolveResult::Bound(Namespace("http://www.w3.org/XML/1998/namespace")) => format!("xml:{local}").into(),
            ResolveResult::Bound(Namespace(uri)) => format!("{}:{local}", (self.prefixes)(uri).unwrap_or("?")).into(),
            ResolveResult::Unbound => local.into(),
            ResolveResult::Unknown(_) => format!("?:{local}").into(),
        };
        let (namespace, local) = resolver.resolve_element(start.name());
        let mut attributes = Vec::new();
        // Names that occur twice are no reason to refuse a document.
        for attribute in start.attributes().with_checks(false).filter_map(Result::ok) {
            if attribute.key.as_namespace_binding().is_some() {
                continue;
            }
            let (namespace, local) = resolver.resolve_attribute(attribute.key);
            let value = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0);
            let value = value.map_or_else(|_| attribute.value.as_ref().into(), |value| value.as_ref().into());
            attributes.push((named((namespace, local.into_inner())), value));
        }
        Element { name: named((namespace, local.into_inner())), attributes, content: Vec::new() }
    }
}

/// A whole part as a tree; `None` where it holds no element.
pub(crate) fn root(xml: &str, prefixes: Prefixes) -> Option<Element> {
    Stream::new(xml, prefixes).next()
}

/// Ends the innermost element; returns it if it was the last.
fn close(open: &mut Vec<Element>) -> Option<Element> {
    let done = open.pop().unwrap_or_default();
    match open.last_mut() {
        Some(parent) => {
            parent.content.push(Content::Element(done));
            None
        }
        None => Some(done),
    }
}

fn push_text(element: &mut Element, text: &str) {
    match element.content.last_mut() {
        Some(Content::Text(before)) => before.push_str(text),
        _ => element.content.push(Content::Text(text.to_owned())),
    }
}

/// What a reference stands for; nothing for entities that the document defines itself.
fn resolved(reference: &BytesRef<'_>) -> String {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => character.to_string(),
        _ => resolve_predefined_entity(&reference.xml10_content()).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefixes(uri: &str) -> Option<&'static str> {
        (uri == "urn:w").then_some("w")
    }

    fn read(xml: &str) -> Element {
        root(xml, prefixes).unwrap()
    }

    #[test]
    fn prefixes_are_ours() {
        let element =
            read(r#"<x:a xmlns:x="urn:w" x:b="1&amp;2" c="3"><d xmlns="urn:other"/>t&lt;<![CDATA[&]]></x:a>"#);
        assert_eq!(&*element.name, "w:a");
        assert_eq!((element.attribute("w:b"), element.attribute("c")), (Some("1&2"), Some("3")));
        assert_eq!(&*element.children().next().unwrap().name, "?:d");
        assert_eq!(element.text(), "t<&");
    }

    #[test]
    fn entities_are_not_expanded() {
        let xml =
            r#"<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y SYSTEM "file:///etc/passwd">]><a b="&x;">1&x;2&y;3&#x41;</a>"#;
        assert_eq!(read(xml).text(), "123A");
    }

    #[test]
    fn blocks_come_one_by_one_and_what_is_cut_off_is_kept() {
        let xml = r#"<w:d xmlns:w="urn:w"><w:head>no</w:head><w:body><w:p>1</w:p> <w:p/><w:p>2<w:r>3"#;
        let mut stream = Stream::new(xml, prefixes);
        assert!(stream.enter("w:body"));
        let texts: Vec<String> = std::iter::from_fn(|| stream.next()).map(|element| element.text()).collect();
        assert_eq!(texts, ["1", "", "23"]);
        assert!(!Stream::new("<a/>", prefixes).enter("w:body"));
    }

    #[test]
    fn depth_and_number_are_bounded() {
        let deep = format!("{}x{}y", "<a>".repeat(5_000), "</a>".repeat(4_999));
        assert_eq!(read(&deep).text(), "xy");
        let endless = "<a xmlns:b='c'>".repeat(100_000);
        let mut bottomless = Stream::new(&endless, prefixes);
        assert!(bottomless.next().is_some() && bottomless.damaged);
        let mut wide = Stream::new("<a>", prefixes);
        assert!(wide.next().is_some() && !wide.truncated);
        let many = format!("<a>{}</a><b/>", "<i/>".repeat(MAX_ELEMENTS + 9));
        let mut stream = Stream::new(&many, prefixes);
        assert_eq!(stream.next().unwrap().children().count(), MAX_ELEMENTS);
    }
}
