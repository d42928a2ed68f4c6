//! PDF: text page by page with positions, put back into the order and structure in which a person reads it.
//!
//! Reading order of this module, each step one file: `content` runs the page (with `font`, `path`, `layers`) and gives
//! `glyphs`; `lines` makes words and segments of them; `tables` takes the ruled tables out; `sheet` is the page then;
//! `furniture` sets running heads aside; `columns` orders the rest; `blocks` (with `aligned`) groups it; `headings` (with
//! `outline`) finds the sections; `tree` builds the document.
//!
//! Not for pictures: what is not text is not read, and a page without text is said to be one.

mod aligned;
mod blocks;
mod columns;
mod content;
mod contents;
#[cfg(test)]
mod fixture;
mod font;
mod furniture;
mod glyphs;
mod grid;
mod headings;
mod layers;
mod lines;
mod outline;
mod path;
mod prose;
mod rows;
mod sheet;
mod strings;
mod tables;
#[cfg(test)]
mod tests;
mod tree;

use super::{ParseError, ParseWarning, ParseWarningKind, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId},
    host::Progress,
};
use blocks::Context;
use columns::Item;
use font::Fonts;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use headings::{Body, Placed};
use prose::Vocabulary;
use sheet::Sheet;

/// Pages that are read; a ten-volume manual has fewer.
const MAX_PAGES: usize = 10_000;

/// Reads it.
///
/// # Errors
/// [`ParseError::Password`], [`ParseError::Damaged`] when no page is found, and [`ParseError::Cancelled`].
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let damaged = |detail: &str| ParseError::Damaged { detail: detail.to_owned() };
    let pdf = Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ParseError::Password,
        LoadPdfError::Decryption(_) => damaged("its encryption is not understood"),
        LoadPdfError::Invalid => damaged("no pages were found"),
    })?;
    let mut builder = DocumentBuilder::new(id, name);
    let mut sheets = read_sheets(&pdf, warnings, progress)?;
    if sheets.is_empty() {
        return Err(damaged("it has no pages"));
    }
    furniture::set_aside(&mut sheets);
    let segments = || sheets.iter().flat_map(|sheet| &sheet.segments);
    let body = Body::of(segments().map(|s| (s.size, s.style.bold, s.text.chars().count())));
    let n_characters = |fixed: bool| -> usize {
        segments().filter(|s| !fixed || s.style.fixed_pitch).map(|s| s.text.chars().count()).sum()
    };
    // A document typed in a fixed-pitch font is no program.
    let keep_code = n_characters(true) * 10 < n_characters(false) * 6;
    let mut vocabulary = Vocabulary::default();
    segments().for_each(|segment| vocabulary.learn(&segment.text));

    let n_pages = sheets.len() as u32;
    let mut placed = Vec::new();
    let mut starts = Vec::with_capacity(sheets.len());
    for sheet in &mut sheets {
        tick(progress, n_pages, n_pages)?;
        starts.push(placed.len());
        let mut segments = std::mem::take(&mut sheet.segments);
        if keep_code {
            segments = lines::rejoin_fixed_pitch(segments);
        }
        let texts = segments.into_iter().map(Item::Text);
        let items = texts.chain(std::mem::take(&mut sheet.tables).into_iter().map(Item::Table)).collect();
        for region in columns::regions(items, body.size) {
            let context = Context { keep_code, body_size: body.size, rules: &sheet.rules };
            let blocks = blocks::blocks(region, context).into_iter();
            placed.extend(blocks.map(|block| Placed { page: sheet.number, block, heading: None }));
        }
    }
    headings::mark(&mut placed, &outline::read(&pdf), body, &vocabulary);
    title(&mut builder, &pdf, &placed, body);
    starts.push(placed.len());
    let mut tree = tree::Tree::new(&mut builder, &vocabulary, keep_code);
    for (sheet, range) in sheets.iter().zip(starts.windows(2)) {
        tick(progress, n_pages, n_pages)?;
        tree.page(sheet, placed.get(range[0]..range[1]).unwrap_or_default());
    }
    tree.finish();
    Ok(builder.finish())
}

