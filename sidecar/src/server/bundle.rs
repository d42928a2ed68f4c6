//! The built page in memory: one consistent set of files, loaded whole and replaced whole when a new build appears, so
//! that no page is served half old and half new. Not for answering requests.

use super::policy::content_security_policy;
use axum::body::Bytes;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::SystemTime,
};

/// The page.
pub const INDEX: &str = "index.html";

/// The build's facts, written by the packaging tool: `{"version": "…"}`.
const VERSION_FILE: &str = "version.json";

/// A bundle is a few megabytes; more than this is another folder.
const MAX_BUNDLE_BYTES: u64 = 256 << 20;

/// Folders inside folders; a bundle has one or two.
const MAX_DEPTH: usize = 8;

/// Why a bundle cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The folder or a file in it cannot be read.
    #[error("The page's files cannot be read: {}: {source}. Build them anew with `cargo pkg bundle`.", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no page.
    #[error("There is no {INDEX} in {}. Build the page with `cargo pkg bundle`, or name its folder with --app DIR.", .0.display())]
    NoIndex(PathBuf),
    /// It is no bundle.
    #[error("{} holds more than a page: {total_bytes} bytes. Name the folder of the built page with --app DIR.", dir.display())]
    TooLarge {
        /// The folder.
        dir: PathBuf,
        /// What is in it, as far as was looked.
        total_bytes: u64,
    },
}

/// A file in one encoding.
#[derive(Clone, Debug)]
pub struct Body {
    /// As sent.
    pub bytes: Bytes,
    /// Its strong validator, with the quotes.
    pub etag: String,
    /// Whether it is compressed.
    pub is_gzip: bool,
}

/// A file of the page.
#[derive(Clone, Debug)]
pub struct Asset {
    /// As it is.
    pub plain: Body,
    /// Compressed beforehand, where the build did that.
    pub gzip: Option<Body>,
    /// Its media type.
    pub content_type: &'static str,
    /// Its name holds a hash of its content: it never changes.
    pub is_hashed: bool,
}

impl Asset {
    /// How long browsers may keep it.
    #[must_use]
    pub fn cache_control(&self) -> &'static str {
        if self.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }
    }
}

/// All files of one build.
#[derive(Debug)]
pub struct Bundle {
    assets: BTreeMap<String, Asset>,
    version: Option<String>,
    content_security_policy: String,
}

impl Bundle {
    /// The file of this name (relative, with `/`), if the build has it.
    #[must_use]
    pub fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets.get(name)
    }

    /// The build's version, where it tells one.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The header that goes with every answer.
    #[must_use]
    pub fn content_security_policy(&self) -> &str {
        &self.content_security_policy
    }

    fn load(dir: &Path, listing: &Listing) -> Result<Self, BundleError> {
        #[derive(Deserialize)]
        struct Version {
            version: String,
        }
        let mut assets = BTreeMap::new();
        for (name, entry) in listing {
            // A compressed form goes with its original; alone it is a file like any other.
            if name.strip_suffix(".gz").is_some_and(|original| listing.contains_key(original)) {
                continue;
            }
            let plain = read(&entry.path)?;
            let gzip = match listing.get(&format!("{name}.gz")) {
                // One that is older than its original is left from an earlier build.
                Some(compressed) if compressed.modified >= entry.modified => Some(read(&compressed.path)?),
                _ => None,
            };
            let digest = Sha256::digest(&plain);
            let hash: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            let body = |bytes, ending, is_gzip| Body { bytes, etag: format!("\"{hash}{ending}\""), is_gzip };
            let asset = Asset {
                plain: body(plain, "", false),
                gzip: gzip.map(|bytes| body(bytes, "-gz", true)),
                content_type: content_type(name),
                is_hashed: is_hashed(name),
            };
            assets.insert(name.clone(), asset);
        }
        let text_of = |name: &str| assets.get(name).map(|asset| String::from_utf8_lossy(&asset.plain.bytes));
        let index = text_of(INDEX).ok_or_else(|| BundleError::NoIndex(dir.to_owned()))?;
        let version = text_of(VERSION_FILE).and_then(|text| serde_json::from_str::<Version>(&text).ok());
        let content_security_policy = content_security_policy(&index);
        Ok(Self { version: version.map(|version| version.version), content_security_policy, assets })
    }
}

/// The current bundle of a folder.
#[derive(Debug)]
pub struct Shelf {
    dir: PathBuf,
    current: RwLock<Arc<Bundle>>,
    /// The listing that `current` was loaded from.
    listing: Mutex<Listing>,
}

impl Shelf {
    /// Loads a folder.
    ///
    /// # Errors
    /// [`BundleError`] when there is no page in it or a file cannot be read.
    pub fn load(dir: &Path) -> Result<Self, BundleError> {
        let listing = list(dir)?;
        let bundle = Bundle::load(dir, &listing)?;
        Ok(Self { dir: dir.to_owned(), current: RwLock::new(Arc::new(bundle)), listing: Mutex::new(listing) })
    }

