//! Which model writes, as the command line says it. Not for starting it.

use super::{Local, Writer, child, files::Files, remote::Remote};
use crate::models::models_dir;
use std::path::PathBuf;

/// The variable of the environment with another server's key: what stands on a command line other users may see.
pub const KEY_VARIABLE: &str = "MILLWRIGHT_GENERATOR_KEY";

/// Which model writes.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Choice {
    /// The language model, a GGUF file. Without one, answers are quoted from the documents.
    #[arg(long, value_name = "PATH.gguf", conflicts_with = "generator")]
    pub model: Option<PathBuf>,
    /// Another program's server that writes (OpenAI-compatible: llama-server, Ollama, vLLM, …). If it is not on this machine,
    /// questions and the excerpts that were selected for them are sent there. Its key is taken from MILLWRIGHT_GENERATOR_KEY.
    #[arg(long, value_name = "URL")]
    pub generator: Option<String>,
    /// The model to ask that server for [default: its first].
    #[arg(long, value_name = "NAME", requires = "generator")]
    pub generator_model: Option<String>,
    /// How much room the language model is given.
    #[command(flatten)]
    pub room: Room,
}

/// How much of the machine a model is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub struct Room {
    /// Tokens that the language model takes, question, evidence and answer together [default: 4096, or fewer if it knows fewer].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(512..=1_048_576))]
    pub context_tokens: Option<u32>,
    /// Threads that the language model works with [default: one a core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    pub threads: Option<u32>,
    /// Layers of the language model to put on the graphics card [default: as many as its free memory takes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub gpu_layers: Option<u32>,
}

impl Choice {
    /// Whoever writes, beginning to load. `key` is another server's.
    ///
    /// # Errors
    /// In words, where the choice makes no sense.
    pub fn writer(&self, key: Option<String>) -> Result<Writer, String> {
        if let Some(address) = &self.generator {
            return Remote::connect(address, self.generator_model.as_deref(), key).map(Writer::Remote);
        }
        if let Some(model) = self.model.as_ref().filter(|model| !model.is_file()) {
            return Err(format!("There is no file {}. Give the path of a GGUF file with --model.", model.display()));
        }
        let files = Files::new(self.model.clone(), models_dir(None));
        let named = files.named();
        let room = self.room;
        let local = Local::new(files, Box::new(move |model| child::command(model, room)));
        if let Some(name) = named {
            local.load(&name);
        }
        Ok(Writer::Local(local))
    }
}
