//! A document at a place: windowed, so that a manual of 700 pages costs no more than one of seven.

use super::{
    icon::{Glyph, Icon},
    pieces::PieceView,
    remarks::Remarks,
    scans::ScanNotice,
};
use crate::page::{
    logic::{flow, labels},
    platform,
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::{document::NodeId, index::DocumentRecord, protocol::ReadSoFar};
use std::sync::Arc;

/// How close to an end the view may come before more is fetched, in screens.
const REACH_SCREENS: i32 = 2;

/// The document on show.
#[component]
pub(crate) fn Reader() -> impl IntoView {
    let page = Page::here();
    let reading = page.reading;
    let pieces = Memo::new(move |_| reading.window.with(|window| flow::flow(window.nodes())));
    let pointed = StoredValue::new(0_u32);
    // Once the first stretch of an opening is on the page: go to the place. Later stretches leave the view where it is.
    Effect::new(move |_| {
        let opening = reading.opening.get();
        if pieces.with(Vec::is_empty) || pointed.get_value() == opening {
            return;
        }
        pointed.set_value(opening);
        request_animation_frame(move || {
            go_to_place(page);
            fetch_around(page);
        });
    });
    // A stretch that arrives may not fill the screen yet.
    Effect::new(move |_| {
        if !reading.is_loading.get() && pieces.with(|pieces| !pieces.is_empty()) {
            request_animation_frame(move || fetch_around(page));
        }
    });
    view! {
        <section class="reader" data-testid="viewer" aria-labelledby="reader-title">
            {move || view! { <Head record=reading.record.get() reading=reading.read_so_far.get() /> }}
            {move || reading.failure.get().map(|failure| view! { <p class="blank" role="alert">{failure}</p> })}
            <div
                id=platform::SCROLLER_ID
                class="reader-body"
                tabindex="0"
                role="group"
                aria-labelledby="reader-title"
                aria-busy=move || reading.is_loading.get().to_string()
                on:scroll=move |_| fetch_around(page)
            >
                <div class="page-text">
                    <Show when=move || pieces.with(Vec::is_empty) && reading.failure.with(Option::is_none)>
                        <div class="skeletons" aria-hidden="true">
                            <div class="skeleton"></div>
                            <div class="skeleton"></div>
                        </div>
                    </Show>
                    <For each=move || pieces.get() key=flow::Piece::key let(piece)>
                        <PieceView piece=piece />
                    </For>
                </div>
            </div>
        </section>
    }
}

fn go_to_place(page: Page) {
    let node = page.reading.place.with_untracked(|place| place.as_ref().map(|place| place.node));
    match node {
        Some(NodeId::ROOT) | None => platform::scroll_to_top(),
        Some(node) => {
            // What is pointed at may be part of a piece that is not wholly so: then the piece that holds its beginning.
            let _ = platform::point_at("[data-testid=\"viewer-target\"]")
                || platform::point_at(&format!("[data-node=\"{}\"]", node.0));
        }
    }
    platform::focus(platform::SCROLLER_ID);
}

fn fetch_around(page: Page) {
    if page.reading.is_loading.get_untracked() || page.reading.window.with_untracked(|window| window.nodes().is_empty())
    {
        return;
    }
    let Some((above, below, height)) = platform::room_around() else { return };
    if below < height * REACH_SCREENS {
        page.fetch_after();
    }
    if above < height * REACH_SCREENS {
        page.fetch_before();
    }
}

#[component]
fn Head(record: Option<Arc<DocumentRecord>>, reading: Option<ReadSoFar>) -> impl IntoView {
    let page = Page::here();
    let title = record.as_ref().map(|record| record.title.clone()).unwrap_or_else(|| texts::OPENING.to_owned());
    let facts = record.as_ref().map(|record| {
        let mut facts = texts::document_facts(record);
        facts.insert(0, labels::split_name(&record.name).1.to_owned());
        facts.join(texts::FACT_SEPARATOR)
    });
    // The original is kept once the document is whole.
    let id = record.as_ref().filter(|_| reading.is_none()).map(|record| record.id.clone());
    let scanned = record.clone().filter(|_| reading.is_none());
    let warnings = record.map(|record| (record.id.clone(), record.warnings.clone()));
    view! {
        <header class="reader-head">
            <button
                type="button"
                class="button button-quiet button-icon"
                data-testid="close-viewer"
                aria-label=texts::CLOSE_DOCUMENT
                title=texts::CLOSE_DOCUMENT_HINT
                on:click=move |_| page.close_document()
            >
                <Icon glyph=Glyph::Back />
            </button>
            <div class="reader-names">
                <h2 id="reader-title" class="reader-title">{title}</h2>
                <p class="reader-facts">{facts}</p>
            </div>
            {id
                .map(|id| {
                    view! {
                        <button
                            type="button"
                            class="button"
                            data-testid="download-original"
                            title=texts::DOWNLOAD_HINT
                            on:click=move |_| page.download(id.clone())
                        >
                            <Icon glyph=Glyph::Download />
                            <span>{texts::DOWNLOAD}</span>
                        </button>
                    }
                })}
        </header>
        {reading
            .map(|reading| {
                view! {
                    <p class="reader-partial" role="status" data-testid="reading-part">
                        <Icon glyph=Glyph::Info />
                        {texts::read_so_far(reading)}
                    </p>
                }
            })}
        {scanned.map(|record| view! { <ScanNotice document=record class="reader-partial" /> })}
        {warnings
            .map(|(id, warnings)| view! { <Remarks id=id warnings=warnings class="reader-warnings" /> })}
    }
}
