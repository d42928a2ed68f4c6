//! The file-system form of the core's `Storage` port: one redb file in the library's folder, one table a core `Table`,
//! one write transaction a batch.
//!
//! redb (MIT or Apache-2.0, pure Rust, stable file format, in steady development) is copy-on-write with checksums: a
//! crash at any moment leaves the last committed batch. Not for what the bytes mean: that is `core::index`.

use millwright_core::{
    host::{Batch, Storage, StorageError, Table, Write},
    protocol::{Failure, FailureKind},
};
use redb::{Database, DatabaseError, ReadableDatabase, ReadableTable, TableDefinition};
use std::{
    cell::RefCell,
    fmt, fs, io,
    panic::{self, AssertUnwindSafe},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The store's file in the library's folder.
pub const STORE_FILE: &str = "library.redb";

/// redb's page cache. Its default of 1 GiB is a server's; a library is read once when opened.
const CACHE_BYTES: usize = 64 << 20;

/// How long to wait for another process to let go: two commands in a script follow each other faster than a file
/// lock is dropped, while a long ingestion deserves a word.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// Why a store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system names no home folder.
    #[error("This system names no folder for your data. Say where the library is to be kept with --library DIR.")]
    NoHome,
    /// Another process has it open.
    #[error(
        "The library in {} is in use by another millwright process. Wait until that has finished, or choose another library with --library DIR.",
        dir.display()
    )]
    InUse {
        /// The library's folder.
        dir: PathBuf,
    },
    /// The folder or file cannot be made or opened.
    #[error("The library in {} cannot be opened: {source}. Check that the folder exists and that you may write to it.", dir.display())]
    Io {
        /// The library's folder.
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not a store, or is damaged beyond repair.
    #[error(
        "The library in {} is damaged ({detail}). Move {STORE_FILE} out of that folder and add the documents again.",
        dir.display()
    )]
    Damaged {
        /// The library's folder.
        dir: PathBuf,
        /// What redb says.
        detail: String,
    },
}

impl From<&OpenError> for Failure {
    fn from(error: &OpenError) -> Self {
        let error_type = match error {
            OpenError::InUse { .. } => FailureKind::ReadOnly,
            OpenError::NoHome => FailureKind::BadRequest,
            OpenError::Io { source, .. } if is_full(source) => FailureKind::StorageFull,
            OpenError::Io { .. } | OpenError::Damaged { .. } => FailureKind::StorageUnavailable,
        };
        Self { error: error.to_string(), error_type }
    }
}

/// A store in a file. One process at a time; other processes are refused by a file lock.
pub struct FileStorage {
    /// `None` after an I/O error, when redb wants to be opened anew.
    database: RefCell<Option<Database>>,
    open: Box<dyn Fn() -> Result<Database, DatabaseError>>,
}

impl fmt::Debug for FileStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStorage").finish_non_exhaustive()
    }
}

