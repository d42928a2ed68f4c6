//! The library's list: what is there, filtered, opened, ticked and deleted.

use super::{
    add::AddButtons,
    document_row::DocumentRow,
    icon::{Glyph, Icon},
    models::Models,
    storage::StorageLine,
    vectors::VectorsLine,
};
use crate::page::{
    platform::{self, ROWS},
    state::Page,
    texts,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use millwright_core::index::{DocumentRecord, DocumentState};
use std::sync::Arc;

/// From how many documents on a filter is of use.
const FILTER_FROM: usize = 6;

/// How many rows are made in one go; a library of thousands comes up a frame at a time and never holds the page up.
const ROWS_A_FRAME: usize = 50;

/// The library.
#[component]
pub(crate) fn LibraryPanel() -> impl IntoView {
    let page = Page::here();
    let library = page.library;
    let on_show = Memo::new(move |_| {
        let wanted = library.filter.with(|filter| filter.trim().to_lowercase());
        let is_wanted = |document: &Arc<DocumentRecord>| {
            wanted
                .split_whitespace()
                .all(|word| document.name.to_lowercase().contains(word) || document.title.to_lowercase().contains(word))
        };
        library.documents.with(|documents| {
            documents.iter().flatten().filter(|document| is_wanted(document)).cloned().collect::<Vec<_>>()
        })
    });
    let n_rows = RwSignal::new(ROWS_A_FRAME);
    let rows =
        Memo::new(move |_| on_show.with(|documents| documents.iter().take(n_rows.get()).cloned().collect::<Vec<_>>()));
    Effect::new(move |_| {
        if on_show.with(Vec::len) > n_rows.get() {
            request_animation_frame(move || n_rows.update(|n_rows| *n_rows += ROWS_A_FRAME));
        }
    });
    let is_known = Memo::new(move |_| library.documents.with(Option::is_some));
    let has_several = move || page.n_documents() > 1;
    let has_filter = Memo::new(move |_| page.n_documents() >= FILTER_FROM);
    let on_key = |event: KeyboardEvent| {
        let is_done = match event.key().as_str() {
            "ArrowDown" => platform::focus_within(ROWS, 1),
            "ArrowUp" => platform::focus_within(ROWS, -1),
            _ => false,
        };
        if is_done {
            event.prevent_default();
        }
    };
    view! {
        <div class="library">
            <div class="library-head">
                <h2 class="panel-title">
                    {texts::LIBRARY} <span class="count" data-testid="document-count">{move || page.n_documents()}</span>
                </h2>
                <Show when=has_several>
                    <button
                        type="button"
                        class="button button-quiet"
                        aria-pressed=move || library.is_selecting.get().to_string()
                        on:click=move |_| {
                            library.selected.set(Vec::new());
                            library.is_selecting.update(|is_selecting| *is_selecting = !*is_selecting);
                        }
                    >
                        {move || if library.is_selecting.get() { texts::SELECT_DONE } else { texts::SELECT }}
                    </button>
                </Show>
            </div>
            <AddButtons is_compact=true />
            <Show when=move || has_filter.get()>
                <div class="filter">
                    <Icon glyph=Glyph::Search />
                    <label class="unseen" for="filter">{texts::FILTER_LABEL}</label>
                    <input
                        id="filter"
                        class="filter-input"
                        data-testid="filter"
                        type="search"
                        autocomplete="off"
                        spellcheck="false"
                        placeholder=texts::FILTER_LABEL
                        prop:value=move || library.filter.get()
                        on:input=move |event| library.filter.set(event_target_value(&event))
                    />
                </div>
            </Show>
            <Show when=move || library.is_selecting.get()>
                <SelectionBar on_show=on_show />
            </Show>
            <ul class="rows" aria-label=texts::LIBRARY on:keydown=on_key>
                <For each=move || rows.get() key=row_key let(document)>
                    <DocumentRow document=document />
                </For>
            </ul>
            <Show when=move || !is_known.get()>
                <div class="skeletons skeletons-late" aria-hidden="true">
                    <div class="skeleton skeleton-row"></div>
                    <div class="skeleton skeleton-row"></div>
                    <div class="skeleton skeleton-row"></div>
                </div>
            </Show>
            <Show when=move || is_known.get() && on_show.with(Vec::is_empty)>
                <p class="hint">
                    {move || if page.is_library_empty() { texts::LIBRARY_EMPTY } else { texts::FILTER_EMPTY }}
                </p>
            </Show>
            <VectorsLine />
            <Models />
            <StorageLine />
        </div>
    }
}

/// Tells rows apart that must be made anew: another document, or the same one read anew or under another name.
fn row_key(document: &Arc<DocumentRecord>) -> (String, String, u64, bool, u32) {
    let is_unread = document.state == DocumentState::Unread || document.has_unread_scans();
    (document.id.to_string(), document.name.clone(), document.added_millis, is_unread, document.n_nodes)
}

#[component]
fn SelectionBar(on_show: Memo<Vec<Arc<DocumentRecord>>>) -> impl IntoView {
    let page = Page::here();
    let selected = page.library.selected;
    let n_selected = move || selected.with(Vec::len);
    let select_all = move |_| {
        let all = on_show.with_untracked(|documents| documents.iter().map(|document| document.id.clone()).collect());
        selected.set(all);
    };
    view! {
        <div class="selection" role="group" aria-label=texts::SELECT>
            <span role="status">{move || texts::n_selected(n_selected() as u64)}</span>
            <button type="button" class="button button-quiet" on:click=select_all>
                {texts::SELECT_ALL}
            </button>
            <button
                type="button"
                class="button button-danger"
                data-testid="delete-selected"
                disabled=move || n_selected() == 0 || page.obstacle().is_some()
                on:click=move |_| page.delete(selected.get_untracked())
            >
                <Icon glyph=Glyph::Bin />
                {texts::DELETE}
            </button>
        </div>
    }
}
