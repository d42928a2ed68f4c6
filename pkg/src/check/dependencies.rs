//! Who may depend on whom: the walls of the house, as cargo sees them.

use crate::{error::PkgError, process::Program, wasm_target::TARGET, workspace::Workspace};
use serde_json::Value;
use std::collections::BTreeSet;

/// What our packages may use of one another. `tests` may use all.
const ALLOWED: [(&str, &[&str]); 4] = [
    ("millwright-core", &[]),
    ("millwright-pkg", &[]),
    ("millwright-sidecar", &["millwright-core"]),
    ("millwright-web", &["millwright-core"]),
];

/// Crates that bring a platform with them. The core compiles for every platform because it knows none.
const PLATFORMS: [&str; 12] =
    ["async-std", "axum", "clap", "hyper", "idb", "leptos", "redb", "reqwest", "rusqlite", "tokio", "ureq", "web-sys"];

/// Families of such crates, by the beginning of their names.
const PLATFORM_FAMILIES: [&str; 2] = ["leptos_", "llama-"];

/// A sentence for every rule that is broken.
///
/// # Errors
/// If cargo does not tell.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<String>, PkgError> {
    let cargo = || Program::cargo(&workspace.root);
    let text = cargo().args(["metadata", "--locked", "--format-version", "1", "--no-deps"]).capture()?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| PkgError::Failed(format!("`cargo metadata` gave something unreadable: {error}")))?;
    let mut problems = between_ours(&metadata);
    for target in [None, Some(TARGET)] {
        // The package alone: in the whole workspace, features that others ask for would count as the core's.
        let tree = ["tree", "--locked", "--package", "millwright-core", "--edges", "normal", "--prefix", "none"];
        let tree = cargo().args(tree).args(["--format", "{p}"]);
        let tree = target.into_iter().fold(tree, |tree, target| tree.args(["--target", target]));
        let place = target.unwrap_or("the native target");
        problems.extend(platforms_in(&tree.capture()?).map(|name| {
            format!(
                "millwright-core depends on {name} for {place}: `cargo tree -p millwright-core -i {name}` shows how"
            )
        }));
    }
    Ok(problems)
}

/// Dependencies between our own packages that the house has no door for.
fn between_ours(metadata: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut problems = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = package["name"].as_str().unwrap_or_default().to_owned();
        let Some((_, allowed)) = ALLOWED.iter().find(|(package, _)| *package == name) else { continue };
        for dependency in list(&package["dependencies"]) {
            let dependency = dependency["name"].as_str().unwrap_or_default();
            if dependency.starts_with("millwright-") && !allowed.contains(&dependency) {
                problems.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    problems
}

/// The platform crates in `cargo tree --prefix none`.
fn platforms_in(tree: &str) -> impl Iterator<Item = String> {
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let is_platform =
        |name: &str| PLATFORMS.contains(&name) || PLATFORM_FAMILIES.iter().any(|family| name.starts_with(family));
    names.into_iter().filter(move |name| is_platform(name)).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_platform_in_the_cores_tree_is_found_once() {
        let tree = "millwright-core v0.1.0\ntantivy v0.27.0\nllama-cpp-2 v0.1.160\ntokio v1.48.0\ntokio v1.48.0 (*)\n";
        assert_eq!(platforms_in(tree).collect::<Vec<_>>(), ["llama-cpp-2", "tokio"]);
        assert_eq!(platforms_in("millwright-core v0.1.0\ntokio-free v1.0.0\n").count(), 0);
    }

    #[test]
    fn a_door_that_the_house_does_not_have_is_found() {
        let package = |name: &str, dependency: &str| json!({ "packages": [{ "name": name, "dependencies": [{ "name": dependency }, { "name": "serde" }] }] });
        assert!(between_ours(&package("millwright-web", "millwright-core")).is_empty());
        assert!(between_ours(&package("millwright-tests", "millwright-sidecar")).is_empty());
        assert_eq!(between_ours(&package("millwright-web", "millwright-sidecar")).len(), 1);
        assert_eq!(between_ours(&package("millwright-core", "millwright-web")).len(), 1);
    }
}
