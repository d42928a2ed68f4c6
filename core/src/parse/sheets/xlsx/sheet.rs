//! One worksheet: its cells, and what the part says of rows, columns and ranges.

use super::{Relation, Shared, extras, relations, rich_text};
use crate::{
    document::CellRange,
    parse::{
        ParseError, kib,
        package::Package,
        sheets::{
            MAX_LINK_BYTES, MAX_MERGES, SheetInfo, Workbook,
            grid::{Grid, GridCell, ValueKind},
            part, reference,
            xml::{Item, Tag, Xml},
        },
        tick,
    },
};
use std::collections::BTreeMap;

/// Reads a sheet of any kind and hands it over.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(super) fn read(
    package: &mut Package<'_>,
    relation: &Relation,
    shared: &Shared,
    people: &BTreeMap<String, String>,
    info: SheetInfo,
    workbook: &mut Workbook<'_>,
) -> Result<(), ParseError> {
    let Some((text, is_whole)) = part(package, &relation.target) else {
        workbook.damaged.push(info.name.clone());
        return workbook.sheet(info, Grid::default());
    };
    workbook.unpacked(text.len());
    let relations = relations(package, &relation.target);
    let mut reader = SheetReader { shared, relations: &relations, grid: Grid::default(), row: 0, column: 0 };
    let mut xml = Xml::new(&text);
    reader.run(&mut xml, workbook, kib(text.len()))?;
    // What was cut off is said as such, not as damage.
    if xml.is_broken && is_whole {
        workbook.damaged.push(info.name.clone());
    }
    workbook.is_cut |= !is_whole;
    let mut grid = reader.grid;
    extras::add(package, &relations, people, &mut grid);
    workbook.sheet(info, grid)
}

struct SheetReader<'s> {
    shared: &'s Shared,
    relations: &'s BTreeMap<String, Relation>,
    grid: Grid,
    /// Where the next row and cell stand that do not say where.
    row: u32,
    column: u32,
}

