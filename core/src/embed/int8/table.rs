//! The rows of words: 8-bit with a scale a row, because a vocabulary is most of a small encoder's weight.

use super::{EmbedError, Weights, math::largest};

/// How many rows are decoded at a time.
const ROWS_AT_ONCE: usize = 256;

#[derive(Debug)]
pub(super) struct Table {
    values: Vec<i8>,
    scales: Vec<f32>,
    width: usize,
}

impl Table {
    pub(super) fn load(weights: &dyn Weights, name: &str, shape: [usize; 2]) -> Result<Self, EmbedError> {
        let [n_rows, width] = shape;
        // A file that claims more rows than it has fails at its first piece, before anything large is asked for.
        let mut table = Self { values: Vec::new(), scales: Vec::new(), width };
        let mut piece = Vec::with_capacity(ROWS_AT_ONCE * width);
        for first in (0..n_rows).step_by(ROWS_AT_ONCE) {
            piece.clear();
            weights.rows(name, shape, first..(first + ROWS_AT_ONCE).min(n_rows), &mut piece)?;
            if first == 0 {
                table.values.reserve_exact(n_rows * width);
                table.scales.reserve_exact(n_rows);
            }
            for row in piece.chunks_exact(width) {
                let scale = largest(row) / 127.0;
                table.scales.push(scale);
                table.values.extend(row.iter().map(|x| (x / scale).round() as i8));
            }
        }
        Ok(table)
    }

    pub(super) fn len(&self) -> usize {
        self.scales.len()
    }

    /// Writes a word's row; `None` where there is no such word.
    pub(super) fn row(&self, word: u32, into: &mut [f32]) -> Option<()> {
        let word = word as usize;
        let scale = self.scales.get(word)?;
        let values = self.values.get(word * self.width..(word + 1) * self.width)?;
        into.iter_mut().zip(values).for_each(|(x, value)| *x = f32::from(*value) * scale);
        Some(())
    }
}
