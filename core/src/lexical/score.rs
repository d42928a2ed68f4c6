//! Scores chunks for a query: BM25F over body and context, exact identifiers, term proximity.
//!
//! - BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 extension to multiple weighted fields", CIKM 2004): term frequencies
//!   of the fields are normalised by length, weighted and added before saturation. The inverse document frequency is
//!   Lucene's, `ln(1 + (N − n + 0.5) / (n + 0.5))`.
//! - An identifier counts once, with its own inverse document frequency.
//! - Proximity (after Rasolofo and Savoy, ECIR 2003) for the best candidates only: neighbouring words of the question that
//!   stand close together in the body.
//!
//! Terms are added up in the order of the query, in `f32`, over live chunks only: the same set of chunks gives the same
//! bits, whatever the segments. Logarithms come from `libm`, since the platforms' own differ in the last place.

mod also;
mod complete;
mod meant;
mod nearest;
mod proximity;
#[cfg(test)]
mod tests;
mod weights;

use super::{
    Query, QueryTerm, Segment, SegmentError,
    analysis::{Form, Identity, Stream},
    segment::IndexField,
};
use crate::{chunk::ChunkId, document::DocumentId};
use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};
use tantivy::{Term, schema::IndexRecordOption};

/// Term frequency saturation of BM25 (Lucene's default).
pub const BM25_K1: f32 = 1.2;
/// Length normalisation of BM25 (Lucene's default).
pub const BM25_B: f32 = 0.75;
/// Weight of a term in title, headings or file name against one in the body: on SciFact's train split 1, 2 and 3 gave an
/// nDCG@10 of 0.7005, 0.7063 and 0.7064.
const CONTEXT_WEIGHT: f32 = 2.0;
/// Length normalisation of the context: short by nature, so its length says little.
const CONTEXT_B: f32 = 0.3;
/// Weight of an identifier found whole.
const IDENTIFIER_WEIGHT: f32 = 1.0;
/// What a chunk is worth that has an identifier as it is asked for, before all scores.
const AS_ASKED: u8 = 2;
/// And what one is that has it in another writing.
const OTHERWISE_WRITTEN: u8 = 1;
/// How many of the best candidates are looked at for proximity, at least.
const N_PROXIMITY_CANDIDATES: usize = 48;

/// A chunk with its score and what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalHit {
    /// The chunk.
    pub chunk: ChunkId,
    /// How many of the identifiers that name something it has: for each two as asked, one in another writing. Comes before
    /// the score, so that no near twin stands before what was asked for.
    pub tier: u8,
    /// The sum of the parts below.
    pub score: f32,
    /// BM25F over words.
    pub words: f32,
    /// Identifiers found whole.
    pub identifiers: f32,
    /// Question words standing close together.
    pub proximity: f32,
    /// Bit `i` is set if term `i` of the query was found; terms from the 64th on are not recorded.
    pub matched: u64,
}

/// What a search gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LexicalFound {
    /// Score descending, then chunk id ascending.
    pub hits: Vec<LexicalHit>,
    /// What no chunk's words and identifiers can come to more than: every term, as often as can be.
    pub most: f32,
}

/// Searches the live chunks of a set of segments.
#[derive(Debug)]
pub struct Searcher {
    segments: Vec<Segment>,
    /// By segment: the index of its first row among all rows.
    bases: Vec<u32>,
    /// By row: whether its document is alive in this segment.
    live: Vec<bool>,
    /// By row: its place in the order of chunk ids, for ties.
    order: Vec<u32>,
    /// By field (body, context) and row: tantivy's code of the length.
    lengths: [Vec<u8>; 2],
    /// By field and code: `1 / (1 − b + b · length / average length)`.
    norms: [Vec<f32>; 2],
    n_live: u32,
    scratch: RefCell<Scratch>,
}

/// Per-row sums, all zero between searches; none before the first.
#[derive(Debug, Default)]
struct Scratch {
    frequency: Vec<f32>,
    words: Vec<f32>,
    identifiers: Vec<f32>,
    tier: Vec<u8>,
    matched: Vec<u64>,
    /// Rows of the current term.
    touched: Vec<u32>,
    /// Rows of any term.
    candidates: Vec<u32>,
}

