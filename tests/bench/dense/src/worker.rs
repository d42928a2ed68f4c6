//! The same for JavaScript.

use crate::{Bare, DIMENSIONS, Minilm, Scan, Shelf, exact, mixed, some_model};
use millwright_core::embed::Tokenizer;
use wasm_bindgen::prelude::*;

/// The exact nearest of each question among so many vectors.
#[must_use]
#[wasm_bindgen(js_name = exact)]
pub fn exact_nearest(real: &[f32], n_vectors: usize, questions: &[f32]) -> Vec<u32> {
    exact(&mixed(real, n_vectors), questions)
}

/// Bytes of the memory that this program has, which never shrinks.
#[must_use]
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    core::arch::wasm32::memory_size(0) as f64 * 65_536.0
}

/// The core's scan in a worker.
#[wasm_bindgen(js_name = Scan)]
#[derive(Debug)]
pub struct WorkerScan(Scan);

#[wasm_bindgen(js_class = Scan)]
impl WorkerScan {
    /// Takes so many vectors in.
    #[must_use]
    pub fn build(real: &[f32], n_vectors: usize) -> WorkerScan {
        Self(Scan::build(&mixed(real, n_vectors)))
    }

    /// The numbers of the nearest.
    #[must_use]
    pub fn search(&self, question: &[f32]) -> Vec<u32> {
        self.0.search(question)
    }
}

/// The bare kernel in a worker.
#[wasm_bindgen(js_name = Bare)]
#[derive(Debug)]
pub struct WorkerBare(Bare);

#[wasm_bindgen(js_class = Bare)]
impl WorkerBare {
    /// Takes so many vectors in.
    #[must_use]
    pub fn build(real: &[f32], n_vectors: usize) -> WorkerBare {
        Self(Bare::build(&mixed(real, n_vectors)))
    }

    /// The numbers of the nearest.
    pub fn search(&mut self, question: &[f32]) -> Vec<u32> {
        self.0.search(question)
    }
}

/// The embedding model in a worker.
#[wasm_bindgen(js_name = Minilm)]
#[derive(Debug)]
pub struct WorkerMinilm(Minilm, Tokenizer);

#[wasm_bindgen(js_class = Minilm)]
impl WorkerMinilm {
    /// Makes it of its three files.
    ///
    /// # Errors
    /// When they are not that model's.
    pub fn create(weights: Vec<u8>, measures: Vec<u8>, tokenizer: Vec<u8>) -> Result<WorkerMinilm, JsError> {
        let tokens = Tokenizer::new(&tokenizer, millwright_core::embed::MINILM.max_tokens)?;
        Ok(Self(Minilm::new(weights, measures, tokenizer)?, tokens))
    }

    /// The tokens of a text, for a peer that has no tokenizer.
    ///
    /// # Errors
    /// When the tokenizer stumbles.
    pub fn tokens(&self, text: &str) -> Result<Vec<u32>, JsError> {
        Ok(self.1.tokens("", text)?)
    }

    /// The vector of a question.
    ///
    /// # Errors
    /// When the model stumbles.
    pub fn question(&self, text: &str) -> Result<Vec<f32>, JsError> {
        Ok(self.0.question(text)?)
    }

    /// The vectors of passages, one after the other.
    ///
    /// # Errors
    /// When the model stumbles.
    pub fn passages(&self, texts: Vec<String>) -> Result<Vec<f32>, JsError> {
        Ok(self.0.passages(&texts.iter().map(String::as_str).collect::<Vec<_>>())?)
    }
}

/// A library in a worker.
#[wasm_bindgen(js_name = Shelf)]
#[derive(Debug)]
pub struct WorkerShelf(Shelf);

#[wasm_bindgen(js_class = Shelf)]
impl WorkerShelf {
    /// Reads, cuts and indexes files.
    ///
    /// # Errors
    /// When memory is short.
    pub fn build(files: Vec<String>) -> Result<WorkerShelf, JsError> {
        Ok(Self(Shelf::build(&files)?))
    }

    /// Makes the vectors of all chunks here and now.
    ///
    /// # Errors
    /// When memory is short.
    pub fn embed(&mut self, model: &WorkerMinilm) -> Result<(), JsError> {
        let made = |groups: &[millwright_core::index::VectorGroup]| {
            let texts: Vec<&str> = groups.iter().flat_map(|group| group.texts.iter().map(String::as_str)).collect();
            model.0.passages(&texts).unwrap_or_default()
        };
        Ok(self.0.embed(model.0.identity(), made)?)
    }

    /// Gives the chunks vectors that were made before, in the order in which they are asked for; over and over where they
    /// are too few.
    ///
    /// # Errors
    /// When memory is short.
    pub fn take(&mut self, vectors: &[f32]) -> Result<(), JsError> {
        let mut rows = vectors.as_chunks::<DIMENSIONS>().0.iter().cycle();
        let taken = |groups: &[millwright_core::index::VectorGroup]| {
            let n_texts: usize = groups.iter().map(|group| group.texts.len()).sum();
            rows.by_ref().take(n_texts).flatten().copied().collect()
        };
        Ok(self.0.embed(&some_model(), taken)?)
    }

    /// How many chunks have vectors.
    #[must_use]
    pub fn embedded(&self) -> u32 {
        self.0.n_chunks().1
    }

    /// Asks; gives the number of passages.
    ///
    /// # Errors
    /// When memory is short.
    pub fn ask(&self, model: &WorkerMinilm, question: &str, limit: u32) -> Result<usize, JsError> {
        Ok(self.0.ask(&model.0, question, limit)?)
    }
}
