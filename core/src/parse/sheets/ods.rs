//! ODS: OpenDocument spreadsheets (ISO/IEC 26300). The file holds every value as text just as it was shown.
//!
//! Not for scripts, forms and embedded objects.

mod cell;
mod styles;

use super::{
    MAX_MERGES, MAX_SHEETS, SheetInfo, Workbook,
    grid::{DeclaredTable, Grid, GridCell},
    main_part, part, reference, shorten,
    xml::{Item, Tag, Xml},
};
use crate::{
    document::CellRange,
    parse::{ParseError, kib, package::Package, tick},
};
use styles::Styles;

/// Blank cells with frames are kept as they stand, but no run of them that is longer: that is a ruled sheet.
const MAX_FRAMED_RUN: u32 = 64;

/// Reads all sheets.
///
/// # Errors
/// [`ParseError::Damaged`], [`ParseError::Password`] or [`ParseError::WrongPassword`], and [`ParseError::Cancelled`].
pub(super) fn read(bytes: &[u8], password: Option<&str>, workbook: &mut Workbook<'_>) -> Result<(), ParseError> {
    let mut package = Package::open(bytes)?;
    package.unlock(password)?;
    let (text, is_whole) = main_part(&mut package, "content.xml")?;
    workbook.unpacked(text.len());
    let mut styles = Styles::default();
    if let Some((common, _)) = part(&mut package, "styles.xml") {
        let mut xml = Xml::new(&common);
        while let Some(tag) = xml.next_open() {
            styles.see(&tag);
        }
    }
    let ranges = database_ranges(&text);
    let mut reader = Reader { styles, ranges, total: kib(text.len()) };
    let mut xml = Xml::new(&text);
    let mut n_sheets = 0;
    while let Some(tag) = xml.next_open() {
        if tag.name() == "table" && n_sheets < MAX_SHEETS {
            n_sheets += 1;
            reader.sheet(&tag, &mut xml, workbook)?;
        } else {
            reader.styles.see(&tag);
        }
    }
    if xml.is_broken && is_whole {
        workbook.damaged.push("the content".to_owned());
    }
    workbook.is_cut |= !is_whole;
    Ok(())
}

/// A range with a name or with filter buttons.
struct DatabaseRange {
    sheet: String,
    name: Option<String>,
    cells: CellRange,
    has_header: bool,
    has_buttons: bool,
}

/// They stand behind all sheets, but are wanted before.
fn database_ranges(text: &str) -> Vec<DatabaseRange> {
    let Some(at) = text.rfind("database-ranges>").and_then(|end| text[..end].find("database-ranges>").or(Some(end)))
    else {
        return Vec::new();
    };
    let Some(start) = text[..at].rfind('<') else { return Vec::new() };
    let mut xml = Xml::new(&text[start..]);
    let mut ranges = Vec::new();
    while let Some(tag) = xml.next_open() {
        if tag.name() != "database-range" || ranges.len() >= MAX_SHEETS {
            continue;
        }
        let Some(address) = tag.attr("target-range-address") else { continue };
        let sheet = address.rsplit_once(':').map_or(address.as_str(), |(first, _)| first);
        let sheet = sheet.rsplit_once('.').map_or("", |(sheet, _)| sheet).trim_matches(['$', '\'']).to_owned();
        let name = tag.attr("name").filter(|name| !name.starts_with("__"));
        let has_header = tag.attr("contains-header").is_none_or(|value| value == "true");
        let has_buttons = tag.is_on("display-filter-buttons");
        if let Some(cells) = reference::range(&address) {
            ranges.push(DatabaseRange { sheet, name, cells, has_header, has_buttons });
        }
    }
    ranges
}

struct Reader {
    styles: Styles,
    ranges: Vec<DatabaseRange>,
    total: u32,
}

/// What one sheet's reading has come to.
#[derive(Default)]
struct Position {
    grid: Grid,
    row: u32,
    column: u32,
    /// Of the columns: first, last, and the style of cells that have none.
    columns: Vec<(u32, u32, String)>,
    next_column: u32,
    /// The cells of the row that is open, and the bytes in them.
    cells: Vec<GridCell>,
    n_bytes: usize,
    row_repeats: u32,
}

