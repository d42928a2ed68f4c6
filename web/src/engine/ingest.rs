//! Files in: a queue of files, and lanes that take one after another through reading, parsing and storing.
//!
//! Nothing of a file is in the library before the one batch that brings all of it, so a crash, a cancel or a closed tab
//! leaves either the whole document or none of it.

mod again;

use super::{
    Engine,
    cancel::Cancellation,
    reading::{News, Reader, Unread},
    shelf::Urgency,
    vectors,
};
use crate::{channel::exception_text, clock::BrowserClock};
use futures_util::future::{Either, select};
use js_sys::ArrayBuffer;
use millwright_core::{
    document::DocumentId,
    host::Clock,
    index::{IndexError, Known, Prepared},
    parse::{MAX_FILE_BYTES, ParseError},
    protocol::{Event, Failure, FailureKind, FileOutcome, IngestStage, Password, ReadSoFar, RequestId, Unit},
};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::poll_fn,
    pin::pin,
    rc::Rc,
    task::{Poll, Waker},
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// How many files are read at once. Each reader holds a file, its tree and its segment in memory.
pub(super) const N_READERS: usize = 1;

/// One file of one request.
struct Job {
    request: Rc<Batch>,
    file: u32,
    name: String,
    source: Source,
    cancellation: Cancellation,
}

/// Where a file's bytes are.
pub(super) enum Source {
    /// The user chose it.
    Picked(File),
    /// It is the original of a document whose scans are to be read.
    Kept(DocumentId),
}

/// A request's files.
struct Batch {
    id: RequestId,
    n_left: Cell<u32>,
    password: Option<Password>,
}

/// The files not begun, and the lanes that wait for some.
#[derive(Default)]
pub(super) struct Queue {
    jobs: RefCell<VecDeque<Job>>,
    idle_lanes: RefCell<Vec<Waker>>,
}

impl Queue {
    /// Appends a request's files; returns what stops each.
    pub(super) fn add(
        &self,
        id: RequestId,
        sources: Vec<(String, Source)>,
        password: Option<Password>,
    ) -> Vec<Cancellation> {
        let request = Rc::new(Batch { id, n_left: Cell::new(0), password });
        let mut jobs = self.jobs.borrow_mut();
        let mut cancellations = Vec::with_capacity(sources.len());
        for (file, (name, source)) in (0..).zip(sources) {
            request.n_left.set(file + 1);
            let cancellation = Cancellation::default();
            cancellations.push(cancellation.clone());
            jobs.push_back(Job { request: Rc::clone(&request), file, name, source, cancellation });
        }
        self.idle_lanes.take().into_iter().for_each(Waker::wake);
        cancellations
    }

    pub(super) fn is_empty(&self) -> bool {
        self.jobs.borrow().is_empty()
    }

