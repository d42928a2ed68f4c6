//! How page, engine, readers and embedders talk: what crosses `postMessage` and in which form.
//!
//! Messages are JSON text of `millwright_core::protocol`; files and blobs travel beside them. A worker's first message is
//! `{up: build}`, sent when it listens: what is posted to it earlier may be lost. Its last, when it panics, is
//! `{crashed: message}`. Not for deciding anything.

use js_sys::{Array, ArrayBuffer, Object, Reflect};
use serde::{Serialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, DedicatedWorkerGlobalScope, File, Worker, WorkerOptions, WorkerType};

/// The name of this build; programs of different builds refuse each other.
pub const BUILD: &str = env!("MILLWRIGHT_BUILD");

/// The name of the engine's worker and of its program.
pub const ENGINE_NAME: &str = "engine";

/// The name of a reader's worker and of its program.
pub const READER_NAME: &str = "reader";

/// The name of an embedder's worker and of its program, of which the browser gets the build that it can run.
pub const EMBEDDER_NAME: &str = "embedder";

/// Starts a worker of this build under the name of its program.
///
/// # Errors
/// The browser's exception, where workers are refused.
pub fn spawn_worker(name: &str) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    options.set_name(name);
    Worker::new_with_options(&format!("./engine-boot.js?v={BUILD}"), &options)
}

/// The worker this code runs in; `None` in a page.
#[must_use]
pub fn worker_scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Sets a field of a message.
pub fn set(message: &Object, field: &str, value: &JsValue) {
    // Setting a field of a plain object of our own cannot fail.
    let _ = Reflect::set(message, &JsValue::from_str(field), value);
}

/// Reads a field of a message; undefined and null are `None`.
#[must_use]
pub fn field(message: &JsValue, field: &str) -> Option<JsValue> {
    Reflect::get(message, &JsValue::from_str(field)).ok().filter(|value| !value.is_undefined() && !value.is_null())
}

/// Reads a field of a message as text.
#[must_use]
pub fn text_field(message: &JsValue, name: &str) -> Option<String> {
    field(message, name)?.as_string()
}

/// A message with its JSON part.
///
/// # Errors
/// What serde says; our own messages always serialise.
pub fn pack(body: &impl Serialize) -> Result<Object, serde_json::Error> {
    let message = Object::new();
    set(&message, "json", &JsValue::from_str(&serde_json::to_string(body)?));
    Ok(message)
}

/// The JSON part of a message; `None` if it has none or is of another shape.
#[must_use]
pub fn unpack<T: DeserializeOwned>(message: &JsValue) -> Option<T> {
    serde_json::from_str(&text_field(message, "json")?).ok()
}

/// Puts files beside a message.
pub fn attach_files(message: &Object, files: &[File]) {
    set(message, "files", &files.iter().collect::<Array>());
}

/// The files beside a message.
#[must_use]
pub fn attached_files(message: &JsValue) -> Vec<File> {
    field(message, "files")
        .and_then(|files| files.dyn_into::<Array>().ok())
        .map(|files| files.iter().filter_map(|file| file.dyn_into().ok()).collect())
        .unwrap_or_default()
}

/// Puts a blob beside a message.
pub fn attach_blob(message: &Object, blob: &Blob) {
    set(message, "blob", blob);
}

/// The blob beside a message.
#[must_use]
pub fn attached_blob(message: &JsValue) -> Option<Blob> {
    field(message, "blob")?.dyn_into().ok()
}

/// Bytes beside a message.
#[must_use]
pub fn attached_buffer(message: &JsValue, name: &str) -> Option<ArrayBuffer> {
    field(message, name)?.dyn_into().ok()
}

/// A worker's first message: it listens.
#[must_use]
pub fn up() -> Object {
    let up = Object::new();
    set(&up, "up", &JsValue::from_str(BUILD));
    up
}

/// A worker's last message: it is of no use any more.
pub fn tell_crash(scope: &DedicatedWorkerGlobalScope, detail: &str) {
    let crash = Object::new();
    set(&crash, "crashed", &JsValue::from_str(detail));
    let _ = scope.post_message(&crash);
}

/// Has a panic in this worker logged and told to whoever started it, who would otherwise hear only "unreachable".
pub fn tell_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if let Some(scope) = worker_scope() {
            let words = panic.payload_as_str().unwrap_or("a panic without words");
            let place =
                panic.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
            tell_crash(&scope, &format!("{words}{place}"));
        }
    }));
}

/// The words of a JavaScript exception.
#[must_use]
pub fn exception_text(exception: &JsValue) -> String {
    text_field(exception, "message")
        .filter(|message| !message.is_empty())
        .or_else(|| exception.as_string())
        .unwrap_or_else(|| format!("{exception:?}"))
}
