//! The binary `millwright`: hands its arguments to the library and returns what it says. Not for anything else.

use std::process::ExitCode;

fn main() -> ExitCode {
    millwright_sidecar::run(std::env::args_os())
}
