//! What llama.cpp does by itself, as its own `llama-bench` measures it: tokens by chance in one batch, then one after another,
//! nothing chosen, nothing sent. What our way of asking it is held against. Not for anybody's text.

use super::super::choice::Room;
use llama_cpp_2::{
    context::params::LlamaContextParams,
    llama_backend::LlamaBackend,
    llama_batch::LlamaBatch,
    model::{LlamaModel, params::LlamaModelParams},
    token::LlamaToken,
};
use std::{num::NonZeroU32, path::Path, time::Instant};

/// Tokens that are read in one batch (`pp512`).
const READ_TOKENS: u32 = 512;
/// Tokens that are written one by one (`tg128`).
const WRITTEN_TOKENS: u32 = 128;

/// Tokens a second.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Bare {
    /// Read in one batch.
    pub(crate) read_per_second: f64,
    /// Written one by one.
    pub(crate) written_per_second: f64,
}

/// Measures once, after a round that warms up.
///
/// # Errors
/// In words.
pub(crate) fn bare(path: &Path, room: Room) -> Result<Bare, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    let mut backend = LlamaBackend::init().map_err(|error| words(&error))?;
    backend.void_logs();
    let params = LlamaModelParams::default().with_n_gpu_layers(room.gpu_layers.unwrap_or(0));
    let model = LlamaModel::load_from_file(&backend, path, &params).map_err(|error| words(&error))?;
    let n_threads = super::n_threads(room);
    let params = LlamaContextParams::default()
        .with_n_ctx(NonZeroU32::new(READ_TOKENS + WRITTEN_TOKENS))
        .with_n_batch(READ_TOKENS)
        .with_n_ubatch(READ_TOKENS)
        .with_n_threads(n_threads)
        .with_n_threads_batch(n_threads);
    let mut context = model.new_context(&backend, params).map_err(|error| words(&error))?;
    let n_tokens = u32::try_from(model.n_vocab()).unwrap_or(1).max(1);
    // Any tokens do; a linear congruential generator (Numerical Recipes) gives the same ones each time.
    let mut state = 1_u32;
    let mut token = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        LlamaToken::new(i32::try_from((state >> 8) % n_tokens).unwrap_or(0))
    };
    let mut run = |n: u32, n_at_once: u32| -> Result<f64, String> {
        context.clear_kv_cache();
        let mut batch = LlamaBatch::new(READ_TOKENS as usize, 1);
        let begun = Instant::now();
        let mut position = 0;
        while position < n {
            batch.clear();
            for place in position..(position + n_at_once).min(n) {
                let is_last = place + 1 == (position + n_at_once).min(n);
                let place = i32::try_from(place).unwrap_or(i32::MAX);
                batch.add(token(), place, &[0], is_last).map_err(|error| words(&error))?;
            }
            context.decode(&mut batch).map_err(|error| words(&error))?;
            context.synchronize();
            position += n_at_once;
        }
        Ok(f64::from(n) / begun.elapsed().as_secs_f64())
    };
    run(READ_TOKENS, READ_TOKENS)?;
    run(8, 1)?;
    Ok(Bare { read_per_second: run(READ_TOKENS, READ_TOKENS)?, written_per_second: run(WRITTEN_TOKENS, 1)? })
}
