//! `millwright serve`: the page for this machine's browsers.

use super::CommandError;
use crate::{
    EXIT_OK,
    cli::ServeArgs,
    output::Output,
    server::{self, Server},
};
use serde::Serialize;

/// Printed once, as soon as the page can be opened.
#[derive(Serialize)]
struct Serving {
    address: String,
    version: &'static str,
    bundle: Option<String>,
}

pub(super) fn run(args: &ServeArgs, output: &mut Output) -> Result<u8, CommandError> {
    let app_dir = server::find_app_dir(args.app.as_deref())?;
    let server = Server::bind(args.port, &app_dir)?;
    let serving =
        Serving { address: server.address(), version: env!("CARGO_PKG_VERSION"), bundle: server.bundle_version() };
    output.json(&serving);
    output.line(&format!("Millwright is served at {}", output.bold(&serving.address)));
    output.line("For the browsers of this machine alone. Stop it with Ctrl-C.");
    output.flush();
    server.run_until_signalled()?;
    output.line("Stopped.");
    Ok(EXIT_OK)
}
