//! docling's accepted tree of a file as a row of blocks: its JSON, or for Markdown, where most have none, the Markdown
//! that docling makes of it again.

use super::{Block, Class, stored};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

/// The accepted blocks of a source; `None` where there is no accepted tree beside it.
pub(super) fn blocks(source: &Path) -> Option<Vec<Block>> {
    let name = source.file_name()?.to_str()?;
    let accepted = source.parent()?.parent()?.join("groundtruth");
    if let Ok(json) = fs::read(accepted.join(format!("{name}.json"))) {
        let document: Value = serde_json::from_slice(&json).ok()?;
        return Some(Reader::new(&document).read());
    }
    let markdown = fs::read_to_string(accepted.join(format!("{name}.md"))).ok()?;
    name.ends_with(".md").then(|| written(&markdown))
}

/// Reads docling's JSON.
struct Reader<'a> {
    document: &'a Value,
    /// Captions are told with what they belong to, though the body lists them too.
    captions: BTreeSet<&'a str>,
    blocks: Vec<Block>,
}

impl<'a> Reader<'a> {
    fn new(document: &'a Value) -> Self {
        let captioned = ["pictures", "tables"].iter().filter_map(|kind| document[kind].as_array()).flatten();
        let captions = captioned.flat_map(|item| references(item, "captions")).collect();
        Self { document, captions, blocks: Vec::new() }
    }

    fn read(mut self) -> Vec<Block> {
        self.children(&self.document["body"]);
        self.blocks
    }

    fn children(&mut self, item: &'a Value) {
        for reference in references(item, "children") {
            if !self.captions.contains(reference) {
                self.item(self.at(reference));
            }
        }
    }

    /// Whether the source is a workbook: there docling knows nothing but tables, and calls a lone cell one too.
    fn is_workbook(&self) -> bool {
        self.document["origin"]["mimetype"].as_str().is_some_and(|kind| kind.ends_with("spreadsheetml.sheet"))
    }

