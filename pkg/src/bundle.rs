//! `cargo pkg bundle`: the page as it ships, in `pkg/dist`.
//!
//! Trunk compiles into a folder beside it, where the bundle is finished: a service worker that knows every file and its
//! hash, `version.json`, and compressed copies. Only then does it take the old bundle's place, so that a server never
//! sees half of one.

mod assets;
mod fingerprint;
mod weight;

use crate::{
    console::human_size,
    error::PkgError,
    process::Program,
    steps::{self, OnFailure, Outcome, Step},
    tools, wasm_target,
    workspace::{Profile, Workspace},
};
use serde_json::{Value, json};
use std::{fs, io::ErrorKind, path::Path};
use weight::Weight;

/// Names the bundle, what it was made from and its version.
const VERSION_FILE: &str = "version.json";

/// The service worker, served from the root so that it may serve everything.
const WORKER_FILE: &str = "sw.js";

/// The service worker's source, with places to fill in.
const WORKER_TEMPLATE: &str = include_str!("../static/sw.js");

/// `cargo pkg bundle`: gets what the bundle needs and builds it, whether or not anything changed.
///
/// # Errors
/// If a step fails or the bundle is above its budget.
pub(crate) fn command(profile: Profile) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let mut steps: Vec<Step<'_>> = wasm_target::step(&workspace)?.into_iter().collect();
    steps.extend(tools::steps(&workspace));
    steps.push(build_step(&workspace, profile));
    steps::take(steps, OnFailure::Stop).map(drop)
}

/// The step that builds the bundle, or none where the present one was made from what is there now.
///
/// # Errors
/// If an input cannot be read.
pub(crate) fn step(workspace: &Workspace, profile: Profile) -> Result<Option<Step<'_>>, PkgError> {
    let made_from = made_from(workspace, profile);
    let is_current = made_from.is_some() && made_from == Some(fingerprint::of_inputs(&workspace.root)?);
    Ok((!is_current).then(|| build_step(workspace, profile)))
}

fn build_step(workspace: &Workspace, profile: Profile) -> Step<'_> {
    Step {
        name: "page".into(),
        what: format!("compile the page and its workers to wasm ({}) and bundle them into pkg/dist", profile.name()),
        minutes: Some(8.0),
        action: Box::new(move || build(workspace, profile)),
    }
}

/// The inputs' fingerprint that the present bundle carries, if it is whole and of this profile.
fn made_from(workspace: &Workspace, profile: Profile) -> Option<String> {
    let text = fs::read_to_string(workspace.dist().join(VERSION_FILE)).ok()?;
    let version: Value = serde_json::from_str(&text).ok()?;
    (version["profile"] == profile.name()).then(|| version["inputs"].as_str().map(str::to_owned))?
}

fn build(workspace: &Workspace, profile: Profile) -> Result<Outcome, PkgError> {
    // Taken first: what is edited while compiling must not count as built.
    let inputs = fingerprint::of_inputs(&workspace.root)?;
    let stage = workspace.root.join("pkg").join("dist-next");
    compile(workspace, profile, &stage)?;
    let weight = finish(&stage, profile, &inputs)?;
    let dist = workspace.dist();
    match fs::remove_dir_all(&dist) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(PkgError::file("replacing", &dist)(error)),
        _ => fs::rename(&stage, &dist).map_err(PkgError::file("replacing", &dist))?,
    }
    let [shell, later, for_some] = [weight.shell, weight.later, weight.for_some].map(human_size);
    Ok(Outcome::note(format!("shell {shell} over the wire, later {later}, builds of the embedder {for_some}")))
}

fn compile(workspace: &Workspace, profile: Profile, stage: &Path) -> Result<(), PkgError> {
    let (trunk, bindgen) = (tools::TRUNK.required(workspace)?, tools::WASM_BINDGEN.required(workspace)?);
    // Trunk runs offline, lest it download tools of its own choice; what cargo needs from the net is fetched before.
    // For this machine too: macros and build scripts run here.
    let host = wasm_target::host(workspace)?;
    let fetch = ["fetch", "--quiet", "--target", wasm_target::TARGET, "--target", &host];
    Program::cargo(&workspace.root).args(fetch).run()?;
    let bindgen_folder = bindgen.parent().map(Path::to_path_buf);
    Program::new(trunk, &workspace.root)
        .args(["build", "--offline"])
        .args((profile == Profile::Release).then_some("--release"))
        .arg("--dist")
        .arg(stage)
        .path_first(bindgen_folder.as_slice())
        // Trunk takes NO_COLOR=1, which the convention allows, for a malformed flag.
        .without_env("NO_COLOR")
        .run()
}

