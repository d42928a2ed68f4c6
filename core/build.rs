//! Turns the catalogue of models, which people write and read as TOML, into JSON, which the core reads anyway.

#![expect(clippy::disallowed_methods, reason = "what the core may not do at run time, building it must")]

use std::{env, error::Error, fs, path::Path};

const CATALOGUE: &str = "../pkg/models.toml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={CATALOGUE}");
    let catalogue: toml::Table = fs::read_to_string(CATALOGUE)?.parse()?;
    let folder = env::var("OUT_DIR")?;
    fs::write(Path::new(&folder).join("models.json"), serde_json::to_string(&catalogue)?)?;
    Ok(())
}
