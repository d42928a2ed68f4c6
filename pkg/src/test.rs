//! `cargo pkg test`: every test, natively and in Chromium, summed up in one table.
//!
//! A failing step does not keep the next from running: one run tells everything that is wrong.

mod counts;

use crate::{
    browser, bundle,
    console::say,
    doctor::{self, DiskNeed},
    error::PkgError,
    process::{Program, find},
    steps::{self, OnFailure, Outcome, Step},
    system, tools, wasm_target,
    workspace::{Profile, Workspace},
};
use counts::Counts;
use serde_json::json;
use std::fs;

/// Test targets of `millwright-tests` that drive a browser begin with this.
const BROWSER_TARGETS: &str = "browser";

/// Names the model of the tests that need one.
const MODEL_VARIABLE: &str = "MILLWRIGHT_TEST_MODEL";

/// All packages that run natively. Always all of them, also where one would do: cargo chooses its dependencies' features
/// by what is built together, and would compile half of them once more for another choice.
///
/// With the reading of scans and the making of vectors, which an ordinary `cargo test` leaves out because they take minutes
/// to compile.
const NATIVE: [&str; 5] = [
    "--workspace",
    "--exclude",
    "millwright-web",
    "--features",
    "millwright-core/embed-reference,millwright-sidecar/embed,millwright-sidecar/scan",
];

/// Runs them.
///
/// # Errors
/// If any test failed or any step could not be done; the table says which.
pub(crate) fn test(in_browser_too: bool, with_model: bool) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let mut steps = Vec::new();
    if in_browser_too {
        steps.extend(browser::step());
        steps.extend(wasm_target::step(&workspace)?);
        steps.extend(tools::steps(&workspace));
    }
    steps.push(build(&workspace));
    steps.push(native(&workspace));
    steps.push(documentation(&workspace));
    if in_browser_too {
        steps.push(wasm(&workspace));
        steps.extend(bundle::step(&workspace, Profile::Release)?);
        steps.push(in_browser(&workspace));
    }
    if with_model {
        steps.push(with_language_model(&workspace));
    }
    say(&steps::announce(&steps));
    if let Some(warning) = doctor::disk_warning(&workspace, DiskNeed::TESTS) {
        say(&warning);
    }
    let taken = steps::take(steps, OnFailure::GoOn)?;
    steps::conclude(&taken, "cargo pkg test")
}

/// Compiles all native tests together with the sidecar that the browser tests talk to, so that what they share is
/// compiled once and the tests' own time is told apart from the compiler's.
fn build(workspace: &Workspace) -> Step<'_> {
    let program = Program::cargo(&workspace.root).arg("build").args(NATIVE).args(["--lib", "--bins", "--tests"]);
    Step {
        name: "native build".into(),
        what: format!("`{}`", program.line()),
        minutes: Some(9.0),
        action: Box::new(move || program.run().map(|()| Outcome::default())),
    }
}

/// Everything but what drives a browser.
fn native(workspace: &Workspace) -> Step<'_> {
    let program = runner(workspace).args(NATIVE);
    let program = if has_nextest() {
        program.args(["-E", &format!("not binary(/^{BROWSER_TARGETS}/)")])
    } else {
        // Without the examples in the documentation, which are a step of their own.
        program.args(["--lib", "--bins", "--tests"])
    };
    counted("native tests", 1.0, program)
}

/// The examples in the documentation, which nextest does not run.
fn documentation(workspace: &Workspace) -> Step<'_> {
    let program = Program::cargo(&workspace.root).args(["test", "--doc"]).args(NATIVE);
    counted("doctests", 1.0, program)
}

/// The web package's own tests: compiled to wasm, run in a headless browser.
fn wasm(workspace: &Workspace) -> Step<'_> {
    let arguments = ["test", "--package", "millwright-web", "--target", wasm_target::TARGET, "--no-fail-fast"];
    prepared("wasm tests", 4.0, Program::cargo(&workspace.root).args(arguments), move |program| {
        let (browser, driver) = browser::locate()?;
        let bindgen = tools::WASM_BINDGEN.required(workspace)?;
        let capabilities = workspace.target.join("millwright-webdriver.json");
        let mut flags = vec!["--headless", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"];
        flags.extend(system::is_root().then_some("--no-sandbox"));
        let text = json!({ "goog:chromeOptions": { "args": flags, "binary": browser } }).to_string();
        fs::write(&capabilities, text).map_err(PkgError::file("writing", &capabilities))?;
        let runner = bindgen.with_file_name(format!("wasm-bindgen-test-runner{}", std::env::consts::EXE_SUFFIX));
        Ok(program
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", &capabilities)
            // The driver may be slow to start on a loaded machine, and the default for all tests together is 20 s.
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "300")
            .env("CHROMEDRIVER", driver))
    })
}

