//! Where a chunk stands, as a person would look it up: sheet and cells, lines, the attached file it is in; and what else
//! must be said wherever it is shown.

use crate::document::{CellRange, Document, LineRange, Node, NodeId, facts};
use serde::{Deserialize, Serialize};

/// Where a chunk stands beside its page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkPlace {
    /// The page number as printed, in documents where that of any page differs from the count.
    pub page_label: Option<String>,
    /// Its lines in the source, where the format is text.
    pub lines: Option<LineRange>,
    /// The sheet, in spreadsheets.
    pub sheet: Option<String>,
    /// The cells of that sheet.
    pub cells: Option<CellRange>,
    /// The name of the embedded or attached file it stands in.
    pub attachment: Option<String>,
    /// The page of that file.
    pub attachment_page: Option<String>,
}

impl ChunkPlace {
    /// Where the nodes `first..end` stand. O(nodes + depth).
    pub(super) fn of(document: &Document, first: NodeId, end: NodeId) -> Self {
        let nodes = covered(document, first, end);
        Self {
            page_label: inherited(document, first, facts::PAGE_LABEL).map(str::to_owned),
            lines: nodes
                .iter()
                .filter_map(|node| node.lines)
                .reduce(|a, b| LineRange { first: a.first.min(b.first), last: a.last.max(b.last) }),
            sheet: inherited(document, first, facts::SHEET).map(str::to_owned),
            cells: nodes.iter().filter_map(|node| node.cells).reduce(|a, b| CellRange {
                first_row: a.first_row.min(b.first_row),
                first_column: a.first_column.min(b.first_column),
                last_row: a.last_row.max(b.last_row),
                last_column: a.last_column.max(b.last_column),
            }),
            attachment: inherited(document, first, facts::ATTACHMENT).map(str::to_owned),
            attachment_page: inherited(document, first, facts::ATTACHMENT_PAGE).map(str::to_owned),
        }
    }

    /// The cells as a spreadsheet program names them: `Prices!A14:D14`, `'Spare parts'!B2`; `None` outside spreadsheets.
    #[must_use]
    pub fn cell_address(&self) -> Option<String> {
        let cells = self.cells?;
        let Some(sheet) = &self.sheet else { return Some(cells.to_string()) };
        let is_plain = sheet.chars().all(|c| c.is_alphanumeric() || c == '_') && !sheet.starts_with(char::is_numeric);
        if is_plain {
            Some(format!("{sheet}!{cells}"))
        } else {
            Some(format!("'{}'!{cells}", sheet.replace('\'', "''")))
        }
    }
}

/// The least confidence among nodes read from a picture.
pub(super) fn confidence(document: &Document, first: NodeId, end: NodeId) -> Option<String> {
    let of = |node: &Node| node.metadata.get(facts::CONFIDENCE).cloned();
    // Written with two digits each, so that they order as text.
    covered(document, first, end).iter().filter_map(of).min()
}

/// Why a node is not seen: by itself or by what it stands in. O(depth).
pub(super) fn hidden(document: &Document, id: NodeId) -> Option<&str> {
    inherited(document, id, facts::HIDDEN)
}

/// Whether a node itself is said not to be seen.
pub(super) fn is_hidden(node: &Node) -> bool {
    node.metadata.contains_key(facts::HIDDEN)
}

fn covered(document: &Document, first: NodeId, end: NodeId) -> &[Node] {
    document.nodes.get(first.index()..end.index().min(document.nodes.len())).unwrap_or_default()
}

/// A fact about a node or the nearest node around it that has one.
fn inherited<'d>(document: &'d Document, id: NodeId, key: &str) -> Option<&'d str> {
    let mut next = document.node(id);
    while let Some(node) = next {
        if let Some(value) = node.metadata.get(key) {
            return Some(value);
        }
        next = node.parent.and_then(|parent| document.node(parent));
    }
    None
}
