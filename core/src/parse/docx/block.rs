//! Paragraphs to blocks: headings, list items, captions, code, quotations, warnings and plain text.

use super::{
    inline::{Inline, Object, Stretch, note_change},
    numbering::Marker,
    reader::{Reader, Told},
    styles::{self, Style},
};
use crate::parse::{
    flow::{Facts, Place, lines, words::Words},
    html,
    markup::Element,
    style_name::Role,
};

/// A heading longer than this is a paragraph that was given a place in the outline.
const MAX_HEADING_BYTES: usize = 300;
/// Boxes and notes inside one another.
const MAX_BOXES: usize = 8;

impl Reader<'_> {
    /// Reads one block of the body, a cell, a box or a note.
    pub(super) fn block(&mut self, element: &Element) {
        if self.flow.writer.is_full() {
            return;
        }
        match &*element.name {
            "w:p" => self.paragraph(element),
            "w:tbl" => self.table(element),
            "w:sdt" => {
                if let Some(content) = element.child("w:sdtContent") {
                    self.blocks(content);
                }
            }
            "w:customXml" | "w:ins" | "w:moveTo" | "w:smartTag" => self.blocks(element),
            "mc:AlternateContent" => {
                if let Some(chosen) = super::drawing::chosen(element) {
                    self.blocks(chosen);
                }
            }
            "w:bookmarkStart" => self.anchors.extend(element.attribute("w:name").map(str::to_owned)),
            "w:altChunk" => self.inserted(element),
            "m:oMathPara" | "m:oMath" => {
                let formula = super::math::linear(element);
                if !formula.is_empty() {
                    self.flow.formulas(&[formula], &Facts::default());
                }
            }
            _ => {}
        }
    }

    pub(super) fn blocks(&mut self, element: &Element) {
        element.children().for_each(|child| self.block(child));
    }

    /// Another document that stands in this one.
    fn inserted(&mut self, element: &Element) {
        let parts = std::rc::Rc::clone(&self.parts);
        match element.attribute("r:id").and_then(|id| parts.inserted.get(id)) {
            Some(page) => {
                if self.tells(Told::Page, element.attribute("r:id").unwrap_or_default()) {
                    self.flow.begin_outside();
                    html::fragment(self.flow.writer, page);
                }
            }
            None => self.skipped_part = true,
        }
    }

    /// A paragraph's style, content and number.
    pub(super) fn resolve<'e>(&mut self, paragraph: &'e Element) -> Resolved<'e> {
        let parts = std::rc::Rc::clone(&self.parts);
        let properties = paragraph.child("w:pPr");
        let style_id = properties.and_then(|properties| properties.value("w:pStyle", "w:val"));
        let style = parts.styles.paragraph(style_id);
        let shaded = properties.and_then(|properties| properties.value("w:shd", "w:fill"));
        let stretch = Stretch {
            format: style.format.clone(),
            on_ground: self.flow.depth > 0 || shaded.is_some_and(|fill| fill != "auto"),
            ..Stretch::default()
        };
        let mut inline = Inline { words: Words::after(std::mem::take(&mut self.carried)), ..Inline::default() };
        inline.in_contents = self.in_contents();
        self.inline(paragraph, &stretch, &mut inline);
        self.close_instructions();
        inline.facts.anchors.splice(0..0, self.anchors.drain(..));
        let mark = properties.and_then(|properties| properties.child("w:rPr"));
        if let Some(change) = mark.and_then(|mark| mark.child("w:del")) {
            note_change(&mut inline, "deleted the end of the paragraph", change);
        }
        let marker = self.marker(properties, style, style_id);
        Resolved { role: role(properties, style), style: style_id.unwrap_or_default().to_owned(), marker, inline }
    }

    /// Counts the paragraph's number, if it has one.
    fn marker(
        &mut self,
        properties: Option<&Element>,
        style: &Style,
        style_id: Option<&str>,
    ) -> Option<(u32, usize, Marker)> {
        let own = properties.and_then(|properties| properties.child("w:numPr"));
        let value = |name: &str| own?.value(name, "w:val")?.parse::<u32>().ok();
        let number = value("w:numId").or(style.number).filter(|number| *number > 0)?;
        let of_style = || self.numbering.level_of_style(number, style_id?);
        let level = value("w:ilvl").map(|level| level as usize).or(style.level).or_else(of_style).unwrap_or(0);
        let mut marker = self.numbering.next(number, level)?;
        let own_indent = properties.and_then(styles::indent);
        marker.indent = own_indent.or(marker.indent).or(style.indent);
        Some((number, level, marker))
    }

    fn paragraph(&mut self, paragraph: &Element) {
        let resolved = self.resolve(paragraph);
        let properties = paragraph.child("w:pPr");
        let Resolved { role, style, marker, mut inline } = resolved;
        self.turn_pages(inline.pages_before);
        // The mark of a paragraph whose end was deleted: shown, it goes on in the next one.
        let mark = properties.and_then(|properties| properties.child("w:rPr"));
        if mark.is_some_and(|mark| mark.child("w:del").is_some() || mark.child("w:moveFrom").is_some()) {
            self.carried = std::mem::take(&mut inline.words.text);
            self.anchors.append(&mut inline.facts.anchors);
            return;
        }
        let (before, objects) = (std::mem::take(&mut inline.before), std::mem::take(&mut inline.objects));
        before.iter().for_each(|object| self.object(object));
        if inline.words.is_blank() {
            self.anchors.append(&mut inline.facts.anchors);
        } else {
            self.worded(properties, role, &style, marker, &inline);
        }
        inline.words.hidden.iter().for_each(|(why, text)| self.flow.hidden(why, text));
        objects.iter().for_each(|object| self.object(object));
        self.turn_pages(inline.pages_within);
    }

    /// Writes a paragraph that says something.
    fn worded(
        &mut self,
        properties: Option<&Element>,
        role: Option<Role>,
        style: &str,
        marker: Option<(u32, usize, Marker)>,
        inline: &Inline<'_>,
    ) {
        let text = lines(&inline.words.text);
        let counted = |text: &str| match &marker {
            Some((_, _, marker)) if !marker.text.is_empty() => format!("{} {text}", marker.text),
            _ => text.to_owned(),
        };
        if inline.in_contents || role == Some(Role::Contents) {
            self.flow.contents(&text);
            return;
        }
        let facts = &inline.facts;
        let lead = inline.words.lead();
        match role {
            Some(Role::Heading(level)) if text.len() <= MAX_HEADING_BYTES => {
                self.flow.heading(level, &counted(&text), facts);
            }
            Some(Role::Title) if self.flow.depth == 0 && marker.is_none() => self.flow.title(&text, facts),
            Some(Role::Caption) => self.flow.caption(&counted(&text), facts),
            _ if marker.is_none() && (role == Some(Role::Code) || inline.words.is_code()) => {
                self.flow.code(&inline.words.text)
            }
            Some(Role::Label(kind)) => self.flow.labelled(style, kind, &counted(&text), facts),
            _ if inline.words.is_formula() && marker.is_none() => self.flow.formulas(&inline.words.formulas, facts),
            _ if marker.is_some() || role == Some(Role::Item) => {
                let (numbering, level, marker) =
                    marker.unwrap_or((0, 0, Marker { text: String::new(), ordered: false, indent: None }));
                let indent = marker.indent.unwrap_or(0);
                let place = Place { numbering, level, indent, ordered: marker.ordered };
                self.flow.item(place, &marker.text, &text, facts);
            }
            Some(Role::Quote) => self.flow.quote(&text, lead, facts),
            _ => {
                let indent = properties.and_then(styles::indent).unwrap_or(0);
                self.flow.paragraph(&text, lead, properties.is_some_and(is_framed), indent, facts);
            }
        }
    }

    /// What hangs on a paragraph.
    pub(super) fn object(&mut self, object: &Object<'_>) {
        match object {
            Object::Figure(alternative) | Object::Drawn(alternative) => self.flow.figure(alternative),
            Object::TextBox(content) if self.flow.depth < MAX_BOXES => self.within(|reader| reader.blocks(content)),
            Object::TextBox(_) => {}
            Object::Footnote(id, mark) => {
                let parts = std::rc::Rc::clone(&self.parts);
                if let Some(note) = parts.footnotes.get(id).filter(|_| self.tells(Told::Footnote, id)) {
                    self.note(note, mark);
                }
            }
            Object::Comment(id) => self.comment(id),
        }
    }

    /// A footnote or endnote with all its paragraphs.
    pub(super) fn note(&mut self, note: &Element, mark: &str) {
        if self.flow.depth >= MAX_BOXES {
            return;
        }
        // A mark of the author's own stands in the note's text, too.
        let printed = if mark == "*" { String::new() } else { format!("[{mark}]") };
        let depth = self.flow.open_note(mark, &printed);
        self.within(|reader| reader.blocks(note));
        self.flow.writer.close_down_to(depth);
    }

    fn comment(&mut self, id: &str) {
        let parts = std::rc::Rc::clone(&self.parts);
        let Some(comment) = parts.comments.get(id).filter(|_| self.flow.depth < MAX_BOXES) else { return };
        if !self.tells(Told::Comment, id) {
            return;
        }
        let paragraphs = comment.all("w:p").map(|paragraph| {
            let mut inline = Inline::default();
            self.inline(paragraph, &Stretch::default(), &mut inline);
            lines(&inline.words.text)
        });
        let text = paragraphs.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let known = |name: &str| comment.attribute(name).unwrap_or_default();
        self.flow.comment(&text, known("w:author"), known("w:date"));
    }

    /// Reads what stands beside the text, with lists and fields of its own.
    fn within(&mut self, read: impl FnOnce(&mut Self)) {
        let fields = std::mem::take(&mut self.fields);
        let carried = std::mem::take(&mut self.carried);
        let aside = self.flow.begin_aside();
        read(self);
        self.flow.end_aside(aside);
        (self.fields, self.carried) = (fields, carried);
    }
}

/// A paragraph with what its style and numbering make of it.
pub(super) struct Resolved<'e> {
    pub(super) role: Option<Role>,
    style: String,
    pub(super) marker: Option<(u32, usize, Marker)>,
    pub(super) inline: Inline<'e>,
}

fn role(properties: Option<&Element>, style: &Style) -> Option<Role> {
    let outline = properties.and_then(|properties| properties.value("w:outlineLvl", "w:val"));
    match (outline.and_then(|level| level.parse::<u8>().ok()), &style.role) {
        (Some(9..), Some(Role::Heading(_))) => None,
        (Some(level @ 0..9), None | Some(Role::Heading(_))) => Some(Role::Heading(level + 1)),
        (_, role) => role.clone(),
    }
}

/// Whether a paragraph has a frame all around.
fn is_framed(properties: &Element) -> bool {
    let borders = properties.child("w:pBdr");
    let drawn = |side: &str| {
        borders.and_then(|borders| borders.value(side, "w:val")).is_some_and(|kind| kind != "none" && kind != "nil")
    };
    ["w:top", "w:bottom"].into_iter().all(drawn)
}
