//! The exact index: a scan of every vector's upper bytes, and the best of them measured again in full.

mod stored;

use super::{Code, DenseHit, VectorIndex, code, kernel};
use crate::{chunk::ChunkId, document::DocumentId};
use serde::{Deserialize, Serialize};
use std::{
    cell::OnceCell,
    cmp::{Ordering, Reverse},
    collections::{BTreeMap, BinaryHeap},
    ops::Range,
};

/// So many times more candidates than asked for are measured in full.
const OVERSAMPLING: usize = 4;
/// And at least so many.
const MIN_CANDIDATES: usize = 64;

/// All vectors in two planes, row by row. 768 bytes a vector of 384 components, half of which a search reads.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "stored::Stored")]
pub struct Flat {
    n_dimensions: usize,
    /// The length of a row in either plane: the dimensions, padded with zeros.
    #[serde(skip)]
    stride: usize,
    documents: Vec<DocumentId>,
    /// Where a document stands among them.
    #[serde(skip)]
    slots: BTreeMap<DocumentId, u32>,
    /// By document: its place in the order of ids, for ties. Made by the first search after a change.
    #[serde(skip)]
    ranks: OnceCell<Vec<u32>>,
    /// Those of a document stand together, in the order of `documents`.
    rows: Vec<Row>,
    high: Vec<i8>,
    low: Vec<i8>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    /// Index into the documents.
    pub(super) document: u32,
    ordinal: u32,
    pub(super) scale: f32,
}

impl Flat {
    /// An empty index for vectors of so many components.
    #[must_use]
    pub fn new(n_dimensions: usize) -> Self {
        Self { n_dimensions, stride: n_dimensions.next_multiple_of(kernel::STEP), ..Self::default() }
    }

    /// The rows that look best, in no order. O(rows · dimensions).
    fn candidates(&self, query: &Code, n: usize, admits: &dyn Fn(&DocumentId) -> bool) -> Vec<usize> {
        let admitted: Vec<bool> = self.documents.iter().map(admits).collect();
        let padded = self.looking(query);
        let mut best: BinaryHeap<Reverse<Candidate>> = BinaryHeap::with_capacity(n + 1);
        // What a row must reach once enough are found: most fail here, and cost no more than their product.
        let mut least = f32::NEG_INFINITY;
        for (at, (row, codes)) in self.rows.iter().zip(self.high.chunks_exact(self.stride)).enumerate() {
            let score = kernel::dot(&padded, codes) as f32 * row.scale;
            if score < least || !admitted[row.document as usize] {
                continue;
            }
            best.push(Reverse(self.candidate(score, at)));
            if best.len() > n {
                best.pop();
            }
            if best.len() == n {
                least = best.peek().map_or(least, |worst| worst.0.score);
            }
        }
        best.into_iter().map(|candidate| candidate.0.row).collect()
    }

    /// The upper bytes of a question as a scan compares them with a row's.
    pub(super) fn looking(&self, query: &Code) -> Vec<i16> {
        self.padded(&query.high)
    }

    fn padded(&self, plane: &[i8]) -> Vec<i16> {
        let mut padded: Vec<i16> = plane.iter().map(|code| i16::from(*code)).collect();
        padded.resize(self.stride, 0);
        padded
    }

    /// How near a row looks by its upper bytes; only comparable with what others look to the same question.
    pub(super) fn look(&self, padded: &[i16], row: usize) -> f32 {
        kernel::dot(padded, &self.high[row * self.stride..][..self.stride]) as f32 * self.rows[row].scale
    }

