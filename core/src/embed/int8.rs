//! The encoder that ships: BERT with 8-bit products, the same vector to the bit in a tab and natively.
//!
//! The way of a batch, which is the order of the functions here: word rows and places are added up and normalised
//! (`embed`); every block looks from each token at all others of its text ([`attention`]) and then at each token alone
//! (`Block::feed_forward`), in [`linear`] layers whose activations are made 8-bit row by row on the way in ([`quantise`]).
//! All texts of a batch go through the layers as one list of tokens; only attention knows where one ends.

mod attention;
mod linear;
mod quantise;
mod table;

use super::{BertConfig, EmbedError, Encoder, Instructions, States, Tokens, math, weights::Weights};
use attention::Attention;
use linear::Linear;
use quantise::Quantised;
use table::Table;

/// A BERT in 8-bit numbers.
#[derive(Debug)]
pub struct Int8Bert {
    config: BertConfig,
    instructions: Instructions,
    words: Table,
    /// A row for each place, with the row of the first kind of text added.
    places: Vec<f32>,
    /// By how much a token of the second kind of text differs from one of the first; empty where the network knows one kind.
    second_kind: Vec<f32>,
    norm: Norm,
    blocks: Vec<Block>,
}

#[derive(Debug)]
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    eps: f32,
}

impl Norm {
    fn load(weights: &dyn Weights, name: &str, config: &BertConfig) -> Result<Self, EmbedError> {
        Ok(Self {
            weight: weights.vector(&format!("{name}.LayerNorm.weight"), config.hidden_size)?,
            bias: weights.vector(&format!("{name}.LayerNorm.bias"), config.hidden_size)?,
            eps: config.layer_norm_eps,
        })
    }

    fn apply(&self, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(self.weight.len()) {
            math::layer_norm(row, &self.weight, &self.bias, self.eps);
        }
    }

    /// How far each number of a normalised row goes, about: three standard deviations from its mean.
    fn reach(&self) -> Vec<f32> {
        self.weight.iter().zip(&self.bias).map(|(weight, bias)| 3.0 * weight.abs() + bias.abs()).collect()
    }
}

#[derive(Debug)]
struct Block {
    /// Queries, keys and values side by side.
    projections: Linear,
    mixed: Linear,
    mixed_norm: Norm,
    up: Linear,
    down: Linear,
    norm: Norm,
}

impl Int8Bert {
    /// Makes the weights 8-bit and packs them for `instructions`, or for plain ones where the machine lacks those. Once it is done, `weights` can be dropped.
    ///
    /// # Errors
    /// [`EmbedError`] where a tensor is missing, has another shape, or the sizes are beyond what runs here.
    pub fn new(weights: &dyn Weights, config: BertConfig, instructions: Instructions) -> Result<Self, EmbedError> {
        let config = config.checked()?;
        // The kernels rely on it: what the machine lacks must never be packed for.
        let is_there = Instructions::available().contains(&instructions);
        let instructions = if is_there { instructions } else { Instructions::Portable };
        let hidden = config.hidden_size;
        let mut places =
            weights.matrix("embeddings.position_embeddings.weight", [config.max_position_embeddings, hidden])?;
        let n_kinds = config.type_vocab_size.min(2);
        let mut first_kind = Vec::with_capacity(n_kinds * hidden);
        let kinds = [config.type_vocab_size, hidden];
        weights.rows("embeddings.token_type_embeddings.weight", kinds, 0..n_kinds, &mut first_kind)?;
        let mut second_kind = first_kind.split_off(hidden);
        second_kind.iter_mut().zip(&first_kind).for_each(|(second, first)| *second -= first);
        for row in places.chunks_exact_mut(hidden) {
            row.iter_mut().zip(&first_kind).for_each(|(place, kind)| *place += kind);
        }
        let words = Table::load(weights, "embeddings.word_embeddings.weight", [config.vocab_size, hidden])?;
        let norm = Norm::load(weights, "embeddings", &config)?;
        let mut blocks = Vec::with_capacity(config.num_hidden_layers);
        for layer in 0..config.num_hidden_layers {
            let input_norm = blocks.last().map_or(&norm, |block: &Block| &block.norm);
            blocks.push(Block::load(weights, layer, &config, input_norm, instructions)?);
        }
        Ok(Self { config, instructions, words, places, second_kind, norm, blocks })
    }

