//! Tables to chunks: small ones whole, larger ones of a data file row by row, larger ones inside a text in runs of rows
//! with the header repeated.

use super::{
    ChunkKind, MAX_TEXT_WORDS,
    cutter::{joined, told},
    place::is_hidden,
};
use crate::{
    document::{Document, Node, NodeId, NodeKind, Span},
    text::count_words,
};

/// A table with at least this many rows beyond the size of one chunk is looked up rather than read: its rows are
/// chunks of their own.
const MIN_DATA_ROWS: usize = 12;

/// Which of a table's rows and cells are cut: what a person sees and what not stand in different chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    /// All but what is hidden inside the table.
    Seen,
    /// What is hidden inside the table, under the table's header.
    Hidden,
}

/// A piece of a table.
pub(super) struct TablePart {
    pub(super) kind: ChunkKind,
    pub(super) first: NodeId,
    pub(super) end: NodeId,
    pub(super) text: String,
    pub(super) span: Option<Span>,
    pub(super) row_keys: Vec<(String, String)>,
}

struct TableRow<'a> {
    node: &'a Node,
    end: NodeId,
    header: bool,
    cells: Vec<String>,
}

pub(super) fn cut(document: &Document, table: &Node, only: Only) -> Vec<TablePart> {
    let subtree = document.subtree(table.id);
    let rows: Vec<TableRow<'_>> = rows(document, subtree, only);
    if only == Only::Hidden && rows.iter().all(|row| row.header) {
        return Vec::new();
    }
    let n_headers = rows.iter().take_while(|row| row.header).count();
    let (headers, body) = rows.split_at(n_headers);
    let lines = |rows: &[TableRow<'_>]| rows.iter().map(|row| line(&row.cells)).collect::<Vec<_>>();
    let mut head: Vec<String> = Vec::new();
    if !table.text.is_empty() {
        head.push(table.text.clone());
    }
    head.extend(lines(headers));
    let column = headers.last().and_then(|row| row.cells.first()).map_or("", |name| name.trim());
    let keys = |rows: &[TableRow<'_>]| {
        let key = |row: &TableRow<'_>| row.cells.first().map(|cell| (column.to_owned(), cell.trim().to_owned()));
        if column.is_empty() { Vec::new() } else { rows.iter().filter_map(key).collect() }
    };
    let n_words: u32 = head.iter().chain(&lines(body)).map(|line| count_words(line)).sum();
    if n_words <= MAX_TEXT_WORDS {
        let text = head.into_iter().chain(lines(body)).collect::<Vec<_>>().join("\n");
        let end = subtree.last().map_or(table.id, |last| NodeId(last.id.0 + 1));
        let row_keys = keys(body);
        return vec![TablePart { kind: ChunkKind::Table, first: table.id, end, text, span: table.span, row_keys }];
    }
    if n_headers == 1 && body.len() >= MIN_DATA_ROWS {
        let names = &headers[0].cells;
        let part = |row| TablePart { row_keys: keys(std::slice::from_ref(row)), ..row_part(row, names) };
        return body.iter().map(part).collect();
    }
    let mut parts: Vec<TablePart> = Vec::new();
    let n_head_words: u32 = head.iter().map(|line| count_words(line)).sum();
    let mut n_words = u32::MAX;
    for row in body {
        let line = line(&row.cells);
        let n = count_words(&line);
        match parts.last_mut() {
            Some(part) if n_words.saturating_add(n) <= MAX_TEXT_WORDS => {
                part.text.push('\n');
                part.text.push_str(&line);
                part.end = row.end;
                part.row_keys.extend(keys(std::slice::from_ref(row)));
                n_words += n;
            }
            _ => {
                let text = head.iter().map(String::as_str).chain([line.as_str()]).collect::<Vec<_>>().join("\n");
                let (first, end, span) = (row.node.id, row.end, row.node.span);
                let row_keys = keys(std::slice::from_ref(row));
                parts.push(TablePart { kind: ChunkKind::Table, first, end, text, span, row_keys });
                n_words = n_head_words + n;
            }
        }
    }
    parts
}

fn rows<'a>(document: &'a Document, subtree: &'a [Node], only: Only) -> Vec<TableRow<'a>> {
    let is_row = |node: &&Node| matches!(node.kind, NodeKind::Row { .. });
    let is_seen = only == Only::Seen;
    let row = |node: &'a Node| {
        let below = document.subtree(node.id);
        let is_cell = |cell: &&Node| cell.parent == Some(node.id);
        let header = matches!(node.kind, NodeKind::Row { header: true });
        let text = |cell: &Node| {
            let of_cell = document.subtree(cell.id);
            // The header stands over both. A cell left out leaves its column empty, so that the others stay under theirs.
            let text = if header && !is_seen { joined(of_cell) } else { told(of_cell, is_hidden(node), !is_seen) };
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        TableRow {
            node,
            end: below.last().map_or(node.id, |last| NodeId(last.id.0 + 1)),
            header,
            cells: below.iter().filter(is_cell).map(text).collect(),
        }
    };
    let is_wanted = |row: &TableRow<'_>| match only {
        Only::Seen => !is_hidden(row.node),
        Only::Hidden => row.header || row.cells.iter().any(|cell| !cell.is_empty()),
    };
    subtree.iter().filter(is_row).map(row).filter(is_wanted).collect()
}

fn line(cells: &[String]) -> String {
    cells.join(" | ")
}

fn row_part(row: &TableRow<'_>, names: &[String]) -> TablePart {
    let pair = |(at, value): (usize, &String)| match names.get(at).map(|name| name.trim()) {
        Some(name) if !name.is_empty() => format!("{name}: {value}"),
        _ => value.clone(),
    };
    let filled = row.cells.iter().enumerate().filter(|(_, value)| !value.trim().is_empty());
    let text = filled.map(pair).collect::<Vec<_>>().join("; ");
    let (first, end, span) = (row.node.id, row.end, row.node.span);
    TablePart { kind: ChunkKind::Row, first, end, text, span, row_keys: Vec::new() }
}
