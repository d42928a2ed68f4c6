//! Whether a bundle is still what its sources would give: a hash over everything that goes into it.
//!
//! Contents, not times: a checkout or a copy touches every file and changes none.

use crate::error::PkgError;
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Raised when finishing a bundle changes, so that bundles finished the old way are built anew.
const FINISH_FORMAT: u8 = 3;

/// The files and folders that a bundle is made from.
const INPUTS: [&str; 10] = [
    ".cargo/config.toml",
    "Cargo.lock",
    "Cargo.toml",
    "Trunk.toml",
    "core",
    "index.html",
    "pkg/models.toml",
    "pkg/static",
    "rust-toolchain.toml",
    "web",
];

/// Folders inside those that only tests read.
const NOT_INPUTS: [&str; 3] = ["core/tests", "core/fuzz", "web/tests"];

/// A hash over the inputs' names and contents. Missing inputs count as empty.
///
/// # Errors
/// If a file that is there cannot be read.
pub(super) fn of_inputs(root: &Path) -> Result<String, PkgError> {
    let mut files = Vec::new();
    for input in INPUTS {
        list(&root.join(input), &NOT_INPUTS.map(|folder| root.join(folder)), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    hash.update([FINISH_FORMAT]);
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        hash.update(Sha256::digest(name));
        hash.update(Sha256::digest(fs::read(file).map_err(PkgError::file("reading", file))?));
    }
    Ok(hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect())
}

fn list(path: &Path, except: &[PathBuf], files: &mut Vec<PathBuf>) -> Result<(), PkgError> {
    if path.is_file() {
        files.push(path.to_path_buf());
    } else if path.is_dir() && !except.iter().any(|folder| folder == path) {
        for entry in fs::read_dir(path).map_err(PkgError::file("reading", path))? {
            list(&entry.map_err(PkgError::file("reading", path))?.path(), except, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_follows_the_inputs_and_nothing_else() {
        let root = std::env::temp_dir().join(format!("millwright-inputs-{}", std::process::id()));
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("core/src/lib.rs", "one");
        write("index.html", "page");
        let before = of_inputs(&root).unwrap();
        write("sidecar/src/main.rs", "native");
        write("core/tests/cases.rs", "a test");
        write("core/src/lib.rs", "one");
        assert_eq!(before, of_inputs(&root).unwrap());
        write("core/src/lib.rs", "two");
        let changed = of_inputs(&root).unwrap();
        assert_ne!(before, changed);
        write("web/src/app.rs", "");
        assert_ne!(changed, of_inputs(&root).unwrap());
        fs::remove_dir_all(&root).unwrap();
    }
}