    /// The instructions it was packed for.
    #[must_use]
    pub fn instructions(&self) -> Instructions {
        self.instructions
    }

    fn embed(&self, tokens: &Tokens) -> Result<Vec<f32>, EmbedError> {
        let hidden = self.config.hidden_size;
        let mut states = vec![0.0; tokens.ids().len() * hidden];
        let mut rows = states.chunks_exact_mut(hidden);
        for (text, second) in tokens.texts().zip(tokens.seconds()) {
            if text.len() > self.config.max_position_embeddings {
                let max_tokens = self.config.max_position_embeddings;
                return Err(EmbedError::TooLong { n_tokens: text.len(), max_tokens });
            }
            let places = self.places.chunks_exact(hidden);
            for ((at, place), row) in text.zip(places).zip(&mut rows) {
                let token = tokens.ids()[at];
                self.words.row(token, row).ok_or(EmbedError::UnknownToken { token, vocabulary: self.words.len() })?;
                row.iter_mut().zip(place).for_each(|(state, place)| *state += place);
                if at >= second {
                    row.iter_mut().zip(&self.second_kind).for_each(|(state, kind)| *state += kind);
                }
            }
        }
        self.norm.apply(&mut states);
        Ok(states)
    }
}

impl Encoder for Int8Bert {
    fn encode(&self, tokens: &Tokens) -> Result<States, EmbedError> {
        let mut states = self.embed(tokens)?;
        let mut scratch = Scratch::default();
        for block in &self.blocks {
            block.attend(&mut states, tokens, &self.config, &mut scratch);
            block.feed_forward(&mut states, &mut scratch);
        }
        Ok(States { values: states, dims: self.config.hidden_size })
    }
}

/// What blocks write over one after the other.
#[derive(Default)]
struct Scratch {
    quantised: Quantised,
    wide: Vec<f32>,
    narrow: Vec<f32>,
    attention: Attention,
}

impl Block {
    fn load(
        weights: &dyn Weights,
        layer: usize,
        config: &BertConfig,
        input: &Norm,
        instructions: Instructions,
    ) -> Result<Self, EmbedError> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{layer}.{part}");
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        let mixed_norm = Norm::load(weights, &name("attention.output"), config)?;
        let reach = input.reach();
        Ok(Self {
            projections: Linear::load(weights, &projections, [hidden, hidden], Some(&reach), instructions)?,
            mixed: Linear::load(weights, &[name("attention.output.dense")], [hidden, hidden], None, instructions)?,
            up: Linear::load(
                weights,
                &[name("intermediate.dense")],
                [wide, hidden],
                Some(&mixed_norm.reach()),
                instructions,
            )?,
            down: Linear::load(weights, &[name("output.dense")], [hidden, wide], None, instructions)?,
            mixed_norm,
            norm: Norm::load(weights, &name("output"), config)?,
        })
    }

    fn attend(&self, states: &mut [f32], tokens: &Tokens, config: &BertConfig, scratch: &mut Scratch) {
        let Scratch { quantised, wide, narrow, attention } = scratch;
        self.projections.apply(states, quantised, wide);
        attention.mix(wide, tokens, config, narrow);
        // `wide` is free again, and long enough for what comes out.
        self.mixed.apply(narrow, quantised, wide);
        states.iter_mut().zip(&*wide).for_each(|(state, change)| *state += change);
        self.mixed_norm.apply(states);
    }

    fn feed_forward(&self, states: &mut [f32], scratch: &mut Scratch) {
        let Scratch { quantised, wide, narrow, .. } = scratch;
        self.up.apply(states, quantised, wide);
        math::gelu(wide);
        self.down.apply(wide, quantised, narrow);
        states.iter_mut().zip(&*narrow).for_each(|(state, change)| *state += change);
        self.norm.apply(states);
    }
}
