//! The weights as a source file of the core, with the record of how they came to be.

use super::{LearnedWeights, Tried, shown};
use crate::commands::CommandError;
use millwright_core::{
    protocol::{Failure, FailureKind},
    rerank::features::NAMES,
};
use std::{fmt::Write as _, fs, path::Path};

const HEAD: &str = "//! The weights of the features, as `millwright train features` wrote them. Not to be changed by hand.
//!
//! How each collection does with weights that were learned from the others: nDCG@10, and the share of questions with a relevant
//! passage first, and among the first five; before and after.
//!
//! ```text
";

/// Writes the file.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(
    path: &Path,
    model: &str,
    both: &LearnedWeights,
    words: &LearnedWeights,
) -> Result<(), CommandError> {
    fs::write(path, text(model, both, words)).map_err(|error| {
        let error = format!("{} cannot be written: {error}.", path.display());
        Failure { error, error_type: FailureKind::UnreadableFile }.into()
    })
}

fn text(model: &str, both: &LearnedWeights, words: &LearnedWeights) -> String {
    let mut text = HEAD.to_owned();
    for (learned, of) in [
        (both, format!("words and vectors of {model}")),
        (words, "words alone (not used: what is learned from some does not help on others)".to_owned()),
    ] {
        let _ = writeln!(text, "//! {of}");
        for Tried { collection, n_queries, before, after, .. } in &learned.tried {
            let _ = writeln!(text, "//! {collection:24}{n_queries:5} questions  {} -> {}", shown(before), shown(after));
        }
    }
    text.push_str("//! ```\n\nuse super::FeatureVector;\n");
    text.push_str("\n/// In the order of [`NAMES`](super::NAMES).\npub const WEIGHTS: FeatureVector = [\n");
    for (name, weight) in NAMES.iter().zip(&both.weights) {
        let _ = writeln!(text, "    {weight:?}, // {name}");
    }
    text.push_str("];\n");
    text
}
