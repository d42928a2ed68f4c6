//! Gives every build of page and engine a name, so that a page of one build refuses an engine of another.
//!
//! The name is a hash of the sources that both are made of: two builds of the same sources are the same build.

use std::{fs, io, path::Path};

/// What page and engine are made of, relative to this package.
const SOURCES: [&str; 4] = ["../Cargo.lock", "../core/src", "../pkg/models.toml", "src"];

fn main() -> io::Result<()> {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        feed(Path::new(source), &mut hash)?;
    }
    println!("cargo:rustc-env=MILLWRIGHT_BUILD={:016x}", hash.0);
    Ok(())
}

fn feed(path: &Path, hash: &mut Fnv) -> io::Result<()> {
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| feed(entry, hash));
    }
    hash.add(path.to_string_lossy().as_bytes());
    hash.add(&fs::read(path)?);
    Ok(())
}

/// FNV-1a in 64 bits (Fowler, Noll, Vo): enough to tell builds apart, and no dependency.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
