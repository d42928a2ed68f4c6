//! Files on their way in: what is in work, what could not be read and why, and the sum. Five hundred files are a few
//! lines here; the whole list is there on demand.

use super::icon::{Glyph, Icon};
use crate::page::{
    logic::batch::{Batch, FileState},
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::protocol::FileOutcome;

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

fn with<T: Default>(page: Page, key: u32, read: impl FnOnce(&Batch) -> T) -> T {
    page.batches.with(|batches| batches.iter().find(|batch| batch.key == key).map(read).unwrap_or_default())
}

#[component]
fn BatchView(key: u32) -> impl IntoView {
    let page = Page::here();
    let tally = Memo::new(move |_| with(page, key, Batch::tally));
    let n_files = untrack(|| with(page, key, |batch| batch.names.len()));
    let is_over = Memo::new(move |_| with(page, key, |batch| batch.is_over));
    let is_cancelling = Memo::new(move |_| with(page, key, |batch| batch.is_cancelling));
    let in_work = Memo::new(move |_| with(page, key, Batch::in_work));
    let has_list = move || is_over.get() && n_files > 1;
    let failures = Memo::new(move |_| with(page, key, Batch::failures));
    let headline = move || {
        let tally = tally.get();
        if is_over.get() {
            texts::ingest_summary(tally)
        } else if is_cancelling.get() {
            texts::STOPPING.to_owned()
        } else {
            texts::reading_files(tally.finished(), n_files as u64)
        }
    };
    let sign = move || if tally.get().failed > 0 { Glyph::Alert } else { Glyph::Check };
    let is_open = RwSignal::new(false);
    view! {
        <section class="batch" class:batch-over=move || is_over.get() aria-label=texts::BATCH>
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
                <Show when=has_list>
                    <button
                        type="button"
                        class="button button-quiet button-small"
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
                                on:click=move |_| page.cancel_batch(key)
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
                <ul class="batch-work">
                    {move || {
                        in_work
                            .get()
                            .into_iter()
                            .map(|(name, stage, done, total)| {
                                view! {
                                    <li class="batch-file">
                                        <span class="batch-name">{name}</span>
                                        <span class="batch-stage">{texts::stage(stage, done, total)}</span>
                                    </li>
                                }
                            })
                            .collect_view()
                    }}
                </ul>
            </Show>
            <Show when=move || failures.with(|failures| !failures.is_empty())>
                <ul class="batch-failures">
                    <For each=move || failures.get() key=|(name, _)| name.clone() let(failure)>
                        <FailureView failure=failure />
                    </For>
                </ul>
            </Show>
            <Show when=move || is_open.get()>
                <AllFiles key=key />
            </Show>
        </section>
    }
}

/// A file that could not be read, and why.
#[component]
fn FailureView(failure: (String, String)) -> impl IntoView {
    let (name, reason) = failure;
    let label = name.clone();
    view! {
        <li class="batch-failure" data-testid="ingest-failure" data-name=name>
            <Icon glyph=Glyph::Alert />
            <div>
                <p class="batch-name">{label}</p>
                <p>{reason}</p>
            </div>
        </li>
    }
}

/// The whole list, made only once somebody asks for it.
#[component]
fn AllFiles(key: u32) -> impl IntoView {
    let page = Page::here();
    let rows = move || {
        with(page, key, |batch| {
            batch
                .files()
                .map(|(name, state)| {
                    let outcome = match state {
                        FileState::Active { stage, done, total } => texts::stage(*stage, *done, *total),
                        FileState::Over(FileOutcome::Failed(_)) => texts::OUTCOME_FAILED.to_owned(),
                        FileState::Over(outcome) => texts::outcome(outcome),
                    };
                    view! {
                        <li class="batch-file">
                            <span class="batch-name">{name.clone()}</span>
                            <span class="batch-stage">{outcome}</span>
                        </li>
                    }
                })
                .collect::<Vec<_>>()
        })
    };
    view! { <ul class="batch-all">{rows}</ul> }
}
