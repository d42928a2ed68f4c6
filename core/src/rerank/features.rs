//! Judges candidates by what can be counted in them: a sum of a few features, each from 0 to about 1, with learned weights.
//!
//! `reading` finds a question's words in a passage, `neighbours` compares the candidates' vectors with one another, and
//! the weights are in one file that `millwright train features` writes. Linear on purpose: that a passage stands higher
//! because it has two words of the question side by side can be said in a sentence.
//!
//! The model is a linear one over features, its weights found by coordinate ascent on the measure itself (Metzler and Croft:
//! "Linear feature-based models for information retrieval", Information Retrieval 10, 2007).

mod neighbours;
mod reading;
mod weights;

use super::{Asked, Passage, RerankError, Reranker, Sought};
use crate::{chunk::ChunkKind, host::Progress};
use reading::{Reader, Reading};
pub use weights::WEIGHTS;

/// How many features there are.
pub const N_FEATURES: usize = 12;

/// What each feature is called, in their order.
pub const NAMES: [&str; N_FEATURES] = [
    "found",
    "neighbours",
    "pairs",
    "sentence",
    "window",
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
            reading.sentence,
            reading.window,
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
    if passages.iter().any(|passage| passage.scores.cosine.is_some()) {
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

/// The reranker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    weights: FeatureVector,
}

impl Default for Features {
    /// With the learned weights.
    fn default() -> Self {
        Self::with_weights(WEIGHTS)
    }
}

impl Features {
    /// With weights of one's own.
    #[must_use]
    pub const fn with_weights(weights: FeatureVector) -> Self {
        Self { weights }
    }

    /// What features come to.
    #[must_use]
    pub fn score_of(&self, features: &FeatureVector) -> f32 {
        self.weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
    }
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
        Ok(features(asked, passages, progress).iter().map(|features| self.score_of(features)).collect())
    }
}

#[cfg(test)]
mod tests;
