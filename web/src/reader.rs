//! The reader: a worker that turns one file's bytes into something the library can commit, and may die trying.
//!
//! A file can crash whoever reads it or keep them busy for ever, and a panic ends a WebAssembly instance. So reading
//! happens here, apart from the library, and the engine starts a new reader when this one is gone. It is a program of its
//! own, fetched when the first file comes. Not for storing anything.
//!
//! What it hears, one file at a time: `{name, bytes, password}`, answered by `{id}`; then `{go}`, answered by any number
//! of `{done, total, pages, scan}` (how far it is, in pages or not, on a picture of a page or not), `{draft, done, total}`
//! (the document of the first pages), one `{indexing}`, and one `{prepared, original}` or `{json: Failure}`; or `{drop}`,
//! which forgets the file. `{needs_model}` may come first: it wants to hear `{model, detector, recogniser, characters}`,
//! or `{model}` alone where none is kept, and begins the file anew.

mod drafts;
mod scans;

use crate::{
    channel::{self, attached_buffer, field, set, text_field},
    clock,
};
use drafts::Drafts;
use js_sys::{Array, ArrayBuffer, Object, Uint8Array};
use millwright_core::{
    document::DocumentId,
    host::{Draft, NoProgress, Progress},
    index,
    parse::{self, Format, ParseError, ParseOptions, Parsed, scan::ReadScan},
    protocol::Failure,
};
use scans::{InMemory, Lookout};
use std::{cell::RefCell, ops::ControlFlow, rc::Rc, sync::Arc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Progress is told at most this often.
const PROGRESS_MILLIS: f64 = 50.0;

/// The file in hand.
struct InHand {
    name: String,
    password: Option<String>,
    /// As it came, to be handed back for storing without another copy.
    original: ArrayBuffer,
    bytes: Vec<u8>,
}

/// What this worker holds between messages.
#[derive(Default)]
struct Held {
    file: RefCell<Option<InHand>>,
    /// The reader of scans, once its model was needed and there.
    scans: RefCell<Option<Arc<InMemory>>>,
}

/// Runs this worker as a reader.
pub fn start() {
    channel::tell_of_panics();
    let Some(scope) = channel::worker_scope() else { return };
    let held = Rc::new(Held::default());
    let for_messages = scope.clone();
    // Everything happens inside this handler: a trap in it reaches the engine as an error event, one in a promise would not.
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        hear(&for_messages, &held, &event.data());
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let up = channel::up();
    // For the readers after this one.
    set(&up, "program", &wasm_bindgen::module());
    post(&scope, &up);
}

fn hear(scope: &DedicatedWorkerGlobalScope, held: &Held, message: &JsValue) {
    if field(message, "go").is_some() {
        read(scope, held, false);
    } else if field(message, "model").is_some() {
        held.scans.replace(InMemory::of(message));
        read(scope, held, true);
    } else if field(message, "drop").is_some() {
        held.file.take();
    } else if let (Some(name), Some(original)) = (text_field(message, "name"), attached_buffer(message, "bytes")) {
        let bytes = Uint8Array::new(&original).to_vec();
        let answer = Object::new();
        set(&answer, "id", &JsValue::from_str(DocumentId::of(&bytes).as_str()));
        let password = text_field(message, "password");
        held.file.replace(Some(InHand { name, password, original, bytes }));
        post(scope, &answer);
    }
}

/// Reads the file in hand; `has_asked` for the model of scans, whether it came or not.
fn read(scope: &DedicatedWorkerGlobalScope, held: &Held, has_asked: bool) {
    let Some(file) = held.file.take() else { return };
    let scans = held.scans.borrow().clone();
    let lookout = (scans.is_none() && !has_asked).then(|| Arc::new(Lookout::default()));
    let format = parse::binary_format(&file.bytes);
    let drafts = Drafts::new(clock::millis());
    let mut teller = Teller { scope, format, scans: scans.clone(), last_told_millis: f64::NEG_INFINITY, drafts };
    let reader = scans.map(|scans| scans as Arc<dyn ReadScan>).or(lookout.clone().map(|lookout| lookout as _));
    let prepared = prepare(&file, reader, &mut teller);
    if lookout.is_some_and(|lookout| lookout.has_met_one()) {
        held.file.replace(Some(file));
        let needs = Object::new();
        set(&needs, "needs_model", &JsValue::TRUE);
        return post(scope, &needs);
    }
    match prepared {
        Ok(prepared) => {
            let prepared = buffer(&prepared);
            let answer = Object::new();
            set(&answer, "prepared", &prepared);
            set(&answer, "original", &file.original);
            // Both move to the engine instead of being copied.
            move_to_engine(scope, &answer, &Array::of2(&prepared, &file.original));
        }
        Err(error) => match channel::pack(&Failure::from(error)) {
            Ok(answer) => post(scope, &answer),
            Err(error) => channel::tell_crash(scope, &error.to_string()),
        },
    }
}

fn prepare(
    file: &InHand,
    scans: Option<Arc<dyn ReadScan>>,
    teller: &mut Teller<'_>,
) -> Result<index::Prepared, ParseError> {
    let options = ParseOptions { password: file.password.clone(), scans, ..ParseOptions::default() };
    let parsed = parse::parse_with(&file.name, &file.bytes, &options, teller)?;
    let news = Object::new();
    set(&news, "indexing", &JsValue::TRUE);
    post(teller.scope, &news);
    index::prepare_parsed(parsed, &mut NoProgress)
}

/// Tells the engine how far reading is, and shows it the first pages of long documents.
struct Teller<'a> {
    scope: &'a DedicatedWorkerGlobalScope,
    format: Option<Format>,
    scans: Option<Arc<InMemory>>,
    last_told_millis: f64,
    drafts: Drafts,
}

