//! What the library keeps about each document.

use crate::{
    document::DocumentId,
    parse::{Format, ParseWarning},
};
use serde::{Deserialize, Serialize};

/// Whether a document can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentState {
    /// Findable.
    Ready,
    /// Removed by the user, not findable, restorable until it is purged (at the latest when the library is opened again).
    Trashed,
}

/// What the library keeps about a document, and what lists show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// By content.
    pub id: DocumentId,
    /// The name it was given; unique in the library.
    pub name: String,
    /// Further names under which the same bytes were added.
    pub aliases: Vec<String>,
    /// The title found in it, or the name without its ending.
    pub title: String,
    /// What it is.
    pub format: Format,
    /// Size of the original.
    pub size_bytes: u64,
    /// Number of pages, where the format has pages.
    pub n_pages: Option<u32>,
    /// Number of chunks; 0 for a document in which no text was found.
    pub n_chunks: u32,
    /// When it was added, milliseconds since 1970.
    pub added_millis: u64,
    /// Whether it can be found.
    pub state: DocumentState,
    /// What the parser had to say.
    pub warnings: Vec<ParseWarning>,
}
