//! A whole model: texts in, vectors out, with the words that the model wants before them and the name that an index
//! keeps of it.

use super::{BertConfig, EmbedError, Encoder, Instructions, Int8Bert, Tokenizer, Tokens, Weights, pool};
use crate::{host::Progress, models::ModelIdentity};

/// Goes up when the same model gives other vectors than before.
const ARITHMETIC: u32 = 1;
/// The most tokens that go through the network together. More make no product faster, and what is between the layers
/// would leave the nearer caches.
const BATCH_TOKENS: usize = 512;

/// How a model wants its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The model's name, the same as in `pkg/models.toml`.
    pub id: &'static str,
    /// What stands before a question.
    pub query_prefix: &'static str,
    /// What stands before a passage.
    pub passage_prefix: &'static str,
    /// The most tokens of one text.
    pub max_tokens: usize,
}

/// all-MiniLM-L6-v2: English, trained on 256 tokens.
pub const MINILM: Recipe = Recipe { id: "minilm", query_prefix: "", passage_prefix: "", max_tokens: 256 };
/// multilingual-e5-small: a hundred languages; without its prefixes its vectors are much worse.
pub const E5_SMALL: Recipe =
    Recipe { id: "e5-small", query_prefix: "query: ", passage_prefix: "passage: ", max_tokens: 512 };

/// A model that is ready.
#[derive(Debug)]
pub struct Embedder<E = Int8Bert> {
    encoder: E,
    tokenizer: Tokenizer,
    identity: ModelIdentity,
}

impl Embedder {
    /// Makes the 8-bit encoder of `weights`, whose file has the hash `sha256`, for the fastest instructions there are.
    ///
    /// # Errors
    /// [`EmbedError`] when weights and measures do not fit one another.
    pub fn new(
        recipe: Recipe,
        sha256: &str,
        weights: &dyn Weights,
        config: BertConfig,
        tokenizer: Tokenizer,
    ) -> Result<Self, EmbedError> {
        let dims = config.hidden_size;
        let encoder = Int8Bert::new(weights, config, Instructions::best())?;
        Ok(Self::over(encoder, dims, recipe, sha256, tokenizer))
    }
}

impl<E: Encoder> Embedder<E> {
    /// Takes an encoder of vectors of `dims` numbers as it is.
    #[must_use]
    pub fn over(encoder: E, dims: usize, recipe: Recipe, sha256: &str, tokenizer: Tokenizer) -> Self {
        let identity = ModelIdentity {
            id: recipe.id.to_owned(),
            sha256: sha256.to_owned(),
            dims,
            query_prefix: recipe.query_prefix.to_owned(),
            passage_prefix: recipe.passage_prefix.to_owned(),
            arithmetic: ARITHMETIC,
        };
        Self { encoder, tokenizer, identity }
    }

    /// What an index keeps to know whose vectors it has.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// The vector of a question, of length one.
    ///
    /// # Errors
    /// [`EmbedError`] when tokenizer and weights do not belong together.
    pub fn embed_query(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut tokens = Tokens::default();
        tokens.push(&self.tokenizer.tokens(&self.identity.query_prefix, text)?);
        Ok(self.vectors(&tokens)?.pop().unwrap_or_default())
    }

    /// The vectors of passages, in their order. `progress` hears after every few how many are done; a caller that wants
    /// to keep what is done when it is stopped gives a few dozen at a time.
    ///
    /// # Errors
    /// As [`embed_query`](Self::embed_query), and [`EmbedError::Stopped`] when `progress` says so.
    pub fn embed_passages(&self, texts: &[&str], progress: &mut dyn Progress) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        let mut batch = Tokens::default();
        for text in texts {
            let tokens = self.tokenizer.tokens(&self.identity.passage_prefix, text)?;
            if batch.n_texts() > 0 && batch.ids().len() + tokens.len() > BATCH_TOKENS {
                vectors.append(&mut self.vectors(&batch)?);
                batch = Tokens::default();
                let counted = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                if progress.report(counted(vectors.len()), counted(texts.len())).is_break() {
                    return Err(EmbedError::Stopped);
                }
            }
            batch.push(&tokens);
        }
        vectors.append(&mut self.vectors(&batch)?);
        Ok(vectors)
    }

    fn vectors(&self, tokens: &Tokens) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(pool(&self.encoder.encode(tokens)?, tokens))
    }
}
