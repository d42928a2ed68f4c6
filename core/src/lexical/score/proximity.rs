//! Neighbouring words of the question that stand close together, for the best candidates only: positions are the dearest
//! part of the index to read.

use super::{RowHit, Searcher};
use crate::lexical::{
    Query, SegmentError,
    analysis::{Form, Stream},
    segment::IndexField,
};
use tantivy::{DocSet, Term, postings::Postings, schema::IndexRecordOption};

/// Weight of two neighbouring question words standing together.
const PROXIMITY_WEIGHT: f32 = 0.5;
/// How many words apart still counts as close.
const PROXIMITY_WINDOW: u32 = 8;

impl Searcher {
    /// Adds what proximity is worth to the hits, leaving them in the order of rows.
    pub(super) fn add_proximity(&self, query: &Query, idfs: &[f32], hits: &mut [RowHit]) -> Result<(), SegmentError> {
        if query.pairs.is_empty() {
            return Ok(());
        }
        hits.sort_by_key(|hit| hit.row);
        // By hit and term: positions in the body.
        let n_terms = query.terms.iter().filter(|term| term.stream == Stream::Word).count();
        let mut positions: Vec<Vec<u32>> = vec![Vec::new(); hits.len() * n_terms];
        for (at_term, term) in query.terms[..n_terms].iter().enumerate() {
            for form in &term.forms {
                self.read_positions(form, at_term, n_terms, hits, &mut positions)?;
            }
            if term.forms.len() > 1 {
                positions.iter_mut().skip(at_term).step_by(n_terms).for_each(|of_hit| of_hit.sort_unstable());
            }
        }
        for (at_hit, hit) in hits.iter_mut().enumerate() {
            let of = |term: usize| positions[at_hit * n_terms + term].as_slice();
            let mut proximity = 0.0;
            for (left, right, distance) in &query.pairs {
                let weight = idfs[*left].min(idfs[*right]);
                proximity += weight * closeness(of(*left), of(*right), *distance);
            }
            hit.proximity = PROXIMITY_WEIGHT * proximity;
            hit.score = hit.words + hit.identifiers + hit.proximity;
        }
        Ok(())
    }

    /// Adds the positions of one form of a term in the bodies of the hits, which stand in the order of rows.
    fn read_positions(
        &self,
        form: &Form,
        at_term: usize,
        n_terms: usize,
        hits: &[RowHit],
        positions: &mut [Vec<u32>],
    ) -> Result<(), SegmentError> {
        let term = Term::from_field_text(IndexField::Body.field(), &form.text);
        for (segment, base) in self.speaking(form) {
            let base = base as usize;
            let in_segment = |hit: &RowHit| (base..base + segment.n_chunks()).contains(&hit.row);
            let first = hits.partition_point(|hit| hit.row < base);
            let here = hits[first..].iter().take_while(|hit| in_segment(hit));
            let mut here = here.enumerate().filter(|(_, hit)| hit.matched >> at_term.min(63) & 1 == 1).peekable();
            if here.peek().is_none() {
                continue;
            }
            let option = IndexRecordOption::WithFreqsAndPositions;
            let Some(mut postings) = segment.inverted(IndexField::Body).read_postings(&term, option)? else { continue };
            let mut found = Vec::new();
            for (at_hit, hit) in here {
                let row = (hit.row - base) as u32;
                if postings.doc() <= row && (postings.doc() == row || postings.seek(row) == row) {
                    postings.positions(&mut found);
                    positions[(first + at_hit) * n_terms + at_term].append(&mut found);
                }
            }
        }
        Ok(())
    }
}

/// How close two terms come: 1 where they stand as in the question, less with distance, 0 beyond the window.
/// O(occurrences of both).
fn closeness(left: &[u32], right: &[u32], distance: u32) -> f32 {
    let mut best: f32 = 0.0;
    let mut from = 0;
    for l in left {
        while from < right.len() && right[from] + PROXIMITY_WINDOW < *l {
            from += 1;
        }
        for r in right[from..].iter().take_while(|r| **r <= l + PROXIMITY_WINDOW) {
            let apart = if *r == l + distance { 1 } else { 1 + l.abs_diff(*r).max(1) };
            best = best.max(1.0 / apart as f32);
        }
    }
    best
}
