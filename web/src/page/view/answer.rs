//! The answer: what is said, each sentence with its sources, how it came about and how sure it is.

use super::{
    icon::Icon,
    passage::place_of,
    pieces::{grade_class, grade_glyph},
};
use crate::page::{
    logic::{labels, numbers::duration, rows},
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::{
    document::WarningGrade,
    protocol::{Answer, AnswerKind, Citation, Computation, Confidence, Role, StageTime, Statement},
};
use std::sync::Arc;

/// So many sources stand there at once: a number may rest on the rows of a whole library.
const MAX_MARKS: usize = 8;

/// The answer to the question of the passages on show; nothing while there is none.
#[component]
pub(crate) fn AnswerCard() -> impl IntoView {
    let page = Page::here();
    let answer = Memo::new(move |_| {
        let query = page.asking.found.with(|found| found.as_ref().map(|found| found.query.clone()))?;
        page.asking.answer.get().filter(|answer| answer.question == query)
    });
    move || answer.get().map(|answer| card(&answer))
}

fn card(answer: &Arc<Answer>) -> impl IntoView + use<> {
    let kind = answer.kind;
    let is_said = !answer.statements.is_empty();
    let head = view! {
        <header class="answer-head">
            <span class=format!("answer-kind answer-{}", texts::answer_kind_id(kind))>{texts::answer_kind(kind)}</span>
            {is_said.then(|| view! { <span class="answer-sure">{texts::sure(answer.confidence.level)}</span> })}
        </header>
    };
    let missing = match kind {
        AnswerKind::NotFound => Some(texts::not_said(answer)),
        AnswerKind::Failed => answer.failure.as_ref().map(|failure| failure.error.clone()),
        _ => None,
    };
    let nearest = (kind == AnswerKind::NotFound && !answer.evidence.is_empty()).then_some(texts::NEAREST);
    let asked = answer.asked.iter().filter(|part| part.is_resolved || answer.asked.len() > 1);
    let asked: Vec<String> = asked.map(|part| format!("“{}”", part.text)).collect();
    let asked = (!asked.is_empty()).then(|| format!("{} {}", texts::ASKED_AS, asked.join(texts::LIST_SEPARATOR)));
    let notices = answer.notices.iter().map(|notice| view! { <p class="hint">{notice.clone()}</p> }).collect_view();
    view! {
        <section
            class="answer"
            aria-label=texts::ANSWER
            aria-live="polite"
            data-testid="answer"
            data-kind=texts::answer_kind_id(kind)
            data-query=answer.question.clone()
        >
            {head}
            {asked.map(|asked| view! { <p class="hint">{asked}</p> })}
            {missing.map(|missing| view! { <p class="answer-text">{missing} " " {nearest}</p> })}
            {said(answer)}
            {notices}
            {computed(&answer.computations)}
            {sources(&answer.citations)}
            {is_said.then(|| how_sure(&answer.confidence, &answer.stages))}
        </section>
    }
}

/// The statements; what belongs into one list stands in one.
fn said(answer: &Arc<Answer>) -> impl IntoView + use<> {
    let runs = answer.statements.chunk_by(|a, b| a.role == b.role && a.part == b.part);
    let run = |run: &[Statement]| {
        let role = run.first().map_or(Role::Sentence, |first| first.role);
        match role {
            Role::Step => view! { <ol class="answer-steps">{items(answer, run)}</ol> }.into_any(),
            Role::Item => view! { <ul class="answer-items">{items(answer, run)}</ul> }.into_any(),
            Role::Warning => run.iter().map(|statement| warning(answer, statement)).collect_view().into_any(),
            Role::Row => run.iter().map(|statement| row(answer, statement)).collect_view().into_any(),
            Role::Computed => run
                .iter()
                .map(|statement| {
                    view! { <p class="answer-computed" data-testid="statement">{sentence(answer, statement)}</p> }
                })
                .collect_view()
                .into_any(),
            Role::Sentence => run
                .iter()
                .map(|statement| {
                    view! { <p class="answer-text" data-testid="statement">{sentence(answer, statement)}</p> }
                })
                .collect_view()
                .into_any(),
        }
    };
    runs.map(run).collect_view()
}

fn items(answer: &Arc<Answer>, run: &[Statement]) -> impl IntoView + use<> {
    let item = |statement: &Statement| view! { <li data-testid="statement">{sentence(answer, statement)}</li> };
    run.iter().map(item).collect_view()
}

fn warning(answer: &Arc<Answer>, statement: &Statement) -> impl IntoView + use<> {
    let (grade, at) = labels::leading_grade(&statement.text).unwrap_or((WarningGrade::Warning, 0));
    let words = statement.text.get(at..).unwrap_or_default().to_owned();
    view! {
        <div class=format!("callout {}", grade_class(grade)) data-testid="statement">
            <p class="callout-word">
                <Icon glyph=grade_glyph(grade) />
                {texts::grade(grade)}
            </p>
            <p>{words} " " {marks(answer, statement)}</p>
        </div>
    }
}

/// A row as what its columns are called and hold.
fn row(answer: &Arc<Answer>, statement: &Statement) -> AnyView {
    let Some(pairs) = rows::pairs(&statement.text) else {
        return view! { <p class="answer-text" data-testid="statement">{sentence(answer, statement)}</p> }.into_any();
    };
    let text = |range: std::ops::Range<usize>| statement.text.get(range).unwrap_or_default().to_owned();
    let pair = |(name, value)| view! { <div><dt>{text(name)}</dt><dd>{text(value)}</dd></div> };
    view! {
        <div data-testid="statement">
            <dl class="facts facts-row">{pairs.into_iter().map(pair).collect_view()}</dl>
            <p class="answer-marks">{marks(answer, statement)}</p>
        </div>
    }
    .into_any()
}

fn sentence(answer: &Arc<Answer>, statement: &Statement) -> impl IntoView + use<> {
    let note = texts::support(statement.support).map(|note| view! { <span class="chip">{note}</span> });
    view! { {statement.text.clone()} " " {marks(answer, statement)} {note} }
}

/// The numbers of a statement's sources, each of which opens there.
fn marks(answer: &Arc<Answer>, statement: &Statement) -> impl IntoView + use<> {
    let cited = statement.citations.iter().filter_map(|number| answer.citation(*number)).take(MAX_MARKS);
    let marks = cited.map(|citation| mark(citation, citation.number.to_string(), "citation-mark", "citation"));
    let n_more = statement.citations.len().saturating_sub(MAX_MARKS);
    view! {
        {marks.collect_view()}
        {(n_more > 0).then(|| view! { " " <span class="chip">{texts::more_sources(n_more)}</span> })}
    }
}

/// A button that opens a source at its place.
fn mark(citation: &Citation, words: String, class: &'static str, testid: &'static str) -> impl IntoView + use<> {
    let page = Page::here();
    let place = place_of(&citation.chunk.document, citation.node, citation.end_node);
    let name = texts::open_source(citation);
    view! {
        <button
            type="button"
            class=class
            data-testid=testid
            data-number=citation.number.to_string()
            title=name.clone()
            aria-label=name
            on:click=move |_| page.open_document(place.clone())
        >
            {words}
        </button>
    }
}

fn computed(computations: &[Computation]) -> impl IntoView + use<> {
    let fact = |name: &'static str, value: String| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    let facts = computations.iter().map(|computation| {
        view! {
            <dl class="facts answer-computation" data-testid="computation">
                {fact(texts::FORMULA, computation.formula.clone())}
                {fact(texts::COVERAGE, texts::coverage(computation))}
            </dl>
        }
    });
    facts.collect_view()
}

