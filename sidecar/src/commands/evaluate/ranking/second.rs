//! The best candidates for a question, with all that a reranker may want to know of them.

use super::systems::Index;
use millwright_core::{
    chunk::ChunkKind,
    dense::Code,
    lexical::{Query, SegmentError},
    rerank::{Asked, Passage},
    retrieve::{Candidate, Question},
    text::Language,
};

/// A question and its candidates.
pub(in crate::commands) struct Second<'a> {
    question: Question,
    query: Query,
    weights: Vec<f32>,
    looked_at: Vec<LookedAt<'a>>,
}

/// A candidate and its text.
struct LookedAt<'a> {
    candidate: Candidate,
    text: &'a str,
    kind: ChunkKind,
    heading_path: Vec<String>,
    language: Language,
    code: Option<Code>,
}

impl<'a> Second<'a> {
    pub(super) fn new(
        index: &Index<'a>,
        question: Question,
        query: Query,
        candidates: Vec<Candidate>,
    ) -> Result<Self, SegmentError> {
        let weights = index.searcher().weights(&query)?;
        let looked_at = candidates.into_iter().filter_map(|candidate| {
            let (document, language) = index.document(&candidate.chunk.document)?;
            let heading_path = Some(&document.title).filter(|title| !title.is_empty()).into_iter().cloned().collect();
            let code = index.code(&candidate.chunk);
            Some(LookedAt { text: &document.text, kind: document.kind, heading_path, language, code, candidate })
        });
        Ok(Self { question, weights, looked_at: looked_at.collect(), query })
    }

    /// The candidates, best first.
    pub(in crate::commands) fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.looked_at.iter().map(|looked_at| &looked_at.candidate)
    }

    /// Asks something of the question and its candidates.
    pub(in crate::commands) fn ask<R>(&self, of: impl FnOnce(&Asked<'_>, &[Passage<'_>]) -> R) -> R {
        let asked = Asked {
            text: &self.question.subject,
            query: &self.query,
            weights: &self.weights,
            sought: self.question.sought(),
            tokens: None,
        };
        let passages: Vec<Passage<'_>> = self.looked_at.iter().map(LookedAt::passage).collect();
        of(&asked, &passages)
    }
}

impl LookedAt<'_> {
    fn passage(&self) -> Passage<'_> {
        Passage {
            text: self.text,
            heading_path: &self.heading_path,
            kind: self.kind,
            language: self.language,
            scores: self.candidate.scores(),
            recency: None,
            code: self.code.as_ref(),
            tokens: None,
        }
    }
}
