//! What stands in a paragraph of OpenDocument: its text as shown, and what hangs on it.

use super::reader::Reader;
use crate::{
    parse::{
        flow::{
            Facts,
            words::{Format, Words},
        },
        markup::{Content, Element},
    },
    text::collapse_whitespace,
};

/// Blanks that one element stands for; more are a mistake or worse.
const MAX_BLANKS: usize = 200;
/// Insertions inside one another: every paragraph in them is told them all.
const MAX_INSERTING: usize = 8;

/// Something that hangs on a paragraph and is written after it.
#[derive(Debug)]
pub(super) enum Object<'e> {
    /// A picture with its alternative text.
    Figure(String),
    /// A box with text of its own.
    TextBox(&'e Element),
    /// A footnote and its mark.
    Footnote(&'e Element, String),
    /// A remark.
    Comment(&'e Element),
}

/// A paragraph's content.
#[derive(Debug, Default)]
pub(super) struct Inline<'e> {
    pub(super) words: Words,
    pub(super) facts: Facts,
    /// What hangs on the text from its beginning, and later.
    pub(super) before: Vec<Object<'e>>,
    pub(super) objects: Vec<Object<'e>>,
    /// Pages that begin before the text, and within it.
    pub(super) pages_before: u32,
    pub(super) pages_within: u32,
    /// The number that the program printed before it.
    pub(super) number: Option<String>,
}

/// What holds for a stretch of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch {
    pub(super) format: Format,
    /// White text is read on a dark ground there.
    pub(super) on_ground: bool,
}

impl Inline<'_> {
    fn push(&mut self, text: &str, stretch: &Stretch) {
        self.words.push(text, &stretch.format, stretch.on_ground);
    }
}

impl Reader<'_> {
    /// The content of a paragraph or of anything that holds text.
    pub(super) fn inline<'e>(&mut self, element: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        for content in &element.content {
            match content {
                Content::Text(text) => out.push(&single_blanks(text), stretch),
                Content::Element(child) => self.inline_element(child, stretch, out),
            }
        }
    }

    /// One element of a paragraph.
    pub(super) fn inline_element<'e>(&mut self, child: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        match &*child.name {
            "text:s" => {
                let n_blanks = child.attribute("text:c").and_then(|count| count.parse().ok()).unwrap_or(1);
                out.push(&" ".repeat(usize::min(n_blanks, MAX_BLANKS)), stretch);
            }
            "text:tab" => out.push("\t", stretch),
            "text:line-break" => out.push("\n", stretch),
            "text:span" => {
                let style = self.styles.get("text", child.attribute("text:style-name"));
                let stretch = Stretch { format: style.format.over(&stretch.format), ..stretch.clone() };
                self.inline(child, &stretch, out);
            }
            "text:a" => {
                out.facts.links.extend(child.attribute("xlink:href").map(str::to_owned));
                self.inline(child, stretch, out);
            }
            "text:note" => self.note_reference(child, stretch, out),
            "office:annotation" => out.objects.push(Object::Comment(child)),
            "text:bookmark" | "text:bookmark-start" | "text:reference-mark" | "text:reference-mark-start" => {
                out.facts.anchors.extend(child.attribute("text:name").map(str::to_owned));
            }
            "text:soft-page-break" if out.words.is_blank() => out.pages_before += 1,
            "text:soft-page-break" => out.pages_within += 1,
            "text:change" | "text:change-start" | "text:change-end" => self.change(child, out),
            "text:number" => out.number = Some(collapse_whitespace(&child.text())),
            "text:ruby" => {
                if let Some(base) = child.child("text:ruby-base") {
                    self.inline(base, stretch, out);
                }
            }
            "text:hidden-text" => {
                let text = child.attribute("text:string-value").map_or_else(|| child.text(), str::to_owned);
                out.push(
                    &text,
                    &Stretch { format: Format { hidden: Some(true), ..Format::default() }, ..stretch.clone() },
                );
            }
            "text:script" | "office:annotation-end" | "text:toc-mark" | "text:alphabetical-index-mark" => {}
            name if name.starts_with("draw:") => {
                let leads = out.words.is_blank();
                if let Some(equation) = equation_of(child).and_then(|object| self.equations.get(object)) {
                    out.words.formula(equation.clone());
                } else if leads {
                    drawing(child, &mut out.before);
                } else {
                    drawing(child, &mut out.objects);
                }
            }
            // Fields and marks of all kinds show their content.
            _ => self.inline(child, stretch, out),
        }
    }

    fn note_reference<'e>(&mut self, note: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        let mark = note.child("text:note-citation").map(|mark| collapse_whitespace(&mark.text())).unwrap_or_default();
        let Some(body) = note.child("text:note-body") else { return };
        if !mark.is_empty() {
            out.push(&format!("[{mark}]"), stretch);
        }
        if note.attribute("text:note-class") == Some("endnote") {
            self.endnotes.push((body.clone(), mark));
        } else {
            out.objects.push(Object::Footnote(body, mark));
        }
    }

    fn change(&mut self, mark: &Element, out: &mut Inline<'_>) {
        let Some(id) = mark.attribute("text:change-id") else { return };
        let Some(change) = self.changes.get(id) else { return };
        if &*mark.name == "text:change-end" {
            self.inserting.retain(|note| *note != change.note);
        } else if !change.deletion
            && &*mark.name == "text:change-start"
            && self.inserting.len() < MAX_INSERTING
            && !self.inserting.contains(&change.note)
        {
            self.inserting.push(change.note.clone());
        }
        if !out.facts.changes.contains(&change.note) {
            out.facts.changes.push(change.note.clone());
        }
    }
}

