//! Finds weights: those of the two features that carry most by trying every pair of values, those of the others one by one
//! where that pays. The measure itself is searched, not a smooth stand-in for it; steps are coarse, and every weight costs
//! something, so that what helps by luck stays out.
//!
//! Freer ways were tried on the same data and did worse on collections that they did not learn from. Coordinate ascent over
//! all features: SciFact's train questions -0.006 to 0, NPL -0.02 to +0.005 nDCG@10, by how gains were weighed. Pairwise
//! gradients (LambdaRank, 6 to 18 features, held to the fusion score): SciFact's train questions -0.005 to +0.004, MTRAG
//! -0.009 to 0.

use super::examples::Examples;
use millwright_core::rerank::features::{FeatureVector, NOTHING_LEARNED};

/// The place of the feature `neighbours`, and the values tried for it.
const NEIGHBOURS: (usize, [f32; 8]) = (1, [0.0, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]);
/// The same of `together`.
const TOGETHER: (usize, [f32; 7]) = (3, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
/// The places of the others that can be learned, and the values tried. A feature is evidence for a passage, so none is below
/// zero.
const FURTHER: ([usize; 6], [f32; 3]) = ([2, 4, 5, 6, 8, 9], [0.05, 0.1, 0.2]);
/// What a weight of 1 must bring, in standard errors.
const PRICE: f64 = 0.1;
/// What every further feature must bring besides.
const FURTHER_PRICE: f64 = 0.1;

/// The weights that serve some collections best: deterministic, the same for the same examples.
pub(super) fn learn(collections: &[&Examples]) -> FeatureVector {
    let before: Vec<(f64, f64)> =
        collections.iter().map(|collection| mean_and_error(&collection.ndcg(&NOTHING_LEARNED))).collect();
    // In standard errors, so that a collection counts by how well it can tell.
    search(|weights| {
        let gained = collections.iter().zip(&before).map(|(collection, (mean, error))| {
            let (now, _) = mean_and_error(&collection.ndcg(weights));
            (now - mean) / error.max(1e-4)
        });
        gained.sum::<f64>() / collections.len().max(1) as f64
    })
}

fn search(gained: impl Fn(&FeatureVector) -> f64) -> FeatureVector {
    let worth = |weights: &FeatureVector| {
        let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let n_further = FURTHER.0.iter().filter(|at| weights.get(**at).is_some_and(|weight| *weight > 0.0)).count();
        gained(weights) - PRICE * sum - FURTHER_PRICE * n_further as f64
    };
    let mut weights = NOTHING_LEARNED;
    let mut best = worth(&weights);
    let mut try_out = |weights: &mut FeatureVector, other: FeatureVector| {
        let of_other = worth(&other);
        if of_other > best {
            (*weights, best) = (other, of_other);
        }
    };
    for neighbours in NEIGHBOURS.1 {
        for together in TOGETHER.1 {
            let other = with(with(NOTHING_LEARNED, NEIGHBOURS.0, neighbours), TOGETHER.0, together);
            try_out(&mut weights, other);
        }
    }
    for at in FURTHER.0 {
        let so_far = weights;
        for value in FURTHER.1 {
            try_out(&mut weights, with(so_far, at, value));
        }
    }
    weights
}

fn with(mut weights: FeatureVector, at: usize, value: f32) -> FeatureVector {
    if let Some(weight) = weights.get_mut(at) {
        *weight = value;
    }
    weights
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    (mean, (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::rerank::features::{N_FEATURES, NAMES};

    #[test]
    fn places_are_those_of_the_names() {
        assert_eq!((NAMES[NEIGHBOURS.0], NAMES[TOGETHER.0]), ("neighbours", "together"));
        let mut places = [&[0, NEIGHBOURS.0, TOGETHER.0][..], &FURTHER.0].concat();
        places.sort_unstable();
        let left: Vec<&str> = (0..N_FEATURES).filter(|at| !places.contains(at)).map(|at| NAMES[at]).collect();
        assert_eq!(left, ["sought", "recency"], "what cannot be learned");
    }

    #[test]
    fn finds_the_top_and_leaves_what_pays_too_little() {
        let top = |weights: &FeatureVector| {
            let off = |at: usize, best: f32| f64::from((weights[at] - best).abs());
            9.0 - 5.0 * off(1, 0.25) - 5.0 * off(3, 0.4) - 5.0 * off(2, 0.1) - 0.3 * off(5, 0.2)
        };
        let weights = search(top);
        assert_eq!((weights[1], weights[3], weights[2], weights[5]), (0.25, 0.4, 0.1, 0.0));
        assert_eq!(search(|_| 0.5), NOTHING_LEARNED);
    }

    #[test]
    fn errors_are_of_the_mean() {
        assert_eq!(mean_and_error(&[0.0, 1.0, 0.0, 1.0]), (0.5, 0.25));
        assert_eq!(mean_and_error(&[]).0, 0.0);
    }
}
