//! What is said of vectors between page and engine: how far making them is, and what is in the way.

use super::Failure;
use serde::{Deserialize, Serialize};

/// How the vectors of the library stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorsState {
    /// Findable chunks that have one.
    pub n_done: u32,
    /// Findable chunks.
    pub n_chunks: u32,
    /// The model that they were made with, by its id; `None` while there are none.
    pub made_with: Option<String>,
    /// The model that is used, kept whole here; `None` where none is, or only one that did not make the vectors.
    pub model: Option<String>,
    /// The other model that is kept whole here: the vectors can be made anew with it.
    pub other: Option<String>,
    /// The model for the languages of this library.
    pub fitting: Option<String>,
    /// What is being done.
    pub work: VectorsWork,
    /// How long one takes, all who make them together: as seen on this machine, or as usual elsewhere.
    pub millis_per_chunk: u32,
}

/// What is being done about chunks without vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "snake_case")]
pub enum VectorsWork {
    /// Nothing: none lacks one, there is no model to make them with, or another tab makes them.
    #[default]
    None,
    /// The model is being loaded.
    Loading,
    /// They are being made.
    Making,
    /// Somebody stopped it for now.
    Paused,
    /// It failed; asking to go on tries again.
    Failed(Failure),
}
