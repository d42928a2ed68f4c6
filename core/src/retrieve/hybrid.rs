//! Candidates from words and from vectors, made one ranking.

use crate::{
    chunk::ChunkId,
    dense::{Code, VectorIndex},
    document::DocumentId,
    fuse::{self, Hit},
    lexical::{LexicalHit, Query, Searcher, SegmentError},
};
use std::{collections::BTreeMap, fmt};

/// How many candidates each retriever gives at least: fusion must see what only one of them ranks high.
const DEPTH: usize = 100;
/// What words and vectors count for in the sum.
const LEXICAL_WEIGHT: f32 = 0.4;
const DENSE_WEIGHT: f32 = 0.6;

/// What searching by vectors needs.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    /// The vectors of chunks.
    pub index: &'a dyn VectorIndex,
    /// The question's vector.
    pub query: &'a Code,
    /// Which documents may be found.
    pub admits: &'a dyn Fn(&DocumentId) -> bool,
}

impl fmt::Debug for Dense<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dense({} vectors)", self.index.len())
    }
}

/// A chunk that was found, and what each retriever said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The chunk.
    pub chunk: ChunkId,
    /// What its words came to; `None` where vectors alone found it.
    pub lexical: Option<LexicalHit>,
    /// How near its vector is; `None` where it has none, or no vectors were asked.
    pub cosine: Option<f32>,
    /// What it is ordered by: without vectors the lexical score, else the weighted sum.
    pub score: f32,
}

/// The best chunks for a question, at most `limit`; score descending, then chunk id ascending.
///
/// # Errors
/// [`SegmentError`] when a segment's bytes are damaged.
pub fn candidates(
    searcher: &Searcher,
    query: &Query,
    dense: Option<Dense<'_>>,
    limit: usize,
) -> Result<Vec<Candidate>, SegmentError> {
    let Some(dense) = dense.filter(|dense| !dense.index.is_empty()) else {
        let hits = searcher.search(query, limit)?.into_iter();
        let candidate = |hit: LexicalHit| Candidate {
            chunk: hit.chunk.clone(),
            score: hit.score,
            lexical: Some(hit),
            cosine: None,
        };
        return Ok(hits.map(candidate).collect());
    };
    let depth = limit.max(DEPTH);
    let mut lexical: BTreeMap<ChunkId, LexicalHit> = BTreeMap::new();
    let mut by_words = Vec::new();
    for hit in searcher.search(query, depth)? {
        by_words.push(Hit { id: hit.chunk.clone(), score: hit.score });
        lexical.insert(hit.chunk.clone(), hit);
    }
    let near = dense.index.search(dense.query, depth, dense.admits);
    let least = near.last().map_or(0.0, |hit| hit.cosine);
    let mut cosines: BTreeMap<ChunkId, f32> = near.into_iter().map(|hit| (hit.chunk, hit.cosine)).collect();
    let mut by_vectors: Vec<Hit<ChunkId>> =
        cosines.iter().map(|(id, cosine)| Hit { id: id.clone(), score: *cosine }).collect();
    for Hit { id, .. } in &by_words {
        if !cosines.contains_key(id) {
            let cosine = dense.index.cosine(dense.query, id);
            cosines.extend(cosine.map(|cosine| (id.clone(), cosine)));
            // One whose vector is still to be made is taken for as near as the last that was found.
            by_vectors.push(Hit { id: id.clone(), score: cosine.unwrap_or(least) });
        }
    }
    let fused = fuse::weighted_sum(&[(&by_words, LEXICAL_WEIGHT), (&by_vectors, DENSE_WEIGHT)]);
    let candidate = |hit: Hit<ChunkId>| Candidate {
        lexical: lexical.remove(&hit.id),
        cosine: cosines.get(&hit.id).copied(),
        score: hit.score,
        chunk: hit.id,
    };
    Ok(fused.into_iter().take(limit).map(candidate).collect())
}
