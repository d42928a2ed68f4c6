//! One sheet of an XLSB: its cells, and what records say of rows, columns and ranges.

use super::{Records, Relation, Shared, extras, part, records::text, relations};
use crate::{
    document::CellRange,
    parse::{
        ParseError, kib,
        package::Package,
        sheets::{
            MAX_LINK_BYTES, MAX_MERGES, SheetInfo, Workbook,
            bytes::{Fields, error_name, rk},
            grid::{Grid, GridCell, ValueKind},
            reference,
        },
        tick,
    },
};
use std::collections::BTreeMap;

/// Reads a sheet and hands it over.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(super) fn read(
    package: &mut Package<'_>,
    relation: &Relation,
    shared: &Shared,
    info: SheetInfo,
    workbook: &mut Workbook<'_>,
) -> Result<(), ParseError> {
    let Some(content) = part(package, Some(relation)) else {
        workbook.damaged.push(info.name.clone());
        return workbook.sheet(info, Grid::default());
    };
    workbook.unpacked(content.len());
    let relations = relations(package, &relation.target);
    let mut sheet = Sheet { shared, relations: &relations, grid: Grid::default(), row: 0 };
    let mut records = Records::new(&content);
    let mut n_records = 0_u32;
    let mut is_ended = false;
    while let Some((kind, bytes)) = records.next() {
        if n_records.is_multiple_of(4096) {
            tick(workbook.progress, kib(records.position()), kib(content.len()))?;
        }
        n_records += 1;
        // A record that is too short says nothing.
        if sheet.cell(kind, Fields::new(bytes), workbook).is_none() {
            let _ = sheet.other(kind, Fields::new(bytes));
        }
        is_ended |= kind == 130;
        if workbook.is_full() {
            break;
        }
    }
    if !is_ended && !workbook.is_full() {
        workbook.damaged.push(info.name.clone());
    }
    let mut grid = sheet.grid;
    extras::add(package, &relations, &mut grid);
    workbook.sheet(info, grid)
}

struct Sheet<'s> {
    shared: &'s Shared,
    relations: &'s BTreeMap<String, Relation>,
    grid: Grid,
    row: u32,
}

impl Sheet<'_> {
    /// A record with a cell; `None` if it is another.
    fn cell(&mut self, kind: u32, mut fields: Fields<'_>, workbook: &mut Workbook<'_>) -> Option<()> {
        if !matches!(kind, 1..=11 | 62) {
            return None;
        }
        let column = fields.u32()?;
        let style = (fields.u32()? & 0xff_ffff) as usize;
        let styles = &self.shared.styles;
        let mut cell = GridCell { row: self.row, column, look: styles.look(style), ..GridCell::default() };
        match kind {
            2 => styles.number(style, rk(fields.u32()?), &mut cell),
            3 | 11 => {
                cell.value = ValueKind::Error;
                error_name(fields.u8()?).clone_into(&mut cell.text);
            }
            4 | 10 => {
                cell.value = ValueKind::Truth;
                cell.text = if fields.u8()? == 0 { "FALSE" } else { "TRUE" }.to_owned();
            }
            5 | 9 => styles.number(style, fields.f64()?, &mut cell),
            6 | 8 => styles.text(style, text(&mut fields)?, &mut cell),
            7 => {
                let text = self.shared.strings.get(fields.u32()? as usize).cloned().unwrap_or_default();
                styles.text(style, text, &mut cell);
            }
            62 => {
                fields.u8()?;
                styles.text(style, text(&mut fields)?, &mut cell);
            }
            _ => {}
        }
        if cell.text.trim().is_empty() {
            cell.text.clear();
        }
        if reference::exists(cell.row, cell.column) && (cell.is_filled() || cell.look.framed) {
            workbook.cell(&mut self.grid, cell);
        }
        Some(())
    }

    fn other(&mut self, kind: u32, mut fields: Fields<'_>) -> Option<()> {
        match kind {
            0 => {
                self.row = fields.u32()?;
                fields.take(7)?;
                if fields.u8()? & 0x10 != 0 {
                    self.grid.hidden_rows.push((self.row, self.row));
                }
            }
            60 => {
                let (first, last) = (fields.u32()?, fields.u32()?);
                fields.take(8)?;
                if fields.u16()? & 1 != 0 {
                    self.grid.hidden_columns.push((first, last));
                }
            }
            151 => {
                fields.f64()?;
                let rows = fields.f64()?;
                fields.take(12)?;
                if fields.u8()? & 1 != 0 {
                    self.grid.frozen_rows = rows as u32;
                }
            }
            161 => self.grid.filter = range(&mut fields),
            176 => {
                let merge = range(&mut fields)?;
                if self.grid.merges.len() < MAX_MERGES {
                    self.grid.merges.push(merge);
                }
            }
            494 => {
                let cells = range(&mut fields)?;
                let (id, location) = (text(&mut fields)?, text(&mut fields).unwrap_or_default());
                let outside = self.relations.get(&id).map(|relation| relation.target.clone());
                let link = outside.or_else(|| (!location.is_empty()).then(|| format!("#{location}")))?;
                let place = (cells.first_row, cells.first_column);
                let at = self.grid.cells.binary_search_by_key(&place, |cell| (cell.row, cell.column)).ok()?;
                let cell = self.grid.cells.get_mut(at).filter(|_| link.len() <= MAX_LINK_BYTES)?;
                cell.facts.get_or_insert_default().link = Some(link);
            }
            _ => {}
        }
        Some(())
    }
}

/// First and last row, first and last column, where all such cells exist; damaged files have them the wrong way round.
pub(super) fn range(fields: &mut Fields<'_>) -> Option<CellRange> {
    let mut next = || fields.u32();
    let (first_row, last_row, first_column, last_column) = (next()?, next()?, next()?, next()?);
    reference::between((first_row, first_column), (last_row, last_column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(numbers: [u32; 4]) -> Option<(u32, u32, u32, u32)> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let cells = range(&mut Fields::new(&bytes))?;
        Some((cells.first_row, cells.first_column, cells.last_row, cells.last_column))
    }

    #[test]
    fn ranges_lie_in_the_sheet_with_the_first_cell_first() {
        assert_eq!(read([1, 3, 0, 2]), Some((1, 0, 3, 2)));
        assert_eq!(read([3, 1, 2, 0]), Some((1, 0, 3, 2)));
        assert_eq!(read([16_777_217, 1, 0, 0]), None, "the first row is beyond the sheet");
        assert_eq!(read([1, 1, 45_312, 0]), None, "the first column is");
    }
}
