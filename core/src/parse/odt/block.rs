//! Blocks of OpenDocument: headings, paragraphs, lists, sections, indexes, notes.

use super::{
    inline::{Inline, Object, Stretch, drawing, gather, plain},
    lists::Counter,
    reader::{Change, Reader},
    styles::Style,
};
use crate::{
    parse::{
        flow::{Place, lines},
        markup::Element,
        style_name::Role,
    },
    text::collapse_whitespace,
};

/// A heading longer than this is a paragraph that was given a place in the outline.
const MAX_HEADING_BYTES: usize = 300;
/// Boxes and notes inside one another.
const MAX_BOXES: usize = 8;
/// Of a deletion so many characters are noted.
const MAX_NOTED: usize = 200;

/// Where a block stands among lists.
#[derive(Clone, Debug, Default)]
pub(super) struct InList {
    numbering: u32,
    /// From 0; `None` outside of lists.
    level: Option<usize>,
    style: String,
    counter: String,
    /// The marker of the item that begins with the next paragraph, and whether it counts.
    marker: Option<(String, bool)>,
}

impl Reader<'_> {
    /// Reads one block of the body, a box or a note.
    pub(super) fn block(&mut self, element: &Element) {
        self.block_in(element, &mut InList::default());
    }

    fn block_in(&mut self, element: &Element, list: &mut InList) {
        if self.flow.writer.is_full() {
            return;
        }
        match &*element.name {
            "text:p" | "text:h" => self.paragraph(element, list),
            "text:list" => self.list(element, list),
            "table:table" => self.table(element),
            "text:tracked-changes" => self.tracked_changes(element),
            "text:soft-page-break" => self.turn_pages(1),
            "text:table-of-content"
            | "text:illustration-index"
            | "text:table-index"
            | "text:object-index"
            | "text:user-index"
            | "text:alphabetical-index" => self.index(element),
            "text:bibliography" => {
                if let Some(body) = element.child("text:index-body") {
                    body.children().for_each(|child| self.block_in(child, list));
                }
            }
            "text:section" if element.attribute("text:display") == Some("none") => {
                let mut paragraphs = Vec::new();
                gather(element, &mut paragraphs);
                paragraphs.into_iter().for_each(|paragraph| self.flow.hidden("style", &plain(paragraph)));
            }
            "text:change-start" | "text:change-end" | "text:change" => {
                // Whole paragraphs were inserted: the mark stands between them.
                let mut between = Inline::default();
                self.inline_element(element, &Stretch::default(), &mut between);
            }
            "text:section" | "text:index-title" | "text:numbered-paragraph" => {
                element.children().for_each(|child| self.block_in(child, list));
            }
            name if name.starts_with("draw:") => {
                let mut objects = Vec::new();
                drawing(element, &mut objects);
                objects.iter().for_each(|object| self.object(object));
            }
            _ => {}
        }
    }

    /// The lines of a table of contents or an index only repeat what stands elsewhere.
    fn index(&mut self, element: &Element) {
        let mut paragraphs = Vec::new();
        gather(element.child("text:index-body").unwrap_or(element), &mut paragraphs);
        for text in paragraphs.into_iter().map(|paragraph| collapse_whitespace(&plain(paragraph))) {
            if !text.is_empty() {
                self.flow.contents(&text);
            }
        }
    }

    fn list(&mut self, element: &Element, outer: &InList) {
        let mut list = outer.clone();
        list.level = Some(outer.level.map_or(0, |level| level + 1));
        if let Some(style) = element.attribute("text:style-name") {
            style.clone_into(&mut list.style);
        }
        if outer.level.is_none() {
            self.n_lists = self.n_lists.saturating_add(1);
            list.numbering = self.n_lists;
            // A list counts on from the last of its style, or from one that it names, if it says so.
            let by_style = format!("style {}", list.style);
            let continued = element.attribute("text:continue-list").map(|id| format!("list {id}"));
            let goes_on = element.attribute("text:continue-numbering") == Some("true");
            list.counter = continued.filter(|id| self.counters.contains_key(id)).unwrap_or_else(|| {
                if !goes_on {
                    self.counters.remove(&by_style);
                }
                by_style
            });
            if let Some(id) = element.attribute("xml:id") {
                let counter = self.counters.get(&list.counter).cloned().unwrap_or_default();
                list.counter = format!("list {id}");
                self.counters.insert(list.counter.clone(), counter);
            }
        }
        for item in element.children() {
            let counted = &*item.name == "text:list-item";
            if !counted && &*item.name != "text:list-header" {
                continue;
            }
            let start = item.attribute("text:start-value").and_then(|start| start.parse().ok());
            // An item that only holds another list has no number of its own.
            let has_text = item.children().next().is_some_and(|first| &*first.name != "text:list");
            list.marker = (counted && has_text).then(|| self.marker(&list, start));
            item.children().for_each(|child| self.block_in(child, &mut list));
        }
    }

    /// The items of a list as lines with their markers, for where lists are only text.
    pub(super) fn list_lines(&mut self, element: &Element, level: usize, style: &str, lines: &mut Vec<String>) {
        let style = element.attribute("text:style-name").unwrap_or(style);
        let mut counter = Counter::default();
        for item in element.children() {
            let levels = self.styles.list(style).unwrap_or_default();
            let mut marker = counter.next(levels, level, None);
            for child in item.children() {
                if &*child.name == "text:list" {
                    self.list_lines(child, level + 1, style, lines);
                    continue;
                }
                let text = collapse_whitespace(&plain(child));
                if !text.is_empty() {
                    let gap = if marker.is_empty() { "" } else { " " };
                    lines.push(format!("{}{gap}{text}", std::mem::take(&mut marker)));
                }
            }
        }
    }

    fn marker(&mut self, list: &InList, start: Option<u32>) -> (String, bool) {
        let levels = self.styles.list(&list.style).unwrap_or_default();
        let level = list.level.unwrap_or(0);
        let counter = self.counters.entry(list.counter.clone()).or_default();
        let marker = counter.next(levels, level, start);
        let ordered = levels.get(level).is_some_and(|level| !level.form.is_empty());
        (marker, ordered)
    }

    /// A paragraph's style and content.
    pub(super) fn resolve<'e>(&mut self, paragraph: &'e Element) -> (Style, Inline<'e>) {
        let style = self.styles.get("paragraph", paragraph.attribute("text:style-name"));
        let stretch = Stretch { format: style.format.clone(), on_ground: self.flow.depth > 0 || style.shaded };
        let mut inline = Inline::default();
        inline.facts.changes.clone_from(&self.inserting);
        self.inline(paragraph, &stretch, &mut inline);
        (style, inline)
    }

    fn paragraph(&mut self, paragraph: &Element, list: &mut InList) {
        let (style, mut inline) = self.resolve(paragraph);
        let is_first = self.flow.writer.builder().n_nodes() <= 1;
        self.turn_pages(inline.pages_before + u32::from(style.new_page && !is_first));
        let (before, objects) = (std::mem::take(&mut inline.before), std::mem::take(&mut inline.objects));
        before.iter().for_each(|object| self.object(object));
        if !inline.words.is_blank() {
            self.worded(paragraph, &style, &inline, list);
        }
        inline.words.hidden.iter().for_each(|(why, text)| self.flow.hidden(why, text));
        objects.iter().for_each(|object| self.object(object));
        self.turn_pages(inline.pages_within);
    }

    fn worded(&mut self, paragraph: &Element, style: &Style, inline: &Inline<'_>, list: &mut InList) {
        let text = lines(&inline.words.text);
        let facts = &inline.facts;
        if &*paragraph.name == "text:h" && text.len() <= MAX_HEADING_BYTES {
            let level = paragraph.attribute("text:outline-level").and_then(|level| level.parse::<u8>().ok());
            let number = self.heading_number(paragraph, inline, level.unwrap_or(1), list.marker.take());
            let text = if number.is_empty() { text } else { format!("{number} {text}") };
            self.flow.heading(level.unwrap_or(1).clamp(1, 10), &text, facts);
            return;
        }
        let item = list.marker.take().zip(list.level);
        match &style.role {
            Some(Role::Contents) => self.flow.contents(&text),
            Some(Role::Heading(level)) if item.is_none() && text.len() <= MAX_HEADING_BYTES => {
                self.flow.heading(*level, &text, facts);
            }
            Some(Role::Title) if item.is_none() && self.flow.depth == 0 => self.flow.title(&text, facts),
            Some(Role::Caption) => self.flow.caption(&text, facts),
            _ if item.is_some() => {
                let Some(((marker, ordered), level)) = item else { return };
                let marker = inline.number.as_deref().filter(|_| ordered).unwrap_or(&marker);
                let place = Place { numbering: list.numbering, level, indent: 0, ordered };
                self.flow.item(place, marker, &text, facts);
            }
            role if *role == Some(Role::Code) || inline.words.is_code() => self.flow.code(&inline.words.text),
            Some(Role::Label(kind)) => {
                let name = paragraph.attribute("text:style-name").unwrap_or_default();
                self.flow.labelled(name, kind.clone(), &text, facts);
            }
            _ if inline.words.is_formula() => self.flow.formulas(&inline.words.formulas, facts),
            Some(Role::Quote) => self.flow.quote(&text, inline.words.lead(), facts),
            _ => {
                // What stands in an item goes on with it.
                let indent = if list.level.is_some() { i32::MAX } else { 0 };
                self.flow.paragraph(&text, inline.words.lead(), style.framed, indent, facts);
            }
        }
    }

    /// The number of a heading as printed: the program's own word for it, its list's, or that of the outline.
    fn heading_number(
        &mut self,
        heading: &Element,
        inline: &Inline<'_>,
        level: u8,
        marker: Option<(String, bool)>,
    ) -> String {
        let start = heading.attribute("text:start-value").and_then(|start| start.parse().ok());
        let counted = heading.attribute("text:is-list-header") != Some("true");
        let level = usize::from(level.max(1)) - 1;
        let by_outline = counted.then(|| self.headings.next(&self.styles.outline, level, start));
        let by_list = marker.map(|(marker, _)| marker);
        inline.number.clone().or(by_list.filter(|marker| !marker.is_empty())).or(by_outline).unwrap_or_default()
    }

    /// What hangs on a paragraph.
    pub(super) fn object(&mut self, object: &Object<'_>) {
        match object {
            Object::Figure(alternative) => self.flow.figure(alternative),
            Object::TextBox(content) if self.flow.depth < MAX_BOXES => self.within(content),
            Object::Footnote(note, mark) => self.note(note, mark),
            Object::Comment(comment) => self.comment(comment),
            Object::TextBox(_) => {}
        }
    }

    /// A footnote or endnote with all its paragraphs.
    pub(super) fn note(&mut self, note: &Element, mark: &str) {
        if self.flow.depth >= MAX_BOXES {
            return;
        }
        let printed = if mark.is_empty() { String::new() } else { format!("[{mark}]") };
        let depth = self.flow.open_note(mark, &printed);
        self.within(note);
        self.flow.writer.close_down_to(depth);
    }

    fn comment(&mut self, comment: &Element) {
        let mut paragraphs = Vec::new();
        gather(comment, &mut paragraphs);
        let texts = paragraphs.into_iter().map(|paragraph| collapse_whitespace(&plain(paragraph)));
        let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let known =
            |name: &str| comment.child(name).map(|value| collapse_whitespace(&value.text())).unwrap_or_default();
        self.flow.comment(&text, &known("dc:creator"), &known("dc:date"));
    }

    /// Reads what stands beside the text, with lists of its own.
    fn within(&mut self, element: &Element) {
        let aside = self.flow.begin_aside();
        element.children().for_each(|child| self.block(child));
        self.flow.end_aside(aside);
    }

    /// What the document's head says of changes; deleted text stands here and no longer in the text.
    fn tracked_changes(&mut self, element: &Element) {
        for region in element.all("text:changed-region") {
            let id = region.attribute("text:id").or_else(|| region.attribute("xml:id"));
            let (Some(id), Some(change)) = (id, region.children().next()) else { continue };
            let info = change.child("office:change-info");
            let known =
                |name: &str| info.and_then(|info| info.child(name)).map(|value| collapse_whitespace(&value.text()));
            let mut note = match &*change.name {
                "text:insertion" => "inserted".to_owned(),
                "text:deletion" => {
                    let mut paragraphs = Vec::new();
                    gather(change, &mut paragraphs);
                    // The change's own head holds a comment as a paragraph.
                    let gone = change.children().filter(|child| &*child.name != "office:change-info");
                    let gone = gone.map(plain).collect::<Vec<_>>().join(" ");
                    format!("deleted “{}”", collapse_whitespace(&gone).chars().take(MAX_NOTED).collect::<String>())
                }
                _ => continue,
            };
            if let Some(author) = known("dc:creator").filter(|author| !author.is_empty()) {
                note.push_str(&format!(" by {author}"));
            }
            if let Some(date) = known("dc:date").as_deref().and_then(|date| date.get(..10)) {
                note.push_str(&format!(" on {date}"));
            }
            let note = note.chars().take(2 * MAX_NOTED).collect();
            let deletion = &*change.name == "text:deletion";
            self.changes.insert(id.to_owned(), Change { note, deletion });
        }
    }
}
