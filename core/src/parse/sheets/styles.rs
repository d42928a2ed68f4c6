//! Styles: what cells refer to by number for their looks and for how their numbers are shown.

use super::{
    grid::{GridCell, Look, ValueKind},
    number_format::NumberFormat,
};
use std::collections::BTreeMap;

/// Excel's own limit is 65,490.
pub(super) const MAX_STYLES: usize = 70_000;

/// The styles of a workbook.
#[derive(Debug)]
pub(super) struct Styles {
    formats: Vec<NumberFormat>,
    /// Of every style: the index of its format, and how it looks.
    cells: Vec<(usize, Look)>,
    general: NumberFormat,
    /// Days are counted from 1904.
    pub(super) is_1904: bool,
}

impl Default for Styles {
    fn default() -> Self {
        Self { formats: Vec::new(), cells: Vec::new(), general: NumberFormat::builtin(0), is_1904: false }
    }
}

impl Styles {
    /// Gathers styles from the ids of their formats; codes of the file's own go before the built-in ones.
    pub(super) fn collect(codes: &BTreeMap<u32, String>, cells: impl Iterator<Item = (u32, Look)>) -> Self {
        let mut styles = Self::default();
        let mut known: BTreeMap<u32, usize> = BTreeMap::new();
        for (id, look) in cells.take(MAX_STYLES) {
            let formats = &mut styles.formats;
            let format = *known.entry(id).or_insert_with(|| {
                let format = codes.get(&id).map(|code| NumberFormat::parse(code));
                formats.push(format.unwrap_or_else(|| NumberFormat::builtin(id)));
                formats.len() - 1
            });
            styles.cells.push((format, look));
        }
        styles
    }

    /// How a cell of this style looks; plain where there is no such style.
    pub(super) fn look(&self, style: usize) -> Look {
        self.cells.get(style).map(|(_, look)| *look).unwrap_or_default()
    }

    /// Fills a cell with a number as its style shows it.
    pub(super) fn number(&self, style: usize, value: f64, cell: &mut GridCell) {
        let format = self.format(style);
        let shown = format.show(value, self.is_1904);
        cell.value = if shown.is_date { ValueKind::Date } else { ValueKind::Number };
        cell.text = shown.text;
        if let Some(unit) = format.unit().filter(|_| !shown.is_date) {
            cell.facts.get_or_insert_default().unit = Some(unit.to_owned());
        }
        if let Some(stored) = shown.stored {
            cell.facts.get_or_insert_default().value = Some(stored);
        }
    }

    /// Fills a cell with words as its style shows them.
    pub(super) fn text(&self, style: usize, text: String, cell: &mut GridCell) {
        cell.value = ValueKind::Text;
        cell.text = if text.is_empty() { text } else { self.format(style).show_text(text) };
    }

    fn format(&self, style: usize) -> &NumberFormat {
        self.cells.get(style).and_then(|(format, _)| self.formats.get(*format)).unwrap_or(&self.general)
    }
}
