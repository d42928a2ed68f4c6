//! What the address bar holds: the question, the document on show and the place in it.

use millwright_core::document::{DocumentId, NodeId};
use std::fmt::Write as _;

/// A place in a document, and what to point at there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The document.
    pub(crate) document: DocumentId,
    /// The first node pointed at: where reading begins.
    pub(crate) node: NodeId,
    /// One past the last node pointed at; `node` itself where nothing is.
    pub(crate) end_node: NodeId,
}

impl Place {
    /// The beginning of a document, nothing pointed at.
    pub(crate) fn beginning(document: DocumentId) -> Self {
        Self { document, node: NodeId::ROOT, end_node: NodeId::ROOT }
    }

    /// Whether a node is among those pointed at.
    pub(crate) fn points_at(&self, node: NodeId) -> bool {
        self.node <= node && node < self.end_node
    }
}

/// The page's state as far as an address keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Address {
    /// The question.
    pub(crate) question: String,
    /// The document on show.
    pub(crate) place: Option<Place>,
}

impl Address {
    /// Reads a query string, with or without its `?`. What it does not know or cannot read it passes over.
    pub(crate) fn read(query: &str) -> Self {
        let mut question = String::new();
        let (mut document, mut node, mut end) = (None, 0, None);
        for (key, value) in query.trim_start_matches('?').split('&').filter_map(|pair| pair.split_once('=')) {
            match key {
                "q" => question = decoded(value),
                "doc" => document = DocumentId::parse(value),
                "node" => node = value.parse().unwrap_or(0),
                "end" => end = value.parse().ok(),
                _ => {}
            }
        }
        let place = document.map(|document| {
            let end_node = NodeId(end.unwrap_or(node).max(node));
            Place { document, node: NodeId(node), end_node }
        });
        Self { question, place }
    }

    /// The query string, with its `?`; empty where there is nothing to keep.
    pub(crate) fn written(&self) -> String {
        let mut pairs = Vec::new();
        if !self.question.trim().is_empty() {
            pairs.push(format!("q={}", encoded(&self.question)));
        }
        if let Some(place) = &self.place {
            pairs.push(format!("doc={}", place.document));
            if place.node != NodeId::ROOT {
                pairs.push(format!("node={}", place.node.0));
            }
            if place.end_node > place.node {
                pairs.push(format!("end={}", place.end_node.0));
            }
        }
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

/// Percent-encoding as `application/x-www-form-urlencoded` has it: a space is `+`.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut encoded, byte| {
        match byte {
            b' ' => encoded.push('+'),
            b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
        encoded
    })
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escape = (byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escape.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(escaped) => {
                decoded.push(escaped);
                at += 3;
            }
            None => {
                decoded.push(if byte == b'+' { b' ' } else { byte });
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_address_comes_back_as_it_was_written() {
        let document = DocumentId::of(b"pump");
        for question in ["", "what is error:9?", "50% + 3 & more = ½", "SKU-48291", "größe/Maß #1"] {
            for place in [
                None,
                Some(Place::beginning(document.clone())),
                Some(Place { document: document.clone(), node: NodeId(12), end_node: NodeId(19) }),
            ] {
                let address = Address { question: question.to_owned(), place };
                assert_eq!(Address::read(&address.written()), address);
            }
        }
        assert_eq!(Address::default().written(), "");
    }

    #[test]
    fn a_spoilt_address_is_read_as_far_as_it_goes() {
        assert_eq!(Address::read("?q=100%&doc=nonsense&node=x").question, "100%");
        assert_eq!(Address::read("?q=%zz+%e2%82&x&=").question, "%zz \u{fffd}");
        let document = DocumentId::of(b"pump");
        let place = Address::read(&format!("doc={document}&node=9&end=3")).place.expect("a place");
        assert_eq!((place.node, place.end_node), (NodeId(9), NodeId(9)));
        assert!(!place.points_at(NodeId(9)));
    }
}
