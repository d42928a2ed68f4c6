//! The approximate index: a graph of neighbours that a search follows, for more vectors than can be looked at one by one.
//!
//! The graph is that of Malkov and Yashunin ("Efficient and robust approximate nearest neighbor search using hierarchical
//! navigable small world graphs", 2016). It is made at once over all that is there and never changed: what comes later
//! waits in a [`Flat`] beside it, what is removed is passed over, and both are settled by [`Hnsw::rebuild`]. Cosines are
//! those of [`Flat`], to the bit; only which chunks are found may differ.

mod links;

use super::{Code, DenseHit, Flat, VectorIndex};
use crate::{chunk::ChunkId, document::DocumentId};
use links::Links;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// How many candidates a walk keeps, at least (`ef`).
const MIN_EF: usize = 128;
/// A walk looks at about this many rows for each candidate that it keeps.
const LOOKS_PER_CANDIDATE: usize = 32;
/// A look at a row somewhere takes as long as scanning this many: a walk that would look at more has lost to the scan.
const SCANNED_PER_LOOK: usize = 4;
/// Bytes of the checksum in front of a stored index.
const CHECKSUM_BYTES: usize = 32;

/// A graph could not be made or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HnswError {
    /// It was to be made in a thread that shares its work with others.
    #[error("the graph of vectors must be built by one thread alone: call it outside of a thread pool")]
    Threads,
    /// The library that makes it gave something else.
    #[error("the graph of vectors could not be built: {0}")]
    Graph(String),
    /// Stored bytes are not what was written.
    #[error("the stored graph of vectors is damaged; build it anew from the vectors")]
    Damaged,
}

/// Vectors in a graph, and those that came since it was built.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hnsw {
    /// What the graph is over; a removed document stays in it until the next.
    built: Flat,
    links: Links,
    /// Documents of the graph that were removed or replaced.
    dead: BTreeSet<DocumentId>,
    /// How many vectors they have there.
    n_dead: usize,
    /// What came since.
    tail: Flat,
}

impl Hnsw {
    /// An empty index for vectors of so many components.
    #[must_use]
    pub fn new(n_dimensions: usize) -> Self {
        let empty = Flat::new(n_dimensions);
        Self { built: empty.clone(), links: Links::default(), dead: BTreeSet::new(), n_dead: 0, tail: empty }
    }

    /// Builds the graph over all vectors and frees what removed ones took. The result depends on nothing but which
    /// vectors are there. About a millisecond a vector, in one piece: nothing else runs in its thread meanwhile.
    ///
    /// # Errors
    /// [`HnswError::Threads`] inside a thread pool; the index is as it was before.
    pub fn rebuild(&mut self) -> Result<(), HnswError> {
        let mut documents: Vec<&DocumentId> = self.built.documents().iter().chain(self.tail.documents()).collect();
        documents.sort();
        documents.dedup();
        let mut built = Flat::new(self.built.n_dimensions());
        for document in documents {
            let mut vectors = self.of(document).vectors(document);
            if !vectors.is_empty() && (!self.dead.contains(document) || self.tail.holds(document)) {
                vectors.sort_by_key(|(ordinal, _)| *ordinal);
                built.insert(document, &vectors);
            }
        }
        self.links = Links::over(&built)?;
        self.tail = Flat::new(built.n_dimensions());
        (self.built, self.n_dead) = (built, 0);
        self.dead.clear();
        Ok(())
    }

