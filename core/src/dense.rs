//! Vector search: the chunks whose vectors lie nearest to the question's, by cosine.
//!
//! [`Code`] is a unit vector in whole numbers, so that every machine computes the same cosine to the bit; [`Flat`] looks at
//! every vector, and is exact; [`Hnsw`] walks a graph and may miss one. Where vectors come from is not known here.

mod code;
mod flat;
mod hnsw;
mod kernel;

use crate::{chunk::ChunkId, document::DocumentId};
pub use code::Code;
pub use flat::Flat;
pub use hnsw::{Hnsw, HnswError};

/// From so many vectors on the graph is taken: a judgement from what was measured up to 50,000 (ARCHITECTURE.md has the
/// curve). Walking it is faster than the scan from about 15,000 on for ten hits and at no measured size for the hundred that
/// fusing asks for, and building it takes more than a millisecond of undivided work a vector.
pub const HNSW_FROM: usize = 200_000;

/// The kinds of index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// [`Flat`].
    Flat,
    /// [`Hnsw`].
    Hnsw,
}

/// Which kind to take for so many vectors.
#[must_use]
pub fn best_for(n_vectors: usize) -> Kind {
    if n_vectors < HNSW_FROM { Kind::Flat } else { Kind::Hnsw }
}

/// A chunk and how near it is.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseHit {
    /// The chunk.
    pub chunk: ChunkId,
    /// Cosine of its vector and the question's, from -1 to 1.
    pub cosine: f32,
}

/// Vectors of chunks that can be searched.
pub trait VectorIndex {
    /// Takes in a document's vectors, by ordinal of the chunk; those it had before are gone. Vectors of other dimensions
    /// than the index's are passed over.
    fn insert(&mut self, document: &DocumentId, vectors: &[(u32, Code)]);

    /// Forgets a document's vectors: nothing finds them from now on. Their memory is free at once in a [`Flat`], and
    /// after the next [`Hnsw::rebuild`] in the other.
    fn remove(&mut self, document: &DocumentId);

    /// The nearest chunks of the documents that are admitted, at most `limit`; cosine descending, then chunk id
    /// ascending.
    fn search(&self, query: &Code, limit: usize, admits: &dyn Fn(&DocumentId) -> bool) -> Vec<DenseHit>;

    /// The cosine of one chunk's vector; `None` if it has none.
    fn cosine(&self, query: &Code, chunk: &ChunkId) -> Option<f32>;

    /// How many vectors it holds.
    fn len(&self) -> usize;

    /// Whether it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
