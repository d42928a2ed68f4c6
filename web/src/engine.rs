//! The engine: the worker that owns the library and answers the page.
//!
//! One thread, many tasks: every request is a task of its own, and they share the library in turns ([`shelf`]). Files are
//! read by another worker ([`reading`]) and vectors made by others ([`vectors`]), so that a question is answered while five
//! hundred files go in. One tab's engine writes, those of other tabs follow ([`roles`], [`news`]).
//!
//! Not for parsing or ranking (core), and not for what the page shows.

mod answers;
mod cancel;
mod ingest;
mod models;
mod news;
mod opening;
mod reading;
mod renewing;
mod roles;
mod shelf;
mod vectors;
mod worker;

use crate::{channel, clock::sleep, store::BrowserStore};
use cancel::Cancellation;
use js_sys::Object;
use millwright_core::{
    document::DocumentId,
    index::Library,
    protocol::{Envelope, Event, Failure, FailureKind, Password, Request, RequestId},
};
use news::{Burst, OtherTabs};
use shelf::{Shelf, Taken, Urgency};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ops::{Deref, DerefMut},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, File, MessageEvent};

type OpenLibrary = Library<BrowserStore>;

/// Housekeeping begins when nothing was ingested for so long.
const IDLE_MILLIS: i32 = 500;

/// What all tasks of the engine share.
struct Engine {
    scope: DedicatedWorkerGlobalScope,
    library: Shelf<Result<OpenLibrary, Failure>>,
    is_writer: Cell<bool>,
    is_memory_only: Cell<bool>,
    /// What to tell the user when the engine is up.
    notice: RefCell<Option<String>>,
    queue: ingest::Queue,
    /// The readers' program, once there was one.
    reader_program: worker::Program,
    /// Requests that can be cancelled, file by file.
    cancellations: RefCell<BTreeMap<RequestId, Vec<Cancellation>>>,
    /// The number of the newest question; older ones are moot.
    n_questions: Cell<u64>,
    is_tidying: Cell<bool>,
    tabs: OtherTabs,
    /// Asked when this tab changed the library.
    changed: Rc<Burst>,
    /// Asked when a document that is still being read is shown or taken back, which other tabs do not see.
    draft_changed: Rc<Burst>,
    vectors: vectors::Vectors,
}

