//! Weights in the order in which the kernels read them, laid out once when a model is loaded.

use super::{Instructions, TILE_COLUMNS};

/// What is added to weights of -63..=63 to make them unsigned.
pub(in super::super) const WEIGHT_OFFSET: i32 = 64;

/// A matrix of weights: panels of sixteen columns, in each the groups of input numbers one after the other, in each group
/// column after column.
#[derive(Debug)]
pub(in super::super) struct Packed {
    instructions: Instructions,
    panel_bytes: usize,
    bytes: Vec<u8>,
}

impl Packed {
    /// Packs `weights`, one row of `n_inputs` numbers in -63..=63 for each output.
    pub(in super::super) fn new(instructions: Instructions, weights: &[i8], n_inputs: usize) -> Self {
        let group = instructions.group();
        let mut bytes = Vec::with_capacity(weights.len());
        for panel in weights.chunks(TILE_COLUMNS * n_inputs) {
            for first in (0..n_inputs).step_by(group) {
                for column in panel.chunks(n_inputs) {
                    let values = column.get(first..first + group).unwrap_or(&[]);
                    bytes.extend(values.iter().map(|value| (i32::from(*value) + WEIGHT_OFFSET) as u8));
                }
            }
        }
        Self { instructions, panel_bytes: TILE_COLUMNS * n_inputs, bytes }
    }

    /// The way it is packed for.
    pub(in super::super) fn instructions(&self) -> Instructions {
        self.instructions
    }

    /// The panels, from the first columns to the last.
    pub(in super::super) fn panels(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.panel_bytes)
    }
}