/// Blanks and line ends of the file are one blank, however many they are.
fn single_blanks(text: &str) -> String {
    let mut single = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' | '\n' | '\t' | '\r' if single.ends_with(' ') => {}
            ' ' | '\n' | '\t' | '\r' => single.push(' '),
            other => single.push(other),
        }
    }
    single
}

/// The object that shows an equation, if a frame holds one.
fn equation_of(frame: &Element) -> Option<&str> {
    frame.child("draw:object")?.attribute("xlink:href")
}

/// The objects in a block, by where they lead.
pub(super) fn objects<'e>(element: &'e Element, found: &mut Vec<&'e str>) {
    if &*element.name == "draw:object" {
        found.extend(element.attribute("xlink:href"));
    }
    element.children().for_each(|child| objects(child, found));
}

/// The boxes and pictures of a frame or drawing, boxes first.
pub(super) fn drawing<'e>(drawing: &'e Element, objects: &mut Vec<Object<'e>>) {
    let mut found = Found::default();
    found.search(drawing);
    objects.extend(found.boxes.into_iter().map(Object::TextBox));
    if found.is_picture || !found.described.is_empty() {
        objects.push(Object::Figure(found.described));
    }
}

/// What is found in a drawing.
#[derive(Default)]
struct Found<'e> {
    boxes: Vec<&'e Element>,
    is_picture: bool,
    described: String,
}

impl<'e> Found<'e> {
    fn search(&mut self, element: &'e Element) {
        match &*element.name {
            "draw:text-box" => return self.boxes.push(element),
            "draw:image" | "draw:object" | "draw:object-ole" | "draw:plugin" | "draw:line" | "draw:connector"
            | "draw:path" | "draw:polyline" | "draw:polygon" => self.is_picture = true,
            // A shape: with text it is a box.
            "draw:custom-shape" | "draw:rect" | "draw:ellipse" | "draw:circle" | "draw:caption" => {
                if element.child("text:p").is_some_and(|text| !text.text().trim().is_empty()) {
                    self.boxes.push(element);
                } else {
                    self.is_picture = true;
                }
            }
            "svg:title" | "svg:desc" => {
                let text = collapse_whitespace(&element.text());
                // The description says more than the title, or the same.
                if text.len() > self.described.len() {
                    self.described = text;
                }
                return;
            }
            _ => {}
        }
        element.children().for_each(|child| self.search(child));
    }
}

/// All paragraphs in an element.
pub(super) fn gather<'e>(element: &'e Element, paragraphs: &mut Vec<&'e Element>) {
    if matches!(&*element.name, "text:p" | "text:h") {
        paragraphs.push(element);
        return;
    }
    element.children().for_each(|child| gather(child, paragraphs));
}

/// A paragraph's text and nothing else.
pub(super) fn plain(paragraph: &Element) -> String {
    let mut text = String::new();
    for content in &paragraph.content {
        match content {
            Content::Text(part) => text.push_str(part),
            Content::Element(child) => match &*child.name {
                "text:s" | "text:tab" | "text:line-break" => text.push(' '),
                "office:annotation" | "text:note" => {}
                _ => text.push_str(&plain(child)),
            },
        }
    }
    text
}
