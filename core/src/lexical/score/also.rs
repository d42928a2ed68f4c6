//! Scores of chunks that something else found: what fusing needs for what lies below the best.

use super::Searcher;
use crate::{chunk::ChunkId, document::DocumentId};
use std::collections::BTreeSet;

impl Searcher {
    /// The live rows of chunks. O(rows of all segments).
    pub(super) fn rows_of<'c>(&self, chunks: impl IntoIterator<Item = &'c ChunkId>) -> Vec<usize> {
        let keys: BTreeSet<(&DocumentId, u32)> =
            chunks.into_iter().map(|chunk| (&chunk.document, chunk.ordinal)).collect();
        let mut rows = Vec::with_capacity(keys.len());
        if keys.is_empty() {
            return rows;
        }
        let documents: BTreeSet<&DocumentId> = keys.iter().map(|(document, _)| *document).collect();
        for (segment, base) in self.segments.iter().zip(&self.bases) {
            let asked: Vec<bool> = segment.documents().iter().map(|document| documents.contains(document)).collect();
            if !asked.contains(&true) {
                continue;
            }
            for (at, _) in segment.slots().enumerate().filter(|(_, slot)| asked[*slot]) {
                let row = *base as usize + at;
                if self.live[row] && keys.contains(&segment.chunk_key(at as u32)) {
                    rows.push(row);
                }
            }
        }
        rows
    }
}
