//! The document's title and what its information dictionary says of it.

use super::{
    blocks::Block,
    headings::{Body, Placed},
    prose::{self, Vocabulary},
    rows::Line,
    strings,
};
use crate::document::DocumentBuilder;
use hayro_syntax::Pdf;

/// A title is set at least this much larger than the body.
const LARGER: f32 = 1.3;
/// Longer texts are no titles.
const MAX_CHARACTERS: usize = 300;

/// Adds author, subject and keywords, and the title: as declared, or else the largest text of the first page.
pub(super) fn add(builder: &mut DocumentBuilder, pdf: &Pdf, placed: &[Placed], body: Body) {
    let metadata = pdf.metadata();
    let facts = [("author", &metadata.author), ("subject", &metadata.subject), ("keywords", &metadata.keywords)];
    for (key, value) in facts {
        let value = value.as_deref().map(strings::decode).unwrap_or_default();
        if !value.is_empty() {
            builder.metadata(key, &value);
        }
    }
    let declared = metadata.title.as_deref().map(strings::decode).unwrap_or_default();
    if is_title(&declared) {
        builder.title(&declared);
    } else if let Some(printed) = printed(placed, body) {
        builder.title(&printed);
    }
}

fn printed(placed: &[Placed], body: Body) -> Option<String> {
    let first_page = placed.iter().take_while(|placed| placed.page == 1).filter_map(|placed| match &placed.block {
        Block::Text(lines) => Some(lines),
        Block::Table(_) | Block::Contents(_) => None,
    });
    let size = |lines: &Vec<Line>| lines.first().map_or(0.0, |line| line.size);
    let largest = first_page.clone().map(size).fold(0.0, f32::max);
    if largest < LARGER * body.size {
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
        && !MADE_UP.iter().any(|words| lower.starts_with(words))
        && !FILES.iter().any(|ending| lower.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_no_titles() {
        assert!(is_title("Pump P100: operation and care"));
        for text in ["Microsoft Word - pump.doc", "manual_v3.indd", "untitled", "2026-11-30", ""] {
            assert!(!is_title(text), "{text}");
        }
    }
}
