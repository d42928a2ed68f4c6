//! The cross-encoder as a reranker: what it reads of a passage, and what it is called.

use super::{Asked, Passage, RerankError, Reranker, under_headings};
use crate::{
    embed::{CrossEncoder, Encoder},
    host::Progress,
};
use std::fmt;

/// How it is called in explanations.
const NAME: &str = "cross-encoder";

impl<E: Encoder + fmt::Debug> Reranker for CrossEncoder<E> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn score(
        &self,
        asked: &Asked<'_>,
        passages: &[Passage<'_>],
        progress: &mut dyn Progress,
    ) -> Result<Vec<f32>, RerankError> {
        let under_headings = |passage: &Passage<'_>| under_headings(passage.heading_path, passage.text);
        let texts: Vec<String> = passages.iter().map(under_headings).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.scores(asked.text, &texts, progress)
            .map_err(|error| RerankError::Model { name: NAME, detail: error.to_string() })
    }
}
