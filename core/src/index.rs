//! The library: what is stored, under which format version, and how documents come in and go out atomically.
//!
//! Not for parsing or ranking: it calls [`crate::parse`], [`crate::chunk`] and [`crate::lexical`] and keeps what they make.

mod again;
mod ask;
mod context;
mod drafts;
mod find;
mod languages;
mod layout;
mod library;
mod maintain;
mod prepare;
mod read;
mod record;
mod renew;
#[cfg(test)]
mod tests;
mod vectors;

use crate::{
    document::DocumentId,
    host::StorageError,
    lexical::SegmentError,
    parse::ParseError,
    protocol::{Failure, FailureKind},
};
pub use ask::QuestionVectors;
pub use find::{FindOptions, Shortlisted};
pub use layout::CHUNKS_PER_GROUP;
pub use library::Library;
pub use prepare::{Prepared, prepare, prepare_parsed, prepare_with};
pub use record::{DocumentRecord, DocumentState};
pub use renew::clear;
pub use vectors::{Embedded, EmbeddedGroup, VectorGroup};

/// The version of everything that is stored. Raised when old stores can no longer be read as they are.
pub const FORMAT_VERSION: u32 = 4;

/// What the library can fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The store was written by a newer version of Millwright.
    #[error(
        "The library was written by a newer version of Millwright (format {found}; this one reads up to \
         {FORMAT_VERSION}). Update Millwright."
    )]
    Format {
        /// The store's version.
        found: u32,
    },
    /// The store was written by an older version, and its writer has not begun to read the documents anew.
    #[error(
        "The library was written by an older version of Millwright and is being brought up to date elsewhere. Try \
         again in a moment."
    )]
    Outdated,
    /// The vectors that are there were made with another model.
    #[error(
        "The vectors of this library were made with the model {found}; those of {wanted} cannot be compared with them. \
         Have them made anew, or use {found} again. Words are searched in any case."
    )]
    OtherModel {
        /// The model of the vectors.
        found: String,
        /// The model that was to be used.
        wanted: String,
    },
    /// No such document.
    #[error("This document is not in the library (any more).")]
    NotFound,
    /// A record cannot be read back.
    #[error("The library is damaged ({0}). Clear the library, then add the documents again.")]
    Damaged(String),
}

impl From<SegmentError> for IndexError {
    fn from(error: SegmentError) -> Self {
        Self::Damaged(error.to_string())
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        let error_type = match &error {
            IndexError::Storage(StorageError::Full) => FailureKind::StorageFull,
            IndexError::Storage(_) | IndexError::Outdated => FailureKind::StorageUnavailable,
            IndexError::Damaged(_) => FailureKind::LibraryDamaged,
            IndexError::Format { .. } | IndexError::OtherModel { .. } => FailureKind::VersionMismatch,
            IndexError::NotFound => FailureKind::NotFound,
        };
        let error = match error {
            IndexError::Storage(StorageError::Full) => {
                "No room is left, so nothing of it was stored. Delete documents \
                 that are no longer needed, or free space on this computer, and add it again."
                    .to_owned()
            }
            other => other.to_string(),
        };
        Self { error, error_type }
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Self {
        let error_type = match &error {
            ParseError::Empty => FailureKind::EmptyFile,
            ParseError::Unsupported { .. } => FailureKind::UnsupportedFormat,
            ParseError::Password | ParseError::WrongPassword => FailureKind::PasswordNeeded,
            ParseError::TooLarge { .. } => FailureKind::TooLarge,
            ParseError::Damaged { .. } => FailureKind::DamagedFile,
            ParseError::Cancelled => FailureKind::BadRequest,
        };
        Self { error: error.to_string(), error_type }
    }
}

/// What the library knows of a file before it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// Neither the name nor the content.
    New,
    /// This very file.
    Unchanged,
    /// The content under another name.
    SameContent {
        /// The name it is listed under.
        name: String,
    },
    /// The name with other content.
    Replaces(DocumentId),
}
