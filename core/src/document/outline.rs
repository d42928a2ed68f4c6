//! A document's tree as indented lines, for tests and for people who look at what a parser made.

use super::{Document, Node, NodeKind, WarningGrade};
use std::fmt::Write;

/// The most characters of a node's text that are shown.
const MAX_TEXT_CHARS: usize = 100;

/// The tree as indented text: one line a node with its kind, its text (shortened, line breaks as `⏎`), its page, its
/// place in the source and its metadata; a row of plain cells is one line. Not a format: it may change.
#[must_use]
pub fn outline(document: &Document) -> String {
    let mut lines = String::new();
    let mut depths: Vec<usize> = Vec::with_capacity(document.nodes.len());
    let mut cells_folded_until = 0;
    for node in &document.nodes {
        let depth = node.parent.and_then(|parent| depths.get(parent.index())).map_or(0, |parent| parent + 1);
        depths.push(depth);
        if node.id.index() < cells_folded_until {
            continue;
        }
        let _infallible = write!(lines, "{:indent$}{}", "", kind(&node.kind), indent = depth * 2);
        if !node.text.is_empty() {
            let _infallible = write!(lines, " {}", quoted(&node.text));
        }
        if let NodeKind::Row { .. } = node.kind {
            let row = document.subtree(node.id);
            if row.iter().skip(1).all(is_plain_cell) {
                let cells: Vec<String> = row.iter().skip(1).map(|cell| quoted(&cell.text)).collect();
                let _infallible = write!(lines, " [{}]", cells.join(" | "));
                cells_folded_until = node.id.index() + row.len();
            }
        }
        if let Some(page) = node.page {
            let _infallible = write!(lines, " p.{page}");
        }
        if let Some(cells) = node.cells {
            let _infallible = write!(lines, " {cells}");
        }
        if let Some(span) = node.span {
            let _infallible = write!(lines, " @{}..{}", span.start, span.end);
        }
        for (key, value) in &node.metadata {
            let _infallible = write!(lines, " {key}={value}");
        }
        lines.push('\n');
    }
    for (key, value) in &document.metadata {
        let _infallible = writeln!(lines, "{key} = {}", quoted(value));
    }
    lines
}

fn is_plain_cell(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Cell { colspan: 1, rowspan: 1, .. })
        && node.metadata.is_empty()
        && node.span.is_none()
}

fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_TEXT_CHARS).collect::<String>().replace('\n', "⏎");
    if text.chars().nth(MAX_TEXT_CHARS).is_some() {
        shown.push('…');
    }
    format!("“{shown}”")
}

fn kind(kind: &NodeKind) -> String {
    match kind {
        NodeKind::Section { level } => format!("Section {level}"),
        NodeKind::List { ordered: true } => "Steps".to_owned(),
        NodeKind::List { ordered: false } => "List".to_owned(),
        NodeKind::Row { header: true } => "Header".to_owned(),
        NodeKind::Row { header: false } => "Row".to_owned(),
        NodeKind::Cell { header, colspan, rowspan } => {
            format!("{} {colspan}x{rowspan}", if *header { "HeaderCell" } else { "Cell" })
        }
        NodeKind::Code { language } if language.is_empty() => "Code".to_owned(),
        NodeKind::Code { language } => format!("Code({language})"),
        NodeKind::Warning(grade) => match grade {
            WarningGrade::Danger => "DANGER",
            WarningGrade::Warning => "WARNING",
            WarningGrade::Caution => "CAUTION",
            WarningGrade::Notice => "NOTICE",
        }
        .to_owned(),
        other => format!("{other:?}"),
    }
}
