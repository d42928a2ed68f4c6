//! The port to a language model: messages in, pieces of text out, stopped when told. Its null form has no model.
//!
//! Not for prompts or for checking what was written: that is the answer's work. Whoever implements it bounds the work
//! itself and ends degenerate text with a [`Finish`] that says so.

use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What the model is to do.
    System,
    /// The question and its evidence.
    User,
    /// What the model said before.
    Assistant,
}

impl Role {
    /// Its name in chat templates and in the OpenAI interface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// One message of a chat. Its text is data all through: nothing in it ever becomes a control token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
}

impl Message {
    /// A message of `role`.
    #[must_use]
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into() }
    }
}

/// What text is wanted for, which bounds its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A question in other words.
    Rewrite,
    /// A question in parts.
    Split,
    /// An answer.
    Answer,
}

impl Task {
    /// The most tokens that it may have.
    #[must_use]
    pub fn max_tokens(self) -> u32 {
        match self {
            Self::Rewrite => 120,
            Self::Split => 160,
            Self::Answer => 512,
        }
    }
}

/// What is to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The chat so far; the model writes the assistant's next message.
    pub messages: Vec<Message>,
    /// The most tokens to write.
    pub max_tokens: u32,
    /// 0 takes the likeliest token each time: the same messages give the same text.
    pub temperature: f32,
    /// Of the random choices, where `temperature` leaves any.
    pub seed: u32,
    /// A JSON schema that the text must follow, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Texts before which it ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
}

impl Generation {
    /// A text for `task`, the likeliest one.
    #[must_use]
    pub fn new(task: Task, messages: Vec<Message>) -> Self {
        Self { messages, max_tokens: task.max_tokens(), temperature: 0.0, seed: 0, schema: None, stop: Vec::new() }
    }
}

/// Why a text ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done, or came to one of the stops.
    Ended,
    /// The tokens were used up.
    Length,
    /// Whoever asked said stop.
    Stopped,
    /// The model said the same over and over and was stopped.
    Repeating,
}

/// What a text took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the messages with their template.
    pub prompt_tokens: u32,
    /// Of these, how many were still known from the last call.
    pub reused_tokens: u32,
    /// Tokens written.
    pub generated_tokens: u32,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// All pieces in one.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// What it took; zeros where the server does not say.
    pub usage: Usage,
}

/// Why nothing, or not all, was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GenerateError {
    /// There is no model.
    #[error("there is no language model here")]
    Absent,
    /// The model is not ready, or has failed.
    #[error("the language model is not ready: {state}")]
    NotReady {
        /// What it is doing.
        state: GeneratorState,
    },
    /// Others are waiting already, and no more may.
    #[error("the language model has as much to do as it may be given; ask again in a moment")]
    Busy,
    /// The messages do not fit: leave some out.
    #[error("the messages have {prompt_tokens} tokens, and the language model takes {context_tokens} with its answer")]
    TooLong {
        /// Tokens of the messages.
        prompt_tokens: u32,
        /// Tokens that the model takes, messages and answer together.
        context_tokens: u32,
    },
    /// The request makes no sense.
    #[error("the language model cannot be asked this: {why}")]
    Invalid {
        /// What is wrong with it.
        why: String,
    },
    /// The model's process or server ended in the middle.
    #[error("the language model stopped in the middle: {why}")]
    Crashed {
        /// How, as far as is known.
        why: String,
    },
    /// Another program's server cannot be reached, or refuses.
    #[error("{address} does not write: {why}")]
    Unreachable {
        /// Which server.
        address: String,
        /// What it said.
        why: String,
    },
}

/// What a model is doing, so that nobody takes warming up for dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum GeneratorState {
    /// No model was named.
    Absent,
    /// It is read from the disk.
    Loading {
        /// How much of it, of a hundred.
        percent: u8,
    },
    /// It writes its first token for nobody.
    Warming,
    /// It can be asked.
    Ready,
    /// It cannot be used.
    Failed {
        /// Why, and what to do.
        error: String,
    },
}

impl std::fmt::Display for GeneratorState {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Absent => out.write_str("absent"),
            Self::Loading { percent } => write!(out, "loading {percent} %"),
            Self::Warming => out.write_str("warming"),
            Self::Ready => out.write_str("ready"),
            Self::Failed { error } => write!(out, "failed: {error}"),
        }
    }
}

/// Where a model runs, which decides whether excerpts leave the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum Place {
    /// On this machine.
    Here,
    /// Elsewhere: what is asked, with the selected excerpts, is sent there.
    Hosted {
        /// Which host.
        host: String,
    },
}

/// What is known of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorStatus {
    /// What it is doing.
    #[serde(flatten)]
    pub state: GeneratorState,
    /// Its name, where one is known.
    pub model: Option<String>,
    /// Where it runs.
    #[serde(flatten)]
    pub place: Place,
    /// Tokens that it takes, messages and answer together, where known.
    pub context_tokens: Option<u32>,
    /// How often it was started again after a crash, and why the last time.
    pub restarts: u32,
    /// Why it was started again the last time.
    pub last_crash: Option<String>,
}

impl GeneratorStatus {
    /// No model.
    #[must_use]
    pub fn absent() -> Self {
        Self {
            state: GeneratorState::Absent,
            model: None,
            place: Place::Here,
            context_tokens: None,
            restarts: 0,
            last_crash: None,
        }
    }
}

/// A language model. Futures need not be `Send`, as with [`super::Storage`].
#[expect(async_fn_in_trait, reason = "single-threaded by design, like the other ports")]
pub trait Generator {
    /// What it is doing now; changes by itself.
    fn status(&self) -> GeneratorStatus;

    /// Writes. `on_piece` hears every piece as it comes and may stop the writing, after which no further piece comes.
    ///
    /// # Errors
    /// [`GenerateError`]; pieces that were heard before stand.
    async fn generate(
        &self,
        generation: &Generation,
        on_piece: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generated, GenerateError>;
}

/// There is no model.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoGenerator;

impl Generator for NoGenerator {
    fn status(&self) -> GeneratorStatus {
        GeneratorStatus::absent()
    }

    async fn generate(
        &self,
        _generation: &Generation,
        _on_piece: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generated, GenerateError> {
        Err(GenerateError::Absent)
    }
}

impl<G: Generator> Generator for &G {
    fn status(&self) -> GeneratorStatus {
        (**self).status()
    }

    async fn generate(
        &self,
        generation: &Generation,
        on_piece: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generated, GenerateError> {
        (**self).generate(generation, on_piece).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::now;

    #[test]
    fn states_read_well_and_go_over_the_wire() {
        let state = GeneratorState::Loading { percent: 43 };
        assert_eq!(state.to_string(), "loading 43 %");
        let status =
            GeneratorStatus { state, place: Place::Hosted { host: "gpu.example".into() }, ..GeneratorStatus::absent() };
        let json = serde_json::to_value(&status).unwrap();
        assert_eq!(
            (&json["state"], &json["percent"], &json["place"]),
            (&"loading".into(), &43.into(), &"hosted".into())
        );
        assert_eq!(serde_json::from_value::<GeneratorStatus>(json).unwrap(), status);
    }

    #[test]
    fn without_a_model_nothing_is_written() {
        let generation = Generation::new(Task::Answer, vec![Message::new(Role::User, "Why?")]);
        let mut on_piece = |_: &str| ControlFlow::Continue(());
        let written = now(NoGenerator.generate(&generation, &mut on_piece));
        assert_eq!(written, Err(GenerateError::Absent));
        assert_eq!(NoGenerator.status().state, GeneratorState::Absent);
    }
}
