//! What is said of a document whose scans were not read, and the way to have them read.

use super::icon::{Glyph, Icon};
use crate::page::{state::Page, texts};
use leptos::prelude::*;
use millwright_core::{index::DocumentRecord, models::Role};
use std::sync::Arc;

/// The notice with its button; nothing where no scan waits to be read.
#[component]
pub(crate) fn ScanNotice(document: Arc<DocumentRecord>, class: &'static str) -> impl IntoView {
    let page = Page::here();
    document.has_unread_scans().then(|| {
        let document = StoredValue::new(document);
        let can_read = Memo::new(move |_| page.has_model(Role::ReadsScans));
        let words = if document.with_value(|document| document.n_chunks == 0) {
            texts::SCAN_NOT_READ
        } else {
            texts::SCANS_NOT_READ
        };
        view! {
            <p class=class data-testid="scans-not-read">
                <Icon glyph=Glyph::Alert />
                <span>
                    {words} " "
                    {move || {
                        if can_read.get() {
                            view! {
                                <button
                                    type="button"
                                    class="link"
                                    data-testid="scans-read"
                                    disabled=move || page.obstacle().is_some()
                                    on:click=move |_| page.read_scans(vec![document.get_value()])
                                >
                                    {texts::SCANS_READ}
                                </button>
                            }
                                .into_any()
                        } else {
                            view! {
                                <button
                                    type="button"
                                    class="link"
                                    data-testid="scans-get-model"
                                    on:click=move |_| {
                                        if let Some(model) = page.fitting_model(Role::ReadsScans) {
                                            page.show_model(model);
                                        }
                                    }
                                >
                                    {texts::SCANS_GET_MODEL}
                                </button>
                            }
                                .into_any()
                        }
                    }}
                </span>
            </p>
        }
    })
}
