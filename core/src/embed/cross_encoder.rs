//! Question and passage read together by one network, which says how well they belong together (Nogueira and Cho,
//! arXiv 1901.04085): `BertForSequenceClassification` with one label, as Hugging Face writes it down.
//!
//! Far slower than comparing vectors, for nothing can be computed before the question is known, so it is asked of the best
//! candidates alone.

use super::{
    BertConfig, EmbedError, Encoder, Instructions, Int8Bert, SafetensorsWeights, Source, Tokenizer, Tokens, Weights,
    load::Parts, math,
};
use crate::host::Progress;

/// The most tokens of a question and a passage together that the public models were trained on.
const MAX_TOKENS: usize = 512;
/// As of the encoder of vectors: more tokens make no product faster.
const BATCH_TOKENS: usize = 512;

/// The layers above the encoder: the first token's state, once more through a layer, to one number.
#[derive(Debug)]
struct Head {
    /// A row for each output.
    dense: Vec<f32>,
    dense_bias: Vec<f32>,
    label: Vec<f32>,
    label_bias: f32,
}

impl Head {
    fn load(weights: &dyn Weights, config: &BertConfig) -> Result<Self, EmbedError> {
        let hidden = config.hidden_size;
        let label_bias = weights.vector("classifier.bias", 1)?;
        Ok(Self {
            dense: weights.matrix("pooler.dense.weight", [hidden, hidden])?,
            dense_bias: weights.vector("pooler.dense.bias", hidden)?,
            label: weights.matrix("classifier.weight", [1, hidden])?,
            label_bias: label_bias.first().copied().unwrap_or_default(),
        })
    }

    fn score(&self, state: &[f32]) -> f32 {
        let rows = self.dense.chunks_exact(state.len().max(1)).zip(&self.dense_bias);
        let pooled: Vec<f32> = rows.map(|(row, bias)| math::tanh(math::dot(row, state) + bias)).collect();
        math::dot(&self.label, &pooled) + self.label_bias
    }
}

/// A cross-encoder that is ready.
#[derive(Debug)]
pub struct CrossEncoder<E = Int8Bert> {
    encoder: E,
    head: Head,
    tokenizer: Tokenizer,
}

impl CrossEncoder {
    /// Makes the 8-bit network of a model. `file` gives its parts, by the catalogue's names of them.
    ///
    /// # Errors
    /// [`EmbedError`] where a part is missing, damaged, or no such network.
    pub fn of_parts<S: Source>(file: impl FnMut(&str) -> Option<S>) -> Result<Self, EmbedError> {
        let mut parts = Parts(file);
        let weights = parts.part("weights")?;
        let config = BertConfig::from_json(&parts.whole("measures")?)?;
        let tokenizer = Tokenizer::new(&parts.whole("tokenizer")?, MAX_TOKENS.min(config.max_position_embeddings))?;
        let weights = SafetensorsWeights::new(weights)?;
        let encoder = Int8Bert::new(&weights, config.clone(), Instructions::best())?;
        Self::over(encoder, &weights, &config, tokenizer)
    }
}

impl<E: Encoder> CrossEncoder<E> {
    /// Takes an encoder of `config` as it is, and the layers above it from `weights`.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`] where these are missing, or the network has several labels.
    pub fn over(
        encoder: E,
        weights: &dyn Weights,
        config: &BertConfig,
        tokenizer: Tokenizer,
    ) -> Result<Self, EmbedError> {
        Ok(Self { encoder, head: Head::load(weights, config)?, tokenizer })
    }

    /// How well each passage answers `question`, in order; higher is better, of any sign. `progress` hears after every few
    /// how many are done; where it says `Break`, the scores so far come back.
    ///
    /// # Errors
    /// [`EmbedError`] when tokenizer and weights do not belong together.
    pub fn scores(
        &self,
        question: &str,
        passages: &[&str],
        progress: &mut dyn Progress,
    ) -> Result<Vec<f32>, EmbedError> {
        let mut scores = Vec::with_capacity(passages.len());
        let mut batch = Tokens::default();
        for passage in passages {
            let (tokens, n_first) = self.tokenizer.pair(question, passage)?;
            if batch.n_texts() > 0 && batch.ids().len() + tokens.len() > BATCH_TOKENS {
                scores.append(&mut self.score_pairs(&batch)?);
                batch = Tokens::default();
                let counted = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                if progress.report(counted(scores.len()), counted(passages.len())).is_break() {
                    return Ok(scores);
                }
            }
            let (first, second) = tokens.split_at(n_first.min(tokens.len()));
            batch.push_pair(first, second);
        }
        scores.append(&mut self.score_pairs(&batch)?);
        Ok(scores)
    }

    /// The scores of pairs of texts that are tokens already.
    ///
    /// # Errors
    /// Those of the encoder.
    pub fn score_pairs(&self, pairs: &Tokens) -> Result<Vec<f32>, EmbedError> {
        let states = self.encoder.encode(pairs)?;
        let first = |start: usize| states.values.get(start * states.dims..(start + 1) * states.dims).unwrap_or(&[]);
        Ok(pairs.texts().map(|pair| self.head.score(if pair.is_empty() { &[] } else { first(pair.start) })).collect())
    }
}
