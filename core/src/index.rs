//! The library: what is stored, under which format version, and how documents come in and go out atomically.
//!
//! Not for parsing or ranking: it calls [`crate::parse`], [`crate::chunk`] and [`crate::lexical`] and keeps what they make.

mod layout;
mod library;
mod maintain;
mod prepare;
mod read;
mod record;
#[cfg(test)]
mod tests;

use crate::{
    document::DocumentId,
    host::StorageError,
    lexical::SegmentError,
    parse::ParseError,
    protocol::{Failure, FailureKind},
};
pub use library::Library;
pub use prepare::{Prepared, prepare, prepare_with};
pub use record::{DocumentRecord, DocumentState};

/// The version of everything that is stored. Raised when old stores can no longer be read as they are.
pub const FORMAT_VERSION: u32 = 2;

/// What the library can fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The store was written by another version of Millwright.
    #[error(
        "The library was written in format {found}; this version reads format {FORMAT_VERSION}. Update Millwright, or \
         clear the library and add the documents again."
    )]
    Format {
        /// The store's version.
        found: u32,
    },
    /// No such document.
    #[error("This document is not in the library (any more).")]
    NotFound,
    /// A record cannot be read back.
    #[error("The library is damaged ({0}). Clear it and add the documents again.")]
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
            IndexError::Storage(_) | IndexError::Damaged(_) => FailureKind::StorageUnavailable,
            IndexError::Format { .. } => FailureKind::VersionMismatch,
            IndexError::NotFound => FailureKind::NotFound,
        };
        Self { error: error.to_string(), error_type }
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
