//! How much of what stands in a document once may be said again with every chunk: headings above it, names of columns.
//!
//! People write a heading of a hundred characters over pages of text. A file made to do harm has one of a megabyte over a
//! hundred thousand rows, and would fill the memory with its repeats.

use crate::document::Node;

/// Repeats that are allowed however little a document says: a small document may repeat much.
const FREE_BYTES: usize = 1 << 20;
/// Repeats in parts of what a document says itself. Rows of a few figures under long names repeat some five times as much.
const TIMES: usize = 16;

/// What may still be repeated.
#[derive(Debug)]
pub(crate) struct Repeats {
    bytes_left: usize,
}

impl Repeats {
    /// As much as goes with the texts of these nodes.
    pub(crate) fn of(nodes: &[Node]) -> Self {
        let n_bytes: usize = nodes.iter().map(|node| node.text.len()).sum();
        Self { bytes_left: n_bytes.saturating_mul(TIMES).saturating_add(FREE_BYTES) }
    }

    /// Whether so many bytes may be repeated once more; then they are counted.
    pub(crate) fn allow(&mut self, n_bytes: usize) -> bool {
        let left = self.bytes_left.checked_sub(n_bytes);
        self.bytes_left = left.unwrap_or(0);
        left.is_some()
    }

    /// The text, or nothing where it may not be repeated.
    pub(crate) fn text<'t>(&mut self, text: &'t str) -> &'t str {
        if self.allow(text.len()) { text } else { "" }
    }
}
