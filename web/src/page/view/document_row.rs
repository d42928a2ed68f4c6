//! One document of the library's list.

use super::{
    icon::{Glyph, Icon},
    remarks::Remarks,
    scans::ScanNotice,
};
use crate::page::{
    logic::{address::Place, labels},
    state::Page,
    texts,
};
use leptos::{ev::KeyboardEvent, prelude::*};
use millwright_core::index::{DocumentRecord, DocumentState};
use std::sync::Arc;

/// A document's row: opens it, ticks it, deletes it, tells how well it was read.
#[component]
pub(crate) fn DocumentRow(document: Arc<DocumentRecord>) -> impl IntoView {
    let page = Page::here();
    let library = page.library;
    let (folder, file) = labels::split_name(&document.name);
    let id = StoredValue::new(document.id.clone());
    let is_selected = move || library.selected.with(|selected| id.with_value(|id| selected.contains(id)));
    let is_open = Memo::new(move |_| {
        page.reading.place.with(|place| place.as_ref().is_some_and(|place| id.with_value(|id| place.document == *id)))
    });
    let on_key = move |event: KeyboardEvent| {
        if event.key() == "Delete" {
            event.prevent_default();
            page.delete(vec![id.get_value()]);
        }
    };
    let facts = texts::document_facts(&document).join(texts::FACT_SEPARATOR);
    let alert = match document.state {
        DocumentState::Unread => Some(texts::WAITS_TO_BE_READ_ANEW),
        _ => (document.n_chunks == 0 && !document.has_unread_scans()).then_some(texts::NO_TEXT),
    };
    let delete_label = texts::delete_document(&document.name);
    let select_label = texts::select_document(&document.name);
    view! {
        <li
            class="row"
            class:row-current=move || is_open.get()
            data-testid="document-row"
            data-name=document.name.clone()
        >
            {move || {
                let label = select_label.clone();
                library
                    .is_selecting
                    .get()
                    .then(|| {
                        view! {
                            <input
                                type="checkbox"
                                class="tick"
                                aria-label=label
                                prop:checked=is_selected
                                on:change=move |_| id.with_value(|id| page.toggle_selected(id))
                            />
                        }
                    })
            }}
            <div class="row-names">
                <button
                    type="button"
                    class="row-open"
                    aria-current=move || is_open.get().then_some("true")
                    on:click=move |_| page.open_document(Place::beginning(id.get_value()))
                    on:keydown=on_key
                >
                    {file.to_owned()}
                </button>
                {(!folder.is_empty()).then(|| view! { <p class="row-folder">{folder.to_owned()}</p> })}
                <p class="row-facts">{facts}</p>
                {alert
                    .map(|alert| {
                        view! {
                            <p class="row-alert">
                                <Icon glyph=Glyph::Alert />
                                {alert}
                            </p>
                        }
                    })}
                <ScanNotice document=Arc::clone(&document) class="row-alert" />
                <Remarks id=document.id.clone() warnings=document.warnings.clone() class="remarks" />
            </div>
            <button
                type="button"
                class="button button-quiet button-icon row-delete"
                data-testid="delete-document"
                aria-label=delete_label.clone()
                title=move || page.obstacle().map_or_else(|| delete_label.clone(), str::to_owned)
                disabled=move || page.obstacle().is_some()
                on:click=move |_| page.delete(vec![id.get_value()])
            >
                <Icon glyph=Glyph::Bin />
            </button>
        </li>
    }
}
