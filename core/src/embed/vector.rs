//! A vector as it is kept: 8-bit numbers and their scale, a quarter of what `f32` takes.

use super::math;
use serde::{Deserialize, Serialize};

/// A vector x ≈ scale · values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vector8 {
    /// From -127 to 127.
    pub values: Vec<i8>,
    /// What one of them is worth.
    pub scale: f32,
}

impl Vector8 {
    /// Rounds a vector; each number moves by at most half of `scale`.
    #[must_use]
    pub fn new(vector: &[f32]) -> Self {
        let scale = math::largest(vector) / 127.0;
        let values = vector.iter().map(|x| (x / scale).round() as i8).collect();
        Self { values, scale }
    }

    /// The product with another, summed in whole numbers: exact but for one rounding. For scanning.
    #[must_use]
    pub fn dot8(&self, other: &Self) -> f32 {
        let sum: i32 = self.values.iter().zip(&other.values).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
        sum as f32 * (self.scale * other.scale)
    }

    /// The product with a query that was not rounded, summed in a fixed order. For scoring what a scan found.
    #[must_use]
    pub fn dot(&self, query: &[f32]) -> f32 {
        math::mixed_dot(&self.values, query) * self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_near_the_exact_ones() {
        let (a, b): (Vec<f32>, Vec<f32>) = (0..40).map(|i| ((i as f32 * 0.7).sin(), (i as f32 * 0.3).cos())).unzip();
        let exact: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
        let (a8, b8) = (Vector8::new(&a), Vector8::new(&b));
        assert!((a8.dot(&b) - exact).abs() < 0.05, "{} {exact}", a8.dot(&b));
        assert!((a8.dot8(&b8) - exact).abs() < 0.1, "{} {exact}", a8.dot8(&b8));
        assert!(a8.values.iter().any(|x| x.unsigned_abs() == 127));
        assert_eq!(Vector8::new(&[0.0; 3]).values, [0; 3]);
    }
}
