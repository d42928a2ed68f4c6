//! The questions of a collection, with their candidates as feature vectors and judgements.

use super::Figures;
use crate::{
    cli::TrainFeaturesArgs,
    collections,
    commands::{
        CommandError,
        evaluate::ranking::{not_indexed, systems::Index, vectors},
    },
    output::Output,
};
use millwright_core::{
    host::NoProgress,
    rerank::{
        self,
        features::{self, FeatureVector},
    },
    retrieve::Candidate,
};
use std::collections::BTreeMap;

/// How deep nDCG looks.
const K: usize = 10;

/// Who is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asking {
    /// Words and vectors.
    Both,
    /// Words alone.
    Words,
}

/// A collection's questions.
pub(super) struct Examples {
    pub(super) name: String,
    pub(super) questions: Vec<Example>,
}

/// The candidates of a question, best first.
pub(super) struct Example {
    features: Vec<FeatureVector>,
    /// What the judgements give each.
    gains: Vec<u32>,
    /// What each has of the identifiers that were asked for: no score is above that.
    tiers: Vec<u8>,
    /// The discounted gain of the best ranking there could be.
    ideal: f64,
}

impl Examples {
    /// Asks a collection its questions; `None`, and a word to the user, where it is not there.
    pub(super) fn load(
        args: &TrainFeaturesArgs,
        asking: Asking,
        place: &str,
        split: &str,
        output: &mut Output,
    ) -> Result<Option<Self>, CommandError> {
        let path = args.data.join(place);
        if !path.exists() {
            output.complaint(&format!("{} is not there: skipped.", path.display()));
            return Ok(None);
        }
        let collection = collections::load_split(&path, split)?;
        let name = format!("{} ({split})", collection.name);
        let mut index = Index::new(&collection).map_err(|error| not_indexed(&error))?;
        if asking == Asking::Both {
            let (models, cache) = (args.models.as_deref(), args.cache.as_deref());
            let (identity, made) = vectors::embed(&args.model, &collection, models, cache, output)?;
            index.add_vectors(made, &identity);
        }
        output.status(&format!("{name}: asking {} questions", collection.queries.len()));
        let mut questions = Vec::with_capacity(collection.queries.len());
        let nothing = BTreeMap::new();
        for (at, (qid, question)) in collection.queries.iter().enumerate() {
            let second = index.second(at, question).map_err(|error| not_indexed(&error))?;
            let judged = collection.qrels.get(qid).unwrap_or(&nothing);
            let gain = |candidate: &Candidate| {
                let document = index.document(&candidate.chunk.document);
                document.and_then(|(document, _)| judged.get(&document.id)).copied().unwrap_or(0)
            };
            let mut ideal: Vec<u32> = judged.values().copied().collect();
            ideal.sort_unstable_by(|a, b| b.cmp(a));
            questions.push(Example {
                features: second.ask(|asked, passages| features::features(asked, passages, &mut NoProgress)),
                gains: second.candidates().map(gain).collect(),
                tiers: second.candidates().map(Candidate::tier).collect(),
                ideal: discounted(ideal.into_iter()),
            });
        }
        Ok(Some(Self { name, questions }))
    }

    /// How they do with weights.
    pub(super) fn figures(&self, weights: &FeatureVector) -> Figures {
        let (mut ndcg_at_10, mut success_at_1, mut success_at_5) = (0.0, 0.0, 0.0);
        for example in &self.questions {
            let gains = example.ranked(weights);
            ndcg_at_10 += example.ndcg(&gains);
            success_at_1 += f64::from(u8::from(gains.first().is_some_and(|gain| *gain > 0)));
            success_at_5 += f64::from(u8::from(gains.iter().take(5).any(|gain| *gain > 0)));
        }
        let n = self.questions.len().max(1) as f64;
        Figures { ndcg_at_10: ndcg_at_10 / n, success_at_1: success_at_1 / n, success_at_5: success_at_5 / n }
    }

    /// nDCG@10 of every question with weights.
    pub(super) fn ndcg(&self, weights: &FeatureVector) -> Vec<f64> {
        self.questions.iter().map(|example| example.ndcg(&example.ranked(weights))).collect()
    }
}

impl Example {
    /// The gains of the first places, in the order that the product would put the candidates in.
    fn ranked(&self, weights: &FeatureVector) -> Vec<u32> {
        let scores: Vec<f32> = self.features.iter().map(|vector| features::weighted(weights, vector)).collect();
        let order = rerank::order(self.gains.len(), &scores, |at| self.tiers.get(at).copied().unwrap_or(0));
        order.into_iter().take(K).filter_map(|at| self.gains.get(at).copied()).collect()
    }

    fn ndcg(&self, gains: &[u32]) -> f64 {
        if self.ideal > 0.0 { discounted(gains.iter().copied()) / self.ideal } else { 0.0 }
    }
}

fn discounted(gains: impl Iterator<Item = u32>) -> f64 {
    gains.take(K).zip(2_u32..).map(|(gain, rank)| f64::from(gain) / f64::from(rank).log2()).sum()
}
