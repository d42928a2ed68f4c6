//! The reader: a worker that turns one file's bytes into something the library can commit, and may die trying.

/// Runs this worker as a reader.
pub fn start() {}
