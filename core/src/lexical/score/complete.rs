//! What a question's words stand for that no document has as they are: words still being typed, words misspelled, codes in
//! several words.

use super::Searcher;
use crate::lexical::{
    Query, SegmentError,
    analysis::{Form, Stream},
    segment::IndexField,
};
use std::collections::BTreeSet;
use tantivy::{Term, schema::IndexRecordOption};

/// A word shorter than this many bytes is not completed: too many words begin with it.
const MIN_PREFIX_BYTES: usize = 3;
/// A beginning that more words share than this says nothing.
const MAX_COMPLETIONS: usize = 256;

impl Searcher {
    /// Lets words of the query that no live chunk holds stand for the words that begin with them, so that a question
    /// finds something while its last word is still being typed; and where none does, for the words spelled most like
    /// them. What may be a code in several words is one only if a live chunk has it.
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn complete(&self, mut query: Query) -> Result<Query, SegmentError> {
        for term in &mut query.terms {
            if term.stream != Stream::Word || term.text.len() < MIN_PREFIX_BYTES || self.holds_any(&term.forms)? {
                continue;
            }
            let mut begun = false;
            for field in [IndexField::Body, IndexField::Context] {
                begun = begun || self.completions(field, &term.text)?.is_none_or(|words| !words.is_empty());
            }
            term.is_prefix = begun;
            if !begun && !term.is_part {
                let nearest = self.nearest(term)?;
                if !nearest.is_empty() {
                    (term.forms, term.is_mended) = (nearest, true);
                }
            }
        }
        let mut kept = Vec::with_capacity(query.terms.len());
        for (at, term) in query.terms.iter().enumerate() {
            let stays = !term.is_guess || self.any_has_identifier(&term.forms)?;
            kept.extend(stays.then_some(at));
        }
        // Words come first and stay, so pairs still name them.
        let place = |old: &usize| kept.binary_search(old).ok();
        query.required = query.required.iter().filter_map(place).collect();
        let mut at = 0;
        query.terms.retain(|_| {
            at += 1;
            kept.binary_search(&(at - 1)).is_ok()
        });
        Ok(query)
    }

    /// Whether any live chunk holds an identifier in one of its forms.
    fn any_has_identifier(&self, forms: &[Form]) -> Result<bool, SegmentError> {
        for form in forms {
            if self.holds(IndexField::Identifiers, form)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether any live chunk holds a word in one of its forms.
    pub(super) fn holds_any(&self, forms: &[Form]) -> Result<bool, SegmentError> {
        for form in forms {
            for field in [IndexField::Body, IndexField::Context] {
                if self.holds(field, form)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether any live chunk holds a term; reads no further than the first that does.
    fn holds(&self, field: IndexField, form: &Form) -> Result<bool, SegmentError> {
        let term = Term::from_field_text(field.field(), &form.text);
        for (segment, base) in self.speaking(form) {
            let postings = segment.inverted(field).read_block_postings(&term, IndexRecordOption::Basic)?;
            let Some(mut postings) = postings else { continue };
            while postings.block_len() > 0 {
                if postings.docs().iter().any(|row| self.live[(base + row) as usize]) {
                    return Ok(true);
                }
                postings.advance();
            }
        }
        Ok(false)
    }

    /// The words of a field that begin so, ascending; `None` if they are too many.
    pub(super) fn completions(
        &self,
        field: IndexField,
        prefix: &str,
    ) -> Result<Option<BTreeSet<String>>, SegmentError> {
        let mut words = BTreeSet::new();
        for segment in &self.segments {
            let mut stream = segment.inverted(field).terms().range().ge(prefix).into_stream()?;
            while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
                words.insert(String::from_utf8_lossy(stream.key()).into_owned());
                if words.len() > MAX_COMPLETIONS {
                    return Ok(None);
                }
            }
        }
        Ok(Some(words))
    }
}
