//! The words of a passage in the form they had: tables as tables, code as code, warnings as warnings; marked.

use super::icon::Icon;
use super::pieces::{grade_class, grade_glyph};
use crate::page::{
    logic::{excerpt, labels, marks, rows},
    texts,
};
use leptos::prelude::*;
use millwright_core::{chunk::ChunkKind, document::WarningGrade, protocol::Passage};
use std::{ops::Range, sync::Arc};

/// How much of a long passage is shown at first, in bytes: about five lines.
const EXCERPT_BYTES: usize = 480;

/// How many rows of a long table are shown at first, its header included.
const EXCERPT_ROWS: usize = 6;

/// A passage's words.
#[component]
pub(crate) fn Evidence(passage: Arc<Passage>) -> impl IntoView {
    let is_whole = RwSignal::new(false);
    let is_cut = {
        let passage = Arc::clone(&passage);
        move || shown(&passage, false).is_cut
    };
    let is_cut = is_cut();
    let body = {
        let passage = Arc::clone(&passage);
        move || shown(&passage, is_whole.get()).body
    };
    view! {
        <div class="evidence">{body}</div>
        {is_cut
            .then(|| {
                view! {
                    <button
                        type="button"
                        class="button button-quiet button-small evidence-more"
                        aria-expanded=move || is_whole.get().to_string()
                        on:click=move |_| is_whole.update(|is_whole| *is_whole = !*is_whole)
                    >
                        {move || if is_whole.get() { texts::SHOW_LESS } else { texts::SHOW_WHOLE }}
                    </button>
                }
            })}
    }
}

struct Shown {
    body: AnyView,
    is_cut: bool,
}

fn shown(passage: &Passage, is_whole: bool) -> Shown {
    match passage.kind {
        ChunkKind::Row => match rows::pairs(&passage.text) {
            Some(pairs) => Shown { body: pairs_view(passage, pairs), is_cut: false },
            None => prose(passage, 0, is_whole),
        },
        ChunkKind::Table => match rows::grid(&passage.text) {
            Some(grid) => table(passage, grid, is_whole),
            None => prose(passage, 0, is_whole),
        },
        ChunkKind::Code => {
            let whole = marked(passage, 0..passage.text.len());
            Shown { body: view! { <pre class="code"><code>{whole}</code></pre> }.into_any(), is_cut: false }
        }
        ChunkKind::Warning => {
            let (grade, at) = labels::leading_grade(&passage.text).unwrap_or((WarningGrade::Warning, 0));
            let Shown { body, is_cut } = prose(passage, at, is_whole);
            let body = view! {
                <div class=format!("callout {}", grade_class(grade))>
                    <p class="callout-word">
                        <Icon glyph=grade_glyph(grade) />
                        {texts::grade(grade)}
                    </p>
                    {body}
                </div>
            };
            Shown { body: body.into_any(), is_cut }
        }
        ChunkKind::Text => prose(passage, 0, is_whole),
    }
}

fn prose(passage: &Passage, from: usize, is_whole: bool) -> Shown {
    let length = passage.text.len();
    let range = excerpt::excerpt(&passage.text, &passage.marks, EXCERPT_BYTES);
    let is_cut = range.len() < length;
    let range = if is_whole { from..length } else { range.start.max(from)..range.end };
    let (starts_late, ends_early) = (range.start > from, range.end < length);
    let body = view! {
        <p class="prose">
            {starts_late.then_some("… ")} {marked(passage, range)} {ends_early.then_some(" …")}
        </p>
    };
    Shown { body: body.into_any(), is_cut }
}

fn table(passage: &Passage, grid: rows::Grid, is_whole: bool) -> Shown {
    let range =
        |row: &Vec<Range<usize>>| row.first().map_or(0, |cell| cell.start)..row.last().map_or(0, |cell| cell.end);
    let score = |row: &Vec<Range<usize>>| excerpt::n_words_marked(&passage.text, &passage.marks, range(row));
    let scores: Vec<usize> = grid.rows.iter().map(score).collect();
    let best = scores.iter().skip(1).copied().max().unwrap_or(0);
    // Where every row answers something, only those that answer most stand out.
    let is_best = |row: usize| best > 0 && scores[row] == best;
    let on_show = excerpt::rows_on_show(&scores, EXCERPT_ROWS);
    let is_cut = on_show.len() < grid.rows.len();
    let on_show = if is_whole { (0..grid.rows.len()).collect() } else { on_show };
    let cells = |row: usize| grid.rows[row].iter().map(|cell| marked(passage, cell.clone()));
    let head = cells(0).map(|cell| view! { <th scope="col">{cell}</th> }).collect_view();
    let body = on_show.into_iter().skip(1).map(|row| {
        let cells = cells(row).map(|cell| view! { <td>{cell}</td> }).collect_view();
        view! { <tr class:row-marked=is_best(row)>{cells}</tr> }
    });
    let caption = grid.caption.clone().map(|caption| view! { <caption>{marked(passage, caption)}</caption> });
    let body = view! {
        <div class="table-frame" tabindex="0" role="group" aria-label=texts::KIND_TABLE>
            <table class="table">
                {caption} <thead>
                    <tr>{head}</tr>
                </thead> <tbody>{body.collect_view()}</tbody>
            </table>
        </div>
    };
    Shown { body: body.into_any(), is_cut }
}

fn pairs_view(passage: &Passage, pairs: Vec<(Range<usize>, Range<usize>)>) -> AnyView {
    let pair = |(name, value): (Range<usize>, Range<usize>)| {
        view! {
            <div>
                <dt>{marked(passage, name)}</dt>
                <dd>{marked(passage, value)}</dd>
            </div>
        }
    };
    view! { <dl class="facts facts-row">{pairs.into_iter().map(pair).collect_view()}</dl> }.into_any()
}

/// Text with what answers the question marked.
fn marked(passage: &Passage, range: Range<usize>) -> AnyView {
    marks::segments(&passage.text, range, &passage.marks)
        .into_iter()
        .map(
            |segment| {
                if segment.marked { view! { <mark>{segment.text}</mark> }.into_any() } else { segment.text.into_any() }
            },
        )
        .collect_view()
        .into_any()
}
