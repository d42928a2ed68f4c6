//! `cargo pkg bench`: gets and builds what the benchmark measures, and hands over to it.
//!
//! The benchmark itself, with its peers, is the program `bench` of `millwright-tests`. It finds bundle, sidecar and
//! browser in its environment, as the browser tests do.

use crate::{
    browser, bundle,
    error::PkgError,
    process::Program,
    run::sidecar_step,
    steps::{self, OnFailure},
    tools, wasm_target,
    workspace::{Profile, Workspace},
};

/// Runs the benchmark with the arguments as given.
///
/// # Errors
/// If something that it needs could not be got or built, or it fails.
pub(crate) fn bench(arguments: &[String]) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let mut steps: Vec<_> = browser::step().into_iter().collect();
    steps.extend(wasm_target::step(&workspace)?);
    steps.extend(tools::steps(&workspace));
    // Reading and vectors are measured in workers of the benchmark's own.
    if !arguments.iter().any(|argument| argument == "--parsing" || argument == "--vectors") {
        steps.extend(bundle::step(&workspace, Profile::Release)?);
    }
    steps.push(sidecar_step(&workspace));
    steps::take(steps, OnFailure::Stop)?;
    let program = Program::cargo(&workspace.root)
        .args(["run", "--release", "--package", "millwright-tests", "--features", "dense", "--bin", "bench", "--"])
        .args(arguments);
    browser::tell(program, &workspace, Profile::Release)?.run()
}
