//! Spreadsheets: every sheet a section, in it its tables with their titles, pairs of keys and values, lines and remarks.
//!
//! Not for computing: a cell says what the program that saved it last showed. Not calamine either: it gives neither
//! number formats nor hidden rows, remarks and looks, holds a sheet as a full rectangle (one cell at XFD1048576 asks
//! for hundreds of gigabytes), and a panic in it would end the tab's reader. XLSX and ODS are XML in a ZIP, read here
//! in one pass within bounds; XLS and XLSB are records, read the same way.

mod blocks;
mod bytes;
mod grid;
mod header;
mod number_format;
mod ods;
mod part;
mod reference;
mod regions;
mod styles;
#[cfg(test)]
mod tests;
mod write;
mod xls;
mod xlsb;
mod xlsx;
mod xml;

pub(crate) use header::is_total_name;

use super::{Format, MAX_NODES, ParseError, ParseWarning, ParseWarningKind, package::Package, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, facts},
    host::Progress,
};
use grid::{Grid, GridCell};
use std::collections::BTreeSet;
use write::SheetWriter;

/// The most bytes of text in all cells together: a text that is stored once may be shown a million times.
const MAX_TEXT_BYTES: usize = if cfg!(test) { 8 << 20 } else { 64 << 20 };
/// The same in parts of what is unpacked of the file, and what is allowed in any case. Texts of five hundred letters in
/// every cell are shown within it, and a small file does not become a book of a thousand volumes.
const TEXT_TIMES: usize = 16;
const FREE_TEXT_BYTES: usize = 2 << 20;
/// Cells that stand for many equal ones are written out so often, all together.
const MAX_REPEATED_CELLS: usize = 100_000;
/// Longer addresses are nobody's, but one may be shared by many cells.
const MAX_LINK_BYTES: usize = 2_048;
/// What Excel allows in a cell; more than that was not written by a person.
const MAX_CELL_CHARS: usize = 32_767;
/// More merged ranges of one sheet are not followed.
const MAX_MERGES: usize = 50_000;
/// What a sheet or the author of a remark may be called: every row knows its sheet. Excel allows 31 characters.
const MAX_NAME_CHARS: usize = 255;
/// Sheets beyond this are not read.
const MAX_SHEETS: usize = 2_000;

/// Reads a workbook.
///
/// # Errors
/// [`ParseError::Password`] or [`ParseError::WrongPassword`], [`ParseError::Damaged`] where there is no sheet, and [`ParseError::Cancelled`].
pub(crate) fn parse(
    format: Format,
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    password: Option<&str>,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut workbook = Workbook::new(DocumentBuilder::new(id, name), progress);
    match format {
        Format::Ods => ods::read(bytes, password, &mut workbook)?,
        Format::Xls => xls::read(bytes, password, &mut workbook)?,
        Format::Xlsb => xlsb::read(bytes, &mut workbook)?,
        Format::Xlsx => xlsx::read(bytes, &mut workbook)?,
        _ => return Err(super::format::unsupported(bytes)),
    }
    workbook.finish(warnings)
}

/// A workbook on its way to become a document: sheets come one by one, and what is left out is counted.
struct Workbook<'p> {
    writer: SheetWriter,
    progress: &'p mut dyn Progress,
    n_sheets: usize,
    /// Names of sheets that are not shown, and of sheets with rows or columns that are not shown.
    hidden_sheets: Vec<String>,
    partly_hidden: Vec<String>,
    /// Parts that ended too soon or could not be read.
    damaged: Vec<String>,
    n_cells_left_out: u64,
    text_bytes: usize,
    text_limit: usize,
    repeats_left: usize,
    /// The parts of sheets that were read: two sheets never share one.
    parts: BTreeSet<String>,
    is_cut: bool,
}

/// What a file says of a sheet as a whole.
struct SheetInfo {
    name: String,
    is_hidden: bool,
}

impl<'p> Workbook<'p> {
    fn new(builder: DocumentBuilder, progress: &'p mut dyn Progress) -> Self {
        Self {
            writer: SheetWriter::new(builder),
            progress,
            n_sheets: 0,
            hidden_sheets: Vec::new(),
            partly_hidden: Vec::new(),
            damaged: Vec::new(),
            n_cells_left_out: 0,
            text_bytes: 0,
            text_limit: FREE_TEXT_BYTES,
            repeats_left: MAX_REPEATED_CELLS,
            parts: BTreeSet::new(),
            is_cut: false,
        }
    }

    /// More of the file was unpacked: so much more text may come of it.
    fn unpacked(&mut self, n_bytes: usize) {
        self.text_limit = self.text_limit.saturating_add(n_bytes.saturating_mul(TEXT_TIMES)).min(MAX_TEXT_BYTES);
    }

