//! Finding by meaning, as far as it is: the line in the library, and under the question how passages were found.

use super::icon::{Glyph, Icon};
use crate::page::{
    logic::joining::{Joining, found_by},
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::{
    models::Role,
    protocol::{FailureKind, Found, VectorsState, VectorsWork},
};

/// The line with what can be done about it; nothing while there is no model and nothing made.
#[component]
pub(crate) fn VectorsLine() -> impl IntoView {
    let page = Page::here();
    let vectors = page.models.vectors;
    // What is on the line, but for the numbers: only a change of that makes it anew, so that a button keeps its focus.
    let kind = Memo::new(move |_| vectors.with(|state| state.as_ref().map_or(Kind::Nothing, Kind::of)));
    let with = move |say: fn(&VectorsState) -> String| {
        move || vectors.with(|state| state.as_ref().map(say).unwrap_or_default())
    };
    let count =
        move |read: fn(&VectorsState) -> u32| move || vectors.with(|state| state.as_ref().map_or(0, read)).to_string();
    let pause = move |is_paused: bool, label: &'static str, testid: &'static str| {
        view! {
            <button
                type="button"
                class="button button-quiet button-small"
                data-testid=testid
                disabled=move || page.obstacle().is_some()
                on:click=move |_| page.pause_vectors(is_paused)
            >
                {label}
            </button>
        }
    };
    let line = move |buttons: AnyView, is_busy: bool| {
        view! {
            <div class="vectors-head">
                <p data-testid="vectors-line" aria-live="off">{with(texts::vectors_line)}</p>
                {buttons}
            </div>
            {is_busy
                .then(|| {
                    view! {
                        <progress
                            class="progress"
                            aria-label=texts::VECTORS
                            max=count(|state| state.n_chunks.max(1))
                            value=count(|state| state.n_done)
                        ></progress>
                        <p class="row-facts">{with(texts::vectors_left)}</p>
                    }
                })}
        }
        .into_any()
    };
    let refused = move |words: String, buttons: AnyView| {
        view! {
            <p class="row-alert" role="status" data-testid="vectors-refused">
                <Icon glyph=Glyph::Alert />
                <span>{words}</span>
            </p>
            <div class="model-actions">{buttons}</div>
        }
        .into_any()
    };
    let body = move || match kind.get() {
        Kind::Nothing => ().into_any(),
        Kind::Done => line(().into_any(), false),
        Kind::Busy => line(pause(true, texts::VECTORS_PAUSE, "vectors-pause").into_any(), true),
        Kind::Resting => line(pause(false, texts::VECTORS_GO_ON, "vectors-go-on").into_any(), false),
        Kind::Waiting => line(().into_any(), false),
        Kind::Failed(words, is_of_another) => {
            let model = vectors.with_untracked(|state| state.as_ref().and_then(|state| state.model.clone()));
            let buttons = match model.filter(|_| is_of_another) {
                Some(model) => remake(page, model).into_any(),
                None => pause(false, texts::VECTORS_GO_ON, "vectors-go-on").into_any(),
            };
            refused(words, buttons)
        }
        Kind::Foreign { made_with, other } => {
            let words = vectors.with_untracked(|state| {
                let state = state.clone().unwrap_or_default();
                texts::made_with_another(&made_with, other.as_deref(), &state)
            });
            refused(words, other.map(|other| remake(page, other)).into_any())
        }
    };
    view! {
        <div class="vectors" data-testid="vectors">
            {body}
        </div>
    }
}

#[derive(Clone, PartialEq)]
enum Kind {
    Nothing,
    Done,
    Busy,
    Resting,
    /// Some lack one, and nobody here is at it: another tab is.
    Waiting,
    Failed(String, bool),
    Foreign {
        made_with: String,
        other: Option<String>,
    },
}

impl Kind {
    fn of(state: &VectorsState) -> Self {
        if let VectorsWork::Failed(failure) = &state.work {
            return Self::Failed(failure.error.clone(), failure.error_type == FailureKind::VersionMismatch);
        }
        match (&state.made_with, &state.model) {
            (Some(made_with), None) => Self::Foreign { made_with: made_with.clone(), other: state.other.clone() },
            (None, None) => Self::Nothing,
            _ if state.n_chunks == 0 => Self::Nothing,
            _ if state.n_done >= state.n_chunks => Self::Done,
            _ => match state.work {
                VectorsWork::Loading | VectorsWork::Making => Self::Busy,
                VectorsWork::Paused => Self::Resting,
                _ => Self::Waiting,
            },
        }
    }
}

/// The button that has all vectors made anew with a model.
pub(super) fn remake(page: Page, model: String) -> impl IntoView {
    let label = texts::remake_with(&model);
    view! {
        <button
            type="button"
            class="button"
            data-testid="vectors-remake"
            disabled=move || page.obstacle().is_some()
            on:click=move |_| page.remake_vectors(&model)
        >
            <Icon glyph=Glyph::Refresh />
            {label}
        </button>
    }
}

/// How the passages on show were found, and what would find more.
#[component]
pub(crate) fn HowFound() -> impl IntoView {
    let page = Page::here();
    let asking = page.asking;
    let missing = move || (!page.has_model(Role::Embeds)).then(|| page.fitting_model(Role::Embeds)).flatten();
    let words = Memo::new(move |_| {
        let cosines = |found: &Found| found_by(found.passages.iter().map(|passage| passage.explanation.cosine));
        let found_by = asking.found.with(|found| found.as_deref().map(cosines))?;
        let vectors = page.models.vectors.get();
        let words = texts::how_found(found_by, asking.joining.get(), vectors.as_ref(), missing());
        (!words.is_empty()).then_some(words)
    });
    let is_held = Memo::new(move |_| asking.joining.get() == Joining::Held);
    // The way there, not the thing itself: nobody fetches 90 MB by a slip of the finger.
    let show = move || {
        let is_bare = page.models.vectors.with(|state| state.as_ref().is_some_and(|state| state.made_with.is_none()));
        missing().filter(|_| is_bare && words.with(Option::is_some) && !is_held.get())
    };
    view! {
        <p class="hint how-found" data-testid="how-found">
            {words} " "
            {move || {
                is_held
                    .get()
                    .then(|| {
                        view! {
                            <button type="button" class="link" data-testid="show-held" on:click=move |_| page.show_held()>
                                {texts::HELD_SHOW}
                            </button>
                        }
                    })
            }}
            {move || {
                show()
                    .map(|model| {
                        view! {
                            <button
                                type="button"
                                class="link"
                                data-testid="meaning-show-model"
                                on:click=move |_| page.show_model(model)
                            >
                                {texts::VECTORS_SHOW_MODEL}
                            </button>
                        }
                    })
            }}
        </p>
    }
}