/// Every page's text, with warnings of pages that hold none or could not be read to the end.
fn read_sheets(
    pdf: &Pdf,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Vec<Sheet>, ParseError> {
    let layers = layers::Layers::of(pdf);
    let mut fonts = Fonts::new();
    let n_pages = u32::try_from(pdf.pages().len().min(MAX_PAGES)).unwrap_or(u32::MAX);
    let mut sheets = Vec::new();
    let (mut without_text, mut unreadable) = (Vec::new(), Vec::new());
    for (number, page) in (1..=n_pages).zip(pdf.pages().iter()) {
        tick(progress, number - 1, n_pages)?;
        let content = content::read_page(page, &mut fonts, &layers, &mut || tick(progress, number - 1, n_pages))?;
        let sheet = Sheet::of(number, &content);
        if content.truncated {
            let message = format!("Page {number} is too large to be read whole; its end is missing.");
            warnings.push(ParseWarning { kind: ParseWarningKind::Truncated, page: Some(number), message });
        }
        if content.n_unreadable as usize > content.glyphs.len() / 2 {
            unreadable.push(number);
        } else if sheet.is_empty() {
            without_text.push(number);
        }
        sheets.push(sheet);
    }
    warn_of_pages(
        warnings,
        ParseWarningKind::NoText,
        &without_text,
        "no text (probably a scan)",
        "no text (probably scans)",
    );
    let undecodable = "text whose fonts do not say which characters they show, so it cannot be searched";
    warn_of_pages(warnings, ParseWarningKind::Damaged, &unreadable, undecodable, undecodable);
    if pdf.pages().len() > MAX_PAGES {
        let message = format!("The file has {} pages; the first {MAX_PAGES} are read.", pdf.pages().len());
        warnings.push(ParseWarning { kind: ParseWarningKind::Truncated, page: None, message });
    }
    Ok(sheets)
}

/// One warning for each run of pages.
fn warn_of_pages(warnings: &mut Vec<ParseWarning>, kind: ParseWarningKind, pages: &[u32], one: &str, many: &str) {
    /// More runs than this become one sentence with their number.
    const MAX_RUNS: usize = 20;
    let runs: Vec<&[u32]> = pages.chunk_by(|a, b| a + 1 == *b).collect();
    if runs.len() > MAX_RUNS {
        let message = format!("{} pages hold {many}.", pages.len());
        warnings.push(ParseWarning { kind, page: pages.first().copied(), message });
        return;
    }
    for run in runs {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let message = if first == last {
            format!("Page {first} holds {one}.")
        } else {
            format!("Pages {first}–{last} hold {many}.")
        };
        warnings.push(ParseWarning { kind, page: Some(*first), message });
    }
}

/// The title from the file's information, or the largest text of the first page.
fn title(builder: &mut DocumentBuilder, pdf: &Pdf, placed: &[Placed], body: Body) {
    let metadata = pdf.metadata();
    for (key, value) in [("author", &metadata.author), ("subject", &metadata.subject), ("keywords", &metadata.keywords)]
    {
        let value = value.as_deref().map(strings::decode).unwrap_or_default();
        if !value.is_empty() {
            builder.metadata(key, &value);
        }
    }
    let declared = metadata.title.as_deref().map(strings::decode).unwrap_or_default();
    if is_title(&declared) {
        builder.title(&declared);
        return;
    }
    let first_page = placed.iter().take_while(|placed| placed.page == 1).filter_map(|placed| match &placed.block {
        blocks::Block::Text(lines) => Some(lines),
        _ => None,
    });
    let size = |lines: &Vec<rows::Line>| lines.first().map_or(0.0, |line| line.size);
    let largest = first_page.clone().map(size).fold(0.0, f32::max);
    if largest >= 1.3 * body.size {
        let texts = first_page.filter(|lines| size(lines) >= 0.98 * largest).take(1).flatten();
        let text = prose::join(texts.map(|line| line.text.as_str()), &Vocabulary::default());
        if is_title(&text) {
            builder.title(&text);
        }
    }
}

/// Whether a declared title is one, and not a file name or what a program puts there by itself.
fn is_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let made_up =
        ["untitled", "microsoft word", "microsoft powerpoint", "document1", "unnamed", "(anonymous)", "slide 1"];
    let file = [".doc", ".docx", ".pdf", ".indd", ".xls", ".xlsx", ".tex", ".dvi", ".ppt", ".qxd", ".fm", ".odt"];
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= 300
        && !made_up.iter().any(|words| lower.starts_with(words))
        && !file.iter().any(|ending| lower.ends_with(ending))
}
