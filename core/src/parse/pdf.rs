//! PDF: text page by page with positions, put back into the order and structure in which a person reads it.
//!
//! Reading order of this module, each step one file: `content` runs the page (with `font`, `path`, `layers`) and gives
//! `glyphs`; `lines` makes words and segments of them; `tables` takes the ruled tables out; `sheet` is the page then;
//! `furniture` sets running heads aside; `columns` orders the rest; `blocks` groups it; `headings` (with
//! `outline`) finds the sections; `tree` builds the document.
//!
//! Not for pictures: what is not text is not read, and a page without text is said to be one.

mod aslant;
mod attachments;
mod bidi;
mod blocks;
mod cjk;
mod columns;
mod content;
mod contents;
mod drawing;
mod figures;
#[cfg(test)]
pub(super) mod fixture;
mod font;
mod footnotes;
mod frames;
mod furniture;
mod glyphs;
mod headings;
mod inflation;
mod labels;
mod layers;
mod levels;
mod lines;
mod outline;
mod page_labels;
mod page_warnings;
mod paint;
mod parts;
mod password;
mod path;
mod prose;
#[cfg(feature = "scan")]
mod raster;
mod rows;
mod running;
mod scans;
mod sheet;
mod sidebars;
mod state;
mod strings;
mod tables;
mod tags;
mod terms;
#[cfg(test)]
mod tests;
mod title;
mod tree;
mod upright;
mod words;

use super::{ParseError, ParseOptions, ParseWarning, attachment::Reading, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId},
    host::{Draft, Progress},
};
use blocks::Context;
use columns::Item;
use font::Fonts;
use hayro_syntax::Pdf;
use headings::{Body, Placed};
pub use outline::{Bookmark, bookmarks};
use prose::Vocabulary;
#[cfg(feature = "scan")]
pub use raster::PagePictures;
use scans::Scans;
pub(crate) use scans::SeenPage;
use sheet::Sheet;
use tags::Tags;
pub use words::{Word, page_words};

/// Pages that are read; a ten-volume manual has fewer.
const MAX_PAGES: usize = 10_000;

/// Reads it.
///
/// # Errors
/// [`ParseError::Password`], [`ParseError::WrongPassword`], [`ParseError::Damaged`] when no page is found, and
/// [`ParseError::Cancelled`].
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    bytes: &[u8],
    reading: &mut Reading<'_>,
) -> Result<Document, ParseError> {
    let Reading { options, warnings, progress, .. } = reading;
    let pdf = password::open(bytes, options.password.as_deref())?;
    let source = Source { pdf: Some(&pdf), id: &id, name, options };
    let mut scans = Scans::new(options.scans.as_deref());
    let mut tags = if options.ignore_bookmarks { Tags::default() } else { Tags::of(&pdf) };
    let effort = content::Effort::of(bytes.len());
    let sheets = read_sheets(&source, effort, &mut tags, &mut scans, warnings, *progress)?;
    let n_pages = u32::try_from(sheets.len()).unwrap_or(u32::MAX);
    let mut document = assemble(&source, sheets, warnings, *progress)?;
    scans.tell_confidence(&mut document);
    scans.report(warnings);
    parts::add(&pdf, &mut document, tags.figures, warnings, &mut || tick(*progress, n_pages, n_pages))?;
    page_labels::note(&pdf, &mut document);
    attachments::attach(&pdf, &mut document, reading)?;
    Ok(document)
}

/// Reads pages that came as pictures: lays out what was seen on them, each with its pixels a point and its size in points.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(crate) fn lay_out_pictures(
    id: &DocumentId,
    name: &str,
    pages: &[SeenPage],
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut scans = Scans::new(None);
    let numbered = (1..).zip(pages);
    let sheets = numbered.map(|(number, page)| Sheet::of(number, &scans.picture_page(number, page))).collect();
    let source = Source { pdf: None, id, name, options: &ParseOptions::default() };
    let mut document = assemble(&source, sheets, warnings, progress)?;
    scans.tell_confidence(&mut document);
    scans.report(warnings);
    Ok(document)
}

/// What a document is made from beside its pages.
struct Source<'a> {
    /// The file, unless the pages came as pictures.
    pdf: Option<&'a Pdf>,
    id: &'a DocumentId,
    name: &'a str,
    options: &'a ParseOptions,
}

