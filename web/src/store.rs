//! The library's storage in the browser: IndexedDB, or memory where the browser refuses it.
//!
//! Not for what is stored: to a store, values are bytes.

mod indexed_db;

pub use indexed_db::IndexedDbStore;
use millwright_core::host::{Batch, MemoryStorage, Storage, StorageError, Table};

/// The name of the library's database.
pub const DATABASE: &str = "millwright";

/// A store in whichever form this browser allows.
pub enum BrowserStore {
    /// Kept on disk.
    Kept(IndexedDbStore),
    /// Gone with the tab.
    Memory(MemoryStorage),
}

impl BrowserStore {
    /// Opens the library's database, or a store in memory with the reason why.
    pub async fn open() -> (Self, Option<StorageError>) {
        match IndexedDbStore::open(DATABASE).await {
            Ok(store) => (Self::Kept(store), None),
            Err(reason) => (Self::Memory(MemoryStorage::default()), Some(reason)),
        }
    }

    /// Whether it is gone with the tab.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self, Self::Memory(_))
    }
}

impl Storage for BrowserStore {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        match self {
            Self::Kept(store) => store.get(table, key).await,
            Self::Memory(store) => store.get(table, key).await,
        }
    }

    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        match self {
            Self::Kept(store) => store.scan(table).await,
            Self::Memory(store) => store.scan(table).await,
        }
    }

    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        match self {
            Self::Kept(store) => store.keys(table).await,
            Self::Memory(store) => store.keys(table).await,
        }
    }

    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        match self {
            Self::Kept(store) => store.commit(batch).await,
            Self::Memory(store) => store.commit(batch).await,
        }
    }
}
