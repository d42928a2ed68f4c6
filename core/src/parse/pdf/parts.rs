//! What a page carries beside its content: remarks, form fields and links, put into the tree at their place.
//!
//! Each is collected by a file of its own; here is what they share and how the tree takes them in. Not for embedded files,
//! which follow the whole ([`super::attachments`]).

mod comments;
mod form;
mod links;
mod place;
#[cfg(test)]
mod tests;
mod xfa;

use super::{strings, tags::Figure, upright::Upright};
use crate::{
    document::{BBox, Document, NodeKind, facts},
    parse::{ParseError, ParseWarning, ParseWarningKind},
};
use hayro_font::kurbo;
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, Rect, String as PdfString},
    page::Page,
};

/// Annotations of one page that are looked at.
const MAX_PER_PAGE: usize = 5_000;

/// Something to be put into the tree.
#[derive(Debug)]
struct Part {
    kind: NodeKind,
    text: String,
    facts: Vec<(&'static str, String)>,
    /// The page it stands on, from 1.
    page: u32,
    /// Where on it; `None` where it is not shown.
    bbox: Option<BBox>,
}

/// Adds remarks, form fields, links and the texts of figures to a document whose pages were read.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn add(
    pdf: &Pdf,
    document: &mut Document,
    figures: Vec<Figure>,
    warnings: &mut Vec<ParseWarning>,
    tick: &mut dyn FnMut() -> Result<(), ParseError>,
) -> Result<(), ParseError> {
    links::mark(pdf, document, tick)?;
    let mut parts = comments::read(pdf, tick)?;
    parts.extend(figures.into_iter().filter_map(|figure| take_figure(figure, document)));
    let (fields, only_by_program) = form::read(pdf, tick)?;
    parts.extend(fields);
    if only_by_program {
        xfa::read_instead(pdf, document, &mut parts, warnings);
    }
    if !parts.is_empty() {
        // A form on blank paper is no blank file.
        warnings.retain(|warning| warning.kind != ParseWarningKind::NoText || warning.page.is_some());
    }
    place::insert(document, parts);
    Ok(())
}

/// Gives a figure of the document the text that stands for it; a part of its own, if the document has none there.
fn take_figure(figure: Figure, document: &mut Document) -> Option<Part> {
    const PICTURES: [&str; 6] = [".png", ".jpg", ".jpeg", ".gif", ".bmp", ".emf"];
    const NOTHING: [&str; 7] = ["figure", "image", "picture", "photo", "graphic", "bild", "abbildung"];
    let Figure { text, page, bbox } = figure;
    let lower = text.to_lowercase();
    // Some programs put the name of the picture's file there.
    let says = text.chars().any(char::is_alphabetic) && !PICTURES.iter().any(|ending| lower.ends_with(ending));
    if NOTHING.contains(&lower.trim()) || !says || !(1..=document.n_pages.unwrap_or(0)).contains(&page) {
        return None;
    }
    let overlaps = |a: BBox, b: BBox| a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
    let known = document.nodes.iter_mut().find(|node| {
        let here = |bbox: BBox| node.boxes.iter().any(|place| place.page == page && overlaps(place.bbox, bbox));
        node.kind == NodeKind::Figure && node.text.is_empty() && bbox.is_some_and(here)
    });
    match known {
        Some(node) => {
            node.text = text;
            None
        }
        None => Some(Part { kind: NodeKind::Figure, text, facts: Vec::new(), page, bbox }),
    }
}

/// Whether what an annotation shows is read as a part of its own, so that its appearance must not be read again.
pub(super) fn is_read_apart(annotation: &Dict<'_>) -> bool {
    match subtype(annotation).as_deref() {
        Some("Widget") => form::is_read(annotation),
        _ => comments::is_read(annotation),
    }
}

/// The pages that were read, with their numbers.
fn pages(pdf: &Pdf) -> impl Iterator<Item = (u32, &Page<'_>)> {
    (1..).zip(pdf.pages().iter().take(super::MAX_PAGES))
}

fn annotations<'a>(page: &Page<'a>) -> impl Iterator<Item = Dict<'a>> {
    let all = page.raw().get::<Array<'a>>("Annots");
    all.into_iter().flat_map(|all| all.iter::<Dict<'a>>()).take(MAX_PER_PAGE)
}

fn subtype(annotation: &Dict<'_>) -> Option<String> {
    Some(annotation.get::<Name<'_>>("Subtype")?.as_str().to_owned())
}

/// A text of an annotation or field, empty where it has none.
fn text(dict: &Dict<'_>, key: &str) -> String {
    dict.get::<PdfString<'_>>(key).map(|text| strings::decode(&text)).unwrap_or_default()
}

/// Where an annotation stands on the upright page.
fn place(page: &Page<'_>, annotation: &Dict<'_>) -> Option<BBox> {
    let rect = annotation.get::<Rect>("Rect")?;
    let shown = Upright::of(page).transform.transform_rect_bbox(kurbo::Rect::new(rect.x0, rect.y0, rect.x1, rect.y1));
    let corners = [shown.x0, shown.y0, shown.x1, shown.y1];
    corners.iter().all(|n| n.is_finite() && n.abs() < 1e6).then_some(BBox {
        x0: shown.x0 as f32,
        y0: shown.y0 as f32,
        x1: shown.x1 as f32,
        y1: shown.y1 as f32,
    })
}

/// Whether a viewer is told not to show it.
fn is_hidden(annotation: &Dict<'_>) -> bool {
    const HIDDEN: u32 = 1 << 1;
    const NO_VIEW: u32 = 1 << 5;
    annotation.get::<u32>("F").unwrap_or(0) & (HIDDEN | NO_VIEW) != 0
}

/// The fact that something is not seen.
fn hidden() -> (&'static str, String) {
    (facts::HIDDEN, "invisible".to_owned())
}

/// `D:20261130143000+01'00'` as `2026-11-30 14:30`, as far as it goes; `None` where it is no date.
fn date(text: &str) -> Option<String> {
    let digits: String = text.trim().trim_start_matches("D:").chars().take_while(char::is_ascii_digit).collect();
    let part = |from: usize, length: usize| digits.get(from..from + length);
    let mut date = format!("{}-{}", part(0, 4)?, part(4, 2)?);
    if let Some(day) = part(6, 2) {
        date.push('-');
        date.push_str(day);
    }
    if let (Some(hour), Some(minute)) = (part(8, 2), part(10, 2)) {
        date.push_str(&format!(" {hour}:{minute}"));
    }
    Some(date)
}