    /// Measures rows in full and gives the best, at most `limit`.
    pub(super) fn best_of(&self, query: &Code, rows: impl Iterator<Item = usize>, limit: usize) -> Vec<DenseHit> {
        let planes = self.planes(query);
        let measured = rows.map(|row| self.candidate(self.measure(&planes, query.scale, row), row));
        let mut measured: Vec<Candidate> = measured.collect();
        measured.sort_by(|a, b| b.cmp(a));
        measured.truncate(limit);
        let hit = |found: Candidate| {
            let Row { document, ordinal, .. } = self.rows[found.row];
            let document = self.documents[document as usize].clone();
            DenseHit { chunk: ChunkId { document, ordinal }, cosine: found.score }
        };
        measured.into_iter().map(hit).collect()
    }

    /// How many candidates are measured for so many hits.
    pub(super) fn n_candidates(limit: usize) -> usize {
        limit.saturating_mul(OVERSAMPLING).max(MIN_CANDIDATES)
    }

    pub(super) fn n_dimensions(&self) -> usize {
        self.n_dimensions
    }

    pub(super) fn documents(&self) -> &[DocumentId] {
        &self.documents
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The upper bytes of all rows and the length of one.
    pub(super) fn high(&self) -> (&[i8], usize) {
        (&self.high, self.stride)
    }

    pub(super) fn holds(&self, document: &DocumentId) -> bool {
        self.slots.contains_key(document)
    }

    /// Where a document's rows stand. O(log rows).
    fn rows_of(&self, document: &DocumentId) -> Range<usize> {
        let Some(slot) = self.slots.get(document) else { return 0..0 };
        let from = self.rows.partition_point(|row| row.document < *slot);
        from..from + self.rows[from..].partition_point(|row| row.document == *slot)
    }

    /// How many vectors a document has.
    pub(super) fn n_of(&self, document: &DocumentId) -> usize {
        self.rows_of(document).len()
    }

    /// A document's vectors, by ordinal of the chunk.
    pub(super) fn vectors(&self, document: &DocumentId) -> Vec<(u32, Code)> {
        self.rows_of(document).map(|row| (self.rows[row].ordinal, self.code_of(row))).collect()
    }

    fn code_of(&self, row: usize) -> Code {
        let high = self.high[row * self.stride..][..self.n_dimensions].to_vec();
        let low = self.low[row * self.stride..][..self.n_dimensions].to_vec();
        Code { high, low, scale: self.rows[row].scale }
    }

    /// Where a chunk's row stands. O(log rows + chunks of its document).
    fn row_of(&self, chunk: &ChunkId) -> Option<usize> {
        self.rows_of(&chunk.document).find(|row| self.rows[*row].ordinal == chunk.ordinal)
    }

    /// The cosine of a row, in full.
    fn measure(&self, planes: &[Vec<i16>; 2], scale: f32, row: usize) -> f32 {
        let of_row = row * self.stride..(row + 1) * self.stride;
        let rows = [&self.high[of_row.clone()], &self.low[of_row]];
        let dot = |of_query: usize, of_row: usize| i64::from(kernel::dot(&planes[of_query], rows[of_row]));
        // (256·h + l) · (256·h' + l'), term by term: the sum is the same whole number, and four times as fast.
        let sum = (dot(0, 0) << 16) + ((dot(0, 1) + dot(1, 0)) << 8) + dot(1, 1);
        code::scaled(sum, scale, self.rows[row].scale)
    }

    /// Both planes of a question, padded.
    fn planes(&self, query: &Code) -> [Vec<i16>; 2] {
        [&query.high, &query.low].map(|plane| self.padded(plane))
    }

    fn candidate(&self, score: f32, row: usize) -> Candidate {
        let Row { document, ordinal, .. } = self.rows[row];
        Candidate { score, order: Reverse((self.ranks()[document as usize], ordinal)), row }
    }

    fn ranks(&self) -> &[u32] {
        self.ranks.get_or_init(|| {
            let mut ranks = vec![0; self.documents.len()];
            for (rank, slot) in self.slots.values().enumerate() {
                ranks[*slot as usize] = rank as u32;
            }
            ranks
        })
    }
}

impl VectorIndex for Flat {
    fn insert(&mut self, document: &DocumentId, vectors: &[(u32, Code)]) {
        self.remove(document);
        self.ranks.take();
        let slot = self.documents.len() as u32;
        self.documents.push(document.clone());
        self.slots.insert(document.clone(), slot);
        for (ordinal, code) in vectors.iter().filter(|(_, code)| code.n_dimensions() == self.n_dimensions) {
            self.rows.push(Row { document: slot, ordinal: *ordinal, scale: code.scale });
            self.high.extend_from_slice(&code.high);
            self.high.resize(self.rows.len() * self.stride, 0);
            self.low.extend_from_slice(&code.low);
            self.low.resize(self.rows.len() * self.stride, 0);
        }
    }

