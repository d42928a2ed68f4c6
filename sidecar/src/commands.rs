//! Answers what was asked on the command line. Not for parsing arguments, ranking or storing.

mod ask;
mod documents;
#[cfg(feature = "scan")]
mod draw;
mod embed;
mod evaluate;
mod find;
mod ingest;
mod models;
mod parse;
mod remove;
mod renewing;
mod serve;
mod train;

use crate::{
    EXIT_FAILED,
    cli::{Cli, Command},
    collections::CollectionError,
    generate::child,
    library_dir::default_library_dir,
    output::Output,
    server::ServeError,
    store::{FileStorage, OpenError},
};
use millwright_core::{
    index::{IndexError, Library},
    protocol::{Failure, FailureKind},
};
use std::path::{Path, PathBuf};

/// Why a command failed as a whole.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The store cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The library failed.
    #[error(transparent)]
    Library(#[from] IndexError),
    /// The server cannot run.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The collection cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// Anything that is already in words for the user.
    #[error(transparent)]
    Failure(#[from] Failure),
}

impl CommandError {
    /// For the user and for programs.
    #[must_use]
    pub fn failure(&self) -> Failure {
        match self {
            Self::Open(error) => error.into(),
            Self::Library(error) => error.clone().into(),
            Self::Serve(error) => error.into(),
            Self::Collection(error) => Failure { error: error.to_string(), error_type: FailureKind::UnreadableFile },
            Self::Failure(failure) => failure.clone(),
        }
    }
}

/// Runs a command and returns its exit code.
///
/// # Errors
/// [`CommandError`] when nothing could be done. Failures of single files are part of the answer.
pub fn run(cli: Cli, output: &mut Output) -> Result<u8, CommandError> {
    // Serving touches no library: the page keeps its own in the browser.
    let library = cli.library;
    match cli.command {
        Command::Serve(args) => serve::run(&args, library, output),
        Command::ModelProcess(args) => {
            let work = if args.bare { child::measure } else { child::run };
            Ok(if work(&args.model, args.room) { crate::EXIT_OK } else { EXIT_FAILED })
        }
        Command::Ingest(args) => ingest::run(&args, library, output),
        Command::Embed(args) => embed::run(&args, library, output),
        Command::Find(args) => find::run(&args, library, output),
        Command::Ask(args) => ask::run(&args, library, output),
        Command::Documents => documents::run(library, output),
        Command::Remove(args) => remove::run(&args, library, output),
        Command::Parse(args) => parse::run(&args, output),
        Command::Models(args) => models::run(&args, output),
        #[cfg(feature = "scan")]
        Command::Draw(args) => draw::run(&args, output),
        Command::Evaluate(args) => evaluate::run(&args, output),
        Command::Train(args) => train::run(&args, output),
    }
}

/// Opens the library in the named folder or the user's own, and brings it up to date where an older version wrote it.
fn open_library(dir: Option<PathBuf>, output: &mut Output) -> Result<Library<FileStorage>, CommandError> {
    let dir = dir.or_else(default_library_dir).ok_or(OpenError::NoHome)?;
    let storage = FileStorage::open(&dir)?;
    let mut library = pollster::block_on(Library::open(storage))?;
    renewing::renew(&mut library, output)?;
    pollster::block_on(library.load_vectors())?;
    Ok(library)
}

/// Reads a whole file, refusing early what the parsers would refuse for its size.
fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    use millwright_core::parse::{MAX_FILE_BYTES, ParseError};
    use std::io::Read;
    let unreadable = |error: std::io::Error| Failure {
        error: crate::files::unreadable(&error),
        error_type: FailureKind::UnreadableFile,
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let size_bytes = file.metadata().map_err(unreadable)?.len();
    let too_large = |size_bytes| Failure::from(ParseError::TooLarge { size_bytes, limit_bytes: MAX_FILE_BYTES });
    if size_bytes > MAX_FILE_BYTES {
        return Err(too_large(size_bytes));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size_bytes).unwrap_or(0));
    // A file may grow while it is read.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

/// `1 passage`, `2 passages`, with thousands set apart.
fn count(n: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { singular } else { plural })
}

/// `12,345`.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `812 B`, `4.2 kB`, `31 MB`: decimal units, as file managers show.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value < 9.95 { format!("{value:.1} {}", UNITS[unit]) } else { format!("{value:.0} {}", UNITS[unit]) }
}

/// The code of a command that did what it could: failed only if nothing went well.
fn code_of(n_ok: usize, n_failed: usize) -> u8 {
    if n_ok == 0 && n_failed > 0 { EXIT_FAILED } else { crate::EXIT_OK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(1, "page", "pages"), "1 page");
        assert_eq!(count(1_234_567, "page", "pages"), "1,234,567 pages");
        assert_eq!(
            [0, 999, 1000, 9_949, 9_960, 999_400, 999_600, 31_000_000].map(size),
            ["0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB", "31 MB"]
        );
    }
}
