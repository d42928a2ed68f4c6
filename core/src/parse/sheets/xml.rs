//! XML as a stream of tags and texts, forgiving and without a memory of its own.
//!
//! Declared entities are not known and never fetched: a reference to one is left out, which makes every bomb of them
//! a dud. Prefixes are not looked up: the names of the parts that are read do not clash.

use quick_xml::{
    Reader, XmlVersion,
    escape::resolve_predefined_entity,
    events::{BytesEnd, BytesStart, Event},
};
use std::borrow::Cow;

/// What comes next.
#[derive(Debug)]
pub(crate) enum Item<'x> {
    /// An element begins.
    Open(Tag<'x>),
    /// An element ends.
    Close(Closing<'x>),
    /// Text, or the character that a reference stands for.
    Text(Cow<'x, str>),
}

/// The tag that begins an element.
#[derive(Debug)]
pub(crate) struct Tag<'x>(BytesStart<'x>);

impl Tag<'_> {
    /// Its name without prefix.
    pub(crate) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// An attribute by its name without prefix.
    pub(crate) fn attr(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        let attribute = attributes.flatten().find(|attribute| attribute.key.local_name().into_inner() == name)?;
        let value = attribute.normalized_value_with(XmlVersion::Implicit1_0, 1, resolve_predefined_entity);
        Some(value.unwrap_or(Cow::Borrowed(&attribute.value)).into_owned())
    }

    /// An attribute that is a number.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.attr(name)?.trim().parse().ok()
    }

    /// An attribute that is a switch; `false` where it is missing.
    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.attr(name).is_some_and(|value| value == "1" || value == "true" || value == "on")
    }
}

/// The end of an element.
#[derive(Debug)]
pub(crate) enum Closing<'x> {
    /// Its own tag.
    End(BytesEnd<'x>),
    /// The tag that began it, which was empty.
    Empty(BytesStart<'x>),
}

impl Closing<'_> {
    /// Its name without prefix.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::End(tag) => tag.local_name().into_inner(),
            Self::Empty(tag) => tag.local_name().into_inner(),
        }
    }
}

/// Reads one part.
pub(crate) struct Xml<'x> {
    reader: Reader<&'x [u8]>,
    /// An empty element was opened and is still to be closed.
    to_close: Option<BytesStart<'x>>,
    /// Whether the text broke off or could not be understood.
    pub(crate) is_broken: bool,
}

impl<'x> Xml<'x> {
    pub(crate) fn new(text: &'x str) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        Self { reader, to_close: None, is_broken: false }
    }

    /// How many bytes have been read.
    pub(crate) fn position(&self) -> u64 {
        self.reader.buffer_position()
    }

    /// The next tag or text; `None` at the end and where nothing more can be understood.
    pub(crate) fn next(&mut self) -> Option<Item<'x>> {
        if let Some(tag) = self.to_close.take() {
            return Some(Item::Close(Closing::Empty(tag)));
        }
        loop {
            return Some(match self.reader.read_event() {
                Ok(Event::Start(tag)) => Item::Open(Tag(tag)),
                Ok(Event::Empty(tag)) => {
                    self.to_close = Some(tag.clone());
                    Item::Open(Tag(tag))
                }
                Ok(Event::End(tag)) => Item::Close(Closing::End(tag)),
                Ok(Event::Text(text)) => Item::Text(text.xml10_content()),
                Ok(Event::CData(text)) => Item::Text(text.xml10_content()),
                Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                    Ok(Some(character)) => Item::Text(Cow::Owned(character.to_string())),
                    _ => match resolve_predefined_entity(&reference) {
                        Some(text) => Item::Text(Cow::Borrowed(text)),
                        None => continue,
                    },
                },
                Ok(Event::Eof) => return None,
                Ok(_) => continue,
                Err(_) => {
                    self.is_broken = true;
                    return None;
                }
            });
        }
    }

    /// The next tag that opens an element; for parts whose readers care for names alone.
    pub(crate) fn next_open(&mut self) -> Option<Tag<'x>> {
        loop {
            if let Item::Open(tag) = self.next()? {
                return Some(tag);
            }
        }
    }

    /// The text up to the end of the element just opened, what stands in `skipped` elements left out.
    pub(crate) fn text_inside(&mut self, name: &str, skipped: &[&str]) -> String {
        let mut text = String::new();
        let (mut depth, mut n_skipped) = (1_u32, 0_u32);
        while let Some(item) = self.next() {
            match item {
                Item::Open(tag) => {
                    depth += u32::from(tag.name() == name);
                    n_skipped += u32::from(skipped.contains(&tag.name()));
                }
                Item::Close(closed) => {
                    depth -= u32::from(closed.name() == name);
                    n_skipped = n_skipped.saturating_sub(u32::from(skipped.contains(&closed.name())));
                    if depth == 0 {
                        break;
                    }
                }
                Item::Text(part) if n_skipped == 0 => text.push_str(&part),
                Item::Text(_) => {}
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_resolved_where_they_are_harmless() {
        let bomb = "<!DOCTYPE x [<!ENTITY a \"boom\"><!ENTITY b SYSTEM \"file:///etc/passwd\">]><x y='1 &amp; 2'>a &lt; \
                    &#x41;&a;&b;<![CDATA[<c>]]></x>";
        let mut xml = Xml::new(bomb);
        let tag = xml.next_open().expect("a tag");
        assert_eq!((tag.name(), tag.attr("y").as_deref()), ("x", Some("1 & 2")));
        assert_eq!(xml.text_inside("x", &[]), "a < A<c>");
        assert!(!xml.is_broken);
    }

    #[test]
    fn what_is_broken_ends() {
        let mut xml = Xml::new("<a><b x='1></a>");
        while xml.next().is_some() {}
        assert!(xml.is_broken);
    }
}
