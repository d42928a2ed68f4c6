//! What a slow reranker says of candidates, once it has spoken: it runs elsewhere, in another worker or beside the library,
//! so its scores come back with the question asked again.

use super::Candidate;
use crate::{chunk::ChunkId, rerank};
use std::collections::BTreeMap;

/// How many of the best candidates are worth reading once more with the question: a cross-encoder needs some 40 ms for each
/// in a tab, and below the twentieth there is seldom one that belongs among the first five.
pub const N_READ_AGAIN: usize = 20;

/// A reranker's scores.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reranked {
    /// By chunk, higher is better, of any sign and size.
    pub scores: BTreeMap<ChunkId, f32>,
}

/// Puts those of the best candidates that have a score before the others, by the sum of two numbers between 0 and 1: the
/// share that they have of the best one's score so far, and how likely the reranker thinks that they answer the question.
/// Both, because a cross-encoder knows what answers a question and retrieval what the documents are about: on SciFact the
/// public models alone rank worse than words and vectors do (published 0.688 against 0.73 nDCG@10). That the two weigh alike
/// was not measured: no such model could be had. The first candidate without a score and all after it stay as they stood;
/// what was named still comes first.
pub fn put_in_order(candidates: &mut Vec<Candidate>, reranked: &Reranked) {
    let scores: Vec<f32> =
        candidates.iter().map_while(|candidate| reranked.scores.get(&candidate.chunk).copied()).collect();
    let best = candidates.iter().map(|candidate| candidate.score).fold(f32::MIN_POSITIVE, f32::max);
    let both: Vec<f32> =
        candidates.iter().zip(&scores).map(|(found, score)| found.score / best + likelihood(*score)).collect();
    reorder(candidates, &both, &scores);
}

/// Puts candidates in the order of what the first of them come to ([`rerank::order`]), and keeps what the reranker gave
/// each: `given` is what is told, `come_to` what decides.
pub fn reorder(candidates: &mut Vec<Candidate>, come_to: &[f32], given: &[f32]) {
    let order = rerank::order(candidates.len(), come_to, |at| candidates.get(at).map_or(0, Candidate::tier));
    for (candidate, score) in candidates.iter_mut().zip(given) {
        candidate.rerank_score = Some(*score);
    }
    let mut former: Vec<Option<Candidate>> = candidates.drain(..).map(Some).collect();
    candidates.extend(order.into_iter().filter_map(|at| former.get_mut(at).and_then(Option::take)));
}

/// How likely a passage answers the question, as networks with one label are trained to tell: the logistic function of
/// their score. What is no number is no answer.
fn likelihood(score: f32) -> f32 {
    if score.is_nan() { 0.0 } else { 1.0 / (1.0 + libm::expf(-score)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::DocumentId;

    fn chunk(ordinal: u32) -> ChunkId {
        ChunkId { document: DocumentId::of(b"a"), ordinal }
    }

    fn candidates(scores: &[f32]) -> Vec<Candidate> {
        let candidate = |(ordinal, score): (u32, &f32)| Candidate {
            chunk: chunk(ordinal),
            lexical: None,
            lexical_rank: None,
            cosine: None,
            dense_rank: None,
            fusion_rank: Some(ordinal + 1),
            rerank_score: None,
            score: *score,
        };
        (0..).zip(scores).map(candidate).collect()
    }

    fn ordered(found: &[f32], scores: &[(u32, f32)]) -> Vec<u32> {
        let mut candidates = candidates(found);
        let scores = scores.iter().map(|(ordinal, score)| (chunk(*ordinal), *score)).collect();
        put_in_order(&mut candidates, &Reranked { scores });
        candidates.iter().map(|candidate| candidate.chunk.ordinal).collect()
    }

    #[test]
    fn both_scores_count() {
        assert_eq!(ordered(&[0.9, 0.8, 0.7], &[(0, -9.0), (1, 5.0), (2, 4.0)]), [1, 2, 0]);
        assert_eq!(ordered(&[0.9, 0.8, 0.1], &[(0, 0.0), (1, 1.0), (2, 1.0)]), [1, 0, 2]);
        assert_eq!(ordered(&[0.9, 0.8, 0.2], &[(0, 1.0), (1, 1.0), (2, 1.0)]), [0, 1, 2]);
        assert_eq!(ordered(&[90.0, 80.0, 20.0], &[(0, 0.0), (1, 0.1), (2, 2.0)]), [0, 1, 2], "much better found");
    }

    #[test]
    fn what_was_not_reached_stays_behind() {
        assert_eq!(ordered(&[0.9, 0.8, 0.7, 0.6], &[(0, 0.0), (1, 9.0), (3, 99.0)]), [1, 0, 2, 3]);
        assert_eq!(ordered(&[0.9, 0.8], &[]), [0, 1]);
        assert_eq!(ordered(&[], &[(0, 1.0)]), [0; 0]);
        assert_eq!(ordered(&[0.9, 0.8, 0.7], &[(0, f32::NAN), (1, 1.0), (2, 2.0)]), [2, 1, 0]);
    }
}
