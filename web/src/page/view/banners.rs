//! What the user must know, above everything else and only while it is so.

use super::{
    clearing::ClearLibrary,
    icon::{Glyph, Icon},
};
use crate::page::{
    platform,
    state::{Engine, Page},
    texts,
};
use leptos::prelude::*;

/// Every banner, the gravest first.
#[component]
pub(crate) fn Banners() -> impl IntoView {
    let page = Page::here();
    let machine = page.machine;
    let refusal = move || match machine.engine.get() {
        Engine::Refused(reason) => Some(reason),
        _ => None,
    };
    let is_memory_only = Memo::new(move |_| machine.storage.with(|s| s.as_ref().is_some_and(|s| s.memory_only)));
    let is_nearly_full = Memo::new(move |_| machine.storage.with(|s| s.as_ref().is_some_and(texts::is_nearly_full)));
    view! {
        <div class="banners">
            {move || {
                refusal()
                    .map(|reason| {
                        view! {
                            <div class="banner banner-grave" role="alert" data-testid="engine-banner">
                                <Icon glyph=Glyph::Stop />
                                <p>{reason}</p>
                                <button type="button" class="button" on:click=|_| platform::reload()>
                                    {texts::RELOAD}
                                </button>
                                <Show when=move || machine.is_library_damaged.get()>
                                    <ClearLibrary />
                                </Show>
                            </div>
                        }
                    })
            }}
            {move || {
                machine
                    .notice
                    .get()
                    .map(|notice| {
                        view! {
                            <div class="banner banner-grave" role="alert" data-testid="notice-banner">
                                <Icon glyph=Glyph::Alert />
                                <p>{notice}</p>
                                <button
                                    type="button"
                                    class="button button-quiet button-icon"
                                    aria-label=texts::DISMISS
                                    on:click=move |_| machine.notice.set(None)
                                >
                                    <Icon glyph=Glyph::Close />
                                </button>
                            </div>
                        }
                    })
            }}
            {move || {
                machine
                    .renewing
                    .get()
                    .map(|(done, total)| {
                        view! {
                            <div class="banner" role="status" data-testid="renewing-banner">
                                <Icon glyph=Glyph::Refresh />
                                <p>{texts::renewing(done, total)}</p>
                            </div>
                        }
                    })
            }}
            <Show when=move || is_memory_only.get()>
                <div class="banner" role="status" data-testid="memory-banner">
                    <Icon glyph=Glyph::Alert />
                    <p>{texts::MEMORY_ONLY}</p>
                </div>
            </Show>
            <Show when=move || is_nearly_full.get()>
                <div class="banner" role="status" data-testid="full-banner">
                    <Icon glyph=Glyph::Alert />
                    <p>{texts::NEARLY_FULL}</p>
                </div>
            </Show>
            <Show when=move || !machine.is_writer.get()>
                <div class="banner" role="status" data-testid="writer-banner">
                    <Icon glyph=Glyph::Info />
                    <p>{texts::WRITER_ELSEWHERE}</p>
                </div>
            </Show>
            <Show when=move || machine.is_update_waiting.get()>
                <div class="banner" role="status" data-testid="update-banner">
                    <Icon glyph=Glyph::Refresh />
                    <p>{texts::UPDATE_READY}</p>
                    <button
                        type="button"
                        class="button"
                        data-testid="update-now"
                        on:click=|_| platform::use_update()
                    >
                        {texts::UPDATE_NOW}
                    </button>
                    <button
                        type="button"
                        class="button button-quiet"
                        on:click=move |_| machine.is_update_waiting.set(false)
                    >
                        {texts::LATER}
                    </button>
                </div>
            </Show>
        </div>
    }
}
