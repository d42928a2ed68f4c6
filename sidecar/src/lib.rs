//! The native side: the command line, the server that serves the page, and the file-system store.
//!
//! Reading order: [`cli`] says what can be asked, [`commands`] answers it, over a [`store`] that keeps a core
//! `Library`, with [`reader`] guarding the parsers, [`vectors`] running the embedding model and [`output`] being the only place that writes to the terminal.
//! [`server`] serves the page and shares nothing with the commands; [`generate`] has a language model write for both.
//!
//! What it is not for: parsing, chunking, ranking. That is the core, and it is the same in the browser.

pub mod cli;
pub mod clock;
pub mod collections;
pub mod commands;
pub mod evaluation;
pub mod files;
pub mod generate;
pub mod interrupt;
pub mod library_dir;
pub mod models;
pub mod output;
pub mod reader;
pub mod reranking;
pub mod server;
pub mod store;
pub mod vectors;

use clap::Parser;
use millwright_core::protocol::{Failure, FailureKind};
use std::{
    ffi::OsString,
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
};

/// Exit code where everything (or, for several files, anything) went well.
pub const EXIT_OK: u8 = 0;
/// Exit code where nothing went well.
pub const EXIT_FAILED: u8 = 1;
/// Exit code where the command line makes no sense.
pub const EXIT_USAGE: u8 = 2;
/// Exit code after Ctrl-C, as shells have it: 128 + SIGINT.
pub const EXIT_INTERRUPTED: u8 = 130;

/// Runs one command line, the program's name first, and returns its exit code.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // A command line that cannot be understood still says whether it wanted JSON.
    let wants_json = arguments.iter().any(|argument| argument == "--json");
    let mut output = output::Output::stdout(wants_json);
    let code = match cli::Cli::try_parse_from(arguments) {
        // A fault of our own (or a damaged store, which makes redb panic) must not end without a word to a program
        // that waits for JSON.
        Ok(cli) => match panic::catch_unwind(AssertUnwindSafe(|| commands::run(cli, &mut output))) {
            Ok(Ok(code)) => code,
            Ok(Err(error)) => {
                output.failure(&error.failure());
                EXIT_FAILED
            }
            Err(_) => {
                output.failure(&Failure {
                    error: "Millwright stumbled over a fault of its own; the message above says where. \
                            What was stored before is safe."
                        .to_owned(),
                    error_type: FailureKind::Internal,
                });
                EXIT_FAILED
            }
        },
        Err(error) => refuse(&error, &mut output),
    };
    ExitCode::from(if output.finish() { code } else { EXIT_FAILED })
}

/// Help and version are answers; anything else that clap has to say is a usage error.
fn refuse(error: &clap::Error, output: &mut output::Output) -> u8 {
    use clap::error::ErrorKind;
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_answer {
        output.text(&error.render().to_string());
        return EXIT_OK;
    }
    if output.is_json() {
        let first_paragraph = error.to_string();
        let first_paragraph = first_paragraph.split("\n\n").next().unwrap_or_default();
        let message = first_paragraph.strip_prefix("error: ").unwrap_or(first_paragraph).trim().to_owned();
        output.failure(&Failure { error: message, error_type: FailureKind::BadRequest });
    } else {
        output.complaint(error.render().to_string().trim_end());
    }
    EXIT_USAGE
}
