//! One sheet of an XLS: its cells, and what records say of rows, columns and remarks.

use super::{Record, Records, Shared, SheetPlace, records::latin1};
use crate::{
    document::CellRange,
    parse::{
        ParseError, kib,
        sheets::{
            MAX_LINK_BYTES, MAX_MERGES, Workbook,
            bytes::{Fields, error_name, rk, utf16},
            grid::{Grid, GridCell, GridComment, ValueKind},
            reference,
        },
        tick,
    },
};
use std::collections::BTreeMap;

/// Remarks of one sheet beyond this are left out.
const MAX_REMARKS: usize = 10_000;
/// Marks the address in a link.
const URL_MONIKER: [u8; 16] =
    [0xe0, 0xc9, 0xea, 0x79, 0xf9, 0xba, 0xce, 0x11, 0x8c, 0x82, 0x00, 0xaa, 0x00, 0x4b, 0xa9, 0x0b];

/// Reads a sheet and hands it over.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(super) fn read(
    stream: &[u8],
    place: SheetPlace,
    shared: &Shared,
    workbook: &mut Workbook<'_>,
) -> Result<(), ParseError> {
    let mut sheet =
        Sheet { shared, grid: Grid::default(), pending: None, depth: 0, is_frozen: false, remarks: Remarks::default() };
    let mut records = Records::new(stream, place.offset);
    let mut n_records = 0_u32;
    let mut is_ended = false;
    while let Some(record) = records.next() {
        if n_records.is_multiple_of(4096) {
            tick(workbook.progress, kib(records.at), kib(stream.len()))?;
        }
        n_records += 1;
        is_ended = !sheet.record(&record, workbook);
        if is_ended || workbook.is_full() {
            break;
        }
    }
    if !is_ended && !workbook.is_full() {
        workbook.damaged.push(place.info.name.clone());
    }
    if !sheet.is_frozen {
        sheet.grid.frozen_rows = 0;
    }
    sheet.remarks.add_to(&mut sheet.grid);
    workbook.sheet(place.info, sheet.grid)
}

struct Sheet<'s> {
    shared: &'s Shared,
    grid: Grid,
    /// A formula whose text comes in the next record.
    pending: Option<GridCell>,
    /// Sheets may hold charts, which begin and end as sheets do.
    depth: u32,
    is_frozen: bool,
    remarks: Remarks,
}

/// What a remark says is kept by the number of its box, whose cell is told at the end.
#[derive(Default)]
struct Remarks {
    current: Option<u16>,
    texts: BTreeMap<u16, String>,
    places: Vec<(u32, u32, u16, String)>,
}

