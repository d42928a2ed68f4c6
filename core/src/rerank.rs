//! A second look at the best candidates: what is too slow, or needs too much of a passage's text, to be asked of all.
//!
//! A [`Reranker`] gives scores for a question and its candidates, best first, so that it can be stopped at any of them;
//! [`order`] puts the candidates by these scores, within what the identifiers of a question decide. Its inputs are types of
//! its own: whoever found the candidates says what is known of them.
//!
//! Not for finding anything, nor for what is shown: that is [`crate::retrieve`] and [`crate::index`].

#[cfg(feature = "embed")]
mod cross_encoder;
pub mod features;
pub mod late_interaction;

use crate::{
    chunk::ChunkKind,
    dense::Code,
    host::{Clock, Progress},
    lexical::Query,
    text::Language,
};
pub use features::Features;
pub use late_interaction::{LateInteraction, TokenCodes};
use std::{fmt, ops::ControlFlow};

/// How many candidates are worth a second look. In what stands below there is little to find, and every one is read.
pub const DEPTH: usize = 50;

/// What a question asks to see, where it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sought {
    /// A safety warning.
    Warning,
    /// Steps: how something is done.
    Steps,
    /// A table or list.
    Table,
    /// A row of a table, or a value: how many, the price of, which part.
    Value,
    /// What something is or means.
    Definition,
}

/// A question as a reranker sees it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Its text, without what only leaves out or narrows down.
    pub text: &'a str,
    /// What is looked up for it, complete ([`Searcher::complete`](crate::lexical::Searcher::complete)).
    pub query: &'a Query,
    /// By term of `query`: how rare it is ([`Searcher::weights`](crate::lexical::Searcher::weights)). Terms that none is
    /// given for count alike.
    pub weights: &'a [f32],
    /// What it asks to see.
    pub sought: Option<Sought>,
    /// Its tokens, where a model gave them vectors.
    pub tokens: Option<&'a TokenCodes>,
}

/// A candidate as a reranker sees it. What nobody knows is `None`.
#[derive(Clone, Copy, Debug)]
pub struct Passage<'a> {
    /// Its text as shown.
    pub text: &'a str,
    /// The headings above it, outermost first.
    pub heading_path: &'a [String],
    /// What it is made of.
    pub kind: ChunkKind,
    /// What it is written in.
    pub language: Language,
    /// What found it.
    pub scores: Scores,
    /// How new its document is among the revisions of the same: 0 the oldest, 1 the newest.
    pub recency: Option<f32>,
    /// Its vector.
    pub code: Option<&'a Code>,
    /// Its tokens, where a model gave them vectors that were kept.
    pub tokens: Option<&'a TokenCodes>,
}

/// What the retrievers said of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scores {
    /// BM25 over words.
    pub words: Option<f32>,
    /// What identifiers found whole added.
    pub identifiers: Option<f32>,
    /// What question words standing close together added.
    pub proximity: Option<f32>,
    /// Its place among what words found, from 1.
    pub lexical_rank: Option<u32>,
    /// Cosine of its vector and the question's.
    pub cosine: Option<f32>,
    /// Its place among what vectors found, from 1.
    pub dense_rank: Option<u32>,
    /// What it is ordered by so far.
    pub score: f32,
}

impl Scores {
    /// What words, identifiers and proximity came to together; `None` where words did not find it.
    #[must_use]
    pub fn lexical(&self) -> Option<f32> {
        let parts = [self.words, self.identifiers, self.proximity];
        parts.iter().any(Option::is_some).then(|| parts.iter().flatten().sum())
    }
}

/// Why a reranker gave nothing. What stood before still stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RerankError {
    /// Its model does not fit what it was asked.
    #[error("the reranker {name} failed: {detail}")]
    Model {
        /// Which reranker.
        name: &'static str,
        /// What the model says.
        detail: String,
    },
}

/// Judges candidates by more than what found them.
pub trait Reranker: fmt::Debug {
    /// What explanations and tables call it.
    fn name(&self) -> &'static str;

    /// How well each passage answers the question, higher is better, in the order of `passages`, which stand best first.
    /// `progress` hears after every few how many are done. Where it says `Break` the scores so far come back: those of the
    /// first passages, perhaps none. Scores of different questions are not comparable.
    ///
    /// # Errors
    /// [`RerankError`] when it cannot judge at all.
    fn score(
        &self,
        asked: &Asked<'_>,
        passages: &[Passage<'_>],
        progress: &mut dyn Progress,
    ) -> Result<Vec<f32>, RerankError>;
}

/// What is read of a passage where its text alone is read: what it is about often stands only in the headings above it.
#[must_use]
pub fn under_headings(heading_path: &[String], text: &str) -> String {
    let mut parts: Vec<&str> = heading_path.iter().map(String::as_str).collect();
    parts.push(text);
    parts.join("\n")
}

/// The order that scores put `n` candidates in, as their former places; candidates stand best first. What has more of the
/// identifiers that were asked for (`tier`) stays before what has less, whatever its score; within a tier come those with a
/// score, best first, and behind them those that the reranker did not reach, as they stood. Equal scores stay as they stood;
/// what is no number counts as the worst. O(n log n).
#[must_use]
pub fn order(n: usize, scores: &[f32], tier: impl Fn(usize) -> u8) -> Vec<usize> {
    let score = |at: usize| scores.get(at).map(|score| if score.is_nan() { f32::NEG_INFINITY } else { *score });
    let mut places: Vec<usize> = (0..n).collect();
    // Stable: what is equal stays as it stood.
    places.sort_by(|&a, &b| {
        let by_score = || match (score(a), score(b)) {
            (Some(a), Some(b)) => b.total_cmp(&a),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        tier(b).cmp(&tier(a)).then_with(by_score)
    });
    places
}

/// Stops a reranker when its time is over.
pub struct TimeBudget<'c> {
    clock: &'c dyn Clock,
    end_micros: u64,
}

impl<'c> TimeBudget<'c> {
    /// So much time from now on.
    #[must_use]
    pub fn new(clock: &'c dyn Clock, budget_micros: u64) -> Self {
        Self { clock, end_micros: clock.monotonic_micros().saturating_add(budget_micros) }
    }
}

impl Progress for TimeBudget<'_> {
    fn report(&mut self, _done: u32, _total: u32) -> ControlFlow<()> {
        if self.clock.monotonic_micros() < self.end_micros { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl fmt::Debug for TimeBudget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeBudget(until {} µs)", self.end_micros)
    }
}

#[cfg(test)]
mod tests;
