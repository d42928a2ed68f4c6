//! Names of cells: `B2`, `$A$1:$C$9`, `Sheet1!B2`.

use crate::document::CellRange;

/// The last row and column that any program has.
const LAST_ROW: u32 = 1_048_575;
const LAST_COLUMN: u32 = 16_383;

/// The row and column of a cell, from 0; `None` if there is no such cell.
pub(super) fn cell(name: &str) -> Option<(u32, u32)> {
    let name = name.rsplit(['!', '.']).next()?;
    let (mut column, mut row) = (0_u32, 0_u32);
    for byte in name.bytes().filter(|byte| *byte != b'$') {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' if row == 0 => {
                column = column.checked_mul(26)?.checked_add(u32::from(byte.to_ascii_uppercase() - b'A') + 1)?;
            }
            b'0'..=b'9' if column > 0 => row = row.checked_mul(10)?.checked_add(u32::from(byte - b'0'))?,
            _ => return None,
        }
    }
    let (row, column) = (row.checked_sub(1)?, column.checked_sub(1)?);
    exists(row, column).then_some((row, column))
}

/// The range of a name with one cell or two.
pub(super) fn range(name: &str) -> Option<CellRange> {
    let (first, last) = name.split_once(':').unwrap_or((name, name));
    between(cell(first)?, cell(last)?)
}

/// The range between the row and column of one corner and those of the other, whichever stands first; `None` if not all of
/// its cells exist.
pub(super) fn between(a: (u32, u32), b: (u32, u32)) -> Option<CellRange> {
    let (last_row, last_column) = (a.0.max(b.0), a.1.max(b.1));
    exists(last_row, last_column).then_some(CellRange {
        first_row: a.0.min(b.0),
        first_column: a.1.min(b.1),
        last_row,
        last_column,
    })
}

/// Whether a place exists in a sheet.
pub(super) fn exists(row: u32, column: u32) -> bool {
    row <= LAST_ROW && column <= LAST_COLUMN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells_are_read_as_they_are_written() {
        assert_eq!(cell("A1"), Some((0, 0)));
        assert_eq!(cell("$XFD$1048576"), Some((1_048_575, 16_383)));
        assert_eq!(cell("'My sheet'!B2"), Some((1, 1)));
        for wrong in ["", "A", "1", "A0", "XFE1", "A1048577", "1A", "A1B", "AAAAAAAAAAAAAAA1"] {
            assert_eq!(cell(wrong), None, "{wrong}");
        }
        assert_eq!(range("C9:$A$2").map(|range| range.to_string()).as_deref(), Some("A2:C9"));
        assert_eq!(range("B2").map(|range| range.to_string()).as_deref(), Some("B2"));
    }
}
