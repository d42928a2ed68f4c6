//! The weights of the features, as `millwright train features` wrote them. Not to be changed by hand.
//!
//! How each collection does with weights that were learned from the others: nDCG@10, and the share of questions with a relevant
//! passage first, and among the first five; before and after.
//!
//! ```text
//! words and vectors of minilm
//! scifact (train)           809 questions  0.7452 0.637 0.818 -> 0.7466 0.634 0.818
//! cranfield (test)          225 questions  0.4419 0.360 0.827 -> 0.4578 0.369 0.827
//! vaswani_npl (test)         93 questions  0.5065 0.667 0.903 -> 0.5122 0.677 0.903
//! emanuals_qa (test)         50 questions  0.9045 0.840 0.940 -> 0.9134 0.860 0.960
//! xquad.en.json (test)     1190 questions  0.9830 0.962 0.997 -> 0.9823 0.961 0.997
//! scifact (test)            300 questions  0.7296 0.600 0.813 -> 0.7380 0.600 0.830
//! words alone (not used: what is learned from some does not help on others)
//! scifact (train)           809 questions  0.7075 0.612 0.766 -> 0.7066 0.608 0.774
//! cranfield (test)          225 questions  0.3995 0.342 0.800 -> 0.3969 0.329 0.813
//! vaswani_npl (test)         93 questions  0.4376 0.613 0.849 -> 0.4468 0.613 0.839
//! emanuals_qa (test)         50 questions  0.8901 0.840 0.960 -> 0.8941 0.840 0.960
//! xquad.en.json (test)     1190 questions  0.9707 0.943 0.990 -> 0.9713 0.944 0.990
//! scifact (test)            300 questions  0.6924 0.570 0.770 -> 0.6868 0.553 0.773
//! ```

use super::FeatureVector;

/// In the order of [`NAMES`](super::NAMES).
pub const WEIGHTS: FeatureVector = [
    1.0,  // found
    0.4,  // neighbours
    0.0,  // pairs
    0.2,  // together
    0.0,  // coverage
    0.0,  // headings
    0.0,  // numbers
    0.05, // sought
    0.0,  // lexical rank
    0.0,  // dense rank
    0.02, // recency
];
