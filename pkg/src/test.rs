//! `cargo pkg test`: every test, natively and in Chromium. To be written.

use crate::error::PkgError;

/// Runs them.
pub(crate) fn test(_browser: bool) -> Result<(), PkgError> {
    Err(PkgError::Failed("not there yet".into()))
}
