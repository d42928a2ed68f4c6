//! What the page needs of the browser, behind plain functions: files, history, updates, focus and scrolling.
//!
//! Not for state or views. A browser that lacks something (an insecure page, a private window) is no error here: the
//! thing simply does not happen.

mod files;
mod history;
mod place;
mod theme;
mod update;

pub(crate) use files::{NamedFile, dropped, made, picked, save};
pub(crate) use history::{Step, go_back_out, on_history, query, set_title, write_address};
pub(crate) use place::{
    Anchor, MODELS_ID, PASSAGES, QUESTION_ID, ROWS, SCROLLER_ID, focus, focus_within, go_into, is_unfolded,
    keep_focus_in, point_at, refocus, remember_focus, room_around, scroll_to_top,
};
pub(crate) use theme::{Theme, is_dark, set_theme, theme};
pub(crate) use update::{use_update, watch_for_update};

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Whether the browser says that there is no network. It may be wrong either way; nothing depends on it but a word.
pub(crate) fn is_offline() -> bool {
    !window().navigator().on_line()
}

/// Calls with [`is_offline`] whenever that changes.
pub(crate) fn on_network_change(on_change: impl Fn(bool) + Clone + 'static) {
    let also = on_change.clone();
    window_event_listener(leptos::ev::online, move |_| on_change(false));
    window_event_listener(leptos::ev::offline, move |_| also(true));
}

/// Asks the browser never to clear this origin's storage by itself; tells whether it agreed.
pub(crate) fn persist(on_done: impl FnOnce(bool) + 'static) {
    spawn_local(async move {
        let is_granted = match window().navigator().storage().persist() {
            Ok(promise) => JsFuture::from(promise).await.is_ok_and(|answer| answer.is_truthy()),
            Err(_) => false,
        };
        on_done(is_granted);
    });
}

/// Loads the page anew.
pub(crate) fn reload() {
    // A page that cannot be reloaded stays as it is, and so does the user's view of it.
    let _ = location().reload();
}

/// Whether an object has a property: how an absent browser feature is told without touching it.
fn has(object: &JsValue, property: &str) -> bool {
    js_sys::Reflect::has(object, &JsValue::from_str(property)).unwrap_or(false)
}
