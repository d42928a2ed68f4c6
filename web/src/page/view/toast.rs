//! Short messages at the bottom: what was deleted, with the way back, and why something cannot be done.

use super::icon::{Glyph, Icon};
use crate::page::{state::Page, texts};
use leptos::prelude::*;

/// The messages. The clock of an undo stands still while the pointer or the focus is on it.
#[component]
pub(crate) fn Toasts() -> impl IntoView {
    let page = Page::here();
    view! {
        <div class="toasts" role="status" aria-live="polite">
            {move || {
                page.library
                    .trashed
                    .get()
                    .map(|trashed| {
                        view! {
                            <div
                                class="toast"
                                on:mouseenter=move |_| page.hold_trash()
                                on:mouseleave=move |_| page.wait_to_empty_trash()
                                on:focusin=move |_| page.hold_trash()
                                on:focusout=move |_| page.wait_to_empty_trash()
                            >
                                <p>{texts::removed(&trashed.label)}</p>
                                <button
                                    type="button"
                                    class="button button-toast"
                                    data-testid="undo"
                                    on:click=move |_| page.undo_delete()
                                >
                                    <Icon glyph=Glyph::Undo />
                                    {texts::UNDO}
                                </button>
                            </div>
                        }
                    })
            }}
            {move || page.hint.get().map(|hint| view! { <div class="toast" data-testid="hint">{hint}</div> })}
        </div>
    }
}
