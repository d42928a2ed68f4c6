//! The reader: a worker that turns one file's bytes into something the library can commit, and may die trying.
//!
//! A file can crash whoever reads it or keep them busy for ever, and a panic ends a WebAssembly instance. So reading
//! happens here, apart from the library, and the engine starts a new reader when this one is gone. Not for storing anything.
//!
//! What it hears, one file at a time: `{name, bytes}`, answered by `{id}`; then `{go}`, answered by any number of
//! `{done, total}` and one `{prepared, original}` or `{json: Failure}`; or `{drop}`, which forgets the file.

use crate::{
    channel::{self, attached_buffer, field, set, text_field},
    clock,
};
use js_sys::{Array, ArrayBuffer, Object, Uint8Array};
use millwright_core::{document::DocumentId, index, protocol::Failure};
use std::{
    cell::{Cell, RefCell},
    ops::ControlFlow,
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Progress is told at most this often.
const PROGRESS_MILLIS: f64 = 50.0;

/// The file in hand.
struct InHand {
    name: String,
    /// As it came, to be handed back for storing without another copy.
    original: ArrayBuffer,
    bytes: Vec<u8>,
}

/// Runs this worker as a reader.
pub fn start() {
    channel::tell_of_panics();
    let Some(scope) = channel::worker_scope() else { return };
    let in_hand = Rc::new(RefCell::new(None));
    let for_messages = scope.clone();
    // Everything happens inside this handler: a trap in it reaches the engine as an error event, one in a promise would not.
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        hear(&for_messages, &in_hand, &event.data());
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    channel::tell_up(&scope);
}

fn hear(scope: &DedicatedWorkerGlobalScope, in_hand: &RefCell<Option<InHand>>, message: &JsValue) {
    if field(message, "go").is_some() {
        if let Some(file) = in_hand.take() {
            read(scope, &file);
        }
    } else if field(message, "drop").is_some() {
        in_hand.take();
    } else if let (Some(name), Some(original)) = (text_field(message, "name"), attached_buffer(message, "bytes")) {
        let bytes = Uint8Array::new(&original).to_vec();
        let answer = Object::new();
        set(&answer, "id", &JsValue::from_str(DocumentId::of(&bytes).as_str()));
        in_hand.replace(Some(InHand { name, original, bytes }));
        post(scope, &answer);
    }
}

fn read(scope: &DedicatedWorkerGlobalScope, file: &InHand) {
    let last_told = Cell::new(f64::NEG_INFINITY);
    let mut progress = |done: u32, total: u32| {
        let now = clock::millis();
        if now - last_told.get() >= PROGRESS_MILLIS {
            last_told.set(now);
            let news = Object::new();
            set(&news, "done", &JsValue::from(done));
            set(&news, "total", &JsValue::from(total));
            post(scope, &news);
        }
        // Who wants this stopped ends the whole worker; it cannot hear while it reads.
        ControlFlow::Continue(())
    };
    match index::prepare(&file.name, &file.bytes, &mut progress) {
        Ok(prepared) => {
            let prepared = Uint8Array::from(prepared.to_bytes().as_slice()).buffer();
            let answer = Object::new();
            set(&answer, "prepared", &prepared);
            set(&answer, "original", &file.original);
            // Both move to the engine instead of being copied.
            let moved = Array::of2(&prepared, &file.original);
            if let Err(exception) = scope.post_message_with_transfer(&answer, &moved) {
                channel::tell_crash(scope, &channel::exception_text(&exception));
            }
        }
        Err(error) => match channel::pack(&Failure::from(error)) {
            Ok(answer) => post(scope, &answer),
            Err(error) => channel::tell_crash(scope, &error.to_string()),
        },
    }
}

fn post(scope: &DedicatedWorkerGlobalScope, message: &Object) {
    // Plain values can always be cloned.
    let _ = scope.post_message(message);
}