/// Adds what makes compiled files a bundle; returns its weight over the wire.
///
/// # Errors
/// If a file cannot be read or written, there is no `index.html`, or the bundle is above its budget.
fn finish(stage: &Path, profile: Profile, inputs: &str) -> Result<Weight, PkgError> {
    let assets = assets::collect(stage)?;
    if !assets.iter().any(|asset| asset.path == "index.html") {
        return Err(PkgError::Failed("the build left no index.html".into()));
    }
    let version = assets::version(&assets, WORKER_TEMPLATE);
    let worker = assets::service_worker(WORKER_TEMPLATE, &version, &assets)?;
    let about = json!({ "version": version, "profile": profile.name(), "inputs": inputs }).to_string();
    for (name, text) in [(WORKER_FILE, &worker), (VERSION_FILE, &about)] {
        let path = stage.join(name);
        fs::write(&path, text).map_err(PkgError::file("writing", &path))?;
    }
    let weight = weight::weigh(stage, &version, &assets)?;
    if profile == Profile::Release {
        weight.check()?;
    }
    Ok(weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder as Trunk leaves it.
    fn compiled(name: &str) -> std::path::PathBuf {
        let stage = std::env::temp_dir().join(format!("millwright-bundle-{name}-{}", std::process::id()));
        fs::create_dir_all(stage.join("icons")).unwrap();
        fs::write(stage.join("index.html"), "<!doctype html>".repeat(100)).unwrap();
        fs::write(stage.join("app-1a2b.wasm"), [0; 5000]).unwrap();
        fs::write(stage.join("reader_bg.wasm"), [0; 5000]).unwrap();
        fs::write(stage.join("icons").join("icon-192.png"), [7; 300]).unwrap();
        stage
    }

    #[test]
    fn a_finished_bundle_has_worker_version_and_compressed_copies() {
        let stage = compiled("whole");
        let weight = finish(&stage, Profile::Release, "in").unwrap();
        assert!(weight.shell > 300 && weight.shell < 1000, "{weight:?}");
        assert!(weight.later > 0 && weight.later < 100, "{weight:?}");
        assert!(stage.join("index.html.gz").is_file() && stage.join("app-1a2b.wasm.gz").is_file());
        assert!(!stage.join("icons").join("icon-192.png.gz").exists(), "a PNG gains nothing");
        let about: Value = serde_json::from_str(&fs::read_to_string(stage.join(VERSION_FILE)).unwrap()).unwrap();
        let worker = fs::read_to_string(stage.join(WORKER_FILE)).unwrap();
        assert!(worker.contains(about["version"].as_str().unwrap()));
        assert!(worker.contains("/icons/icon-192.png") && worker.contains("/app-1a2b.wasm"));
        assert!(!worker.contains(".gz\"") && !worker.contains("MILLWRIGHT_"), "a place was left unfilled");
        // Finishing twice must not take the first time's output for the page's own files.
        let again = finish(&stage, Profile::Release, "in").unwrap();
        assert_eq!((again, fs::read_to_string(stage.join(WORKER_FILE)).unwrap()), (weight, worker));
        fs::remove_dir_all(&stage).unwrap();
    }

    #[test]
    fn a_shell_above_its_budget_or_without_a_page_is_refused() {
        let stage = compiled("heavy");
        // Bytes that no compression shortens: the middle bits of a linear congruential sequence.
        let mut state = 1_u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as u8
        })
        .take(weight::SHELL_BUDGET_BYTES as usize)
        .collect();
        fs::write(stage.join("model.bin"), noise).unwrap();
        assert!(finish(&stage, Profile::Release, "in").is_err());
        assert!(finish(&stage, Profile::Debug, "in").is_ok());
        fs::remove_file(stage.join("index.html")).unwrap();
        assert!(finish(&stage, Profile::Debug, "in").is_err());
        fs::remove_dir_all(&stage).unwrap();
    }
}
