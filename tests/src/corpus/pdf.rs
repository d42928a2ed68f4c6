//! Writes PDF files as simple as they come, and ones that are locked.

use std::fmt::Write as _;

/// A PDF file with a page for each text, one printed line for each of its lines. Characters beyond ASCII are not for it.
#[must_use]
pub fn pdf(pages: &[&str]) -> Vec<u8> {
    write(pages, false)
}

/// A PDF file that no empty password opens: its check value is not that of any password.
#[must_use]
pub fn locked_pdf() -> Vec<u8> {
    write(&["This cannot be read."], true)
}

fn write(pages: &[&str], locked: bool) -> Vec<u8> {
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
    for (number, text) in pages.iter().enumerate() {
        let mut content = String::from("BT /F1 12 Tf 16 TL 72 770 Td\n");
        for line in text.lines() {
            let escaped = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
            let _ = writeln!(content, "({escaped}) Tj T*");
        }
        content.push_str("ET");
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
