//! Remarks on a page: notes, marked text with a remark, text written over the page, stamps.

use super::{Part, annotations, date, hidden, is_hidden, pages, place, subtype, text};
use crate::{
    document::NodeKind,
    parse::{ParseError, xml},
};
use hayro_syntax::{
    Pdf,
    object::{Dict, Name},
};

/// Kinds of annotations that remark on something (ISO 32000-2, table 171).
const KINDS: [&str; 15] = [
    "Text",
    "FreeText",
    "Line",
    "Square",
    "Circle",
    "Polygon",
    "PolyLine",
    "Highlight",
    "Underline",
    "Squiggly",
    "StrikeOut",
    "Caret",
    "Stamp",
    "Ink",
    "Redact",
];
/// What stamps say whose text is no text but their name (ISO 32000-2, table 184).
const STAMPS: [(&str, &str); 14] = [
    ("Approved", "Approved"),
    ("AsIs", "As is"),
    ("Confidential", "Confidential"),
    ("Departmental", "Departmental"),
    ("Draft", "Draft"),
    ("Experimental", "Experimental"),
    ("Expired", "Expired"),
    ("Final", "Final"),
    ("ForComment", "For comment"),
    ("ForPublicRelease", "For public release"),
    ("NotApproved", "Not approved"),
    ("NotForPublicRelease", "Not for public release"),
    ("Sold", "Sold"),
    ("TopSecret", "Top secret"),
];
/// Remarks of one file.
const MAX_REMARKS: usize = 100_000;

/// All remarks, page by page.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn read(pdf: &Pdf, tick: &mut dyn FnMut() -> Result<(), ParseError>) -> Result<Vec<Part>, ParseError> {
    let mut parts = Vec::new();
    for (number, page) in pages(pdf) {
        tick()?;
        for annotation in annotations(page) {
            let Some(remark) = remark(&annotation) else { continue };
            let mut facts = Vec::new();
            let author = text(&annotation, "T");
            if !author.is_empty() {
                facts.push(("author", author));
            }
            let when = ["M", "CreationDate"].iter().find_map(|key| date(&text(&annotation, key)));
            facts.extend(when.map(|when| ("date", when)));
            if is_hidden(&annotation) {
                facts.push(hidden());
            }
            let bbox = place(page, &annotation);
            parts.push(Part { kind: NodeKind::Comment, text: remark, facts, page: number, bbox });
            if parts.len() >= MAX_REMARKS {
                return Ok(parts);
            }
        }
    }
    Ok(parts)
}

/// Whether an annotation's remark is read, so that its appearance, which may show the same, need not be.
pub(super) fn is_read(annotation: &Dict<'_>) -> bool {
    // The window of a note shows the note's own text.
    subtype(annotation).as_deref() == Some("Popup") || remark(annotation).is_some()
}

fn remark(annotation: &Dict<'_>) -> Option<String> {
    let kind = subtype(annotation)?;
    if !KINDS.contains(&kind.as_str()) {
        return None;
    }
    // A tick that a reader set on another remark says nothing.
    if text(annotation, "StateModel") == "Marked" {
        return None;
    }
    let plain = text(annotation, "Contents");
    if !plain.is_empty() {
        return Some(plain);
    }
    let rich = xml::text_of(&text(annotation, "RC"));
    if !rich.is_empty() {
        return Some(rich);
    }
    let name = annotation.get::<Name<'_>>("Name").filter(|_| kind == "Stamp")?;
    STAMPS.iter().find(|(stamp, _)| *stamp == name.as_str()).map(|(_, says)| (*says).to_owned())
}
