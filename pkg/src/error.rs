//! What can go wrong in the packaging tool, each case saying what happened and what to do now.

use std::{fmt, io, path::Path};

/// Why a command did not do what was asked. Written by hand: the usual derive would double this tool's own build time.
#[derive(Debug)]
pub(crate) enum PkgError {
    /// The command line was not understood.
    Usage(String),
    /// The file system or the network refused something.
    Io {
        /// What was being done, to which file.
        doing: String,
        /// The system's answer.
        source: io::Error,
    },
    /// Another program could not be started or ended with a failure.
    Program {
        /// The command line.
        line: String,
        /// How it ended.
        ending: String,
    },
    /// Something this machine lacks and that this tool could not get.
    Missing {
        /// What is missing.
        what: String,
        /// What the user can do now, usually a line to type.
        remedy: String,
    },
    /// What was built, tested or checked is not as it should be.
    Failed(String),
}

impl PkgError {
    /// Wraps an [`io::Error`] with what was being done.
    pub(crate) fn io(doing: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let doing = doing.into();
        move |source| Self::Io { doing, source }
    }

    /// Wraps an [`io::Error`] that concerns one file.
    pub(crate) fn file<'a>(verb: &'a str, path: &'a Path) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io { doing: format!("{verb} {}", path.display()), source }
    }
}

impl fmt::Display for PkgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(problem) | Self::Failed(problem) => f.write_str(problem),
            Self::Io { doing, source } => write!(f, "{doing}: {source}"),
            Self::Program { line, ending } => write!(f, "`{line}` {ending}"),
            Self::Missing { what, remedy } => write!(f, "{what}\n  what to do now: {remedy}"),
        }
    }
}

impl std::error::Error for PkgError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
