//! llama.cpp as an [`Engine`]. All that touches it happens in one thread of a process of its own: it can end the process.
//!
//! The same messages give the same text, whatever was asked before: of the model's memory only whole slices of earlier
//! messages are kept, which are what a fresh start would compute, number for number. Not for deciding what is asked.

pub(super) mod bench;
mod sampling;

use super::{
    choice::Room,
    layers, letters, prompt,
    wire::About,
    worker::{Engine, Listener, OnPercent},
};
use llama_cpp_2::{
    LlamaBackendDeviceType,
    context::{LlamaContext, params::LlamaContextParams},
    gguf::GgufContext,
    list_llama_ggml_backend_devices,
    llama_backend::LlamaBackend,
    llama_batch::LlamaBatch,
    model::{LlamaChatMessage, LlamaChatTemplate, LlamaModel, params::LlamaModelParams},
    token::LlamaToken,
};
use llama_cpp_sys_2::{GGUF_TYPE_STRING, GGUF_TYPE_UINT32};
use millwright_core::host::generator::{Finish, GenerateError, Generation, Usage};
use std::{fs, num::NonZeroU32, path::Path, thread};

/// Tokens of the messages that are read between two looks at whether anybody still waits.
const SLICE_TOKENS: usize = 128;
/// Tokens of messages and answer together, unless told otherwise.
const CONTEXT_TOKENS: u32 = 4096;
/// There must be room for an answer of so many tokens.
const MIN_ANSWER_TOKENS: usize = 16;

/// A loaded model.
pub(super) struct Llama {
    model: &'static LlamaModel,
    context: LlamaContext<'static>,
    template: LlamaChatTemplate,
    about: About,
    /// What the model's memory has of the last messages, in whole slices.
    kept: Vec<LlamaToken>,
}

fn crashed(why: impl std::fmt::Display) -> GenerateError {
    GenerateError::Crashed { why: why.to_string() }
}

