//! Tables drawn in plain text: with lines around their cells, with rules under their columns, or with blanks alone.
//!
//! Only where the columns are certain. What might be a drawing, program text or a listing is no table: then no blank of
//! it may be lost.

mod blanks;
mod drawn;
mod ruled;

use super::{Reader, line::Line};
use crate::{document::NodeKind, parse::span, text::collapse_whitespace};

/// Nobody draws more columns.
const MAX_COLUMNS: usize = 64;
/// Lines longer than this are no part of a table that anybody reads.
const MAX_LINE_CHARS: usize = 2_000;

/// A table as it was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::parse) struct TextTable {
    pub(in crate::parse) rows: Vec<TextRow>,
    pub(in crate::parse) n_headers: usize,
}

/// A row: its cells with the number of columns each spans, and the lines that it takes of the block, first and last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::parse) struct TextRow {
    pub(in crate::parse) cells: Vec<(String, u16)>,
    pub(in crate::parse) lines: (usize, usize),
}

impl TextRow {
    /// Takes in a further line of the row, cell by cell.
    fn go_on(&mut self, cells: Vec<(String, u16)>, line: usize) {
        self.lines.1 = line;
        for ((text, _), (more, _)) in self.cells.iter_mut().zip(cells) {
            if !text.is_empty() && !more.is_empty() {
                text.push(' ');
            }
            text.push_str(&more);
        }
    }
}

/// The table that these lines are, if they are nothing but one.
pub(in crate::parse) fn find(lines: &[&str]) -> Option<TextTable> {
    if lines.len() < 2 || lines.iter().any(|line| line.len() > MAX_LINE_CHARS * 4) {
        return None;
    }
    let chars: Vec<Vec<char>> = lines.iter().map(|line| line.trim_end().chars().collect()).collect();
    let table = drawn::find(&chars).or_else(|| ruled::find(&chars)).or_else(|| blanks::find(&chars))?;
    let n_columns = table.rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    (table.rows.len() >= 2 && (2..=MAX_COLUMNS).contains(&n_columns)).then_some(table)
}