impl FileStorage {
    /// Opens the store in a folder, making both where they are missing. Waits shortly for another process.
    ///
    /// # Errors
    /// [`OpenError`], with what to do about it.
    pub fn open(dir: &Path) -> Result<Self, OpenError> {
        make_private_dir(dir).map_err(|source| OpenError::Io { dir: dir.to_owned(), source })?;
        let path = dir.join(STORE_FILE);
        let open = move || redb::Builder::new().set_cache_size(CACHE_BYTES).create(&path);
        let deadline = Instant::now() + LOCK_PATIENCE;
        loop {
            // redb may panic on a file that something else wrote into.
            let opened = panic::catch_unwind(AssertUnwindSafe(|| Self::with_opener(open.clone())));
            match opened {
                Ok(Ok(storage)) => return Ok(storage),
                Ok(Err(redb::Error::DatabaseAlreadyOpen)) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(50));
                }
                Ok(Err(error)) => return Err(open_error(dir, error)),
                Err(_) => return Err(OpenError::Damaged { dir: dir.to_owned(), detail: "unreadable".to_owned() }),
            }
        }
    }

    fn with_opener(open: impl Fn() -> Result<Database, DatabaseError> + 'static) -> Result<Self, redb::Error> {
        let database = open()?;
        // Reading transactions cannot make tables, so all of them are made at the start. Only then: a question is not
        // to wait for the disk.
        if database.begin_read()?.list_tables()?.count() < Table::ALL.len() {
            let transaction = database.begin_write()?;
            for table in Table::ALL {
                transaction.open_table(definition(table))?;
            }
            transaction.commit()?;
        }
        Ok(Self { database: RefCell::new(Some(database)), open: Box::new(open) })
    }

    /// Runs a step on the database, which is opened anew if an earlier step broke off with an I/O error.
    fn with_database<T>(&self, step: impl FnOnce(&Database) -> Result<T, redb::Error>) -> Result<T, StorageError> {
        let mut slot = self.database.borrow_mut();
        let database = match slot.take() {
            Some(database) => database,
            None => (self.open)().map_err(|error| StorageError::Unavailable(error.to_string()))?,
        };
        match step(&database) {
            Ok(value) => {
                *slot = Some(database);
                Ok(value)
            }
            Err(error) => {
                // After an I/O error redb refuses everything until it is opened again, which rolls back to the last
                // commit; after any other error it goes on.
                if !matches!(error, redb::Error::Io(_) | redb::Error::PreviousIo) {
                    *slot = Some(database);
                }
                Err(storage_error(error))
            }
        }
    }
}

impl Storage for FileStorage {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        self.with_database(|database| {
            let table = database.begin_read()?.open_table(definition(table))?;
            Ok(table.get(key)?.map(|value| value.value().to_vec()))
        })
    }

    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        self.with_database(|database| {
            let table = database.begin_read()?.open_table(definition(table))?;
            let mut entries = Vec::new();
            for entry in table.iter()? {
                let (key, value) = entry?;
                entries.push((key.value().to_owned(), value.value().to_vec()));
            }
            Ok(entries)
        })
    }

    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        self.with_database(|database| {
            let table = database.begin_read()?.open_table(definition(table))?;
            let mut keys = Vec::new();
            for entry in table.iter()? {
                keys.push(entry?.0.value().to_owned());
            }
            Ok(keys)
        })
    }

    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        self.with_database(|database| {
            // Dropping the transaction on the way out rolls everything back.
            let transaction = database.begin_write()?;
            for write in &batch.writes {
                match write {
                    Write::Put { table, key, value } => {
                        transaction.open_table(definition(*table))?.insert(key.as_str(), value.as_slice())?;
                    }
                    Write::Delete { table, key } => {
                        transaction.open_table(definition(*table))?.remove(key.as_str())?;
                    }
                }
            }
            transaction.commit()?;
            Ok(())
        })
    }
}

/// Keys are compared as UTF-8 bytes, which is the order the port asks for.
fn definition(table: Table) -> TableDefinition<'static, &'static str, &'static [u8]> {
    TableDefinition::new(table.name())
}

fn storage_error(error: redb::Error) -> StorageError {
    match error {
        redb::Error::Io(error) if is_full(&error) => StorageError::Full,
        redb::Error::PreviousIo => StorageError::Unavailable("an earlier write failed".to_owned()),
        other => StorageError::Failed(other.to_string()),
    }
}

fn open_error(dir: &Path, error: redb::Error) -> OpenError {
    let dir = dir.to_owned();
    match error {
        redb::Error::DatabaseAlreadyOpen => OpenError::InUse { dir },
        // redb says "invalid data" of a file that is none of its own.
        redb::Error::Io(source) if source.kind() != io::ErrorKind::InvalidData => OpenError::Io { dir, source },
        other => OpenError::Damaged { dir, detail: other.to_string() },
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}

/// A library holds a factory's documents: other users of the machine have no business in it.
fn make_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

#[cfg(test)]
mod tests;
