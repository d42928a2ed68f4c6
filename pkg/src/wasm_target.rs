//! The standard library for wasm: by rustup, and where no rustup server answers, built from Debian's copy of its source.
//!
//! The second way needs no root: apt is run on lists and a cache of its own, so that the machine's sources stay as they
//! are. Only the compiler's own folder is written to, which belongs to whoever installed Rust.

mod debian;

use crate::{
    console::{say, warn},
    error::PkgError,
    process::{Program, find},
    steps::{Outcome, Step},
    tools::version_in,
    workspace::Workspace,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// What the page is compiled for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Whether the standard library for wasm is there.
///
/// # Errors
/// If `rustc` cannot be run.
pub(crate) fn is_present(workspace: &Workspace) -> Result<bool, PkgError> {
    Ok(rlibs_below(&library_folder(workspace)?).iter().any(|path| file_name(path).starts_with("libstd-")))
}

/// What this machine's own programs are compiled for.
///
/// # Errors
/// If `rustc` cannot be run or does not tell.
pub(crate) fn host(workspace: &Workspace) -> Result<String, PkgError> {
    let about = rustc(workspace, &["--version", "--verbose"])?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| PkgError::Failed("`rustc --version --verbose` names no host".into()))
}

/// The step that gets it, or none where it is there.
///
/// # Errors
/// If `rustc` cannot be run.
pub(crate) fn step(workspace: &Workspace) -> Result<Option<Step<'_>>, PkgError> {
    if is_present(workspace)? {
        return Ok(None);
    }
    let what = if find("rustup", &[]).is_some() {
        format!("`rustup target add {TARGET}`, or the standard library built from source if no server answers")
    } else {
        "the standard library built from source".to_owned()
    };
    Ok(Some(Step {
        name: "wasm target".into(),
        what,
        minutes: Some(0.5),
        action: Box::new(move || get(workspace).map(Outcome::note)),
    }))
}

/// Gets it one way or the other and returns which.
fn get(workspace: &Workspace) -> Result<&'static str, PkgError> {
    let way = if by_rustup(workspace) {
        "by rustup"
    } else {
        from_source(workspace)?;
        "built from source"
    };
    // What an earlier standard library was linked into does not mix with this one.
    let stale = workspace.target.join(TARGET);
    if stale.exists() {
        fs::remove_dir_all(&stale).map_err(PkgError::file("clearing", &stale))?;
    }
    Ok(way)
}

fn by_rustup(workspace: &Workspace) -> bool {
    if find("rustup", &[]).is_none() {
        return false;
    }
    // Never interrupted and without a limit of ours: a half-done change of a toolchain can leave no compiler at all.
    let rustup = Program::new("rustup", &workspace.root).args(["target", "add", TARGET]);
    match rustup.env("RUST_BACKTRACE", "0").capture() {
        Ok(_) => is_present(workspace).unwrap_or(false),
        Err(error) => {
            warn(&format!("      {error}"));
            false
        }
    }
}

/// Builds the standard library with the compiler that will use it.
///
/// # Errors
/// [`PkgError::Missing`] where the source of this very version is not to be had.
fn from_source(workspace: &Workspace) -> Result<(), PkgError> {
    let version = rustc(workspace, &["--version"])?;
    let version = version_in(&version).unwrap_or_default();
    let sysroot = PathBuf::from(rustc(workspace, &["--print", "sysroot"])?);
    // Outside the project, whose compiler flags for wasm must not go into the standard library.
    let scratch = std::env::temp_dir().join(format!("millwright-std-{version}-{}", std::process::id()));
    fs::create_dir_all(&scratch).map_err(PkgError::file("creating", &scratch))?;
    let result = source_into(&sysroot, version, &scratch).and_then(|()| build(workspace, &scratch));
    // Left behind it would only cost disk space, so failing to clear it is no failure.
    let _ = fs::remove_dir_all(&scratch);
    result
}

