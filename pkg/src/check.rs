//! `cargo pkg check`: formatting, lints natively and for wasm, documentation, dependency rules, licences, tidiness.
//!
//! Everything but the code's behaviour, which is `cargo pkg test`'s. It changes no file of the project.

mod dependencies;
mod licences;
mod spdx;
mod tidy;

use crate::{
    console::say,
    error::PkgError,
    process::{Program, find},
    steps::{self, OnFailure, Outcome, Step},
    wasm_target::{self, TARGET},
    workspace::Workspace,
};

/// Checkers of other people's that are used where somebody has them: installing them would cost minutes each.
const EXTRA: [(&str, &str, &[&str]); 3] = [
    ("typos", "typos", &["--hidden"]),
    ("unused dependencies", "cargo-machete", &[]),
    ("cargo-deny", "cargo-deny", &["check", "bans", "sources"]),
];

/// Runs all checks and sums them up.
///
/// # Errors
/// If any check failed; the table says which.
pub(crate) fn check() -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let before = tidy::state(&workspace)?;
    let mut steps: Vec<Step<'_>> = components(&workspace).into_iter().collect();
    steps.extend(wasm_target::step(&workspace)?);
    let native = [
        "--workspace",
        "--exclude",
        "millwright-web",
        "--features",
        "millwright-core/embed-reference,millwright-sidecar/embed,millwright-sidecar/scan",
    ];
    let page = ["--package", "millwright-web", "--target", TARGET];
    let embedder =
        ["--package", "millwright-web", "--target", TARGET, "--no-default-features", "--features", "relaxed-simd"];
    // Together with the page, which tells the libraries below the core where a browser's random numbers come from.
    let core = ["--package", "millwright-core", "--package", "millwright-web", "--target", TARGET];
    let deny = ["--", "-D", "warnings"];
    let cargo = |arguments: &[&[&str]]| Program::cargo(&workspace.root).args(arguments.concat());
    let docs = |arguments: &[&str]| cargo(&[&["doc", "--no-deps"], arguments]).env("RUSTDOCFLAGS", "-Dwarnings");
    steps.extend([
        // First, because everything after it would quietly write the lock file anew.
        quiet("lock file", &workspace, ["metadata", "--locked", "--format-version", "1"].as_slice()),
        by("formatting", None, cargo(&[&["fmt", "--all", "--check"]])),
        by("lints", Some(3.0), cargo(&[&["clippy", "--keep-going", "--all-targets"], &native, &deny])),
        by("lints, page as wasm", Some(2.0), cargo(&[&["clippy", "--keep-going", "--all-targets"], &page, &deny])),
        by("lints, embedder as wasm", Some(1.5), cargo(&[&["clippy", "--keep-going"], &embedder, &deny])),
        by("lints, core as wasm", Some(0.5), cargo(&[&["clippy", "--keep-going"], &core, &deny])),
        by("documentation", Some(0.5), docs(&native)),
        by("documentation of the page", Some(0.5), docs(&page)),
        own("dependency rules", "who may depend on whom", || dependencies::check(&workspace)),
        own("licences", "every dependency's licence is one that we may ship", || licences::check(&workspace)),
        own("tidiness", "file headers and lengths, names, no hosts or machine paths", || tidy::check(&workspace)),
    ]);
    for (name, program, arguments) in EXTRA {
        if find(program, &[]).is_some() {
            steps.push(by(name, None, Program::new(program, &workspace.root).args(arguments)));
        }
    }
    steps.push(own("unchanged", "no check wrote to the project", || {
        let changed = tidy::state(&workspace)? != before;
        Ok(changed.then(|| "the checks changed files: see `git status`".to_owned()).into_iter().collect())
    }));
    let taken = steps::take(steps, OnFailure::GoOn)?;
    steps::conclude(&taken, "cargo pkg check")
}

/// rustfmt and clippy, which a minimal toolchain lacks.
fn components(workspace: &Workspace) -> Option<Step<'_>> {
    let works = |command: &str| Program::cargo(&workspace.root).args([command, "--version"]).capture().is_ok();
    if (works("fmt") && works("clippy")) || find("rustup", &[]).is_none() {
        return None;
    }
    let program = Program::new("rustup", &workspace.root).args(["component", "add", "rustfmt", "clippy"]);
    Some(by("rustfmt and clippy", None, program))
}

/// A check that another program makes.
fn by<'a>(name: &str, minutes: Option<f32>, program: Program) -> Step<'a> {
    Step {
        name: name.to_owned(),
        what: format!("`{}`", program.line()),
        minutes,
        action: Box::new(move || program.run().map(|()| passed())),
    }
}

/// One whose output nobody wants to see.
fn quiet<'a>(name: &str, workspace: &Workspace, arguments: &[&str]) -> Step<'a> {
    let program = Program::cargo(&workspace.root).args(arguments);
    let step = by(name, None, Program::cargo(&workspace.root).args(arguments));
    Step { action: Box::new(move || program.capture().map(|_| passed())), ..step }
}

/// One of our own, which gives a sentence for each thing that is wrong.
fn own<'a>(name: &str, what: &str, find: impl FnOnce() -> Result<Vec<String>, PkgError> + 'a) -> Step<'a> {
    Step {
        name: name.to_owned(),
        what: what.to_owned(),
        minutes: None,
        action: Box::new(move || {
            let problems = find()?;
            problems.iter().for_each(|problem| say(&format!("      {problem}")));
            match problems.len() {
                0 => Ok(passed()),
                n => Err(PkgError::Failed(format!("{n} found"))),
            }
        }),
    }
}

fn passed() -> Outcome {
    Outcome { n_passed: 1, ..Outcome::default() }
}
