//! The page: views and signals over [`crate::client`]. Not for parsing or retrieval, and never busy for more than 50 ms.
//!
//! Reading order: `logic` decides without a browser, `state` holds what is on show, `actions` change it and talk to the
//! engine, `view` shows it, `texts` has every word of it.

mod actions;
mod logic;
mod platform;
mod state;
mod texts;
mod view;

use leptos::prelude::*;
use state::Page;
use wasm_bindgen::JsCast as _;

/// Mounts the page in place of the static shell, taking over what was already typed there.
///
/// The engine starts beside it: nothing on the page waits for that.
pub fn start() {
    let shell = document().get_element_by_id("shell");
    let typed = document()
        .get_element_by_id("shell-question")
        .and_then(|input| input.dyn_into::<web_sys::HtmlInputElement>().ok())
        .map_or_else(String::new, |input| input.value());
    leptos::mount::mount_to_body(move || {
        let page = Page::new();
        provide_context(page);
        page.begin(&typed);
        view::Shell()
    });
    if let Some(shell) = shell {
        shell.remove();
    }
}
