//! Turns the catalogue of models, which people write and read as TOML, into JSON, which the core reads anyway; and tells
//! the kernels whether they may use relaxed SIMD.

#![expect(clippy::disallowed_methods, reason = "what the core may not do at run time, building it must")]

use std::{env, error::Error, fs, path::Path};

const CATALOGUE: &str = "../pkg/models.toml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={CATALOGUE}");
    println!("cargo:rustc-check-cfg=cfg(relaxed_simd)");
    if has_relaxed_simd() {
        println!("cargo:rustc-cfg=relaxed_simd");
    }
    let catalogue: toml::Table = fs::read_to_string(CATALOGUE)?.parse()?;
    let folder = env::var("OUT_DIR")?;
    fs::write(Path::new(&folder).join("models.json"), serde_json::to_string(&catalogue)?)?;
    Ok(())
}

/// Whether kernels for relaxed SIMD are wanted: by cargo's feature, which compiles no dependency anew, or by the compiler's.
fn has_relaxed_simd() -> bool {
    let target_features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has = |name: &str| target_features.split(',').any(|feature| feature == name);
    has("simd128") && (env::var_os("CARGO_FEATURE_RELAXED_SIMD").is_some() || has("relaxed-simd"))
}
