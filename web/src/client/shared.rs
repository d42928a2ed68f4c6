//! The client's state: the worker, who waits for what, and what happens when the engine dies.

use super::{is_final, kept};
use crate::channel;
use js_sys::Object;
use millwright_core::protocol::{Envelope, Event, Failure, FailureKind, PROTOCOL_VERSION, Request, RequestId};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    rc::{Rc, Weak},
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Blob, ErrorEvent, File, MessageEvent, Worker};

/// How often in a row a dying engine is started again before the page gives up.
const MAX_RESTARTS: u32 = 3;

/// An engine that lived for so long did not die of what its predecessor died of.
const HEALTHY_MILLIS: f64 = 60_000.0;

pub(super) type OnEvent = Box<dyn FnMut(Event, Option<Blob>)>;
type OnUnasked = Rc<RefCell<dyn FnMut(Event)>>;

/// What all clones of a client share.
pub(super) struct Shared(RefCell<State>);

#[derive(Default)]
struct State {
    engine: Option<Engine>,
    /// Whether the engine listens; until then messages wait here.
    is_up: bool,
    waiting: Vec<Object>,
    last_id: u32,
    hello: Option<RequestId>,
    listeners: BTreeMap<RequestId, OnEvent>,
    unasked: Vec<OnUnasked>,
    /// The engine's `Ready`, for listeners that come late.
    ready: Option<Event>,
    n_restarts: u32,
    /// When the engine was started, milliseconds since 1970.
    started_millis: f64,
    asked_to_keep: bool,
}

