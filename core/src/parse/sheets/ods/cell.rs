//! What is in one cell of an OpenDocument spreadsheet.

use crate::parse::sheets::{
    MAX_CELL_CHARS,
    grid::{CellFacts, GridComment, ValueKind},
    number_format::{NumberFormat, stored},
    xml::{Item, Tag, Xml},
};

/// A cell's content, wherever it stands.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) text: String,
    pub(super) value: ValueKind,
    pub(super) comment: Option<GridComment>,
    formula: Option<String>,
    unit: Option<String>,
    link: Option<String>,
    stored: Option<String>,
}

impl Content {
    /// What most cells do not have; `None` where this one has nothing of it.
    pub(super) fn facts(&self) -> Option<Box<CellFacts>> {
        let facts = [&self.formula, &self.unit, &self.link, &self.stored];
        facts.iter().any(|fact| fact.is_some()).then(|| {
            Box::new(CellFacts {
                formula: self.formula.clone(),
                unit: self.unit.clone(),
                link: self.link.clone(),
                value: self.stored.clone(),
            })
        })
    }
}

/// Reads up to the end of the cell that was just opened.
pub(super) fn read(name: &str, tag: &Tag<'_>, xml: &mut Xml<'_>) -> Content {
    let mut content =
        Content { formula: tag.attr("formula").map(|formula| plain_formula(&formula)), ..Content::default() };
    let kind = tag.attr("value-type").unwrap_or_default();
    content.value = match kind.as_str() {
        "float" | "percentage" | "currency" => ValueKind::Number,
        "date" | "time" => ValueKind::Date,
        "boolean" => ValueKind::Truth,
        _ => ValueKind::Text,
    };
    content.unit = tag.attr("currency").filter(|_| kind == "currency");
    let instead = || match kind.as_str() {
        "float" | "percentage" | "currency" => {
            let value = tag.number::<f64>("value")?;
            let format = NumberFormat::builtin(if kind == "percentage" { 10 } else { 0 });
            Some(format.show(value, false).text)
        }
        "date" => tag.attr("date-value"),
        "time" => tag.attr("time-value"),
        "boolean" => tag.attr("boolean-value").map(|value| value.to_uppercase()),
        _ => tag.attr("string-value"),
    };
    paragraphs(name, xml, &mut content);
    if content.text.is_empty() {
        content.text = instead().unwrap_or_default();
    }
    content.stored = match content.value {
        ValueKind::Number => tag.number::<f64>("value").and_then(|value| stored(&content.text, value)),
        // "2026-11-30T14:05:00": a day alone has no time.
        ValueKind::Date => tag
            .attr("date-value")
            .map(|value| value.trim_end_matches("T00:00:00").replace('T', " "))
            .filter(|value| *value != content.text),
        _ => None,
    };
    if content.text.trim().is_empty() {
        content.text.clear();
    }
    if content.value == ValueKind::Number && (content.text.starts_with('#') || content.text.starts_with("Err:")) {
        content.value = ValueKind::Error;
    }
    content
}

/// The paragraphs of the cell, and the remark on it.
fn paragraphs(name: &str, xml: &mut Xml<'_>, content: &mut Content) {
    // Cells of tables in cells, drawings, and paragraphs have to be told apart by what they stand in.
    let (mut n_cells, mut n_drawn, mut n_open) = (1_u32, 0_u32, 0_u32);
    let mut remark: Option<(String, String)> = None;
    let mut in_author = false;
    while let Some(item) = xml.next() {
        match item {
            Item::Open(tag) => match tag.name() {
                opened if opened == name => n_cells += 1,
                "annotation" => remark = Some((String::new(), String::new())),
                "creator" => in_author = remark.is_some(),
                "frame" | "custom-shape" | "g" | "object" | "control" => n_drawn += 1,
                "p" if n_drawn == 0 => {
                    let text = remark.as_mut().map_or(&mut content.text, |(_, text)| text);
                    if !text.is_empty() {
                        text.push('\n');
                    }
                    n_open += 1;
                }
                "s" => {
                    let n = tag.number::<usize>("c").unwrap_or(1).min(MAX_CELL_CHARS);
                    add(content, &mut remark, n_drawn, &" ".repeat(n));
                }
                "tab" => add(content, &mut remark, n_drawn, "\t"),
                "line-break" => add(content, &mut remark, n_drawn, "\n"),
                "a" if remark.is_none() => content.link = tag.attr("href").or(content.link.take()),
                _ => {}
            },
            Item::Close(tag) => match tag.name() {
                closed if closed == name => {
                    n_cells -= 1;
                    if n_cells == 0 {
                        break;
                    }
                }
                "p" => n_open = n_open.saturating_sub(u32::from(n_drawn == 0)),
                "annotation" => {
                    content.comment = remark
                        .take()
                        .filter(|(_, text)| !text.trim().is_empty())
                        .map(|(author, text)| GridComment { row: 0, column: 0, author, text: text.trim().to_owned() });
                }
                "creator" => in_author = false,
                "frame" | "custom-shape" | "g" | "object" | "control" => n_drawn = n_drawn.saturating_sub(1),
                _ => {}
            },
            Item::Text(text) => match &mut remark {
                Some((author, _)) if in_author => author.push_str(&text),
                // White space between paragraphs is the file's, not the cell's.
                _ if n_open == 0 => {}
                _ => add(content, &mut remark, n_drawn, &text),
            },
        }
    }
}

fn add(content: &mut Content, remark: &mut Option<(String, String)>, n_drawn: u32, part: &str) {
    let text = remark.as_mut().map_or(&mut content.text, |(_, text)| text);
    if n_drawn == 0 && text.len() < MAX_CELL_CHARS * 4 {
        text.push_str(part);
    }
}

/// `of:=SUM([.B2:.B4])` is `SUM(B2:B4)`.
fn plain_formula(formula: &str) -> String {
    let (_, formula) = formula.split_once('=').unwrap_or(("", formula));
    formula.replace("[.", "").replace(":.", ":").replace(['[', ']'], "")
}
