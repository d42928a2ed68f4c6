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

    /// One chunk's vector; `None` if it has none.
    fn code(&self, chunk: &ChunkId) -> Option<Code>;

    /// How many vectors it holds.
    fn len(&self) -> usize;

    /// Whether it holds none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
