//! `cargo pkg check`: every check, natively and in Chromium. To be written.

use crate::error::PkgError;

/// Runs them.
pub(crate) fn check() -> Result<(), PkgError> {
    Err(PkgError::Failed("not there yet".into()))
}
