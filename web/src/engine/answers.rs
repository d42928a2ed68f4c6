//! Answers to everything that is one question and one answer.

use super::{
    Engine, OpenLibrary, opening, packed,
    shelf::Urgency,
    vectors::{self, Asked},
};
use crate::{
    channel::{self, field},
    clock::{BrowserClock, sleep},
};
use futures_util::future::{Either, select};
use js_sys::{Array, Promise, Uint8Array};
use millwright_core::{
    answer::{AskOptions, Pipeline, Step},
    dense::Code,
    document::{DocumentId, NodeId},
    index::{FindOptions, QuestionVectors},
    protocol::{Event, Failure, FailureKind, Found, PROTOCOL_VERSION, Request, RequestId, StorageState},
    retrieve::{Question, route},
};
use std::{pin::pin, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, StorageManager};

/// The vector of a question is waited for so long before what words find is told: it usually takes a tenth of it.
const VECTOR_PATIENCE_MILLIS: i32 = 150;

/// How often an answer looks whether it is still wanted.
const MOOT_MILLIS: i32 = 20;

/// Answers one request.
pub(super) async fn answer(engine: &Rc<Engine>, id: RequestId, request: Request) {
    if let Request::Original { document } = request {
        return send_original(engine, id, &document).await;
    }
    let answer = match request {
        Request::Hello { protocol } => greet(engine, protocol).await,
        Request::Find { query, limit, explains } => {
            find(engine, id, &query, FindOptions { limit, explains, ..FindOptions::default() }).await
        }
        Request::Ask { query } => ask(engine, &query).await,
        Request::VectorsState => vectors::state(engine).await.map(Event::Vectors),
        Request::PauseVectors { is_paused } => vectors::pause(engine, is_paused).map(|()| Event::Done),
        Request::RemakeVectors { model } => vectors::remake(engine, &model).await.map(|()| Event::Done),
        Request::Documents => documents(engine).await,
        Request::Open { document, from, limit } => open(engine, &document, from, limit).await,
        Request::OpenPage { document, page, limit } => open_page(engine, &document, page, limit).await,
        Request::Clear => opening::clear(engine).await.map(|()| Event::Done),
        Request::Trash { documents } => change(engine, &documents, Change::Trash).await,
        Request::Restore { documents } => change(engine, &documents, Change::Restore).await,
        Request::Purge { documents } => change(engine, &documents, Change::Purge).await,
        Request::StorageState => Ok(Event::StorageState(storage_state(engine).await)),
        Request::Original { .. }
        | Request::Ingest { .. }
        | Request::ReadScans { .. }
        | Request::Cancel { .. }
        | Request::Models
        | Request::GetModel { .. }
        | Request::TakeModel { .. }
        | Request::RemoveModel { .. } => unreachable!("answered elsewhere"),
    };
    engine.tell(id, &answer.unwrap_or_else(Event::Failed));
}

async fn greet(engine: &Engine, protocol: u32) -> Result<Event, Failure> {
    if protocol != PROTOCOL_VERSION {
        return Err(Failure {
            error: "Millwright was updated while this page was open. Reload the page.".to_owned(),
            error_type: FailureKind::VersionMismatch,
        });
    }
    // Role and notice are known once the library is open.
    drop(engine.library(Urgency::Click).await?);
    let storage = storage_state(engine).await;
    let notice = engine.notice.borrow().clone();
    Ok(Event::Ready { protocol: PROTOCOL_VERSION, writer: engine.is_writer.get(), storage, notice })
}

/// Finds passages. The question's vector is made meanwhile; where that takes longer than a moment, what is found by words
/// alone is told first.
async fn find(engine: &Engine, id: RequestId, query: &str, options: FindOptions<'_>) -> Result<Event, Failure> {
    let question = engine.n_questions.get() + 1;
    engine.n_questions.set(question);
    let is_moot = || engine.n_questions.get() != question;
    let vector = match vector_of(engine, query) {
        Asked::Nobody => None,
        Asked::Known(vector) => Some(vector),
        Asked::Coming { vector, is_soon } => {
            match select(vector, pin!(sleep(if is_soon { VECTOR_PATIENCE_MILLIS } else { 0 }))).await {
                Either::Left((vector, _)) => vector.ok(),
                Either::Right(((), vector)) => {
                    let Some(found) = search(engine, query, &options, &is_moot).await? else {
                        return Ok(Event::Done);
                    };
                    engine.tell(id, &Event::FoundSoFar(found));
                    vector.await.ok()
                }
            }
        }
    };
    let options = FindOptions { vector: vector.as_deref(), ..options };
    let found = search(engine, query, &options, &is_moot).await?;
    Ok(found.map_or(Event::Done, Event::Found))
}

/// Asks for the vector of a question, if it wants one.
fn vector_of(engine: &Engine, question: &str) -> Asked {
    route::vector_text(&Question::parse(question)).map_or(Asked::Nobody, |text| engine.vectors.ask(text))
}