impl Sheet<'_> {
    /// Takes in a record; `false` at the end of the sheet.
    fn record(&mut self, record: &Record<'_>, workbook: &mut Workbook<'_>) -> bool {
        let fields = Fields::new(record.bytes);
        match record.kind {
            0x809 => self.depth += 1,
            0x0a => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth > 0;
            }
            _ if self.depth > 1 => {}
            // In older workbooks shared formulas and arrays stand between a formula and its text.
            0x207 => {
                if let (Some(mut cell), Some(text)) =
                    (self.pending.take(), self.shared.texts.read(&mut { fields }, false))
                {
                    cell.text = text;
                    self.add(cell, workbook);
                }
            }
            0x203 | 0x27e | 0xbd | 0xfd | 0x204 | 0xd6 | 0x205 | 0x06 | 0x201 | 0xbe => {
                self.pending = None;
                // A record that is too short says nothing.
                let _ = self.cells(record.kind, fields, workbook);
            }
            _ => {
                let _ = self.other(record, fields);
            }
        }
        true
    }

    fn add(&mut self, mut cell: GridCell, workbook: &mut Workbook<'_>) {
        if cell.text.trim().is_empty() {
            cell.text.clear();
        }
        if reference::exists(cell.row, cell.column) && (cell.is_filled() || cell.look.framed) {
            workbook.cell(&mut self.grid, cell);
        }
    }

    /// A record with one cell or a run of them.
    fn cells(&mut self, kind: u16, mut fields: Fields<'_>, workbook: &mut Workbook<'_>) -> Option<()> {
        let (row, column) = (u32::from(fields.u16()?), u32::from(fields.u16()?));
        let styles = &self.shared.styles;
        let at = |column: u32, style: usize| GridCell { row, column, look: styles.look(style), ..GridCell::default() };
        if kind == 0xbd || kind == 0xbe {
            let size = if kind == 0xbd { 6 } else { 2 };
            // The last two bytes are the last column.
            let n_cells = fields.rest().len().saturating_sub(2) / size;
            let mut run = Vec::with_capacity(n_cells);
            for column in (column..).take(n_cells) {
                let style = usize::from(fields.u16()?);
                let mut cell = at(column, style);
                if kind == 0xbd {
                    styles.number(style, rk(fields.u32()?), &mut cell);
                }
                run.push(cell);
            }
            run.into_iter().for_each(|cell| self.add(cell, workbook));
            return Some(());
        }
        let style = usize::from(fields.u16()?);
        let mut cell = at(column, style);
        match kind {
            0x203 => styles.number(style, fields.f64()?, &mut cell),
            0x27e => styles.number(style, rk(fields.u32()?), &mut cell),
            0xfd => {
                let text = self.shared.strings.get(fields.u32()? as usize).cloned().unwrap_or_default();
                styles.text(style, text, &mut cell);
            }
            0x204 | 0xd6 => styles.text(style, self.shared.texts.read(&mut fields, false)?, &mut cell),
            0x205 => truth_or_error(fields.u8()?, fields.u8()? == 1, &mut cell),
            0x06 => {
                let result = fields.take(8)?;
                match (result[0], &result[6..]) {
                    (0, [0xff, 0xff]) => {
                        self.pending = Some(cell);
                        return Some(());
                    }
                    (kind @ (1 | 2), [0xff, 0xff]) => truth_or_error(result[2], kind == 2, &mut cell),
                    (_, [0xff, 0xff]) => {}
                    _ => styles.number(style, Fields::new(result).f64()?, &mut cell),
                }
            }
            _ => {}
        }
        self.add(cell, workbook);
        Some(())
    }

    /// Rows, columns, ranges and remarks.
    fn other(&mut self, record: &Record<'_>, mut fields: Fields<'_>) -> Option<()> {
        match record.kind {
            0x208 => {
                let row = u32::from(fields.u16()?);
                fields.take(10)?;
                if fields.u16()? & 0x20 != 0 {
                    self.grid.hidden_rows.push((row, row));
                }
            }
            0x7d => {
                let (first, last) = (u32::from(fields.u16()?), u32::from(fields.u16()?));
                fields.take(4)?;
                if fields.u16()? & 1 != 0 {
                    self.grid.hidden_columns.push((first, last));
                }
            }
            0xe5 => {
                for _ in 0..fields.u16()? {
                    let merge = range(&mut fields)?;
                    if self.grid.merges.len() < MAX_MERGES && reference::exists(merge.last_row, merge.last_column) {
                        self.grid.merges.push(merge);
                    }
                }
            }
            0x23e => self.is_frozen = fields.u16()? & 8 != 0,
            0x41 => self.grid.frozen_rows = u32::from(fields.take(2).and_then(|_| fields.u16())?),
            0x1b8 => {
                let cells = range(&mut fields)?;
                let place = (cells.first_row, cells.first_column);
                let rest = fields.rest();
                let found = rest.windows(16).position(|window| window == URL_MONIKER)?;
                let mut fields = Fields::new(rest.get(found + 16..)?);
                let length = fields.u32()? as usize;
                let link = utf16(fields.take(length.min(fields.rest().len()))?);
                let link = link.split('\0').next()?.to_owned();
                let at = self.grid.cells.binary_search_by_key(&place, |cell| (cell.row, cell.column)).ok()?;
                let cell = self.grid.cells.get_mut(at).filter(|_| link.len() <= MAX_LINK_BYTES)?;
                cell.facts.get_or_insert_default().link = Some(link);
            }
            0x5d => self.remarks.current = fields.take(6).and_then(|_| fields.u16()),
            0x1b6 => {
                let n_letters = usize::from(fields.take(10).and_then(|_| fields.u16())?);
                let (flags, letters) = record.more.first()?.split_first()?;
                let text = if flags & 1 == 1 {
                    utf16(&letters[..letters.len().min(n_letters * 2)])
                } else {
                    latin1(&letters[..letters.len().min(n_letters)])
                };
                if self.remarks.texts.len() < MAX_REMARKS {
                    self.remarks.texts.insert(self.remarks.current?, text);
                }
            }
            0x1c => {
                let (row, column) = (u32::from(fields.u16()?), u32::from(fields.u16()?));
                let number = fields.take(2).and_then(|_| fields.u16())?;
                let author = self.shared.texts.read(&mut fields, false).unwrap_or_default();
                if self.remarks.places.len() < MAX_REMARKS {
                    self.remarks.places.push((row, column, number, author));
                }
            }
            _ => {}
        }
        Some(())
    }
}

impl Remarks {
    fn add_to(mut self, grid: &mut Grid) {
        for (row, column, number, author) in self.places {
            let Some(text) = self.texts.remove(&number) else { continue };
            let author = author.trim_matches('\0').to_owned();
            // Excel writes the author's name above the remark.
            let text = text.strip_prefix(&format!("{author}:")).unwrap_or(&text).trim().to_owned();
            if !text.is_empty() && reference::exists(row, column) {
                grid.comments.push(GridComment { row, column, author, text });
            }
        }
    }
}

fn truth_or_error(value: u8, is_error: bool, cell: &mut GridCell) {
    cell.value = if is_error { ValueKind::Error } else { ValueKind::Truth };
    cell.text = match (is_error, value) {
        (true, code) => error_name(code),
        (false, 0) => "FALSE",
        (false, _) => "TRUE",
    }
    .to_owned();
}

/// First and last row, first and last column.
fn range(fields: &mut Fields<'_>) -> Option<CellRange> {
    let mut next = || fields.u16().map(u32::from);
    let (first_row, last_row, first_column, last_column) = (next()?, next()?, next()?, next()?);
    Some(CellRange { first_row, first_column, last_row, last_column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_stand_in_the_sheet() {
        let remarks = |column| {
            let texts = BTreeMap::from([(1, "Eva: cold".to_owned())]);
            let mut grid = Grid::default();
            Remarks { current: None, texts, places: vec![(1, column, 1, "Eva".to_owned())] }.add_to(&mut grid);
            grid.comments.len()
        };
        assert_eq!((remarks(2), remarks(45_312)), (1, 0), "no sheet has so many columns");
    }
}
