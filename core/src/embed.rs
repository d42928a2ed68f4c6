//! Sentence vectors: the way from a text to a point whose neighbours mean the same.
//!
//! ```text
//! text ─ tokenizer ► tokens ─ int8::embed ► states ─ blocks (attention, feed-forward) ► states ─ pool ► vector
//! ```
//!
//! Reading order: [`Tokens`] is a batch, [`Encoder`] what any network does with one, [`Int8Bert`] the network that ships,
//! over vector [`Instructions`] and the functions of `math`, in an arithmetic that gives the same bits in a tab
//! and natively; `CandleBert` (cargo feature `embed-reference`) is the same network in `f32` over candle, which the 8-bit one
//! is measured against;
//! [`pool`] makes one vector of a text's states. [`Weights`] are what networks are made of: a `model.safetensors`, or the
//! multilingual model's own file ([`PackedE5`]), read piece by piece from a [`Source`]. [`Embedder`] is all of it as one.
//! [`CrossEncoder`] is the same network under another head: it reads a question and a passage together, and reranks.
//!
//! Not for fetching models, and not for keeping or searching vectors.

#[cfg(feature = "embed-reference")]
mod candle_bert;
mod config;
mod cross_encoder;
mod embedder;
mod error;
mod int8;
mod kernel;
mod load;
mod math;
mod packed_e5;
mod pool;
mod source;
mod tokenizer;
mod tokens;
mod weights;

#[cfg(feature = "embed-reference")]
pub use candle_bert::CandleBert;
pub use config::BertConfig;
pub use cross_encoder::CrossEncoder;
pub use embedder::{E5_SMALL, Embedder, MINILM, Recipe};
pub use error::EmbedError;
pub use int8::Int8Bert;
pub use kernel::Instructions;
pub use packed_e5::PackedE5;
pub use pool::{States, pool};
pub use source::Source;
pub use tokenizer::Tokenizer;
pub use tokens::Tokens;
pub use weights::{SafetensorsWeights, Weights};

/// A network that gives every token of a batch its state.
pub trait Encoder {
    /// The states of all tokens, in their order. Texts do not see one another: a text has the same states in any batch.
    ///
    /// # Errors
    /// [`EmbedError`] for tokens that the network does not know, and texts that are too long for it.
    fn encode(&self, tokens: &Tokens) -> Result<States, EmbedError>;
}
