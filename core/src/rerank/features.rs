//! Judges candidates by what can be counted in them: a sum of a few features, each from 0 to 1, with learned weights.
//!
//! `reading` finds a question's words in a passage, `neighbours` compares the candidates' vectors with one another, and
//! the weights are in one file that `millwright train features` writes. Linear on purpose: that a passage stands higher
//! because it has the words of the question in one sentence can be said in one, too.
//!
//! Weights are found on the measure itself (Metzler and Croft: "Linear feature-based models for information retrieval",
//! Information Retrieval 10, 2007). Most features have none: of those that follow the first three, none brought anything on
//! collections that it was not learned from.

mod neighbours;
mod reading;
mod weights;

use super::{Asked, Passage, RerankError, Reranker, Sought};
use crate::{chunk::ChunkKind, host::Progress};
use reading::{Reader, Reading};
pub use weights::WEIGHTS;

/// How many features there are.
pub const N_FEATURES: usize = 11;

/// What each feature is called, in their order.
pub const NAMES: [&str; N_FEATURES] = [
    "found",
    "neighbours",
    "pairs",
    "together",
    "coverage",
    "headings",
    "numbers",
    "sought",
    "lexical rank",
    "dense rank",
    "recency",
];

/// The features of one candidate.
pub type FeatureVector = [f32; N_FEATURES];

/// More candidates than this are not looked at: each is compared with each.
const MAX_PASSAGES: usize = 200;
/// Scores of words are divided by at least this share of what all the question's words could come to, as in fusion.
const LEAST_SHARE: f32 = 0.3;
/// What of BM25 a word cannot come to more than, against its weight: `k1 + 1`.
const MOST_PER_WEIGHT: f32 = crate::lexical::BM25_K1 + 1.0;

/// The features of all candidates, in their order: as many as `progress` leaves time for.
#[must_use]
pub fn features(asked: &Asked<'_>, passages: &[Passage<'_>], progress: &mut dyn Progress) -> Vec<FeatureVector> {
    let passages = passages.get(..MAX_PASSAGES).unwrap_or(passages);
    let found = found(asked, passages);
    let neighbours = neighbours::shares(&found, passages);
    let mut reader = Reader::new(asked);
    let mut vectors = Vec::with_capacity(passages.len());
    for ((passage, found), neighbours) in passages.iter().zip(&found).zip(neighbours) {
        let reading = reader.read(passage);
        let reciprocal = |rank: Option<u32>| rank.map_or(0.0, |rank| 1.0 / (rank as f32 + 1.0));
        vectors.push([
            *found,
            neighbours,
            reading.pairs,
            reading.together,
            reading.coverage,
            reading.headings,
            reading.numbers,
            sought(asked.sought, passage, &reading),
            reciprocal(passage.scores.lexical_rank),
            reciprocal(passage.scores.dense_rank),
            passage.recency.unwrap_or(0.0),
        ]);
        if progress.report(vectors.len() as u32, passages.len() as u32).is_break() {
            break;
        }
    }
    vectors
}

/// What they were ordered by: the sum of words and vectors as it is; words alone as a share of the best, or of what could
/// be.
fn found(asked: &Asked<'_>, passages: &[Passage<'_>]) -> Vec<f32> {
    if has_vectors(passages) {
        return passages.iter().map(|passage| passage.scores.score).collect();
    }
    let weights = asked.weights.iter().take(asked.query.terms.len());
    let most = LEAST_SHARE * MOST_PER_WEIGHT * weights.sum::<f32>();
    let best = passages.iter().fold(most, |best, passage| best.max(passage.scores.score));
    passages.iter().map(|passage| if best > 0.0 { passage.scores.score / best } else { 0.0 }).collect()
}

/// Whether a passage is of the kind that the question wants to see.
fn sought(sought: Option<Sought>, passage: &Passage<'_>, reading: &Reading) -> f32 {
    let is_tabular = matches!(passage.kind, ChunkKind::Table | ChunkKind::Row);
    let holds = match sought {
        None | Some(Sought::Definition) => false,
        Some(Sought::Warning) => passage.kind == ChunkKind::Warning,
        Some(Sought::Steps) => reading.n_steps > 1,
        Some(Sought::Table) => is_tabular,
        Some(Sought::Value) => is_tabular || reading.has_number_near,
    };
    f32::from(u8::from(holds))
}

/// Weights that no collection can teach, because none marks what its passages are made of or which revision is newer: small
/// enough to decide between equals alone.
const PRIORS: [(usize, f32); 2] = [(SOUGHT, 0.05), (RECENCY, 0.02)];
/// The place of the feature `sought`.
const SOUGHT: usize = 7;
/// The place of the feature `recency`.
const RECENCY: usize = 10;

/// The order as it was found, but for what cannot be learned: where learning begins.
pub const NOTHING_LEARNED: FeatureVector = {
    let mut weights = [0.0; N_FEATURES];
    weights[0] = 1.0;
    weights[PRIORS[0].0] = PRIORS[0].1;
    weights[PRIORS[1].0] = PRIORS[1].1;
    weights
};

/// The reranker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    weights: FeatureVector,
    of_words: FeatureVector,
}

impl Default for Features {
    /// With the learned weights where words and vectors were asked. By words alone none are used: learned from some
    /// collections they did not help on others (the record stands with the weights).
    fn default() -> Self {
        Self { weights: WEIGHTS, of_words: NOTHING_LEARNED }
    }
}

impl Features {
    /// With weights of one's own.
    #[must_use]
    pub const fn with_weights(weights: FeatureVector) -> Self {
        Self { weights, of_words: weights }
    }
}

/// What features come to.
#[must_use]
pub fn weighted(weights: &FeatureVector, features: &FeatureVector) -> f32 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// Whether vectors were asked.
fn has_vectors(passages: &[Passage<'_>]) -> bool {
    passages.iter().any(|passage| passage.scores.cosine.is_some())
}

impl Reranker for Features {
    fn name(&self) -> &'static str {
        "features"
    }

    fn score(
        &self,
        asked: &Asked<'_>,
        passages: &[Passage<'_>],
        progress: &mut dyn Progress,
    ) -> Result<Vec<f32>, RerankError> {
        let weights = if has_vectors(passages) { &self.weights } else { &self.of_words };
        Ok(features(asked, passages, progress).iter().map(|features| weighted(weights, features)).collect())
    }
}

#[cfg(test)]
mod tests;
