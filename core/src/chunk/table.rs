//! Tables to chunks: small ones whole, larger ones of a data file row by row, larger ones inside a text in runs of rows
//! with the header repeated.
//!
//! A row is told with everything that a reader sees over it: the names of its columns over all header rows, the name of
//! the group of rows it stands in, and what spans down into it.

use super::{
    ChunkKind, MAX_TEXT_WORDS, Repeats,
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
/// Rows that name the rows below are at most this part of a table's rows: otherwise it is sparse.
const MAX_GROUPS_PART: usize = 3;
/// Columns and rows that a cell is taken to span, at most.
const MAX_SPAN: usize = 1_000;
/// Columns in all rows of a table that are there only because cells span them.
const MAX_SPANNED: usize = 1_000_000;

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
    /// Its own cells in order.
    cells: Vec<String>,
    /// What stands in each column, from cells that span columns or reach down from rows above too. Repeats are empty.
    columns: Vec<String>,
    /// Where its first own cell begins, and how many columns it spans.
    first_cell: Option<(usize, usize)>,
}

/// A row that names the rows below it.
#[derive(Clone)]
struct Group {
    node: NodeId,
    name: String,
}

pub(super) fn cut(document: &Document, table: &Node, only: Only) -> Vec<TablePart> {
    let subtree = document.subtree(table.id);
    let mut repeats = Repeats::of(subtree);
    let rows: Vec<TableRow<'_>> = rows(document, subtree, only, &mut repeats);
    let part_of = |text: String| {
        let end = subtree.last().map_or(table.id, |last| NodeId(last.id.0 + 1));
        let (kind, span) = (ChunkKind::Table, table.span);
        TablePart { kind, first: table.id, end, text, span, row_keys: Vec::new() }
    };
    if only == Only::Hidden && rows.iter().all(|row| row.header) {
        // Nothing is hidden but names of columns.
        let hidden = rows.iter().map(|row| told(document.subtree(row.node.id), is_hidden(row.node), true));
        let hidden: Vec<String> = hidden.filter(|text| !text.is_empty()).collect();
        return if hidden.is_empty() { Vec::new() } else { vec![part_of(hidden.join("\n"))] };
    }
    let n_headers = rows.iter().take_while(|row| row.header).count();
    let (headers, body) = rows.split_at(n_headers);
    let names = names(headers);
    // Where only what is hidden is told, a single text in a row is a value without its neighbours.
    let is_group = if only == Only::Seen { groups(body) } else { vec![false; body.len()] };
    let lines = |rows: &[TableRow<'_>]| rows.iter().map(|row| line(&row.cells)).collect::<Vec<_>>();
    let mut head: Vec<String> = Vec::new();
    if !table.text.is_empty() {
        head.push(table.text.clone());
    }
    head.extend(lines(headers));
    let column = names.first().map_or("", |name| name.trim());
    let key = |row: &TableRow<'_>, repeats: &mut Repeats| -> Option<(String, String)> {
        let value = row.columns.first().filter(|_| !column.is_empty() && repeats.allow(column.len()))?;
        Some((column.to_owned(), value.trim().to_owned()))
    };
    let n_head_words: u32 = head.iter().map(|line| count_words(line)).sum();
    // Counted as far as needed: a table may hold a whole workbook's text.
    let mut n_words = n_head_words;
    let fits = body.iter().all(|row| {
        n_words = n_words.saturating_add(count_words(&line(&row.cells)));
        n_words <= MAX_TEXT_WORDS
    });
    if fits && n_words <= MAX_TEXT_WORDS {
        let text = head.into_iter().chain(lines(body)).collect::<Vec<_>>().join("\n");
        let end = subtree.last().map_or(table.id, |last| NodeId(last.id.0 + 1));
        let named = body.iter().zip(&is_group).filter(|(_, is_group)| !**is_group);
        let row_keys = named.filter_map(|(row, _)| key(row, &mut repeats)).collect();
        return vec![TablePart { kind: ChunkKind::Table, first: table.id, end, text, span: table.span, row_keys }];
    }
    let by_rows = n_headers >= 1 && body.len() >= MIN_DATA_ROWS;
    let mut parts: Vec<TablePart> = Vec::new();
    if by_rows && only == Only::Seen && has_empty_column(&names, body) {
        // No row would tell the name of a column in which nothing stands.
        let end = headers.last().map_or(table.id, |row| row.end);
        let text = head.join("\n");
        let kind = ChunkKind::Table;
        parts.push(TablePart { kind, first: table.id, end, text, span: table.span, row_keys: Vec::new() });
    }
    n_words = u32::MAX;
    let mut groups: Vec<Group> = Vec::new();
    // Groups that no row has been put to yet: a name without rows is a piece of its own in the end.
    let mut n_waiting = 0;
    for (row, is_group) in body.iter().zip(&is_group) {
        if *is_group {
            if n_waiting == 0 {
                groups.clear();
            }
            groups.push(Group { node: row.node.id, name: line(&row.cells) });
            n_waiting += 1;
            continue;
        }
        let first = groups.get(groups.len() - n_waiting).map_or(row.node.id, |group| group.node);
        n_waiting = 0;
        if by_rows {
            // A group without rows yet is told whole, whatever its length.
            let is_told = |group: &&Group| group.node >= first || repeats.allow(group.name.len());
            let mut told: Vec<String> = groups.iter().filter(is_told).map(|group| group.name.clone()).collect();
            told.push(pairs(row, &names, &mut repeats));
            let text = told.join("; ");
            let row_keys = key(row, &mut repeats).into_iter().collect();
            parts.push(TablePart { kind: ChunkKind::Row, first, end: row.end, text, span: row.node.span, row_keys });
            continue;
        }
        let new_names = groups.iter().filter(|group| group.node >= first && group.node < row.node.id);
        let new: Vec<String> = new_names.map(|group| group.name.clone()).chain([line(&row.cells)]).collect();
        let n: u32 = new.iter().map(|line| count_words(line)).sum();
        match parts.last_mut() {
            Some(part) if n_words.saturating_add(n) <= MAX_TEXT_WORDS => {
                part.text.push('\n');
                part.text.push_str(&new.join("\n"));
                part.end = row.end;
                part.row_keys.extend(key(row, &mut repeats));
                n_words += n;
            }
            _ => {
                let is_first = parts.is_empty();
                let is_told = |group: &&Group| group.node >= first || repeats.allow(group.name.len());
                let mut all: Vec<String> = groups.iter().filter(is_told).map(|group| group.name.clone()).collect();
                all.push(line(&row.cells));
                n_words = n_head_words + all.iter().map(|line| count_words(line)).sum::<u32>();
                let told = head.iter().filter(|line| is_first || repeats.allow(line.len()));
                let all: Vec<String> = told.cloned().chain(all).collect();
                let row_keys = key(row, &mut repeats).into_iter().collect();
                let (text, span) = (all.join("\n"), row.node.span);
                parts.push(TablePart { kind: ChunkKind::Table, first, end: row.end, text, span, row_keys });
            }
        }
    }
    if n_waiting > 0 {
        let waiting = &groups[groups.len() - n_waiting..];
        let text = waiting.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join("\n");
        let (first, kind) = (waiting[0].node, if by_rows { ChunkKind::Row } else { ChunkKind::Table });
        let last = body.last();
        let (end, span) = (last.map_or(first, |row| row.end), last.and_then(|row| row.node.span));
        parts.push(TablePart { kind, first, end, text, span, row_keys: Vec::new() });
    }
    if parts.is_empty() && !head.is_empty() {
        // Names of columns and nothing below them, too long for one chunk.
        parts.push(part_of(head.join("\n")));
    }
    parts
}

