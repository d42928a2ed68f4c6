//! The models: which are here, what each adds, and getting, taking and removing one. Small, because nobody needs it often.

use super::{
    icon::{Glyph, Icon},
    vectors::remake,
};
use crate::page::{actions::model_row_id, platform, state::Page, texts};
use leptos::{html::Input, prelude::*};
use millwright_core::models::{Catalogue, Model, Role};

/// The list, folded up until somebody wants it.
#[component]
pub(crate) fn Models() -> impl IntoView {
    let page = Page::here();
    let models = page.models;
    // Rerankers run on the command line alone: here they would be fetched for nothing.
    let usable = || Catalogue::shipped().models.iter().filter(|model| model.role != Role::Reranks);
    let n_here = move || models.kept.with(|kept| kept.iter().filter(|kept| kept.is_whole).count());
    let rows = usable().map(|model| view! { <ModelRow model=model /> }).collect_view();
    view! {
        <details
            class="models"
            data-testid="models"
            prop:open=move || models.is_open.get()
            on:toggle=move |event| {
                let is_open = platform::is_unfolded(&event);
                if is_open != models.is_open.get_untracked() {
                    models.is_open.set(is_open);
                }
                if is_open {
                    page.ask_models();
                }
            }
        >
            <summary id=platform::MODELS_ID data-testid="models-summary">
                {texts::MODELS} <span class="count">{move || texts::models_here(n_here(), usable().count())}</span>
            </summary>
            <p class="hint">{texts::MODELS_HINT}</p>
            <ul class="model-rows">{rows}</ul>
        </details>
    }
}

/// Of a model that makes vectors: whether it fits the library, and that the vectors there are another one's.
#[component]
fn EmbedderNotes(model: &'static Model, is_kept: Memo<bool>) -> impl IntoView {
    let page = Page::here();
    let vectors = page.models.vectors;
    let fit = Memo::new(move |_| {
        if model.role != Role::Embeds || page.n_documents() == 0 {
            return None;
        }
        let is_english = page.fitting_model(Role::Embeds).zip(Catalogue::shipped().for_role(Role::Embeds).next());
        let (fitting, english) = is_english?;
        let is_other = fitting.id != english.id;
        is_other.then_some(if fitting.id == model.id { texts::FITS_BETTER } else { texts::FITS_WORSE })
    });
    let could_remake = Memo::new(move |_| {
        let state = vectors.get().filter(|_| is_kept.get())?;
        // Where no model is in use, the line above the list says it.
        let (made_with, _) = state.made_with.clone().zip(state.model.clone())?;
        (state.other.as_ref() == Some(&model.id)).then(|| texts::could_be_remade(&made_with, model, &state))
    });
    view! {
        {move || fit.get().map(|words| view! { <p class="model-fit" data-testid="model-fit">{words}</p> })}
        {move || {
            could_remake
                .get()
                .map(|words| {
                    view! {
                        <p>{words}</p>
                        <div class="model-actions">{remake(page, model.id.clone())}</div>
                    }
                })
        }}
    }
}

#[component]
fn ModelRow(model: &'static Model) -> impl IntoView {
    let page = Page::here();
    let models = page.models;
    let kept = Memo::new(move |_| {
        let kept = models.kept.with(|all| all.iter().find(|kept| kept.model == model.id).cloned());
        kept.map_or((0, false), |kept| (kept.kept_bytes, kept.is_whole))
    });
    let is_getting = Memo::new(move |_| models.getting.with(|g| g.as_ref().is_some_and(|g| g.model == model.id)));
    let is_other_getting = move || models.getting.with(Option::is_some);
    let progress = move || models.getting.with(|getting| getting.as_ref().and_then(|getting| getting.progress));
    // One embedding model is used at a time.
    let is_idle = move || {
        let used = models.vectors.with(|state| state.as_ref().and_then(|state| state.model.clone()));
        model.role == Role::Embeds && used.is_some_and(|used| used != model.id)
    };
    let state = move || match (is_getting.get(), kept.get()) {
        (true, _) => texts::model_progress(progress()),
        (false, (_, true)) if is_idle() => texts::MODEL_IDLE.to_owned(),
        (false, kept) => texts::model_state(kept, model),
    };
    let failure = move || {
        models
            .failure
            .with(|failure| failure.as_ref().filter(|(id, _)| *id == model.id).map(|(_, words)| words.clone()))
    };
    let input = NodeRef::<Input>::new();
    let take = move |_| {
        let Some(input) = input.get_untracked() else { return };
        page.take_model(&model.id, platform::picked(input.files()));
        // The same files can be chosen again.
        input.set_value("");
    };
    let choose = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    view! {
        <li class="model" id=model_row_id(model) data-testid="model" data-model=model.id.clone() data-whole=move || kept.get().1.to_string()>
            <p class="model-title">{model.title.clone()}</p>
            <p>{model.adds.clone()}</p>
            <p class="row-facts">{texts::model_facts(model)}</p>
            // Beginning and end are announced; the bytes in between would only chatter.
            <p class="model-state" data-testid="model-state" aria-live=move || if is_getting.get() { "off" } else { "polite" }>
                <Show when=move || kept.get().1 && !is_getting.get()>
                    <Icon glyph=Glyph::Check />
                </Show>
                {state}
            </p>
            <Show when=move || is_getting.get()>
                <progress
                    class="progress"
                    aria-label=texts::getting_model(&model.title)
                    max=move || progress().map_or(1, |(_, _, total)| total).to_string()
                    value=move || progress().map_or(0, |(_, done, _)| done).to_string()
                ></progress>
            </Show>
            <EmbedderNotes model=model is_kept=Memo::new(move |_| kept.get().1) />
            {move || {
                failure()
                    .map(|words| {
                        view! {
                            <p class="model-failure" role="alert" data-testid="model-failure">
                                <Icon glyph=Glyph::Alert />
                                {words}
                            </p>
                        }
                    })
            }}
            <input
                class="unseen"
                node_ref=input
                type="file"
                multiple
                tabindex="-1"
                aria-label=texts::model_from_file(&model.title)
                data-testid="model-input"
                on:change=take
            />
            <div class="model-actions">
                <Show when=move || is_getting.get()>
                    <button type="button" class="button" data-testid="model-stop" on:click=move |_| page.stop_model()>
                        {texts::STOP}
                    </button>
                </Show>
                <Show when=move || !is_getting.get() && !kept.get().1>
                    <button
                        type="button"
                        class="button"
                        data-testid="model-get"
                        title=texts::MODEL_GET_HINT
                        disabled=is_other_getting
                        on:click=move |_| page.get_model(&model.id)
                    >
                        <Icon glyph=Glyph::Download />
                        {move || if kept.get().0 > 0 { texts::MODEL_GO_ON } else { texts::MODEL_GET }}
                    </button>
                    <button
                        type="button"
                        class="button"
                        data-testid="model-choose"
                        disabled=is_other_getting
                        on:click=choose
                    >
                        <Icon glyph=Glyph::File />
                        {texts::MODEL_FROM_FILE}
                    </button>
                </Show>
                <Show when=move || { !is_getting.get() && kept.get().0 > 0 }>
                    <button
                        type="button"
                        class="button button-quiet"
                        data-testid="model-remove"
                        aria-label=texts::remove_model(&model.title)
                        on:click=move |_| page.remove_model(&model.id)
                    >
                        <Icon glyph=Glyph::Bin />
                        {texts::MODEL_REMOVE}
                    </button>
                </Show>
            </div>
        </li>
    }
}
