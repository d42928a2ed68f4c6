//! The binary `millwright-runtime`: the same program with the model runtime in it, which a `millwright` that was built without it
//! starts to hold a model. Apart, so that the app need not wait for a C++ compiler. Not for people.

use std::process::ExitCode;

fn main() -> ExitCode {
    millwright_sidecar::run(std::env::args_os())
}