    async fn next(&self) -> Job {
        poll_fn(|context| match self.jobs.borrow_mut().pop_front() {
            Some(job) => Poll::Ready(job),
            None => {
                self.idle_lanes.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await
    }

    /// Takes out the cancelled files of a request that were not begun.
    fn withdraw(&self, id: RequestId) -> VecDeque<Job> {
        let mut jobs = self.jobs.borrow_mut();
        let is_withdrawn = |job: &Job| job.request.id == id && job.cancellation.is_cancelled();
        let (withdrawn, kept) = jobs.drain(..).partition(is_withdrawn);
        *jobs = kept;
        withdrawn
    }
}

/// A lane: takes files from the queue for as long as the engine lives.
pub(super) async fn run_lane(engine: Rc<Engine>) {
    let mut reader = Reader::new(&engine.reader_program);
    loop {
        let job = engine.queue.next().await;
        let outcome = take_in(&engine, &mut reader, &job).await.unwrap_or_else(|unread| match unread {
            Unread::Cancelled => FileOutcome::Cancelled,
            Unread::NoReader(failure) | Unread::Failed(failure) => FileOutcome::Failed(failure),
        });
        let is_stored =
            matches!(outcome, FileOutcome::Added { .. } | FileOutcome::Replaced { .. } | FileOutcome::ReadAgain { .. });
        finish(&engine, &job, outcome);
        if is_stored {
            vectors::go_on(&engine);
        }
        if engine.queue.is_empty() {
            reader.rest();
            engine.tidy_soon();
        } else if is_stored {
            // Five hundred files must not become five hundred segments before the first pause.
            engine.tidy_once(Urgency::Ingestion).await;
        }
    }
}

/// Cancels a request or one file of it: files that wait end at once, the one in work when its lane hears it.
pub(super) fn cancel(engine: &Engine, id: RequestId, file: Option<u32>) {
    if let Some(cancellations) = engine.cancellations.borrow().get(&id) {
        let is_meant = |at: usize| file.is_none_or(|file| file as usize == at);
        cancellations.iter().enumerate().filter(|(at, _)| is_meant(*at)).for_each(|(_, one)| one.cancel());
    }
    for job in engine.queue.withdraw(id) {
        finish(engine, &job, FileOutcome::Cancelled);
    }
}

fn finish(engine: &Engine, job: &Job, outcome: FileOutcome) {
    engine.tell(job.request.id, &Event::FileDone { file: job.file, outcome });
    job.request.n_left.set(job.request.n_left.get() - 1);
    if job.request.n_left.get() == 0 {
        engine.end(job.request.id, &Event::Done);
    }
}

/// Takes one file in.
async fn take_in(engine: &Engine, reader: &mut Reader, job: &Job) -> Result<FileOutcome, Unread> {
    let cancellation = &job.cancellation;
    let count = |stage, done, total, unit| {
        engine.tell(job.request.id, &Event::FileProgress { file: job.file, stage, done, total, unit });
    };
    let tell = |stage| count(stage, 0, 0, Unit::Parts);
    tell(IngestStage::Reading);
    let picked = match &job.source {
        Source::Picked(picked) => picked,
        Source::Kept(document) => return again::read(engine, reader, job, document, &count).await,
    };
    let bytes = bytes_of(job, picked).await?;
    let id = reader.take(&job.name, &bytes, job.request.password.as_ref(), cancellation).await?;
    {
        let mut library = engine.library(Urgency::Ingestion).await.map_err(Unread::Failed)?;
        if let Some(outcome) = known(&mut library, job, &id).await? {
            reader.forget();
            return Ok(outcome);
        }
    }
    tell(IngestStage::Parsing);
    let read = reader.read(&job.name, cancellation, async |news| match news {
        News::Progress { stage, done, total, unit } => count(stage, done, total, unit),
        News::Indexing => tell(IngestStage::Indexing),
        News::Draft(draft, reading) => show_draft(engine, *draft, reading).await,
    });
    let stored = match read.await {
        Ok((prepared, original)) => {
            tell(IngestStage::Storing);
            store(engine, job, &id, prepared, &original).await
        }
        Err(unread) => Err(unread),
    };
    if stored.is_err() {
        drop_draft(engine, &id).await;
    }
    stored
}

async fn store(
    engine: &Engine,
    job: &Job,
    id: &DocumentId,
    prepared: Prepared,
    original: &[u8],
) -> Result<FileOutcome, Unread> {
    let mut library = engine.library(Urgency::Ingestion).await.map_err(Unread::Failed)?;
    if job.cancellation.is_cancelled() {
        return Err(Unread::Cancelled);
    }
    // Another lane may have brought the same bytes while this one was reading.
    if let Some(outcome) = known(&mut library, job, id).await? {
        return Ok(outcome);
    }
    let outcome = library.commit(prepared, original, BrowserClock.now_millis()).await.map_err(store_failure)?;
    engine.changed.ask();
    Ok(outcome)
}

fn store_failure(error: IndexError) -> Unread {
    Unread::Failed(error.into())
}

/// Lets the first pages be found while the rest is being read.
async fn show_draft(engine: &Engine, draft: Prepared, reading: ReadSoFar) {
    // A draft that cannot be shown is no reason to stop: the whole is still to come.
    let Ok(mut library) = engine.library(Urgency::Ingestion).await else { return };
    match library.show_draft(draft, reading, BrowserClock.now_millis()) {
        Ok(()) => engine.draft_changed.ask(),
        Err(error) => web_sys::console::warn_1(&format!("a draft could not be shown: {error}").into()),
    }
}

async fn drop_draft(engine: &Engine, id: &DocumentId) {
    let Ok(mut library) = engine.library(Urgency::Ingestion).await else { return };
    if library.drop_draft(id) {
        engine.draft_changed.ask();
    }
}

/// The outcome for a file whose bytes the library already holds.
async fn known(library: &mut super::OpenLibrary, job: &Job, id: &DocumentId) -> Result<Option<FileOutcome>, Unread> {
    match library.check(&job.name, id) {
        Known::Unchanged => Ok(Some(FileOutcome::Unchanged)),
        Known::SameContent { .. } => library.add_alias(&job.name, id).await.map(Some).map_err(store_failure),
        Known::New | Known::Replaces(_) => Ok(None),
    }
}

/// The file's bytes, unless it is too large, gone or cancelled.
async fn bytes_of(job: &Job, picked: &File) -> Result<ArrayBuffer, Unread> {
    let size_bytes = picked.size() as u64;
    if size_bytes > MAX_FILE_BYTES {
        return Err(Unread::Failed(ParseError::TooLarge { size_bytes, limit_bytes: MAX_FILE_BYTES }.into()));
    }
    let reading = JsFuture::from(picked.array_buffer());
    let bytes = match select(reading, pin!(job.cancellation.cancelled())).await {
        Either::Left((bytes, _)) => bytes,
        Either::Right(((), _)) => return Err(Unread::Cancelled),
    };
    bytes.map(|bytes| bytes.unchecked_into()).map_err(|exception| {
        Unread::Failed(Failure {
            error: format!(
                "{} could not be read ({}). It was moved, changed or removed after it was chosen; add it again.",
                job.name,
                exception_text(&exception)
            ),
            error_type: FailureKind::UnreadableFile,
        })
    })
}
