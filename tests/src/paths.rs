//! Where things are: the workspace, what was built, public data beside the project, the folder for screenshots.

use anyhow::{Context, Result, bail};
use millwright_sidecar::models;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The folder of the workspace.
#[must_use]
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

/// A folder for what a test run leaves to look at (screenshots, logs); made if missing, ignored by git.
///
/// # Errors
/// When it cannot be made.
pub fn out(part: &str) -> Result<PathBuf> {
    let folder = workspace().join("tests/out").join(part);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A folder of public data beside the project, `None` with a loud line where it is not there: public data is never part
/// of the project. `MILLWRIGHT_DATA` names another place than `../shared/data`.
#[must_use]
pub fn public_data(part: &str) -> Option<PathBuf> {
    let root = env::var_os("MILLWRIGHT_DATA").map_or_else(|| workspace().join("../shared/data"), PathBuf::from);
    let folder = root.join(part);
    if !folder.is_dir() {
        eprintln!("SKIPPED: public data `{part}` is not at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// The folder of models, if it holds this one whole; `None` with a loud line otherwise. `MILLWRIGHT_MODELS` names it, as it
/// does for the sidecar.
///
/// # Errors
/// When this version knows no such model.
pub fn model(id: &str) -> Result<Option<PathBuf>> {
    let model = models::shipped().model(id).with_context(|| format!("no model is called {id}"))?;
    let folder = models::models_dir(None).filter(|dir| models::presence(model, dir) == models::Presence::Whole);
    if folder.is_none() {
        eprintln!("SKIPPED: the model `{id}` is not here; `millwright models fetch {id}` gets it");
    }
    Ok(folder)
}

/// The built page, from `MILLWRIGHT_BUNDLE`. `None` with a loud line if the variable is not set, an error where
/// `MILLWRIGHT_REQUIRE_BROWSER` says that there is no excuse.
///
/// # Errors
/// When the bundle is required and missing, or the variable names a folder without `index.html`.
pub fn bundle() -> Result<Option<PathBuf>> {
    let Some(folder) = env::var_os("MILLWRIGHT_BUNDLE").map(PathBuf::from) else {
        if env::var_os("MILLWRIGHT_REQUIRE_BROWSER").is_some() {
            bail!("MILLWRIGHT_REQUIRE_BROWSER is set, but MILLWRIGHT_BUNDLE does not name the built page");
        }
        eprintln!("SKIPPED: MILLWRIGHT_BUNDLE does not name a built page; `cargo pkg test` builds one and runs this");
        return Ok(None);
    };
    // Tests run in their package's folder; people name folders from the workspace's.
    let folder = if folder.is_relative() { workspace().join(folder) } else { folder };
    if !folder.join("index.html").is_file() {
        bail!("MILLWRIGHT_BUNDLE names {}, which holds no index.html", folder.display());
    }
    Ok(Some(folder))
}

/// The sidecar's binary: `MILLWRIGHT_BIN`, or the newest of the release and debug builds.
///
/// # Errors
/// When there is none.
pub fn sidecar_binary() -> Result<PathBuf> {
    if let Some(binary) = env::var_os("MILLWRIGHT_BIN").map(PathBuf::from) {
        return Ok(if binary.is_relative() { workspace().join(binary) } else { binary });
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let name = format!("millwright{}", env::consts::EXE_SUFFIX);
    let built = ["release", "debug"].into_iter().map(|profile| target.join(profile).join(&name));
    built
        .filter_map(|path| Some((fs::metadata(&path).ok()?.modified().ok()?, path)))
        .max()
        .map(|(_, path)| path)
        .with_context(|| format!("no `millwright` under {}: build millwright-sidecar first", target.display()))
}

/// Installs the JavaScript packages pinned in `tests/npm` and gives their folder; `None` with a loud line where npm is
/// missing or gets nothing.
///
/// # Errors
/// When the file lock cannot be taken.
pub fn node_modules() -> Result<Option<PathBuf>> {
    node_modules_of(Path::new("tests/npm"))
}

/// The same for the packages pinned in another folder of the workspace.
///
/// # Errors
/// When the file lock cannot be taken.
pub fn node_modules_of(folder: &Path) -> Result<Option<PathBuf>> {
    let folder = workspace().join(folder);
    let modules = folder.join("node_modules");
    // Tests run as processes side by side; the first installs, the others wait for it.
    let lock = fs::File::create(out("npm")?.join("lock")).context("cannot make the lock file")?;
    lock.lock().context("cannot take the lock file")?;
    if modules.join(".package-lock.json").is_file() {
        return Ok(Some(modules));
    }
    let installed = Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit"]).current_dir(&folder).output();
    match installed {
        Ok(output) if output.status.success() => Ok(Some(modules)),
        Ok(output) => {
            eprintln!("SKIPPED: `npm ci` failed: {}", String::from_utf8_lossy(&output.stderr));
            Ok(None)
        }
        Err(error) => {
            eprintln!("SKIPPED: npm cannot be run ({error}); it comes with Node.js");
            Ok(None)
        }
    }
}
