//! Elements to blocks: what each means for the document.

use super::{
    classes::{class_kind, holds_heading, language},
    dom::{Data, Dom, DomId, Visitor},
    list_number::printed_number,
    table, text,
};
use crate::{
    document::NodeKind,
    host::Progress,
    parse::{ParseError, tick, writer::Writer},
};
use std::collections::BTreeSet;

/// Takes a document's blocks to a writer.
pub(super) struct Walker<'a> {
    dom: &'a Dom,
    writer: &'a mut Writer,
    progress: &'a mut dyn Progress,
    /// The heading that is the title and no section.
    title: Option<DomId>,
    /// Everything above `<main>`: what stands beside it there is furniture. Empty where there is no `<main>`.
    above_main: BTreeSet<DomId>,
    main: Option<DomId>,
    inline: String,
    /// Bytes of `inline` that are alternative texts of pictures.
    image_bytes: usize,
    /// Pictures in `inline` that are not mere decoration.
    n_images: u32,
    /// The bold text that `inline` begins with.
    lead: Option<String>,
    open: Vec<(DomId, Leave)>,
    lists: Vec<Counter>,
    n_entered: u32,
}

/// What to do when all of an element is done.
enum Leave {
    /// Its text ends here.
    Flush,
    /// Its text ends here and its container closes.
    Close,
    /// A list ends.
    CloseList,
    /// A definition list ends; so many containers were open before it.
    CloseDefinitions(usize),
    /// A quotation mark ends an inline quotation.
    Quote,
    /// Bold type ends that its block began with.
    Lead,
}

/// How a list counts.
struct Counter {
    ordered: bool,
    next: i64,
    style: u8,
}

impl<'a> Walker<'a> {
    pub(super) fn new(dom: &'a Dom, writer: &'a mut Writer, progress: &'a mut dyn Progress) -> Self {
        Self {
            dom,
            writer,
            progress,
            title: None,
            above_main: BTreeSet::new(),
            main: None,
            inline: String::new(),
            image_bytes: 0,
            n_images: 0,
            lead: None,
            open: Vec::new(),
            lists: Vec::new(),
            n_entered: 0,
        }
    }

    pub(super) fn with_title(mut self, heading: Option<DomId>) -> Self {
        self.title = heading;
        self
    }

    pub(super) fn with_main(mut self, main: Option<DomId>) -> Self {
        let above = std::iter::successors(main.and_then(|id| self.dom.parent(id)), |id| self.dom.parent(*id));
        self.above_main = above.collect();
        self.main = main;
        self
    }

    /// Walks a subtree.
    pub(super) fn run(mut self, root: DomId) -> Result<(), ParseError> {
        let depth = self.writer.depth();
        self.dom.walk(root, &mut self)?;
        self.flush();
        self.writer.close_down_to(depth);
        Ok(())
    }

    fn flush(&mut self) {
        let inline = std::mem::take(&mut self.inline);
        let image_bytes = std::mem::take(&mut self.image_bytes);
        let n_images = std::mem::take(&mut self.n_images);
        let lead = self.lead.take();
        if inline.trim().is_empty() && n_images == 0 {
            return;
        }
        let normalised = text::normalise(&inline);
        if n_images > 0 && inline.trim().len() <= image_bytes {
            self.writer.leaf(NodeKind::Figure, &normalised, None);
        } else {
            self.writer.paragraph_led(&normalised, lead.as_deref(), None);
        }
    }

    /// Whether an element is navigation, a running head or the like rather than content.
    fn is_furniture(&self, id: DomId, name: &str) -> bool {
        if let Some(parent) = self.dom.parent(id)
            && self.above_main.contains(&parent)
            && !self.above_main.contains(&id)
            && self.main != Some(id)
        {
            return true;
        }
        if let Some(role) = self.dom.attribute(id, "role") {
            return matches!(role, "navigation" | "banner" | "contentinfo" | "search" | "complementary" | "menubar");
        }
        match name {
            "nav" => true,
            // Inside an article they belong to it.
            "header" => !self.is_within_content(id) && !self.dom.subtree(id).any(|id| self.dom.name(id) == "h1"),
            "footer" | "aside" => !self.is_within_content(id) && class_kind(self.dom, id).is_none(),
            _ => false,
        }
    }

    fn is_within_content(&self, id: DomId) -> bool {
        let mut above = std::iter::successors(self.dom.parent(id), |id| self.dom.parent(*id));
        above.any(|id| matches!(self.dom.name(id), "main" | "article" | "section" | "blockquote" | "td"))
    }

