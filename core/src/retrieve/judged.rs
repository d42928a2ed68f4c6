//! Candidates and questions as a [reranker](crate::rerank::Reranker) sees them.

use super::{Candidate, Question, question::Wanted};
use crate::rerank::{Scores, Sought};

impl Candidate {
    /// What the retrievers said of it.
    #[must_use]
    pub fn scores(&self) -> Scores {
        let lexical = self.lexical.as_ref();
        Scores {
            words: lexical.map(|hit| hit.words),
            identifiers: lexical.map(|hit| hit.identifiers),
            proximity: lexical.map(|hit| hit.proximity),
            lexical_rank: self.lexical_rank,
            cosine: self.cosine,
            dense_rank: self.dense_rank,
            score: self.score,
        }
    }
}

impl Question {
    /// What it asks to see.
    #[must_use]
    pub fn sought(&self) -> Option<Sought> {
        if self.is_row_level {
            return Some(Sought::Value);
        }
        self.wanted.map(|wanted| match wanted {
            Wanted::Warning => Sought::Warning,
            Wanted::Procedure => Sought::Steps,
            Wanted::Table => Sought::Table,
            Wanted::Definition => Sought::Definition,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_question_asks_to_see_is_told() {
        let sought = |question: &str| Question::parse(question).sought();
        assert_eq!(sought("how do I change the seal"), Some(Sought::Steps));
        assert_eq!(sought("is it safe to open the valve"), Some(Sought::Warning));
        assert_eq!(sought("how many valves are there"), Some(Sought::Value));
        assert_eq!(sought("list of alarms"), Some(Sought::Table));
        assert_eq!(sought("seal leaks"), None);
    }
}