    /// The bundle that is served now.
    #[must_use]
    pub fn current(&self) -> Arc<Bundle> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes a new build in, if there is one that can be loaded; one that is being written is taken by a later call.
    /// Lists the folder: O(files).
    pub fn refresh(&self) {
        let mut known = self.listing.lock().unwrap_or_else(PoisonError::into_inner);
        let Ok(listing) = list(&self.dir) else { return };
        if listing != *known
            && let Ok(bundle) = Bundle::load(&self.dir, &listing)
        {
            *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(bundle);
            *known = listing;
        }
    }
}

/// A file as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    path: PathBuf,
    size_bytes: u64,
    modified: SystemTime,
}

/// By relative name with `/`.
type Listing = BTreeMap<String, Entry>;

/// Every regular file below a folder. Links are not followed and hidden files are left out: they are no part of a
/// build.
fn list(dir: &Path) -> Result<Listing, BundleError> {
    let mut listing = Listing::new();
    let mut total_bytes = 0;
    let mut open = vec![(dir.to_owned(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = open.pop() {
        let io_error = |source| BundleError::Io { path: folder.clone(), source };
        for entry in fs::read_dir(&folder).map_err(io_error)? {
            let entry = entry.map_err(io_error)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let metadata = entry.metadata().map_err(io_error)?;
            let name = format!("{prefix}{name}");
            if metadata.is_dir() && depth < MAX_DEPTH {
                open.push((entry.path(), format!("{name}/"), depth + 1));
            } else if metadata.is_file() {
                total_bytes += metadata.len();
                if total_bytes > MAX_BUNDLE_BYTES {
                    return Err(BundleError::TooLarge { dir: dir.to_owned(), total_bytes });
                }
                let modified = metadata.modified().map_err(io_error)?;
                listing.insert(name, Entry { path: entry.path(), size_bytes: metadata.len(), modified });
            }
        }
    }
    Ok(listing)
}

fn read(path: &Path) -> Result<Bytes, BundleError> {
    fs::read(path).map(Bytes::from).map_err(|source| BundleError::Io { path: path.to_owned(), source })
}

/// Media types of what a bundle holds; text is UTF-8.
fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/vnd.microsoft.icon",
        "woff2" => "font/woff2",
        "pdf" => "application/pdf",
        "csv" => "text/csv; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "txt" | "log" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whether a name holds a content hash as Trunk writes it: `page-9f86d081884c7d65.js`, `page-9f86d081884c7d65_bg.wasm`.
/// Its 64 bits are printed without leading zeros.
fn is_hashed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or(file);
    let stem = stem.strip_suffix("_bg").unwrap_or(stem);
    stem.rsplit_once('-').is_some_and(|(before, hash)| {
        !before.is_empty() && (12..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn hashed_names_are_told_from_plain_ones() {
        for hashed in ["page-9f86d081884c7d65.js", "page-9f86d081884c7d65_bg.wasm", "a/app-86d081884c7d65.css"] {
            assert!(is_hashed(hashed), "{hashed}");
        }
        for plain in ["index.html", "sw.js", "engine_bg.wasm", "icon-512.png", "engine-boot.js", "-9f86d081884c7d65.js"]
        {
            assert!(!is_hashed(plain), "{plain}");
        }
    }

    #[test]
    fn a_new_build_is_taken_in_whole() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, seconds: u64| {
            let path = dir.path().join(name);
            fs::write(&path, text).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds);
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        };
        write(INDEX, "one", 0);
        write("sw.js", "one", 0);
        write("sw.js.gz", "one, small", 1);
        write(VERSION_FILE, "{\"version\": \"1\"}", 0);
        let shelf = Shelf::load(dir.path()).unwrap();
        let first = shelf.current();
        assert_eq!(first.version(), Some("1"));
        assert_eq!(first.asset("sw.js").unwrap().gzip.as_ref().unwrap().bytes, "one, small");
        assert!(first.asset("sw.js.gz").is_none());

        // Half-way through a build: the page is away for a moment.
        fs::remove_file(dir.path().join(INDEX)).unwrap();
        shelf.refresh();
        assert_eq!(shelf.current().version(), Some("1"));

        write(INDEX, "two", 10);
        write("sw.js", "two", 10);
        write(VERSION_FILE, "{\"version\": \"2\"}", 10);
        shelf.refresh();
        assert_eq!(shelf.current().version(), Some("2"));
        let worker = shelf.current().asset("sw.js").unwrap().clone();
        assert!(worker.gzip.is_none(), "the compressed form is of the old build");
        assert_eq!(worker.plain.bytes, "two");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_hidden_files_are_no_part_of_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(INDEX), "page").unwrap();
        fs::write(dir.path().join(".secret"), "secret").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("passwd")).unwrap();
        let bundle = Shelf::load(dir.path()).unwrap().current();
        assert!(bundle.asset(".secret").is_none() && bundle.asset("passwd").is_none());
    }
}
