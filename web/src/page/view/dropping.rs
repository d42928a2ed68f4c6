//! Dropping files and folders anywhere on the page.

use super::icon::{Glyph, Icon};
use crate::page::{platform, state::Page, texts};
use leptos::{
    ev::{self, DragEvent},
    prelude::*,
};
use wasm_bindgen_futures::spawn_local;

/// Listens for drags over the whole window.
pub(crate) fn listen(page: Page) {
    // Enter and leave come for every element passed over; what counts is how many are entered and not yet left.
    let depth = StoredValue::new(0_i32);
    let count = move |step: i32| {
        let now = depth.try_update_value(|depth| {
            *depth = (*depth + step).max(0);
            *depth
        });
        page.is_dragging.set(now.is_some_and(|now| now > 0));
    };
    window_event_listener(ev::dragenter, move |event| {
        if has_files(&event) {
            event.prevent_default();
            count(1);
        }
    });
    window_event_listener(ev::dragover, |event| {
        if has_files(&event) {
            // Without this the browser would open the file in place of the page.
            event.prevent_default();
        }
    });
    window_event_listener(ev::dragleave, move |event| {
        if has_files(&event) {
            count(-1);
        }
    });
    window_event_listener(ev::drop, move |event| {
        depth.set_value(0);
        page.is_dragging.set(false);
        let Some(transfer) = event.data_transfer().filter(|_| has_files(&event)) else { return };
        event.prevent_default();
        let dropped = platform::dropped(&transfer);
        spawn_local(async move {
            let dropped = dropped.await;
            if !dropped.unreachable.is_empty() {
                page.say(&texts::unreachable(&dropped.unreachable));
            }
            if !dropped.files.is_empty() || dropped.unreachable.is_empty() {
                page.add_files(dropped.files);
            }
        });
    });
}

fn has_files(event: &DragEvent) -> bool {
    event
        .data_transfer()
        .is_some_and(|transfer| transfer.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files")))
}

/// What lies over the page while files are dragged over it.
#[component]
pub(crate) fn DropVeil() -> impl IntoView {
    let page = Page::here();
    view! {
        <Show when=move || page.is_dragging.get()>
            <div class="veil" aria-hidden="true">
                <div class="veil-words">
                    <Icon glyph=Glyph::Upload />
                    <p>{move || page.obstacle().unwrap_or(texts::DROP_NOW)}</p>
                </div>
            </div>
        </Show>
    }
}
