//! Activations as 8-bit numbers, row by row: x ≈ scale · (q - zero), with scale and zero from the row's own extremes.

use super::super::{
    Instructions,
    kernel::{TILE_ROWS, simd::Rows},
    math::{larger, reduce, round_to_int, smaller},
};

/// Rows of activations.
#[derive(Debug, Default)]
pub(super) struct Quantised {
    bytes: Vec<i8>,
    wide: Vec<i16>,
    n_inputs: usize,
    /// Of each row.
    pub(super) rows: Vec<Row>,
}

/// What brings a row back, and what its products need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) scale: f32,
    pub(super) zero: i32,
    /// The sum of its 8-bit numbers.
    pub(super) sum: i32,
}

impl Quantised {
    /// Takes in rows of `factors.len()` numbers, each number multiplied by its factor first. The buffer goes on to a
    /// multiple of the kernel's rows.
    pub(super) fn fill(&mut self, states: &[f32], factors: &[f32], instructions: Instructions) {
        self.n_inputs = factors.len();
        let n_rows = states.len() / self.n_inputs;
        self.bytes.clear();
        self.bytes.resize(n_rows.next_multiple_of(TILE_ROWS) * self.n_inputs, 0);
        self.rows.clear();
        let mut scaled = vec![0.0; self.n_inputs];
        for (states, bytes) in states.chunks_exact(self.n_inputs).zip(self.bytes.chunks_exact_mut(self.n_inputs)) {
            for ((scaled, state), factor) in scaled.iter_mut().zip(states).zip(factors) {
                *scaled = state * factor;
            }
            self.rows.push(quantise_row(&scaled, bytes));
        }
        self.wide.clear();
        if instructions.group() == 2 {
            self.wide.extend(self.bytes.iter().map(|byte| i16::from(*byte)));
        }
    }

    pub(super) fn view(&self) -> Rows<'_> {
        Rows { bytes: &self.bytes, wide: &self.wide, n_inputs: self.n_inputs }
    }
}

#[inline(always)]
fn quantise_row(values: &[f32], bytes: &mut [i8]) -> Row {
    // Nothing is always among the numbers, so that it is kept exactly.
    let low = reduce(values, 0.0, smaller);
    let high = reduce(values, 0.0, larger);
    let scale = (high - low) / 255.0;
    let scale = if scale > 0.0 && scale.is_finite() { scale } else { 1.0 };
    let inverse = 1.0 / scale;
    let zero = (-128.0 - round_to_int(low * inverse) as f32).clamp(-128.0, 127.0);
    let mut sums = [0_i32; 16];
    for (values, bytes) in values.as_chunks::<16>().0.iter().zip(bytes.as_chunks_mut::<16>().0) {
        for ((value, byte), sum) in values.iter().zip(bytes).zip(&mut sums) {
            let whole = round_to_int(smaller(larger(value * inverse + zero, -128.0), 127.0));
            *byte = whole as i8;
            *sum += whole;
        }
    }
    Row { scale, zero: zero as i32, sum: sums.iter().sum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_back() {
        let values: Vec<f32> = (0..64).map(|i| (i as f32 - 10.0) * 0.37).collect();
        let mut bytes = vec![0; 64];
        let row = quantise_row(&values, &mut bytes);
        for (value, byte) in values.iter().zip(&bytes) {
            let back = row.scale * (i32::from(*byte) - row.zero) as f32;
            assert!((value - back).abs() <= row.scale * 0.51, "{value} {back}");
        }
        assert_eq!(row.sum, bytes.iter().map(|byte| i32::from(*byte)).sum::<i32>());
        // Nothing stays nothing, or text after text would drift.
        assert_eq!(i32::from(bytes[10]), row.zero);
    }

    #[test]
    fn what_is_no_number_does_no_harm() {
        let mut bytes = vec![0; 16];
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0] {
            let row = quantise_row(&[odd; 16], &mut bytes);
            assert!(row.scale.is_finite());
        }
    }
}
