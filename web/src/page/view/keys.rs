//! The keyboard: `/` asks, the arrows move among passages, Enter opens, Escape goes back.

use crate::page::{
    platform::{self, PASSAGES, QUESTION_ID},
    state::Page,
};
use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};
use wasm_bindgen::JsCast as _;

/// Listens to the keys that work everywhere.
pub(crate) fn listen(page: Page) {
    window_event_listener(ev::keydown, move |event| {
        let has_modifier = event.ctrl_key() || event.meta_key() || event.alt_key();
        match event.key().as_str() {
            "/" if !has_modifier && !is_typing(&event) => {
                event.prevent_default();
                platform::focus(QUESTION_ID);
            }
            // The common key for a page's own search; browsers give it up for that.
            "k" if event.ctrl_key() || event.meta_key() => {
                event.prevent_default();
                platform::focus(QUESTION_ID);
            }
            "Escape" if !event.default_prevented() && page.reading.place.with_untracked(Option::is_some) => {
                event.prevent_default();
                page.close_document();
            }
            _ => {}
        }
    });
}

/// The keys of the list of passages. Enter is the button's own.
pub(crate) fn on_passages(event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.shift_key() {
        return;
    }
    let is_done = match event.key().as_str() {
        "ArrowDown" => platform::focus_within(PASSAGES, 1),
        "ArrowUp" => platform::focus_within(PASSAGES, -1) || platform::focus(QUESTION_ID),
        "Home" => platform::focus_within(PASSAGES, -1) && (0..100).all(|_| platform::focus_within(PASSAGES, -1)),
        "End" => platform::focus_within(PASSAGES, i32::MAX),
        _ => false,
    };
    if is_done {
        event.prevent_default();
    }
}

fn is_typing(event: &KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"))
}
