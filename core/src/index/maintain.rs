//! Keeps the number of segments small and dead rows out, one bounded step at a time.

use super::{
    IndexError, Library,
    library::Change,
    record::{SegmentId, StoredRecord},
};
use crate::{
    document::DocumentId,
    host::{Batch, Storage, Table},
    lexical::{Segment, merge},
};

/// So many segments of one size class are merged into one.
const SEGMENTS_PER_CLASS: usize = 8;

impl<S: Storage> Library<S> {
    /// Rewrites a segment with dead rows, or merges segments of one size class; `true` while there is more to do. Call it
    /// when idle. O(size of the segments of one step).
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn maintain(&mut self) -> Result<bool, IndexError> {
        if self.rewrite_one_dirty_segment().await? {
            return Ok(true);
        }
        let mut classes: std::collections::BTreeMap<u32, Vec<SegmentId>> = std::collections::BTreeMap::new();
        for (id, segment) in &self.segments {
            // Classes of a factor of four: 1 to 3 chunks, 4 to 15, …
            classes.entry(segment.n_chunks().max(1).ilog(4)).or_default().push(*id);
        }
        let Some(crowded) = classes.into_values().find(|ids| ids.len() >= SEGMENTS_PER_CLASS) else { return Ok(false) };
        self.replace_segments(&crowded).await?;
        Ok(true)
    }

    /// Rewrites one segment that holds rows of documents that are gone; `true` if there was one.
    pub(super) async fn rewrite_one_dirty_segment(&mut self) -> Result<bool, IndexError> {
        let dead = |id: SegmentId, document: &DocumentId| !self.lives_in(document, id);
        let dirty = self.segments.iter().find(|(id, segment)| segment.documents().iter().any(|d| dead(**id, d)));
        let Some((id, _)) = dirty else { return Ok(false) };
        let id = *id;
        self.replace_segments(&[id]).await?;
        Ok(true)
    }

    fn lives_in(&self, document: &DocumentId, segment: SegmentId) -> bool {
        self.documents.get(document).is_some_and(|stored| stored.segment == Some(segment))
    }

    /// Puts one segment of the live rows in the place of some.
    async fn replace_segments(&mut self, old: &[SegmentId]) -> Result<(), IndexError> {
        let new = self.manifest.next_segment;
        let mut change = Change { dropped_segments: old.to_vec(), ..Change::default() };
        let mut batch = Batch::default();
        // One by one where a document stands in several of them, dead in all but one: `keep` knows no segments.
        let mut cleaned = Vec::new();
        for id in old {
            let Some(segment) = self.segments.get(id) else { continue };
            if segment.documents().iter().all(|document| self.lives_in(document, *id)) {
                cleaned.push(segment.clone());
            } else if let Some(bytes) = merge(&[segment], |document| self.lives_in(document, *id))? {
                cleaned.push(Segment::open(&bytes)?);
            }
        }
        let sources: Vec<&Segment> = cleaned.iter().collect();
        if let Some(bytes) = merge(&sources, |_| true)? {
            let segment = Segment::open(&bytes)?;
            for document in segment.documents() {
                if let Some(stored) = self.documents.get(document) {
                    change.puts.push(StoredRecord { segment: Some(new), ..stored.clone() });
                }
            }
            batch.put(Table::Segments, new.key(), bytes);
            change.segments.push((new, segment));
        }
        self.apply(change, batch).await
    }
}
