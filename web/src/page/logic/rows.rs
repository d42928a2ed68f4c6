//! Reads the text form of tables and rows back into cells, as byte ranges so that marks still fit.
//!
//! The chunker writes a table as a line per row with cells separated by ` | `, and a row as `column: value` pairs
//! separated by `; `. Not for deciding what a table is: text that does not read as one is shown as it stands.

use std::ops::Range;

/// A table in text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Lines before the first row: a caption.
    pub(crate) caption: Option<Range<usize>>,
    /// The cells of each row; the first row names the columns.
    pub(crate) rows: Vec<Vec<Range<usize>>>,
}

const CELL_SEPARATOR: &str = " | ";

/// The cells of a table in text form, `None` where no line holds a cell separator. O(text).
pub(crate) fn grid(text: &str) -> Option<Grid> {
    let mut caption: Option<Range<usize>> = None;
    let mut rows: Vec<Vec<Range<usize>>> = Vec::new();
    for line in pieces(text, 0..text.len(), "\n") {
        let line = trimmed(text, line);
        if line.is_empty() {
            continue;
        }
        // A row may begin or end with an empty cell, whose separator then lost its outer space to trimming.
        let shown = &text[line.clone()];
        if rows.is_empty() && !shown.contains(CELL_SEPARATOR) && !shown.starts_with("| ") && !shown.ends_with(" |") {
            caption = Some(caption.map_or(line.clone(), |before| before.start..line.end));
        } else {
            rows.push(cells(text, line));
        }
    }
    (!rows.is_empty()).then_some(Grid { caption, rows })
}

fn cells(text: &str, mut line: Range<usize>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    if text[line.clone()].starts_with("| ") {
        cells.push(line.start..line.start);
        line.start += 2;
    }
    let ends_empty = text[line.clone()].ends_with(" |");
    if ends_empty {
        line.end -= 2;
    }
    cells.extend(pieces(text, line.clone(), CELL_SEPARATOR).map(|cell| trimmed(text, cell)));
    if ends_empty {
        cells.push(line.end..line.end);
    }
    cells
}

/// A row's pairs of column name and value; the name is empty where there is none. `None` unless the first pair has a
/// name. A `; ` inside a value starts no new pair: a piece without `: ` belongs to the value before it. O(text).
pub(crate) fn pairs(text: &str) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let mut pairs: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for piece in pieces(text, 0..text.len(), "; ") {
        let piece = trimmed(text, piece);
        let shown = &text[piece.clone()];
        let colon = shown.find(": ").or_else(|| shown.strip_suffix(':').map(str::len));
        match (colon, pairs.last_mut()) {
            (Some(at), _) => {
                let name = piece.start..piece.start + at;
                pairs.push((name, trimmed(text, piece.start + at + 1..piece.end)));
            }
            (None, Some(last)) => last.1.end = piece.end,
            (None, None) => return None,
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// The ranges between separators.
fn pieces<'a>(text: &'a str, range: Range<usize>, separator: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut at = Some(range.start);
    std::iter::from_fn(move || {
        let start = at?;
        let found = text[start..range.end].find(separator);
        at = found.map(|gap| start + gap + separator.len());
        Some(start..found.map_or(range.end, |gap| start + gap))
    })
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let shown = &text[range.clone()];
    let start = range.start + (shown.len() - shown.trim_start().len());
    start..(start + shown.trim().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn texts(text: &str, rows: &[Vec<Range<usize>>]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(|cell| text[cell.clone()].to_owned()).collect()).collect()
    }

    #[test]
    fn lines_become_rows_and_bars_become_cells() {
        let text = "Code | Meaning\nE21 | Dry running\nE22 | ";
        let grid = grid(text).expect("a table");
        assert_eq!(texts(text, &grid.rows), [vec!["Code", "Meaning"], vec!["E21", "Dry running"], vec!["E22", ""]]);
        assert_eq!(grid.caption, None);
    }

    #[test]
    fn what_stands_before_the_first_row_is_the_caption() {
        let text = "Table 3: Torque\n\nBolt | Nm\nM6 | 9.5\nsee note";
        let grid = grid(text).expect("a table");
        assert_eq!(grid.caption.map(|range| &text[range]), Some("Table 3: Torque"));
        assert_eq!(texts(text, &grid.rows).last().map(Vec::len), Some(1));
    }

    #[test]
    fn an_empty_first_cell_keeps_its_column() {
        let text = " | 2 bar\nP100 | 3 m³/h";
        let grid = grid(text).expect("a table");
        assert_eq!(texts(text, &grid.rows), [vec!["", "2 bar"], vec!["P100", "3 m³/h"]]);
    }

    #[test]
    fn prose_is_no_table() {
        assert_eq!(grid("Close the valve.\nOpen it again."), None);
    }

    #[test]
    fn pairs_keep_semicolons_inside_values() {
        let text = "Part: SKU-48291; Note: seal; 2 per pump; Price:; Time: 10:30";
        let read: Vec<(&str, &str)> =
            pairs(text).expect("a row").into_iter().map(|(name, value)| (&text[name], &text[value])).collect();
        assert_eq!(read, [("Part", "SKU-48291"), ("Note", "seal; 2 per pump"), ("Price", ""), ("Time", "10:30")]);
        assert_eq!(pairs("no pairs here"), None);
    }
}
