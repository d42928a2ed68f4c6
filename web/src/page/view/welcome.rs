//! What stands where the answers will: for a newcomer how to begin, for others what can be asked.

use super::{
    add::AddButtons,
    icon::{Glyph, Icon},
    sample,
};
use crate::page::{state::Page, texts};
use leptos::prelude::*;

/// How to begin, or what to ask.
#[component]
pub(crate) fn Welcome() -> impl IntoView {
    let page = Page::here();
    let is_known = Memo::new(move |_| page.library.documents.with(Option::is_some));
    let is_empty = Memo::new(move |_| page.is_library_empty());
    view! {
        {move || match (is_known.get(), is_empty.get()) {
            (false, _) => ().into_any(),
            (true, true) => view! { <Beginning /> }.into_any(),
            (true, false) => view! { <Invitation /> }.into_any(),
        }}
    }
}

#[component]
fn Beginning() -> impl IntoView {
    let page = Page::here();
    view! {
        <section class="beginning" aria-labelledby="beginning-title" data-testid="empty-state">
            <h2 id="beginning-title" class="beginning-title">{texts::BEGINNING_TITLE}</h2>
            <p class="beginning-words">{texts::BEGINNING}</p>
            <div class="drop-area">
                <Icon glyph=Glyph::Upload />
                <p class="drop-words">{texts::DROP_HERE}</p>
                <AddButtons />
                <p class="drop-formats">{texts::FORMATS}</p>
                {move || page.obstacle().map(|reason| view! { <p class="hint">{reason}</p> })}
            </div>
            <p class="beginning-privacy">{texts::PRIVACY}</p>
        </section>
    }
}

#[component]
fn Invitation() -> impl IntoView {
    let page = Page::here();
    let has_samples = Memo::new(move |_| {
        page.library
            .documents
            .with(|documents| documents.iter().flatten().any(|document| sample::is_sample(&document.name)))
    });
    let example = move |question: &'static str| {
        view! {
            <button type="button" class="example" data-testid="example" on:click=move |_| page.ask(question)>
                <Icon glyph=Glyph::Search />
                {question}
            </button>
        }
    };
    view! {
        <section class="invitation" aria-labelledby="invitation-title">
            <h2 id="invitation-title" class="invitation-title">{texts::INVITATION_TITLE}</h2>
            <p class="invitation-words">{texts::INVITATION}</p>
            <Show when=move || has_samples.get()>
                <div class="examples" role="group" aria-label=texts::EXAMPLES>
                    {texts::EXAMPLE_QUESTIONS.map(example)}
                </div>
            </Show>
            <dl class="key-help">
                {texts::KEY_HELP
                    .map(|(key, what)| {
                        view! {
                            <div>
                                <dt>
                                    <kbd>{key}</kbd>
                                </dt>
                                <dd>{what}</dd>
                            </div>
                        }
                    })}
            </dl>
        </section>
    }
}
