//! A worker that the engine has something done by: started, heard, and ended when it dies, hangs or is not wanted. Not for
//! what is said to it.

use super::cancel::Cancellation;
use crate::{
    channel::{self, set, text_field},
    clock::sleep,
};
use futures_channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded};
use futures_util::{
    StreamExt,
    future::{Either, select},
};
use js_sys::{Array, Object};
use std::{cell::RefCell, pin::pin, rc::Rc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{ErrorEvent, MessageEvent, Worker};

/// A new worker is waited for so long: its program comes over the network where no service worker has it yet.
pub(super) const START_MILLIS: i32 = 120_000;

/// The compiled program of workers of one name, had from the first that came up: those after it need neither a fetch nor a
/// compilation.
pub(super) type Program = Rc<RefCell<Option<JsValue>>>;

/// One that runs; dropping it ends it.
pub(super) struct Hired {
    worker: Worker,
    heard: UnboundedReceiver<Heard>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

enum Heard {
    Said(JsValue),
    Died(String),
}

/// Why nothing more is heard of it.
pub(super) enum Silence {
    /// The user stopped it.
    Cancelled,
    /// It is gone, with its last words.
    Died(String),
    /// It said nothing for too long.
    Stalled,
}

impl Drop for Hired {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Hired {
    /// Starts one, with the compiled program where there is one.
    pub(super) fn start(name: &str, program: &Program) -> Result<Self, JsValue> {
        let worker = channel::spawn_worker(name)?;
        let (sender, heard) = unbounded();
        let for_errors = sender.clone();
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            hand_on(&sender, Heard::Said(event.data()))
        });
        let on_error = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            // Handled here; without this the browser reports it once more as the engine's own error.
            event.prevent_default();
            let detail = text_field(&event, "message").unwrap_or_else(|| "it could not be loaded".to_owned());
            hand_on(&for_errors, Heard::Died(detail));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let first = Object::new();
        set(&first, "program", program.borrow().as_ref().unwrap_or(&JsValue::UNDEFINED));
        worker.post_message(&first)?;
        Ok(Self { worker, heard, _on_message: on_message, _on_error: on_error })
    }

    /// Says something to it; what is `moved` is its own then.
    pub(super) fn tell(&self, message: &Object, moved: &Array) -> Result<(), JsValue> {
        self.worker.post_message_with_transfer(message, moved)
    }

    /// What it says next. Who hears silence must end it.
    pub(super) async fn hear(&mut self, cancellation: &Cancellation, patience_millis: i32) -> Result<JsValue, Silence> {
        let cancelled = pin!(cancellation.cancelled());
        let stalled_long_enough = pin!(sleep(patience_millis));
        match select(self.heard.next(), select(cancelled, stalled_long_enough)).await {
            Either::Left((Some(Heard::Said(said)), _)) => match text_field(&said, "crashed") {
                Some(detail) => Err(Silence::Died(detail)),
                None => Ok(said),
            },
            Either::Left((Some(Heard::Died(detail)), _)) => Err(Silence::Died(detail)),
            Either::Left((None, _)) => Err(Silence::Died("it fell silent".to_owned())),
            Either::Right((Either::Left(_), _)) => Err(Silence::Cancelled),
            Either::Right((Either::Right(_), _)) => Err(Silence::Stalled),
        }
    }
}

fn hand_on(sender: &UnboundedSender<Heard>, heard: Heard) {
    // Nobody listens any more when the worker was given up meanwhile.
    let _ = sender.unbounded_send(heard);
}