/// Runs this worker as the engine.
pub fn start() {
    channel::tell_of_panics();
    let Some(scope) = channel::worker_scope() else { return };
    let engine = Engine::new(scope.clone());
    let for_messages = Rc::clone(&engine);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let message = event.data();
        match channel::unpack::<Envelope<Request>>(&message) {
            Some(Envelope { id, body }) => for_messages.hear(id, body, channel::attached_files(&message)),
            None => web_sys::console::error_2(&"the page sent something unreadable".into(), &message),
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    engine.post(&channel::up());
    spawn_local(opening::open(Rc::clone(&engine)));
    for _ in 0..ingest::N_READERS {
        spawn_local(ingest::run_lane(Rc::clone(&engine)));
    }
}

impl Engine {
    fn new(scope: DedicatedWorkerGlobalScope) -> Rc<Self> {
        Rc::new_cyclic(|weak: &std::rc::Weak<Self>| {
            let for_news = weak.clone();
            let follow = Burst::new(move || {
                if let Some(engine) = for_news.upgrade() {
                    spawn_local(follow(engine));
                }
            });
            let for_changes = weak.clone();
            let changed = Burst::new(move || {
                if let Some(engine) = for_changes.upgrade() {
                    engine.tabs.tell_changed();
                    engine.tell(RequestId::UNASKED, &Event::Changed);
                }
            });
            let for_drafts = weak.clone();
            let draft_changed = Burst::new(move || {
                if let Some(engine) = for_drafts.upgrade() {
                    engine.tell(RequestId::UNASKED, &Event::Changed);
                }
            });
            let for_vectors = weak.clone();
            let tell_vectors = move || {
                if let Some(engine) = for_vectors.upgrade() {
                    spawn_local(async move { vectors::tell(&engine).await });
                }
            };
            Self {
                scope,
                library: Shelf::new(),
                is_writer: Cell::new(false),
                is_memory_only: Cell::new(false),
                notice: RefCell::default(),
                queue: ingest::Queue::default(),
                reader_program: worker::Program::default(),
                cancellations: RefCell::default(),
                n_questions: Cell::new(0),
                is_tidying: Cell::new(false),
                tabs: OtherTabs::join(move || follow.ask()),
                changed,
                draft_changed,
                vectors: vectors::Vectors::new(tell_vectors),
            }
        })
    }

    /// Takes a request from the page.
    fn hear(self: &Rc<Self>, id: RequestId, request: Request, files: Vec<File>) {
        match request {
            Request::Ingest { names, password } => self.hear_files(id, names, password, files),
            Request::ReadScans { documents, password } => self.hear_documents(id, documents, password),
            request @ (Request::Models
            | Request::GetModel { .. }
            | Request::TakeModel { .. }
            | Request::RemoveModel { .. }) => spawn_local(models::answer(Rc::clone(self), id, request, files)),
            Request::Cancel { request, file } => {
                ingest::cancel(self, request, file);
                self.tell(id, &Event::Done);
            }
            request => {
                let this = Rc::clone(self);
                spawn_local(async move { answers::answer(&this, id, request).await });
            }
        }
    }

    fn hear_files(self: &Rc<Self>, id: RequestId, names: Vec<String>, password: Option<Password>, files: Vec<File>) {
        if names.len() != files.len() {
            let error = format!("{} names came with {} files.", names.len(), files.len());
            return self.tell(id, &Event::Failed(Failure { error, error_type: FailureKind::BadRequest }));
        }
        let sources = names.into_iter().zip(files.into_iter().map(ingest::Source::Picked)).collect();
        spawn_local(Rc::clone(self).take_in(id, sources, password));
    }

    fn hear_documents(self: &Rc<Self>, id: RequestId, documents: Vec<DocumentId>, password: Option<Password>) {
        // Their names are known once they are fetched.
        let sources = documents.into_iter().map(|document| (String::new(), ingest::Source::Kept(document))).collect();
        spawn_local(Rc::clone(self).take_in(id, sources, password));
    }

    async fn take_in(
        self: Rc<Self>,
        id: RequestId,
        sources: Vec<(String, ingest::Source)>,
        password: Option<Password>,
    ) {
        // Whether this tab writes is known once the library is open.
        let opened = self.library(Urgency::Click).await.map(drop);
        match opened.and_then(|()| self.may_write()) {
            Err(failure) => self.tell(id, &Event::Failed(failure)),
            Ok(()) if sources.is_empty() => self.tell(id, &Event::Done),
            Ok(()) => {
                let cancellations = self.queue.add(id, sources, password);
                self.cancellations.borrow_mut().insert(id, cancellations);
            }
        }
    }

    /// The library, when its turn comes, or why there is none.
    async fn library(&self, urgency: Urgency) -> Result<TakenLibrary<'_>, Failure> {
        let taken = self.library.take(urgency).await;
        if let Err(failure) = &*taken {
            return Err(failure.clone());
        }
        Ok(TakenLibrary(taken))
    }

    fn may_write(&self) -> Result<(), Failure> {
        if self.is_writer.get() {
            return Ok(());
        }
        Err(Failure {
            error: "Millwright is open in another tab, and only one tab at a time changes the library. Do it there, or close that tab.".to_owned(),
            error_type: FailureKind::ReadOnly,
        })
    }

    /// Does housekeeping in small steps once nothing else is going on.
    fn tidy_soon(self: &Rc<Self>) {
        if !self.is_writer.get() || self.is_tidying.replace(true) {
            return;
        }
        let this = Rc::clone(self);
        spawn_local(async move {
            let mut did_something = false;
            loop {
                sleep(if did_something { 0 } else { IDLE_MILLIS }).await;
                if !this.queue.is_empty() || !this.tidy_once(Urgency::Idle).await {
                    break;
                }
                did_something = true;
            }
            this.is_tidying.set(false);
            if did_something {
                this.tabs.tell_changed();
            }
        });
    }

    /// One step of housekeeping; whether there may be more to do.
    async fn tidy_once(&self, urgency: Urgency) -> bool {
        let Ok(mut library) = self.library(urgency).await else { return false };
        library.maintain().await.unwrap_or_else(|error| {
            // Housekeeping can wait; what fails for good fails visibly at the next write.
            web_sys::console::warn_1(&JsValue::from_str(&format!("housekeeping failed: {error}")));
            false
        })
    }

    /// Sends an event.
    fn tell(&self, id: RequestId, event: &Event) {
        if let Some(message) = packed(id, event) {
            self.post(&message);
        }
    }

    /// Sends the last event of a request that could be cancelled.
    fn end(&self, id: RequestId, event: &Event) {
        self.cancellations.borrow_mut().remove(&id);
        self.tell(id, event);
    }

    fn post(&self, message: &Object) {
        // Text and blobs can always be cloned.
        let _ = self.scope.post_message(message);
    }
}

/// Takes in what another tab changed: the library, or the models.
async fn follow(engine: Rc<Engine>) {
    if !engine.is_writer.get() {
        let refreshed = match engine.library(Urgency::News).await {
            Ok(mut library) => library.refresh().await.map_err(Failure::from),
            Err(failure) => Err(failure),
        };
        match refreshed {
            Ok(true) => engine.tell(RequestId::UNASKED, &Event::Changed),
            Ok(false) => {}
            Err(failure) => engine.tell(RequestId::UNASKED, &Event::Failed(failure)),
        }
    }
    vectors::follow(&engine);
}

fn packed(id: RequestId, event: &Event) -> Option<Object> {
    channel::pack(&Envelope { id, body: event })
        .inspect_err(|error| {
            web_sys::console::error_1(&JsValue::from_str(&format!("an answer has no JSON form: {error}")))
        })
        .ok()
}

/// The open library, taken from its shelf.
struct TakenLibrary<'a>(Taken<'a, Result<OpenLibrary, Failure>>);

impl Deref for TakenLibrary<'_> {
    type Target = OpenLibrary;

    fn deref(&self) -> &OpenLibrary {
        match &*self.0 {
            Ok(library) => library,
            Err(_) => unreachable!("`Engine::library` hands out only open ones"),
        }
    }
}

impl DerefMut for TakenLibrary<'_> {
    fn deref_mut(&mut self) -> &mut OpenLibrary {
        match &mut *self.0 {
            Ok(library) => library,
            Err(_) => unreachable!("`Engine::library` hands out only open ones"),
        }
    }
}