    /// O(rows): everything behind it moves up.
    fn remove(&mut self, document: &DocumentId) {
        let Some(slot) = self.slots.remove(document) else { return };
        self.ranks.take();
        let mut kept = 0;
        for at in 0..self.rows.len() {
            let row = self.rows[at];
            if row.document == slot {
                continue;
            }
            self.high.copy_within(at * self.stride..(at + 1) * self.stride, kept * self.stride);
            self.low.copy_within(at * self.stride..(at + 1) * self.stride, kept * self.stride);
            self.rows[kept] = Row { document: row.document - u32::from(row.document > slot), ..row };
            kept += 1;
        }
        self.rows.truncate(kept);
        self.high.truncate(kept * self.stride);
        self.low.truncate(kept * self.stride);
        self.documents.remove(slot as usize);
        for later in self.slots.values_mut().filter(|later| **later > slot) {
            *later -= 1;
        }
    }

    fn search(&self, query: &Code, limit: usize, admits: &dyn Fn(&DocumentId) -> bool) -> Vec<DenseHit> {
        if limit == 0 || query.n_dimensions() != self.n_dimensions || self.n_dimensions == 0 {
            return Vec::new();
        }
        let n_candidates = Self::n_candidates(limit).min(self.rows.len());
        self.best_of(query, self.candidates(query, n_candidates, admits).into_iter(), limit)
    }

    /// O(log rows + dimensions).
    fn cosine(&self, query: &Code, chunk: &ChunkId) -> Option<f32> {
        if query.n_dimensions() != self.n_dimensions {
            return None;
        }
        let row = self.row_of(chunk)?;
        Some(self.measure(&self.planes(query), query.scale, row))
    }