/// The rows of a table with their cells in columns: a cell goes to the first column that none above reaches into.
fn rows<'a>(document: &'a Document, subtree: &'a [Node], only: Only, repeats: &mut Repeats) -> Vec<TableRow<'a>> {
    let is_seen = only == Only::Seen;
    let mut n_spanned = 0;
    let mut rows: Vec<TableRow<'a>> = Vec::new();
    // Per column: for how many rows more a cell from above reaches down, and its text.
    let mut reaching: Vec<(usize, String)> = Vec::new();
    for node in subtree.iter().filter(|node| matches!(node.kind, NodeKind::Row { .. })) {
        let below = document.subtree(node.id);
        let header = matches!(node.kind, NodeKind::Row { header: true });
        let mut columns: Vec<String> = Vec::new();
        let mut first_cell = None;
        let mut cells = Vec::new();
        let take_reaching = |columns: &mut Vec<String>,
                             reaching: &mut Vec<(usize, String)>,
                             repeats: &mut Repeats,
                             n_spanned: &mut usize| {
            while let Some((n, text)) = reaching.get_mut(columns.len()).filter(|(n, _)| *n > 0) {
                *n -= 1;
                *n_spanned += 1;
                if *n_spanned > MAX_SPANNED {
                    reaching.clear();
                    break;
                }
                // In a header the name stands there already.
                columns.push(if header { String::new() } else { repeats.text(text).to_owned() });
            }
        };
        for cell in below.iter().filter(|cell| cell.parent == Some(node.id)) {
            take_reaching(&mut columns, &mut reaching, repeats, &mut n_spanned);
            let of_cell = document.subtree(cell.id);
            // The header stands over both. A cell left out leaves its column empty, so that the others stay under theirs.
            let text = if header && !is_seen { joined(of_cell) } else { told(of_cell, is_hidden(node), !is_seen) };
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (colspan, rowspan) = match cell.kind {
                NodeKind::Cell { colspan, rowspan, .. } => (usize::from(colspan), usize::from(rowspan)),
                _ => (1, 1),
            };
            let (mut colspan, mut rowspan) = (colspan.clamp(1, MAX_SPAN), rowspan.clamp(1, MAX_SPAN));
            n_spanned += colspan - 1;
            if n_spanned > MAX_SPANNED {
                (colspan, rowspan) = (1, 1);
            }
            if first_cell.is_none() && !text.is_empty() {
                first_cell = Some((columns.len(), colspan));
            }
            for index in 0..colspan {
                let at = columns.len();
                if reaching.len() <= at {
                    reaching.resize(at + 1, (0, String::new()));
                }
                let below = if index == 0 && rowspan > 1 { text.clone() } else { String::new() };
                reaching[at] = (rowspan - 1, below);
                // A name over several columns is every one's; a value is the first one's.
                columns.push(match index {
                    0 => text.clone(),
                    _ if header => repeats.text(&text).to_owned(),
                    _ => String::new(),
                });
            }
            cells.push(text);
        }
        take_reaching(&mut columns, &mut reaching, repeats, &mut n_spanned);
        let end = below.last().map_or(node.id, |last| NodeId(last.id.0 + 1));
        let is_wanted = match only {
            Only::Seen => !is_hidden(node),
            Only::Hidden => header || cells.iter().any(|cell| !cell.is_empty()),
        };
        if is_wanted {
            rows.push(TableRow { node, end, header, cells, columns, first_cell });
        }
    }
    rows
}

