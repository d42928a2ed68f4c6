//! Attention, text by text and head by head, in `f32`: each token's values become the mean of its text's values, weighted
//! by how well its query meets their keys (Vaswani et al., arXiv 1706.03762).

use super::super::{
    BertConfig, Tokens,
    config::LANES,
    math::{self, exp, larger},
};

/// Rows that go through a product together.
const ROWS: usize = 2;

/// What heads write over one after the other.
#[derive(Debug, Default)]
pub(super) struct Attention {
    /// Keys, a row for each number of a head and a column for each token.
    keys: Vec<f32>,
    values: Vec<f32>,
    queries: Vec<f32>,
    scores: Vec<f32>,
}

impl Attention {
    /// Mixes `projections` (queries, keys, values of each token side by side) into `mixed`.
    pub(super) fn mix(&mut self, projections: &[f32], tokens: &Tokens, config: &BertConfig, mixed: &mut Vec<f32>) {
        let (hidden, head) = (config.hidden_size, config.head_size());
        mixed.resize(projections.len() / 3, 0.0);
        for text in tokens.texts().filter(|text| !text.is_empty()) {
            let projections = &projections[text.start * 3 * hidden..text.end * 3 * hidden];
            let mixed = &mut mixed[text.start * hidden..text.end * hidden];
            for first in (0..hidden).step_by(head) {
                self.head(projections, hidden, first, head, mixed);
            }
        }
    }

    fn head(&mut self, projections: &[f32], hidden: usize, first: usize, head: usize, mixed: &mut [f32]) {
        let n_tokens = projections.len() / (3 * hidden);
        // Columns for tokens that are not there make whole lanes; their scores are never used.
        let padded = n_tokens.next_multiple_of(LANES);
        let n_rows = n_tokens.next_multiple_of(ROWS);
        self.keys.clear();
        self.keys.resize(head * padded, 0.0);
        self.values.clear();
        self.queries.clear();
        let scale = 1.0 / (head as f32).sqrt();
        for (column, token) in projections.chunks_exact(3 * hidden).enumerate() {
            let part = |n: usize| &token[n * hidden + first..n * hidden + first + head];
            self.queries.extend(part(0).iter().map(|query| query * scale));
            for (keys, key) in self.keys.chunks_exact_mut(padded).zip(part(1)) {
                keys[column] = *key;
            }
            self.values.extend_from_slice(part(2));
        }
        self.queries.resize(n_rows * head, 0.0);
        self.scores.resize(n_rows * padded, 0.0);
        product(&self.queries, head, &self.keys, padded, &mut self.scores);

        let mut mixed_rows = mixed.chunks_exact_mut(hidden);
        for (scores, queries) in
            self.scores.chunks_exact_mut(ROWS * padded).zip(self.queries.chunks_exact_mut(ROWS * head))
        {
            let mut sums = [0.0; ROWS];
            for (scores, sum) in scores.chunks_exact_mut(padded).zip(&mut sums) {
                *sum = softmax_numerators(&mut scores[..n_tokens]);
            }
            // The queries of these rows were used: their mixed values take the place.
            let rows: [&[f32]; ROWS] = std::array::from_fn(|r| &scores[r * padded..r * padded + n_tokens]);
            for column in (0..head).step_by(LANES) {
                for (r, lanes) in tile(rows, &self.values[column..], head).iter().enumerate() {
                    queries[r * head + column..r * head + column + LANES].copy_from_slice(lanes);
                }
            }
            for ((mixed, query), sum) in mixed_rows.by_ref().take(ROWS).zip(queries.chunks_exact(head)).zip(sums) {
                let factor = 1.0 / sum;
                mixed[first..first + head].iter_mut().zip(query).for_each(|(into, value)| *into = value * factor);
            }
        }
    }
}

/// e^(score - highest), and their sum: a softmax without its division.
#[inline(always)]
fn softmax_numerators(scores: &mut [f32]) -> f32 {
    let highest = math::reduce(scores, f32::MIN, larger);
    for score in scores.iter_mut() {
        *score = exp(*score - highest);
    }
    math::sum(scores)
}

/// `into` = `left` (rows of `n_inner`) · `right` (`n_inner` rows of `n_columns`). Rows come in `ROWS`, columns in lanes.
#[inline(always)]
fn product(left: &[f32], n_inner: usize, right: &[f32], n_columns: usize, into: &mut [f32]) {
    for (left, into) in left.chunks_exact(ROWS * n_inner).zip(into.chunks_exact_mut(ROWS * n_columns)) {
        let rows: [&[f32]; ROWS] = std::array::from_fn(|r| &left[r * n_inner..(r + 1) * n_inner]);
        for column in (0..n_columns).step_by(LANES) {
            for (r, lanes) in tile(rows, &right[column..], n_columns).iter().enumerate() {
                into[r * n_columns + column..r * n_columns + column + LANES].copy_from_slice(lanes);
            }
        }
    }
}

/// Σ left[k] · right[k · stride ..], sixteen columns wide.
#[inline(always)]
fn tile(left: [&[f32]; ROWS], right: &[f32], stride: usize) -> [[f32; LANES]; ROWS] {
    let mut sums = [[0.0; LANES]; ROWS];
    let n_inner = left[0].len();
    let [first, second] = left.map(|row| &row[..n_inner]);
    for (k, row) in right.chunks(stride).take(n_inner).enumerate() {
        let Some(row) = row.first_chunk::<LANES>() else { break };
        for i in 0..LANES {
            sums[0][i] += first[k] * row[i];
            sums[1][i] += second[k] * row[i];
        }
    }
    sums
}