impl Reader {
    fn sheet(&mut self, tag: &Tag<'_>, xml: &mut Xml<'_>, workbook: &mut Workbook<'_>) -> Result<(), ParseError> {
        let name = tag.attr("name").unwrap_or_default();
        let is_hidden = tag.attr("style-name").is_some_and(|style| self.styles.hides_sheet(&style));
        let mut position = Position::default();
        for range in self.ranges.iter().filter(|range| range.sheet == name) {
            if range.has_buttons {
                position.grid.filter = Some(range.cells);
            } else if let Some(name) = &range.name {
                let n_header_rows = u32::from(range.has_header);
                let table = DeclaredTable { name: name.clone(), cells: range.cells, n_header_rows, n_total_rows: 0 };
                position.grid.tables.push(table);
            }
        }
        let mut depth = 1_u32;
        while let Some(item) = xml.next() {
            match item {
                Item::Open(tag) => match tag.name() {
                    "table" => depth += 1,
                    "table-column" => position.column(&tag),
                    "table-row" => {
                        if position.row.is_multiple_of(256) {
                            tick(workbook.progress, kib(xml.position() as usize), self.total)?;
                        }
                        position.begin_row(&tag);
                    }
                    name @ ("table-cell" | "covered-table-cell") => {
                        let name = name.to_owned();
                        self.cell(&name, &tag, xml, &mut position, workbook);
                    }
                    _ => {}
                },
                Item::Close(tag) => match tag.name() {
                    "table" => {
                        depth -= 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    "table-row" => position.end_row(workbook),
                    _ => {}
                },
                Item::Text(_) => {}
            }
        }
        workbook.sheet(SheetInfo { name, is_hidden }, position.grid)
    }

    fn cell(&self, name: &str, tag: &Tag<'_>, xml: &mut Xml<'_>, at: &mut Position, workbook: &mut Workbook<'_>) {
        let count = |name: &str| tag.number::<u32>(name).unwrap_or(1).max(1);
        let repeats = count("number-columns-repeated");
        let own_style = tag.attr("style-name");
        let style = own_style.as_deref().or_else(|| at.column_style(at.column));
        let look = style.map(|style| self.styles.look(style)).unwrap_or_default();
        let mut content = cell::read(name, tag, xml);
        let (row, column) = (at.row, at.column);
        at.column = column.saturating_add(repeats);
        if let Some(mut comment) = content.comment.take().filter(|_| reference::exists(row, column)) {
            (comment.row, comment.column) = (row, column);
            at.grid.comments.push(comment);
        }
        // Something under a merge is not shown.
        if name == "covered-table-cell" {
            return;
        }
        let (columns, rows) = (count("number-columns-spanned"), count("number-rows-spanned"));
        if (columns > 1 || rows > 1) && at.grid.merges.len() < MAX_MERGES {
            let (last_row, last_column) = (row.saturating_add(rows - 1), column.saturating_add(columns - 1));
            if reference::exists(last_row, last_column) {
                at.grid.merges.push(CellRange { first_row: row, first_column: column, last_row, last_column });
            }
        }
        let is_filled = !content.text.is_empty();
        if !is_filled && (!look.framed || repeats > MAX_FRAMED_RUN) {
            return;
        }
        shorten(&mut content.text);
        for (n, column) in (column..).take(repeats as usize).take_while(|at| reference::exists(row, *at)).enumerate() {
            let (text, facts) = (content.text.clone(), content.facts());
            let cell = GridCell { row, column, look, text, value: content.value, facts };
            if n > 0 && !workbook.repeats(at.n_bytes + cell.n_bytes()) {
                break;
            }
            at.n_bytes += cell.n_bytes();
            at.cells.push(cell);
        }
    }
}

impl Position {
    fn column(&mut self, tag: &Tag<'_>) {
        let n = tag.number::<u32>("number-columns-repeated").unwrap_or(1).max(1);
        let (first, last) = (self.next_column, self.next_column.saturating_add(n - 1));
        self.next_column = last.saturating_add(1);
        if is_hidden(tag) {
            self.grid.hidden_columns.push((first, last));
        }
        if let Some(style) = tag.attr("default-cell-style-name") {
            self.columns.push((first, last, style));
        }
    }

    fn column_style(&self, column: u32) -> Option<&str> {
        let at = self.columns.partition_point(|(first, ..)| *first <= column).checked_sub(1)?;
        let (_, last, style) = self.columns.get(at)?;
        (column <= *last).then_some(style)
    }

    fn begin_row(&mut self, tag: &Tag<'_>) {
        self.column = 0;
        self.cells.clear();
        self.n_bytes = 0;
        self.row_repeats = tag.number("number-rows-repeated").unwrap_or(1).max(1);
        if is_hidden(tag) {
            self.grid.hidden_rows.push((self.row, self.row.saturating_add(self.row_repeats - 1)));
        }
    }

    /// Adds the row as often as it is repeated.
    fn end_row(&mut self, workbook: &mut Workbook<'_>) {
        let is_filled = self.cells.iter().any(GridCell::is_filled);
        let n_rows = if is_filled { self.row_repeats } else { self.row_repeats.min(MAX_FRAMED_RUN) };
        let mut cells = std::mem::take(&mut self.cells);
        for row in (self.row..).take(n_rows as usize).take_while(|row| reference::exists(*row, 0)) {
            if workbook.is_full() || cells.is_empty() {
                break;
            }
            let is_last = row + 1 == self.row.saturating_add(n_rows);
            for cell in &mut cells {
                if row > self.row && !workbook.repeats(cell.n_bytes()) {
                    break;
                }
                let facts = if is_last { cell.facts.take() } else { cell.facts.clone() };
                let text = if is_last { std::mem::take(&mut cell.text) } else { cell.text.clone() };
                workbook.cell(&mut self.grid, GridCell { row, facts, text, ..*cell });
            }
        }
        self.row = self.row.saturating_add(self.row_repeats);
    }
}

fn is_hidden(tag: &Tag<'_>) -> bool {
    tag.attr("visibility").is_some_and(|value| value == "collapse" || value == "filter")
}