impl Llama {
    /// Loads a model. The process keeps it to its end.
    ///
    /// # Errors
    /// In words.
    pub(super) fn load(path: &Path, room: Room, mut on_percent: OnPercent) -> Result<Self, String> {
        let mut backend = LlamaBackend::init().map_err(|error| format!("llama.cpp does not start: {error}"))?;
        // It prints the whole model's description otherwise.
        backend.void_logs();
        let gpu_layers = room.gpu_layers.unwrap_or_else(|| layers_for(path, room));
        let params = LlamaModelParams::default().with_n_gpu_layers(gpu_layers).with_progress_callback(move |done| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
            on_percent((done.clamp(0.0, 1.0) * 100.0) as u8);
            true
        });
        let model = LlamaModel::load_from_file(&backend, path, &params).map_err(|_| {
            format!(
                "{} is no model that llama.cpp can load, or it is damaged. Get it again, or another one.",
                path.display()
            )
        })?;
        let model: &'static LlamaModel = Box::leak(Box::new(model));
        let backend: &'static LlamaBackend = Box::leak(Box::new(backend));
        let context_tokens = room.context_tokens.unwrap_or(CONTEXT_TOKENS).min(model.n_ctx_train().max(512));
        let n_threads = n_threads(room);
        let params = LlamaContextParams::default()
            .with_n_ctx(NonZeroU32::new(context_tokens))
            .with_n_batch(SLICE_TOKENS as u32)
            .with_n_ubatch(SLICE_TOKENS as u32)
            .with_n_threads(n_threads)
            .with_n_threads_batch(n_threads);
        let context = model.new_context(backend, params).map_err(|error| {
            format!("There is no room for {context_tokens} tokens ({error}). Take fewer with --context-tokens.")
        })?;
        let template = model.chat_template(None).or_else(|_| LlamaChatTemplate::new("chatml"));
        let template = template.map_err(|error| format!("Its chat template cannot be read: {error}"))?;
        let about = About { context_tokens: context.n_ctx(), gpu_layers };
        Ok(Self { model, context, template, about, kept: Vec::new() })
    }

    /// The tokens of the messages with their template. Only the template's own text can become control tokens.
    fn prompt(&self, generation: &Generation) -> Result<Vec<LlamaToken>, GenerateError> {
        let roles = generation.messages.iter().enumerate();
        let chat = roles
            .map(|(place, message)| LlamaChatMessage::new(message.role.name().to_owned(), prompt::placeholder(place)));
        let chat: Vec<LlamaChatMessage> = chat.collect::<Result<_, _>>().map_err(crashed)?;
        let chatml = LlamaChatTemplate::new("chatml").map_err(crashed)?;
        // Templates that llama.cpp does not know are taken for the commonest one.
        let rendered = self.model.apply_chat_template(&self.template, &chat, true);
        let rendered = rendered.or_else(|_| self.model.apply_chat_template(&chatml, &chat, true)).map_err(crashed)?;
        let parts = prompt::parts(&rendered, chat.len())
            .ok_or_else(|| GenerateError::Invalid { why: "its chat template leaves messages out".to_owned() })?;
        let vocabulary = self.model.vocab();
        let mut tokens = Vec::new();
        for (place, part) in parts.into_iter().enumerate() {
            match part {
                prompt::Part::Template(text) => {
                    tokens.extend(vocabulary.tokenize(text.as_bytes(), place == 0, true));
                }
                prompt::Part::Message(place) => {
                    let text = generation.messages.get(place).map_or("", |message| message.text.as_str());
                    tokens.extend(vocabulary.tokenize(text.as_bytes(), false, false));
                }
            }
        }
        Ok(tokens)
    }

    /// Reads the messages into the model's memory; how many tokens were still there. `None` where it was cancelled.
    fn read(
        &mut self,
        prompt: &[LlamaToken],
        batch: &mut LlamaBatch<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Option<usize>, GenerateError> {
        // The last token is read anew in any case: what follows it is asked of it.
        let same = self.kept.iter().zip(&prompt[..prompt.len() - 1]).take_while(|(kept, new)| kept == new).count();
        let mut reused = same / SLICE_TOKENS * SLICE_TOKENS;
        let beyond = u32::try_from(reused).map_err(crashed)?;
        if !self.context.clear_kv_cache_seq(Some(0), Some(beyond), None).map_err(crashed)? {
            // Some architectures have a memory that is all or nothing.
            self.context.clear_kv_cache();
            reused = 0;
        }
        self.kept.truncate(reused);
        let total = u32::try_from(prompt.len()).unwrap_or(u32::MAX);
        let mut done = reused;
        listener.read(u32::try_from(done).unwrap_or(u32::MAX), total);
        for slice in prompt[reused..].chunks(SLICE_TOKENS) {
            if listener.is_cancelled() {
                return Ok(None);
            }
            batch.clear();
            for &token in slice {
                let position = i32::try_from(done).map_err(crashed)?;
                done += 1;
                batch.add(token, position, &[0], done == prompt.len()).map_err(crashed)?;
            }
            self.context.decode(batch).map_err(crashed)?;
            if slice.len() == SLICE_TOKENS {
                self.kept.extend_from_slice(slice);
            }
            listener.read(u32::try_from(done).unwrap_or(u32::MAX), total);
        }
        Ok(Some(reused))
    }
}

impl Engine for Llama {
    fn about(&self) -> About {
        self.about.clone()
    }

    fn warm(&mut self) {
        let mut batch = LlamaBatch::new(1, 1);
        let token = self.model.vocab().eos();
        // What fails here fails again, with words, when somebody asks.
        let _ = batch.add(token, 0, &[0], true).is_ok() && self.context.decode(&mut batch).is_ok();
        self.context.clear_kv_cache();
    }

