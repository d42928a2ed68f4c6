//! Turns a stretch of nodes in reading order into pieces to render: headings, blocks, and runs of rows, items or pairs.
//!
//! A stretch may begin or end in the middle of a table or list; what then lacks its parent is gathered into a run.

use millwright_core::document::{Node, NodeId, NodeKind};
use std::sync::Arc;

/// A node with those of its descendants that are in the stretch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tree {
    /// The node.
    pub(crate) node: Arc<Node>,
    /// Its children in order.
    pub(crate) children: Vec<Tree>,
}

impl Tree {
    /// The last node of the subtree.
    pub(crate) fn last(&self) -> NodeId {
        self.children.last().map_or(self.node.id, Tree::last)
    }

    /// Whether the node is a header row, or a row of header cells only.
    pub(crate) fn is_header_row(&self) -> bool {
        let is_header_cell = |cell: &Self| matches!(cell.node.kind, NodeKind::Cell { header: true, .. });
        matches!(self.node.kind, NodeKind::Row { header: true })
            || (!self.children.is_empty() && self.children.iter().all(is_header_cell))
    }
}

/// What is rendered as one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// The heading of a section.
    Heading {
        /// 1 is the outermost.
        level: u8,
        /// The section's node.
        node: Arc<Node>,
    },
    /// A block with all it holds.
    Block(Tree),
    /// Rows whose table is not in the stretch.
    Rows(Vec<Tree>),
    /// Items whose list is not in the stretch.
    Items(Vec<Tree>),
    /// Keys and values that follow one another.
    Pairs(Vec<Tree>),
}

/// A piece of a document on show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    /// The first node it shows.
    pub(crate) first: NodeId,
    /// The last node it shows.
    pub(crate) last: NodeId,
    /// The page that begins with it, where one does.
    pub(crate) page: Option<u32>,
    /// What it shows.
    pub(crate) content: Content,
}

impl Piece {
    /// Tells pieces apart that must be rendered anew: a table that has grown is another piece.
    pub(crate) fn key(&self) -> (NodeId, NodeId, Option<u32>) {
        (self.first, self.last, self.page)
    }
}

/// The pieces of consecutive nodes, in order. O(n · depth).
pub(crate) fn flow(nodes: &[Arc<Node>]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut page_before = None;
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        if node.kind == NodeKind::Document {
            // The title stands above the document anyway.
            at += 1;
            continue;
        }
        let page = node.page.filter(|page| page_before != Some(*page));
        page_before = node.page.or(page_before);
        if let NodeKind::Section { level } = node.kind {
            at += 1;
            if node.text.is_empty() && page.is_none() {
                continue;
            }
            let content = Content::Heading { level, node: Arc::clone(node) };
            pieces.push(Piece { first: node.id, last: node.id, page, content });
            continue;
        }
        let (tree, next) = subtree(nodes, at);
        // A block that runs over a page's end has the pages after it begin inside.
        page_before = nodes[at..next].iter().rev().find_map(|node| node.page).or(page_before);
        at = next;
        let (first, last) = (tree.node.id, tree.last());
        match pieces.last_mut() {
            Some(before) if page.is_none() && joins(&before.content, &tree) => {
                before.last = last;
                match &mut before.content {
                    Content::Rows(trees) | Content::Items(trees) | Content::Pairs(trees) => trees.push(tree),
                    Content::Heading { .. } | Content::Block(_) => {}
                }
            }
            _ => {
                let content = match tree.node.kind {
                    NodeKind::Row { .. } => Content::Rows(vec![tree]),
                    NodeKind::ListItem => Content::Items(vec![tree]),
                    NodeKind::KeyValue | NodeKind::FormField => Content::Pairs(vec![tree]),
                    _ => Content::Block(tree),
                };
                pieces.push(Piece { first, last, page, content });
            }
        }
    }
    pieces
}