/// Whether a column has a name and no value.
fn has_empty_column(names: &[String], body: &[TableRow<'_>]) -> bool {
    let mut filled = vec![false; names.len()];
    for row in body {
        for (filled, text) in filled.iter_mut().zip(&row.columns) {
            *filled |= !text.trim().is_empty();
        }
    }
    names.iter().zip(filled).any(|(name, filled)| !filled && !name.trim().is_empty())
}

/// The names of the columns, from the outermost header row to the innermost: "Torque / Nm".
fn names(headers: &[TableRow<'_>]) -> Vec<String> {
    let n_columns = headers.iter().map(|row| row.columns.len()).max().unwrap_or(0);
    let name = |column: usize| {
        let mut parts: Vec<&str> = Vec::new();
        for part in headers.iter().filter_map(|row| row.columns.get(column)).map(|part| part.trim()) {
            if !part.is_empty() && parts.last() != Some(&part) {
                parts.push(part);
            }
        }
        parts.join(" / ")
    };
    (0..n_columns).map(name).collect()
}

/// Which rows of a body name the rows below them: one text, over all columns or in the first of several, no figure, and few
/// of that kind.
fn groups(body: &[TableRow<'_>]) -> Vec<bool> {
    let n_columns = body.iter().map(|row| row.columns.len()).max().unwrap_or(0);
    let is_group = |row: &TableRow<'_>| {
        let n_filled = row.columns.iter().filter(|text| !text.trim().is_empty()).count();
        let named = row.cells.iter().any(|text| text.chars().any(char::is_alphabetic));
        let at_left = row.first_cell.is_some_and(|(column, _)| column == 0);
        let over_all = row.first_cell.is_some_and(|(_, colspan)| colspan >= n_columns);
        n_columns > 1 && n_filled == 1 && named && at_left && (over_all || row.cells.len() == n_columns)
    };
    let groups: Vec<bool> = body.iter().map(is_group).collect();
    let n_groups = groups.iter().filter(|group| **group).count();
    if n_groups * MAX_GROUPS_PART > body.len() { vec![false; body.len()] } else { groups }
}

fn line(cells: &[String]) -> String {
    let filled = cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    // The name of a group is not followed by empty cells.
    if filled == 1 && cells.first().is_some_and(|first| !first.trim().is_empty()) {
        return cells.first().cloned().unwrap_or_default();
    }
    cells.join(" | ")
}

/// `column: value` pairs of the columns that have a value, parted by `; `.
fn pairs(row: &TableRow<'_>, names: &[String], repeats: &mut Repeats) -> String {
    let pair = |(at, value): (usize, &String)| match names.get(at).map(|name| name.trim()) {
        Some(name) if !name.is_empty() && repeats.allow(name.len()) => format!("{name}: {value}"),
        _ => value.clone(),
    };
    let filled = row.columns.iter().enumerate().filter(|(_, value)| !value.trim().is_empty());
    filled.map(pair).collect::<Vec<_>>().join("; ")
}
