//! Where things are: the project's folder, cargo's target folder, the bundle and the tools.

use crate::{error::PkgError, process::Program};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// How things are compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Profile {
    /// As they ship.
    Release,
    /// Quick to compile, large and slow to run.
    Debug,
}

impl Profile {
    /// Cargo's name for the folder of it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Debug => "debug",
        }
    }
}

/// The project on this machine.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    /// The folder with the workspace's `Cargo.toml`.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, wherever the environment put it.
    pub(crate) target: PathBuf,
}

impl Workspace {
    /// Asks cargo, which knows `CARGO_TARGET_DIR` and configuration files.
    ///
    /// # Errors
    /// If `cargo metadata` fails, as with a broken manifest.
    pub(crate) fn find() -> Result<Self, PkgError> {
        // `cargo run` names the manifest's folder at run time; the compiled-in path serves a copied or direct start.
        let manifest_dir = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest_dir.parent().unwrap_or(&manifest_dir).to_path_buf();
        let text =
            Program::cargo(&root).args(["metadata", "--format-version", "1", "--no-deps", "--quiet"]).capture()?;
        let target = serde_json::from_str::<Value>(&text)
            .ok()
            .and_then(|metadata| metadata["target_directory"].as_str().map(PathBuf::from))
            .ok_or_else(|| PkgError::Failed("`cargo metadata` names no target_directory".into()))?;
        Ok(Self { root, target })
    }

    /// What ships: the page with everything it needs.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("pkg").join("dist")
    }

    /// The folder for build tools of pinned versions; programs are in its `bin`.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join("pkg").join("tools")
    }

    /// The sidecar, whether or not it is built yet.
    pub(crate) fn sidecar(&self, profile: Profile) -> PathBuf {
        self.target.join(profile.name()).join(format!("millwright{}", std::env::consts::EXE_SUFFIX))
    }

    /// The model runtime, whether or not it is built yet. The sidecar looks for it beside itself.
    pub(crate) fn runtime(&self, profile: Profile) -> PathBuf {
        self.target.join(profile.name()).join(format!("millwright-runtime{}", std::env::consts::EXE_SUFFIX))
    }

    /// A path as messages show it: relative to the project where it lies inside.
    pub(crate) fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}
