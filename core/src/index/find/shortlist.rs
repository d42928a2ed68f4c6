//! What a slow reranker is given to read: the best candidates, as texts.

use super::{IndexError, Library};
use crate::{
    chunk::ChunkId,
    dense::Code,
    host::Storage,
    rerank,
    retrieve::{Route, reranked::N_READ_AGAIN},
};

/// A candidate that is worth reading once more with the question.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortlisted {
    /// Which.
    pub chunk: ChunkId,
    /// Its text, under its headings.
    pub text: String,
}

impl<S: Storage> Library<S> {
    /// The best candidates for a question, as they stand before a reranker has read them: what it is to score, best first.
    /// Empty where the question asks for something by its name, which no reranker knows better.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn shortlist(&self, question: &str, vector: Option<&Code>) -> Result<Vec<Shortlisted>, IndexError> {
        let searcher = self.searcher();
        let (asked, vector) = self.understand(question, vector, &searcher)?;
        let mut shortlist = Vec::new();
        if asked.routing.route == Route::Exact {
            return Ok(shortlist);
        }
        for candidate in self.ranked(&searcher, &asked, vector, N_READ_AGAIN).await?.into_iter().take(N_READ_AGAIN) {
            let chunk = self.chunk(&candidate.chunk).await?;
            let text = rerank::under_headings(&chunk.heading_path, &chunk.text);
            shortlist.push(Shortlisted { text, chunk: candidate.chunk });
        }
        Ok(shortlist)
    }
}
