//! Where a node stands: on pages, in a source text, in a sheet.
//!
//! Not for finding places (parsers do) nor for drawing them.

use serde::{Deserialize, Serialize};

/// A range of the decoded source text, in bytes of its UTF-8 form: `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A rectangle on a page in PDF points (1/72 inch), the origin at the top left of the upright page, y downwards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BBox {
    /// Left.
    pub x0: f32,
    /// Top.
    pub y0: f32,
    /// Right.
    pub x1: f32,
    /// Bottom.
    pub y1: f32,
}

impl BBox {
    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }
}

/// A rectangle on one page of a document.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageBox {
    /// The page, from 1.
    pub page: u32,
    /// The rectangle on it.
    pub bbox: BBox,
}

/// A rectangle of cells in a sheet, both ends included, counted from 0: `B2:C9` is rows 1 to 8, columns 1 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellRange {
    /// First row.
    pub first_row: u32,
    /// First column.
    pub first_column: u32,
    /// Last row.
    pub last_row: u32,
    /// Last column.
    pub last_column: u32,
}

impl CellRange {
    /// The one cell.
    #[must_use]
    pub fn cell(row: u32, column: u32) -> Self {
        Self { first_row: row, first_column: column, last_row: row, last_column: column }
    }
}

impl std::fmt::Display for CellRange {
    /// As spreadsheet programs write it: `B2`, `B2:C9`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", column_letters(self.first_column), u64::from(self.first_row) + 1)?;
        if (self.first_row, self.first_column) == (self.last_row, self.last_column) {
            return Ok(());
        }
        write!(f, ":{}{}", column_letters(self.last_column), u64::from(self.last_row) + 1)
    }
}

/// The letters of a column counted from 0: A, …, Z, AA, ….
fn column_letters(column: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = u64::from(column) + 1;
    while rest > 0 {
        // The digits are 1 to 26: there is no zero.
        letters.push(char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

/// Lines of a source text, both ends included, counted from 1 as editors do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRange {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_as_spreadsheets_name_them() {
        assert_eq!(CellRange::cell(0, 0).to_string(), "A1");
        assert_eq!(CellRange { first_row: 1, first_column: 25, last_row: 8, last_column: 26 }.to_string(), "Z2:AA9");
        assert_eq!(CellRange::cell(1_048_575, 16_383).to_string(), "XFD1048576");
    }
}
