//! The same network in `f32` over candle: what the 8-bit one is measured against. Text by text and by candle's own
//! functions, so that the two have nothing in common but the weights.

use super::{BertConfig, EmbedError, Encoder, States, Tokens, weights::Weights};
use candle_core::{D, Device, Tensor};
use candle_nn::{LayerNorm, Linear, Module, ops::softmax_last_dim};

/// A BERT in `f32`.
#[derive(Debug)]
pub struct CandleBert {
    config: BertConfig,
    words: Tensor,
    places: Tensor,
    kinds: Tensor,
    norm: LayerNorm,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Block {
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    mixed_norm: LayerNorm,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
}

impl From<candle_core::Error> for EmbedError {
    fn from(error: candle_core::Error) -> Self {
        Self::Arithmetic(error.to_string())
    }
}

struct Loader<'a> {
    weights: &'a dyn Weights,
    eps: f64,
}

impl Loader<'_> {
    fn matrix(&self, name: &str, shape: [usize; 2]) -> Result<Tensor, EmbedError> {
        Ok(Tensor::from_vec(self.weights.matrix(name, shape)?, (shape[0], shape[1]), &Device::Cpu)?)
    }

    fn vector(&self, name: &str, len: usize) -> Result<Tensor, EmbedError> {
        Ok(Tensor::from_vec(self.weights.vector(name, len)?, len, &Device::Cpu)?)
    }

    fn linear(&self, name: &str, n_outputs: usize, n_inputs: usize) -> Result<Linear, EmbedError> {
        let weight = self.matrix(&format!("{name}.weight"), [n_outputs, n_inputs])?;
        Ok(Linear::new(weight, Some(self.vector(&format!("{name}.bias"), n_outputs)?)))
    }

    fn norm(&self, name: &str, width: usize) -> Result<LayerNorm, EmbedError> {
        let weight = self.vector(&format!("{name}.LayerNorm.weight"), width)?;
        Ok(LayerNorm::new(weight, self.vector(&format!("{name}.LayerNorm.bias"), width)?, self.eps))
    }
}

impl CandleBert {
    /// Loads it.
    ///
    /// # Errors
    /// [`EmbedError`] where a tensor is missing, has another shape, or the sizes are beyond what runs here.
    pub fn new(weights: &dyn Weights, config: BertConfig) -> Result<Self, EmbedError> {
        let config = config.checked()?;
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let load = Loader { weights, eps: f64::from(config.layer_norm_eps) };
        let mut blocks = Vec::with_capacity(config.num_hidden_layers);
        for layer in 0..config.num_hidden_layers {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            blocks.push(Block {
                query: load.linear(&name("attention.self.query"), hidden, hidden)?,
                key: load.linear(&name("attention.self.key"), hidden, hidden)?,
                value: load.linear(&name("attention.self.value"), hidden, hidden)?,
                mixed: load.linear(&name("attention.output.dense"), hidden, hidden)?,
                mixed_norm: load.norm(&name("attention.output"), hidden)?,
                up: load.linear(&name("intermediate.dense"), wide, hidden)?,
                down: load.linear(&name("output.dense"), hidden, wide)?,
                norm: load.norm(&name("output"), hidden)?,
            });
        }
        let kinds = load.matrix("embeddings.token_type_embeddings.weight", [config.type_vocab_size, hidden])?;
        let n_places = config.max_position_embeddings;
        Ok(Self {
            words: load.matrix("embeddings.word_embeddings.weight", [config.vocab_size, hidden])?,
            places: load.matrix("embeddings.position_embeddings.weight", [n_places, hidden])?,
            kinds,
            norm: load.norm("embeddings", hidden)?,
            blocks,
            config,
        })
    }

    fn text(&self, ids: &[u32], n_first: usize) -> Result<Vec<f32>, EmbedError> {
        let n_tokens = ids.len();
        let places = self.places.narrow(0, 0, n_tokens)?;
        let words = self.words.index_select(&Tensor::new(ids, &Device::Cpu)?, 0)?;
        let last_kind = self.config.type_vocab_size.min(2) as u32 - 1;
        let kinds: Vec<u32> = (0..n_tokens).map(|at| if at < n_first { 0 } else { last_kind }).collect();
        let kinds = self.kinds.index_select(&Tensor::new(kinds, &Device::Cpu)?, 0)?;
        let mut states = self.norm.forward(&words.add(&places)?.add(&kinds)?)?;
        for block in &self.blocks {
            states = block.forward(&states, &self.config)?;
        }
        Ok(states.flatten_all()?.to_vec1()?)
    }
}

impl Block {
    fn forward(&self, states: &Tensor, config: &BertConfig) -> Result<Tensor, EmbedError> {
        let (n_tokens, hidden) = states.dims2()?;
        let (heads, size) = (config.num_attention_heads, config.head_size());
        let by_head =
            |layer: &Linear| layer.forward(states)?.reshape((n_tokens, heads, size))?.transpose(0, 1)?.contiguous();
        let (queries, keys, values) = (by_head(&self.query)?, by_head(&self.key)?, by_head(&self.value)?);
        let scores = (queries.matmul(&keys.transpose(D::Minus2, D::Minus1)?.contiguous()?)? / (size as f64).sqrt())?;
        let mixed = softmax_last_dim(&scores)?.matmul(&values)?.transpose(0, 1)?.reshape((n_tokens, hidden))?;
        let states = self.mixed_norm.forward(&states.add(&self.mixed.forward(&mixed)?)?)?;
        let wide = self.up.forward(&states)?.gelu_erf()?;
        Ok(self.norm.forward(&states.add(&self.down.forward(&wide)?)?)?)
    }
}

impl Encoder for CandleBert {
    fn encode(&self, tokens: &Tokens) -> Result<States, EmbedError> {
        let mut values = Vec::with_capacity(tokens.ids().len() * self.config.hidden_size);
        for (text, second) in tokens.texts().zip(tokens.seconds()).filter(|(text, _)| !text.is_empty()) {
            let n_first = second - text.start;
            let ids = &tokens.ids()[text];
            if let Some(token) = ids.iter().find(|id| **id as usize >= self.config.vocab_size) {
                return Err(EmbedError::UnknownToken { token: *token, vocabulary: self.config.vocab_size });
            }
            if ids.len() > self.config.max_position_embeddings {
                let max_tokens = self.config.max_position_embeddings;
                return Err(EmbedError::TooLong { n_tokens: ids.len(), max_tokens });
            }
            values.extend(self.text(ids, n_first)?);
        }
        Ok(States { values, dims: self.config.hidden_size })
    }
}
