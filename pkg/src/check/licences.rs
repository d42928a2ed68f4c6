//! Every crate that we build with has a licence that we may ship under MIT OR Apache-2.0.

use super::spdx;
use crate::{error::PkgError, process::Program, workspace::Workspace};
use serde_json::Value;

/// Licences that ask for no more than a notice, and MPL-2.0, whose terms end at its own files.
const ACCEPTED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// A sentence for every crate whose licence is not one of them.
///
/// # Errors
/// If cargo does not tell.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<String>, PkgError> {
    let text = Program::cargo(&workspace.root).args(["metadata", "--locked", "--format-version", "1"]).capture()?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| PkgError::Failed(format!("`cargo metadata` gave something unreadable: {error}")))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(packages.iter().filter_map(problem).collect())
}

fn problem(package: &Value) -> Option<String> {
    let name = format!("{} {}", package["name"].as_str()?, package["version"].as_str()?);
    let Some(licence) = package["license"].as_str() else {
        return Some(format!("{name} names no licence"));
    };
    match spdx::is_satisfied(licence, &ACCEPTED) {
        Ok(true) => None,
        Ok(false) => Some(format!("{name} is under {licence}, which is not accepted")),
        Err(problem) => Some(format!("{name} is under `{licence}`: {problem}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crate_without_an_accepted_licence_is_named() {
        let package = |licence: Value| problem(&json!({ "name": "a", "version": "1.0.0", "license": licence }));
        assert_eq!(package(json!("MIT OR Apache-2.0")), None);
        assert!(package(json!("GPL-3.0-only")).unwrap().contains("a 1.0.0 is under GPL-3.0-only"));
        assert!(package(Value::Null).unwrap().contains("names no licence"));
        assert!(package(json!("MIT AND")).is_some());
    }
}