fn joins(before: &Content, tree: &Tree) -> bool {
    match (before, &tree.node.kind) {
        (Content::Rows(trees), NodeKind::Row { .. })
        | (Content::Items(trees), NodeKind::ListItem)
        | (Content::Pairs(trees), NodeKind::KeyValue | NodeKind::FormField) => {
            trees.last().is_some_and(|last| last.node.parent == tree.node.parent)
        }
        _ => false,
    }
}

/// The tree that begins at `at`, and the place after it.
fn subtree(nodes: &[Arc<Node>], at: usize) -> (Tree, usize) {
    let node = Arc::clone(&nodes[at]);
    let mut children = Vec::new();
    let mut next = at + 1;
    while nodes.get(next).is_some_and(|child| child.parent == Some(node.id)) {
        let (child, after) = subtree(nodes, next);
        children.push(child);
        next = after;
    }
    (Tree { node, children }, next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::document::{DocumentBuilder, DocumentId};
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn sketch(nodes: &[Arc<Node>]) -> Vec<String> {
        let show = |piece: Piece| {
            let what = match piece.content {
                Content::Heading { level, node } => format!("h{level} {}", node.text),
                Content::Block(tree) => format!("block {} +{}", tree.node.text, tree.children.len()),
                Content::Rows(trees) => format!("rows {}", trees.len()),
                Content::Items(trees) => format!("items {}", trees.len()),
                Content::Pairs(trees) => format!("pairs {}", trees.len()),
            };
            piece.page.map_or(what.clone(), |page| format!("p{page} {what}"))
        };
        flow(nodes).into_iter().map(show).collect()
    }

    fn node(id: u32, parent: u32, kind: NodeKind, page: Option<u32>) -> Arc<Node> {
        Arc::new(Node {
            id: NodeId(id),
            parent: Some(NodeId(parent)),
            kind,
            text: format!("n{id}"),
            page,
            span: None,
            lines: None,
            boxes: Vec::new(),
            cells: None,
            metadata: std::collections::BTreeMap::new(),
        })
    }

    #[test]
    fn sections_are_flattened_and_pairs_gathered() {
        let mut builder = DocumentBuilder::new(DocumentId::of(b"x"), "a.md");
        builder.leaf(NodeKind::KeyValue, "model: P-100");
        builder.leaf(NodeKind::KeyValue, "rev: C");
        builder.section(1, "Safety");
        builder.leaf(NodeKind::Paragraph, "Read.");
        builder.section(2, "Lockout");
        let nodes: Vec<_> = builder.finish().nodes.into_iter().map(Arc::new).collect();
        assert_eq!(sketch(&nodes), ["pairs 2", "h1 Safety", "block Read. +0", "h2 Lockout"]);
    }

    #[test]
    fn a_stretch_that_begins_inside_a_table_still_shows_rows() {
        let (row, cell) = (NodeKind::Row { header: false }, NodeKind::Cell { header: false, colspan: 1, rowspan: 1 });
        let nodes = [
            node(50, 3, row.clone(), None),
            node(51, 50, cell.clone(), None),
            node(52, 3, row, None),
            node(53, 52, cell, None),
            node(54, 2, NodeKind::Table, None),
        ];
        assert_eq!(sketch(&nodes), ["rows 2", "block n54 +0"]);
        assert_eq!(flow(&nodes)[0].key(), (NodeId(50), NodeId(53), None));
    }

    #[test]
    fn pages_are_announced_once_where_they_begin() {
        let nodes = [
            node(1, 0, NodeKind::Paragraph, Some(1)),
            node(2, 0, NodeKind::List { ordered: true }, Some(1)),
            node(3, 2, NodeKind::ListItem, Some(2)),
            node(4, 0, NodeKind::Paragraph, Some(2)),
            node(5, 0, NodeKind::Paragraph, None),
            node(6, 0, NodeKind::Section { level: 1 }, Some(3)),
        ];
        assert_eq!(sketch(&nodes), ["p1 block n1 +0", "block n2 +1", "block n4 +0", "block n5 +0", "p3 h1 n6"]);
    }
}
