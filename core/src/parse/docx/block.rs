//! Paragraphs to blocks: headings, list items, captions, code, quotations, warnings and plain text.

use super::{
    inline::{Inline, Object, Stretch, note_change},
    numbering::Marker,
    reader::{Group, OpenList, Reader},
    styles::{self, Role, Style},
};
use crate::{
    document::{NodeKind, facts},
    parse::{admonition, html, markup::Element},
    text::collapse_whitespace,
};

/// A heading longer than this is a paragraph that was given a place in the outline.
const MAX_HEADING_BYTES: usize = 300;
/// Boxes and notes inside one another.
const MAX_BOXES: usize = 8;

impl Reader<'_> {
    /// Reads one block of the body, a cell, a box or a note.
    pub(super) fn block(&mut self, element: &Element) {
        if self.writer.is_full() {
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
                self.begin_block();
                let formula = super::math::linear(element);
                if !formula.is_empty() {
                    self.writer.leaf(NodeKind::Formula, &formula, None);
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
                self.begin_block();
                self.end_lists();
                html::fragment(self.writer, page);
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
            on_ground: self.depth > 0 || shaded.is_some_and(|fill| fill != "auto"),
            ..Stretch::default()
        };
        let mut inline = Inline { text: std::mem::take(&mut self.carried), ..Inline::default() };
        inline.in_contents = self.in_contents();
        self.inline(paragraph, &stretch, &mut inline);
        self.close_instructions();
        inline.anchors.splice(0..0, self.anchors.drain(..));
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
            self.carried = std::mem::take(&mut inline.text);
            self.anchors.append(&mut inline.anchors);
            return;
        }
        let (before, objects) = (std::mem::take(&mut inline.before), std::mem::take(&mut inline.objects));
        before.iter().for_each(|object| self.object(object));
        if inline.text.trim().is_empty() {
            self.anchors.append(&mut inline.anchors);
        } else {
            self.worded(properties, role, style, marker, &inline);
        }
        self.hidden(&inline);
        objects.iter().for_each(|object| self.object(object));
        self.turn_pages(inline.pages_within);
    }

    /// Writes a paragraph that says something.
    fn worded(
        &mut self,
        properties: Option<&Element>,
        role: Option<Role>,
        style: String,
        marker: Option<(u32, usize, Marker)>,
        inline: &Inline<'_>,
    ) {
        let text = lines(&inline.text);
        let counted = |text: &str| match &marker {
            Some((_, _, marker)) if !marker.text.is_empty() => format!("{} {text}", marker.text),
            _ => text.to_owned(),
        };
        if inline.in_contents || role == Some(Role::Contents) {
            self.begin_block();
            self.end_lists();
            self.writer.leaf(NodeKind::Furniture, &text, None);
            return;
        }
        match role {
            Some(Role::Heading(level)) if text.len() <= MAX_HEADING_BYTES => {
                self.begin_block();
                self.end_lists();
                self.facts(inline);
                self.writer.section(level, &counted(&text.replace('\n', " ")), None);
            }
            Some(Role::Title) if self.depth == 0 && marker.is_none() => self.title(&text.replace('\n', " "), inline),
            Some(Role::Caption) => self.captioned(counted(&text), inline),
            _ if marker.is_none() && (role == Some(Role::Code) || is_code(inline)) => self.code(inline),
            Some(Role::Label(kind)) => {
                if !matches!(&self.group, Group::Label(open, _) if *open == style) {
                    self.begin_block();
                    self.end_lists();
                    self.group = Group::Label(style, self.writer.depth());
                    self.writer.open(kind, None);
                }
                self.facts(inline);
                self.writer.paragraph(&counted(&text), None);
            }
            _ if inline.is_formula() && marker.is_none() => {
                self.begin_block();
                for formula in &inline.formulas {
                    self.facts(inline);
                    self.writer.leaf(NodeKind::Formula, formula, None);
                }
            }
            _ if marker.is_some() || role == Some(Role::Item) => self.item(marker, &text, inline),
            Some(Role::Quote) => {
                self.begin_block();
                self.end_lists();
                self.facts(inline);
                self.writer.open(NodeKind::Quote, None);
                self.writer.paragraph_led(&text, Some(inline.lead.trim()), None);
                self.writer.close();
            }
            _ => self.plain(properties, &text, inline),
        }
    }

    /// Running text. Indented like the item before it, it goes on with that.
    fn plain(&mut self, properties: Option<&Element>, text: &str, inline: &Inline<'_>) {
        let framed = properties.is_some_and(is_framed);
        if !(framed && matches!(self.group, Group::Frame(_))) {
            self.begin_block();
            let indent = properties.and_then(styles::indent).unwrap_or(0);
            if self.lists.last().is_none_or(|list| indent <= 0 || indent < list.indent) {
                self.end_lists();
            }
            if let Some(label) = admonition::recognise(text).filter(|_| framed) {
                self.group = Group::Frame(self.writer.depth());
                self.facts(inline);
                if label.alone {
                    self.writer.open_as(label.kind, text, None);
                } else {
                    self.writer.open(label.kind, None);
                    self.writer.paragraph(text, None);
                }
                return;
            }
        }
        self.facts(inline);
        self.writer.paragraph_led(text, Some(inline.lead.trim()), None);
    }

    fn title(&mut self, text: &str, inline: &Inline<'_>) {
        self.begin_block();
        self.end_lists();
        self.facts(inline);
        if self.writer.builder().has_title() {
            self.writer.section(1, text, None);
        } else {
            self.writer.builder().title(text);
            self.writer.name_root();
        }
    }

    fn code(&mut self, inline: &Inline<'_>) {
        if !matches!(self.group, Group::Code(_)) {
            self.begin_block();
            self.end_lists();
            self.group = Group::Code(Vec::new());
        }
        if let Group::Code(lines) = &mut self.group {
            lines.push(inline.text.trim_end().to_owned());
        }
    }

    fn item(&mut self, marker: Option<(u32, usize, Marker)>, text: &str, inline: &Inline<'_>) {
        self.begin_block();
        let (number, level, marker) =
            marker.unwrap_or((0, 0, Marker { text: String::new(), ordered: false, indent: None }));
        let indent = marker.indent.unwrap_or(0);
        let deeper = |list: &OpenList| {
            if list.number == number { list.level < level } else { list.indent + 100 < indent }
        };
        let same = |list: &OpenList| list.number == number && list.level == level && list.ordered == marker.ordered;
        while self.lists.last().is_some_and(|list| !deeper(list) && !same(list)) {
            if let Some(list) = self.lists.pop() {
                self.writer.close_down_to(list.depth);
            }
        }
        match self.lists.last() {
            Some(list) if same(list) => self.writer.close_down_to(list.depth + 1),
            _ => {
                let (ordered, depth) = (marker.ordered, self.writer.depth());
                self.writer.open_as(NodeKind::List { ordered }, "", None);
                self.lists.push(OpenList { number, level, ordered, indent, depth });
            }
        }
        self.writer.open_marked(NodeKind::ListItem, &marker.text, None);
        self.facts(inline);
        self.writer.paragraph(text, None);
    }

    /// A caption goes with the picture or table that stands right before it, or with the table right after it.
    fn captioned(&mut self, text: String, inline: &Inline<'_>) {
        if matches!(self.group, Group::Figure(_)) {
            self.facts(inline);
            self.writer.leaf(NodeKind::Caption, &text, None);
            self.end_group();
            return;
        }
        let table = self.table.filter(|_| names_table(&text));
        self.begin_block();
        self.end_lists();
        match table {
            Some(table) => self.writer.builder().set_text(table, &text),
            None => self.caption = Some(text),
        }
    }

    /// What hangs on a paragraph.
    pub(super) fn object(&mut self, object: &Object<'_>) {
        match object {
            Object::Figure(alternative) | Object::Drawn(alternative) => {
                self.begin_block();
                let depth = self.writer.depth();
                self.writer.open_as(NodeKind::Figure, alternative, None);
                self.group = Group::Figure(depth);
            }
            Object::TextBox(content) if self.depth < MAX_BOXES => self.within(|reader| reader.blocks(content)),
            Object::TextBox(_) => {}
            Object::Footnote(id, mark) => {
                let parts = std::rc::Rc::clone(&self.parts);
                if let Some(note) = parts.footnotes.get(id) {
                    self.note(note, mark);
                }
            }
            Object::Comment(id) => self.comment(id),
        }
    }

    /// A footnote or endnote with all its paragraphs.
    pub(super) fn note(&mut self, note: &Element, mark: &str) {
        if self.depth >= MAX_BOXES {
            return;
        }
        self.begin_block();
        let depth = self.writer.depth();
        self.writer.fact(facts::MARK, mark);
        self.writer.open_marked(NodeKind::Footnote, &format!("[{mark}]"), None);
        self.within(|reader| reader.blocks(note));
        self.writer.close_down_to(depth);
    }

    fn comment(&mut self, id: &str) {
        let parts = std::rc::Rc::clone(&self.parts);
        let Some(comment) = parts.comments.get(id).filter(|_| self.depth < MAX_BOXES) else { return };
        self.begin_block();
        let paragraphs = comment.all("w:p").map(|paragraph| {
            let mut inline = Inline::default();
            self.inline(paragraph, &Stretch::default(), &mut inline);
            lines(&inline.text)
        });
        let text = paragraphs.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        if text.is_empty() {
            return;
        }
        for (key, attribute) in [("author", "w:author"), ("date", "w:date")] {
            if let Some(value) = comment.attribute(attribute).filter(|value| !value.is_empty()) {
                self.writer.fact(key, value);
            }
        }
        self.writer.leaf(NodeKind::Comment, &text, None);
    }

    /// Reads what stands beside the text, with lists and groups of its own.
    fn within(&mut self, read: impl FnOnce(&mut Self)) {
        let lists = std::mem::take(&mut self.lists);
        let fields = std::mem::take(&mut self.fields);
        let carried = std::mem::take(&mut self.carried);
        self.end_group();
        self.depth += 1;
        read(self);
        self.begin_block();
        self.end_lists();
        self.depth -= 1;
        (self.lists, self.fields, self.carried) = (lists, fields, carried);
    }

    fn hidden(&mut self, inline: &Inline<'_>) {
        for (why, text) in &inline.hidden {
            self.begin_block();
            self.writer.fact(facts::HIDDEN, why);
            self.writer.leaf(NodeKind::Paragraph, &lines(text), None);
        }
    }

    /// Says of the next node what is known of it.
    pub(super) fn facts(&mut self, inline: &Inline<'_>) {
        // Names of people's own making say more than those that Word gives.
        let own = inline.anchors.iter().find(|name| !name.starts_with('_'));
        if let Some(anchor) = own.or(inline.anchors.iter().find(|name| *name != "_GoBack")) {
            self.writer.anchor(anchor);
        }
        if !inline.links.is_empty() {
            let mut links = inline.links.clone();
            links.dedup();
            self.writer.fact(facts::LINK, &links.join(" "));
        }
        if !inline.changes.is_empty() {
            self.writer.fact(facts::CHANGE, &inline.changes.join("; "));
        }
    }

    /// Before every block: what was waiting for one is done.
    pub(super) fn begin_block(&mut self) {
        self.end_group();
        self.table = None;
        if let Some(caption) = self.caption.take() {
            self.writer.leaf(NodeKind::Caption, &caption, None);
        }
    }

    pub(super) fn end_group(&mut self) {
        match std::mem::take(&mut self.group) {
            Group::None => {}
            Group::Code(lines) => {
                let code = lines.join("\n");
                if !code.trim().is_empty() {
                    self.writer.leaf(NodeKind::Code { language: String::new() }, &code, None);
                }
            }
            Group::Label(_, depth) | Group::Frame(depth) | Group::Figure(depth) => self.writer.close_down_to(depth),
        }
    }

    pub(super) fn end_lists(&mut self) {
        if let Some(outermost) = self.lists.first() {
            self.writer.close_down_to(outermost.depth);
            self.lists.clear();
        }
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

/// Blanks collapsed line by line.
pub(super) fn lines(text: &str) -> String {
    let lines = text.split('\n').map(collapse_whitespace);
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Whether the whole paragraph is set as program text is.
fn is_code(inline: &Inline<'_>) -> bool {
    inline.n_shown() > 0 && inline.n_monospaced == inline.n_shown()
}

/// Whether a paragraph has a frame all around.
fn is_framed(properties: &Element) -> bool {
    let borders = properties.child("w:pBdr");
    let drawn = |side: &str| {
        borders.and_then(|borders| borders.value(side, "w:val")).is_some_and(|kind| kind != "none" && kind != "nil")
    };
    ["w:top", "w:bottom"].into_iter().all(drawn)
}

/// Whether a caption is a table's.
pub(super) fn names_table(caption: &str) -> bool {
    let word = caption.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    matches!(
        &*word,
        "table" | "tabelle" | "tab" | "tableau" | "tabla" | "tabella" | "tabel" | "tabela" | "таблица" | "表"
    )
}

/// Whether all that is shown of a format is bold.
pub(super) fn is_bold(inline: &Inline<'_>) -> bool {
    inline.n_shown() > 0 && inline.n_bold == inline.n_shown()
}
