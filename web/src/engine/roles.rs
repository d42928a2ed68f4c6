//! Which tab writes: the one that holds a Web Lock, for as long as it lives. The others follow and take over in turn.
//!
//! The browser frees the lock of a tab that is closed or crashes, so there is no lease to renew and none to time out.

use crate::channel::{field, worker_scope};
use futures_channel::oneshot;
use js_sys::{Function, Object, Promise};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue, closure::Closure, prelude::wasm_bindgen};

const LOCK: &str = "millwright-writer";

#[wasm_bindgen]
extern "C" {
    /// `LockManager`, which web-sys holds back as unstable.
    type LockManager;

    #[wasm_bindgen(method, catch)]
    fn request(this: &LockManager, name: &str, options: &Object, callback: &Function) -> Result<Promise, JsValue>;
}

/// Tries to become the writer. Where another tab is, waits in line, and `on_promoted` is called when this tab's turn has
/// come. A browser without Web Locks has one writer: every tab.
pub(super) async fn claim(on_promoted: impl FnOnce() + 'static) -> bool {
    let Some(locks) = worker_scope().and_then(|scope| field(&scope.navigator(), "locks")) else { return true };
    let locks: LockManager = locks.unchecked_into();
    let (sender, receiver) = oneshot::channel();
    let at_once = Object::new();
    crate::channel::set(&at_once, "ifAvailable", &JsValue::TRUE);
    let asked = ask(&locks, &at_once, move |granted| {
        // The receiver is awaited just below.
        let _ = sender.send(granted);
    });
    if !asked {
        return true;
    }
    let is_writer = receiver.await.unwrap_or(true);
    if !is_writer {
        ask(&locks, &Object::new(), move |_| on_promoted());
    }
    is_writer
}

/// Asks for the lock; a granted lock is kept until this worker ends. False where the browser refuses locks.
fn ask(locks: &LockManager, options: &Object, on_answer: impl FnOnce(bool) + 'static) -> bool {
    let on_answer = Rc::new(RefCell::new(Some(on_answer)));
    let callback = Closure::<dyn FnMut(JsValue) -> JsValue>::new(move |lock: JsValue| {
        let granted = !lock.is_null();
        if let Some(on_answer) = on_answer.take() {
            on_answer(granted);
        }
        // The lock is held until this promise resolves: never.
        if granted { Promise::new(&mut |_, _| {}).into() } else { JsValue::UNDEFINED }
    });
    let asked = locks.request(LOCK, options, callback.as_ref().unchecked_ref());
    callback.forget();
    asked.is_ok()
}
