//! Reading pictures of pages: our own printed pages drawn at 200 dpi and recognised, held against what was printed.
//!
//! Words are compared where they stand on the page, so that only detection and recognition are measured: the order of
//! columns is layout's, and measured elsewhere.

#[cfg(feature = "scan")]
mod measured;
#[cfg(any(feature = "scan", test))]
mod words;

use super::{Bench, Outcome};
use std::path::Path;

/// See the module.
pub(super) const SCANS: Bench = Bench { name: "scans", run };

#[cfg(feature = "scan")]
fn run(_data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    measured::run(say)
}

#[cfg(not(feature = "scan"))]
fn run(_data: &Path, _say: &mut dyn FnMut(&str)) -> Outcome {
    Outcome::Skipped("This build reads no scans. Build it with `--features scan`.".to_owned())
}