    /// Whether a cell of so many bytes may be written once more for one that stands for many; then it is counted.
    fn repeats(&mut self, n_bytes: usize) -> bool {
        self.is_cut |= self.repeats_left == 0;
        if self.is_full() || self.repeats_left == 0 || self.text_bytes.saturating_add(n_bytes) > self.text_limit {
            return false;
        }
        self.repeats_left -= 1;
        true
    }

    /// Adds a cell unless a bound is reached; then it is counted and left out.
    fn cell(&mut self, grid: &mut Grid, mut cell: GridCell) {
        shorten(&mut cell.text);
        self.text_bytes = self.text_bytes.saturating_add(cell.n_bytes());
        let n_cells = self.writer.builder.n_nodes() + grid.cells.len();
        if n_cells >= MAX_NODES || self.text_bytes > self.text_limit {
            self.n_cells_left_out += u64::from(cell.is_filled());
            return;
        }
        grid.cells.push(cell);
    }

    /// Whether a bound is reached, so that reading on gives nothing.
    fn is_full(&self) -> bool {
        self.n_cells_left_out > 0
    }

    /// Writes a sheet that was read. One without anything in it is a heading all the same.
    fn sheet(&mut self, mut info: SheetInfo, mut grid: Grid) -> Result<(), ParseError> {
        self.n_sheets += 1;
        info.name = short_name(info.name);
        tick(self.progress, 0, 0)?;
        if self.writer.is_full() {
            self.is_cut = true;
            return Ok(());
        }
        grid.sort();
        let section = self.writer.builder.section(1, &info.name);
        self.writer.builder.node_metadata(section, facts::SHEET, &info.name);
        let is_hidden = |cell: &GridCell| grid.is_hidden_row(cell.row) || grid.is_hidden_column(cell.column);
        let hides_some = grid.cells.iter().any(|cell| cell.is_filled() && is_hidden(cell));
        if info.is_hidden {
            self.writer.builder.node_metadata(section, facts::HIDDEN, "sheet");
            self.hidden_sheets.push(info.name);
        } else if hides_some {
            self.partly_hidden.push(info.name);
        }
        self.writer.sheet(&grid, self.progress)
    }

    fn finish(self, warnings: &mut Vec<ParseWarning>) -> Result<Document, ParseError> {
        if self.n_sheets == 0 {
            return Err(ParseError::Damaged { detail: "it holds no sheet".to_owned() });
        }
        let mut warn = |kind, message| warnings.push(ParseWarning { kind, page: None, message });
        if self.is_cut || self.n_cells_left_out > 0 || self.writer.n_rows_left_out > 0 {
            warn(
                ParseWarningKind::Truncated,
                "The workbook holds more than is read of one file; the rest of its rows was left out. Split it to have \
                 all of them."
                    .to_owned(),
            );
        }
        if !self.damaged.is_empty() {
            warn(
                ParseWarningKind::Damaged,
                format!(
                    "Some of the workbook could not be read: {}. Open it in its own program and save it anew.",
                    listed(&self.damaged)
                ),
            );
        }
        if !self.hidden_sheets.is_empty() {
            warn(ParseWarningKind::Hidden, format!("Hidden sheets were read too: {}.", listed(&self.hidden_sheets)));
        }
        if !self.partly_hidden.is_empty() {
            warn(
                ParseWarningKind::Hidden,
                format!("Hidden rows or columns were read too, on: {}.", listed(&self.partly_hidden)),
            );
        }
        Ok(self.writer.builder.finish())
    }
}

/// Cuts a text to what a cell may hold, and gives back the room of the rest: it may be shown in many cells.
fn shorten(text: &mut String) {
    if let Some((at, _)) = text.char_indices().nth(MAX_CELL_CHARS) {
        text.truncate(at);
        text.shrink_to_fit();
    }
}

/// The name of a sheet or of a person, of a length that may be repeated.
fn short_name(mut name: String) -> String {
    if let Some((at, _)) = name.char_indices().nth(MAX_NAME_CHARS) {
        name.truncate(at);
        name.shrink_to_fit();
    }
    name
}

/// A part that says something of a sheet, and whether it is whole; one that cannot be unpacked counts as absent.
fn part(package: &mut Package<'_>, name: &str) -> Option<(String, bool)> {
    package.text_within_bounds(name).ok().flatten()
}

/// The part that says what sheets there are: without it nothing can be read.
fn main_part(package: &mut Package<'_>, name: &str) -> Result<(String, bool), ParseError> {
    let missing = || ParseError::Damaged { detail: format!("its part {name} is missing") };
    package.text_within_bounds(name)?.ok_or_else(missing)
}

/// The first names of a list, and how many more there are.
fn listed(names: &[String]) -> String {
    const MAX_NAMED: usize = 8;
    let mut text = names.iter().take(MAX_NAMED).map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ");
    if names.len() > MAX_NAMED {
        text.push_str(&format!(" and {} more", names.len() - MAX_NAMED));
    }
    text
}
