//! The pieces of a document: headings, paragraphs, lists, tables, warnings, code, as the source had them.

use super::icon::{Glyph, Icon};
use crate::page::{
    logic::{
        flow::{Content, Piece, Tree},
        labels, marks,
    },
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::document::{Node, NodeId, NodeKind, WarningGrade};

/// A piece, with the page that begins with it.
#[component]
pub(crate) fn PieceView(piece: Piece) -> impl IntoView {
    let Piece { first, last, page, content } = piece;
    let body = match content {
        Content::Heading { level, node } => heading(level, &node),
        Content::Block(tree) => block(&tree),
        Content::Rows(trees) => table("", &trees),
        Content::Items(trees) => list(false, &trees),
        Content::Pairs(trees) => pairs(&trees),
    };
    let is_target = pointed_at(first, last);
    view! {
        {page
            .map(|page| {
                view! {
                    <div class="page-break" role="separator" aria-label=texts::page_number(page)>
                        <span aria-hidden="true">{texts::page_number(page)}</span>
                    </div>
                }
            })}
        <div
            class="piece"
            class:is-target=move || is_target.get()
            data-testid=move || is_target.get().then_some("viewer-target")
            data-node=first.0.to_string()
        >
            {body}
        </div>
    }
}

/// Whether all of `first..=last` is pointed at.
fn pointed_at(first: NodeId, last: NodeId) -> Memo<bool> {
    let page = Page::here();
    Memo::new(move |_| {
        let is_within =
            |node| page.reading.place.with(|place| place.as_ref().is_some_and(|place| place.points_at(node)));
        is_within(first) && is_within(last)
    })
}

/// A node's text from byte `from` on; where it is pointed at, the words that answer the question are marked.
fn words(node: &Node, from: usize) -> AnyView {
    let (page, id, text) = (Page::here(), node.id, node.text[from..].to_owned());
    let found = {
        let text = text.clone();
        Memo::new(move |_| {
            let is_pointed_at =
                page.reading.place.with(|place| place.as_ref().is_some_and(|place| place.points_at(id)));
            if is_pointed_at { page.reading.words.with(|words| marks::occurrences(&text, words)) } else { Vec::new() }
        })
    };
    let segment = |segment: marks::Segment| {
        if segment.marked { view! { <mark>{segment.text}</mark> }.into_any() } else { segment.text.into_any() }
    };
    (move || found.with(|found| marks::segments(&text, 0..text.len(), found)).into_iter().map(segment).collect_view())
        .into_any()
}

fn heading(level: u8, node: &Node) -> AnyView {
    let text = words(node, 0);
    // The document's title is the page's h2; what is deeper than h6 looks like h6.
    match level {
        0 | 1 => view! { <h3 class="doc-h1">{text}</h3> }.into_any(),
        2 => view! { <h4 class="doc-h2">{text}</h4> }.into_any(),
        3 => view! { <h5 class="doc-h3">{text}</h5> }.into_any(),
        _ => view! { <h6 class="doc-h4">{text}</h6> }.into_any(),
    }
}

fn blocks(trees: &[Tree]) -> AnyView {
    trees.iter().map(block).collect_view().into_any()
}

fn block(tree: &Tree) -> AnyView {
    let text = tree.node.text.clone();
    let children = || blocks(&tree.children);
    let paragraph = || (!text.is_empty()).then(|| view! { <p class="prose">{words(&tree.node, 0)}</p> });
    match &tree.node.kind {
        NodeKind::Section { level } => view! { {heading(*level, &tree.node)} {children()} }.into_any(),
        NodeKind::List { ordered } => list(*ordered, &tree.children),
        NodeKind::ListItem => list(false, std::slice::from_ref(tree)),
        NodeKind::Table => table(&text, &tree.children),
        NodeKind::Row { .. } => table("", std::slice::from_ref(tree)),
        NodeKind::Code { .. } => view! {
            <pre class="code" tabindex="0">
                <code>{words(&tree.node, 0)}</code>
            </pre>
        }
        .into_any(),
        NodeKind::Quote => view! { <blockquote class="quote">{paragraph()} {children()}</blockquote> }.into_any(),
        NodeKind::Warning(grade) => {
            let from = labels::leading_grade(&text).map_or(0, |(_, at)| at);
            view! {
                <div class=format!("callout {}", grade_class(*grade))>
                    <p class="callout-word">
                        <Icon glyph=grade_glyph(*grade) />
                        {texts::grade(*grade)}
                    </p>
                    {(from < text.len()).then(|| view! { <p class="prose">{words(&tree.node, from)}</p> })}
                    {children()}
                </div>
            }
            .into_any()
        }
        NodeKind::Note => view! {
            <div class="callout callout-note">
                <p class="callout-word">
                    <Icon glyph=Glyph::Info />
                    {texts::NOTE}
                </p>
                {paragraph()}
                {children()}
            </div>
        }
        .into_any(),
        NodeKind::Figure => view! {
            <div class="figure">
                <p class="figure-word">{texts::FIGURE}</p>
                {paragraph()}
                {children()}
            </div>
        }
        .into_any(),
        NodeKind::Caption => view! { <p class="caption">{words(&tree.node, 0)}</p> {children()} }.into_any(),
        NodeKind::Footnote => view! { <div class="footnote">{paragraph()} {children()}</div> }.into_any(),
        NodeKind::Furniture => view! { <div class="furniture">{paragraph()} {children()}</div> }.into_any(),
        NodeKind::KeyValue | NodeKind::FormField => pairs(std::slice::from_ref(tree)),
        NodeKind::Document | NodeKind::Paragraph | NodeKind::Cell { .. } | NodeKind::Formula | NodeKind::Comment => {
            view! { {paragraph()} {children()} }.into_any()
        }
    }
}

fn list(ordered: bool, items: &[Tree]) -> AnyView {
    let item = |tree: &Tree| {
        // The marker as printed is what other places of the document refer to.
        let (marker, text) = labels::split_marker(&tree.node.text);
        let from = tree.node.text.len() - text.len();
        let marker = if marker.is_empty() || !marker.chars().any(char::is_alphanumeric) { "•" } else { marker };
        let is_target = pointed_at(tree.node.id, tree.last());
        view! {
            <li
                class="item"
                class:is-target=move || is_target.get()
                data-testid=move || is_target.get().then_some("viewer-target")
                data-node=tree.node.id.0.to_string()
            >
                <span class="item-marker">{marker.to_owned()}</span>
                <div class="item-body">
                    {(!text.is_empty()).then(|| view! { <p class="prose">{words(&tree.node, from)}</p> })}
                    {blocks(&tree.children)}
                </div>
            </li>
        }
    };
    let items = items.iter().map(item).collect_view();
    // Safari forgets that a list without bullets is one, unless it is told.
    if ordered {
        view! { <ol class="list" role="list">{items}</ol> }.into_any()
    } else {
        view! { <ul class="list" role="list">{items}</ul> }.into_any()
    }
}

fn table(caption: &str, children: &[Tree]) -> AnyView {
    let (rows, others): (Vec<&Tree>, Vec<&Tree>) =
        children.iter().partition(|child| matches!(child.node.kind, NodeKind::Row { .. }));
    let n_header = rows.iter().take_while(|row| row.is_header_row()).count();
    let (head, body) = rows.split_at(n_header);
    let label = if caption.is_empty() { texts::KIND_TABLE.to_owned() } else { caption.to_owned() };
    let caption = (!caption.is_empty()).then(|| view! { <caption>{caption.to_owned()}</caption> });
    let head =
        (!head.is_empty()).then(|| view! { <thead>{head.iter().map(|tree| row(tree, true)).collect_view()}</thead> });
    view! {
        <div class="table-frame" tabindex="0" role="group" aria-label=label>
            <table class="table">
                {caption} {head} <tbody>{body.iter().map(|tree| row(tree, false)).collect_view()}</tbody>
            </table>
        </div>
        {others.into_iter().map(block).collect_view()}
    }
    .into_any()
}

fn row(tree: &Tree, is_header: bool) -> AnyView {
    let is_target = pointed_at(tree.node.id, tree.last());
    let cell = |cell: &Tree| {
        let (is_name, colspan, rowspan) = match cell.node.kind {
            NodeKind::Cell { header, colspan, rowspan } => (header, colspan, rowspan),
            _ => (false, 1, 1),
        };
        let colspan = (colspan > 1).then(|| colspan.to_string());
        let rowspan = (rowspan > 1).then(|| rowspan.to_string());
        let words = words(&cell.node, 0);
        let children = blocks(&cell.children);
        if is_header || is_name {
            let scope = if is_header { "col" } else { "row" };
            view! { <th scope=scope colspan=colspan rowspan=rowspan>{words} {children}</th> }.into_any()
        } else {
            view! { <td colspan=colspan rowspan=rowspan>{words} {children}</td> }.into_any()
        }
    };
    view! {
        <tr
            class:is-target=move || is_target.get()
            data-testid=move || is_target.get().then_some("viewer-target")
            data-node=tree.node.id.0.to_string()
        >
            {tree.children.iter().map(cell).collect_view()}
        </tr>
    }
    .into_any()
}

fn pairs(trees: &[Tree]) -> AnyView {
    let pair = |tree: &Tree| {
        let from = tree.node.text.find(": ").map_or(0, |at| at + 2);
        let name = tree.node.text[..from].trim_end_matches(": ");
        view! {
            <div>
                <dt>{name.to_owned()}</dt>
                <dd>{words(&tree.node, from)} {blocks(&tree.children)}</dd>
            </div>
        }
    };
    view! { <dl class="facts">{trees.iter().map(pair).collect_view()}</dl> }.into_any()
}

/// The class that gives a warning its colour.
pub(crate) fn grade_class(grade: WarningGrade) -> &'static str {
    match grade {
        WarningGrade::Danger => "callout-danger",
        WarningGrade::Warning => "callout-warning",
        WarningGrade::Caution => "callout-caution",
        WarningGrade::Notice => "callout-notice",
    }
}

/// A warning's pictogram: graver ones have a graver shape, so that colour is never all there is.
pub(crate) fn grade_glyph(grade: WarningGrade) -> Glyph {
    match grade {
        WarningGrade::Danger => Glyph::Stop,
        WarningGrade::Warning | WarningGrade::Caution => Glyph::Alert,
        WarningGrade::Notice => Glyph::Info,
    }
}
