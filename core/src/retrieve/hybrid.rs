//! Candidates from words and from vectors, made one ranking.

use super::route::put_identified_first;
use crate::{
    chunk::ChunkId,
    dense::{Code, VectorIndex},
    document::DocumentId,
    fuse::{self, Hit},
    lexical::{LexicalHit, Query, Searcher, SegmentError},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// How many candidates each retriever gives at least: fusion must see what only one of them ranks high.
const DEPTH: usize = 100;
/// What words count for in the sum; vectors count for the rest. Every candidate has both scores, whichever retriever found it,
/// and each is divided by its largest. Equal weights are among the best on every one of six collections (SciFact's train
/// queries, Cranfield, emanuals, XQuAD, MTRAG, by their sum without the one looked at), and between 0.4 and 0.6 the
/// differences are within luck. Scores brought to 0 to 1 by their extremes, or to standard deviations, came to the same;
/// reciprocal ranks (k 2, 10, 60) to 0.005 to 0.06 nDCG@10 less.
const LEXICAL_WEIGHT: f32 = 0.5;
/// Scores of words are divided by at least this share of what all the question's words could come to, so that a chunk which
/// has one common word of a question is no perfect match because no other has more.
const LEAST_SHARE: f32 = 0.3;

/// What searching by vectors needs.
#[derive(Clone, Copy)]
pub struct Dense<'a> {
    /// The vectors of chunks.
    pub index: &'a dyn VectorIndex,
    /// The question's vector.
    pub query: &'a Code,
    /// The cosine below which a passage that shares no word with the question says nothing about it: the nearest of
    /// passages that all speak of something else is no answer ([`Model::least_cosine`](crate::models::Model::least_cosine)).
    pub least_cosine: f32,
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
    /// Its place among what words found, from 1.
    pub lexical_rank: Option<u32>,
    /// How near its vector is; `None` where it has none, or no vectors were asked.
    pub cosine: Option<f32>,
    /// Its place among what vectors found, from 1.
    pub dense_rank: Option<u32>,
    /// Its place by the sum of words and vectors, from 1; `None` where no vectors were asked.
    pub fusion_rank: Option<u32>,
    /// What a reranker gave it ([`reranked`](super::reranked)).
    pub rerank_score: Option<f32>,
    /// What it is ordered by: without vectors the lexical score, else the weighted sum.
    pub score: f32,
}

impl Candidate {
    /// What it has of the identifiers that were asked for; comes before all scores.
    #[must_use]
    pub fn tier(&self) -> u8 {
        self.lexical.as_ref().map_or(0, |hit| hit.tier)
    }
}

/// The best chunks for a question, at most `limit`; what has the identifiers that were asked for first
/// ([`put_identified_first`]), then score descending, then chunk id ascending.
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
        let hits = (1..).zip(searcher.search(query, limit)?);
        let candidate = |(rank, hit): (u32, LexicalHit)| Candidate {
            chunk: hit.chunk.clone(),
            score: hit.score,
            lexical: Some(hit),
            lexical_rank: Some(rank),
            cosine: None,
            dense_rank: None,
            fusion_rank: None,
            rerank_score: None,
        };
        return Ok(hits.map(candidate).collect());
    };
    let depth = limit.max(DEPTH);
    let mut near = dense.index.search(dense.query, depth, dense.admits);
    let found = searcher.search_also(query, depth, near.iter().map(|hit| &hit.chunk))?;
    let least = near.last().map_or(0.0, |hit| hit.cosine);
    let has_words: BTreeSet<&ChunkId> = found.hits.iter().map(|hit| &hit.chunk).collect();
    near.retain(|hit| hit.cosine >= dense.least_cosine || has_words.contains(&hit.chunk));
    let dense_ranks: BTreeMap<ChunkId, u32> = near.iter().map(|hit| hit.chunk.clone()).zip(1..).collect();
    let mut cosines: BTreeMap<ChunkId, f32> = near.into_iter().map(|hit| (hit.chunk, hit.cosine)).collect();
    let mut by_vectors: Vec<Hit<ChunkId>> =
        cosines.iter().map(|(id, cosine)| Hit { id: id.clone(), score: *cosine }).collect();
    let mut lexical: BTreeMap<ChunkId, (u32, LexicalHit)> = BTreeMap::new();
    let mut by_words = Vec::with_capacity(found.hits.len());
    for (rank, hit) in (1..).zip(found.hits) {
        let id = hit.chunk.clone();
        if !cosines.contains_key(&id) {
            let cosine = dense.index.cosine(dense.query, &id);
            cosines.extend(cosine.map(|cosine| (id.clone(), cosine)));
            // One whose vector is still to be made is taken for as near as the last that was found.
            by_vectors.push(Hit { id: id.clone(), score: cosine.unwrap_or(least) });
        }
        by_words.push(Hit { id: id.clone(), score: hit.score });
        lexical.insert(id, (rank, hit));
    }
    let words = (by_words.as_slice(), LEXICAL_WEIGHT, LEAST_SHARE * found.most);
    let fused = fuse::weighted_sum(&[words, (&by_vectors, 1.0 - LEXICAL_WEIGHT, 0.0)]);
    let candidate = |(rank, hit): (u32, Hit<ChunkId>)| {
        let (lexical_rank, lexical) = lexical.remove(&hit.id).unzip();
        Candidate {
            lexical,
            // Behind the best stand those that only vectors found, with gaps between them.
            lexical_rank: lexical_rank.filter(|rank| *rank as usize <= depth),
            cosine: cosines.get(&hit.id).copied(),
            dense_rank: dense_ranks.get(&hit.id).copied(),
            fusion_rank: Some(rank),
            rerank_score: None,
            score: hit.score,
            chunk: hit.id,
        }
    };
    let mut candidates: Vec<Candidate> = (1..).zip(fused).map(candidate).collect();
    put_identified_first(&mut candidates, Candidate::tier);
    candidates.truncate(limit);
    Ok(candidates)
}