impl Searcher {
    /// Prepares searching. `is_live(segment, document)` says whether a document's chunks in a segment count.
    /// O(number of chunks).
    #[must_use]
    pub fn new(segments: Vec<Segment>, is_live: impl Fn(usize, &DocumentId) -> bool) -> Self {
        let n_rows = segments.iter().map(Segment::n_chunks).sum();
        let mut live = Vec::with_capacity(n_rows);
        let mut bases = Vec::with_capacity(segments.len());
        let mut lengths = [Vec::with_capacity(n_rows), Vec::with_capacity(n_rows)];
        let mut totals = [0_u64; 2];
        for (at, segment) in segments.iter().enumerate() {
            let base = live.len();
            bases.push(base as u32);
            let documents: Vec<bool> = segment.documents().iter().map(|id| is_live(at, id)).collect();
            live.extend(segment.slots().map(|slot| documents[slot]));
            for ((codes, total), reader) in lengths.iter_mut().zip(&mut totals).zip(segment.lengths()) {
                for row in 0..segment.n_chunks() as u32 {
                    let code = reader.fieldnorm_id(row);
                    codes.push(code);
                    if live[base + row as usize] {
                        *total += u64::from(tantivy::fieldnorm::FieldNormReader::id_to_fieldnorm(code));
                    }
                }
            }
        }
        let n_live = live.iter().filter(|live| **live).count() as u32;
        let norms = [(totals[0], BM25_B), (totals[1], CONTEXT_B)].map(|(total, b)| {
            let average = (total as f32 / n_live.max(1) as f32).max(1e-3);
            let norm = |code| {
                let length = tantivy::fieldnorm::FieldNormReader::id_to_fieldnorm(code) as f32;
                1.0 / (1.0 - b + b * length / average)
            };
            (0..=u8::MAX).map(norm).collect()
        });
        let order = chunk_order(&segments);
        Self { segments, bases, live, order, lengths, norms, n_live, scratch: RefCell::default() }
    }

    /// Number of chunks that can be found.
    #[must_use]
    pub fn n_live(&self) -> u32 {
        self.n_live
    }

    /// The segments that can have a form, with the index of their first row.
    fn speaking(&self, form: &Form) -> impl Iterator<Item = (&Segment, u32)> {
        let with_bases = self.segments.iter().zip(self.bases.iter().copied());
        with_bases.filter(move |(segment, _)| segment.speaks(form.language))
    }

