//! The buttons that add files: a file picker, a folder picker, the samples.

use super::{
    icon::{Glyph, Icon},
    sample,
};
use crate::page::{
    platform::{self, NamedFile},
    state::{Page, Pane},
    texts,
};
use leptos::{html::Input, prelude::*};
use millwright_core::parse::Format;

/// The buttons. Only one set carries the inputs that tests and scripts use: the one on show.
#[component]
pub(crate) fn AddButtons(#[prop(optional)] is_compact: bool) -> impl IntoView {
    let page = Page::here();
    let (files, folder) = (NodeRef::<Input>::new(), NodeRef::<Input>::new());
    Effect::new(move |_| {
        if let Some(folder) = folder.get() {
            folder.set_webkitdirectory(true);
        }
    });
    let take = move |input: NodeRef<Input>| {
        let Some(input) = input.get_untracked() else { return };
        page.add_files(platform::picked(input.files()));
        // The same files can be chosen again.
        input.set_value("");
    };
    let pick = |input: NodeRef<Input>| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let is_barred = move || page.obstacle().is_some();
    let reason = move || page.obstacle();
    view! {
        <div class="add" class:add-compact=is_compact title=reason>
            <input
                class="unseen"
                node_ref=files
                type="file"
                multiple
                accept=Format::ENDINGS.map(|ending| format!(".{ending}")).join(",")
                tabindex="-1"
                aria-label=texts::CHOOSE_FILES
                data-testid="file-input"
                on:change=move |_| take(files)
            />
            <input
                class="unseen"
                node_ref=folder
                type="file"
                multiple
                tabindex="-1"
                aria-label=texts::CHOOSE_FOLDER
                data-testid="folder-input"
                on:change=move |_| take(folder)
            />
            <button
                type="button"
                class="button"
                class:button-main=!is_compact
                data-testid="choose-files"
                disabled=is_barred
                on:click=move |_| pick(files)
            >
                <Icon glyph=Glyph::File />
                {if is_compact { texts::ADD_FILES } else { texts::CHOOSE_FILES }}
            </button>
            <button
                type="button"
                class="button"
                data-testid="choose-folder"
                disabled=is_barred
                on:click=move |_| pick(folder)
            >
                <Icon glyph=Glyph::Folder />
                {if is_compact { texts::ADD_FOLDER } else { texts::CHOOSE_FOLDER }}
            </button>
            {(!is_compact)
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="button button-quiet button-accent"
                            data-testid="sample-button"
                            disabled=is_barred
                            on:click=move |_| {
                                page.add_files(samples());
                                // What can be asked of them is the next step, also where only one pane has room.
                                page.pane.set(Pane::Answers);
                            }
                        >
                            {texts::TRY_SAMPLES}
                        </button>
                    }
                })}
        </div>
    }
}

fn samples() -> Vec<NamedFile> {
    let make = |sample: &sample::Sample| platform::made(sample.name, sample.text, sample.media_type);
    sample::SAMPLES.iter().filter_map(make).collect()
}
