//! The cross-encoder as a reranker: what it reads of a passage, and what it is called.

use super::{Asked, Passage, RerankError, Reranker};
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
        let texts: Vec<String> = passages.iter().map(text_of).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.scores(asked.text, &texts, progress)
            .map_err(|error| RerankError::Model { name: NAME, detail: error.to_string() })
    }
}

/// A passage under its headings: what a passage is about often stands only there.
fn text_of(passage: &Passage<'_>) -> String {
    let mut parts: Vec<&str> = passage.heading_path.iter().map(String::as_str).collect();
    parts.push(passage.text);
    parts.join("\n")
}