/// The worker with the handlers that must live as long.
struct Engine {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Shared {
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self(RefCell::default()))
    }

    /// Starts the worker and says hello.
    pub(super) fn launch(self: &Rc<Self>) {
        let engine = match Engine::spawn(Rc::downgrade(self)) {
            Ok(engine) => engine,
            Err(exception) => {
                let detail = channel::exception_text(&exception);
                return self.tell_all(&Event::Failed(failure(
                    FailureKind::Internal,
                    format!("The browser did not let the engine start ({detail}). Use a current version of Firefox, Chrome, Edge or Safari."),
                )));
            }
        };
        {
            let mut state = self.0.borrow_mut();
            state.engine = Some(engine);
            state.started_millis = js_sys::Date::now();
        }
        let weak = Rc::downgrade(self);
        let hear_hello = move |event, _| {
            if let Some(shared) = weak.upgrade() {
                shared.greeted(event);
            }
        };
        let hello = self.request(&Request::Hello { protocol: PROTOCOL_VERSION }, &[], Box::new(hear_hello));
        self.0.borrow_mut().hello = Some(hello);
    }

    pub(super) fn request(self: &Rc<Self>, request: &Request, files: &[File], on_event: OnEvent) -> RequestId {
        let mut state = self.0.borrow_mut();
        state.last_id += 1;
        let id = RequestId(state.last_id);
        if matches!(request, Request::Ingest { .. }) && !state.asked_to_keep {
            state.asked_to_keep = true;
            ask_to_keep();
        }
        let message = match channel::pack(&Envelope { id, body: request }) {
            Ok(message) => message,
            Err(error) => {
                drop(state);
                let mut on_event = on_event;
                on_event(Event::Failed(failure(FailureKind::Internal, error.to_string())), None);
                return id;
            }
        };
        if !files.is_empty() {
            channel::attach_files(&message, files);
        }
        let dead = state.engine.is_none();
        state.listeners.insert(id, on_event);
        if state.is_up {
            drop(state);
            self.post(&message);
        } else if dead {
            drop(state);
            self.deliver(id, Event::Failed(gone()), None);
        } else {
            state.waiting.push(message);
        }
        id
    }

    pub(super) fn on_unasked(self: &Rc<Self>, mut on_event: Box<dyn FnMut(Event)>) {
        let ready = self.0.borrow().ready.clone();
        if let Some(ready) = ready {
            on_event(ready);
        }
        self.0.borrow_mut().unasked.push(Rc::new(RefCell::new(on_event)));
    }

    fn post(&self, message: &Object) {
        let worker = self.0.borrow().engine.as_ref().map(|engine| engine.worker.clone());
        if let Some(Err(exception)) = worker.map(|worker| worker.post_message(message)) {
            // A `File` can be cloned into a worker everywhere; this is a browser in trouble.
            web_sys::console::error_2(&"a request could not be sent".into(), &exception);
        }
    }

    fn heard(self: &Rc<Self>, message: &JsValue) {
        if let Some(build) = channel::text_field(message, "up") {
            self.came_up(&build);
        } else if let Some(crash) = channel::text_field(message, "crashed") {
            self.crashed(&crash);
        } else if let Some(Envelope { id, body }) = channel::unpack::<Envelope<Event>>(message) {
            if id == RequestId::UNASKED {
                self.tell_all(&body);
            } else {
                self.deliver(id, body, channel::attached_blob(message));
            }
        } else {
            web_sys::console::error_2(&"the engine sent something unreadable".into(), message);
        }
    }

    fn came_up(self: &Rc<Self>, build: &str) {
        if build != channel::BUILD {
            return self.give_up(Failure {
                error: "Millwright was updated while this page was open. Reload the page.".to_owned(),
                error_type: FailureKind::VersionMismatch,
            });
        }
        let waiting = {
            let mut state = self.0.borrow_mut();
            state.is_up = true;
            std::mem::take(&mut state.waiting)
        };
        for message in waiting {
            self.post(&message);
        }
    }

    /// The answer to hello: an emptied store is noticed here, because the note about it is kept on the page's side.
    fn greeted(self: &Rc<Self>, event: Event) {
        let Event::Ready { protocol, writer, storage, notice } = event else {
            return self.tell_all(&event);
        };
        let weak = Rc::downgrade(self);
        let announce = move |event: Event, _| {
            let Some(shared) = weak.upgrade() else { return };
            let lost = match &event {
                Event::Documents { documents } if !storage.memory_only => kept::notice(documents.len()),
                _ => None,
            };
            let notice = notice.clone().or(lost);
            let ready = Event::Ready { protocol, writer, storage: storage.clone(), notice };
            shared.0.borrow_mut().ready = Some(ready.clone());
            shared.tell_all(&ready);
        };
        self.request(&Request::Documents, &[], Box::new(announce));
    }

    /// Hands an event to whoever asked. No borrow is held meanwhile: a listener may ask again.
    fn deliver(self: &Rc<Self>, id: RequestId, event: Event, blob: Option<Blob>) {
        let listener = self.0.borrow_mut().listeners.remove(&id);
        let Some(mut on_event) = listener else { return };
        let ends = is_final(&event);
        let n_documents = match &event {
            Event::Documents { documents } => Some(documents.len()),
            _ => None,
        };
        on_event(event, blob);
        // After the listener, because `greeted` compares with the older note.
        if let Some(n_documents) = n_documents {
            kept::note(n_documents);
        }
        if !ends {
            self.0.borrow_mut().listeners.insert(id, on_event);
        }
    }

    fn tell_all(&self, event: &Event) {
        if let (Event::Role { writer: now }, Some(Event::Ready { writer, .. })) =
            (event, &mut self.0.borrow_mut().ready)
        {
            *writer = *now;
        }
        let listeners = self.0.borrow().unasked.clone();
        for listener in listeners {
            (listener.borrow_mut())(event.clone());
        }
    }

    /// The engine died: everything asked has failed; what was stored is safe, so a new one is started over it.
    fn crashed(self: &Rc<Self>, detail: &str) {
        let n_restarts = {
            let mut state = self.0.borrow_mut();
            let was_healthy = js_sys::Date::now() - state.started_millis > HEALTHY_MILLIS;
            state.n_restarts = if was_healthy { 1 } else { state.n_restarts + 1 };
            state.n_restarts
        };
        if n_restarts > MAX_RESTARTS {
            return self.give_up(gone());
        }
        let died = failure(
            FailureKind::Internal,
            format!(
                "The engine stopped ({detail}) and was started again. Stored documents are safe; repeat what you were doing."
            ),
        );
        self.bury(&died);
        self.launch();
    }

    fn give_up(self: &Rc<Self>, reason: Failure) {
        self.bury(&reason);
    }

    fn bury(self: &Rc<Self>, reason: &Failure) {
        let (engine, listeners) = {
            let mut state = self.0.borrow_mut();
            state.is_up = false;
            state.ready = None;
            state.waiting.clear();
            let hello = state.hello.take();
            let mut listeners = std::mem::take(&mut state.listeners);
            if let Some(hello) = hello {
                listeners.remove(&hello);
            }
            (state.engine.take(), listeners)
        };
        drop(engine);
        for (_, mut on_event) in listeners {
            on_event(Event::Failed(reason.clone()), None);
        }
        self.tell_all(&Event::Failed(reason.clone()));
    }
}

impl Engine {
    fn spawn(shared: Weak<Shared>) -> Result<Self, JsValue> {
        let worker = channel::spawn_worker(channel::ENGINE_NAME)?;
        let for_errors = shared.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(shared) = shared.upgrade() {
                shared.heard(&event.data());
            }
        });
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            // An error while loading is a plain event without a message.
            let detail = channel::text_field(&event, "message").unwrap_or_else(|| "it could not be loaded".to_owned());
            if let Some(shared) = for_errors.upgrade() {
                shared.crashed(&detail);
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }
}

/// Asks the browser not to evict the library. Some browsers hear this only from a window, and only after a gesture.
fn ask_to_keep() {
    let Some(window) = web_sys::window() else { return };
    let storage = window.navigator().storage();
    // Old browsers have no `navigator.storage`.
    if !storage.is_undefined() {
        // The answer is seen in `StorageState::persistent`; a refusal is the browser's right.
        let _ = storage.persist();
    }
}

fn failure(error_type: FailureKind, error: String) -> Failure {
    Failure { error, error_type }
}

fn gone() -> Failure {
    failure(FailureKind::Internal, "The engine keeps stopping. Reload the page; stored documents are safe.".to_owned())
}
