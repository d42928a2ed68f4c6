//! Why a text has no vector.

/// What can go wrong between a model's files and a vector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// A file of the model is not what it should be.
    #[error("The file {file} of the embedding model cannot be read: {detail}. Fetch the model again.")]
    Malformed {
        /// Which of its files.
        file: &'static str,
        /// What is wrong with it.
        detail: String,
    },
    /// The network is of a kind that is not built in.
    #[error("The embedding model cannot be used: {0}. Choose another model.")]
    Unsupported(String),
    /// A token that the model's vocabulary lacks: tokenizer and weights are of two models.
    #[error(
        "Token {token} is not in the model's vocabulary of {vocabulary}: tokenizer and weights do not belong together. Fetch the model again."
    )]
    UnknownToken {
        /// The token.
        token: u32,
        /// How many the model knows.
        vocabulary: usize,
    },
    /// More tokens in one text than the model has places for.
    #[error("A text of {n_tokens} tokens is longer than the {max_tokens} that the embedding model takes.")]
    TooLong {
        /// Of the text.
        n_tokens: usize,
        /// Of the model.
        max_tokens: usize,
    },
    /// The text cannot be cut into tokens.
    #[error("A text could not be cut into tokens: {0}.")]
    Tokenizer(String),
    /// The prescribed arithmetic failed; only the `f32` form says so.
    #[error("The embedding model could not be computed: {0}.")]
    Arithmetic(String),
    /// `Progress` asked to stop.
    #[error("Embedding was stopped.")]
    Stopped,
}

impl EmbedError {
    pub(super) fn weights(detail: impl Into<String>) -> Self {
        Self::Malformed { file: "of weights", detail: detail.into() }
    }
}
