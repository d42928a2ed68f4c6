//! The two build tools at pinned versions: found where somebody has them, otherwise built into a folder of the project.

use crate::{
    error::PkgError,
    process::{Program, find},
    steps::{Outcome, Step},
    workspace::Workspace,
};
use std::{fs, path::PathBuf};

/// A tool that cargo can build.
pub(crate) struct Tool {
    /// The crate that holds it.
    package: &'static str,
    /// The program that is started.
    pub(crate) program: &'static str,
    /// The only version that is used: bundles must not depend on who built them.
    pub(crate) version: &'static str,
    /// How its crate has to be installed, found by trial.
    flags: &'static [&'static str],
    /// Minutes to build on two cores.
    minutes: f32,
    /// What it is for.
    pub(crate) purpose: &'static str,
}

/// Turns compiled wasm into modules that a page can load. Must equal the `wasm-bindgen` pinned in the workspace.
/// Without `--locked`: one of its locked dependencies is not to be had everywhere.
pub(crate) const WASM_BINDGEN: Tool = Tool {
    package: "wasm-bindgen-cli",
    program: "wasm-bindgen",
    version: "0.2.130",
    flags: &[],
    minutes: 1.0,
    purpose: "makes the compiled page loadable",
};

/// Builds the page. The newest version that our Rust builds; only with `--locked`, its dependencies have moved apart.
/// Its default features would bring TLS and an update check, for downloads that we do not want it to make.
pub(crate) const TRUNK: Tool = Tool {
    package: "trunk",
    program: "trunk",
    version: "0.21.14",
    flags: &["--locked", "--no-default-features"],
    minutes: 2.5,
    purpose: "builds the page and its worker",
};

impl Tool {
    /// The tool at its version, in the project's own folder or on the `PATH`.
    pub(crate) fn locate(&self, workspace: &Workspace) -> Option<PathBuf> {
        let own = workspace.tools().join("bin");
        // A wrong version in front on the PATH must not hide the project's own, nor the other way round.
        let candidates = [find(self.program, &[own]), find(self.program, &[])];
        candidates.into_iter().flatten().find(|path| {
            let answer = Program::new(path, &workspace.root).arg("--version").without_env("NO_COLOR").capture();
            answer.ok().and_then(|text| version_in(&text).map(str::to_owned)).as_deref() == Some(self.version)
        })
    }

    /// The same, for steps that come after the one which gets it.
    ///
    /// # Errors
    /// [`PkgError::Missing`] where that step failed.
    pub(crate) fn required(&self, workspace: &Workspace) -> Result<PathBuf, PkgError> {
        self.locate(workspace).ok_or_else(|| PkgError::Missing {
            what: format!("{} {} is missing", self.program, self.version),
            remedy: "`cargo pkg run` builds it into pkg/tools".into(),
        })
    }

    /// The step that builds the tool, or none where it is there.
    pub(crate) fn step<'a>(&'a self, workspace: &'a Workspace) -> Option<Step<'a>> {
        if self.locate(workspace).is_some() {
            return None;
        }
        let what = format!("`{}` ({})", self.install(workspace).line(), self.purpose);
        Some(Step {
            name: format!("{} {}", self.program, self.version),
            what: what.replace(&*workspace.root.to_string_lossy(), "."),
            minutes: Some(self.minutes),
            action: Box::new(move || {
                self.install(workspace).run()?;
                Ok(Outcome::note(format!("in {}", workspace.shown(&workspace.tools().join("bin")))))
            }),
        })
    }

    /// A debug build: an optimised Trunk takes four times as long to build and saves a second per bundle.
    fn install(&self, workspace: &Workspace) -> Program {
        Program::cargo(&workspace.root)
            .args(["install", "--debug"])
            .args(self.flags)
            .arg("--root")
            .arg(workspace.tools())
            .args([self.package, "--version", self.version])
            // One folder for both, so that what they share compiles once.
            .env("CARGO_TARGET_DIR", build_folder(workspace))
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
    }
}

fn build_folder(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("build")
}

/// The steps for the tools that are missing, the last of which clears away what building them left.
pub(crate) fn steps(workspace: &Workspace) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> =
        [&WASM_BINDGEN, &TRUNK].into_iter().filter_map(|tool| tool.step(workspace)).collect();
    if let Some(last) = steps.pop() {
        let action = last.action;
        let action = Box::new(move || {
            let outcome = action()?;
            let folder = build_folder(workspace);
            fs::remove_dir_all(&folder).map_err(PkgError::file("clearing", &folder))?;
            Ok(outcome)
        });
        steps.push(Step { action, ..last });
    }
    steps
}

/// The first word of a program's self-description that looks like a version: `trunk 0.21.14` gives `0.21.14`.
pub(crate) fn version_in(text: &str) -> Option<&str> {
    text.split_whitespace()
        .map(|word| word.trim_start_matches('v').trim_end_matches([',', ';']))
        .find(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Major, minor and patch; what is missing or not a number counts as 0.
pub(crate) fn version_parts(version: &str) -> [u32; 3] {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_out_of_what_programs_say() {
        assert_eq!(version_in("trunk 0.21.14\n"), Some("0.21.14"));
        assert_eq!(version_in("rustc 1.95.0 (59807616e 2026-04-14)"), Some("1.95.0"));
        assert_eq!(version_in("v20.19.2"), Some("20.19.2"));
        assert_eq!(version_in("Chromium 150.0.1 built on Debian, running on Debian 12"), Some("150.0.1"));
        assert_eq!(version_in("no version here."), None);
        assert_eq!(version_parts("1.95.0-nightly"), [1, 95, 0]);
        assert_eq!(version_parts("20.1"), [20, 1, 0]);
        assert!(version_parts("1.100.0") > version_parts("1.92.0"));
    }

    #[test]
    fn wasm_bindgen_is_the_one_that_the_workspace_pins() {
        let manifest = include_str!("../../Cargo.toml");
        let pin = format!("wasm-bindgen = \"={}\"", WASM_BINDGEN.version);
        assert!(manifest.contains(&pin), "Cargo.toml must say {pin}, or the page's modules will not load");
    }
}
