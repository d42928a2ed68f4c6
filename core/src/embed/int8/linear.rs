//! A layer of weights: 7-bit whole numbers with a scale for each output, 8-bit activations, sums in whole numbers.

use super::{
    super::{
        kernel::{
            Instructions, TILE_COLUMNS, TILE_ROWS,
            pack::{Packed, WEIGHT_OFFSET},
            simd::tile,
        },
        math::largest,
        weights::Weights,
    },
    EmbedError,
    quantise::Quantised,
};

/// The largest 7-bit weight.
const MAX_WEIGHT: f32 = 63.0;
/// How much of the difference between a layer's inputs goes over to its weights: the exponent of SmoothQuant (Xiao et al.,
/// arXiv 2211.10438). Of 0, 0.3 and 0.5, each of the latter two brought the cosine to the `f32` vector from 0.9976 to 0.998.
const SMOOTHING: f32 = 0.4;

#[derive(Debug)]
pub(super) struct Linear {
    packed: Packed,
    /// What inputs are multiplied by before they become 8-bit; the weights were divided by the same.
    factors: Vec<f32>,
    outputs: Vec<Output>,
}

/// What makes a sum of products a number again.
#[derive(Clone, Copy, Debug)]
struct Output {
    scale: f32,
    bias: f32,
    /// Of its 7-bit weights.
    sum: i32,
}

impl Linear {
    /// Loads the layers `names`, each of `shape` (outputs, inputs), as one whose outputs lie side by side. `reach` tells how
    /// far each input goes; without it, all alike.
    pub(super) fn load(
        weights: &dyn Weights,
        names: &[String],
        shape: [usize; 2],
        reach: Option<&[f32]>,
        instructions: Instructions,
    ) -> Result<Self, EmbedError> {
        let [n_outputs, n_inputs] = shape;
        let (mut matrix, mut biases) = (Vec::new(), Vec::new());
        for name in names {
            weights.rows(&format!("{name}.weight"), shape, 0..n_outputs, &mut matrix)?;
            biases.extend(weights.vector(&format!("{name}.bias"), n_outputs)?);
        }
        let factors = reach.map_or_else(|| vec![1.0; n_inputs], |reach| smoothing(&matrix, reach));
        let mut whole = Vec::with_capacity(matrix.len());
        let mut outputs = Vec::with_capacity(biases.len());
        for (row, bias) in matrix.chunks_exact_mut(n_inputs).zip(biases) {
            row.iter_mut().zip(&factors).for_each(|(weight, factor)| *weight /= factor);
            let scale = largest(row) / MAX_WEIGHT;
            let first = whole.len();
            whole.extend(row.iter().map(|weight| (weight / scale).round() as i8));
            outputs.push(Output { scale, bias, sum: whole[first..].iter().map(|weight| i32::from(*weight)).sum() });
        }
        Ok(Self { packed: Packed::new(instructions, &whole, n_inputs), factors, outputs })
    }

    /// Puts the outputs of all rows of `states` into `into`, which takes their size.
    pub(super) fn apply(&self, states: &[f32], quantised: &mut Quantised, into: &mut Vec<f32>) {
        let instructions = self.packed.instructions();
        quantised.fill(states, &self.factors, instructions);
        let n_outputs = self.outputs.len();
        into.resize(quantised.rows.len() * n_outputs, 0.0);
        let rows = quantised.view();
        let mut sums = [[0; TILE_COLUMNS]; TILE_ROWS];
        // A panel stays in the nearest cache while all rows go past it.
        for ((panel, outputs), column) in self
            .packed
            .panels()
            .zip(self.outputs.as_chunks::<TILE_COLUMNS>().0)
            .zip((0..n_outputs).step_by(TILE_COLUMNS))
        {
            for (first, described) in (0..).step_by(TILE_ROWS).zip(quantised.rows.chunks(TILE_ROWS)) {
                tile(instructions, rows, first, described.len(), panel, &mut sums);
                for ((row, sums), n_row) in described.iter().zip(&sums).zip(first..) {
                    // Σ (q - zero) · w, where the kernel summed q · (w + offset).
                    let offset = WEIGHT_OFFSET * row.sum;
                    let start = n_row * n_outputs + column;
                    let Some(into) = into.get_mut(start..start + TILE_COLUMNS) else { continue };
                    for ((into, sum), output) in into.iter_mut().zip(sums).zip(outputs) {
                        let exact = sum - offset - row.zero * output.sum;
                        *into = exact as f32 * (row.scale * output.scale) + output.bias;
                    }
                }
            }
        }
    }
}

/// Factors for the inputs of `matrix` (rows of outputs), their mean size one.
fn smoothing(matrix: &[f32], reach: &[f32]) -> Vec<f32> {
    let mut heaviest = vec![0.0_f32; reach.len()];
    for row in matrix.chunks_exact(reach.len()) {
        heaviest.iter_mut().zip(row).for_each(|(most, weight)| *most = most.max(weight.abs()));
    }
    let spread: Vec<f32> = reach
        .iter()
        .zip(&heaviest)
        .map(|(reach, weight)| {
            let size = libm::powf(weight.max(1e-6), 1.0 - SMOOTHING) / libm::powf(reach.max(1e-6), SMOOTHING);
            if size.is_finite() { size } else { 1.0 }
        })
        .collect();
    let mean = spread.iter().sum::<f32>() / spread.len() as f32;
    spread.iter().map(|size| size / mean).collect()
}