impl Reader {
    /// Lines that are a table become one.
    pub(super) fn table(&mut self, lines: &[Line<'_>]) -> bool {
        let raw: Vec<&str> = lines.iter().map(|line| line.raw).collect();
        let Some(table) = find(&raw) else { return false };
        let place = |first: usize, last: usize| Some(span(lines[first].range.start..lines[last].range.end));
        self.writer.open_as(NodeKind::Table, "", place(0, lines.len() - 1));
        for (at, row) in table.rows.iter().enumerate() {
            if self.writer.is_full() {
                break;
            }
            let header = at < table.n_headers;
            self.writer.open_as(NodeKind::Row { header }, "", place(row.lines.0, row.lines.1));
            for (text, colspan) in &row.cells {
                let kind = NodeKind::Cell { header, colspan: *colspan, rowspan: 1 };
                self.writer.leaf(kind, &collapse_whitespace(text), None);
            }
            self.writer.close();
        }
        self.writer.close();
        true
    }
}

/// The text between two places of a line.
fn between(line: &[char], from: usize, to: usize) -> String {
    let to = to.min(line.len());
    line.get(from.min(to)..to).unwrap_or_default().iter().collect::<String>().trim().to_owned()
}

/// Whether a first row names the columns: plain words, over at least one column of figures or alone in having none.
fn names_columns(rows: &[TextRow]) -> bool {
    let [first, rest @ ..] = rows else { return false };
    let has_digit = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    let filled = || first.cells.iter().filter(|(text, _)| !text.is_empty());
    let is_name = |text: &str| text.chars().count() <= 40 && text.contains(char::is_alphabetic);
    if rest.is_empty() || filled().count() * 2 <= first.cells.len() || !filled().all(|(text, _)| is_name(text)) {
        return false;
    }
    let over_figures = |column: usize| {
        let below = || rest.iter().filter_map(|row| row.cells.get(column)).filter(|(text, _)| !text.is_empty());
        let n_figures = below().filter(|(text, _)| has_digit(text)).count();
        n_figures > 0 && n_figures * 4 >= below().count() * 3
    };
    let mut columns = 0..first.cells.len();
    columns.any(|column| !has_digit(&first.cells[column].0) && over_figures(column))
        || filled().all(|(text, _)| !text.contains(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        let table = find(&lines)?;
        let cell = |(text, span): &(String, u16)| if *span > 1 { format!("{text}({span})") } else { text.clone() };
        let row = |row: &TextRow| row.cells.iter().map(cell).collect::<Vec<_>>().join("|");
        Some(format!("{}: {}", table.n_headers, table.rows.iter().map(row).collect::<Vec<_>>().join(" / ")))
    }

    #[test]
    fn tables_with_lines_around_them() {
        let table = "+-----+------+\n| Pos | Part |\n+-----+------+\n|   1 | Seal |\n|   2 |      |\n+-----+------+";
        assert_eq!(shown(table).as_deref(), Some("1: Pos|Part / 1|Seal / 2|"));
        let grid = "+---+----+\n| A | B  |\n+===+====+\n| 1 | x  |\n|   | y  |\n+---+----+\n| 2 wide |\n+---+----+";
        assert_eq!(shown(grid).as_deref(), Some("1: A|B / 1|x y / 2 wide(2)"));
        let boxed = "┌───┬────┐\n│ A │ B  │\n├───┼────┤\n│ 1 │ x  │\n└───┴────┘";
        assert_eq!(shown(boxed).as_deref(), Some("1: A|B / 1|x"));
        let query = " id | name\n----+------\n  1 | Seal\n  2 | Nut";
        assert_eq!(shown(query).as_deref(), Some("1: id|name / 1|Seal / 2|Nut"));
        let piped = "| Pos | Part |\n|-----|:----:|\n| 1 | Seal |";
        assert_eq!(shown(piped).as_deref(), Some("1: Pos|Part / 1|Seal"));
    }

    #[test]
    fn tables_with_rules_under_their_columns() {
        let simple = "=====  ======\nPos    Part\n=====  ======\n1      Seal\n2      Hexagon nut\n=====  ======";
        assert_eq!(shown(simple).as_deref(), Some("1: Pos|Part / 1|Seal / 2|Hexagon nut"));
        let under = "Name      Qty\n--------  ---\nSeal ring   4\n            5";
        // The second line has nothing in the first column: it goes on.
        assert_eq!(shown(under).as_deref(), Some("1: Name|Qty / Seal ring|4 5"));
        assert_eq!(
            shown("Name      Qty\n-----  ------\nSeal ringlet 4\nx y z w      5"),
            None,
            "words cross the columns"
        );
    }

    #[test]
    fn tables_of_blanks_where_the_columns_are_certain() {
        let parts = "Pos Part no.   Qty  Material\n1   SKU-48291  4    NBR 70\n2   SKU-48310  12   steel\n3   SKU-1           brass";
        let expected = "1: Pos|Part no.|Qty|Material / 1|SKU-48291|4|NBR 70 / 2|SKU-48310|12|steel / 3|SKU-1||brass";
        assert_eq!(shown(parts).as_deref(), Some(expected));
        let processes = "  PID TTY          TIME CMD\n    1 ?        00:00:03 init\n  724 pts/0    00:00:00 bash\n 9310 pts/0    00:01:10 make all";
        let expected =
            "1: PID|TTY|TIME|CMD / 1|?|00:00:03|init / 724|pts/0|00:00:00|bash / 9310|pts/0|00:01:10|make all";
        assert_eq!(shown(processes).as_deref(), Some(expected));
        assert_eq!(shown("A\tB\n1\t2\n3\t4").as_deref(), Some("1: A|B / 1|2 / 3|4"));
    }

    #[test]
    fn drawings_listings_and_words_are_no_tables() {
        for text in [
            "   +--+\n---|  |---\n   +--+",
            "int a;      // first\nint total;  // second\nfloat b;    // third",
            "mov  ax,  1\nadd  bx,  2\nint  21h",
            "One two three\nfour five six\nseven eight nine",
            "      /\\      \n     /  \\     \n    /    \\    ",
            "a   b",
            "+-- src\n|   +-- main.rs\n|   +-- lib.rs\n+-- tests",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
