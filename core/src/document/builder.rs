//! Builds a [`Document`] in reading order, so that parsers need not think about ids, parents or section nesting.

use super::{BBox, CellRange, Document, DocumentId, Node, NodeId, NodeKind, PageBox, Span};
use std::collections::BTreeMap;

/// Appends nodes in reading order. Sections nest by their level; other containers are opened and closed.
///
/// ```
/// use millwright_core::document::{DocumentBuilder, DocumentId, NodeKind};
/// let mut builder = DocumentBuilder::new(DocumentId::of(b"bytes"), "pump.md");
/// builder.section(1, "Maintenance");
/// builder.open(NodeKind::List { ordered: true }, "");
/// builder.leaf(NodeKind::ListItem, "1. Close the valve.");
/// builder.close();
/// let document = builder.finish();
/// assert_eq!(document.nodes.len(), 4);
/// ```
#[derive(Debug)]
pub struct DocumentBuilder {
    document: Document,
    /// Open containers from the root down. The root is never closed.
    open: Vec<NodeId>,
    page: Option<u32>,
}

impl DocumentBuilder {
    /// An empty document with a root whose title is still unknown.
    #[must_use]
    pub fn new(id: DocumentId, name: &str) -> Self {
        let document =
            Document { id, name: name.to_owned(), nodes: Vec::new(), n_pages: None, metadata: BTreeMap::new() };
        let mut builder = Self { document, open: Vec::new(), page: None };
        let root = builder.push(NodeKind::Document, "");
        builder.open.push(root);
        builder
    }

    /// Sets the title.
    pub fn title(&mut self, title: &str) {
        title.clone_into(&mut self.document.nodes[0].text);
    }

    /// Whether a title was set.
    #[must_use]
    pub fn has_title(&self) -> bool {
        !self.document.nodes[0].text.is_empty()
    }

    /// Sets a document-level fact; the key is lowered.
    pub fn metadata(&mut self, key: &str, value: &str) {
        self.document.metadata.insert(key.to_lowercase(), value.to_owned());
    }

    /// Nodes added from now on begin on this page, from 1; the number of pages grows with it.
    pub fn page(&mut self, page: u32) {
        self.page = Some(page);
        self.document.n_pages = Some(self.document.n_pages.unwrap_or(0).max(page));
    }

    /// Starts a section: closes every open container up to the nearest section of a smaller level.
    /// Inside a list, table or quote the heading stays where it stands, as a section of its own there.
    pub fn section(&mut self, level: u8, heading: &str) -> NodeId {
        while let Some(&top) = self.open.last() {
            match self.document.nodes[top.index()].kind {
                NodeKind::Section { level: open } if open >= level => {
                    self.open.pop();
                }
                _ => break,
            }
        }
        self.open(NodeKind::Section { level }, heading)
    }

    /// Opens a container with its own text; what follows stands in it until [`close`](Self::close).
    pub fn open(&mut self, kind: NodeKind, text: &str) -> NodeId {
        let id = self.push(kind, text);
        self.open.push(id);
        id
    }

    /// Closes the innermost container that is not a section, with every section opened inside it. Does nothing if
    /// none is open.
    pub fn close(&mut self) {
        let innermost = self
            .open
            .iter()
            .skip(1)
            .rposition(|id| !matches!(self.document.nodes[id.index()].kind, NodeKind::Section { .. }));
        if let Some(at) = innermost {
            self.open.truncate(at + 1);
        }
    }

    /// Closes everything that stands inside this node, sections included, so that what follows stands directly in it.
    /// Does nothing if the node is not open.
    pub fn close_to(&mut self, node: NodeId) {
        if let Some(at) = self.open.iter().position(|open| *open == node) {
            self.open.truncate(at + 1);
        }
    }

    /// The innermost open container; the root if none was opened.
    #[must_use]
    pub fn innermost(&self) -> NodeId {
        self.open.last().copied().unwrap_or(NodeId::ROOT)
    }

    /// Adds a node without children.
    pub fn leaf(&mut self, kind: NodeKind, text: &str) -> NodeId {
        self.push(kind, text)
    }

    /// Says where a node stands in the decoded source.
    pub fn span(&mut self, id: NodeId, span: Span) {
        self.document.nodes[id.index()].span = Some(span);
    }

    /// Says where a node stands on the page it begins on, after what was said before. Does nothing before the first
    /// [`page`](Self::page).
    pub fn bbox(&mut self, id: NodeId, bbox: BBox) {
        let node = &mut self.document.nodes[id.index()];
        if let Some(page) = node.page {
            node.boxes.push(PageBox { page, bbox });
        }
    }

    /// Says where else a node stands, after what was said before.
    pub fn page_box(&mut self, id: NodeId, place: PageBox) {
        self.document.nodes[id.index()].boxes.push(place);
    }

    /// Says which cells of its sheet a node stands in.
    pub fn cells(&mut self, id: NodeId, cells: CellRange) {
        self.document.nodes[id.index()].cells = Some(cells);
    }

    /// Replaces a node's own text.
    pub fn set_text(&mut self, id: NodeId, text: &str) {
        text.clone_into(&mut self.document.nodes[id.index()].text);
    }

    /// Replaces what a node is; for readers that learn it only from what stands inside.
    pub fn set_kind(&mut self, id: NodeId, kind: NodeKind) {
        self.document.nodes[id.index()].kind = kind;
    }

    /// Adds a fact about a node; the key is lowered.
    pub fn node_metadata(&mut self, id: NodeId, key: &str, value: &str) {
        self.document.nodes[id.index()].metadata.insert(key.to_lowercase(), value.to_owned());
    }

    /// Number of nodes so far, the root included.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.document.nodes.len()
    }

    /// The finished document.
    #[must_use]
    pub fn finish(self) -> Document {
        self.document
    }

    fn push(&mut self, kind: NodeKind, text: &str) -> NodeId {
        // A document with 2^32 nodes is refused long before by the parsers' bounds.
        let id = NodeId(u32::try_from(self.document.nodes.len()).unwrap_or(u32::MAX));
        self.document.nodes.push(Node {
            id,
            parent: self.open.last().copied(),
            kind,
            text: text.to_owned(),
            page: self.page,
            span: None,
            lines: None,
            boxes: Vec::new(),
            cells: None,
            metadata: BTreeMap::new(),
        });
        id
    }
}