    /// The item at `#/texts/0`.
    fn at(&self, reference: &str) -> &'a Value {
        reference.strip_prefix('#').and_then(|pointer| self.document.pointer(pointer)).unwrap_or(&Value::Null)
    }

    fn item(&mut self, item: &'a Value) {
        // "invisible" is what hidden sheets hold; furniture and notes stand beside the tree.
        let layer = item["content_layer"].as_str().unwrap_or("body");
        if !matches!(layer, "body" | "invisible") {
            return;
        }
        let text = item["text"].as_str().unwrap_or_default();
        match item["label"].as_str().unwrap_or_default() {
            "inline" => self.inline(item, Class::Text),
            "title" | "section_header" => self.worded(item, Class::Heading, text),
            "list_item" => self.worded(item, Class::Item, text),
            "caption" => self.worded(item, Class::Caption, text),
            "code" => self.worded(item, Class::Code, text),
            "formula" => self.worded(item, Class::Formula, text),
            "picture" => {
                self.blocks.push(Block::new(Class::Figure, ""));
                self.captions_of(item);
                self.children(item);
            }
            "table" => self.table(item),
            _ => self.worded(item, Class::Text, text),
        }
    }

    fn worded(&mut self, item: &'a Value, class: Class, text: &str) {
        let block = Block::new(class, text);
        if !block.text.is_empty() {
            self.blocks.push(block);
            self.children(item);
            return;
        }
        // Its text is the group of pieces that stands in it.
        let is_group = |child: &&Value| child["label"] == "inline";
        let children: Vec<&Value> = references(item, "children").map(|reference| self.at(reference)).collect();
        match children.split_first().filter(|(first, _)| is_group(first)) {
            Some((pieces, others)) if class != Class::Text => {
                self.inline(pieces, class);
                others.iter().for_each(|child| self.item(child));
            }
            _ => self.children(item),
        }
    }

    /// A paragraph in pieces, each of its own type.
    fn inline(&mut self, group: &'a Value, class: Class) {
        let pieces: Vec<&Value> = references(group, "children").map(|reference| self.at(reference)).collect();
        let text = |piece: &Value| piece["text"].as_str().unwrap_or_default().to_owned();
        let worded = pieces.iter().filter(|piece| !text(piece).trim().is_empty());
        if worded.clone().all(|piece| piece["label"] == "formula") {
            self.blocks.extend(worded.map(|piece| Block::new(Class::Formula, &text(piece))));
        } else {
            let joined = worded.map(|piece| text(piece)).collect::<Vec<_>>().join(" ");
            self.blocks.push(Block { pieced: true, ..Block::new(class, &joined) });
        }
        let others = pieces.into_iter().filter(|piece| matches!(piece["label"].as_str(), Some("picture" | "table")));
        others.for_each(|piece| self.item(piece));
    }

    fn captions_of(&mut self, item: &'a Value) {
        for reference in references(item, "captions") {
            let text = self.at(reference)["text"].as_str().unwrap_or_default();
            self.blocks.push(Block::new(Class::Caption, text));
        }
    }

    /// The shape and the rows; of what stands in cells only tables and pictures are blocks of their own, for the texts
    /// are in the rows.
    fn table(&mut self, item: &'a Value) {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let data = &item["data"];
        let is_lone = number(&data["num_rows"]) == 1 && number(&data["num_cols"]) == 1;
        if is_lone && self.is_workbook() {
            let text = data["table_cells"][0]["text"].as_str().unwrap_or_default();
            self.worded(item, Class::Text, text);
            return;
        }
        let shape = format!("{} x {}", number(&data["num_rows"]), number(&data["num_cols"]));
        self.blocks.push(Block::new(Class::Table, &shape));
        let cells: Vec<&Value> = data["table_cells"].as_array().into_iter().flatten().collect();
        for row in 0..number(&data["num_rows"]) {
            let in_row = cells.iter().filter(|cell| number(&cell["start_row_offset_idx"]) == row);
            let texts = in_row.filter_map(|cell| {
                let text = super::common::collapse(cell["text"].as_str().unwrap_or_default());
                (!text.is_empty()).then(|| format!("{}: {text}", number(&cell["start_col_offset_idx"])))
            });
            let texts: Vec<String> = texts.collect();
            if !texts.is_empty() {
                let stored = self.is_workbook().then(|| stored::row(texts.iter().map(String::as_str)));
                self.blocks.push(Block { stored, ..Block::new(Class::Row, &texts.join(" | ")) });
            }
        }
        self.captions_of(item);
        self.within_cells(item);
    }

    fn within_cells(&mut self, item: &'a Value) {
        for reference in references(item, "children") {
            let child = self.at(reference);
            match child["label"].as_str() {
                Some("table" | "picture") => self.item(child),
                _ => self.within_cells(child),
            }
        }
    }
}

/// The references in a list of an item.
fn references<'a>(item: &'a Value, list: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    item[list].as_array().into_iter().flatten().filter_map(|reference| reference["$ref"].as_str())
}

/// Reads the Markdown that docling writes: one form for every block, a blank line between blocks.
fn written(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(fence) = trimmed.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            blocks.push(Block::new(Class::Code, &code.join("\n")));
            debug_assert!(!fence.contains('`'));
        } else if trimmed == "<!-- image -->" {
            blocks.push(Block::new(Class::Figure, ""));
        } else if trimmed.starts_with('|') {
            let mut rows = vec![cells(trimmed)];
            while let Some(row) = lines.next_if(|line| line.trim().starts_with('|')) {
                rows.push(cells(row.trim()));
            }
            blocks.extend(table(&rows));
        } else if !trimmed.is_empty() {
            let mut text = trimmed.to_owned();
            while let Some(more) = lines.next_if(|line| continues(line)) {
                text.push(' ');
                text.push_str(more.trim());
            }
            blocks.push(paragraph(&text));
        }
    }
    blocks
}

/// Whether a line goes on with the block before it.
fn continues(line: &str) -> bool {
    let line = line.trim();
    let is_item = line.starts_with("- ") || number(line).is_some();
    !line.is_empty() && !is_item && !["#", "|", "```", "<!--"].iter().any(|start| line.starts_with(start))
}

