//! The question box.

use super::icon::{Glyph, Icon};
use crate::page::{
    platform::{self, PASSAGES, QUESTION_ID},
    state::Page,
    texts,
};
use leptos::{ev::KeyboardEvent, prelude::*};

/// The question box: always there, always first.
#[component]
pub(crate) fn AskBox() -> impl IntoView {
    let page = Page::here();
    let question = page.asking.question;
    let on_key = move |event: KeyboardEvent| match event.key().as_str() {
        "ArrowDown" if platform::focus_within(PASSAGES, 1) => event.prevent_default(),
        "Escape" if !question.with_untracked(String::is_empty) => {
            event.prevent_default();
            event.stop_propagation();
            page.type_question(String::new());
        }
        _ => {}
    };
    let clear = move |_| {
        page.type_question(String::new());
        platform::focus(QUESTION_ID);
    };
    // What was typed into the static shell had the focus; so has its successor.
    Effect::new(move |_| {
        request_animation_frame(|| {
            platform::focus(QUESTION_ID);
        });
    });
    view! {
        <form
            class="ask"
            role="search"
            on:submit=move |event| {
                event.prevent_default();
                page.ask_now();
            }
        >
            <h1 class="unseen">{texts::QUESTION_LABEL}</h1>
            <label class="unseen" for=QUESTION_ID>{texts::QUESTION_LABEL}</label>
            <div class="ask-box">
                <Icon glyph=Glyph::Search />
                <input
                    id=QUESTION_ID
                    class="ask-input"
                    data-testid="question"
                    type="search"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    enterkeyhint="search"
                    placeholder=texts::QUESTION_PLACEHOLDER
                    prop:value=move || question.get()
                    on:input=move |event| page.type_question(event_target_value(&event))
                    on:keydown=on_key
                />
                <Show
                    when=move || !question.with(String::is_empty)
                    fallback=|| view! { <kbd class="ask-key" aria-hidden="true">"/"</kbd> }
                >
                    <button
                        type="button"
                        class="button button-quiet button-icon"
                        data-testid="clear-question"
                        aria-label=texts::CLEAR_QUESTION
                        on:click=clear
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </Show>
            </div>
        </form>
    }
}
