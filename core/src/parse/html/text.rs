//! The text of an element, as a reader would see it.

use super::{
    dom::{Data, Dom, DomId, Visitor},
    table,
};
use crate::text::collapse_whitespace;
use std::convert::Infallible;

/// Elements that are never shown, or whose content is no text of the document.
const NEVER: [&str; 26] = [
    "annotation",
    "annotation-xml",
    "area",
    "audio",
    "base",
    "button",
    "canvas",
    "datalist",
    "embed",
    "head",
    "iframe",
    "link",
    "map",
    "meta",
    "noembed",
    "noframes",
    "noscript",
    "param",
    "rp",
    "script",
    "select",
    "source",
    "style",
    "svg",
    "template",
    "video",
];

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 40] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "legend",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tr",
    "ul",
];

/// Whether an element stands on lines of its own.
pub(super) fn is_block(name: &str) -> bool {
    BLOCKS.binary_search(&name).is_ok()
}

/// Whether nothing of an element is shown.
pub(super) fn is_hidden(dom: &Dom, id: DomId) -> bool {
    if NEVER.binary_search(&dom.name(id)).is_ok() {
        return true;
    }
    let Data::Element { attributes, .. } = dom.data(id) else { return false };
    attributes.iter().any(|(name, value)| match &**name {
        "hidden" => !value.eq_ignore_ascii_case("until-found"),
        "aria-hidden" => value.eq_ignore_ascii_case("true"),
        "style" => {
            let style: String = value.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
            style.contains("display:none") || style.contains("visibility:hidden")
        }
        _ => false,
    })
}

/// The text of a subtree: blanks collapsed, one line a block, cells of nested tables apart by a bar, alternative texts
/// in the place of pictures.
pub(super) fn of(dom: &Dom, id: DomId) -> String {
    let mut reader = TextReader { dom, root: id, text: String::new(), nested: None, inside: None };
    // The reader never stops the walk.
    let Ok(()) = dom.walk::<Infallible>(id, &mut reader);
    normalise(&reader.text)
}

/// The same of a table's cell, and the outermost tables that stand in it.
pub(super) fn of_cell(dom: &Dom, id: DomId) -> (String, Vec<DomId>) {
    let mut reader = TextReader { dom, root: id, text: String::new(), nested: Some(Vec::new()), inside: None };
    let Ok(()) = dom.walk::<Infallible>(id, &mut reader);
    (normalise(&reader.text), reader.nested.unwrap_or_default())
}

/// A heading's text without the mark at its end by which it links to itself, as Sphinx and others write it.
pub(super) fn without_mark<'t>(dom: &Dom, heading: DomId, text: &'t str) -> &'t str {
    const MARKS: [&str; 3] = ["¶", "#", "🔗"];
    let is_link = |mark: &str| dom.subtree(heading).any(|id| dom.name(id) == "a" && of(dom, id) == mark);
    let mark = MARKS.into_iter().find(|mark| text.ends_with(mark) && is_link(mark));
    mark.and_then(|mark| text.strip_suffix(mark)).map_or(text, str::trim_end)
}

/// The text of preformatted content, every blank kept.
pub(super) fn preformatted(dom: &Dom, id: DomId) -> String {
    let mut text = String::new();
    for id in dom.subtree(id) {
        match dom.data(id) {
            Data::Text(part) => text.push_str(part),
            Data::Element { name, .. } if &**name == "br" => text.push('\n'),
            _ => {}
        }
    }
    // The parser has dropped the line end right after `<pre>`, as HTML wants it; the others are meant.
    text.trim_end_matches(['\n', '\r']).to_owned()
}

/// Collapses blanks in each line and leaves empty lines out.
pub(super) fn normalise(text: &str) -> String {
    let lines = text.split('\n').map(collapse_whitespace);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Adds a text node to inline text: its own line ends are blanks like others, and of several blanks one is kept. Those who
/// ask how a text begins or ends need not look through a megabyte of blanks.
pub(super) fn push_inline(text: &mut String, part: &str) {
    for character in part.chars() {
        match character {
            blank if blank.is_whitespace() => {
                if !text.is_empty() && !text.ends_with(' ') {
                    text.push(' ');
                }
            }
            other => text.push(other),
        }
    }
}

struct TextReader<'d> {
    dom: &'d Dom,
    root: DomId,
    text: String,
    /// The tables in it, where they are asked for.
    nested: Option<Vec<DomId>>,
    /// The one of them that is being read.
    inside: Option<DomId>,
}

impl TextReader<'_> {
    /// Notes a table of several rows that is more than an arrangement, unless it stands in one that is noted.
    fn note_table(&mut self, table: DomId) {
        if let Some(nested) = self.nested.as_mut().filter(|_| self.inside.is_none())
            && self.dom.subtree(table).filter(|id| self.dom.name(*id) == "tr").nth(1).is_some()
            && !table::is_layout(self.dom, table)
        {
            nested.push(table);
            self.inside = Some(table);
        }
    }

    fn begins_line(&self) -> bool {
        let text = self.text.trim_end_matches(' ');
        text.is_empty() || text.ends_with('\n')
    }
}

impl Visitor<Infallible> for TextReader<'_> {
    fn enter(&mut self, id: DomId) -> Result<bool, Infallible> {
        match self.dom.data(id) {
            Data::Text(part) => push_inline(&mut self.text, part),
            Data::Element { .. } if id != self.root && is_hidden(self.dom, id) => return Ok(false),
            Data::Element { name, .. } => match &**name {
                "br" => self.text.push('\n'),
                "img" => self.text.push_str(self.dom.attribute(id, "alt").unwrap_or_default()),
                "input" => self.text.push_str(&input(self.dom, id)),
                "td" | "th" if id != self.root && !self.begins_line() => self.text.push_str(" | "),
                name if is_block(name) => {
                    self.text.push('\n');
                    if name == "table" {
                        self.note_table(id);
                    }
                }
                _ => {}
            },
            Data::Other => {}
        }
        Ok(true)
    }

    fn leave(&mut self, id: DomId) -> Result<(), Infallible> {
        if self.inside == Some(id) {
            self.inside = None;
        }
        if is_block(self.dom.name(id)) {
            self.text.push('\n');
        }
        Ok(())
    }
}

/// What a filled form field shows.
pub(super) fn input(dom: &Dom, id: DomId) -> String {
    let value = dom.attribute(id, "value").unwrap_or_default();
    match dom.attribute(id, "type").unwrap_or("text").to_ascii_lowercase().as_str() {
        "text" | "number" | "date" | "time" | "datetime-local" | "month" | "week" | "email" | "tel" | "url" => {
            format!(" {value} ")
        }
        "checkbox" | "radio" => (if dom.attribute(id, "checked").is_some() { "[x] " } else { "[ ] " }).to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_are_sorted_for_the_search() {
        assert!(super::NEVER.is_sorted() && super::BLOCKS.is_sorted());
    }
}