/// The document of the pages that were read, all or the first ones.
fn assemble(
    source: &Source<'_>,
    sheets: Vec<Sheet>,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let mut layout = lay_out(sheets, progress)?;
    let marked = source.pdf.filter(|_| !source.options.ignore_bookmarks);
    let outline = marked.map(outline::read).unwrap_or_default();
    headings::mark(&mut layout.placed, &outline, layout.body, &layout.vocabulary);
    layout.placed = sidebars::set_between(layout.placed);
    let mut builder = DocumentBuilder::new(source.id.clone(), source.name);
    title::add(&mut builder, source.pdf, &layout);
    let titles = if outline.is_empty() { running::titles(&layout.sheets, &layout.placed) } else { Vec::new() };
    let mut tree = tree::Tree::new(&mut builder, &layout);
    let n_pages = layout.sheets.len() as u32;
    for (index, sheet) in layout.sheets.iter().enumerate() {
        tick(progress, n_pages, n_pages)?;
        if tree.is_full() {
            warnings.push(page_warnings::rest_is_missing(sheet.number));
            break;
        }
        if let Some(Some(title)) = titles.get(index) {
            tree.running_title(sheet, title);
        }
        let of_page = layout.starts.get(index).zip(layout.starts.get(index + 1));
        let blocks = of_page.and_then(|(&from, &to)| layout.placed.get(from..to));
        tree.page(sheet, blocks.unwrap_or_default());
    }
    tree.finish();
    Ok(builder.finish())
}

/// A document as blocks in reading order, before anything is known of its sections.
struct Layout {
    sheets: Vec<Sheet>,
    placed: Vec<Placed>,
    /// Where each sheet's blocks begin in `placed`, and one past the last.
    starts: Vec<usize>,
    body: Body,
    vocabulary: Vocabulary,
    /// Fixed-pitch text is program text.
    keep_code: bool,
}

fn lay_out(mut sheets: Vec<Sheet>, progress: &mut dyn Progress) -> Result<Layout, ParseError> {
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
    let mut starts = Vec::with_capacity(sheets.len() + 1);
    let mut list = None;
    for sheet in &mut sheets {
        tick(progress, n_pages, n_pages)?;
        starts.push(placed.len());
        let before = match placed.last() {
            Some(Placed { page, block: blocks::Block::Table(table), .. }) if page + 1 == sheet.number => {
                Some(table.columns.clone())
            }
            _ => None,
        };
        sheet.find_open_tables(keep_code, &mut list, before.as_deref());
        let mut segments = std::mem::take(&mut sheet.segments);
        if keep_code {
            segments = lines::rejoin_fixed_pitch(segments);
        }
        let labels = drawing::take_labels(&sheet.drawings, &mut segments);
        let tables = std::mem::take(&mut sheet.tables).into_iter().map(Item::Table);
        let context =
            Context { keep_code, body_size: body.size, rules: &sheet.rules, frames: &sheet.frames, table_before: None };
        let items = segments.into_iter().map(Item::Text).chain(tables).collect();
        let regions = columns::regions(items, body.size, &sheet.rules);
        let sidebars = sidebars::among(&regions, &sheet.frames, body.size);
        let regions = regions.into_iter().zip(sidebars).map(|(region, aside)| (region, aside, false));
        let labels = labels.into_iter().map(|label| (label.into_iter().map(Item::Text).collect(), false, true));
        for (index, (region, aside, label)) in regions.chain(labels).enumerate() {
            let context = Context { table_before: before.as_deref().filter(|_| index == 0), ..context };
            let blocks = blocks::blocks(region, context).into_iter();
            placed.extend(blocks.enumerate().map(|(index, block)| Placed {
                page: sheet.number,
                block,
                starts_region: index == 0 && !label,
                aside,
                heading: None,
                label,
                term: false,
            }));
        }
    }
    starts.push(placed.len());
    Ok(Layout { sheets, placed, starts, body, vocabulary, keep_code })
}

/// Every page's text, with warnings of pages that hold none or could not be read to the end. Whoever waits is shown
/// the document of the first pages on the way, as often as they want it.
fn read_sheets<'a>(
    source: &Source<'a>,
    mut effort: content::Effort,
    tags: &mut Tags,
    scans: &mut Scans<'a>,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Vec<Sheet>, ParseError> {
    let Some(pdf) = source.pdf else { return Ok(Vec::new()) };
    let layers = layers::Layers::of(pdf);
    let mut fonts = Fonts::new();
    let n_pages = u32::try_from(pdf.pages().len().min(MAX_PAGES)).unwrap_or(u32::MAX);
    let mut sheets = Vec::new();
    let mut noted = page_warnings::PageWarnings::default();
    for (number, page) in (1..=n_pages).zip(pdf.pages().iter()) {
        tick(progress, number - 1, n_pages)?;
        let mut ticking = || tick(progress, number - 1, n_pages);
        let content = content::read_page(page, &mut fonts, &layers, (tags, number), &mut effort, &mut ticking)?;
        tags.show(number, &content.tagged_pictures);
        let content = scans.page(number, page, content, &mut || tick(progress, number - 1, n_pages))?;
        let sheet = Sheet::of(number, &content);
        if !scans.has_seen(number) {
            noted.note(&sheet, &content);
        }
        sheets.push(sheet);
        if number < n_pages && progress.wants_draft(number, n_pages) {
            // On the whole it has come no further meanwhile, but it may be stopped.
            let mut waiting = |_, _| progress.report(number, n_pages);
            let document = assemble(source, sheets.clone(), &mut Vec::new(), &mut waiting)?;
            progress.draft(Draft { document, n_pages_read: number, n_pages });
        }
    }
    noted.report(pdf.pages().len(), &sheets, warnings);
    Ok(sheets)
}