/// A person's path through the built app.
fn in_browser(workspace: &Workspace) -> Step<'_> {
    let program = runner(workspace).args(NATIVE);
    let program = if has_nextest() {
        program.args(["-E", &format!("binary(/^{BROWSER_TARGETS}/)")])
    } else {
        browser_targets(workspace).iter().fold(program, |program, target| program.args(["--test", target]))
    };
    prepared("browser tests", 3.0, program, move |program| browser::tell(program, workspace, Profile::Debug))
}

/// What needs llama.cpp and a model: a step of its own, since it compiles both anew.
fn with_language_model(workspace: &Workspace) -> Step<'_> {
    let arguments = ["--package", "millwright-sidecar", "--features", "generate", "--test", "generation"];
    let program = runner(workspace).args(arguments);
    let program = if has_nextest() {
        program.args(["--run-ignored", "only", "-E", "test(/^real::/)"])
    } else {
        program.args(["real::", "--", "--ignored"])
    };
    prepared("language model tests", 20.0, program, |program| {
        let is_there = std::env::var_os(MODEL_VARIABLE).is_some_and(|path| std::path::Path::new(&path).is_file());
        let lacking = crate::runtime::lacking();
        if is_there && lacking.is_empty() {
            return Ok(program);
        }
        let what = if is_there { lacking.join(" and ") } else { format!("a language model in {MODEL_VARIABLE}") };
        let remedy = format!("{MODEL_VARIABLE}=FILE.gguf cargo pkg test --generate, with cmake and libclang installed");
        Err(PkgError::Missing { what: format!("{what} is missing"), remedy })
    })
}

fn has_nextest() -> bool {
    find("cargo-nextest", &[]).is_some()
}

/// nextest where it is there: it runs tests side by side, each in a process of its own.
fn runner(workspace: &Workspace) -> Program {
    let program = Program::cargo(&workspace.root);
    if has_nextest() {
        program.args(["nextest", "run", "--no-fail-fast", "--status-level", "slow", "--final-status-level", "slow"])
    } else {
        program.args(["test", "--no-fail-fast"])
    }
}

/// The names of the browser's test targets, for a runner that cannot select by pattern.
fn browser_targets(workspace: &Workspace) -> Vec<String> {
    let folder = workspace.root.join("tests").join("tests");
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut names: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").is_file())
        .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
        .filter(|name| name.starts_with(BROWSER_TARGETS))
        .collect();
    names.sort();
    names
}

fn counted<'a>(name: &str, minutes: f32, program: Program) -> Step<'a> {
    prepared(name, minutes, program, Ok)
}

/// A test runner that needs something which earlier steps may only just have brought.
fn prepared<'a>(
    name: &str,
    minutes: f32,
    program: Program,
    prepare: impl FnOnce(Program) -> Result<Program, PkgError> + 'a,
) -> Step<'a> {
    Step {
        name: name.to_owned(),
        what: format!("`{}`", program.line()),
        minutes: Some(minutes),
        action: Box::new(move || count(prepare(program)?)),
    }
}

/// Runs a test runner, passing its output through and reading the counts out of it.
fn count(program: Program) -> Result<Outcome, PkgError> {
    let line = program.line();
    let mut counts = Counts::default();
    let succeeded = program.env("CARGO_TERM_COLOR", "never").watched(|line| counts.read(line))?;
    if !succeeded && counts.n_failed == 0 {
        // It did not get as far as running a test: a compile error, say.
        return Err(PkgError::Program { line, ending: "failed".into() });
    }
    let note = if counts.n_passed == 0 { "no test ran" } else { "" };
    Ok(Outcome { n_passed: counts.n_passed, n_failed: counts.n_failed, note: note.into() })
}
