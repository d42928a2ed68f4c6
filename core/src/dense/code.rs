//! Vectors in sixteen bits a component, kept as two planes of eight.

use serde::{Deserialize, Serialize};

/// The largest code: 127 · 257, so that its upper half, rounded, is at most 127.
const MAX_CODE: f32 = 32639.0;

/// A vector as whole numbers: component ≈ (256 · high + low) · scale, with codes up to ±32,639.
///
/// The high plane alone is what is commonly called int8 quantisation, and is what a scan reads. Both together are exact to
/// 2e-5 of the largest component, which stands for the vector itself in half its memory; and whole numbers add up to the
/// same sum in any order, so that a cosine is the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    pub(super) high: Vec<i8>,
    pub(super) low: Vec<i8>,
    /// The size of one step, after the vector was brought to length 1.
    pub(super) scale: f32,
}

impl Code {
    /// The code of a vector, brought to length 1; `None` where that cannot be done: it is empty, all zero, or holds what
    /// is no number.
    #[must_use]
    pub fn of(vector: &[f32]) -> Option<Self> {
        let square: f64 = vector.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
        let largest = vector.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
        if !square.is_finite() || square == 0.0 || largest < f32::MIN_POSITIVE {
            return None;
        }
        let codes = vector.iter().map(|x| (x / largest * MAX_CODE).round() as i32);
        let (high, low): (Vec<i8>, Vec<i8>) = codes.map(split).unzip();
        let length = codes_length(&high, &low);
        Some(Self { high, low, scale: (1.0 / length) as f32 })
    }

    /// Number of components.
    #[must_use]
    pub fn n_dimensions(&self) -> usize {
        self.high.len()
    }

    /// Cosine with another vector; 0 where their dimensions differ.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f32 {
        if self.n_dimensions() != other.n_dimensions() {
            return 0.0;
        }
        cosine(&self.codes(), self.scale, (&other.high, &other.low), other.scale)
    }

    /// The components in one piece.
    fn codes(&self) -> Vec<i32> {
        self.high.iter().zip(&self.low).map(|(high, low)| join(*high, *low)).collect()
    }
}

/// Cosine of a question's codes and a row's.
fn cosine(query: &[i32], query_scale: f32, (high, low): (&[i8], &[i8]), scale: f32) -> f32 {
    let products = query.iter().zip(high.iter().zip(low)).map(|(q, (h, l))| i64::from(*q) * i64::from(join(*h, *l)));
    scaled(products.sum(), query_scale, scale)
}

/// The cosine that a sum of products stands for.
pub(super) fn scaled(sum: i64, query_scale: f32, scale: f32) -> f32 {
    (sum as f64 * f64::from(query_scale) * f64::from(scale)) as f32
}

fn join(high: i8, low: i8) -> i32 {
    i32::from(high) * 256 + i32::from(low)
}

/// The nearest multiple of 256, and what is left, from -128 to 127.
fn split(code: i32) -> (i8, i8) {
    let high = (code + 128) >> 8;
    (high as i8, (code - high * 256) as i8)
}

/// The length of the coded vector: dividing by it, not by the vector's own, makes a vector's cosine with itself 1.
fn codes_length(high: &[i8], low: &[i8]) -> f64 {
    let square: i64 = high.iter().zip(low).map(|(h, l)| i64::from(join(*h, *l)).pow(2)).sum();
    libm::sqrt(square as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_splits_into_two_bytes_and_joins_again() {
        for code in -32639..=32639 {
            let (high, low) = split(code);
            assert_eq!(join(high, low), code);
        }
    }

    #[test]
    fn cosines_are_those_of_the_vectors() {
        let vectors = [vec![0.3, -0.2, 0.9, 1e-4], vec![0.1, 0.7, 0.2, -0.4], vec![-0.3, 0.2, -0.9, 0.0]];
        let exact = |a: &[f32], b: &[f32]| {
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        for a in &vectors {
            for b in &vectors {
                let coded = Code::of(a).unwrap().cosine(&Code::of(b).unwrap());
                assert!((f64::from(coded) - exact(a, b)).abs() < 3e-5, "{coded} is not {}", exact(a, b));
            }
        }
        let [own, other] = [&vectors[0], &vectors[1]].map(|vector| Code::of(vector).unwrap());
        assert!((own.cosine(&own) - 1.0).abs() < 1e-6);
        assert_eq!(own.cosine(&other).to_bits(), other.cosine(&own).to_bits());
    }

    #[test]
    fn what_has_no_direction_has_no_code() {
        for vector in [vec![], vec![0.0; 4], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], vec![f32::MAX, f32::NAN]] {
            assert_eq!(Code::of(&vector), None, "{vector:?}");
        }
        assert!(Code::of(&[f32::MAX; 384]).is_some());
    }
}
