//! What was found: a line that sums it up, the passages, and what to say when there are none.

use super::{answer::AnswerCard, candidates::WhyThese, keys, passage::PassageCard, vectors::HowFound, welcome};
use crate::page::{
    logic::joining::Joining,
    state::{Engine, Page},
    texts,
};
use leptos::prelude::*;
use millwright_core::protocol::{Found, Passage};
use std::sync::Arc;

/// The answer to the question, or what stands there while there is none.
#[component]
pub(crate) fn Answers() -> impl IntoView {
    let page = Page::here();
    let is_asked = Memo::new(move |_| page.asking.question.with(|question| !question.trim().is_empty()));
    view! {
        <Show when=move || is_asked.get() fallback=|| view! { <welcome::Welcome /> }>
            <Found />
        </Show>
    }
}

#[component]
fn Found() -> impl IntoView {
    let page = Page::here();
    let asking = page.asking;
    let line = move || {
        if let Some(failure) = asking.failure.get() {
            return failure;
        }
        match (asking.found.get(), asking.is_waiting.get()) {
            (Some(found), _) if found.passages.is_empty() => texts::nothing_found(&found.query),
            (Some(found), _) => texts::result_line(found.passages.len(), found.n_chunks_searched, found.took_micros),
            (None, true) => match page.machine.engine.get() {
                Engine::Starting => texts::WAITING_FOR_ENGINE.to_owned(),
                _ => texts::SEARCHING.to_owned(),
            },
            (None, false) => String::new(),
        }
    };
    // Which question the passages on show answer, for whoever drives the page: the one in the box may be newer.
    let answered = move || asking.found.with(|found| found.as_ref().map(|found| found.query.clone()));
    let notice = move || asking.found.with(|found| found.as_ref().and_then(|found| found.notice.clone()));
    let passages = Memo::new(move |_| asking.found.get().map(keyed).unwrap_or_default());
    let is_bare = Memo::new(move |_| asking.found.with(|found| found.as_ref().is_some_and(|f| f.passages.is_empty())));
    let is_busy = move || (asking.is_waiting.get() || asking.joining.get() == Joining::Awaited).to_string();
    // Whoever has turned to the passages must not have them taken away.
    let use_passages = move || {
        if !asking.is_in_use.get_untracked() {
            asking.is_in_use.set(true);
        }
    };
    let has_candidates = Memo::new(move |_| {
        asking.found.with(|found| found.as_ref().is_some_and(|f| !(f.passages.is_empty() && f.others.is_empty())))
    });
    let has_more = move || passages.with(|passages| passages.len() as u32 >= asking.limit.get());
    let is_skeleton = move || asking.is_waiting.get() && asking.found.with(Option::is_none);
    view! {
        <section class="answers" aria-label=texts::TAB_ANSWERS aria-busy=is_busy>
            <p class="result-line" role="status" data-testid="result-line" data-query=answered>{line}</p>
            <AnswerCard />
            <HowFound />
            {move || notice().map(|notice| view! { <p class="hint">{notice}</p> })}
            <Show when=move || has_candidates.get()>
                <WhyThese />
            </Show>
            <Show when=is_skeleton>
                <div class="skeletons" aria-hidden="true">
                    <div class="skeleton"></div>
                    <div class="skeleton"></div>
                    <div class="skeleton"></div>
                </div>
            </Show>
            <Show when=move || is_bare.get()>
                <NothingFound />
            </Show>
            <ol
                class="passages"
                on:keydown=|event| keys::on_passages(&event)
                on:focusin=move |_| use_passages()
                on:pointerdown=move |_| use_passages()
                on:pointermove=move |_| use_passages()
                on:wheel=move |_| use_passages()
            >
                <For each=move || passages.get() key=|(key, _)| key.clone() let((_, passage))>
                    <PassageCard passage=passage />
                </For>
            </ol>
            <Show when=has_more>
                <button type="button" class="button" data-testid="more-passages" on:click=move |_| page.ask_for_more()>
                    {texts::MORE_PASSAGES}
                </button>
            </Show>
        </section>
    }
}

type Keyed = Vec<(String, Arc<Passage>)>;

/// The passages with what tells them apart: the same chunk under another question has other marks, and while its document
/// is being read it is another each time.
fn keyed(found: Arc<Found>) -> Keyed {
    let key = |passage: &Passage| {
        let n_pages_read = passage.reading.map_or(0, |reading| reading.n_pages_read);
        format!("{}\n{}\n{n_pages_read}\n{}", passage.chunk, passage.explanation.rank, found.query)
    };
    found.passages.iter().map(|passage| (key(passage), Arc::new(passage.clone()))).collect()
}

#[component]
fn NothingFound() -> impl IntoView {
    let page = Page::here();
    let searched = move || {
        let n_chunks = page.asking.found.with(|found| found.as_ref().map_or(0, |found| found.n_chunks_searched));
        texts::searched(n_chunks, page.n_documents())
    };
    view! {
        <div class="blank" data-testid="not-found">
            <p>{searched}</p>
            <ul>
                {texts::NOT_FOUND_SUGGESTIONS.map(|suggestion| view! { <li>{suggestion}</li> })}
            </ul>
        </div>
    }
}
