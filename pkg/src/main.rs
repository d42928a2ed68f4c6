//! The packaging tool behind `cargo pkg …`: gets what a machine lacks, builds the bundle, runs it, tests and checks it.
//!
//! One file a command ([`run`], [`bundle`], [`doctor`], [`mod@test`], [`check`], [`mod@bench`], [`mod@fuzz`]) over shared parts:
//! [`workspace`] (where things are), [`process`] (other programs), [`steps`] (plan, timing, summary), [`tools`] and
//! [`system`] (what the machine has). It knows no part of the product: what it builds it sees as files.
//!
//! It is the first thing that a new user waits for, so it must itself compile in seconds: few dependencies, no macros.

mod args;
mod bench;
mod browser;
mod bundle;
mod check;
mod console;
mod doctor;
mod error;
mod fuzz;
mod models;
mod process;
mod run;
mod runtime;
mod steps;
mod system;
mod test;
mod tools;
mod wasm_target;
mod workspace;

use error::PkgError;
use std::process::ExitCode;

const USAGE: &str = "\
cargo pkg COMMAND

  run     [--port N] [--no-open]   get what is missing, build, serve the app and open it
  bundle  [--debug]                build the page into pkg/dist: service worker, compression, size budget
  test    [--no-browser] [--generate]   every test, natively and in Chromium; --generate also those with a real language model
  check                            formatting, lints, docs, dependency rules, licences, tidiness
  bench   [ARGUMENTS…]             the benchmark beside its peers
  fuzz    [TARGET…] [--minutes N] [--seeds FOLDER]…   the readers, with files made to break them
  models  list | fetch NAME | verify   the models that can be used beside the app (pkg/models.toml)
  doctor  [--port N]               what this machine has, what it lacks, and what that costs

Everything it installs without being root stays in pkg/tools and pkg/dist; deleting the two undoes it.";

fn main() -> ExitCode {
    let result = args::parse(std::env::args().skip(1)).and_then(|command| match command {
        args::Command::Help => {
            console::say(USAGE);
            Ok(())
        }
        args::Command::Run(options) => run::run(&options),
        args::Command::Bundle { profile } => bundle::command(profile),
        args::Command::Doctor { port } => doctor::doctor(port),
        args::Command::Test { browser, generate } => test::test(browser, generate),
        args::Command::Check => check::check(),
        args::Command::Bench { arguments } => bench::bench(&arguments),
        args::Command::Fuzz(options) => fuzz::fuzz(&options),
        args::Command::Models { arguments } => models::models(&arguments),
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(PkgError::Usage(problem)) => {
            console::warn(&format!("{problem}\n\n{USAGE}"));
            ExitCode::from(2)
        }
        Err(error) => {
            console::warn(&format!("\nerror: {error}"));
            ExitCode::FAILURE
        }
    }
}
