//! A model's numbers by their Hugging Face names, decoded piece by piece: the largest matrix of a multilingual encoder has
//! 96 million of them, which must never stand in memory as `f32` all at once.

use super::{EmbedError, Source};
use safetensors::{Dtype, tensor::Metadata};
use std::ops::Range;

/// What stands before the list of tensors: its length.
const LENGTH_BYTES: usize = 8;

/// No list of tensors is longer.
const MAX_LIST_BYTES: usize = 16 << 20;

/// Where a model's numbers come from.
pub trait Weights {
    /// Appends rows of a matrix of `shape` (rows, columns) to `into`; a vector is a matrix of one row.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`] where there is no such tensor, or it has another shape.
    fn rows(&self, name: &str, shape: [usize; 2], rows: Range<usize>, into: &mut Vec<f32>) -> Result<(), EmbedError>;

    /// A whole matrix.
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows).
    fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Vec<f32>, EmbedError> {
        let mut values = Vec::with_capacity(shape[0].saturating_mul(shape[1]));
        self.rows(name, shape, 0..shape[0], &mut values)?;
        Ok(values)
    }

    /// A whole vector.
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows).
    fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>, EmbedError> {
        self.matrix(name, [1, len])
    }
}

/// A `model.safetensors`, read where it lies.
#[derive(Debug)]
pub struct SafetensorsWeights<S> {
    file: S,
    tensors: Metadata,
    /// Where the list of tensors ends and they begin.
    start: usize,
}

impl<S: Source> SafetensorsWeights<S> {
    /// Reads the list of tensors.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`].
    pub fn new(file: S) -> Result<Self, EmbedError> {
        let short = || EmbedError::weights("it ends too early");
        let length = file.read(0..LENGTH_BYTES).ok_or_else(short)?;
        let length = length.as_ref().try_into().map(u64::from_le_bytes).map_err(|_| short())?;
        let length = usize::try_from(length).ok().filter(|length| *length <= MAX_LIST_BYTES);
        let start = LENGTH_BYTES + length.ok_or_else(|| EmbedError::weights("its list of tensors is too long"))?;
        let list = file.read(LENGTH_BYTES..start).ok_or_else(short)?;
        let tensors: Metadata =
            serde_json::from_slice(&list).map_err(|error| EmbedError::weights(error.to_string()))?;
        drop(list);
        if start.checked_add(tensors.data_len()) != Some(file.n_bytes()) {
            return Err(EmbedError::weights("it is longer or shorter than its list of tensors says"));
        }
        Ok(Self { file, tensors, start })
    }
}

impl<S: Source> Weights for SafetensorsWeights<S> {
    fn rows(&self, name: &str, shape: [usize; 2], rows: Range<usize>, into: &mut Vec<f32>) -> Result<(), EmbedError> {
        // Older files say gamma and beta, and files of whole tasks put the encoder under `bert`.
        let older = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta");
        let names = [name.to_owned(), format!("bert.{name}"), format!("bert.{older}"), older];
        let tensor = names.iter().find_map(|name| self.tensors.info(name));
        let tensor = tensor.ok_or_else(|| EmbedError::weights(format!("it has no {name}")))?;
        let fits = match tensor.shape.as_slice() {
            [columns] => shape == [1, *columns],
            [n_rows, columns] => shape == [*n_rows, *columns],
            _ => false,
        };
        let misfit = || EmbedError::weights(format!("{name} is {:?}, not {shape:?}", tensor.shape));
        if !fits {
            return Err(misfit());
        }
        let n_bytes = match tensor.dtype {
            Dtype::F32 => 4,
            Dtype::F16 | Dtype::BF16 => 2,
            other => return Err(EmbedError::weights(format!("{name} is of the type {other:?}"))),
        };
        let (start, end) = tensor.data_offsets;
        // The list is whatever the file says: nothing of it may be trusted to add up.
        let at = |row: usize| row.checked_mul(shape[1])?.checked_mul(n_bytes)?.checked_add(start);
        let range = at(rows.start).zip(at(rows.end).filter(|last| *last <= end));
        let range = range.and_then(|(first, last)| Some(self.start.checked_add(first)?..self.start.checked_add(last)?));
        let bytes = range.and_then(|range| self.file.read(range)).ok_or_else(misfit)?;
        match tensor.dtype {
            Dtype::F32 => into.extend(bytes.as_chunks::<4>().0.iter().map(|le| f32::from_le_bytes(*le))),
            Dtype::F16 => into.extend(bytes.as_chunks::<2>().0.iter().map(|le| f16_to_f32(u16::from_le_bytes(*le)))),
            _ => into.extend(
                bytes.as_chunks::<2>().0.iter().map(|le| f32::from_bits(u32::from(u16::from_le_bytes(*le)) << 16)),
            ),
        }
        Ok(())
    }
}

/// A half-precision number as a single one.
pub(super) fn f16_to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let exponent = u32::from(half >> 10 & 0x1f);
    let fraction = u32::from(half & 0x3ff);
    match exponent {
        // Subnormal: the fraction counts units of 2^-24.
        0 => f32::from_bits(sign | (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits()),
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_become_singles() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8), (0x7bff, 65504.0)];
        for (half, single) in cases {
            assert_eq!(f16_to_f32(half), single, "{half:#x}");
        }
        assert!(f16_to_f32(0x7e00).is_nan() && f16_to_f32(0xfc00) == f32::NEG_INFINITY);
    }

    #[test]
    fn a_broken_file_is_told() {
        assert!(SafetensorsWeights::new(b"\xff\xff\xff\xff\xff\xff\xff\xff{}").is_err());
        assert!(SafetensorsWeights::new(b"").is_err());
    }
}
