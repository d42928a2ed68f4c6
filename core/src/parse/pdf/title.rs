//! The document's title and what its information dictionary says of it.

use super::{
    Layout,
    blocks::Block,
    headings::Placed,
    prose::{self, Vocabulary},
    rows::Line,
    sheet::Sheet,
    strings,
};
use crate::document::DocumentBuilder;
use hayro_syntax::{
    Pdf,
    metadata::Metadata,
    object::{Dict, String as PdfString},
};
use std::collections::BTreeMap;

/// A title is set at least this much larger than the body.
const LARGER: f32 = 1.3;
/// Longer texts are no titles.
const MAX_CHARACTERS: usize = 300;

/// Adds author, subject and keywords, and the title: as declared, or else as printed on the cover, in the running heads
/// or largest on the first page.
pub(super) fn add(builder: &mut DocumentBuilder, pdf: Option<&Pdf>, layout: &Layout) {
    let undeclared = Metadata::default();
    let metadata = pdf.map_or(&undeclared, Pdf::metadata);
    let facts = [("author", &metadata.author), ("subject", &metadata.subject), ("keywords", &metadata.keywords)];
    for (key, value) in facts {
        let value = value.as_deref().map(strings::decode).unwrap_or_default();
        if !value.is_empty() {
            builder.metadata(key, &value);
        }
    }
    let catalog = pdf.and_then(|pdf| pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()));
    let language = catalog.and_then(|catalog| catalog.get::<PdfString<'_>>("Lang")).map(|text| strings::decode(&text));
    if let Some(language) = language.filter(|language| !language.is_empty()) {
        builder.metadata("language", &language);
    }
    let declared = Some(metadata.title.as_deref().map(strings::decode).unwrap_or_default());
    let declared = declared.filter(|declared| is_title(declared));
    let (placed, size) = (&layout.placed, layout.body.size);
    let title = declared
        .or_else(|| printed(placed, size, |placed| placed.heading.is_none()))
        .or_else(|| running(&layout.sheets))
        .or_else(|| printed(placed, size, |_| true));
    if let Some(title) = title {
        builder.title(&title);
    }
}

/// What stands at the edge of most pages and is more than a number or a date.
fn running(sheets: &[Sheet]) -> Option<String> {
    const MIN_LETTERS: usize = 8;
    let mut n_sheets: BTreeMap<&str, usize> = BTreeMap::new();
    for segment in sheets.iter().flat_map(|sheet| &sheet.furniture) {
        if segment.text.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS {
            *n_sheets.entry(&segment.text).or_default() += 1;
        }
    }
    let usual = n_sheets.into_iter().filter(|(text, n)| n * 10 >= sheets.len() * 6 && is_title(text));
    usual.max_by_key(|(_, n)| *n).map(|(text, _)| text.to_owned())
}

/// The largest text in the upper half of the first page, among its blocks that are wanted.
fn printed(placed: &[Placed], body_size: f32, wanted: fn(&Placed) -> bool) -> Option<String> {
    let first_page = placed.iter().take_while(|placed| placed.page == 1).filter(|placed| wanted(placed));
    let first_page = first_page.filter_map(|placed| match &placed.block {
        Block::Text(lines) => Some(lines),
        Block::Table(_) | Block::Contents(_) => None,
    });
    let size = |lines: &Vec<Line>| lines.first().map_or(0.0, |line| line.size);
    // What is largest further down is a total or a slogan.
    let bottom = first_page.clone().flatten().map(|line| line.bbox.y1).fold(0.0, f32::max);
    let first_page = first_page.filter(|lines| lines.first().is_some_and(|line| line.bbox.y0 < bottom / 2.0));
    let largest = first_page.clone().map(size).fold(0.0, f32::max);
    if largest < LARGER * body_size {
        return None;
    }
    let lines = first_page.clone().find(|lines| size(lines) >= 0.98 * largest)?;
    let text = prose::join(lines.iter().map(|line| line.text.as_str()), &Vocabulary::default());
    is_title(&text).then_some(text)
}

/// Whether a text is a title, and not a file name or what a program puts there by itself.
fn is_title(text: &str) -> bool {
    const MADE_UP: [&str; 7] =
        ["untitled", "microsoft word", "microsoft powerpoint", "document1", "unnamed", "(anonymous)", "slide 1"];
    const FILES: [&str; 12] =
        [".doc", ".docx", ".pdf", ".indd", ".xls", ".xlsx", ".tex", ".dvi", ".ppt", ".qxd", ".fm", ".odt"];
    let lower = text.to_lowercase();
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= MAX_CHARACTERS
        && (text.contains(char::is_whitespace) || !text.contains('_'))
        && !MADE_UP.iter().any(|words| lower.starts_with(words))
        && !FILES.iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_no_titles() {
        assert!(is_title("Pump P100: operation and care"));
        for text in ["Microsoft Word - pump.doc", "manual_v3.indd", "invoice_4382_v2", "untitled", "2026-11-30", ""] {
            assert!(!is_title(text), "{text}");
        }
    }
}
