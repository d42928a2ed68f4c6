//! The address bar and the history.

use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen::JsValue;

/// What a new address means for the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// The same place: the entry is changed.
    Same,
    /// One step further in: Back leads out again.
    Into,
}

/// The state of a history entry that Back leads out of.
const INSIDE: &str = "inside";

thread_local! {
    /// We are going back by ourselves: what is on show is right and the address must follow it, not the other way round.
    static IS_GOING_BACK: Cell<bool> = const { Cell::new(false) };
}

/// The query string of the address, with its `?`.
pub(crate) fn query() -> String {
    location().search().unwrap_or_default()
}

/// Writes the query string.
pub(crate) fn write_address(query: &str, step: Step) {
    let Ok(history) = window().history() else { return };
    let address = location_pathname().unwrap_or_else(|| "/".to_owned()) + query;
    // Browsers refuse when there are too many changes in a short time; the next change brings the address up to date.
    let _ = match step {
        Step::Same => history.replace_state_with_url(&history.state().unwrap_or(JsValue::NULL), "", Some(&address)),
        Step::Into => history.push_state_with_url(&JsValue::from_str(INSIDE), "", Some(&address)),
    };
}

/// Goes back out of what [`Step::Into`] went into; `false` where nothing was.
pub(crate) fn go_back_out() -> bool {
    let Ok(history) = window().history() else { return false };
    let is_inside = history.state().is_ok_and(|state| state.as_string().as_deref() == Some(INSIDE));
    if is_inside {
        IS_GOING_BACK.set(true);
        return history.back().is_ok();
    }
    false
}

/// Calls when the user went back or forward, and with `true` when [`go_back_out`] did.
pub(crate) fn on_history(on_change: impl Fn(bool) + 'static) {
    window_event_listener(leptos::ev::popstate, move |_| on_change(IS_GOING_BACK.take()));
}

/// Sets the title of the tab.
pub(crate) fn set_title(title: &str) {
    document().set_title(title);
}
