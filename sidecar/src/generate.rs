//! Text from a language model, which is a writer under supervision: its process may crash, fall silent or go in circles, and
//! nothing else stops. Where no model is, everything but generated answers works.
//!
//! Reading order: [`wire`] is what server and child say to each other, [`worker`] the child's side over any [`worker::Engine`],
//! `llama` the engine that stands on llama.cpp (cargo feature `generate`), [`supervisor`] keeps the child, [`remote`] asks another
//! program's server instead, [`stream`] is a text on its way out of either, [`files`] the models that can be loaded by name,
//! [`choice`] what the command line says of all this.
//! Not for prompts, and not for judging what was written: that is the core's.

pub mod child;
pub mod choice;
pub mod files;
#[cfg(any(test, feature = "generate"))]
mod layers;
#[cfg(any(test, feature = "generate"))]
mod letters;
#[cfg(feature = "generate")]
mod llama;
#[cfg(any(test, feature = "generate"))]
mod prompt;
pub mod remote;
mod repetition;
pub mod stream;
pub mod supervisor;
pub mod wire;
pub mod worker;

use files::Files;
use millwright_core::host::generator::{Finish, GenerateError, Generated, Generation, Generator, GeneratorStatus};
use remote::Remote;
use std::{ops::ControlFlow, path::Path};
use stream::{Piece, Stream};
use supervisor::{ChildCommand, Supervisor};

/// How the child for a model file is started, or why it cannot be.
pub type Launch = Box<dyn Fn(&Path) -> Result<ChildCommand, String> + Send + Sync>;

/// Whoever writes: a child of this program, or another program's server.
#[derive(Debug)]
pub enum Writer {
    /// Models of this machine, one at a time in a child.
    Local(Local),
    /// Another program's server.
    Remote(Remote),
}

/// The models of this machine.
pub struct Local {
    supervisor: Supervisor,
    files: Files,
    launch: Launch,
}

impl std::fmt::Debug for Local {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Local")
            .field("supervisor", &self.supervisor)
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

impl Local {
    /// No model yet; `files` can be loaded.
    #[must_use]
    pub fn new(files: Files, launch: Launch) -> Self {
        Self { supervisor: Supervisor::default(), files, launch }
    }

    /// What the model is doing.
    #[must_use]
    pub fn status(&self) -> GeneratorStatus {
        self.supervisor.status()
    }

    /// Has a text written.
    ///
    /// # Errors
    /// Those of [`Supervisor::start`].
    pub fn start(&self, generation: &Generation) -> Result<Stream, GenerateError> {
        self.supervisor.start(generation)
    }

    /// The models that can be loaded.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.files.names()
    }

    /// Loads a model in place of the one that is there; whether there is one of this name.
    pub fn load(&self, name: &str) -> bool {
        let Some(path) = self.files.path(name) else { return false };
        match (self.launch)(&path) {
            Ok(command) => self.supervisor.load(name, command),
            Err(error) => self.supervisor.fail(name, error),
        }
        true
    }

    /// Ends the model's process and gives its memory back.
    pub fn unload(&self) {
        self.supervisor.unload();
    }
}

impl Writer {
    /// Has a text written.
    ///
    /// # Errors
    /// Why it is not even begun. What goes wrong later comes in the stream.
    pub fn start(&self, generation: &Generation) -> Result<Stream, GenerateError> {
        match self {
            Self::Local(local) => local.start(generation),
            Self::Remote(remote) => remote.start(generation),
        }
    }
}

impl Generator for Writer {
    fn status(&self) -> GeneratorStatus {
        match self {
            Self::Local(local) => local.status(),
            Self::Remote(remote) => remote.status(),
        }
    }

    async fn generate(
        &self,
        generation: &Generation,
        on_piece: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generated, GenerateError> {
        let mut stream = self.start(generation)?;
        let mut text = String::new();
        while let Some(piece) = stream.next().await {
            match piece {
                Piece::Read { .. } => {}
                Piece::Text(piece) => {
                    text.push_str(&piece);
                    if on_piece(&piece).is_break() {
                        return Ok(Generated { text, finish: Finish::Stopped, usage: stream.usage() });
                    }
                }
                Piece::Done { finish, usage } => return Ok(Generated { text, finish, usage }),
                Piece::Failed(error) => return Err(error),
            }
        }
        Err(GenerateError::Crashed { why: "it ended without a word".to_owned() })
    }
}
