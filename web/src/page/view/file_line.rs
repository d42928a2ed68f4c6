//! One file of a batch: how far it is, how it ended, its password.

use super::{
    batches::with,
    icon::{Glyph, Icon},
    remarks::Remarks,
};
use crate::page::{
    logic::{address::Place, batch::FileState},
    state::Page,
    texts,
};
use leptos::{ev::SubmitEvent, html::Input, prelude::*};
use millwright_core::{
    index::DocumentRecord,
    protocol::{FileOutcome, IngestStage},
};

/// A file's line.
#[component]
pub(crate) fn FileLine(key: u32, file: u32) -> impl IntoView {
    let page = Page::here();
    let name = untrack(|| with(page, key, |batch| batch.name(file).unwrap_or_default().to_owned()));
    let state = Memo::new(move |_| with(page, key, |batch| batch.state(file).cloned()));
    // What kind of state it is in: only a change of that makes the line anew, so that a field keeps what is typed in it.
    let kind = Memo::new(move |_| state.get().as_ref().map(kind));
    let stage = move || match state.get() {
        Some(FileState::Active { stage, done, total, unit }) => texts::stage(stage, done, total, unit),
        _ => String::new(),
    };
    let line = {
        let name = name.clone();
        move || {
            let name = name.clone();
            match kind.get()? {
                "waiting" | "active" => Some(active(page, key, file, &name, stage).into_any()),
                "locked" => {
                    let is_wrong = Memo::new(move |_| state.get() == Some(FileState::Locked { is_wrong: true }));
                    Some(view! { <PasswordForm key=key file=file name=name is_wrong=is_wrong /> }.into_any())
                }
                _ => match state.get_untracked() {
                    Some(FileState::Over(outcome)) => Some(over(page, &name, &outcome).into_any()),
                    _ => None,
                },
            }
        }
    };
    let is_refused = move || matches!(kind.get(), Some("locked" | "failed"));
    view! {
        <li
            class="batch-file"
            class:batch-failure=is_refused
            data-testid=move || if is_refused() { "ingest-failure" } else { "file-line" }
            data-name=name
            data-state=move || kind.get()
        >
            {line}
        </li>
    }
}

fn kind(state: &FileState) -> &'static str {
    match state {
        FileState::Active { stage: IngestStage::Waiting, .. } => "waiting",
        FileState::Active { .. } => "active",
        FileState::Locked { .. } => "locked",
        FileState::Over(outcome) => match **outcome {
            FileOutcome::Failed(_) => "failed",
            FileOutcome::Cancelled => "stopped",
            _ => "added",
        },
    }
}

fn active<F>(page: Page, key: u32, file: u32, name: &str, stage: F) -> impl IntoView + use<F>
where
    F: Fn() -> String + Send + Sync + 'static,
{
    view! {
        <span class="batch-name">{name.to_owned()}</span>
        <span class="batch-stage">{stage}</span>
        <button
            type="button"
            class="button button-quiet button-icon button-tiny"
            data-testid="cancel-file"
            aria-label=texts::stop_file(name)
            title=texts::stop_file(name)
            on:click=move |_| page.cancel(key, Some(file))
        >
            <Icon glyph=Glyph::Close />
        </button>
    }
}

fn over(page: Page, name: &str, outcome: &FileOutcome) -> AnyView {
    let label = name.to_owned();
    match outcome {
        FileOutcome::Failed(failure) => view! {
            <Icon glyph=Glyph::Alert />
            <div>
                <p class="batch-name">{label}</p>
                <p>{failure.error.clone()}</p>
            </div>
        }
        .into_any(),
        FileOutcome::Added { record } | FileOutcome::Replaced { record } | FileOutcome::ReadAgain { record } => {
            let id = record.id.clone();
            view! {
                <button
                    type="button"
                    class="batch-name link"
                    on:click=move |_| page.open_document(Place::beginning(id.clone()))
                >
                    {label}
                </button>
                <span class="batch-stage">{texts::outcome(outcome)}</span>
                {warnings(record)}
            }
            .into_any()
        }
        outcome => view! {
            <span class="batch-name">{label}</span>
            <span class="batch-stage">{texts::outcome(outcome)}</span>
        }
        .into_any(),
    }
}

fn warnings(record: &DocumentRecord) -> impl IntoView + use<> {
    view! { <Remarks id=record.id.clone() warnings=record.warnings.clone() class="remarks" /> }
}

/// Asks for a locked file's password. What is typed leaves this field only for the engine.
#[component]
fn PasswordForm(key: u32, file: u32, name: String, is_wrong: Memo<bool>) -> impl IntoView {
    let page = Page::here();
    let field = NodeRef::<Input>::new();
    let give = move |event: SubmitEvent| {
        event.prevent_default();
        let Some(field) = field.get_untracked() else { return };
        let password = field.value();
        field.set_value("");
        if !password.is_empty() {
            page.unlock(key, file, password);
        }
    };
    let label = texts::of_file(&name);
    let field_id = format!("password-{key}-{file}");
    let why = move || if is_wrong.get() { texts::PASSWORD_WRONG } else { texts::PASSWORD_NEEDED };
    view! {
        <Icon glyph=Glyph::Lock />
        <div>
            <p class="batch-name">{name}</p>
            <p role="status">{why}</p>
            <form class="password" on:submit=give>
                <label class="password-label" for=field_id.clone()>{texts::PASSWORD}<span class="unseen">{label}</span></label>
                <input
                    id=field_id
                    class="password-input"
                    node_ref=field
                    type="password"
                    autocomplete="off"
                    data-testid="password-input"
                />
                <button type="submit" class="button" data-testid="password-give">
                    {texts::PASSWORD_GIVE}
                </button>
                <button
                    type="button"
                    class="button button-quiet"
                    data-testid="password-skip"
                    on:click=move |_| page.skip(key, file)
                >
                    {texts::PASSWORD_SKIP}
                </button>
            </form>
        </div>
    }
}