    /// Whether so much came and went since the graph was built that building it anew pays.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        4 * (self.tail.len() + self.n_dead) > self.built.len()
    }

    /// The whole as it is stored, with a checksum.
    ///
    /// # Errors
    /// [`HnswError::Graph`] when memory is short.
    pub fn to_bytes(&self) -> Result<Vec<u8>, HnswError> {
        let mut bytes = vec![0; CHECKSUM_BYTES];
        bytes = postcard::to_extend(self, bytes).map_err(|error| HnswError::Graph(error.to_string()))?;
        let (checksum, stored) = bytes.split_at_mut(CHECKSUM_BYTES);
        checksum.copy_from_slice(&Sha256::digest(stored));
        Ok(bytes)
    }

    /// Reads it back.
    ///
    /// # Errors
    /// [`HnswError::Damaged`] when a byte is not as it was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, HnswError> {
        let (checksum, stored) = bytes.split_at_checked(CHECKSUM_BYTES).ok_or(HnswError::Damaged)?;
        if checksum != Sha256::digest(stored).as_slice() {
            return Err(HnswError::Damaged);
        }
        Self::read(stored).ok_or(HnswError::Damaged)
    }

    /// Reads what stands behind the checksum, which anybody could have computed: nothing in it is trusted.
    fn read(stored: &[u8]) -> Option<Self> {
        let Self { built, links, dead, tail, .. } = postcard::from_bytes(stored).ok()?;
        let n_dead = dead.iter().map(|document| built.n_of(document)).sum();
        let fits = built.n_dimensions() == tail.n_dimensions()
            && tail.documents().iter().all(|document| !built.holds(document) || dead.contains(document));
        let links = links.checked(built.len())?;
        fits.then_some(Self { built, links, dead, n_dead, tail })
    }

    /// The rows of the graph that look best, in no order; `None` where a scan is faster.
    fn walk(&self, query: &Code, limit: usize, admits: &dyn Fn(&DocumentId) -> bool) -> Option<Vec<usize>> {
        let max_looks = self.built.len() / SCANNED_PER_LOOK;
        let ef = Flat::n_candidates(limit).max(MIN_EF);
        if ef.saturating_mul(LOOKS_PER_CANDIDATE) > max_looks {
            return None;
        }
        let admitted: Vec<bool> = self.built.documents().iter().map(admits).collect();
        let padded = self.built.looking(query);
        let look = |row| self.built.look(&padded, row);
        self.links.nearest(ef, max_looks, look, |row| admitted[self.built.rows()[row].document as usize])
    }

    /// The part that a document stands in now.
    fn of(&self, document: &DocumentId) -> &Flat {
        if self.tail.holds(document) { &self.tail } else { &self.built }
    }

    /// The same, unless the document was removed.
    fn living(&self, document: &DocumentId) -> Option<&Flat> {
        let is_dead = self.dead.contains(document) && !self.tail.holds(document);
        (!is_dead).then(|| self.of(document))
    }
}

impl VectorIndex for Hnsw {
    fn insert(&mut self, document: &DocumentId, vectors: &[(u32, Code)]) {
        self.remove(document);
        self.tail.insert(document, vectors);
    }

    fn remove(&mut self, document: &DocumentId) {
        self.tail.remove(document);
        if self.built.holds(document) && self.dead.insert(document.clone()) {
            self.n_dead += self.built.n_of(document);
        }
    }

    /// O(log vectors) for most questions, O(vectors) where few documents are admitted.
    fn search(&self, query: &Code, limit: usize, admits: &dyn Fn(&DocumentId) -> bool) -> Vec<DenseHit> {
        if limit == 0 || query.n_dimensions() != self.built.n_dimensions() {
            return Vec::new();
        }
        let alive = |document: &DocumentId| !self.dead.contains(document) && admits(document);
        let walked = self.walk(query, limit, &alive);
        let mut hits = match walked {
            Some(rows) => self.built.best_of(query, rows.into_iter(), limit),
            None => self.built.search(query, limit, &alive),
        };
        hits.extend(self.tail.search(query, limit, admits));
        hits.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then_with(|| a.chunk.cmp(&b.chunk)));
        hits.truncate(limit);
        hits
    }

    fn cosine(&self, query: &Code, chunk: &ChunkId) -> Option<f32> {
        self.living(&chunk.document)?.cosine(query, chunk)
    }

    fn code(&self, chunk: &ChunkId) -> Option<Code> {
        self.living(&chunk.document)?.code(chunk)
    }

    fn len(&self) -> usize {
        self.built.len() - self.n_dead + self.tail.len()
    }
}

#[cfg(test)]
mod tests;
