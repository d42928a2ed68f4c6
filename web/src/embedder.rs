//! The embedder: a worker that holds an embedding model and makes vectors of texts, and nothing else.
//!
//! A program of its own, because the encoder weighs as much as the engine and nobody needs it without a model; several
//! run side by side over passages, and one is kept for questions, which must not wait behind passages. Not for deciding
//! what is embedded, nor for keeping vectors.
//!
//! What it hears: first `{model}`, the model's id, with its files as buffers under the names of their parts, answered by
//! `{ready: ModelIdentity as JSON}`; then `{passages: [texts]}` and `{question: text}`, each answered by `{codes}`, packed: a
//! [`Code`] for each text in their order, or none for one that has none. What it cannot do it answers with `{failed: words}`.

mod file;

use crate::channel::{self, attached_buffer, field, set, text_field};
use file::OutsideMemory;
use js_sys::{Array, Object, Uint8Array};
use millwright_core::{dense::Code, embed::Embedder, host::NoProgress, models::Catalogue};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Runs this worker as an embedder.
pub fn start() {
    channel::tell_of_panics();
    let Some(scope) = channel::worker_scope() else { return };
    let held: Rc<RefCell<Option<Embedder>>> = Rc::default();
    let for_messages = scope.clone();
    // Everything happens inside this handler: a trap in it reaches the engine as an error event.
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let answer = Object::new();
        if let Err(words) = hear(&mut held.borrow_mut(), &event.data(), &answer) {
            set(&answer, "failed", &JsValue::from_str(&words));
        }
        tell(&for_messages, &answer);
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let up = channel::up();
    // For the embedders after this one.
    set(&up, "program", &wasm_bindgen::module());
    tell(&scope, &up);
}

fn hear(held: &mut Option<Embedder>, message: &JsValue, answer: &Object) -> Result<(), String> {
    if let Some(model) = text_field(message, "model") {
        let embedder = held.insert(load(&model, message)?);
        let identity = serde_json::to_string(embedder.identity()).map_err(|error| error.to_string())?;
        set(answer, "ready", &JsValue::from_str(&identity));
        return Ok(());
    }
    let embedder = held.as_ref().ok_or("The embedder was asked before it had a model.")?;
    let vectors = if let Some(question) = text_field(message, "question") {
        vec![embedder.embed_query(&question).map_err(|error| error.to_string())?]
    } else {
        let texts = field(message, "passages").and_then(|texts| texts.dyn_into::<Array>().ok()).unwrap_or_default();
        let texts: Vec<String> = texts.iter().filter_map(|text| text.as_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        embedder.embed_passages(&texts, &mut NoProgress).map_err(|error| error.to_string())?
    };
    let codes: Vec<Option<Code>> = vectors.iter().map(|vector| Code::of(vector)).collect();
    let codes = postcard::to_stdvec(&codes).map_err(|error| error.to_string())?;
    set(answer, "codes", &Uint8Array::from(codes.as_slice()).buffer());
    Ok(())
}

/// The model of a message, its weights made 8-bit. The files are read where they lie and let go with the message.
fn load(model: &str, message: &JsValue) -> Result<Embedder, String> {
    let known = Catalogue::shipped().model(model);
    let known = known.ok_or_else(|| format!("This version of Millwright knows no embedding model called {model}."))?;
    let part = |name: &str| attached_buffer(message, name).map(OutsideMemory::new);
    Embedder::of_model(known, part).map_err(|error| error.to_string())
}

fn tell(scope: &DedicatedWorkerGlobalScope, message: &Object) {
    // Plain values can always be cloned.
    let _ = scope.post_message(message);
}