    fn element(&mut self, id: DomId, name: &str) -> bool {
        if let Some(anchor) =
            self.dom.attribute(id, "id").or_else(|| self.dom.attribute(id, "name").filter(|_| name == "a"))
        {
            self.writer.anchor(anchor);
        }
        if self.is_furniture(id, name) {
            self.flush();
            let furniture = text::of(self.dom, id);
            if !furniture.is_empty() {
                self.writer.leaf(NodeKind::Furniture, &furniture, None);
            }
            return false;
        }
        match name {
            "br" if self.inline.is_empty() => {}
            "br" => self.inline.push('\n'),
            "img" => self.image(id),
            "input" => self.inline.push_str(&text::input(self.dom, id)),
            "q" => {
                self.inline.push('“');
                self.open.push((id, Leave::Quote));
            }
            "b" | "strong" if self.inline.trim_start().is_empty() => self.open.push((id, Leave::Lead)),
            _ if text::is_block(name) => {
                self.flush();
                return self.block(id, name);
            }
            // Cells are met only where the table merely arranges the page.
            "td" | "th" => {
                self.flush();
                self.open.push((id, Leave::Flush));
            }
            _ => {}
        }
        true
    }

    /// An element on lines of its own; whatever text stood before it is written. Returns whether to go below it.
    fn block(&mut self, id: DomId, name: &str) -> bool {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.heading(id, name.as_bytes()[1] - b'0');
                return false;
            }
            "ul" | "menu" | "ol" => self.list(id, name == "ol"),
            "li" => self.item(id),
            "blockquote" => {
                self.writer.open(class_kind(self.dom, id).unwrap_or(NodeKind::Quote), None);
                self.open.push((id, Leave::Close));
            }
            "pre" => {
                let code = text::preformatted(self.dom, id);
                if !code.trim().is_empty() {
                    self.writer.leaf(NodeKind::Code { language: language(self.dom, id) }, &code, None);
                }
                return false;
            }
            "table" if !table::is_layout(self.dom, id) => {
                table::write(self.writer, self.dom, id);
                return false;
            }
            "dl" => return self.definitions(id),
            "dt" => {
                let depth = self.open.iter().rev().find_map(|(_, leave)| match leave {
                    Leave::CloseDefinitions(depth) => Some(*depth),
                    _ => None,
                });
                if let Some(depth) = depth {
                    // The list itself stays open, the item before this one ends.
                    self.writer.close_down_to(depth + 1);
                    self.writer.open_as(NodeKind::ListItem, &text::of(self.dom, id), None);
                    return false;
                }
                self.open.push((id, Leave::Flush));
            }
            "figure" => self.figure(id),
            "figcaption" | "caption" => {
                let caption = text::of(self.dom, id);
                if !caption.is_empty() {
                    self.writer.leaf(NodeKind::Caption, &caption, None);
                }
                return false;
            }
            "div" | "aside" | "section" | "p"
                if class_kind(self.dom, id).is_some_and(|_| !holds_heading(self.dom, id)) =>
            {
                if let Some(kind) = class_kind(self.dom, id) {
                    self.writer.open(kind, None);
                    self.open.push((id, Leave::Close));
                }
            }
            _ => self.open.push((id, Leave::Flush)),
        }
        true
    }

    fn heading(&mut self, id: DomId, level: u8) {
        if self.title == Some(id) {
            self.writer.name_root();
            return;
        }
        let own = self.dom.subtree(id).find_map(|id| {
            self.dom.attribute(id, "id").or_else(|| self.dom.attribute(id, "name").filter(|_| self.dom.name(id) == "a"))
        });
        if let Some(own) = own {
            self.writer.anchor(own);
        }
        let text = text::of(self.dom, id).replace('\n', " ");
        self.writer.section(level, text::without_mark(self.dom, id, &text), None);
    }

    fn list(&mut self, id: DomId, ordered: bool) {
        let number = |name: &str| self.dom.attribute(id, name).and_then(|value| value.trim().parse::<i64>().ok());
        let style = self.dom.attribute(id, "type").and_then(|style| style.bytes().next()).unwrap_or(b'1');
        self.lists.push(Counter { ordered, next: number("start").unwrap_or(1), style });
        self.writer.open_as(NodeKind::List { ordered }, "", None);
        self.open.push((id, Leave::CloseList));
    }

    fn item(&mut self, id: DomId) {
        let own = self.dom.attribute(id, "value").and_then(|value| value.trim().parse::<i64>().ok());
        let marker = match self.lists.last_mut() {
            Some(counter) if counter.ordered => {
                let number = own.unwrap_or(counter.next);
                counter.next = number.saturating_add(1);
                printed_number(number, counter.style)
            }
            _ => String::new(),
        };
        self.writer.open_marked(NodeKind::ListItem, &marker, None);
        self.open.push((id, Leave::Close));
    }

    /// Terms with short definitions are keys with values, others a list whose items hold the definitions.
    fn definitions(&mut self, id: DomId) -> bool {
        let simple = self.dom.subtree(id).skip(1).all(|id| match self.dom.name(id) {
            "dt" | "dd" | "div" | "p" => true,
            name => !text::is_block(name),
        });
        if !simple {
            self.open.push((id, Leave::CloseDefinitions(self.writer.depth())));
            self.writer.open_as(NodeKind::List { ordered: false }, "", None);
            return true;
        }
        let mut terms = String::new();
        let mut definitions = String::new();
        for id in self.dom.subtree(id) {
            let (name, target) = match self.dom.name(id) {
                "dt" if definitions.is_empty() => ("dt", &mut terms),
                "dt" => {
                    self.key_value(&terms, &definitions);
                    (terms, definitions) = (String::new(), String::new());
                    ("dt", &mut terms)
                }
                "dd" => ("dd", &mut definitions),
                _ => continue,
            };
            if !target.is_empty() {
                target.push_str(if name == "dt" { ", " } else { "; " });
            }
            target.push_str(&text::of(self.dom, id));
        }
        self.key_value(&terms, &definitions);
        false
    }

    fn key_value(&mut self, key: &str, value: &str) {
        let key = key.trim_end_matches(':');
        match (key.is_empty(), value.is_empty()) {
            (true, true) => {}
            (true, false) => self.writer.paragraph(value, None),
            (false, true) => self.writer.paragraph(key, None),
            (false, false) => self.writer.leaf(NodeKind::KeyValue, &format!("{key}: {value}"), None),
        }
    }

    /// A figure around a table or code is only their frame.
    fn figure(&mut self, id: DomId) {
        if self.dom.subtree(id).any(|id| matches!(self.dom.name(id), "table" | "pre")) {
            self.open.push((id, Leave::Flush));
            return;
        }
        let alternative =
            self.dom.subtree(id).filter(|id| self.dom.name(*id) == "img").find_map(|id| self.dom.attribute(id, "alt"));
        self.writer.open_as(NodeKind::Figure, alternative.unwrap_or_default().trim(), None);
        self.open.push((id, Leave::Close));
    }

    fn image(&mut self, id: DomId) {
        let mut above = std::iter::successors(self.dom.parent(id), |id| self.dom.parent(*id));
        let alternative = self.dom.attribute(id, "alt").map(str::trim);
        // An empty text says that the picture is decoration; a figure has taken it for its own text.
        if alternative != Some("") && !above.any(|id| self.dom.name(id) == "figure") {
            let alternative = alternative.unwrap_or_default();
            self.inline.push_str(alternative);
            self.image_bytes += alternative.len();
            self.n_images += 1;
        }
    }
}

