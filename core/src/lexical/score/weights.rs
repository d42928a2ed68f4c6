//! How rare a question's terms are: what judges of single passages need to know of all of them.

use super::{Searcher, idf};
use crate::lexical::{Query, SegmentError};

impl Searcher {
    /// By term of a query: its inverse document frequency over the live chunks, the same that scores are made of.
    /// O(postings of its terms).
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn weights(&self, query: &Query) -> Result<Vec<f32>, SegmentError> {
        let mut weights = Vec::with_capacity(query.terms.len());
        let mut rows: Vec<usize> = Vec::new();
        for term in &query.terms {
            self.for_each_row(term, |row| rows.push(row))?;
            rows.sort_unstable();
            rows.dedup();
            weights.push(idf(rows.len(), self.n_live));
            rows.clear();
        }
        Ok(weights)
    }
}
