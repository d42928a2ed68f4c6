//! The library: what is stored, under which format version, and how documents come in and go out atomically.
//!
//! Not for parsing or ranking: it calls [`crate::parse`], [`crate::chunk`] and [`crate::lexical`] and keeps what they make.

mod prepare;
mod record;

use crate::{
    document::{DocumentId, NodeId},
    host::{Clock, Storage, StorageError},
    parse::ParseError,
    protocol::{DocumentView, Failure, FailureKind, FileOutcome, Found},
};
pub use prepare::{Prepared, prepare};
pub use record::{DocumentRecord, DocumentState};

/// The version of everything that is stored. Raised when old stores can no longer be read as they are.
pub const FORMAT_VERSION: u32 = 1;

/// What the library can fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The store was written by another version of Millwright.
    #[error(
        "The library was written in format {found}; this version reads format {FORMAT_VERSION}. Update Millwright, or clear the library and add the documents again."
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
            ParseError::Password => FailureKind::PasswordNeeded,
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

/// A library over a store.
#[derive(Debug)]
pub struct Library<S> {
    storage: S,
}

#[expect(clippy::unused_async, reason = "skeleton")]
impl<S: Storage> Library<S> {
    /// Opens the library in a store, creating it in an empty one, and purges what was left in the trash.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be used or is of another format.
    pub async fn open(storage: S) -> Result<Self, IndexError> {
        Ok(Self { storage })
    }

    /// Opens the library without ever writing: for a tab or process beside the one that writes. An empty store is an
    /// empty library; changes come in through [`Self::refresh`].
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be used or is of another format.
    pub async fn open_follower(storage: S) -> Result<Self, IndexError> {
        Ok(Self { storage })
    }

    /// The store.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// What the library knows of a file, by name and content.
    #[must_use]
    pub fn check(&self, _name: &str, _id: &DocumentId) -> Known {
        Known::New
    }

    /// Notes a further name of a document already there; returns what to tell the user.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn add_alias(&mut self, _name: &str, _id: &DocumentId) -> Result<FileOutcome, IndexError> {
        Err(IndexError::NotFound)
    }

    /// Takes a prepared document in, replacing an older one of the same name, in one atomic batch.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn commit(
        &mut self,
        _prepared: Prepared,
        _original: &[u8],
        _now_millis: u64,
    ) -> Result<FileOutcome, IndexError> {
        Err(IndexError::NotFound)
    }

    /// The findable documents, ascending by name.
    #[must_use]
    pub fn documents(&self) -> Vec<DocumentRecord> {
        Vec::new()
    }

    /// Hides documents, restorably.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn trash(&mut self, _documents: &[DocumentId]) -> Result<(), IndexError> {
        Err(IndexError::NotFound)
    }

    /// Brings hidden documents back.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn restore(&mut self, _documents: &[DocumentId]) -> Result<(), IndexError> {
        Err(IndexError::NotFound)
    }

    /// Removes every trace of documents.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn purge(&mut self, _documents: &[DocumentId]) -> Result<(), IndexError> {
        Err(IndexError::NotFound)
    }

    /// Merges small segments, one bounded step; `true` while there is more to do. Call it when idle.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn maintain(&mut self) -> Result<bool, IndexError> {
        Ok(false)
    }

    /// Takes in what another tab or process wrote; `true` if anything changed.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn refresh(&mut self) -> Result<bool, IndexError> {
        Ok(false)
    }

    /// A stretch of a document's tree, beginning at or shortly before `from`.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn view(&self, _id: &DocumentId, _from: NodeId, _limit: u32) -> Result<DocumentView, IndexError> {
        Err(IndexError::NotFound)
    }

    /// A document's name and original bytes.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn original(&self, _id: &DocumentId) -> Result<(String, Vec<u8>), IndexError> {
        Err(IndexError::NotFound)
    }

    /// The best passages for a question, at most `limit`.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read; no question is an error.
    pub async fn find(&self, query: &str, _limit: u32, _clock: &dyn Clock) -> Result<Found, IndexError> {
        Ok(Found { query: query.to_owned(), passages: Vec::new(), n_chunks_searched: 0, took_micros: 0, notice: None })
    }
}
