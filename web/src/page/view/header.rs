//! The bar at the top: the name, how the engine is, and the appearance.

use super::icon::{Glyph, Icon};
use crate::page::{
    platform::{self, Theme},
    state::{Engine, Page},
    texts,
};
use leptos::{ev::MouseEvent, prelude::*};

/// The bar at the top.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let page = Page::here();
    // A load of the page would stop what is being added; to begin anew needs none. Another tab is the browser's matter.
    let begin_anew = move |event: MouseEvent| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            page.close_document();
            page.type_question(String::new());
            platform::focus(platform::QUESTION_ID);
        }
    };
    view! {
        <header class="bar">
            <a class="brand" href="/" aria-label=texts::HOME on:click=begin_anew>
                <svg class="brand-mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                    <path d="M3 19V6l4.500 6L12 6l4.500 6L21 6v13" />
                </svg>
                <span>{texts::PRODUCT}</span>
            </a>
            <Status />
            <ThemeButton />
        </header>
    }
}

/// How the engine and the network are, in a word, and only where there is something to say.
#[component]
fn Status() -> impl IntoView {
    let page = Page::here();
    let word = move || match page.machine.engine.get() {
        Engine::Starting => Some(texts::ENGINE_STARTING),
        Engine::Restarting => Some(texts::ENGINE_RESTARTING),
        Engine::Refused(_) => Some(texts::ENGINE_STOPPED),
        Engine::Ready => None,
    };
    let is_busy = move || page.machine.engine.with(|engine| matches!(engine, Engine::Starting | Engine::Restarting));
    view! {
        <div class="status" role="status" data-testid="engine-state">
            {move || {
                page.machine
                    .is_offline
                    .get()
                    .then(|| {
                        view! {
                            <span class="status-word" data-testid="offline">
                                <Icon glyph=Glyph::Offline />
                                {texts::OFFLINE}
                            </span>
                        }
                    })
            }}
            {move || word().map(|word| view! { <span class="status-word" class:status-busy=is_busy>{word}</span> })}
        </div>
    }
}

/// Switches between light and dark.
#[component]
fn ThemeButton() -> impl IntoView {
    let theme = RwSignal::new(platform::theme());
    let is_dark = move || platform::is_dark(theme.get());
    let switch = move |_| {
        let next = if platform::is_dark(theme.get_untracked()) { Theme::Light } else { Theme::Dark };
        // The system's own choice needs no keeping: the page then follows the system again.
        let is_systems = platform::is_dark(Theme::System) == platform::is_dark(next);
        let next = if is_systems { Theme::System } else { next };
        platform::set_theme(next);
        theme.set(next);
    };
    view! {
        <button
            type="button"
            class="button button-quiet button-icon"
            data-testid="theme"
            aria-label=move || if is_dark() { texts::TO_LIGHT } else { texts::TO_DARK }
            title=move || if is_dark() { texts::TO_LIGHT } else { texts::TO_DARK }
            on:click=switch
        >
            {move || view! { <Icon glyph=if is_dark() { Glyph::Light } else { Glyph::Dark } /> }}
        </button>
    }
}
