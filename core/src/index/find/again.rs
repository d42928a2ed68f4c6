//! A second look at the best candidates, where words and vectors were asked: [`Features`] over their texts.
//!
//! Not stopped by a clock: it takes a few milliseconds, and the same question must give the same order on every machine.

use super::{Asked, IndexError, Library};
use crate::{
    chunk::Chunk,
    dense::Code,
    host::{NoProgress, Storage},
    lexical::Searcher,
    rerank::{self, Features, Passage, Reranker},
    retrieve::{Candidate, reranked},
};

impl<S: Storage> Library<S> {
    /// Puts the best candidates in the order of their features. Where vectors were not asked they stay as they stand:
    /// by words alone features bring nothing.
    pub(super) async fn look_again(
        &self,
        candidates: &mut Vec<Candidate>,
        searcher: &Searcher,
        asked: &Asked,
    ) -> Result<(), IndexError> {
        if candidates.iter().all(|candidate| candidate.cosine.is_none()) {
            return Ok(());
        }
        let mut read: Vec<(Chunk, Option<Code>)> = Vec::with_capacity(rerank::DEPTH);
        for candidate in candidates.iter().take(rerank::DEPTH) {
            read.push((self.chunk(&candidate.chunk).await?, self.vectors().code(&candidate.chunk)));
        }
        let passages = read.iter().zip(candidates.iter()).map(|((chunk, code), candidate)| Passage {
            text: &chunk.text,
            heading_path: &chunk.heading_path,
            kind: chunk.kind,
            language: chunk.language,
            scores: candidate.scores(),
            recency: None,
            code: code.as_ref(),
            tokens: None,
        });
        let passages: Vec<Passage<'_>> = passages.collect();
        let weights = searcher.weights(&asked.query)?;
        let of_question = rerank::Asked {
            text: &asked.question.subject,
            query: &asked.query,
            weights: &weights,
            sought: asked.question.sought(),
            tokens: None,
        };
        // Only models fail; then what stood before still stands.
        let scores = Features::default().score(&of_question, &passages, &mut NoProgress).unwrap_or_default();
        reranked::reorder(candidates, &scores, &scores);
        Ok(())
    }
}
