//! Turns files into inputs of a target, for a corpus to begin with.

use crate::target::Target;
use std::{env, fs, io, path::Path};

/// Larger files are not looked at.
const MAX_FILE_BYTES: u64 = 2 << 20;
/// Larger inputs are not kept: the smaller ones lead everywhere sooner.
const MAX_INPUT_BYTES: usize = 64 << 10;

/// Writes the files below the folders in `MILLWRIGHT_SEEDS` that fit the target to the folder `MILLWRIGHT_CORPUS`, each
/// as an input. Does nothing where either is not set.
///
/// # Errors
/// When a folder or file cannot be read or written.
pub(crate) fn write(target: Target) -> io::Result<()> {
    let (Some(from), Some(to)) = (env::var_os("MILLWRIGHT_SEEDS"), env::var_os("MILLWRIGHT_CORPUS")) else {
        return Ok(());
    };
    let to = Path::new(&to);
    fs::create_dir_all(to)?;
    // The fuzzer starts itself again and again.
    if to.join("seed-00000").exists() {
        return Ok(());
    }
    let mut n_seeds = 0;
    for folder in env::split_paths(&from) {
        take(target, &folder, to, &mut n_seeds)?;
    }
    eprintln!("{n_seeds} seeds of {}", target.name);
    Ok(())
}

fn take(target: Target, folder: &Path, to: &Path, n_seeds: &mut u32) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        let about = fs::metadata(&path)?;
        if about.is_dir() {
            take(target, &path, to, n_seeds)?;
        } else if about.len() <= MAX_FILE_BYTES {
            let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            let input = target.seed(&ending, &fs::read(&path)?).filter(|input| input.len() <= MAX_INPUT_BYTES);
            if let Some(input) = input {
                fs::write(to.join(format!("seed-{n_seeds:05}")), input)?;
                *n_seeds += 1;
            }
        }
    }
    Ok(())
}
