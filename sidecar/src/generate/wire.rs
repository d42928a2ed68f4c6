//! What the server and the child that holds the model say to each other: one line of JSON a message, orders into the child's
//! standard input, reports out of its standard output. Not for what other programs see: that is HTTP.

use millwright_core::host::generator::{Finish, GenerateError, Generation, Usage};
use serde::{Deserialize, Serialize};

/// Texts that may be under way at a time: one is written, the others wait. A waiting person gives up sooner than an
/// eighth place comes to its turn.
pub const MAX_JOBS: usize = 8;

/// To the child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum Order {
    /// Write this.
    Generate {
        /// Names it in every report.
        id: u64,
        /// What.
        generation: Generation,
    },
    /// Write no further piece of it, and take it out of the queue if it waits there.
    Cancel {
        /// Which.
        id: u64,
    },
}

/// From the child.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum Report {
    /// The model is read.
    Loading {
        /// How much of it, of a hundred.
        percent: u8,
    },
    /// It writes a token for nobody, so that the first person does not wait for it.
    Warming,
    /// It can be asked.
    Ready {
        /// What it is.
        about: About,
    },
    /// It cannot be loaded; the child ends.
    Failed {
        /// Why.
        error: String,
    },
    /// So much of the messages was read.
    Read {
        /// Of which text.
        id: u64,
        /// Tokens that are in the model's memory.
        done_tokens: u32,
        /// Tokens of all messages.
        total_tokens: u32,
    },
    /// A piece of text.
    Piece {
        /// Of which.
        id: u64,
        /// The piece.
        text: String,
    },
    /// The end of a text.
    Done {
        /// Of which.
        id: u64,
        /// Why.
        finish: Finish,
        /// What it took.
        usage: Usage,
    },
    /// The end of a text that failed; the child goes on.
    Refused {
        /// Of which.
        id: u64,
        /// Why.
        error: GenerateError,
    },
}

/// What a loaded model is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Tokens that it takes, messages and answer together.
    pub context_tokens: u32,
    /// Layers that are on a graphics card.
    pub gpu_layers: u32,
}
