//! The engine: the worker that owns the library and answers the page.

use crate::channel;
use js_sys::Object;
use millwright_core::protocol::{Envelope, Event, PROTOCOL_VERSION, Request, StorageState};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::MessageEvent;

/// Runs this worker as the engine.
pub fn start() {
    console_error_panic_hook::set_once();
    let Some(scope) = channel::worker_scope() else { return };
    let for_answers = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(Envelope { id, body }) = channel::unpack::<Envelope<Request>>(&event.data()) else { return };
        let answer = match body {
            Request::Hello { .. } => {
                let storage = StorageState { memory_only: true, ..StorageState::default() };
                Event::Ready { protocol: PROTOCOL_VERSION, writer: true, storage, notice: None }
            }
            Request::Documents => Event::Documents { documents: Vec::new() },
            _ => Event::Done,
        };
        if let Ok(message) = channel::pack(&Envelope { id, body: answer }) {
            let _ = for_answers.post_message(&message);
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let up = Object::new();
    channel::set(&up, "up", &JsValue::from_str(channel::BUILD));
    let _ = scope.post_message(&up);
}
