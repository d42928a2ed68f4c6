//! Which rows and documents a query is for, where it is not for all.

use super::Searcher;
use crate::{
    document::DocumentId,
    lexical::{
        Query, QueryTerm, SegmentError,
        analysis::{Form, Stream},
        segment::IndexField,
    },
};
use std::collections::BTreeSet;

impl Searcher {
    /// By row: whether it may be found, where a query is not for all; `None` where it is.
    pub(super) fn admitted(&self, query: &Query) -> Result<Option<Vec<bool>>, SegmentError> {
        if query.documents.is_none() && query.excluded.is_empty() {
            return Ok(None);
        }
        let mut admitted = vec![true; self.live.len()];
        if let Some(documents) = &query.documents {
            for (segment, base) in self.segments.iter().zip(&self.bases) {
                let meant: Vec<bool> = segment.documents().iter().map(|id| documents.contains(id)).collect();
                for (row, slot) in segment.slots().enumerate() {
                    admitted[*base as usize + row] = meant[slot];
                }
            }
        }
        for term in &query.excluded {
            self.for_each_row(term, |row| admitted[row] = false)?;
        }
        Ok(Some(admitted))
    }

    /// The documents that have every word and identifier of a query, be it in several places. O(postings of its terms).
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn documents_having(&self, query: &Query) -> Result<BTreeSet<DocumentId>, SegmentError> {
        let mut having: Option<BTreeSet<DocumentId>> = None;
        // What is no word is among the identifiers, in all its writings.
        let is_word = |term: &QueryTerm| !term.is_part && term.word.contains(char::is_alphabetic);
        let counts = |term: &&QueryTerm| !term.is_guess && (term.stream == Stream::Identifier || is_word(term));
        for term in query.terms.iter().filter(counts) {
            let mut rows = BTreeSet::new();
            self.for_each_row(term, |row| {
                rows.insert(row);
            })?;
            let with_term: BTreeSet<DocumentId> = rows.into_iter().map(|row| self.chunk_of(row).document).collect();
            having = Some(match having {
                Some(having) => having.intersection(&with_term).cloned().collect(),
                None => with_term,
            });
        }
        Ok(having.unwrap_or_default())
    }

    /// Calls `found` for every live row that has a term, perhaps several times.
    pub(super) fn for_each_row(&self, term: &QueryTerm, mut found: impl FnMut(usize)) -> Result<(), SegmentError> {
        let fields: &[IndexField] = match term.stream {
            Stream::Word => &[IndexField::Body, IndexField::Context],
            Stream::Identifier => &[IndexField::Identifiers],
        };
        for field in fields {
            if term.is_prefix {
                for text in self.completions(*field, &term.text)?.unwrap_or_default() {
                    self.for_each_posting(*field, &Form { text, language: None, weight: 1.0 }, |row, _| found(row))?;
                }
                continue;
            }
            for form in &term.forms {
                self.for_each_posting(*field, form, |row, _| found(row))?;
            }
        }
        Ok(())
    }
}