impl Progress for Teller<'_> {
    fn report(&mut self, done: u32, total: u32) -> ControlFlow<()> {
        let now = clock::millis();
        if now - self.last_told_millis >= PROGRESS_MILLIS {
            self.last_told_millis = now;
            let news = Object::new();
            set(&news, "done", &JsValue::from(done));
            set(&news, "total", &JsValue::from(total));
            set(&news, "pages", &JsValue::from(matches!(self.format, Some(Format::Pdf | Format::Picture))));
            let is_on_scan = self.scans.as_ref().is_some_and(|scans| scans.is_reading());
            set(&news, "scan", &JsValue::from(is_on_scan));
            post(self.scope, &news);
        }
        // Who wants this stopped ends the whole worker; it cannot hear while it reads.
        ControlFlow::Continue(())
    }

    fn wants_draft(&mut self, n_pages_read: u32, n_pages: u32) -> bool {
        self.drafts.is_due(n_pages_read, n_pages, clock::millis())
    }

    fn draft(&mut self, Draft { document, n_pages_read, n_pages }: Draft) {
        let format = self.format.unwrap_or(Format::Text);
        let parsed = Parsed { document, warnings: Vec::new(), format };
        // What cannot be shown early is shown whole.
        let Ok(prepared) = index::prepare_parsed(parsed, &mut NoProgress) else { return };
        let prepared = buffer(&prepared);
        let news = Object::new();
        set(&news, "draft", &prepared);
        set(&news, "done", &JsValue::from(n_pages_read));
        set(&news, "total", &JsValue::from(n_pages));
        move_to_engine(self.scope, &news, &Array::of1(&prepared));
        self.drafts.made(n_pages_read, clock::millis());
    }
}

fn buffer(prepared: &index::Prepared) -> ArrayBuffer {
    Uint8Array::from(prepared.to_bytes().as_slice()).buffer()
}

fn move_to_engine(scope: &DedicatedWorkerGlobalScope, message: &Object, moved: &Array) {
    if let Err(exception) = scope.post_message_with_transfer(message, moved) {
        channel::tell_crash(scope, &channel::exception_text(&exception));
    }
}

fn post(scope: &DedicatedWorkerGlobalScope, message: &Object) {
    // Plain values can always be cloned.
    let _ = scope.post_message(message);
}
