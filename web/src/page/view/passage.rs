//! One passage: where it stands, what it says with its words marked, and why it was found.

use super::{
    candidates::AlsoIn,
    evidence::Evidence,
    icon::{Glyph, Icon},
    notices::notices,
};
use crate::page::{
    logic::{address::Place, labels},
    state::Page,
    texts,
};
use leptos::{ev::MouseEvent, prelude::*};
use millwright_core::{
    chunk::ChunkKind,
    document::{DocumentId, NodeId},
    protocol::Passage,
    retrieve::Explanation,
};
use std::sync::Arc;

/// A passage as a card. Its heading is the button that opens it; a click anywhere else on it opens it too, unless
/// text is being selected: people copy part numbers from here.
#[component]
pub(crate) fn PassageCard(passage: Arc<Passage>) -> impl IntoView {
    let page = Page::here();
    let place = place_of(&passage.chunk.document, passage.node, passage.end_node);
    let here = place.clone();
    let is_open = Memo::new(move |_| page.reading.place.with(|open| open.as_ref() == Some(&here)));
    let open = move || page.open_document(place.clone());
    let open_by_card = {
        let open = open.clone();
        move |event: MouseEvent| {
            if !is_selecting() && !is_control(&event) {
                open();
            }
        }
    };
    let (folder, file) = labels::split_name(&passage.name);
    // A title of its own is what people know the document by; the file's name stands beside it.
    let has_title = passage.title != millwright_core::document::file_stem(&passage.name) && !passage.title.is_empty();
    let heading = if has_title { passage.title.clone() } else { file.to_owned() };
    let origin = if has_title { passage.name.clone() } else { folder.to_owned() };
    let places = texts::places(&passage).into_iter();
    let places = places.map(|place| view! { <span class="passage-page" data-testid="passage-place">{place}</span> });
    let path = passage.heading_path.join(texts::PATH_SEPARATOR);
    view! {
        <li
            class="passage"
            class:passage-current=move || is_open.get()
            data-testid="passage"
            data-chunk=passage.chunk.to_string()
            data-name=passage.name.clone()
            data-score=passage.score.to_string()
            on:click=open_by_card
        >
            <div class="passage-head">
                <h2 class="passage-title">
                    <button
                        type="button"
                        class="passage-open"
                        data-testid="open-passage"
                        aria-current=move || is_open.get().then_some("true")
                        on:click=move |_| open()
                    >
                        {heading}
                    </button>
                </h2>
                {kind_chip(passage.kind)}
            </div>
            <p class="passage-origin">
                {(!path.is_empty()).then(|| view! { <span class="passage-path">{path}</span> })}
                {places.collect_view()}
                {(!origin.is_empty()).then(|| view! { <span class="passage-file">{origin}</span> })}
            </p>
            <Notices passage=Arc::clone(&passage) />
            <Evidence passage=Arc::clone(&passage) />
            <AlsoIn passage=Arc::clone(&passage) />
            <Why explanation=passage.explanation.clone() score=passage.score />
        </li>
    }
}

/// A stretch of a document, for opening it there.
pub(super) fn place_of(document: &DocumentId, node: NodeId, end_node: NodeId) -> Place {
    Place { document: document.clone(), node, end_node }
}

/// What must be said before the passage is read: that it is hidden, unsure, or not all there yet.
#[component]
fn Notices(passage: Arc<Passage>) -> impl IntoView {
    let unsure = passage.confidence.as_deref().and_then(texts::confidence);
    let reading = passage.reading.map(texts::read_so_far);
    notices("passage", passage.hidden.as_deref(), unsure.into_iter().chain(reading))
}

fn kind_chip(kind: ChunkKind) -> impl IntoView {
    let (glyph, word) = match kind {
        // Plain text needs no word, and a warning has its own within the passage.
        ChunkKind::Text | ChunkKind::Warning => return None,
        ChunkKind::Table => (Glyph::Table, texts::KIND_TABLE),
        ChunkKind::Row => (Glyph::Table, texts::KIND_ROW),
        ChunkKind::Code => (Glyph::Code, texts::KIND_CODE),
    };
    Some(view! {
        <span class="chip">
            <Icon glyph=glyph />
            {word}
        </span>
    })
}

/// Why a passage was found, on demand.
#[component]
fn Why(explanation: Explanation, score: f32) -> impl IntoView {
    let words = |terms: &[String]| terms.join(texts::LIST_SEPARATOR);
    let mut facts = vec![(texts::WHY_RANK, explanation.rank.to_string())];
    if !explanation.matched_terms.is_empty() {
        facts.push((texts::WHY_MATCHED, words(&explanation.matched_terms)));
    }
    if !explanation.missing_terms.is_empty() {
        facts.push((texts::WHY_MISSING, words(&explanation.missing_terms)));
    }
    let parts = [
        (texts::WHY_BM25, explanation.bm25),
        (texts::WHY_IDENTIFIERS, explanation.identifiers),
        (texts::WHY_PROXIMITY, explanation.proximity),
        (texts::WHY_COSINE, explanation.cosine),
    ];
    facts.extend(parts.into_iter().filter_map(|(name, part)| Some((name, format!("{:.2}", part?)))));
    facts.push((texts::WHY_SCORE, format!("{score:.2}")));
    if !explanation.track.is_empty() {
        facts.push((texts::WHY_TRACK, explanation.track));
    }
    let row = |(name, value): (&'static str, String)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    view! {
        <details class="why" data-testid="why">
            <summary>{texts::WHY}</summary>
            <dl class="facts">{facts.into_iter().map(row).collect_view()}</dl>
        </details>
    }
}

fn is_selecting() -> bool {
    window().get_selection().ok().flatten().is_some_and(|selection| !selection.is_collapsed())
}

/// Whether a click went to something that has its own meaning.
fn is_control(event: &MouseEvent) -> bool {
    use wasm_bindgen::JsCast as _;
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| element.closest("button, summary, a, .why").is_ok_and(|found| found.is_some()))
}
