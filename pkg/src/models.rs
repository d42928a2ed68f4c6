//! `cargo pkg models`: hands over to `millwright models`, which lists, gets and checks what `models.toml` beside this
//! package's manifest names.

use crate::{error::PkgError, process::Program, workspace::Workspace};

/// Runs it with the arguments as given.
///
/// # Errors
/// If it cannot be built or fails.
pub(crate) fn models(arguments: &[String]) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    // As `cargo pkg run` builds it, so that it is compiled once.
    let run = ["run", "--release", "--package", "millwright-sidecar", "--features", "embed,scan", "--", "models"];
    Program::cargo(&workspace.root).args(run).args(arguments).run()
}
