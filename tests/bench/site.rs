//! The folder that the benchmark's browser is served: the worker, the libraries, chunks and questions.

use crate::{corpus::Corpus, reading::Group};
use anyhow::{Context, Result, bail, ensure};
use millwright_tests::paths;
use serde_json::json;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const TARGET: &str = "wasm32-unknown-unknown";

/// As the page and its workers are compiled.
const PROFILE: &str = "wasm-release";

/// Builds everything into a fresh folder.
pub(crate) fn build(corpus: Option<&Corpus>, sizes: &[usize], groups: &[Group]) -> Result<PathBuf> {
    let site = paths::out("bench/site")?;
    fs::remove_dir_all(&site)?;
    fs::create_dir_all(&site)?;
    let own = paths::workspace().join("tests/bench/page");
    for file in ["dense.js", "index.html", "page.js", "worker.js"] {
        copy(&own.join(file), &site.join(file))?;
    }
    if let Some(corpus) = corpus.filter(|_| !sizes.is_empty()) {
        peers(&site, corpus, sizes)?;
    }
    for group in groups {
        for file in &group.files {
            fs::write(site.join(&file.name), &file.bytes)?;
        }
    }
    let listed: Vec<_> = groups
        .iter()
        .map(|group| json!({ "title": group.title, "files": group.files.iter().map(|f| &f.name).collect::<Vec<_>>() }))
        .collect();
    fs::write(site.join("files.json"), serde_json::to_vec(&listed)?)?;
    if !sizes.is_empty() || !groups.is_empty() {
        worker(&site, "millwright-bench-lexical", "lexical", &[])?;
    }
    Ok(site)
}

/// The other libraries, and the chunks and questions for all.
fn peers(site: &Path, corpus: &Corpus, sizes: &[usize]) -> Result<()> {
    let Some(modules) = paths::node_modules()? else { bail!("the peers come from npm, which is needed") };
    copy(&modules.join("elasticlunr/elasticlunr.min.js"), &site.join("elasticlunr.js"))?;
    copy(&modules.join("minisearch/dist/umd/index.js"), &site.join("minisearch.js"))?;
    for size in sizes {
        let chunks: Vec<_> = (0..*size)
            .zip(&corpus.chunks)
            .map(|(id, chunk)| json!({ "id": id, "title": chunk.title, "text": chunk.text }))
            .collect();
        fs::write(site.join(format!("chunks-{size}.json")), serde_json::to_vec(&chunks)?)?;
    }
    Ok(fs::write(site.join("questions.json"), serde_json::to_vec(&corpus.questions)?)?)
}

/// Compiles a package for the tab as the app is compiled, with further features of the machine, and makes it loadable in a
/// worker under a name.
pub(crate) fn worker(site: &Path, package: &str, name: &str, features: &[&str]) -> Result<()> {
    // Added to what `.cargo/config.toml` says.
    let features: Vec<String> = features.iter().map(|feature| format!("-C target-feature=+{feature}")).collect();
    let flags = (!features.is_empty()).then(|| ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", features.join(" ")));
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--profile", PROFILE, "--target", TARGET, "--package", package])
        .envs(flags)
        .current_dir(paths::workspace())
        .status()
        .context("cannot run cargo")?;
    ensure!(built.success(), "{package} does not build for {TARGET}");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| paths::workspace().join("target"), PathBuf::from);
    let own = paths::workspace().join("pkg/tools/bin/wasm-bindgen");
    let bindgen = if own.is_file() { own } else { PathBuf::from("wasm-bindgen") };
    let bound = Command::new(bindgen)
        .args(["--target", "no-modules", "--no-typescript", "--out-name", name, "--out-dir"])
        .arg(site)
        .arg(target.join(TARGET).join(PROFILE).join(package.replace('-', "_") + ".wasm"))
        .status()
        .context("cannot run wasm-bindgen; `cargo pkg run` gets it")?;
    ensure!(bound.success(), "wasm-bindgen failed");
    Ok(())
}

/// Copies a file, or says which could not be.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).with_context(|| format!("cannot copy {}", from.display()))
}
