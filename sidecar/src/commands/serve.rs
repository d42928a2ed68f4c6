//! `millwright serve`: the page for this machine's browsers.

use super::CommandError;
use crate::{
    EXIT_OK,
    cli::ServeArgs,
    generate::{Writer, choice::KEY_VARIABLE},
    library_dir::default_library_dir,
    output::Output,
    server::{self, Server, generator::Desk, pairing::Pairing},
};
use millwright_core::{
    host::generator::{Generator, Place},
    protocol::{Failure, FailureKind},
};
use serde::Serialize;
use std::path::PathBuf;

/// Printed once, as soon as the page can be opened.
#[derive(Serialize)]
struct Serving {
    address: String,
    version: &'static str,
    bundle: Option<String>,
    /// Where programs find the key to the language model.
    pairing_key_file: Option<PathBuf>,
}

pub(super) fn run(args: &ServeArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let app_dir = server::find_app_dir(args.app.as_deref())?;
    let pairing = pairing(library, output);
    let key_file = pairing.file.clone();
    let key = std::env::var(KEY_VARIABLE).ok().filter(|key| !key.is_empty());
    let writer = args.writer.writer(key).map_err(|error| Failure { error, error_type: FailureKind::BadRequest })?;
    let about_model = about(&writer);
    let server = Server::bind(args.port, &app_dir, Desk::new(writer, pairing))?;
    let serving = Serving {
        address: server.address(),
        version: env!("CARGO_PKG_VERSION"),
        bundle: server.bundle_version(),
        pairing_key_file: key_file,
    };
    output.json(&serving);
    output.line(&format!("Millwright is served at {}", output.bold(&serving.address)));
    if let Some(words) = about_model {
        output.line(&words);
    }
    if let Some(file) = &serving.pairing_key_file {
        output.line(&format!("Programs may use the language model at /v1 with the key in {}", file.display()));
    }
    output.line("For the browsers of this machine alone. Stop it with Ctrl-C.");
    output.flush();
    server.run_until_signalled()?;
    output.line("Stopped.");
    Ok(EXIT_OK)
}

/// The key of this installation; without a place for it programs are refused, and the page works.
fn pairing(library: Option<PathBuf>, output: &mut Output) -> Pairing {
    let Some(folder) = library.or_else(default_library_dir) else { return Pairing::default() };
    Pairing::in_folder(&folder).unwrap_or_else(|error| {
        let folder = folder.display();
        output.complaint(&format!(
            "The key for programs cannot be kept in {folder}: {error}. They are refused; the page works."
        ));
        Pairing::default()
    })
}

/// Who writes, in words; a model elsewhere is said loudly.
fn about(writer: &Writer) -> Option<String> {
    let status = writer.status();
    match status.place {
        Place::Hosted { host } => Some(format!(
            "Answers are written by {host}: questions and the excerpts selected for them leave this machine."
        )),
        Place::Here => status
            .model
            .map(|model| format!("Answers are written by {model}, on this machine; it is {}.", status.state)),
    }
}
