//! Judges candidates token by token: every token of the question looks for the one of the passage that is most like it, and
//! what it finds is added up (MaxSim; Khattab and Zaharia: "ColBERT", SIGIR 2020).
//!
//! Pure functions over codes. Neighbouring tokens of a passage may be gathered into groups, whose means are kept: a group of
//! eight takes an eighth of the memory and of the time.

use super::{Asked, Passage, RerankError, Reranker};
use crate::host::Progress;

/// The largest code of a component.
const MAX_CODE: f32 = 127.0;

/// The vectors of a text's tokens or groups of them, brought to length 1, a byte a component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenCodes {
    n_dimensions: usize,
    /// Row by row.
    values: Vec<i8>,
}

impl TokenCodes {
    /// Codes of the means of every `group` neighbouring rows of `states`; rows of zeros, and what is no number, are left
    /// out.
    #[must_use]
    pub fn of(states: &[f32], n_dimensions: usize, group: usize) -> Self {
        let mut values = Vec::new();
        let row_len = n_dimensions.max(1);
        for rows in states.chunks(row_len.saturating_mul(group.max(1))) {
            let mut mean = vec![0.0_f32; n_dimensions];
            for row in rows.chunks_exact(row_len) {
                // Each token counts alike, whatever the length of its state.
                let length = row.iter().map(|x| x * x).sum::<f32>().sqrt();
                if length.is_finite() && length > 0.0 {
                    mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / length);
                }
            }
            let length = mean.iter().map(|x| x * x).sum::<f32>().sqrt();
            if length.is_finite() && length > 0.0 {
                values.extend(mean.iter().map(|x| (x / length * MAX_CODE).round() as i8));
            }
        }
        Self { n_dimensions, values }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / self.n_dimensions.max(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The bytes that the rows take.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.values.len()
    }

    fn rows(&self) -> std::slice::ChunksExact<'_, i8> {
        self.values.chunks_exact(self.n_dimensions.max(1))
    }
}

/// The mean over the rows of `question` of the largest cosine with any row of `passage`; 0 where either has none, or their
/// dimensions differ. O(rows · rows · dimensions).
#[must_use]
pub fn max_sim(question: &TokenCodes, passage: &TokenCodes) -> f32 {
    if question.n_dimensions != passage.n_dimensions || question.is_empty() || passage.is_empty() {
        return 0.0;
    }
    let best = |token: &[i8]| passage.rows().map(|row| dot(token, row)).max().unwrap_or(0);
    let sum: i64 = question.rows().map(|token| i64::from(best(token))).sum();
    (sum as f64 / (f64::from(MAX_CODE) * f64::from(MAX_CODE) * question.len() as f64)) as f32
}

/// Components at a time: a sum of fixed length is what compilers make vector code of.
const STEP: usize = 32;

fn dot(a: &[i8], b: &[i8]) -> i32 {
    let part = |(a, b): (&[i8; STEP], &[i8; STEP])| {
        let mut sum = 0;
        for at in 0..STEP {
            sum += i32::from(i16::from(a[at])) * i32::from(i16::from(b[at]));
        }
        sum
    };
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<STEP>(), b.as_chunks::<STEP>());
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>();
    a.iter().zip(b).map(part).sum::<i32>() + rest
}

/// The reranker: what was found, and a share of MaxSim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateInteraction {
    /// What MaxSim counts for against what the candidates were ordered by, both as shares of their largest.
    pub weight: f32,
}

impl Reranker for LateInteraction {
    fn name(&self) -> &'static str {
        "late interaction"
    }

    fn score(
        &self,
        asked: &Asked<'_>,
        passages: &[Passage<'_>],
        progress: &mut dyn Progress,
    ) -> Result<Vec<f32>, RerankError> {
        let Some(question) = asked.tokens else { return Ok(Vec::new()) };
        let mut sims: Vec<f32> = Vec::with_capacity(passages.len());
        for passage in passages {
            sims.push(passage.tokens.map_or(0.0, |tokens| max_sim(question, tokens).max(0.0)));
            if progress.report(sims.len() as u32, passages.len() as u32).is_break() {
                break;
            }
        }
        let largest = |values: &mut dyn Iterator<Item = f32>| values.fold(0.0_f32, f32::max);
        let best_sim = largest(&mut sims.iter().copied());
        let best = largest(&mut passages.iter().map(|passage| passage.scores.score));
        let share = |value: f32, largest: f32| if largest > 0.0 { value / largest } else { 0.0 };
        let score = |(sim, passage): (&f32, &Passage<'_>)| {
            share(passage.scores.score, best) + self.weight * share(*sim, best_sim)
        };
        Ok(sims.iter().zip(passages).map(score).collect())
    }
}

#[cfg(test)]
mod tests;
