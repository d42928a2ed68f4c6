//! The files of a bundle: their list, hashes and compressed copies, and the service worker that is told of them.

use crate::error::PkgError;
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest, Sha256};
use std::{fs, io::Write, path::Path};

/// What the paths of files begin with that are not of the shell, and when they are used.
const BEYOND_SHELL: [(&str, Part); 2] = [("reader", Part::Later), ("embedder", Part::ForSome)];

/// When a file is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// For the first paint and the first answer.
    Shell,
    /// When the first file comes.
    Later,
    /// By those who have a model, and of its builds only the one for their browser.
    ForSome,
}

/// One file of the bundle.
pub(super) struct Asset {
    /// Its path below the bundle, with `/` on every system.
    pub(super) path: String,
    /// Its content.
    pub(super) bytes: Vec<u8>,
}

impl Asset {
    /// When it is needed.
    pub(super) fn part(&self) -> Part {
        let beyond = BEYOND_SHELL.iter().find(|(beginning, _)| self.path.starts_with(beginning));
        beyond.map_or(Part::Shell, |(_, part)| *part)
    }

    /// Writes the compressed copy beside it where that is shorter; returns its length over the wire.
    ///
    /// # Errors
    /// If the copy cannot be written.
    pub(super) fn write_compressed(&self, bundle: &Path) -> Result<u64, PkgError> {
        let raw = self.bytes.len() as u64;
        if !is_compressible(&self.path) {
            return Ok(raw);
        }
        let path = bundle.join(format!("{}.gz", self.path));
        let compressed = gzip(&self.bytes).map_err(PkgError::file("compressing", &path))?;
        if compressed.len() as u64 >= raw {
            return Ok(raw);
        }
        fs::write(&path, &compressed).map_err(PkgError::file("writing", &path))?;
        Ok(compressed.len() as u64)
    }

    /// As browsers want it for an integrity check.
    fn integrity(&self) -> String {
        format!("sha256-{}", base64(&Sha256::digest(&self.bytes)))
    }

    /// The address that the worker keeps it under. The page itself is `/`: servers may redirect `/index.html` there, and
    /// a browser refuses a redirected answer to a navigation.
    fn url(&self) -> String {
        if self.path == "index.html" { "/".to_owned() } else { format!("/{}", self.path) }
    }
}

/// All files of the bundle, sorted by path. What the bundle is finished with is no part of it.
///
/// # Errors
/// If the folder or a file cannot be read.
pub(super) fn collect(bundle: &Path) -> Result<Vec<Asset>, PkgError> {
    let mut assets = Vec::new();
    let mut waiting = vec![(bundle.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(PkgError::file("reading", &folder))? {
            let path = entry.map_err(PkgError::file("reading", &folder))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                waiting.push((path, format!("{prefix}{name}/")));
            } else if is_compiled(&format!("{prefix}{name}")) {
                let bytes = fs::read(&path).map_err(PkgError::file("reading", &path))?;
                assets.push(Asset { path: format!("{prefix}{name}"), bytes });
            }
        }
    }
    assets.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(assets)
}

fn is_compiled(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path != super::WORKER_FILE && path != super::VERSION_FILE && !name.ends_with(".gz") && !name.starts_with('.')
}

