//! A library in memory, filled and asked as the engine and the sidecar do it: the native half of every comparison.

use crate::corpus::TestFile;
use anyhow::{Context, Result};
use millwright_core::{
    host::{MemoryStorage, NoProgress, StoppedClock},
    index::{Library, prepare},
    protocol::Passage,
};

/// A library in memory.
#[derive(Debug)]
pub struct NativeLibrary(Library<MemoryStorage>);

impl NativeLibrary {
    /// A library of these files, added in this order.
    ///
    /// # Errors
    /// When one cannot be read, or the store fails.
    pub fn of(files: &[TestFile]) -> Result<Self> {
        let library = pollster::block_on(Library::open(MemoryStorage::default()))?;
        let mut native = Self(library);
        for file in files {
            native.add(file)?;
        }
        Ok(native)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// When it cannot be read, or the store fails.
    pub fn add(&mut self, file: &TestFile) -> Result<()> {
        let prepared = prepare(&file.name, &file.bytes, &mut NoProgress).with_context(|| file.name.clone())?;
        pollster::block_on(self.0.commit(prepared, &file.bytes, 0)).with_context(|| file.name.clone())?;
        Ok(())
    }

    /// The passages for a question, best first.
    ///
    /// # Errors
    /// When the store fails; no question does.
    pub fn find(&self, question: &str, limit: u32) -> Result<Vec<Passage>> {
        let found = pollster::block_on(self.0.find(question, limit, &StoppedClock::default()))?;
        Ok(found.passages)
    }

    /// The library itself.
    #[must_use]
    pub fn library(&self) -> &Library<MemoryStorage> {
        &self.0
    }
}