    /// Whether any chunk, be it a dead one, has a word that begins with a character of a range.
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn has_script(&self, first: char, last: char) -> Result<bool, SegmentError> {
        let (from, end) = (first.to_string(), format!("{last}{}", char::MAX));
        for segment in &self.segments {
            for field in [IndexField::Body, IndexField::Context] {
                let terms = segment.inverted(field).terms();
                if terms.range().ge(&from).le(&end).into_stream()?.advance() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The best chunks for a query, at most `limit`; tier descending, then score descending, then chunk id ascending.
    /// O(postings of the query's terms + number of chunks holding any of them).
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn search(&self, query: &Query, limit: usize) -> Result<Vec<LexicalHit>, SegmentError> {
        self.search_also(query, limit, []).map(|found| found.hits)
    }

    /// The same, and those of the chunks `also` that hold any of the query, though they may be none of the best.
    ///
    /// # Errors
    /// [`SegmentError`] when a segment's bytes are damaged.
    pub fn search_also<'c>(
        &self,
        query: &Query,
        limit: usize,
        also: impl IntoIterator<Item = &'c ChunkId>,
    ) -> Result<LexicalFound, SegmentError> {
        if limit == 0 || query.is_empty() || self.n_live == 0 {
            return Ok(LexicalFound::default());
        }
        // Goes back only when all its sums are zero again: a search that fails on damaged bytes must not add to the next.
        let mut scratch = self.scratch.take();
        let n_rows = self.live.len();
        if scratch.words.len() != n_rows {
            scratch = Scratch {
                frequency: vec![0.0; n_rows],
                words: vec![0.0; n_rows],
                identifiers: vec![0.0; n_rows],
                tier: vec![0; n_rows],
                matched: vec![0; n_rows],
                ..Scratch::default()
            };
        }
        let added = query.terms.iter().enumerate().map(|(at, term)| self.add_term(at, term, &mut scratch));
        let weights = added.collect::<Result<Vec<f32>, SegmentError>>()?;
        let admitted = self.admitted(query)?;
        let mut hits = self.best(query, &scratch, admitted.as_deref(), limit.max(N_PROXIMITY_CANDIDATES));
        let mut also = self.rows_of(also);
        also.sort_unstable();
        if !also.is_empty() {
            let best: BTreeSet<usize> = hits.iter().map(|hit| hit.row).collect();
            let is_new = |row: &&usize| {
                let holds = scratch.words[**row] != 0.0 || scratch.identifiers[**row] != 0.0;
                holds && !best.contains(*row) && is_meant(query, &scratch, admitted.as_deref(), **row)
            };
            hits.extend(also.iter().filter(is_new).map(|row| scratch.hit(*row)));
        }
        for row in scratch.candidates.drain(..) {
            let row = row as usize;
            (scratch.words[row], scratch.identifiers[row]) = (0.0, 0.0);
            (scratch.tier[row], scratch.matched[row]) = (0, 0);
        }
        self.scratch.replace(scratch);
        self.add_proximity(query, &weights, &mut hits)?;
        let key =
            |hit: &RowHit| Key { tier: hit.tier, score: hit.score, order: Reverse(self.order[hit.row]), row: hit.row };
        hits.sort_by_key(|hit| Reverse(key(hit)));
        let kept = hits.into_iter().enumerate().filter(|(at, hit)| *at < limit || also.binary_search(&hit.row).is_ok());
        let hits = kept.map(|(_, hit)| self.finish(hit)).collect();
        Ok(LexicalFound { hits, most: most(query, &weights) })
    }

    /// Adds one term to the sums; returns its inverse document frequency.
    fn add_term(&self, at: usize, term: &QueryTerm, scratch: &mut Scratch) -> Result<f32, SegmentError> {
        let Scratch { frequency, touched, .. } = scratch;
        match term.stream {
            Stream::Word => {
                for (field, weight) in [(IndexField::Body, 1.0), (IndexField::Context, CONTEXT_WEIGHT)] {
                    let (codes, norms) = (&self.lengths[field as usize], &self.norms[field as usize]);
                    let mut add = |form: &Form| {
                        self.for_each_posting(field, form, |row, n| {
                            let sum = &mut frequency[row];
                            if *sum == 0.0 {
                                touched.push(row as u32);
                            }
                            *sum += weight * form.weight * n as f32 * norms[codes[row] as usize];
                        })
                    };
                    if term.is_prefix {
                        for text in self.completions(field, &term.text)?.unwrap_or_default() {
                            add(&Form { text, language: None, weight: 1.0 })?;
                        }
                    } else {
                        term.forms.iter().try_for_each(&mut add)?;
                    }
                }
            }
            Stream::Identifier => {
                for form in &term.forms {
                    self.for_each_posting(IndexField::Identifiers, form, |row, _| {
                        if frequency[row] == 0.0 {
                            touched.push(row as u32);
                        }
                        // Whichever of its writings is nearest to the one asked for.
                        frequency[row] = frequency[row].max(form.weight);
                    })?;
                }
            }
        }
        let idf = idf(touched.len(), self.n_live);
        let names = term.identity == Identity::Always;
        let bit = 1_u64.checked_shl(at as u32).unwrap_or(0);
        for row in touched.drain(..) {
            let at = row as usize;
            if scratch.words[at] == 0.0 && scratch.identifiers[at] == 0.0 {
                scratch.candidates.push(row);
            }
            let frequency = std::mem::take(&mut frequency[at]);
            match term.stream {
                Stream::Word => {
                    let saturated = frequency * (BM25_K1 + 1.0) / (frequency + BM25_K1);
                    scratch.words[at] += term.count as f32 * idf * saturated;
                }
                Stream::Identifier => {
                    scratch.identifiers[at] += IDENTIFIER_WEIGHT * idf;
                    let worth = if frequency < 1.0 { OTHERWISE_WRITTEN } else { AS_ASKED };
                    scratch.tier[at] = scratch.tier[at].saturating_add(if names { worth } else { 0 });
                }
            }
            scratch.matched[at] |= bit;
        }
        Ok(idf)
    }

    /// Calls `found(row, term frequency)` for every live row holding a term, segment by segment.
    fn for_each_posting(
        &self,
        field: IndexField,
        form: &Form,
        mut found: impl FnMut(usize, u32),
    ) -> Result<(), SegmentError> {
        let term = Term::from_field_text(field.field(), &form.text);
        for (segment, base) in self.speaking(form) {
            let postings = segment.inverted(field).read_block_postings(&term, IndexRecordOption::WithFreqs)?;
            let Some(mut postings) = postings else { continue };
            let with_frequencies = field != IndexField::Identifiers;
            while postings.block_len() > 0 {
                for (at, row) in postings.docs().iter().enumerate() {
                    let row = (base + row) as usize;
                    if self.live[row] {
                        found(row, if with_frequencies { postings.freq(at) } else { 1 });
                    }
                }
                postings.advance();
            }
        }
        Ok(())
    }

    /// The best rows by words and identifiers, in no order.
    fn best(&self, query: &Query, scratch: &Scratch, admitted: Option<&[bool]>, n: usize) -> Vec<RowHit> {
        let mut heap: BinaryHeap<Reverse<Key>> = BinaryHeap::with_capacity(n + 1);
        for row in
            scratch.candidates.iter().map(|row| *row as usize).filter(|row| is_meant(query, scratch, admitted, *row))
        {
            let score = scratch.words[row] + scratch.identifiers[row];
            let key = Key { tier: scratch.tier[row], score, order: Reverse(self.order[row]), row };
            if heap.len() < n {
                heap.push(Reverse(key));
            } else if heap.peek().is_some_and(|worst| key > worst.0) {
                heap.pop();
                heap.push(Reverse(key));
            }
        }
        heap.into_iter().map(|Reverse(key)| scratch.hit(key.row)).collect()
    }

    /// The chunk behind a row.
    fn chunk_of(&self, row: usize) -> ChunkId {
        let at = self.bases.partition_point(|base| *base as usize <= row) - 1;
        self.segments[at].chunk(row as u32 - self.bases[at])
    }

    fn finish(&self, hit: RowHit) -> LexicalHit {
        LexicalHit {
            chunk: self.chunk_of(hit.row),
            tier: hit.tier,
            score: hit.score,
            words: hit.words,
            identifiers: hit.identifiers,
            proximity: hit.proximity,
            matched: hit.matched,
        }
    }
}

impl Scratch {
    /// A row with its sums so far.
    fn hit(&self, row: usize) -> RowHit {
        let (words, identifiers) = (self.words[row], self.identifiers[row]);
        let (tier, matched) = (self.tier[row], self.matched[row]);
        RowHit { row, tier, score: words + identifiers, words, identifiers, proximity: 0.0, matched }
    }
}

/// Whether a row is of the documents asked for, and has all that it must and nothing that it must not.
fn is_meant(query: &Query, scratch: &Scratch, admitted: Option<&[bool]>, row: usize) -> bool {
    let required = query.required.iter().fold(0, |bits, at| bits | 1_u64.checked_shl(*at as u32).unwrap_or(0));
    admitted.is_none_or(|admitted| admitted[row]) && scratch.matched[row] & required == required
}

/// The inverse document frequency of what `n` of `n_live` chunks have.
fn idf(n: usize, n_live: u32) -> f32 {
    let (n, n_live) = (n as f64, f64::from(n_live));
    libm::log(1.0 + (n_live - n + 0.5) / (n + 0.5)) as f32
}

/// The sum of the terms' largest parts: BM25's saturated frequency stays below `k1 + 1`.
fn most(query: &Query, idfs: &[f32]) -> f32 {
    let part = |(term, idf): (&QueryTerm, &f32)| match term.stream {
        Stream::Word => term.count as f32 * idf * (BM25_K1 + 1.0),
        Stream::Identifier => IDENTIFIER_WEIGHT * idf,
    };
    query.terms.iter().zip(idfs).map(part).sum()
}

struct RowHit {
    row: usize,
    tier: u8,
    score: f32,
    words: f32,
    identifiers: f32,
    proximity: f32,
    matched: u64,
}

/// Orders by tier, by score, then by chunk id with the smaller one greater.
#[derive(PartialEq)]
struct Key {
    tier: u8,
    score: f32,
    order: Reverse<u32>,
    row: usize,
}

impl Eq for Key {}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_score = || self.score.total_cmp(&other.score).then(self.order.cmp(&other.order));
        self.tier.cmp(&other.tier).then_with(by_score)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// By row over all segments: a number that orders as the chunk ids do.
fn chunk_order(segments: &[Segment]) -> Vec<u32> {
    // Numbers for documents rather than for chunks: sorting few ids and adding ordinals is enough.
    let mut documents: Vec<(&DocumentId, u32)> = Vec::new();
    for segment in segments {
        let mut n_ordinals = vec![0; segment.documents().len()];
        for (row, slot) in segment.slots().enumerate() {
            let (_, ordinal) = segment.chunk_key(row as u32);
            n_ordinals[slot] = n_ordinals[slot].max(ordinal.saturating_add(1));
        }
        documents.extend(segment.documents().iter().zip(n_ordinals));
    }
    documents.sort();
    let mut firsts: Vec<(&DocumentId, u32)> = Vec::new();
    let mut next = 0;
    for (document, n_ordinals) in documents {
        // A document may stand dead in one segment and alive in another: it gets one number, and room for both.
        if firsts.last().is_none_or(|(last, _)| *last != document) {
            firsts.push((document, next));
        }
        next = u32::saturating_add(next, n_ordinals);
    }
    let mut order = Vec::new();
    for segment in segments {
        let first_of = |document| firsts.binary_search_by(|(id, _)| (*id).cmp(document)).map_or(0, |at| firsts[at].1);
        let by_slot: Vec<u32> = segment.documents().iter().map(first_of).collect();
        let number = |(row, slot): (usize, usize)| by_slot[slot].saturating_add(segment.chunk_key(row as u32).1);
        order.extend(segment.slots().enumerate().map(number));
    }
    order
}
