//! What the parser had to say about a document: by kind, with the pages linked and what to do now.

use super::icon::{Glyph, Icon};
use crate::page::{
    logic::remarks::{self, Group, Remark},
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::{document::DocumentId, parse::ParseWarning};

/// How many runs of pages a sentence links; the rest is counted.
const MAX_PAGE_RUNS: usize = 24;

/// The remarks on a document, folded up; nothing where there are none.
#[component]
pub(crate) fn Remarks(id: DocumentId, warnings: Vec<ParseWarning>, class: &'static str) -> impl IntoView {
    let groups = remarks::grouped(&warnings);
    let n_remarks: usize = groups.iter().map(|group| group.remarks.len()).sum();
    (n_remarks > 0).then(|| {
        let groups = groups.into_iter().map(|group| group_view(&id, group)).collect_view();
        view! {
            <details class=class data-testid="remarks">
                <summary>
                    <Icon glyph=Glyph::Info />
                    {texts::n_remarks(n_remarks as u64)}
                </summary>
                <dl class="remark-groups">{groups}</dl>
            </details>
        }
    })
}

fn group_view(id: &DocumentId, group: Group) -> impl IntoView + use<> {
    let remarks = group.remarks.into_iter().map(|remark| remark_view(id, remark)).collect_view();
    view! {
        <div>
            <dt>{texts::remark_kind(group.kind)}</dt>
            {remarks}
            <dd class="remark-advice">{texts::remark_advice(group.kind)}</dd>
        </div>
    }
}

fn remark_view(id: &DocumentId, remark: Remark) -> impl IntoView + use<> {
    let page = Page::here();
    let id = StoredValue::new(id.clone());
    let n_more = remark.pages.len().saturating_sub(MAX_PAGE_RUNS);
    let links = remark.pages.into_iter().take(MAX_PAGE_RUNS).enumerate().map(|(at, (first, last))| {
        view! {
            {(at > 0).then_some(texts::LIST_SEPARATOR)}
            <button
                type="button"
                class="link"
                data-testid="remark-page"
                on:click=move |_| page.open_page(id.get_value(), first)
            >
                {texts::page_run(first, last)}
            </button>
        }
    });
    view! {
        <dd data-testid="remark">
            {links.collect_view()} " " {(n_more > 0).then(|| format!("{} ", texts::and_more(n_more)))} {remark.message}
        </dd>
    }
}
