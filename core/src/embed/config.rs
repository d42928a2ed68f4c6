//! The measures of a BERT, from its `config.json` or the head of a packed file.

use super::EmbedError;
use serde::Deserialize;

/// What the lanes of the arithmetic divide every width into.
pub(super) const LANES: usize = 16;
/// Bounds on what a file may claim, well above any encoder that a tab could run.
const MAX_WIDTH: usize = 1 << 13;
const MAX_LAYERS: usize = 64;
const MAX_ROWS: usize = 1 << 20;

/// The measures of a BERT.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct BertConfig {
    /// Numbers per token, and of the vector.
    pub hidden_size: usize,
    /// Numbers per token between the two halves of a block's second part.
    pub intermediate_size: usize,
    /// Blocks.
    pub num_hidden_layers: usize,
    /// Heads of attention in a block.
    pub num_attention_heads: usize,
    /// Tokens that the model knows.
    pub vocab_size: usize,
    /// The most tokens of one text.
    pub max_position_embeddings: usize,
    /// What keeps the normalisation from dividing by nothing.
    pub layer_norm_eps: f32,
    /// Kinds of text; the encoders here use the first alone.
    #[serde(default = "one")]
    pub type_vocab_size: usize,
    /// The function between the halves of a block's second part.
    #[serde(default = "gelu")]
    pub hidden_act: String,
    /// How places are told.
    #[serde(default = "absolute")]
    pub position_embedding_type: String,
}

fn one() -> usize {
    1
}

fn gelu() -> String {
    "gelu".to_owned()
}

fn absolute() -> String {
    "absolute".to_owned()
}

impl BertConfig {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// [`EmbedError::Malformed`], and those of [`checked`](Self::checked).
    pub fn from_json(json: &[u8]) -> Result<Self, EmbedError> {
        serde_json::from_slice::<Self>(json)
            .map_err(|error| EmbedError::Malformed { file: "config.json", detail: error.to_string() })?
            .checked()
    }

    /// Itself, where the arithmetic here can do it.
    ///
    /// # Errors
    /// [`EmbedError::Unsupported`].
    pub fn checked(self) -> Result<Self, EmbedError> {
        let unsupported = |what: String| Err(EmbedError::Unsupported(what));
        if self.hidden_act != "gelu" || self.position_embedding_type != "absolute" {
            return unsupported(format!("it is no plain BERT ({}, {})", self.hidden_act, self.position_embedding_type));
        }
        let width_fits = |width: usize| width > 0 && width <= MAX_WIDTH && width.is_multiple_of(LANES);
        let heads_fit = self.num_attention_heads > 0
            && self.hidden_size.is_multiple_of(self.num_attention_heads)
            && width_fits(self.hidden_size / self.num_attention_heads);
        if !width_fits(self.hidden_size) || !width_fits(self.intermediate_size) || !heads_fit {
            return unsupported(format!("its widths are no multiples of {LANES}, or too large"));
        }
        let rows = [self.vocab_size, self.max_position_embeddings, self.type_vocab_size];
        if self.num_hidden_layers > MAX_LAYERS || rows.iter().any(|n| *n == 0 || *n > MAX_ROWS) {
            return unsupported("it claims to be larger than any encoder that runs here".to_owned());
        }
        if !(self.layer_norm_eps >= 0.0 && self.layer_norm_eps < 1.0) {
            return unsupported(format!("its normalisation adds {}", self.layer_norm_eps));
        }
        Ok(self)
    }

    /// Numbers per token in one head.
    pub(super) fn head_size(&self) -> usize {
        self.hidden_size / self.num_attention_heads
    }
}
