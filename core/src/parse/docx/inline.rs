//! What stands in a paragraph: its text as shown, and what hangs on it (pictures, boxes, notes, comments).
//!
//! Field codes are not shown, their results are; deleted text is not, but noted; hidden text is kept apart.

use super::{
    drawing, math,
    reader::Reader,
    styles::{format, is_on},
    symbols,
};
use crate::parse::{
    flow::{
        Facts,
        words::{Format, Words},
    },
    markup::Element,
};

/// Fields inside one another.
const MAX_FIELDS: usize = 32;
/// Of a deletion so many characters are noted.
const MAX_NOTED: usize = 200;

/// A field that has begun and not ended.
#[derive(Debug, Default)]
pub(super) struct Field {
    instruction: String,
    /// Its code is over: what follows is what it shows.
    in_result: bool,
}

/// Something that hangs on a paragraph and is written after it.
#[derive(Clone, Debug)]
pub(super) enum Object<'e> {
    /// A picture with its alternative text.
    Figure(String),
    /// Lines and shapes, with their alternative text.
    Drawn(String),
    /// A box with text of its own.
    TextBox(&'e Element),
    /// A footnote and the mark that the text has for it.
    Footnote(String, String),
    /// A comment.
    Comment(String),
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
    /// A table of contents began or went on here.
    pub(super) in_contents: bool,
}

/// What holds for a stretch of a paragraph.
#[derive(Clone, Debug, Default)]
pub(super) struct Stretch {
    pub(super) format: Format,
    pub(super) deleted: bool,
    /// White text is read on a dark ground there.
    pub(super) on_ground: bool,
}

impl Inline<'_> {
    fn push(&mut self, text: &str, stretch: &Stretch) {
        self.words.push(text, &stretch.format, stretch.on_ground);
    }

    fn formula(&mut self, equation: &Element) {
        self.words.formula(math::linear(equation));
    }
}

