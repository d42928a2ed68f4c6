//! The manners that no compiler checks: how files begin, how long they are, where they lie, and what they must not name.

use crate::{console::warn, error::PkgError, process::Program, workspace::Workspace};
use std::{collections::BTreeSet, fs};

/// What may lie at the top. A house whose hall is cluttered is hard to find the way in.
const TOP: [&str; 23] = [
    ".cargo",
    ".ci",
    ".config",
    ".gitattributes",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "Trunk.toml",
    "clippy.toml",
    "core",
    "deny.toml",
    "index.html",
    "pkg",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "sidecar",
    "tests",
    "web",
];

/// Lines in a source file: above the first somebody should think, above the second something wants out.
const LONG_LINES: usize = 400;
const TOO_LONG_LINES: usize = 800;

/// Files that tools write and that name hosts by their nature.
const GENERATED: [&str; 2] = ["Cargo.lock", "package-lock.json"];

/// Hosts and places that only some machines reach, in pieces so that this file does not name them itself. This machine's
/// own places are added where the check runs.
const NOT_NAMED: [[&str; 2]; 10] = [
    ["crates.", "io"],
    ["npmjs.", "org"],
    ["npmjs.", "com"],
    ["pypi.", "org"],
    ["pythonhosted.", "org"],
    ["deb.debian.", "org"],
    ["static.rust-lang.", "org"],
    ["/ro", "ot/"],
    ["/wo", "rk/"],
    ["/tmp/", "mw"],
];

/// A sentence for every breach in the files that git knows.
///
/// # Errors
/// If git does not tell or a file cannot be read.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<String>, PkgError> {
    let mut problems = Vec::new();
    let mut top = BTreeSet::new();
    let not_named = not_named(workspace);
    let listed = git(workspace, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    for path in listed.split('\0').filter(|path| !path.is_empty()) {
        top.insert(path.split('/').next().unwrap_or(path));
        let file = workspace.root.join(path);
        // A file that was deleted and not yet committed, or a link, has no text of its own.
        if !file.is_file() || file.is_symlink() {
            continue;
        }
        let bytes = fs::read(&file).map_err(PkgError::file("reading", &file))?;
        problems.extend(about(path, &String::from_utf8_lossy(&bytes), &not_named));
    }
    let strangers = top.into_iter().filter(|name| !TOP.contains(name));
    problems.extend(strangers.map(|name| format!("{name}: does not belong at the top")));
    Ok(problems)
}

/// What git says of the working tree, to tell whether something changed it.
///
/// # Errors
/// If git does not tell.
pub(super) fn state(workspace: &Workspace) -> Result<String, PkgError> {
    Ok(git(workspace, &["status", "--porcelain"])? + &git(workspace, &["diff"])?)
}

fn git(workspace: &Workspace, arguments: &[&str]) -> Result<String, PkgError> {
    Program::new("git", &workspace.root).args(arguments).capture()
}

fn not_named(workspace: &Workspace) -> Vec<String> {
    let home = std::env::home_dir().filter(|home| home.components().count() > 1);
    let places = home.into_iter().chain([workspace.root.clone()]).map(|place| format!("{}/", place.display()));
    NOT_NAMED.iter().map(|parts| parts.concat()).chain(places).collect()
}

/// What is wrong with one file.
fn about(path: &str, text: &str, not_named: &[String]) -> Vec<String> {
    let mut problems = Vec::new();
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.ends_with(".rs") {
        let n_lines = text.lines().count();
        if n_lines > TOO_LONG_LINES {
            problems.push(format!("{path}: {n_lines} lines, something wants out (at most {TOO_LONG_LINES})"));
        } else if n_lines > LONG_LINES {
            warn(&format!("      {path}: {n_lines} lines, more than {LONG_LINES}: worth a thought"));
        }
        if !text.starts_with("//!") {
            problems.push(format!("{path}: does not open with `//!`, saying what it is for"));
        }
        if name == "mod.rs" {
            problems.push(format!("{path}: belongs beside its folder, named like it"));
        }
    }
    if !GENERATED.contains(&name) {
        for (at, line) in text.lines().enumerate() {
            let named = not_named.iter().find(|word| line.contains(word.as_str()));
            problems.extend(named.map(|word| format!("{path}:{}: names `{word}`", at + 1)));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(path: &str, text: &str) -> Vec<String> {
        super::about(path, text, &NOT_NAMED.map(|parts| parts.concat()))
    }

    #[test]
    fn a_source_file_opens_with_its_purpose_and_is_not_endless() {
        assert!(about("core/src/a.rs", "//! For a.\n").is_empty());
        assert_eq!(about("core/src/a.rs", "use b;\n").len(), 1);
        assert_eq!(about("core/src/a/mod.rs", "//! For a.\n").len(), 1);
        let long = format!("//! For a.\n{}", "\n".repeat(TOO_LONG_LINES));
        assert!(about("core/src/a.rs", &long)[0].contains("801 lines"));
        assert!(about("README.md", &long).is_empty());
    }

    #[test]
    fn hosts_and_machine_paths_are_found_with_their_line() {
        for parts in NOT_NAMED {
            let text = format!("fine\nsee {} there\n", parts.concat());
            let problems = about("README.md", &text);
            assert!(problems.len() == 1 && problems[0].starts_with("README.md:2:"), "{problems:?}");
            assert!(about("Cargo.lock", &text).is_empty());
        }
    }
}