/// Makes sure that the compiler's folder holds the library's source, where `-Zbuild-std` looks for it.
fn source_into(sysroot: &Path, version: &str, scratch: &Path) -> Result<(), PkgError> {
    let place = sysroot.join("lib").join("rustlib").join("src").join("rust");
    if place.join("library").join("std").is_dir() {
        return Ok(());
    }
    say(&format!("      getting the source of Rust {version}'s standard library from Debian"));
    let unpacked = debian::rust_source(version, scratch)?;
    copy_folder(&unpacked.join("library"), &place.join("library"))
}

/// Builds an empty crate on the library, and keeps the library.
fn build(workspace: &Workspace, scratch: &Path) -> Result<(), PkgError> {
    say("      building it");
    let project = scratch.join("empty");
    let source = project.join("src");
    fs::create_dir_all(&source).map_err(PkgError::file("creating", &source))?;
    let manifest = "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[workspace]\n";
    for (path, text) in [(project.join("Cargo.toml"), manifest), (source.join("lib.rs"), "#![no_std]\n")] {
        fs::write(&path, text).map_err(PkgError::file("writing", &path))?;
    }
    let output = scratch.join("target");
    Program::cargo(&project)
        .args(["build", "--quiet", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort,test"])
        // Unstable flags are refused by a stable compiler unless it is told that it is building itself.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &output)
        // The official library carries bitcode too; without it the page could not be optimised across crates.
        .env("RUSTFLAGS", "-C embed-bitcode=yes")
        .without_env("CARGO_ENCODED_RUSTFLAGS")
        .run()?;
    let place = library_folder(workspace)?;
    fs::create_dir_all(&place).map_err(PkgError::file("creating", &place))?;
    for rlib in rlibs_below(&output.join(TARGET)).iter().filter(|path| !file_name(path).starts_with("libempty")) {
        fs::copy(rlib, place.join(file_name(rlib))).map_err(PkgError::file("copying", rlib))?;
    }
    if is_present(workspace)? {
        Ok(())
    } else {
        Err(PkgError::Failed(format!("the build left no standard library in {}", place.display())))
    }
}

/// Where the compiler looks for this target's library.
fn library_folder(workspace: &Workspace) -> Result<PathBuf, PkgError> {
    rustc(workspace, &["--print", "target-libdir", "--target", TARGET]).map(PathBuf::from)
}

fn rustc(workspace: &Workspace, arguments: &[&str]) -> Result<String, PkgError> {
    Program::new("rustc", &workspace.root).args(arguments).capture().map(|text| text.trim().to_owned())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// All rlibs in a folder and its subfolders; none where there is no folder.
fn rlibs_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rlib") {
                found.push(path);
            }
        }
    }
    found
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), PkgError> {
    fs::create_dir_all(to).map_err(|source| match source.kind() {
        io::ErrorKind::PermissionDenied => PkgError::Missing {
            what: format!("{} may not be written to by this user", to.display()),
            remedy: "run this once as the user who installed Rust, or install Rust through rustup".into(),
        },
        _ => PkgError::file("creating", to)(source),
    })?;
    for entry in fs::read_dir(from).map_err(PkgError::file("reading", from))? {
        let entry = entry.map_err(PkgError::file("reading", from))?;
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &place)?;
        } else {
            fs::copy(&path, &place).map_err(PkgError::file("copying", &path))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_copied_whole_and_its_rlibs_found() {
        let base = std::env::temp_dir().join(format!("millwright-copy-{}", std::process::id()));
        let deep = base.join("from").join("deep");
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("libstd-1.rlib"), "x").unwrap();
        fs::write(base.join("from").join("note.txt"), "y").unwrap();
        copy_folder(&base.join("from"), &base.join("to")).unwrap();
        let found = rlibs_below(&base.join("to"));
        assert_eq!(found, [base.join("to").join("deep").join("libstd-1.rlib")]);
        assert!(rlibs_below(&base.join("nowhere")).is_empty());
        fs::remove_dir_all(&base).unwrap();
    }
}
