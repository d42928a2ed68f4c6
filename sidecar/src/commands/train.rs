//! `millwright train`: learns the few numbers that are learned, so that anybody can learn them again.
//!
//! `examples` asks the collections' questions, `search` finds weights, `weights_file` writes them as the core has them.

mod examples;
mod search;
mod weights_file;

use super::CommandError;
use crate::{
    EXIT_OK,
    cli::{Learned, TrainArgs, TrainFeaturesArgs},
    output::Output,
};
use examples::{Asking, Examples};
use millwright_core::{
    protocol::{Failure, FailureKind},
    rerank::features::{FeatureVector, N_FEATURES, NAMES},
};
use serde::Serialize;

/// The collections that weights are learned from, by their place in the folder, and which of their questions. SciFact's test
/// questions are not among them.
const COLLECTIONS: [(&str, &str); 5] = [
    ("scifact", "train"),
    ("cranfield", "test"),
    ("vaswani_npl", "test"),
    ("emanuals_qa", "test"),
    ("xquad/xquad.en.json", "test"),
];
/// Nothing is learned from these; the weights learned from all others are tried on them.
const HELD_OUT: [(&str, &str); 1] = [("scifact", "test")];

/// The order as it was found.
const NOT_RERANKED: FeatureVector = {
    let mut weights = [0.0; N_FEATURES];
    weights[0] = 1.0;
    weights
};

/// Weights, and how they do.
#[derive(Clone, Debug, Serialize)]
struct LearnedWeights {
    weights: FeatureVector,
    tried: Vec<Tried>,
}

/// How a collection does with weights that were learned without it.
#[derive(Clone, Debug, Serialize)]
struct Tried {
    collection: String,
    n_queries: usize,
    before: Figures,
    after: Figures,
    weights: FeatureVector,
}

/// nDCG@10, and how often the first place and any of the first five are relevant.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Figures {
    ndcg_at_10: f64,
    success_at_1: f64,
    success_at_5: f64,
}

pub(super) fn run(args: &TrainArgs, output: &mut Output) -> Result<u8, CommandError> {
    match &args.subject {
        Learned::Features(args) => features(args, output),
    }
}

fn features(args: &TrainFeaturesArgs, output: &mut Output) -> Result<u8, CommandError> {
    let both = learn(args, Asking::Both, output)?;
    let words = learn(args, Asking::Words, output)?;
    if both.tried.is_empty() {
        let error = format!(
            "{} has none of the collections to learn from. Name another folder with --data.",
            args.data.display()
        );
        return Err(Failure { error, error_type: FailureKind::NotFound }.into());
    }
    for (learned, of) in [(&both, "words and vectors"), (&words, "words alone")] {
        output.line(&format!("{of}: each collection with weights learned from the others."));
        show(learned, output);
    }
    output.json(&[&both, &words]);
    if let Some(path) = &args.write {
        weights_file::write(path, &args.model, &both, &words)?;
    }
    Ok(EXIT_OK)
}

fn learn(args: &TrainFeaturesArgs, asking: Asking, output: &mut Output) -> Result<LearnedWeights, CommandError> {
    let mut learned_from = Vec::new();
    let mut held_out = Vec::new();
    for (place, split) in COLLECTIONS {
        learned_from.extend(Examples::load(args, asking, place, split, output)?);
    }
    for (place, split) in HELD_OUT {
        held_out.extend(Examples::load(args, asking, place, split, output)?);
    }
    let mut tried = Vec::new();
    for one in &learned_from {
        output.status(&format!("learning without {}", one.name));
        let others: Vec<&Examples> = learned_from.iter().filter(|other| other.name != one.name).collect();
        tried.push(try_on(one, search::learn(&others)));
    }
    output.status("learning from all");
    let weights = search::learn(&learned_from.iter().collect::<Vec<_>>());
    tried.extend(held_out.iter().map(|one| try_on(one, weights)));
    Ok(LearnedWeights { weights, tried })
}

fn try_on(examples: &Examples, weights: FeatureVector) -> Tried {
    Tried {
        collection: examples.name.clone(),
        n_queries: examples.questions.len(),
        before: examples.figures(&NOT_RERANKED),
        after: examples.figures(&weights),
        weights,
    }
}

fn show(learned: &LearnedWeights, output: &mut Output) {
    for Tried { collection, n_queries, before, after, weights } in &learned.tried {
        let gained = after.ndcg_at_10 - before.ndcg_at_10;
        let figures = format!("{} -> {}  {gained:+.4}", shown(before), shown(after));
        output.line(&format!("{collection:24}{n_queries:6} queries  {figures}  {}", listed(weights)));
    }
    output.line(&format!("Learned from all: {}", listed(&learned.weights)));
}

fn shown(figures: &Figures) -> String {
    format!("{:.4} {:.3} {:.3}", figures.ndcg_at_10, figures.success_at_1, figures.success_at_5)
}

fn listed(weights: &FeatureVector) -> String {
    let named = NAMES.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
    named.map(|(name, weight)| format!("{name} {weight}")).collect::<Vec<_>>().join(", ")
}
