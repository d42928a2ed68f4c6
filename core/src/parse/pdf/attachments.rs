//! Files that are embedded in a PDF: its list of files, those associated with it or a page, and those pinned to a page.

use super::{inflation, strings};
use crate::{
    document::Document,
    parse::{
        ParseError,
        attachment::{Attached, Reading},
    },
};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, Object, Stream, String as PdfString},
};
use std::{borrow::Cow, collections::BTreeSet};

/// Files that are looked at; the nest has its own, lower bound.
const MAX_FILES: usize = 20_000;
/// Keys under which a file's name and bytes stand, the best first (ISO 32000-2, 7.11.3).
const KEYS: [&str; 5] = ["UF", "F", "Unix", "Mac", "DOS"];

/// Reads them into sections at the end of the document.
///
/// # Errors
/// [`ParseError::Cancelled`].
pub(super) fn attach(pdf: &Pdf, document: &mut Document, reading: &mut Reading<'_>) -> Result<(), ParseError> {
    let most = reading.nest.bytes_left();
    let files = embedded(pdf);
    // One at a time: together they may be larger than memory.
    let unpacked = files.iter().map(|file| Attached {
        name: &file.name,
        description: &file.description,
        bytes: unpack(&file.stream, most),
    });
    reading.attach(document, unpacked)
}

struct Embedded<'a> {
    name: String,
    description: String,
    stream: Stream<'a>,
}

fn unpack<'a>(stream: &Stream<'a>, most: usize) -> Result<Cow<'a, [u8]>, &'static str> {
    if !inflation::stays_within(stream, most) {
        return Err("it is larger than what may be unpacked from one file");
    }
    stream.decoded_data().map_err(|_| "its bytes are damaged")
}

/// Every embedded file once, in the order of the list, then of the pages.
fn embedded(pdf: &Pdf) -> Vec<Embedded<'_>> {
    let mut files = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |specification: &Dict<'_>, key: &str| {
        let Some((name, description, stream)) = described(specification, key) else { return };
        let id = stream.obj_id();
        if files.len() < MAX_FILES && seen.insert((id.obj_number, id.gen_number)) {
            files.push((name, description, id));
        }
    };
    if let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) {
        if let Some(root) = catalog.get::<Dict<'_>>("Names").and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles")) {
            named(root, &mut add);
        }
        associated(&catalog, &mut add);
    }
    for page in pdf.pages().iter() {
        associated(page.raw(), &mut add);
        let annotations = page.raw().get::<Array<'_>>("Annots");
        for annotation in annotations.iter().flat_map(|all| all.iter::<Dict<'_>>()).take(MAX_FILES) {
            let kind = annotation.get::<Name<'_>>("Subtype");
            if kind.is_some_and(|kind| kind.as_str() == "FileAttachment")
                && let Some(specification) = annotation.get::<Dict<'_>>("FS")
            {
                add(&specification, "");
            }
        }
    }
    let open =
        |(name, description, id)| Some(Embedded { name, description, stream: pdf.xref().get::<Stream<'_>>(id)? });
    files.into_iter().filter_map(open).collect()
}

/// Name, description and bytes of a file specification; `None` where it only names a file elsewhere.
fn described<'a>(specification: &Dict<'a>, key: &str) -> Option<(String, String, Stream<'a>)> {
    let bytes = specification.get::<Dict<'_>>("EF")?;
    let stream = KEYS.iter().find_map(|key| bytes.get::<Stream<'a>>(*key))?;
    let text = |key: &str| specification.get::<PdfString<'_>>(key).map(|text| strings::decode(&text));
    let name = KEYS.iter().filter_map(|key| text(key)).find(|name| !name.is_empty());
    Some((name.unwrap_or_else(|| key.to_owned()), text("Desc").unwrap_or_default(), stream))
}

fn associated(dict: &Dict<'_>, add: &mut impl FnMut(&Dict<'_>, &str)) {
    let files = dict.get::<Array<'_>>("AF");
    files.iter().flat_map(|all| all.iter::<Dict<'_>>()).take(MAX_FILES).for_each(|file| add(&file, ""));
}

/// The name tree of embedded files.
fn named(root: Dict<'_>, add: &mut impl FnMut(&Dict<'_>, &str)) {
    let mut seen = BTreeSet::new();
    let mut n_files = 0;
    // The next to be read is the last.
    let mut pending = vec![root];
    while let Some(node) = pending.pop() {
        let is_new = node.obj_id().is_none_or(|id| seen.insert((id.obj_number, id.gen_number)));
        if !is_new || n_files >= MAX_FILES || pending.len() >= MAX_FILES {
            continue;
        }
        if let Some(pairs) = node.get::<Array<'_>>("Names") {
            let mut objects = pairs.iter::<Object<'_>>();
            while let (Some(name), Some(file)) = (objects.next(), objects.next()) {
                if let (Object::String(name), Object::Dict(file)) = (name, file) {
                    add(&file, &strings::decode(&name));
                    n_files += 1;
                }
            }
        }
        if let Some(kids) = node.get::<Array<'_>>("Kids") {
            let mut kids: Vec<Dict<'_>> = kids.iter::<Dict<'_>>().take(MAX_FILES).collect();
            kids.reverse();
            pending.append(&mut kids);
        }
    }
}

#[cfg(test)]
mod tests;
