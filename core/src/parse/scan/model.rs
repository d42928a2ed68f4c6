//! The two networks of the reading model on the `rten` runtime. Not for what goes into them or comes out.

use rten::{ModelOptions, OpRegistry, op_registry};
use rten_tensor::{NdTensor, Tensor, prelude::*};

/// Why a reading model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A network's file cannot be loaded.
    #[error("The {part} of the reading model cannot be loaded ({detail}). Fetch the model anew.")]
    Load {
        /// Which of its files.
        part: &'static str,
        /// What the runtime said.
        detail: String,
    },
    /// The list of characters does not belong to the recogniser.
    #[error("The reading model knows {n_classes} characters, but its list has {n_listed}. Fetch the model anew.")]
    Dictionary {
        /// What the recogniser tells apart, blank and space included.
        n_classes: usize,
        /// What the list makes of it.
        n_listed: usize,
    },
}

/// A network from one picture to one array.
pub(super) struct Network(rten::Model);

/// What networks of PP-OCR's form are made of. The runtime knows four times as many, and in the browser all of them would
/// be fetched.
fn operators() -> OpRegistry {
    op_registry!(
        Add,
        AveragePool,
        BatchNormalization,
        Concat,
        Conv,
        ConvTranspose,
        Div,
        Erf,
        GlobalAveragePool,
        HardSigmoid,
        Identity,
        MatMul,
        MaxPool,
        Mul,
        Pow,
        ReduceMean,
        Relu,
        Reshape,
        Resize,
        Shape,
        Sigmoid,
        Slice,
        Softmax,
        Sqrt,
        Squeeze,
        Sub,
        Transpose,
        Unsqueeze
    )
}

impl Network {
    /// Loads a `.rten` file.
    pub(super) fn load(part: &'static str, bytes: Vec<u8>) -> Result<Self, ModelError> {
        let mut options = ModelOptions::with_ops(operators());
        // The weights are laid out once for all pages rather than once for each line.
        options.prepack_weights(true);
        let model = options.load(bytes).map_err(|error| ModelError::Load { part, detail: error.to_string() })?;
        Ok(Self(model))
    }

    /// Runs it on a picture of three channels, each `height` rows of `width` values. The shape of what comes out, and its
    /// values in order.
    ///
    /// # Errors
    /// What the runtime says, short.
    pub(super) fn run(
        &self,
        channels: Vec<f32>,
        width: usize,
        height: usize,
    ) -> Result<(Vec<usize>, Vec<f32>), String> {
        if channels.len() != 3 * width * height {
            return Err("the picture has another size than it says".to_owned());
        }
        let input = NdTensor::from_data([1, 3, height, width], channels);
        let output = self.0.run_one(input.into(), None).map_err(|error| error.to_string())?;
        let output: Tensor<f32> = output.try_into().map_err(|_| "it gives no numbers".to_owned())?;
        Ok((output.shape().to_vec(), output.into_data()))
    }
}