impl Reader<'_> {
    /// The content of a paragraph or of anything that holds runs.
    pub(super) fn inline<'e>(&mut self, element: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        for child in element.children() {
            match &*child.name {
                "w:r" => self.run(child, stretch, out),
                "w:hyperlink" => {
                    out.facts.links.extend(self.parts.link(child));
                    self.inline(child, stretch, out);
                }
                "w:ins" | "w:moveTo" => {
                    let what = if &*child.name == "w:ins" { "inserted" } else { "moved" };
                    note_change(out, what, child);
                    self.inline(child, stretch, out);
                }
                "w:del" | "w:moveFrom" => self.deleted(child, stretch, out),
                "w:fldSimple" => {
                    let instruction = child.attribute("w:instr").unwrap_or_default();
                    out.facts.links.extend(link_of(instruction));
                    self.inline(child, stretch, out);
                }
                "w:sdt" => {
                    if let Some(content) = child.child("w:sdtContent") {
                        self.inline(content, stretch, out);
                    }
                }
                "w:bookmarkStart" => out.facts.anchors.extend(child.attribute("w:name").map(str::to_owned)),
                "m:oMath" if !stretch.deleted => out.formula(child),
                "m:oMathPara" if !stretch.deleted => child.all("m:oMath").for_each(|equation| out.formula(equation)),
                "mc:AlternateContent" => {
                    if let Some(chosen) = drawing::chosen(child) {
                        self.inline(chosen, stretch, out);
                    }
                }
                "w:smartTag" | "w:customXml" | "w:bdo" | "w:dir" | "w:subDoc" => self.inline(child, stretch, out),
                _ => {}
            }
        }
    }

    fn deleted<'e>(&mut self, element: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        let mut gone = Inline::default();
        let stretch = Stretch { deleted: true, ..stretch.clone() };
        self.inline(element, &stretch, &mut gone);
        let text: String = gone.words.text.trim().chars().take(MAX_NOTED).collect();
        if &*element.name == "w:del" && !text.is_empty() {
            note_change(out, &format!("deleted “{text}”"), element);
        }
    }

    fn run<'e>(&mut self, run: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        let mut stretch = stretch.clone();
        if let Some(properties) = run.child("w:rPr") {
            if let Some(style) = properties.value("w:rStyle", "w:val").and_then(|id| self.parts.styles.get(id)) {
                stretch.format = style.format.clone().over(&stretch.format);
            }
            stretch.format = format(properties).over(&stretch.format);
            stretch.deleted |= properties.child("w:del").is_some();
        }
        self.run_content(run, &stretch, out);
    }

    fn run_content<'e>(&mut self, run: &'e Element, stretch: &Stretch, out: &mut Inline<'e>) {
        for child in run.children() {
            match &*child.name {
                "w:fldChar" => self.field_character(child, stretch, out),
                "w:instrText" => {
                    if let Some(field) = self.fields.last_mut().filter(|field| !field.in_result) {
                        field.instruction.push_str(&child.text());
                    }
                }
                // What a field calculates from is not shown.
                _ if self.fields.iter().any(|field| !field.in_result) => {}
                "w:t" => out.push(&symbols::shown(&child.text(), stretch.format.font.as_deref()), stretch),
                "w:delText" if stretch.deleted => out.push(&child.text(), stretch),
                "w:tab" | "w:ptab" => out.push("\t", stretch),
                "w:br" if matches!(child.attribute("w:type"), None | Some("textWrapping")) => out.push("\n", stretch),
                "w:cr" => out.push("\n", stretch),
                "w:noBreakHyphen" => out.push("-", stretch),
                "w:sym" => {
                    let code = child.attribute("w:char").and_then(|code| u32::from_str_radix(code, 16).ok());
                    let font = child.attribute("w:font").unwrap_or_default();
                    if let Some(sign) = code.and_then(|code| symbols::character(font, code)) {
                        out.push(sign.encode_utf8(&mut [0; 4]), stretch);
                    }
                }
                "w:ruby" => {
                    if let Some(base) = child.child("w:rubyBase") {
                        self.inline(base, stretch, out);
                    }
                }
                "w:lastRenderedPageBreak" if out.words.is_blank() => out.pages_before += 1,
                "w:lastRenderedPageBreak" => out.pages_within += 1,
                "w:footnoteReference" | "w:endnoteReference" if !stretch.deleted => self.reference(child, stretch, out),
                "w:commentReference" => {
                    out.objects.extend(child.attribute("w:id").map(|id| Object::Comment(id.to_owned())));
                }
                "w:drawing" | "w:pict" | "w:object" if !stretch.deleted => {
                    let leads = out.words.is_blank();
                    drawing::objects(child, &self.parts, if leads { &mut out.before } else { &mut out.objects });
                }
                "mc:AlternateContent" => {
                    if let Some(chosen) = drawing::chosen(child) {
                        self.run_content(chosen, stretch, out);
                    }
                }
                _ => {}
            }
        }
    }

    fn reference<'e>(&mut self, reference: &Element, stretch: &Stretch, out: &mut Inline<'e>) {
        let Some(id) = reference.attribute("w:id") else { return };
        let foot = &*reference.name == "w:footnoteReference";
        if !(if foot { &self.parts.footnotes } else { &self.parts.endnotes }).contains_key(id) {
            return;
        }
        let own_mark = reference.attribute("w:customMarkFollows").is_some_and(|on| is_on(Some(on)));
        let mark = if own_mark { "*".to_owned() } else { self.next_mark(foot) };
        if !own_mark {
            out.push(&format!("[{mark}]"), stretch);
        }
        if foot {
            out.objects.push(Object::Footnote(id.to_owned(), mark));
        } else {
            self.endnotes.push((id.to_owned(), mark));
        }
    }

    fn field_character(&mut self, character: &Element, stretch: &Stretch, out: &mut Inline<'_>) {
        match character.attribute("w:fldCharType") {
            Some("begin") if self.fields.len() < MAX_FIELDS => {
                self.fields.push(Field::default());
                // A check box of an old form shows no result but its own state.
                if let Some(state) = character.find("w:checkBox") {
                    let checked = state.child("w:checked").or_else(|| state.child("w:default"));
                    let checked = checked.is_some_and(|value| is_on(value.attribute("w:val")));
                    out.push(if checked { "[x] " } else { "[ ] " }, stretch);
                }
            }
            Some("separate") => {
                if let Some(field) = self.fields.last_mut() {
                    field.in_result = true;
                    out.facts.links.extend(link_of(&field.instruction));
                    out.in_contents |= is_contents(&field.instruction);
                }
            }
            Some("end") => {
                self.fields.pop();
            }
            _ => {}
        }
    }

    /// At a paragraph's end: a field whose code was never closed is damaged and must not swallow the document.
    pub(super) fn close_instructions(&mut self) {
        self.fields.retain(|field| field.in_result);
    }

    /// Whether the text stands in a field that makes a table of contents.
    pub(super) fn in_contents(&self) -> bool {
        self.fields.iter().any(|field| field.in_result && is_contents(&field.instruction))
    }
}

fn is_contents(instruction: &str) -> bool {
    let mut words = instruction.split_whitespace();
    // `TOC \c` lists figures or tables: that, too, only repeats what stands elsewhere.
    words.next().is_some_and(|word| word.eq_ignore_ascii_case("toc") || word.eq_ignore_ascii_case("index"))
}

/// The address in `HYPERLINK "…"`.
fn link_of(instruction: &str) -> Option<String> {
    let rest = instruction.trim_start().strip_prefix("HYPERLINK")?.trim_start();
    let local = rest.strip_prefix("\\l").map(str::trim_start);
    let address = local.unwrap_or(rest).strip_prefix('"')?.split('"').next()?;
    let mark = if local.is_some() { "#" } else { "" };
    (!address.is_empty()).then(|| format!("{mark}{address}"))
}

/// Notes who changed what when, once.
pub(super) fn note_change(out: &mut Inline<'_>, what: &str, change: &Element) {
    let mut note = what.to_owned();
    if let Some(author) = change.attribute("w:author").filter(|author| !author.is_empty()) {
        note.push_str(&format!(" by {author}"));
    }
    if let Some(date) = change.attribute("w:date").and_then(|date| date.get(..10)) {
        note.push_str(&format!(" on {date}"));
    }
    if !out.facts.changes.contains(&note) {
        out.facts.changes.push(note);
    }
}