    fn code(&self, chunk: &ChunkId) -> Option<Code> {
        self.row_of(chunk).map(|row| self.code_of(row))
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

/// Orders by score, then by chunk id with the smaller one greater: what is found must not depend on where rows lie.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    score: f32,
    order: Reverse<(u32, u32)>,
    row: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(self.order.cmp(&other.order))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N_DIMENSIONS: usize = 52;

    fn document(name: u32) -> DocumentId {
        DocumentId::of(&name.to_le_bytes())
    }

    /// Vectors around a few centres, as text has them, from a fixed sequence.
    fn vectors(n: usize) -> Vec<Vec<f32>> {
        let mut state = 7_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let centres: Vec<Vec<f32>> = (0..9).map(|_| (0..N_DIMENSIONS).map(|_| next()).collect()).collect();
        let near =
            |at: usize, next: &mut dyn FnMut() -> f32| centres[at % 9].iter().map(|x| x + 0.3 * next()).collect();
        (0..n).map(|at| near(at, &mut next)).collect()
    }

    /// Seven chunks a document.
    fn index(vectors: &[Vec<f32>], order: impl Iterator<Item = u32>) -> Flat {
        let mut flat = Flat::new(N_DIMENSIONS);
        for name in order {
            let of_document = vectors.iter().enumerate().skip(name as usize * 7).take(7);
            let codes: Vec<(u32, Code)> =
                of_document.map(|(at, vector)| ((at % 7) as u32, Code::of(vector).unwrap())).collect();
            flat.insert(&document(name), &codes);
        }
        flat
    }

    fn exact(vectors: &[Vec<f32>], query: &[f32], k: usize) -> Vec<ChunkId> {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        let cosine = |v: &[f32]| dot(v, query) / dot(v, v).sqrt();
        let mut all: Vec<(f64, ChunkId)> = vectors
            .iter()
            .enumerate()
            .map(|(at, v)| (cosine(v), ChunkId { document: document((at / 7) as u32), ordinal: (at % 7) as u32 }))
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        all.into_iter().take(k).map(|(_, id)| id).collect()
    }

    #[test]
    fn finds_what_exact_arithmetic_finds() {
        let vectors = vectors(700);
        let flat = index(&vectors, 0..100);
        for query in &vectors[..50] {
            let found = flat.search(&Code::of(query).unwrap(), 10, &|_| true);
            let ids: Vec<ChunkId> = found.iter().map(|hit| hit.chunk.clone()).collect();
            assert_eq!(ids, exact(&vectors, query, 10));
            assert!((found[0].cosine - 1.0).abs() < 1e-5);
            for hit in found {
                assert_eq!(flat.cosine(&Code::of(query).unwrap(), &hit.chunk), Some(hit.cosine));
                let at = (0..100).find(|name| document(*name) == hit.chunk.document).unwrap() * 7 + hit.chunk.ordinal;
                let code = Code::of(&vectors[at as usize]).unwrap();
                assert_eq!(Code::of(query).unwrap().cosine(&code).to_bits(), hit.cosine.to_bits());
            }
        }
    }

    #[test]
    fn what_is_found_depends_on_what_is_in_it_and_not_on_how_it_came() {
        let vectors = vectors(210);
        let (straight, mut other) = (index(&vectors, 0..30), index(&vectors, (0..30).rev()));
        other.insert(&document(99), &[(0, Code::of(&vectors[3]).unwrap())]);
        other.remove(&document(99));
        other.insert(&document(4), &[]);
        let again: Vec<(u32, Code)> = (0..7).map(|at| (at, Code::of(&vectors[28 + at as usize]).unwrap())).collect();
        other.insert(&document(4), &again);
        assert_eq!((other.len(), other.high.len(), other.low.len()), (210, straight.high.len(), straight.low.len()));
        for query in &vectors {
            let query = Code::of(query).unwrap();
            assert_eq!(straight.search(&query, 10, &|_| true), other.search(&query, 10, &|_| true));
        }
    }

    #[test]
    fn equal_vectors_come_by_chunk_id() {
        let code = Code::of(&vectors(1)[0]).unwrap();
        let mut flat = Flat::new(N_DIMENSIONS);
        for name in 0..200 {
            flat.insert(&document(name), &[(0, code.clone())]);
        }
        let mut ids: Vec<DocumentId> = (0..200).map(document).collect();
        ids.sort();
        let found = flat.search(&code, 5, &|_| true);
        assert_eq!(found.into_iter().map(|hit| hit.chunk.document).collect::<Vec<_>>(), ids[..5]);
    }

    #[test]
    fn only_admitted_documents_are_found_and_removed_ones_never() {
        let vectors = vectors(70);
        let mut flat = index(&vectors, 0..10);
        let query = Code::of(&vectors[0]).unwrap();
        let found = flat.search(&query, 100, &|id| *id == document(3));
        assert_eq!(found.len(), 7);
        assert!(found.iter().all(|hit| hit.chunk.document == document(3)));
        flat.remove(&document(3));
        assert_eq!((flat.len(), flat.cosine(&query, &found[0].chunk)), (63, None));
        assert_eq!(flat.search(&query, 100, &|id| *id == document(3)), []);
        assert_eq!(flat.search(&Code::of(&[1.0; 8]).unwrap(), 3, &|_| true), [], "other dimensions");
    }
}
