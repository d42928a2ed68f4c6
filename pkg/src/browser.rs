//! The browser that tests and the benchmark drive: found, or got by apt, and told to what drives it.

use crate::{
    error::PkgError,
    process::{Program, find},
    steps::{Outcome, Step},
    system::Apt,
    workspace::{Profile, Workspace},
};
use std::path::PathBuf;

/// Debian's packages with the two programs, whose versions must fit each other, and letters to lay pages out with.
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-liberation"];

/// A Chromium that can be driven.
pub(crate) fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    named_by("CHROME").or_else(|| names.iter().find_map(|name| find(name, &[])))
}

/// Its WebDriver server.
pub(crate) fn chromedriver() -> Option<PathBuf> {
    named_by("CHROMEDRIVER").or_else(|| find("chromedriver", &[]))
}

fn named_by(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

/// The step that gets both, or none where they are there.
pub(crate) fn step<'a>() -> Option<Step<'a>> {
    if chromium().is_some() && chromedriver().is_some() {
        return None;
    }
    Some(Step {
        name: "Chromium".into(),
        what: format!("`{}`", Apt::find().line(&PACKAGES)),
        minutes: Some(1.0),
        action: Box::new(|| Apt::find().install(&PACKAGES).map(|()| Outcome::default())),
    })
}

/// Both programs' places.
///
/// # Errors
/// [`PkgError::Missing`] with the line to type.
pub(crate) fn locate() -> Result<(PathBuf, PathBuf), PkgError> {
    let missing =
        |what: &str| PkgError::Missing { what: format!("{what} is missing"), remedy: Apt::find().line(&PACKAGES) };
    let browser = chromium().ok_or_else(|| missing("Chromium"))?;
    let driver = chromedriver().ok_or_else(|| missing("chromedriver"))?;
    Ok((browser, driver))
}

/// Tells a program of `millwright-tests` what to drive, and over which bundle and sidecar.
///
/// # Errors
/// If there is no browser.
pub(crate) fn tell(program: Program, workspace: &Workspace, sidecar: Profile) -> Result<Program, PkgError> {
    let (browser, driver) = locate()?;
    Ok(program
        .env("MILLWRIGHT_BUNDLE", workspace.dist())
        .env("MILLWRIGHT_BIN", workspace.sidecar(sidecar))
        .env("MILLWRIGHT_REQUIRE_BROWSER", "1")
        .env("CHROME", &browser)
        .env("CHROMIUM", &browser)
        .env("CHROMEDRIVER", driver))
}
