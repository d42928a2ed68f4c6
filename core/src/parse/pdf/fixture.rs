//! Writes small PDF files for tests: text, lines and bookmarks at given places, nothing compressed.

use std::fmt::Write as _;

/// A page: its content stream and what else its dictionary says.
#[derive(Clone, Debug, Default)]
pub(in crate::parse) struct FixturePage {
    content: String,
    extra: String,
}

impl FixturePage {
    /// Nothing on it yet; 595 by 842 points.
    pub(in crate::parse) fn new() -> Self {
        Self::default()
    }

    /// Text at `(x, y)` from the top left, its baseline at `y`. Fonts are `H` (Helvetica), `B` (its bold), `C` (Courier).
    pub(in crate::parse) fn text(mut self, font: char, size: u32, x: i32, y: i32, text: &str) -> Self {
        // The bullet is the one character beyond ASCII that tests need: 0x95 in WinAnsiEncoding.
        let escaped = text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)").replace('•', "\\225");
        let bottom = 842 - y;
        let _ = writeln!(self.content, "BT /{font} {size} Tf {x} {bottom} Td ({escaped}) Tj ET");
        self
    }

    /// Lines of 10 points one under the other, 12 points apart.
    pub(in crate::parse) fn lines(self, x: i32, y: i32, lines: &[&str]) -> Self {
        lines.iter().zip(0..).fold(self, |page, (line, row)| page.text('H', 10, x, y + 12 * row, line))
    }

    /// A ruling line.
    pub(in crate::parse) fn rule(mut self, from: (i32, i32), to: (i32, i32)) -> Self {
        let _ = writeln!(self.content, "{} {} m {} {} l S", from.0, 842 - from.1, to.0, 842 - to.1);
        self
    }

    /// Raw operators.
    pub(in crate::parse) fn raw(mut self, operators: &str) -> Self {
        self.content.push_str(operators);
        self.content.push('\n');
        self
    }

    /// More entries of its dictionary.
    pub(in crate::parse) fn with(mut self, entries: &str) -> Self {
        self.extra.push_str(entries);
        self
    }
}

/// The object that the first page is; the others follow, each after its content.
const FIRST_PAGE: usize = 6;

/// A file of these pages, with bookmarks (title, level, page from 1) and entries for its trailer.
pub(in crate::parse) fn write(pages: &[FixturePage], bookmarks: &[(&str, usize, usize)], trailer: &str) -> Vec<u8> {
    let first_bookmark = FIRST_PAGE + 2 * pages.len();
    let outlines = if bookmarks.is_empty() { String::new() } else { format!("/Outlines {first_bookmark} 0 R") };
    let mut objects = page_objects(pages, &outlines);
    if !bookmarks.is_empty() {
        let id = |index: usize| first_bookmark + 1 + index;
        let children = |parent: Option<usize>| -> Vec<usize> {
            let level = parent.map_or(1, |parent| bookmarks[parent].1 + 1);
            let from = parent.map_or(0, |parent| parent + 1);
            (from..bookmarks.len())
                .take_while(|&i| parent.is_none_or(|parent| bookmarks[i].1 > bookmarks[parent].1))
                .filter(|&i| bookmarks[i].1 == level)
                .collect()
        };
        let ends = |of: &[usize]| match of {
            [first, .., last] => format!("/First {} 0 R /Last {} 0 R", id(*first), id(*last)),
            [only] => format!("/First {0} 0 R /Last {0} 0 R", id(*only)),
            [] => String::new(),
        };
        objects.push(format!("<< /Type /Outlines {} >>", ends(&children(None))));
        for (index, (title, level, page)) in bookmarks.iter().enumerate() {
            let parent = (0..index).rev().find(|&before| bookmarks[before].1 < *level);
            let next = children(parent).into_iter().find(|&sibling| sibling > index);
            let next = next.map_or(String::new(), |next| format!("/Next {} 0 R", id(next)));
            objects.push(format!(
                "<< /Title ({title}) /Dest [{} 0 R /Fit] {next} {} >>",
                FIRST_PAGE + 2 * (page - 1),
                ends(&children(Some(index)))
            ));
        }
    }
    file(&objects, trailer)
}

/// A file of these pages with entries for its catalog and further objects, the first of which has the number
/// [`first_extra`].
pub(in crate::parse) fn write_parts(pages: &[FixturePage], catalog: &str, extra: &[String]) -> Vec<u8> {
    let mut objects = page_objects(pages, catalog);
    objects.extend_from_slice(extra);
    file(&objects, "")
}

/// The number of the first object after the pages.
pub(in crate::parse) fn first_extra(pages: &[FixturePage]) -> usize {
    FIRST_PAGE + 2 * pages.len()
}

/// A stream object.
pub(in crate::parse) fn stream(entries: &str, content: &str) -> String {
    format!("<< /Length {} {entries} >>\nstream\n{content}\nendstream", content.len())
}

/// Catalog, page tree, fonts and pages.
fn page_objects(pages: &[FixturePage], catalog: &str) -> Vec<String> {
    let font = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>");
    let kids: Vec<String> = (0..pages.len()).map(|i| format!("{} 0 R", FIRST_PAGE + 2 * i)).collect();
    let mut objects = vec![
        format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>"),
        format!("<< /Type /Pages /Count {} /Kids [{}] >>", pages.len(), kids.join(" ")),
        font("Helvetica"),
        font("Helvetica-Bold"),
        font("Courier"),
    ];
    for (index, page) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {} 0 R \
             /Resources << /Font << /H 3 0 R /B 4 0 R /C 5 0 R >> >> {} >>",
            FIRST_PAGE + 2 * index + 1,
            page.extra
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{}\nendstream", page.content.len(), page.content));
    }
    objects
}

fn file(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.extend(format!("{} 0 obj\n{object}\nendobj\n", index + 1).bytes());
    }
    let start = file.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(end, "{offset:010} 00000 n ");
    }
    let _ =
        write!(end, "trailer\n<< /Size {} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    file.extend(end.bytes());
    file
}
