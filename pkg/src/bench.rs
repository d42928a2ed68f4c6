//! `cargo pkg bench`: builds what the benchmark measures and hands over to it; the benchmark itself is in `tests`.

use crate::{error::PkgError, process::Program, workspace::Workspace};

/// Runs the benchmark with the arguments as given.
///
/// # Errors
/// If it cannot be built or fails.
pub(crate) fn bench(arguments: &[String]) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    Program::cargo(&workspace.root)
        .args(["run", "--release", "--package", "millwright-tests", "--bin", "bench", "--"])
        .args(arguments)
        .run()
}
