//! Writes PDF files as simple as they come, and ones that are locked.

use std::fmt::Write as _;

/// A PDF file with a page for each text, one printed line for each of its lines. Characters beyond ASCII are not for it.
#[must_use]
pub fn pdf(pages: &[&str]) -> Vec<u8> {
    write(&pages.iter().map(|text| printed(text)).collect::<Vec<_>>(), false)
}

/// As [`pdf`], but a page without text has a drawing instead.
#[must_use]
pub fn pdf_with_drawings(pages: &[&str]) -> Vec<u8> {
    const DRAWING: &str = "72 500 m 300 600 l 400 300 l S";
    let page = |text: &&str| if text.is_empty() { DRAWING.to_owned() } else { printed(text) };
    write(&pages.iter().map(page).collect::<Vec<_>>(), false)
}

/// A PDF file of one page: a line of text and below it a ruled table whose first row is its header.
#[must_use]
pub fn pdf_with_table(text: &str, rows: &[&[&str]]) -> Vec<u8> {
    const COLUMN: usize = 120;
    const ROW: usize = 20;
    const LEFT: usize = 72;
    const TOP: usize = 700;
    let n_columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let (right, bottom) = (LEFT + n_columns * COLUMN, TOP - rows.len() * ROW);
    let mut content = format!("BT /F1 12 Tf 72 770 Td ({}) Tj ET\n", escaped(text));
    for line in 0..=rows.len() {
        let y = TOP - line * ROW;
        let _ = writeln!(content, "{LEFT} {y} m {right} {y} l S");
    }
    for line in 0..=n_columns {
        let x = LEFT + line * COLUMN;
        let _ = writeln!(content, "{x} {TOP} m {x} {bottom} l S");
    }
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (LEFT + column * COLUMN + 4, TOP - row * ROW - 14);
            let _ = writeln!(content, "BT /F1 10 Tf {x} {y} Td ({}) Tj ET", escaped(cell));
        }
    }
    write(&[content], false)
}

/// A PDF file that no empty password opens: its check value is not that of any password.
#[must_use]
pub fn locked_pdf() -> Vec<u8> {
    write(&[printed("This cannot be read.")], true)
}

/// A page's operators that print lines from the top.
fn printed(text: &str) -> String {
    let mut content = String::from("BT /F1 12 Tf 16 TL 72 770 Td\n");
    for line in text.lines() {
        let _ = writeln!(content, "({}) Tj T*", escaped(line));
    }
    content.push_str("ET");
    content
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)")
}

fn write(pages: &[String], locked: bool) -> Vec<u8> {
    // Objects from 1: catalog, page tree, font, then a page and its content for each text.
    let kids: String = (0..pages.len()).fold(String::new(), |mut kids, page| {
        let _ = write!(kids, "{} 0 R ", 4 + 2 * page);
        kids
    });
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Count {}/Kids[{kids}]>>", pages.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    for (number, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents {} 0 R>>",
            5 + 2 * number
        ));
        objects.push(format!("<</Length {}>>stream\n{content}\nendstream", content.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(file.len());
        let _ = write!(file, "{number} 0 obj\n{object}\nendobj\n");
    }
    let table = file.len();
    let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1);
    for offset in &offsets {
        let _ = writeln!(file, "{offset:010} 00000 n ");
    }
    let lock = if locked {
        let (owner, user) = ("5a".repeat(32), "a5".repeat(32));
        format!("/ID[<00><00>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O<{owner}>/U<{user}>>>")
    } else {
        String::new()
    };
    let _ = write!(file, "trailer\n<</Size {}/Root 1 0 R{lock}>>\nstartxref\n{table}\n%%EOF\n", offsets.len() + 1);
    file.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_point_at_objects() {
        let file = String::from_utf8(pdf(&["Pump (large)", "Second page"])).unwrap();
        let table = &file[file.find("xref\n").unwrap()..];
        for (number, line) in table.lines().skip(3).take(7).enumerate() {
            let offset: usize = line[..10].parse().unwrap();
            assert!(file[offset..].starts_with(&format!("{} 0 obj", number + 1)), "{line}");
        }
    }
}
