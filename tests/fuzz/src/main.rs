//! Fuzz targets for everything that reads foreign bytes: each parser, telling formats apart, the whole of preparing a
//! file, and what a damaged store may hold. `cargo pkg fuzz [TARGET…] [--minutes N] [--seeds FOLDER]…` runs them one
//! after another; what it finds becomes a small test beside the parser, made by hand, and is mended for its kind.
//!
//! One program for all targets, because building is what takes long: `MILLWRIGHT_FUZZ` names the [`target`]. It is built
//! as cargo-fuzz builds (libFuzzer, coverage by LLVM's sancov), but with the compiler that builds the product.
//!
//! - A packed format is fuzzed as its parts, not as its ZIP or its records' lengths: see [`package`], [`records`], [`pdf`].
//! - What must hold of every tree and chunk is in [`mod@check`].
//! - `MILLWRIGHT_SEEDS` names folders whose files, turned into inputs of the target, are written to `MILLWRIGHT_CORPUS`
//!   before it begins: see [`seeds`]. Files of other people are used from where they lie and never kept here; the inputs
//!   in the folder `seeds` are our own.
//! - `MILLWRIGHT_SHOW` names a file to which the file that an input stands for is written, for a look at a finding.
#![cfg_attr(fuzzing, no_main)]

mod check;
mod package;
mod pdf;
mod records;
mod seeds;
mod store;
mod target;

use std::sync::OnceLock;
use target::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

libfuzzer_sys::fuzz_target!(
    init: {
        let name = std::env::var("MILLWRIGHT_FUZZ").unwrap_or_default();
        if name == "list" {
            println!("{}", target::names().replace(',', ""));
            std::process::exit(0);
        }
        let Some(target) = Target::named(&name) else {
            eprintln!("MILLWRIGHT_FUZZ names no target: one of {}", target::names());
            std::process::exit(2);
        };
        if let Err(error) = seeds::write(target) {
            eprintln!("The seeds of {name} were not written: {error}");
            std::process::exit(2);
        }
        let _ = TARGET.set(target);
    },
    |input: &[u8]| {
        if let Some(target) = TARGET.get() {
            target.run(input);
        }
    }
);

/// Without the instrumentation there is nothing to run.
#[cfg(not(fuzzing))]
fn main() {
    eprintln!("Run `cargo pkg fuzz`, which builds this with the instrumentation that it needs.");
    std::process::exit(2);
}
