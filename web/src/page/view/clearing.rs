//! Clearing the library: a button that asks once more before it does it.

use super::icon::{Glyph, Icon};
use crate::page::{state::Page, texts};
use leptos::prelude::*;

/// The button, or the question whether it is meant.
#[component]
pub(crate) fn ClearLibrary() -> impl IntoView {
    let page = Page::here();
    let is_asking = RwSignal::new(false);
    view! {
        {move || {
            if is_asking.get() {
                view! {
                    <div class="clearing" role="alertdialog" aria-label=texts::CLEAR>
                        <p>{texts::CLEAR_ASK}</p>
                        <button
                            type="button"
                            class="button button-danger"
                            data-testid="clear-yes"
                            on:click=move |_| {
                                is_asking.set(false);
                                page.clear_library();
                            }
                        >
                            <Icon glyph=Glyph::Bin />
                            {texts::CLEAR_YES}
                        </button>
                        <button
                            type="button"
                            class="button"
                            autofocus
                            data-testid="clear-no"
                            on:click=move |_| is_asking.set(false)
                        >
                            {texts::CLEAR_NO}
                        </button>
                    </div>
                }
                    .into_any()
            } else {
                view! {
                    <button
                        type="button"
                        class="button button-quiet"
                        data-testid="clear-library"
                        disabled=move || page.obstacle().is_some()
                        on:click=move |_| is_asking.set(true)
                    >
                        {texts::CLEAR}
                    </button>
                }
                    .into_any()
            }
        }}
    }
}
