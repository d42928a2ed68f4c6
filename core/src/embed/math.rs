//! The functions between the matrix products, in `f32` and in an order of our own.
//!
//! A tab and the command line must give the same vector to the bit. `libm` differs between platforms and compilers never
//! reorder sums by themselves, so everything here is plain additions, multiplications and divisions in lanes of sixteen,
//! which every compiler may turn into vector instructions without changing a bit.

use super::config::LANES;

type Lanes = [f32; LANES];

/// Adds 2^23 · 1.5: the sum's last bit is then worth one, so the hardware's own rounding makes a whole number of it.
const ROUND: f32 = 12_582_912.0;
const ROUND_BITS: i32 = 0x4b40_0000;

#[inline(always)]
pub(super) fn larger(a: f32, b: f32) -> f32 {
    // Not `f32::max`: its rules for NaN cost several instructions in wasm.
    if a > b { a } else { b }
}

#[inline(always)]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The nearest whole number, ties to even, of |x| < 2^22.
#[inline(always)]
pub(super) fn round_to_int(x: f32) -> i32 {
    (x + ROUND).to_bits() as i32 - ROUND_BITS
}

/// Folds lanes, always in the same order.
#[inline(always)]
pub(super) fn fold(mut lanes: Lanes, join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut width = LANES / 2;
    while width > 0 {
        for i in 0..width {
            lanes[i] = join(lanes[i], lanes[i + width]);
        }
        width /= 2;
    }
    lanes[0]
}

/// Joins all numbers lane by lane; what is left over after whole lanes is joined into the first lanes.
#[inline(always)]
pub(super) fn reduce(values: &[f32], start: f32, join: impl Fn(f32, f32) -> f32 + Copy) -> f32 {
    let mut lanes = [start; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for chunk in whole {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = join(*lane, *value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane = join(*lane, *value);
    }
    fold(lanes, join)
}

/// The sum.
#[inline(always)]
pub(super) fn sum(values: &[f32]) -> f32 {
    reduce(values, 0.0, |a, b| a + b)
}

/// e^x for x in -87..=88, else the value at the nearer end; within 2 units in the last place.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts, so that n · LN_2_HIGH is exact (Cody and Waite).
    const LN_2_HIGH: f32 = 0.693_359_4;
    const LN_2_LOW: f32 = -2.121_944_4e-4;
    let x = smaller(larger(x, -87.0), 88.0);
    let rounded = x * LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;
    // |r| <= ln 2 / 2, where the Taylor series to the sixth power is exact to 1.2e-7.
    let mut p = 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    let two_to_n = f32::from_bits(((rounded.to_bits() as i32 - ROUND_BITS + 127) << 23) as u32);
    p * two_to_n
}

/// The error function, within 4e-7: x · P(x²) / Q(x²), both of degree five, fitted for this file to |x| < 3.95 by least
/// squares, reweighted until the largest relative error (2.1e-8) was level.
#[inline(always)]
pub(super) fn erf(x: f32) -> f32 {
    const EDGE: f32 = 3.95;
    let x = smaller(larger(x, -EDGE), EDGE);
    let t = x * x;
    let mut p = 2.025_914e-6;
    p = p * t + 2.846_858_7e-4;
    p = p * t + 3.808_098_1e-3;
    p = p * t + 5.287_525_4e-2;
    p = p * t + 1.915_488_9e-1;
    p = p * t + std::f32::consts::FRAC_2_SQRT_PI;
    let mut q = 3.783_176_5e-5;
    q = q * t + 1.170_709_5e-3;
    q = q * t + 1.505_496_5e-2;
    q = q * t + 1.145_590_3e-1;
    q = q * t + 5.030_885e-1;
    q = q * t + 1.0;
    x * p / q
}

/// GELU with the error function, in place: x/2 · (1 + erf(x/√2)) (Hendrycks and Gimpel, arXiv 1606.08415).
#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for x in values {
        *x = 0.5 * *x * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
    }
}

/// Takes the mean from a row, divides it by its standard deviation, multiplies by `weight` and adds `bias` (Ba, Kiros and
/// Hinton, arXiv 1607.06450).
#[inline(always)]
pub(super) fn layer_norm(row: &mut [f32], weight: &[f32], bias: &[f32], eps: f32) {
    let n = row.len() as f32;
    let mean = sum(row) / n;
    for x in row.iter_mut() {
        *x -= mean;
    }
    let variance = reduce_squares(row) / n;
    let factor = 1.0 / (variance + eps).sqrt();
    for ((x, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *x = *x * factor * weight + bias;
    }
}

/// The largest size of any number, and never nothing, so that it can be divided by.
pub(super) fn largest(values: &[f32]) -> f32 {
    let size = reduce(values, 0.0, |a, b| larger(a.abs(), b.abs()));
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}

/// The sum of squares.
#[inline(always)]
pub(super) fn reduce_squares(values: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (whole, rest) = values.as_chunks::<LANES>();
    for chunk in whole.iter().map(|chunk| &chunk[..]).chain([rest]) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value * value;
        }
    }
    fold(lanes, |a, b| a + b)
}

/// Σ a·b.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0; LANES];
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in a.iter().zip(b).map(|(a, b)| (&a[..], &b[..])).chain([(a_rest, b_rest)]) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    fold(lanes, |a, b| a + b)
}

/// The hyperbolic tangent, within 3e-7: by e^(-2|x|), so that it never overflows.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let e = exp(-2.0 * x.abs());
    ((1.0 - e) / (1.0 + e)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_right() {
        for i in -8700..=0 {
            let x = i as f32 / 100.0;
            let right = f64::from(x).exp();
            assert!((f64::from(exp(x)) / right - 1.0).abs() < 2.5e-7, "{x}");
        }
        assert_eq!(exp(f32::NEG_INFINITY), exp(-87.0));
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn erf_is_right() {
        for i in -600..=600 {
            let x = f64::from(i) / 100.0;
            assert!((f64::from(erf(x as f32)) - libm::erf(x)).abs() < 4e-7, "{x}");
        }
    }

    #[test]
    fn tanh_is_right() {
        for i in -1200..=1200 {
            let x = f64::from(i) / 100.0;
            assert!((f64::from(tanh(x as f32)) - x.tanh()).abs() < 3e-7, "{x}");
        }
    }

    #[test]
    fn products_add_up_beyond_whole_lanes() {
        let a: Vec<f32> = (0..21).map(|i| i as f32).collect();
        assert_eq!(dot(&a, &a), 2870.0);
        assert_eq!(dot(&a, &[]), 0.0);
    }

    #[test]
    fn whole_numbers_round_to_even() {
        for (x, whole) in [(0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (126.7, 127), (-127.6, -128)] {
            assert_eq!(round_to_int(x), whole);
        }
    }

    #[test]
    fn a_row_is_normalised() {
        let mut row: Vec<f32> = (0..32).map(|i| (i * i) as f32).collect();
        layer_norm(&mut row, &[2.0; 32], &[1.0; 32], 1e-12);
        assert!((sum(&row) / 32.0 - 1.0).abs() < 1e-5);
        let spread = row.iter().map(|x| (x - 1.0) * (x - 1.0)).sum::<f32>() / 32.0;
        assert!((spread - 4.0).abs() < 1e-4, "{spread}");
    }
}
