//! Whether a difference between two systems is more than the luck of the queries: the paired bootstrap.

use serde::{Deserialize, Serialize};

/// How often the queries are drawn anew.
const N_SAMPLES: usize = 5_000;
/// The share of the samples that an interval leaves out on either side.
const TAIL: f64 = 0.025;
/// The same draws every time.
const SEED: u64 = 0x6d69_6c6c_7772_6967;

/// The mean difference of two systems over the same queries, and between which values 95 of 100 samples lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean of what one has more than the other.
    pub difference: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether all of it lies on one side of nothing.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The percentile interval of the mean of `differences`, one a query, over samples of as many queries drawn with
/// replacement (Efron and Tibshirani 1993; for retrieval Sakai, SIGIR 2006). Zeros without queries.
/// O(samples · queries).
#[must_use]
pub fn paired_bootstrap(differences: &[f64]) -> Interval {
    let n = differences.len();
    if n == 0 {
        return Interval::default();
    }
    let mut draws = SplitMix(SEED);
    let mut means: Vec<f64> = Vec::with_capacity(N_SAMPLES);
    for _ in 0..N_SAMPLES {
        let sum: f64 = (0..n).map(|_| differences[draws.below(n)]).sum();
        means.push(sum / n as f64);
    }
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((N_SAMPLES - 1) as f64 * share) as usize];
    Interval { difference: differences.iter().sum::<f64>() / n as f64, low: at(TAIL), high: at(1.0 - TAIL) }
}

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): small, and the same numbers on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `n`, which is at least 1. The upper half of a product: no division, and no bias that matters.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_every_query_shows_is_clear() {
        let interval = paired_bootstrap(&[0.1; 40]);
        assert!((interval.difference - 0.1).abs() < 1e-12 && (interval.high - interval.low).abs() < 1e-12);
        assert!(interval.is_clear());
        assert_eq!(paired_bootstrap(&[]), Interval::default());
    }

    #[test]
    fn luck_is_not_clear() {
        let differences: Vec<f64> = (0..50).map(|n| if n % 2 == 0 { 0.5 } else { -0.48 }).collect();
        let interval = paired_bootstrap(&differences);
        assert!(!interval.is_clear(), "{interval:?}");
        assert!((interval.difference - 0.01).abs() < 1e-12);
        // The mean of 50 draws has a standard error of 0.49 / √50 = 0.0693.
        let half = (interval.high - interval.low) / 2.0;
        assert!((half - 1.96 * 0.0693).abs() < 0.01, "{half}");
        assert_eq!(interval, paired_bootstrap(&differences), "the same draws");
    }
}
