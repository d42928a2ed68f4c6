//! The weights of the features, as `millwright train features` wrote them.

use super::FeatureVector;

/// In the order of [`NAMES`](super::NAMES).
pub const WEIGHTS: FeatureVector = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