fn sources(citations: &[Citation]) -> impl IntoView + use<> {
    // Several statements may rest on the same place: it is one source with several numbers.
    let place = |citation: &Citation| (texts::source(citation), texts::places_of(citation.page, None, &citation.place));
    let runs = citations.chunk_by(|a, b| a.chunk.document == b.chunk.document && place(a) == place(b));
    let source = |run: &[Citation]| {
        let first = run.first()?;
        let (name, places) = place(first);
        let numbers: Vec<String> = run.iter().map(|citation| citation.number.to_string()).collect();
        Some(view! {
            <li>
                <span class="citation-number">{numbers.join(texts::LIST_SEPARATOR)}</span>
                {mark(first, name, "citation-source", "source")}
                <span class="passage-page">{places.join(texts::LIST_SEPARATOR)}</span>
            </li>
        })
    };
    let mut sources: Vec<_> = runs.filter_map(source).collect();
    let more = sources.split_off(sources.len().min(MAX_MARKS));
    let n_more = more.len();
    let is_there = !sources.is_empty();
    let more = (n_more > 0).then(|| {
        view! {
            <details class="why">
                <summary>{texts::more_sources(n_more)}</summary>
                <ul class="answer-sources">{more}</ul>
            </details>
        }
    });
    is_there.then(|| view! { <ul class="answer-sources" aria-label=texts::SOURCES>{sources}</ul> {more} })
}

fn how_sure(confidence: &Confidence, stages: &[StageTime]) -> impl IntoView + use<> {
    let reasons = confidence.reasons.iter().map(|reason| view! { <li>{reason.clone()}</li> }).collect_view();
    let signals = texts::signals(&confidence.signals).map(|(name, signal)| {
        view! { <div><dt>{name}</dt><dd>{format!("{signal:.2}")}</dd></div> }
    });
    let stages = stages.iter().map(|time| {
        view! { <div><dt>{texts::step_name(time.stage)}</dt><dd>{duration(time.micros)}</dd></div> }
    });
    view! {
        <details class="why" data-testid="how-sure">
            <summary>{texts::HOW_SURE}</summary>
            <ul>{reasons}</ul>
            <dl class="facts">{signals.into_iter().collect_view()} {stages.collect_view()}</dl>
        </details>
    }
}
