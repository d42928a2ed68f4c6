//! What is on the page: components over the state, each in its own file.
//!
//! Not for deciding anything: that is [`super::logic`] and [`super::actions`].

#![expect(unreachable_pub, reason = "the component macro makes `pub` items whatever visibility it is given")]

mod add;
mod answer;
mod ask_box;
mod banners;
mod batches;
mod candidates;
mod clearing;
mod document_row;
mod dropping;
mod evidence;
mod file_line;
mod header;
mod icon;
mod keys;
mod library;
mod models;
mod notices;
mod passage;
mod pieces;
mod reader;
mod remarks;
mod results;
mod sample;
mod scans;
mod storage;
mod toast;
mod vectors;
mod welcome;

use super::{
    state::{Page, Pane},
    texts,
};
use crate::client::EngineClient;
use leptos::prelude::*;

/// The whole page.
#[component]
pub(crate) fn Shell() -> impl IntoView {
    let page = Page::here();
    keys::listen(page);
    dropping::listen(page);
    let pane = move || match page.pane.get() {
        Pane::Answers => "answers",
        Pane::Documents => "documents",
    };
    let is_reading = Memo::new(move |_| page.reading.place.with(Option::is_some));
    // What a newcomer sees takes the whole page; the library's column appears with the first document.
    // Before the engine is up, the page is laid out for what was there the last time.
    let had_documents = EngineClient::n_noted_documents() > 0;
    let is_new = Memo::new(move |_| {
        let is_known = page.library.documents.with(Option::is_some);
        let is_empty = if is_known { page.n_documents() == 0 } else { !had_documents };
        is_empty && page.library.trashed.with(Option::is_none)
    });
    view! {
        <header::Header />
        <div
            class="app"
            class:app-reading=move || is_reading.get()
            class:app-new=move || is_new.get()
            data-pane=pane
        >
            <main class="work" id="main">
                <banners::Banners />
                <ask_box::AskBox />
                <Show when=move || !is_new.get()>
                    <Tabs />
                </Show>
                <div class="work-body">
                    <batches::Batches />
                    <div class="answers-pane">
                        <results::Answers />
                    </div>
                </div>
            </main>
            <Show when=move || !is_new.get()>
                <aside class="side" aria-label=texts::LIBRARY>
                    <library::LibraryPanel />
                </aside>
            </Show>
            <Show when=move || is_reading.get()>
                <reader::Reader />
            </Show>
        </div>
        <toast::Toasts />
        <dropping::DropVeil />
    }
}

/// On a narrow screen: which of the two is shown under the question box.
#[component]
fn Tabs() -> impl IntoView {
    let page = Page::here();
    let tab = move |pane: Pane, label: Signal<String>, testid: &'static str| {
        view! {
            <button
                type="button"
                class="tab"
                data-testid=testid
                aria-pressed=move || (page.pane.get() == pane).to_string()
                on:click=move |_| page.pane.set(pane)
            >
                {label}
            </button>
        }
    };
    let documents = Signal::derive(move || texts::tab_documents(page.n_documents() as u64));
    view! {
        <div class="tabs" role="group" aria-label=texts::TABS>
            {tab(Pane::Answers, Signal::derive(|| texts::TAB_ANSWERS.to_owned()), "tab-answers")}
            {tab(Pane::Documents, documents, "tab-documents")}
        </div>
    }
}
