//! Texts as they are compared, and what of a tree counts.

use millwright_core::document::{Document, Node, NodeId, NodeKind};

/// A text's words: soft hyphens gone, raised digits level, kinds of hyphens and spaces one, bullets left out.
///
/// What a reader must not leave to others stays as it is: ligatures, broken words, lost spaces count as faults.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let words = text.split_whitespace().map(plain);
    words.filter(|word| !word.is_empty() && !word.chars().all(is_bullet)).collect()
}

/// One word as it is compared.
pub(super) fn plain(word: &str) -> String {
    let character = |c: char| match c {
        '\u{ad}' | '\u{fe0f}' => None,
        '\u{2010}' | '\u{2011}' => Some('-'),
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '⁰' | '⁴'..='⁹' => char::from_u32(c as u32 - 0x2070 + '0' as u32),
        c => Some(c),
    };
    word.chars().filter_map(character).collect()
}

/// A text as one line.
pub(super) fn line(text: &str) -> String {
    tokens(text).join(" ")
}

/// A text without any space, as cells are compared.
pub(super) fn dense(text: &str) -> String {
    text.split_whitespace().map(plain).collect()
}

fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '■' | '▪' | '◦' | '●' | '–' | '-' | '\u{f0b7}')
}

/// The texts of a node and all below it, in order, as one.
pub(super) fn subtree_text(document: &Document, id: NodeId) -> String {
    let texts: Vec<&str> = document.subtree(id).iter().map(|node| node.text.as_str()).collect();
    texts.join(" ")
}

/// The nodes above a node, the nearest first.
pub(super) fn ancestors<'a>(document: &'a Document, node: &'a Node) -> impl Iterator<Item = &'a Node> {
    std::iter::successors(Some(node), |node| node.parent.and_then(|parent| document.node(parent))).skip(1)
}

/// Whether a node is no part of what is read: a running head or something within one.
pub(super) fn is_furniture(document: &Document, node: &Node) -> bool {
    node.kind == NodeKind::Furniture || ancestors(document, node).any(|node| node.kind == NodeKind::Furniture)
}
