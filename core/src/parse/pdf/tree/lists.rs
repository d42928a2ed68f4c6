//! Lists and definitions: which list an item belongs to is told by its indent.

use super::{Tree, bbox};
use crate::{
    document::{NodeId, NodeKind},
    parse::pdf::{prose, rows::Line, sheet::Sheet},
};

/// An open list item.
#[derive(Debug)]
pub(super) struct OpenItem {
    /// Where its marker begins, from the left edge of the page's text.
    indent: f32,
    ordered: bool,
}

impl Tree<'_> {
    /// A term: an item whose definition, set in, stands in it.
    pub(super) fn term(&mut self, sheet: &Sheet, lines: &[Line], left: f32) {
        let Some(first) = lines.first() else { return };
        let indent = first.bbox.x0 - left;
        self.announced_takes(indent, first.size);
        let text = prose::join(lines.iter().map(|line| line.text.as_str()), self.vocabulary);
        let node = self.item(&text, indent, first.size, false);
        self.place(node, sheet, bbox(lines));
    }

    /// Adds an item to the list it belongs to by its indent, opening and closing lists as needed.
    pub(super) fn item(&mut self, text: &str, indent: f32, size: f32, ordered: bool) -> NodeId {
        let near = 0.8 * size;
        while self.items.last().is_some_and(|open| open.indent > indent + near) {
            self.close_item();
            self.builder.close();
        }
        match self.items.last() {
            Some(open) if (open.indent - indent).abs() <= near && open.ordered == ordered => self.builder.close(),
            Some(open) if (open.indent - indent).abs() <= near => {
                self.close_item();
                self.builder.close();
                self.open_list(indent, ordered);
            }
            _ => self.open_list(indent, ordered),
        }
        self.builder.open(NodeKind::ListItem, text)
    }

    pub(super) fn open_list(&mut self, indent: f32, ordered: bool) {
        self.builder.open(NodeKind::List { ordered }, "");
        self.items.push(OpenItem { indent, ordered });
    }

    /// Closes the innermost open item, leaving its list open.
    pub(super) fn close_item(&mut self) {
        if self.items.pop().is_some() {
            self.builder.close();
        }
    }

    pub(super) fn end_lists(&mut self) {
        while !self.items.is_empty() {
            self.close_item();
            self.builder.close();
        }
    }

    /// Ends the lists whose items a block at this indent does not belong to.
    pub(super) fn end_lists_from(&mut self, indent: f32, size: f32) {
        while self.items.last().is_some_and(|open| indent < open.indent + 0.6 * size) {
            self.close_item();
            self.builder.close();
        }
    }
}
