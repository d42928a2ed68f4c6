//! HTML: main content, tables with spans, never scripts or styles.
//!
//! Not for rendering: what is hidden is left out, navigation and running heads are kept as furniture.

mod classes;
mod dom;
mod list_number;
mod sink;
mod table;
mod text;
mod walk;

use super::{ParseError, ParseWarning, ParseWarningKind, kib, writer::Writer};
use crate::{
    document::{Document, DocumentId},
    host::{NoProgress, Progress},
    text::collapse_whitespace,
};
use dom::{Data, Dom, DomId};
use walk::Walker;

/// The names of `<meta>` that become metadata.
const META: [&str; 6] = ["author", "date", "description", "keywords", "subject", "version"];

/// Reads an HTML document. The title is the only `<h1>` if it is the first heading, which is then no section, otherwise
/// `<title>`.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    html: &str,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let dom = sink::parse(html, progress)?;
    let mut writer = Writer::new(id, name);
    let page_title = head(&mut writer, &dom);
    let heading = title_heading(&dom);
    let title = heading.map(|id| text::of(&dom, id).replace('\n', " "));
    if let Some(title) = title.or(page_title).filter(|title| !title.is_empty()) {
        writer.builder().title(&title);
    }
    Walker::new(&dom, &mut writer, progress).with_title(heading).with_main(main(&dom)).run(Dom::ROOT)?;
    let mut warn = |kind, message| warnings.push(ParseWarning { kind, page: None, message });
    if dom.flattened {
        let message =
            "Elements are nested hundreds of levels deep; the deepest were read as if they stood side by side.";
        warn(ParseWarningKind::Damaged, message.to_owned());
    }
    if dom.read_bytes.is_some() || writer.is_full() {
        let read = dom
            .read_bytes
            .map_or_else(String::new, |bytes| format!(" after {} of {} KiB", kib(bytes), kib(html.len())));
        warn(
            ParseWarningKind::Truncated,
            format!("The page is very long; the rest was left out{read}. Split it to have all of it."),
        );
    }
    Ok(writer.finish())
}

/// Reads a piece of HTML into a document of another format, where that document stands.
pub(super) fn fragment(writer: &mut Writer, html: &str) {
    // Neither parsing nor walking can fail but by being stopped.
    if let Ok(dom) = sink::parse(html, &mut NoProgress) {
        let _never_cancelled = Walker::new(&dom, writer, &mut NoProgress).run(Dom::ROOT);
    }
}

/// An attribute of the first element of a piece of HTML that has it.
pub(super) fn attribute(html: &str, name: &str) -> Option<String> {
    let dom = sink::parse(html, &mut NoProgress).ok()?;
    dom.subtree(Dom::ROOT).find_map(|id| dom.attribute(id, name)).map(str::to_owned)
}

/// Takes metadata from the head and returns `<title>`.
fn head(writer: &mut Writer, dom: &Dom) -> Option<String> {
    let mut title = None;
    for id in dom.subtree(Dom::ROOT) {
        match dom.name(id) {
            "html" => {
                if let Some(language) = dom.attribute(id, "lang").filter(|language| !language.trim().is_empty()) {
                    writer.builder().metadata("language", language.trim());
                }
            }
            "title" if title.is_none() => {
                let text: String = dom
                    .children(id)
                    .filter_map(|id| match dom.data(id) {
                        Data::Text(text) => Some(text.as_str()),
                        _ => None,
                    })
                    .collect();
                title = Some(collapse_whitespace(&text)).filter(|text| !text.is_empty());
            }
            "meta" => {
                let name = dom.attribute(id, "name").unwrap_or_default().to_lowercase();
                let content = collapse_whitespace(dom.attribute(id, "content").unwrap_or_default());
                if META.contains(&name.as_str()) && !content.is_empty() {
                    writer.builder().metadata(&name, &content);
                }
            }
            "body" => break,
            _ => {}
        }
    }
    if let Some(title) = &title {
        writer.builder().metadata("title", title);
    }
    title
}

/// The only first-level heading, if no other heading of the content stands before it.
fn title_heading(dom: &Dom) -> Option<DomId> {
    let is_shown = |id: &DomId| {
        let above = std::iter::successors(Some(*id), |id| dom.parent(*id));
        above.into_iter().all(|id| !text::is_hidden(dom, id) && !matches!(dom.name(id), "nav" | "footer" | "aside"))
    };
    let mut headings = dom
        .subtree(Dom::ROOT)
        .filter(|id| matches!(dom.name(*id), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"))
        .filter(is_shown);
    let first = headings.next().filter(|id| dom.name(*id) == "h1")?;
    headings.all(|id| dom.name(id) != "h1").then_some(first)
}

/// `<main>`, if it holds a good part of the text: in some broken pages it holds nothing.
fn main(dom: &Dom) -> Option<DomId> {
    let main =
        dom.subtree(Dom::ROOT).find(|id| dom.name(*id) == "main" || dom.attribute(*id, "role") == Some("main"))?;
    let length = |root: DomId| -> usize {
        dom.subtree(root).map(|id| if let Data::Text(text) = dom.data(id) { text.trim().len() } else { 0 }).sum()
    };
    (length(main) * 4 >= length(Dom::ROOT)).then_some(main)
}
