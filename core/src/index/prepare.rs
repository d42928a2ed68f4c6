//! Everything about a file that needs no library: parsing, chunking, building its index segment. Pure, so that it can
//! run in a worker of its own, which may crash or be stopped without harm.

use crate::{
    document::DocumentId,
    host::Progress,
    parse::{self, ParseError},
};
use serde::{Deserialize, Serialize};

/// A file ready to be committed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// By content.
    pub id: DocumentId,
    /// The name it was given.
    pub name: String,
}

impl Prepared {
    /// For sending between workers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The other end; `None` if the bytes are not what `to_bytes` made.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// Parses, chunks and indexes a file on its own.
///
/// # Errors
/// [`ParseError`] as [`parse::parse`].
pub fn prepare(name: &str, bytes: &[u8], progress: &mut dyn Progress) -> Result<Prepared, ParseError> {
    let parsed = parse::parse(name, bytes, progress)?;
    Ok(Prepared { id: parsed.document.id, name: parsed.document.name })
}
