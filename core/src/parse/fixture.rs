//! Trees as text, for the tests of readers.

use crate::{
    document::{Document, NodeKind},
    host::NoProgress,
    parse::{ParseError, Parsed, parse},
};

/// Reads a file that can be read.
pub(super) fn read(name: &str, bytes: &[u8]) -> Parsed {
    parse(name, bytes, &mut NoProgress).unwrap()
}

/// Why a file cannot be read.
pub(super) fn refusal(name: &str, bytes: &[u8]) -> ParseError {
    parse(name, bytes, &mut NoProgress).unwrap_err()
}

/// A line a node, indented by depth: its kind in a word, its text, and in braces what else is known of it.
pub(super) fn outline(document: &Document) -> String {
    let mut outline = String::new();
    let mut depths: Vec<usize> = Vec::new();
    for node in &document.nodes {
        let depth = node.parent.map_or(0, |parent| depths[parent.index()] + 1);
        depths.push(depth);
        if depth == 0 {
            continue;
        }
        let kind = match &node.kind {
            NodeKind::Section { level } => format!("h{level}"),
            NodeKind::Paragraph => "p".to_owned(),
            NodeKind::List { ordered } => (if *ordered { "ol" } else { "ul" }).to_owned(),
            NodeKind::ListItem => "li".to_owned(),
            NodeKind::Row { header } => (if *header { "tr!" } else { "tr" }).to_owned(),
            NodeKind::Cell { header, colspan, rowspan } => {
                let spans = if (*colspan, *rowspan) == (1, 1) { String::new() } else { format!("{colspan}x{rowspan}") };
                format!("{}{spans}", if *header { "th" } else { "td" })
            }
            NodeKind::Warning(grade) => format!("{grade:?}"),
            other => format!("{other:?}").split(' ').next().unwrap_or_default().to_owned(),
        };
        let facts: Vec<String> = node.metadata.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" {{{}}}", facts.join(", ")) };
        let line = format!("{}{kind} {}", "  ".repeat(depth - 1), node.text.replace('\n', "⏎"));
        outline.push_str(line.trim_end());
        outline.push_str(&facts);
        outline.push('\n');
    }
    outline
}
