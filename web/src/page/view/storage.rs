//! How much room the library takes and whether the browser will keep it, in words.

use super::clearing::ClearLibrary;
use crate::page::{state::Page, texts};
use leptos::prelude::*;

/// The line under the list.
#[component]
pub(crate) fn StorageLine() -> impl IntoView {
    let page = Page::here();
    let line = move || page.machine.storage.with(|storage| storage.as_ref().map(texts::storage_line));
    let can_keep = move || {
        page.n_documents() > 0
            && page.machine.storage.with(|s| s.as_ref().is_some_and(|s| !s.persistent && !s.memory_only))
    };
    view! {
        <div class="storage">
            <p data-testid="storage-line">{line}</p>
            <Show when=can_keep>
                <button
                    type="button"
                    class="button button-quiet"
                    data-testid="keep-documents"
                    title=texts::KEEP_HINT
                    on:click=move |_| page.keep_documents()
                >
                    {texts::KEEP}
                </button>
            </Show>
            <Show when=move || { page.n_documents() > 0 }>
                <ClearLibrary />
            </Show>
        </div>
    }
}
