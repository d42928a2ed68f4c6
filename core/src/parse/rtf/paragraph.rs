//! Paragraphs to blocks: headings, items, captions, program text and cells.

use super::reader::Reader;
use crate::parse::{
    flow::{Facts, Place, lines, words::Words},
    style_name::Role,
};

/// A heading longer than this is a paragraph that was given a place in the outline.
const MAX_HEADING_BYTES: usize = 300;

/// What is said of a paragraph besides its words; `\pard` takes all back.
#[derive(Clone, Debug, Default)]
pub(super) struct Properties {
    pub(super) style: i32,
    pub(super) outline: Option<u8>,
    /// It stands in a table; 2 and more in one that stands in a cell.
    pub(super) in_table: u32,
    /// The list it is in, and how deep.
    pub(super) list: Option<i32>,
    pub(super) level: usize,
    pub(super) indent: i32,
    pub(super) framed: bool,
}

impl Reader<'_> {
    /// The end of a paragraph.
    pub(super) fn end_paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        let marker = self.marker.take();
        let properties = self.properties.clone();
        if properties.in_table > 0 {
            self.add_to_cell(&words, marker.as_deref());
            return;
        }
        self.end_table();
        let text = lines(&words.text);
        let links = std::mem::take(&mut self.links);
        let facts = Facts { links, ..Facts::default() };
        if !text.is_empty() {
            self.worded(&properties, marker, &words, &text, &facts);
        }
        words.hidden.iter().for_each(|(why, text)| self.flow.hidden(why, text));
        for _ in 0..std::mem::take(&mut self.n_pictures) {
            self.flow.figure("");
        }
        for (mark, text) in std::mem::take(&mut self.notes) {
            let depth = self.flow.open_note(&mark, &format!("[{mark}]"));
            self.flow.writer.paragraph(&text, None);
            self.flow.writer.close_down_to(depth);
        }
    }

    fn worded(&mut self, properties: &Properties, marker: Option<String>, words: &Words, text: &str, facts: &Facts) {
        let outline = properties.outline.map(|level| Role::Heading(level + 1));
        let role = outline.or_else(|| self.styles.role(properties.style).cloned());
        // The marker as it was printed last; a bullet has none.
        let printed = marker.as_deref().map(str::trim).unwrap_or_default();
        let printed = if printed.contains(char::is_alphanumeric) { printed } else { "" };
        let counted = || if printed.is_empty() { text.to_owned() } else { format!("{printed} {text}") };
        match role {
            Some(Role::Heading(level)) if text.len() <= MAX_HEADING_BYTES => {
                self.flow.heading(level, &counted(), facts);
            }
            Some(Role::Title) if marker.is_none() => self.flow.title(text, facts),
            Some(Role::Contents) => self.flow.contents(text),
            Some(Role::Caption) => self.flow.caption(&counted(), facts),
            _ if marker.is_none() && (role == Some(Role::Code) || words.is_code()) => self.flow.code(&words.text),
            Some(Role::Label(kind)) => self.flow.labelled(&properties.style.to_string(), kind, &counted(), facts),
            _ if marker.is_some() || properties.list.is_some_and(|list| list > 0) || role == Some(Role::Item) => {
                let place = Place {
                    numbering: properties.list.and_then(|list| u32::try_from(list).ok()).unwrap_or(0),
                    level: properties.level,
                    indent: properties.indent,
                    ordered: !printed.is_empty(),
                };
                self.flow.item(place, printed, text, facts);
            }
            Some(Role::Quote) => self.flow.quote(text, words.lead(), facts),
            _ => self.flow.paragraph(text, words.lead(), properties.framed, properties.indent, facts),
        }
    }

    /// In a table a paragraph is a line of its cell.
    pub(super) fn add_to_cell(&mut self, words: &Words, marker: Option<&str>) {
        let text = lines(&words.text);
        let cell = &mut self.table.cell;
        if !text.is_empty() {
            cell.bold = (cell.text.is_empty() || cell.bold) && words.is_bold();
            match marker.map(str::trim).filter(|marker| marker.contains(char::is_alphanumeric)) {
                Some(marker) => cell.push_line(&format!("{marker} {text}")),
                None => cell.push_line(&text),
            }
        }
        cell.facts.links.append(&mut self.links);
    }

    /// Writes the table that was read, if one was.
    pub(super) fn end_table(&mut self) {
        if !self.table.is_empty() {
            let rows = std::mem::take(&mut self.table).finish();
            let caption = self.flow.table_caption();
            self.flow.table(caption.as_deref().unwrap_or_default(), &rows, &Default::default());
        }
    }
}