/// Answers a question without a model, unless somebody typed on meanwhile. Vectors help where they come within a moment.
async fn ask(engine: &Engine, query: &str) -> Result<Event, Failure> {
    let question = engine.n_questions.get();
    let mut pipeline = Pipeline::new(query, AskOptions::default());
    let mut vectors = QuestionVectors::new();
    for part in pipeline.parts() {
        let vector = match vector_of(engine, &part.text) {
            Asked::Nobody => None,
            Asked::Known(vector) => Some(vector),
            Asked::Coming { vector, .. } => match select(vector, pin!(sleep(VECTOR_PATIENCE_MILLIS))).await {
                Either::Left((vector, _)) => vector.ok(),
                Either::Right(_) => None,
            },
        };
        vectors.extend(vector.map(|vector| (part.text.clone(), Code::clone(&vector))));
    }
    let mut library = engine.library(Urgency::Question).await?;
    if engine.n_questions.get() != question {
        return Ok(Event::Done);
    }
    // Computing over all rows of a large library takes seconds, and whoever asks something new must not wait for it. It
    // only reads, so it can be dropped at any of its waits.
    let moot = pin!(async {
        while engine.n_questions.get() == question {
            sleep(MOOT_MILLIS).await;
        }
    });
    let answering = pin!(async {
        match library.advance(&mut pipeline, &vectors, &BrowserClock).await {
            Err(_) if is_behind(engine, &mut library).await => {
                pipeline = Pipeline::new(query, AskOptions::default());
                library.advance(&mut pipeline, &vectors, &BrowserClock).await
            }
            step => step,
        }
    });
    let Either::Left((step, _)) = select(answering, moot).await else { return Ok(Event::Done) };
    match step? {
        Step::Done(answer) => Ok(Event::Answered(answer)),
        // Nobody here writes, so the pipeline asks for nothing but what the library has.
        Step::Write(_) | Step::Find(_) | Step::Read(_) => Ok(Event::Done),
    }
}

/// Passages, unless somebody typed on meanwhile.
async fn search(
    engine: &Engine,
    query: &str,
    options: &FindOptions<'_>,
    is_moot: &impl Fn() -> bool,
) -> Result<Option<Found>, Failure> {
    let mut library = engine.library(Urgency::Question).await?;
    if is_moot() {
        return Ok(None);
    }
    let found = match library.find_with(query, options, &BrowserClock).await {
        Err(_) if is_behind(engine, &mut library).await => library.find_with(query, options, &BrowserClock).await,
        found => found,
    };
    Ok(Some(found?))
}

async fn open(engine: &Engine, document: &DocumentId, from: NodeId, limit: u32) -> Result<Event, Failure> {
    let mut library = engine.library(Urgency::Click).await?;
    let view = match library.view(document, from, limit).await {
        Err(_) if is_behind(engine, &mut library).await => library.view(document, from, limit).await,
        view => view,
    };
    Ok(Event::Opened(view?))
}

async fn open_page(engine: &Engine, document: &DocumentId, page: u32, limit: u32) -> Result<Event, Failure> {
    let library = engine.library(Urgency::Click).await?;
    let from = library.node_on_page(document, page).await?;
    Ok(Event::Opened(library.view(document, from, limit).await?))
}

/// Whether something failed only because another tab has changed the library and this one has not followed yet. It then has.
async fn is_behind(engine: &Engine, library: &mut OpenLibrary) -> bool {
    !engine.is_writer.get() && library.refresh().await.unwrap_or(false)
}

async fn documents(engine: &Engine) -> Result<Event, Failure> {
    Ok(Event::Documents { documents: engine.library(Urgency::Click).await?.documents() })
}

enum Change {
    Trash,
    Restore,
    Purge,
}

async fn change(engine: &Rc<Engine>, documents: &[DocumentId], change: Change) -> Result<Event, Failure> {
    let mut library = engine.library(Urgency::Click).await?;
    engine.may_write()?;
    match change {
        Change::Trash => library.trash(documents).await?,
        Change::Restore => library.restore(documents).await?,
        Change::Purge => library.purge(documents).await?,
    }
    engine.changed.ask();
    engine.tidy_soon();
    vectors::go_on(engine);
    Ok(Event::Done)
}

async fn send_original(engine: &Engine, id: RequestId, document: &DocumentId) {
    let original = match engine.library(Urgency::Click).await {
        Ok(library) => library.original(document).await.map_err(Failure::from),
        Err(failure) => Err(failure),
    };
    let (name, bytes) = match original {
        Ok(original) => original,
        Err(failure) => return engine.tell(id, &Event::Failed(failure)),
    };
    // Without a type: a browser given "text/html" would run the document's scripts as if they were ours.
    let parts = Array::of1(&Uint8Array::from(bytes.as_slice()));
    match Blob::new_with_u8_array_sequence(&parts) {
        Ok(blob) => {
            if let Some(message) = packed(id, &Event::Original { name }) {
                channel::attach_blob(&message, &blob);
                engine.post(&message);
            }
        }
        Err(exception) => {
            let error = format!("The original could not be handed over ({}).", channel::exception_text(&exception));
            engine.tell(id, &Event::Failed(Failure { error, error_type: FailureKind::Internal }));
        }
    }
}

/// How much room there is, as far as the browser tells.
async fn storage_state(engine: &Engine) -> StorageState {
    let memory_only = engine.is_memory_only.get();
    let Some(manager) = channel::worker_scope().and_then(|scope| field(&scope.navigator(), "storage")) else {
        return StorageState { memory_only, ..StorageState::default() };
    };
    let manager: StorageManager = manager.unchecked_into();
    let estimate = settled(manager.estimate().ok()).await;
    let number =
        |name| estimate.as_ref().and_then(|estimate| field(estimate, name)?.as_f64()).map(|bytes| bytes as u64);
    let persistent = settled(manager.persisted().ok()).await.and_then(|answer| answer.as_bool()).unwrap_or(false);
    StorageState { used_bytes: number("usage"), quota_bytes: number("quota"), persistent, memory_only }
}

/// What a promise gives; `None` when it is refused.
async fn settled(promise: Option<Promise>) -> Option<JsValue> {
    JsFuture::from(promise?).await.ok()
}
