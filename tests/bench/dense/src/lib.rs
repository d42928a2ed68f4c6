//! What the benchmark measures of vectors: a scan beside the bare kernel, the embedding model, and a library that is asked
//! by words and vectors. One source for the native run and the one in a worker.
//!
//! Not for users: it gives numbers of chunks where the bare kernel gives them, and its library lies in memory.

mod bare;
mod shelf;
#[cfg(target_arch = "wasm32")]
mod worker;

pub use bare::Bare;
use millwright_core::{
    chunk::ChunkId,
    dense::{Code, Flat, VectorIndex},
    document::DocumentId,
    embed::{EmbedError, Embedder},
    models::{Catalogue, ModelIdentity},
};
pub use shelf::Shelf;

/// Components of a vector.
pub const DIMENSIONS: usize = 384;
/// How many hits are asked for, of both.
pub const DEPTH: usize = 10;
/// How many chunks a document has: about a short manual's.
const CHUNKS_PER_DOCUMENT: usize = 50;

/// So many vectors: the real ones, then mixtures of two of them (three parts of one, two of another), which have about
/// the distribution of real ones and need no hours of embedding.
#[must_use]
pub fn mixed(real: &[f32], n_vectors: usize) -> Vec<f32> {
    let rows = real.as_chunks::<DIMENSIONS>().0;
    let mut all = real[..real.len().min(n_vectors * DIMENSIONS)].to_vec();
    let mut state = 1_u64;
    let mut pick = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        &rows[(state >> 33) as usize % rows.len()]
    };
    while all.len() < n_vectors * DIMENSIONS {
        let (a, b) = (pick(), pick());
        let sum: Vec<f32> = a.iter().zip(b).map(|(a, b)| 0.6 * a + 0.4 * b).collect();
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
        all.extend(sum.iter().map(|x| x / length));
    }
    all
}

/// The exact [`DEPTH`] nearest of each question, one question after the other.
#[must_use]
pub fn exact(vectors: &[f32], questions: &[f32]) -> Vec<u32> {
    let mut best = Vec::new();
    for question in questions.as_chunks::<DIMENSIONS>().0 {
        let dot = |row: &[f32; DIMENSIONS]| row.iter().zip(question).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let rows = vectors.as_chunks::<DIMENSIONS>().0.iter();
        let mut scored: Vec<(f64, u32)> = rows.map(dot).zip(0..).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        best.extend(scored.iter().take(DEPTH).map(|(_, row)| *row));
    }
    best
}

/// The core's scan.
#[derive(Debug)]
pub struct Scan(Flat);

impl Scan {
    /// Takes vectors in.
    #[must_use]
    pub fn build(vectors: &[f32]) -> Self {
        let mut flat = Flat::new(DIMENSIONS);
        let rows = vectors.as_chunks::<DIMENSIONS>().0;
        for (n, rows) in rows.chunks(CHUNKS_PER_DOCUMENT).enumerate() {
            let first = (n * CHUNKS_PER_DOCUMENT) as u32;
            let codes = (first..).zip(rows).filter_map(|(at, row)| Some((at, Code::of(row)?)));
            flat.insert(&DocumentId::of(&(n as u64).to_le_bytes()), &codes.collect::<Vec<_>>());
        }
        Self(flat)
    }

    /// The numbers of the nearest.
    #[must_use]
    pub fn search(&self, question: &[f32]) -> Vec<u32> {
        let Some(code) = Code::of(question) else { return Vec::new() };
        let hits = self.0.search(&code, DEPTH, &|_| true);
        hits.into_iter()
            .map(|hit| {
                let ChunkId { ordinal, .. } = hit.chunk;
                ordinal
            })
            .collect()
    }
}

/// Whose vectors a library is told to hold where nobody asks.
#[must_use]
pub fn some_model() -> ModelIdentity {
    ModelIdentity {
        id: "minilm".to_owned(),
        sha256: String::new(),
        dims: DIMENSIONS,
        query_prefix: String::new(),
        passage_prefix: String::new(),
        arithmetic: 0,
    }
}

/// The English embedding model.
#[derive(Debug)]
pub struct Minilm(Embedder);

impl Minilm {
    /// Makes it of its three files.
    ///
    /// # Errors
    /// [`EmbedError`] where they are not that model's.
    pub fn new(weights: Vec<u8>, measures: Vec<u8>, tokenizer: Vec<u8>) -> Result<Self, EmbedError> {
        let unknown = || EmbedError::Unsupported("minilm is not in the catalogue".to_owned());
        let model = Catalogue::shipped().model("minilm").ok_or_else(unknown)?;
        let mut parts = vec![("weights", weights), ("measures", measures), ("tokenizer", tokenizer)];
        let embedder = Embedder::of_model(model, |part| {
            let at = parts.iter().position(|(name, _)| *name == part)?;
            Some(parts.swap_remove(at).1)
        });
        embedder.map(Self)
    }

    /// Its name and bytes, as libraries keep them.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        self.0.identity()
    }

    /// The vector of a question.
    ///
    /// # Errors
    /// As [`Embedder::embed_query`].
    pub fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.0.embed_query(text)
    }

    /// The vectors of passages, one after the other.
    ///
    /// # Errors
    /// As [`Embedder::embed_passages`].
    pub fn passages(&self, texts: &[&str]) -> Result<Vec<f32>, EmbedError> {
        Ok(self.0.embed_passages(texts, &mut millwright_core::host::NoProgress)?.concat())
    }
}