fn paragraph(text: &str) -> Block {
    let heading = text.trim_start_matches('#');
    let (class, text) = if heading.len() < text.len() && heading.starts_with(' ') {
        (Class::Heading, heading)
    } else if let Some(item) = text.strip_prefix("- ").or_else(|| number(text)) {
        (Class::Item, item)
    } else {
        (Class::Text, text)
    };
    Block { pieced: true, ..Block::new(class, &unstyled(text)) }
}

/// What follows `12. `.
fn number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() { rest.strip_prefix(". ") } else { None }
}

fn cells(row: &str) -> Vec<String> {
    row.trim_matches('|').split(" | ").map(|cell| super::common::collapse(&unstyled(cell))).collect()
}

/// A table's blocks from its rows, the second of which is the line under the header.
fn table(rows: &[Vec<String>]) -> Vec<Block> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let mut blocks = vec![Block::new(Class::Table, &format!("{} x {n_columns}", rows.len().saturating_sub(1)))];
    for (_, row) in rows.iter().enumerate().filter(|(at, _)| *at != 1) {
        let filled = row.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
        let text = filled.map(|(at, cell)| format!("{at}: {cell}")).collect::<Vec<_>>().join(" | ");
        if !text.is_empty() {
            blocks.push(Block::new(Class::Row, &text));
        }
    }
    blocks
}

/// A line's text without emphasis, code marks, escapes and the addresses of links.
fn unstyled(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '\\' => {
                let mut escaped = rest.chars();
                plain.extend(escaped.next());
                rest = escaped.as_str();
            }
            '*' | '`' => {}
            '[' => match rest.split_once("](").and_then(|(text, after)| Some((text, after.split_once(')')?.1))) {
                // "[11]" is no link, whatever comes later.
                Some((text, after)) if !text.contains(']') => {
                    plain.push_str(&unstyled(text));
                    rest = after;
                }
                _ => plain.push('['),
            },
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(blocks: &[Block]) -> Vec<String> {
        blocks.iter().map(|block| format!("{:?} {}", block.class, block.text)).collect()
    }

    #[test]
    fn references_are_followed_in_order_and_captions_told_once() {
        let reference = |to: &str| json!({"$ref": to});
        let document = json!({
            "body": {"children": [reference("#/texts/0"), reference("#/groups/0"), reference("#/pictures/0"),
                reference("#/texts/3"), reference("#/texts/4"), reference("#/tables/0")]},
            "groups": [{"label": "list", "children": [reference("#/texts/1")]},
                {"label": "inline", "children": [reference("#/texts/2"), reference("#/texts/5")]}],
            "texts": [{"label": "title", "text": "Pump"},
                {"label": "list_item", "text": "", "children": [reference("#/groups/1")]},
                {"label": "text", "text": "Stop"}, {"label": "caption", "text": "Figure 1"},
                {"label": "text", "text": "Page 1", "content_layer": "furniture"}, {"label": "text", "text": "now"}],
            "pictures": [{"label": "picture", "captions": [reference("#/texts/3")]}],
            "tables": [{"label": "table", "data": {"num_rows": 2, "num_cols": 2, "table_cells": [
                {"text": "M6", "start_row_offset_idx": 0, "start_col_offset_idx": 1},
                {"text": "", "start_row_offset_idx": 1, "start_col_offset_idx": 0}]}}],
        });
        let blocks = Reader::new(&document).read();
        let expected = ["Heading Pump", "Item Stop now", "Figure ", "Caption Figure 1", "Table 2 x 2", "Row 1: M6"];
        assert_eq!(shown(&blocks), expected);
        assert!(blocks[1].pieced);
    }

    #[test]
    fn markdown_is_read_by_its_blocks() {
        let markdown = "# **Pump** P\\_1\n\nOne [link](x)\ntwo [1]\n\n1. first\n    - second\n\n| A | B |\n| - | - |\n|  | 2 |\n\n```\na b\n```";
        let expected = [
            "Heading Pump P_1",
            "Text One link two [1]",
            "Item first",
            "Item second",
            "Table 2 x 2",
            "Row 0: A | 1: B",
            "Row 1: 2",
            "Code a b",
        ];
        assert_eq!(shown(&written(markdown)), expected);
    }
}