impl SheetReader<'_> {
    fn run(&mut self, xml: &mut Xml<'_>, workbook: &mut Workbook<'_>, total: u32) -> Result<(), ParseError> {
        let mut n_rows = 0_u32;
        while let Some(item) = xml.next() {
            let Item::Open(tag) = item else { continue };
            match tag.name() {
                "row" => {
                    if n_rows.is_multiple_of(512) {
                        tick(workbook.progress, kib(xml.position() as usize), total)?;
                    }
                    n_rows += 1;
                    self.begin_row(&tag);
                }
                "c" => {
                    let cell = self.cell(&tag, xml);
                    if let Some(cell) = cell {
                        workbook.cell(&mut self.grid, cell);
                    }
                    if workbook.is_full() {
                        return Ok(());
                    }
                }
                _ => self.other(&tag),
            }
        }
        Ok(())
    }

    fn begin_row(&mut self, tag: &Tag<'_>) {
        if let Some(row) = tag.number::<u32>("r").and_then(|number| number.checked_sub(1)) {
            self.row = row;
        }
        self.column = 0;
        if tag.is_on("hidden") {
            self.grid.hidden_rows.push((self.row, self.row));
        }
        self.row = self.row.saturating_add(1);
    }

    /// Everything but rows and cells.
    fn other(&mut self, tag: &Tag<'_>) {
        let range = |name: &str| tag.attr(name).and_then(|range| reference::range(&range));
        match tag.name() {
            "col" if tag.is_on("hidden") => {
                let number = |name: &str| tag.number::<u32>(name).and_then(|number| number.checked_sub(1));
                if let (Some(first), Some(last)) = (number("min"), number("max")) {
                    self.grid.hidden_columns.push((first, last));
                }
            }
            "pane" if tag.attr("state").is_some_and(|state| state.starts_with("frozen")) => {
                let top = tag.attr("topLeftCell").and_then(|cell| reference::cell(&cell));
                let rows = tag.number::<f64>("ySplit").unwrap_or(0.0);
                // Rows scrolled out above the pane count too; the pane's first row tells, where nobody scrolled on.
                self.grid.frozen_rows = top.map_or(rows as u32, |(row, _)| row.min(rows as u32));
            }
            "mergeCell" if self.grid.merges.len() < MAX_MERGES => self.grid.merges.extend(range("ref")),
            "autoFilter" => self.grid.filter = range("ref"),
            "hyperlink" => {
                let outside = tag.attr("id").and_then(|id| self.relations.get(&id)).map(|link| link.target.clone());
                let inside = tag.attr("location").filter(|location| !location.is_empty());
                let link = match (outside, inside) {
                    (Some(outside), Some(inside)) => Some(format!("{outside}#{inside}")),
                    (None, Some(inside)) => Some(format!("#{inside}")),
                    (outside, None) => outside,
                };
                if let (Some(link), Some(cells)) = (link, range("ref")) {
                    self.link(&link, cells);
                }
            }
            _ => {}
        }
    }

    fn link(&mut self, link: &str, cells: CellRange) {
        let place = (cells.first_row, cells.first_column);
        if link.len() > MAX_LINK_BYTES {
            return;
        }
        let found = self.grid.cells.binary_search_by_key(&place, |cell| (cell.row, cell.column));
        if let Some(cell) = found.ok().and_then(|at| self.grid.cells.get_mut(at)) {
            cell.facts.get_or_insert_default().link = Some(link.to_owned());
        }
    }

    /// A cell up to its end; `None` if nothing is in it and nothing around it.
    fn cell(&mut self, tag: &Tag<'_>, xml: &mut Xml<'_>) -> Option<GridCell> {
        let place = tag.attr("r").and_then(|name| reference::cell(&name));
        let (row, column) = place.unwrap_or((self.row.saturating_sub(1), self.column));
        self.column = column.saturating_add(1);
        let kind = tag.attr("t").unwrap_or_default();
        let style = tag.number::<usize>("s").unwrap_or(0);
        let (mut value, mut formula, mut inline) = (String::new(), None, None);
        let mut inside = "";
        while let Some(item) = xml.next() {
            match item {
                Item::Open(tag) => match tag.name() {
                    "v" => inside = "v",
                    "f" => {
                        inside = "f";
                        formula = Some(String::new());
                    }
                    "is" => inline = Some(rich_text(xml, "is")),
                    _ => {}
                },
                Item::Text(text) => match (inside, &mut formula) {
                    ("v", _) => value.push_str(&text),
                    ("f", Some(formula)) => formula.push_str(&text),
                    _ => {}
                },
                Item::Close(tag) => match tag.name() {
                    "c" => break,
                    "v" | "f" => inside = "",
                    _ => {}
                },
            }
        }
        if !reference::exists(row, column) {
            return None;
        }
        let styles = &self.shared.styles;
        let look = styles.look(style);
        let mut cell = GridCell { row, column, look, ..GridCell::default() };
        match kind.as_str() {
            "s" => {
                let text = value.trim().parse::<usize>().ok().and_then(|at| self.shared.strings.get(at));
                styles.text(style, text.cloned().unwrap_or_default(), &mut cell);
            }
            "inlineStr" => styles.text(style, inline.unwrap_or(value), &mut cell),
            "str" => styles.text(style, value, &mut cell),
            "b" => {
                cell.value = ValueKind::Truth;
                cell.text = if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned();
            }
            "e" => {
                cell.value = ValueKind::Error;
                cell.text = value;
            }
            "d" => {
                cell.value = ValueKind::Date;
                cell.text = value.replace('T', " ").trim_end_matches(" 00:00:00").to_owned();
            }
            _ => match value.trim().parse::<f64>() {
                Ok(number) => styles.number(style, number, &mut cell),
                Err(_) => styles.text(style, value, &mut cell),
            },
        }
        if cell.text.trim().is_empty() {
            cell.text.clear();
        }
        if let Some(formula) = formula.filter(|formula| !formula.is_empty() && cell.is_filled()) {
            cell.facts.get_or_insert_default().formula = Some(formula);
        }
        (cell.is_filled() || look.framed).then_some(cell)
    }
}
