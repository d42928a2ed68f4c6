//! The looks of cells and sheets by the names of their styles.

use crate::parse::sheets::{grid::Look, xml::Tag};
use std::collections::{BTreeMap, BTreeSet};

/// More styles than any spreadsheet has.
const MAX_STYLES: usize = 100_000;

/// Gathered from the tags of both parts as they come: a property belongs to the style that was opened last.
#[derive(Debug, Default)]
pub(super) struct Styles {
    looks: BTreeMap<String, Look>,
    hidden_sheets: BTreeSet<String>,
    current: String,
}

impl Styles {
    /// Takes in what a tag says of a style, if it does.
    pub(super) fn see(&mut self, tag: &Tag<'_>) {
        match tag.name() {
            "style" if self.looks.len() < MAX_STYLES => {
                self.current = tag.attr("name").unwrap_or_default();
                let parent = tag.attr("parent-style-name").and_then(|parent| self.looks.get(&parent)).copied();
                self.looks.insert(self.current.clone(), parent.unwrap_or_default());
            }
            "text-properties" => {
                if let (Some(look), Some(weight)) = (self.looks.get_mut(&self.current), tag.attr("font-weight")) {
                    look.bold = weight == "bold" || weight.parse::<u32>().is_ok_and(|weight| weight >= 600);
                }
            }
            "table-cell-properties" => {
                let Some(look) = self.looks.get_mut(&self.current) else { return };
                if let Some(colour) = tag.attr("background-color") {
                    look.filled = !matches!(colour.to_lowercase().as_str(), "transparent" | "#ffffff");
                }
                let borders = ["border", "border-left", "border-right", "border-top", "border-bottom"];
                look.framed |= borders.iter().filter_map(|name| tag.attr(name)).any(|line| line != "none");
            }
            "table-properties" if tag.attr("display").is_some_and(|display| display == "false") => {
                self.hidden_sheets.insert(self.current.clone());
            }
            _ => {}
        }
    }

    /// How cells of a style look.
    pub(super) fn look(&self, style: &str) -> Look {
        self.looks.get(style).copied().unwrap_or_default()
    }

    /// Whether sheets of a style are not shown.
    pub(super) fn hides_sheet(&self, style: &str) -> bool {
        self.hidden_sheets.contains(style)
    }
}