    fn generate(
        &mut self,
        generation: &Generation,
        listener: &mut dyn Listener,
    ) -> Result<(Finish, Usage), GenerateError> {
        let prompt = self.prompt(generation)?;
        let context_tokens = self.about.context_tokens as usize;
        if prompt.is_empty() || prompt.len() + MIN_ANSWER_TOKENS > context_tokens {
            let prompt_tokens = u32::try_from(prompt.len()).unwrap_or(u32::MAX);
            return Err(GenerateError::TooLong { prompt_tokens, context_tokens: self.about.context_tokens });
        }
        let mut sampler = sampling::sampler(self.model, generation)?;
        let mut batch = LlamaBatch::new(SLICE_TOKENS, 1);
        let mut usage = Usage { prompt_tokens: u32::try_from(prompt.len()).unwrap_or(u32::MAX), ..Usage::default() };
        let Some(reused) = self.read(&prompt, &mut batch, listener)? else { return Ok((Finish::Stopped, usage)) };
        usage.reused_tokens = u32::try_from(reused).unwrap_or(0);
        let room = u32::try_from(context_tokens - prompt.len()).unwrap_or(u32::MAX);
        let mut position = i32::try_from(prompt.len()).map_err(crashed)?;
        let mut letters = letters::Letters::default();
        let vocabulary = self.model.vocab();
        loop {
            if listener.is_cancelled() {
                return Ok((Finish::Stopped, usage));
            }
            // It accepts the token too: a second time would end the process.
            let token = sampler.sample(&self.context, batch.n_tokens() - 1);
            if vocabulary.is_eog(token) {
                listener.piece(&letters.rest());
                return Ok((Finish::Ended, usage));
            }
            usage.generated_tokens += 1;
            listener.piece(&letters.take(&vocabulary.token_to_piece(token, false, None)));
            if usage.generated_tokens >= generation.max_tokens.min(room) {
                listener.piece(&letters.rest());
                return Ok((Finish::Length, usage));
            }
            batch.clear();
            batch.add(token, position, &[0], true).map_err(crashed)?;
            position += 1;
            self.context.decode(&mut batch).map_err(crashed)?;
        }
    }
}

/// One a core, unless told otherwise.
fn n_threads(room: Room) -> i32 {
    let n_cores = || u32::try_from(thread::available_parallelism().ok()?.get()).ok();
    i32::try_from(room.threads.or_else(n_cores).unwrap_or(4)).unwrap_or(4)
}

/// As many layers as the graphics card's free memory takes; none where there is none.
fn layers_for(path: &Path, room: Room) -> u32 {
    let devices = list_llama_ggml_backend_devices();
    let cards = devices.iter().filter(|device| {
        matches!(device.device_type, LlamaBackendDeviceType::Gpu | LlamaBackendDeviceType::IntegratedGpu)
    });
    let Some(free_bytes) = cards.map(|card| card.memory_free as u64).max() else { return 0 };
    let file_bytes = fs::metadata(path).map_or(u64::MAX, |found| found.len());
    shape(path).map_or(0, |shape| {
        layers::that_fit(free_bytes, file_bytes, u64::from(room.context_tokens.unwrap_or(CONTEXT_TOKENS)), shape)
    })
}

/// What the file's head says of the model.
fn shape(path: &Path) -> Option<layers::Shape> {
    let head = GgufContext::from_file(path)?;
    // A value of another type than is asked for ends the process.
    let find = |key: &str, kind| Some(head.find_key(key)).filter(|&at| at >= 0 && head.kv_type(at) == kind);
    let architecture = head.val_str(find("general.architecture", GGUF_TYPE_STRING)?)?;
    let number =
        |name: &str| find(&format!("{architecture}.{name}"), GGUF_TYPE_UINT32).map(|at| u64::from(head.val_u32(at)));
    Some(layers::Shape {
        n_layers: number("block_count")?,
        width: number("embedding_length")?,
        n_heads: number("attention.head_count")?,
        n_kv_heads: number("attention.head_count_kv").or_else(|| number("attention.head_count"))?,
    })
}
