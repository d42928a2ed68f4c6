//! The same for JavaScript.

use crate::Lexical;
use wasm_bindgen::prelude::*;

/// An index in a worker.
#[wasm_bindgen(js_name = Lexical)]
#[derive(Debug)]
pub struct WorkerLexical(Lexical);

#[wasm_bindgen(js_class = Lexical)]
impl WorkerLexical {
    /// Indexes chunks.
    ///
    /// # Errors
    /// When memory is short.
    pub fn build(titles: Vec<String>, texts: Vec<String>) -> Result<WorkerLexical, JsError> {
        Ok(Self(Lexical::build(&titles, &texts)?))
    }

    /// Opens a saved index.
    ///
    /// # Errors
    /// When the bytes are damaged.
    pub fn open(packed: Vec<u8>) -> Result<WorkerLexical, JsError> {
        Ok(Self(Lexical::open(packed)?))
    }

    /// The index as it is saved.
    #[must_use]
    pub fn packed(&self) -> Vec<u8> {
        self.0.packed().to_vec()
    }

    /// The numbers of the best chunks.
    ///
    /// # Errors
    /// When the bytes are damaged.
    pub fn search(&self, question: &str) -> Result<Vec<u32>, JsError> {
        Ok(self.0.search(question)?)
    }
}

/// Reads a file and gives the number of its tree's nodes.
///
/// # Errors
/// When nothing can be read.
#[wasm_bindgen]
pub fn read(name: &str, bytes: &[u8]) -> Result<usize, JsError> {
    Ok(crate::read(name, bytes)?)
}