fn is_compressible(path: &str) -> bool {
    const TEXT: [&str; 13] =
        ["css", "csv", "html", "ico", "js", "json", "md", "mjs", "svg", "txt", "wasm", "webmanifest", "xml"];
    path.rsplit_once('.').is_some_and(|(_, extension)| TEXT.contains(&extension))
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// The bundle's version: 16 hexadecimal digits over every file's name and content and over the worker's source, so that
/// two bundles share a version only if they are the same.
pub(super) fn version(assets: &[Asset], worker: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(worker));
    for asset in assets {
        hash.update(Sha256::digest(&asset.path));
        hash.update(Sha256::digest(&asset.bytes));
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fills the worker's source in.
///
/// # Errors
/// If the source lacks a place to fill.
pub(super) fn service_worker(template: &str, version: &str, assets: &[Asset]) -> Result<String, PkgError> {
    let list = |part| {
        let assets = assets.iter().filter(|asset| asset.part() == part);
        let lines = assets.map(|asset| format!("\n  {},", serde_json::json!([asset.url(), asset.integrity()])));
        format!("[{}\n]", lines.collect::<String>())
    };
    let places = [
        ("\"MILLWRIGHT_VERSION\"", format!("\"{version}\"")),
        ("[\"MILLWRIGHT_SHELL\"]", list(Part::Shell)),
        ("[\"MILLWRIGHT_LATER\"]", list(Part::Later)),
        ("[\"MILLWRIGHT_FOR_SOME\"]", list(Part::ForSome)),
    ];
    let mut text = template.to_owned();
    for (place, filling) in places {
        if !text.contains(place) {
            return Err(PkgError::Failed(format!("the service worker's source has no {place}")));
        }
        text = text.replace(place, &filling);
    }
    Ok(text)
}

/// RFC 4648, section 4, with padding.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = ALPHABET[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asset(path: &str, bytes: &[u8]) -> Asset {
        Asset { path: path.into(), bytes: bytes.to_vec() }
    }

    #[test]
    fn base64_has_the_standards_test_vectors() {
        let vectors = ["", "f", "fo", "foo", "foob", "fooba", "foobar"];
        let expected = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"];
        assert_eq!(vectors.map(|text| base64(text.as_bytes())), expected.map(str::to_owned));
    }

    #[test]
    fn a_version_changes_with_every_byte_name_and_the_worker() {
        let base = version(&[asset("a.js", b"1"), asset("b.js", b"2")], "worker");
        assert_eq!(base.len(), 16);
        assert_eq!(base, version(&[asset("a.js", b"1"), asset("b.js", b"2")], "worker"));
        for other in [
            version(&[asset("a.js", b"1"), asset("b.js", b"3")], "worker"),
            version(&[asset("a.js", b"12"), asset("b.js", b"")], "worker"),
            version(&[asset("a.js", b"1"), asset("c.js", b"2")], "worker"),
            version(&[asset("a.js", b"1")], "worker"),
            version(&[asset("a.js", b"1"), asset("b.js", b"2")], "another worker"),
        ] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn the_worker_lists_every_file_with_its_hash_and_the_page_as_root() {
        let template = "V = \"MILLWRIGHT_VERSION\"; S = [\"MILLWRIGHT_SHELL\"]; L = [\"MILLWRIGHT_LATER\"]; F = [\"MILLWRIGHT_FOR_SOME\"];";
        let paths = ["embedder-relaxed_bg.wasm", "index.html", "reader_bg.wasm", "x/reader.js"];
        let worker = service_worker(template, "00ff", &paths.map(|path| asset(path, b""))).unwrap();
        // The hash of nothing, as everybody knows it.
        let nothing = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
        let list = |urls: &[&str]| {
            let lines: String = urls.iter().map(|url| format!("\n  [\"{url}\",\"{nothing}\"],")).collect();
            format!("[{lines}\n]")
        };
        let (shell, later) = (list(&["/", "/x/reader.js"]), list(&["/reader_bg.wasm"]));
        let for_some = list(&["/embedder-relaxed_bg.wasm"]);
        assert_eq!(worker, format!("V = \"00ff\"; S = {shell}; L = {later}; F = {for_some};"));
        assert!(service_worker("no places", "00ff", &[]).is_err());
    }

    #[test]
    fn the_finish_is_no_part_of_what_was_compiled() {
        for path in ["sw.js", "version.json", "app.wasm.gz", ".stage", "icons/.keep"] {
            assert!(!is_compiled(path), "{path}");
        }
        for path in ["index.html", "app.wasm", "samples/version.json", "worker.js"] {
            assert!(is_compiled(path), "{path}");
        }
    }
}