impl Visitor<ParseError> for Walker<'_> {
    fn enter(&mut self, id: DomId) -> Result<bool, ParseError> {
        self.n_entered = self.n_entered.wrapping_add(1);
        if self.n_entered.is_multiple_of(4096) {
            tick(self.progress, 0, 0)?;
        }
        if self.writer.is_full() {
            return Ok(false);
        }
        let dom = self.dom;
        Ok(match dom.data(id) {
            Data::Text(part) => {
                let beside_main = dom.parent(id).is_some_and(|parent| self.above_main.contains(&parent));
                if !beside_main {
                    text::push_inline(&mut self.inline, part);
                }
                true
            }
            Data::Element { .. } if text::is_hidden(dom, id) => false,
            Data::Element { name, .. } => self.element(id, name),
            Data::Other => true,
        })
    }

    fn leave(&mut self, id: DomId) -> Result<(), ParseError> {
        while let Some((_, leave)) = self.open.pop_if(|(open, _)| *open == id) {
            match leave {
                Leave::Quote => self.inline.push('”'),
                Leave::Lead => self.lead = Some(text::normalise(&self.inline)),
                Leave::Flush => self.flush(),
                Leave::Close => {
                    self.flush();
                    self.writer.close();
                }
                Leave::CloseList => {
                    self.flush();
                    self.lists.pop();
                    self.writer.close();
                }
                Leave::CloseDefinitions(depth) => {
                    self.flush();
                    self.writer.close_down_to(depth);
                }
            }
        }
        Ok(())
    }
}
