//! Files on their way in: a line for each, with how far it is, how it ended and what to do now, and the sum. Of five hundred
//! files those have a line that say something; the whole list is there on demand.

use super::{
    file_line::FileLine,
    icon::{Glyph, Icon},
};
use crate::page::{
    logic::batch::{Batch, MAX_LINES},
    state::Page,
    texts,
};
use leptos::prelude::*;

/// Every batch on show.
#[component]
pub(crate) fn Batches() -> impl IntoView {
    let page = Page::here();
    let keys = Memo::new(move |_| page.batches.with(|batches| batches.iter().map(|b| b.key).collect::<Vec<_>>()));
    view! {
        <For each=move || keys.get() key=|key| *key let(key)>
            <BatchView key=key />
        </For>
    }
}

/// Reads something of a batch.
pub(super) fn with<T: Default>(page: Page, key: u32, read: impl FnOnce(&Batch) -> T) -> T {
    page.batches.with(|batches| batches.iter().find(|batch| batch.key == key).map(read).unwrap_or_default())
}

#[component]
fn BatchView(key: u32) -> impl IntoView {
    let page = Page::here();
    let tally = Memo::new(move |_| with(page, key, Batch::tally));
    let n_files = untrack(|| with(page, key, Batch::n_files));
    let is_of_scans = untrack(|| with(page, key, |batch| batch.is_of_scans));
    let is_over = Memo::new(move |_| with(page, key, Batch::is_over));
    let is_cancelling = Memo::new(move |_| with(page, key, |batch| batch.is_cancelling));
    let is_open = RwSignal::new(false);
    let is_asking = Memo::new(move |_| page.asking.question.with(|question| !question.trim().is_empty()));
    // The answer needs the room once there is nothing left to watch.
    let is_folded = Memo::new(move |_| n_files > MAX_LINES || is_over.get() && is_asking.get());
    let on_show = Memo::new(move |_| {
        if !is_open.get() && is_over.get() && is_asking.get() {
            // The headline says that something is to be done, and unfolds what.
            return Vec::new();
        }
        let all = is_open.get() || !is_folded.get();
        with(page, key, |batch| batch.on_show(all))
    });
    let headline = move || {
        let tally = tally.get();
        if is_over.get() {
            texts::ingest_summary(tally)
        } else if is_cancelling.get() {
            texts::STOPPING.to_owned()
        } else {
            texts::reading_files(tally.finished(), n_files as u64, is_of_scans)
        }
    };
    let is_unsettled = Memo::new(move |_| tally.get().unsettled() > 0);
    let sign = move || if is_unsettled.get() { Glyph::Alert } else { Glyph::Check };
    view! {
        <section
            class="batch"
            class:batch-over=move || is_over.get()
            class:batch-unsettled=move || is_unsettled.get()
            aria-label=texts::BATCH
        >
            <div class="batch-head">
                {move || is_over.get().then(|| view! { <Icon glyph=sign() /> })}
                // Announced at the beginning and the end; the counts in between would only chatter.
                <p
                    class="batch-headline"
                    data-testid=move || if is_over.get() { "ingest-summary" } else { "ingest-progress" }
                    aria-live=move || if is_over.get() { "polite" } else { "off" }
                >
                    {headline}
                </p>
                <Show when=move || is_folded.get()>
                    <button
                        type="button"
                        class="button button-quiet button-small"
                        data-testid="show-files"
                        aria-expanded=move || is_open.get().to_string()
                        on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
                    >
                        {move || if is_open.get() { texts::HIDE_FILES } else { texts::SHOW_FILES }}
                    </button>
                </Show>
                {move || {
                    if is_over.get() {
                        view! {
                            <button
                                type="button"
                                class="button button-quiet button-icon"
                                data-testid="dismiss-batch"
                                aria-label=texts::DISMISS
                                on:click=move |_| page.dismiss_batch(key)
                            >
                                <Icon glyph=Glyph::Close />
                            </button>
                        }
                            .into_any()
                    } else {
                        view! {
                            <button
                                type="button"
                                class="button"
                                data-testid="cancel-batch"
                                disabled=move || is_cancelling.get()
                                on:click=move |_| page.cancel(key, None)
                            >
                                {texts::STOP}
                            </button>
                        }
                            .into_any()
                    }
                }}
            </div>
            <Show when=move || !is_over.get()>
                <progress
                    class="progress"
                    max=n_files.to_string()
                    value=move || tally.get().finished().to_string()
                    aria-label=texts::BATCH
                ></progress>
            </Show>
            <ul class="batch-files">
                <For each=move || on_show.get() key=|file| *file let(file)>
                    <FileLine key=key file=file />
                </For>
            </ul>
        </section>
    }
}
