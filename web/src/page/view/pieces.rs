//! The pieces of a document: headings, paragraphs, lists, tables, warnings, code, as the source had them.

use super::{
    icon::{Glyph, Icon},
    notices::notices,
};
use crate::page::{
    logic::{
        flow::{Content, Piece, Tree},
        labels, marks,
    },
    state::Page,
    texts,
};
use leptos::prelude::*;
use millwright_core::document::{Node, NodeId, NodeKind, WarningGrade, facts};

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
    let attachment = node.metadata.get(facts::ATTACHMENT);
    let attachment = attachment.map(|name| {
        view! {
            <p class="attachment" data-testid="attachment">
                <Icon glyph=Glyph::File />
                {texts::attachment(name)}
            </p>
        }
    });
    let text = view! {
        {notices_of(node)}
        {attachment}
        {bare_heading(level, text)}
    };
    text.into_any()
}

fn bare_heading(level: u8, text: AnyView) -> AnyView {
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
    // These say it themselves, where they stand.
    let is_telling = matches!(
        tree.node.kind,
        NodeKind::Section { .. } | NodeKind::ListItem | NodeKind::Row { .. } | NodeKind::KeyValue | NodeKind::FormField
    );
    let notices = (!is_telling).then(|| notices_of(&tree.node));
    view! {
        {notices}
        {bare_block(tree)}
    }
    .into_any()
}

/// What must be said of a node before it is read: that a person looking at the document does not see it, that it was read
/// from a picture and may be wrong, that it was changed.
fn notices_of(node: &Node) -> AnyView {
    /// From this confidence on a reading is hardly ever wrong.
    const SURE: f32 = 0.9;
    let fact = |key: &str| node.metadata.get(key).map(String::as_str);
    let is_unsure = |confidence: &&str| confidence.parse::<f32>().is_ok_and(|share| share < SURE);
    let unsure = fact(facts::CONFIDENCE).filter(is_unsure).and_then(texts::confidence);
    let changed = fact(facts::CHANGE).map(|change| format!("{}: {change}", texts::CHANGED));
    notices("node", fact(facts::HIDDEN), unsure.into_iter().chain(changed))
}

fn bare_block(tree: &Tree) -> AnyView {
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
        NodeKind::Formula => view! { <p class="formula">{words(&tree.node, 0)}</p> {children()} }.into_any(),
        NodeKind::Comment => view! {
            <aside class="callout callout-note" data-testid="comment">
                <p class="callout-word">
                    <Icon glyph=Glyph::Comment />
                    {texts::comment_by(tree.node.metadata.get("author").map(String::as_str))}
                </p>
                {paragraph()}
                {children()}
            </aside>
        }
        .into_any(),
        NodeKind::Document | NodeKind::Paragraph | NodeKind::Cell { .. } => {
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
                    {notices_of(&tree.node)}
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
    let unseen = unseen_parts(&rows);
    let caption = (!caption.is_empty()).then(|| view! { <caption>{caption.to_owned()}</caption> });
    let head =
        (!head.is_empty()).then(|| view! { <thead>{head.iter().map(|tree| row(tree, true)).collect_view()}</thead> });
    view! {
        {unseen}
        <div class="table-frame" tabindex="0" role="group" aria-label=label>
            <table class="table">
                {caption} {head} <tbody>{body.iter().map(|tree| row(tree, false)).collect_view()}</tbody>
            </table>
        </div>
        {others.into_iter().map(block).collect_view()}
    }
    .into_any()
}

/// Says above a table that some of its rows or cells are hidden in the document: there they are shown dimmed.
fn unseen_parts(rows: &[&Tree]) -> Option<impl IntoView + use<>> {
    let why = |node: &Node| node.metadata.get(facts::HIDDEN).cloned();
    let hidden =
        rows.iter().find_map(|row| why(&row.node).or_else(|| row.children.iter().find_map(|cell| why(&cell.node))));
    hidden.map(|_| {
        view! {
            <p class="notice notice-hidden" data-testid="node-hidden">
                <Icon glyph=Glyph::Hidden />
                {texts::HIDDEN_CELLS}
            </p>
        }
    })
}

/// What a pointer on a cell is told: its address, its formula, why nobody else sees it.
fn cell_title(node: &Node) -> Option<String> {
    let fact = |key: &str| node.metadata.get(key);
    let parts = [
        node.cells.map(|cells| cells.to_string()),
        fact(facts::FORMULA).map(|formula| format!("={}", formula.trim_start_matches('='))),
        fact(facts::HIDDEN).map(|why| texts::hidden(why)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(texts::FACT_SEPARATOR))
}

fn row(tree: &Tree, is_header: bool) -> AnyView {
    let is_target = pointed_at(tree.node.id, tree.last());
    let hidden = tree.node.metadata.get(facts::HIDDEN);
    let (is_hidden, title) = (hidden.is_some(), hidden.map(|why| texts::hidden(why)));
    let is_total = tree.node.metadata.contains_key(facts::TOTAL);
    let cell = |cell: &Tree| {
        let (is_name, colspan, rowspan) = match cell.node.kind {
            NodeKind::Cell { header, colspan, rowspan } => (header, colspan, rowspan),
            _ => (false, 1, 1),
        };
        let colspan = (colspan > 1).then(|| colspan.to_string());
        let rowspan = (rowspan > 1).then(|| rowspan.to_string());
        let is_hidden = cell.node.metadata.contains_key(facts::HIDDEN);
        let words = words(&cell.node, 0);
        let children = blocks(&cell.children);
        let title = cell_title(&cell.node);
        if is_header || is_name {
            let scope = if is_header { "col" } else { "row" };
            view! {
                <th scope=scope colspan=colspan rowspan=rowspan title=title class:unseen-cell=is_hidden>
                    {words}
                    {children}
                </th>
            }
            .into_any()
        } else {
            view! {
                <td colspan=colspan rowspan=rowspan title=title class:unseen-cell=is_hidden>
                    {words}
                    {children}
                </td>
            }
            .into_any()
        }
    };
    view! {
        <tr
            class:is-target=move || is_target.get()
            class:unseen-row=is_hidden
            class:total-row=is_total
            title=title
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
                <dd>{notices_of(&tree.node)} {words(&tree.node, from)} {blocks(&tree.children)}</dd>
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
