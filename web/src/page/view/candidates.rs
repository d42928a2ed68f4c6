//! Why the passages stand where they stand: who was asked, and the table of all candidates, those that are not shown among
//! them. Made when it is unfolded.

use super::passage;
use crate::page::{state::Page, texts};
use leptos::prelude::*;
use millwright_core::{
    protocol::{Found, OtherPlace, Passage},
    retrieve::{Column, ExplainedRow, Fate},
};
use std::sync::Arc;

/// The line to unfold, and the table.
#[component]
pub(crate) fn WhyThese() -> impl IntoView {
    let page = Page::here();
    let asking = page.asking;
    let toggled = move |event: leptos::ev::Event| {
        use wasm_bindgen::JsCast as _;
        let details = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlElement>().ok());
        let is_open = details.is_some_and(|details| details.has_attribute("open"));
        // What was not selected is only looked up for who wants to see it.
        if asking.explains.get_untracked() != is_open {
            asking.explains.set(is_open);
            if is_open {
                page.ask_now();
            }
        }
    };
    let table = move || asking.explains.get().then(|| asking.found.get().map(|found| table(&found)));
    view! {
        <details class="why why-these" data-testid="why-these" on:toggle=toggled>
            <summary>{texts::WHY_THESE}</summary>
            {table}
        </details>
    }
}

fn table(found: &Found) -> AnyView {
    let passages = found.passages.iter().map(Passage::explained);
    let mut rows: Vec<ExplainedRow<'_>> = passages.chain(found.others.iter().map(|other| other.explained())).collect();
    rows.sort_by_key(|row| row.explanation.rank);
    let heads = Column::ALL.map(|column| {
        view! { <th scope="col" class:figures=column.is_numeric()>{column.title()}</th> }
    });
    let rows = rows.iter().map(row).collect_view();
    let route = texts::route(found.routing.route);
    view! {
        <p data-testid="route" data-route=route>
            <strong>{route}</strong>
            " – "
            {found.routing.reason.clone()}
        </p>
        <div class="table-frame candidates" tabindex="0" role="region" aria-label=texts::CANDIDATES data-testid="candidates">
            <table class="table">
                <caption>{texts::CANDIDATES_CAPTION}</caption>
                <thead>
                    <tr>{heads.into_iter().collect_view()}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(row: &ExplainedRow<'_>) -> impl IntoView + use<> {
    let is_selected = row.explanation.fate == Fate::Selected;
    let rank = row.cell(Column::Rank).unwrap_or_default();
    let cells = Column::ALL[1..].iter().map(|column| {
        let cell = match row.cell(*column) {
            Some(cell) => cell.into_any(),
            None => view! {
                <span class="nothing" aria-hidden="true">"–"</span>
                <span class="unseen">{texts::NOT_APPLICABLE}</span>
            }
            .into_any(),
        };
        view! { <td class:figures=column.is_numeric()>{cell}</td> }
    });
    view! {
        <tr class:candidate-left=!is_selected>
            <th scope="row" class="figures">{rank}</th>
            {cells.collect_view()}
        </tr>
    }
}

/// Where else the same is said, on demand; each place opens.
#[component]
pub(crate) fn AlsoIn(passage: Arc<Passage>) -> impl IntoView {
    if passage.also.is_empty() {
        return None;
    }
    let page = Page::here();
    let place = |also: &OtherPlace| {
        let to = passage::place_of(&also.chunk.document, also.node, also.end_node);
        view! {
            <li>
                <button type="button" class="button button-quiet button-small" on:click=move |_| page.open_document(to.clone())>
                    {texts::other_place(also)}
                </button>
            </li>
        }
    };
    Some(view! {
        <details class="why" data-testid="also-in">
            <summary>{texts::also_in(passage.also.len())}</summary>
            <ul class="places">{passage.also.iter().map(place).collect_view()}</ul>
        </details>
    })
}
