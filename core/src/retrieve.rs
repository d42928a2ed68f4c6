//! From a question to passages, each with the whole story of how it got there.

mod hybrid;

pub use hybrid::{Candidate, Dense, candidates};
use serde::{Deserialize, Serialize};

/// Why a candidate stands where it stands. Fields of stages that did not run are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Which form of the question found it.
    pub track: String,
    /// BM25 over the words of text and headings.
    pub bm25: Option<f32>,
    /// What exactly matching identifiers and numbers added.
    pub identifiers: Option<f32>,
    /// What query words standing close together added.
    pub proximity: Option<f32>,
    /// Cosine of its vector and the question's.
    #[serde(default)]
    pub cosine: Option<f32>,
    /// The query terms it holds, as analysed.
    pub matched_terms: Vec<String>,
    /// The query terms it lacks, as analysed.
    pub missing_terms: Vec<String>,
    /// From 1.
    pub rank: u32,
}
