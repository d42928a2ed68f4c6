//! The ports: what the core needs from the machine it runs on, as traits, with memory and null forms beside them.
//!
//! The browser's and the file system's forms live in `web` and `sidecar`. Nothing else in the core touches a platform.

#[cfg(any(test, feature = "contract"))]
pub mod contract;
pub mod generator;
mod memory;

use crate::document::Document;
pub use generator::{Generator, NoGenerator};
pub use memory::MemoryStorage;
#[cfg(test)]
pub(crate) use memory::now;
use std::ops::ControlFlow;

/// The tables of a store. Each maps a key to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// One record, key `manifest`: the format version and what changed last.
    Manifest,
    /// By document id: the library's record of it.
    Documents,
    /// By document id: the file's bytes as they came.
    Originals,
    /// By document id: the parsed tree.
    Trees,
    /// By document id: the chunks.
    Chunks,
    /// By segment id: a packed index segment.
    Segments,
    /// By document id and group of chunks: their vectors.
    Vectors,
}

impl Table {
    /// Every table, in the order in which a fresh store creates them.
    pub const ALL: [Self; 7] =
        [Self::Manifest, Self::Documents, Self::Originals, Self::Trees, Self::Chunks, Self::Segments, Self::Vectors];

    /// The name under which implementations keep it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Manifest => "manifest",
            Self::Documents => "documents",
            Self::Originals => "originals",
            Self::Trees => "trees",
            Self::Chunks => "chunks",
            Self::Segments => "segments",
            Self::Vectors => "vectors",
        }
    }
}

/// One change of a [`Batch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Stores a value, replacing what was there.
    Put {
        /// Where.
        table: Table,
        /// Under which key.
        key: String,
        /// The bytes.
        value: Vec<u8>,
    },
    /// Removes a value; a missing one is no error.
    Delete {
        /// Where.
        table: Table,
        /// Which.
        key: String,
    },
}

/// Changes that happen together or not at all, applied in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The changes.
    pub writes: Vec<Write>,
}

impl Batch {
    /// Adds a put.
    pub fn put(&mut self, table: Table, key: impl Into<String>, value: Vec<u8>) {
        self.writes.push(Write::Put { table, key: key.into(), value });
    }

    /// Adds a delete.
    pub fn delete(&mut self, table: Table, key: impl Into<String>) {
        self.writes.push(Write::Delete { table, key: key.into() });
    }
}

/// What a store can fail with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// No room is left. Nothing of the batch was stored.
    #[error("the storage is full; nothing was changed")]
    Full,
    /// The store cannot be opened or was taken away (evicted, permission withdrawn, in use by another process).
    #[error("the storage cannot be used: {0}")]
    Unavailable(String),
    /// A read or write failed.
    #[error("the storage failed: {0}")]
    Failed(String),
}

/// Where the library is kept: tables of bytes with atomic batches.
///
/// Futures need not be `Send`: the engine lives in one thread (a worker in the browser, a thread of its own natively).
#[expect(async_fn_in_trait, reason = "single-threaded by design; see above")]
pub trait Storage {
    /// The value under a key, `None` if there is none.
    ///
    /// # Errors
    /// [`StorageError`] when the store cannot be read.
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError>;

    /// Every key and value of a table, keys ascending by bytes.
    ///
    /// # Errors
    /// [`StorageError`] when the store cannot be read.
    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError>;

    /// Every key of a table, ascending by bytes.
    ///
    /// # Errors
    /// [`StorageError`] when the store cannot be read.
    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError>;

    /// Applies all changes in order, or none.
    ///
    /// # Errors
    /// [`StorageError::Full`] when there is no room, another [`StorageError`] when the store cannot be written; in
    /// every case nothing was changed.
    async fn commit(&self, batch: Batch) -> Result<(), StorageError>;
}

/// The time, for records that show when something happened. Ranking never depends on it.
pub trait Clock {
    /// Milliseconds since 1970-01-01 UTC.
    fn now_millis(&self) -> u64;
    /// Microseconds since some fixed point, for durations.
    fn monotonic_micros(&self) -> u64;
}

/// A clock that stands still, for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoppedClock(
    /// What it shows, in milliseconds since 1970.
    pub u64,
);

impl Clock for StoppedClock {
    fn now_millis(&self) -> u64 {
        self.0
    }
    fn monotonic_micros(&self) -> u64 {
        self.0 * 1000
    }
}

/// Hears how far a long step has come and may stop it.
pub trait Progress {
    /// `done` of `total` units (pages, rows, chunks) are finished; `total` is 0 while unknown. `Break` stops the work.
    fn report(&mut self, done: u32, total: u32) -> ControlFlow<()>;

    /// Whether it wants the document of the pages read so far, which costs as much again as they cost to put in order.
    /// Asked after every page but the last of formats whose pages are read one by one.
    fn wants_draft(&mut self, n_pages_read: u32, n_pages: u32) -> bool {
        let _ = (n_pages_read, n_pages);
        false
    }

    /// Takes what it wanted.
    fn draft(&mut self, draft: Draft) {
        drop(draft);
    }
}

/// A document while it is still being read: the tree of its first pages. The finished one takes its place whole; nodes
/// may have other ids then, and headings other levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The tree of the pages read so far.
    pub document: Document,
    /// How many pages these are.
    pub n_pages_read: u32,
    /// How many there are.
    pub n_pages: u32,
}

/// Hears nothing and stops nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn report(&mut self, _done: u32, _total: u32) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(u32, u32) -> ControlFlow<()>> Progress for F {
    fn report(&mut self, done: u32, total: u32) -> ControlFlow<()> {
        self(done, total)
    }
}

impl<S: Storage> Storage for &S {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        (**self).get(table, key).await
    }
    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        (**self).scan(table).await
    }
    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        (**self).keys(table).await
    }
    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        (**self).commit(batch).await
    }
}
