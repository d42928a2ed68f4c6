//! The file's bookmarks: titles, levels and pages of its sections, where its writer left them.

use super::{password, strings};
use crate::parse::{ParseError, ParseOptions};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Object, ObjectIdentifier, String as PdfString},
};
use std::collections::{BTreeMap, BTreeSet};

/// Bookmarks that are read.
const MAX_ENTRIES: usize = 20_000;
/// Named destinations that are read.
const MAX_NAMES: usize = 200_000;
/// Nesting that is followed.
const MAX_LEVEL: usize = 16;

/// A bookmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// As the reader sees it.
    pub title: String,
    /// 1 is the outermost.
    pub level: u8,
    /// The page it leads to, from 1.
    pub page: u32,
}

/// The bookmarks of a PDF in order; those that lead nowhere are left out.
///
/// # Errors
/// [`ParseError::Password`], and [`ParseError::Damaged`] when no page is found.
pub fn bookmarks(bytes: &[u8], options: &ParseOptions) -> Result<Vec<Bookmark>, ParseError> {
    Ok(read(&password::open(bytes, options.password.as_deref())?))
}

/// The bookmarks in order; those that lead nowhere are left out.
pub(super) fn read(pdf: &Pdf) -> Vec<Bookmark> {
    let Some(catalog) = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()) else { return Vec::new() };
    let Some(outlines) = catalog.get::<Dict<'_>>("Outlines") else { return Vec::new() };
    let targets = Targets::of(pdf);
    let mut entries = Vec::new();
    let mut seen = BTreeSet::new();
    // One pending sibling per level.
    let mut pending = vec![outlines.get::<Dict<'_>>("First")];
    while let Some(next) = pending.last_mut() {
        let Some(item) = next.take() else {
            pending.pop();
            continue;
        };
        let is_new = item.obj_id().is_none_or(|id| seen.insert(key(id)));
        if !is_new || entries.len() >= MAX_ENTRIES {
            pending.pop();
            continue;
        }
        *next = item.get::<Dict<'_>>("Next");
        let level = u8::try_from(pending.len()).unwrap_or(u8::MAX);
        if let (Some(title), Some(page)) = (item.get::<PdfString<'_>>("Title"), targets.page_of(&item)) {
            entries.push(Bookmark { title: strings::decode(&title), level, page });
        }
        if pending.len() < MAX_LEVEL {
            pending.push(item.get::<Dict<'_>>("First"));
        }
    }
    entries.retain(|entry| !entry.title.is_empty());
    entries
}

/// The pages that bookmarks and links lead to.
pub(super) struct Targets {
    /// Page numbers by object.
    pages: BTreeMap<(u32, i32), u32>,
    /// Page objects by name of destination.
    named: BTreeMap<Vec<u8>, (u32, i32)>,
    n_pages: u32,
}

impl Targets {
    /// Those of a file.
    pub(super) fn of(pdf: &Pdf) -> Self {
        let pages = (1..).zip(pdf.pages().iter());
        let pages = pages.filter_map(|(number, page)| Some((key(page.raw().obj_id()?), number))).collect();
        let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
        let named = catalog.as_ref().map(named).unwrap_or_default();
        Self { pages, named, n_pages: pdf.pages().len() as u32 }
    }

    /// The page, from 1, that a bookmark or link leads to.
    pub(super) fn page_of(&self, item: &Dict<'_>) -> Option<u32> {
        let destination = match item.get::<Object<'_>>("Dest") {
            Some(destination) => destination,
            None => item.get::<Dict<'_>>("A")?.get::<Object<'_>>("D")?,
        };
        match &destination {
            Object::Array(array) => self.page_in(array),
            Object::Name(name) => self.page_named(name.as_ref()),
            Object::String(name) => self.page_named(name.as_bytes()),
            _ => None,
        }
    }

    fn page_in(&self, array: &Array<'_>) -> Option<u32> {
        let first = array.raw_iter().next()?;
        if let Some(reference) = first.as_obj_ref() {
            return self.pages.get(&key(reference.into())).copied();
        }
        // Some writers put the page's index.
        let index = array.iter::<u32>().next()?;
        (index < self.n_pages).then_some(index + 1)
    }

    fn page_named(&self, name: &[u8]) -> Option<u32> {
        self.pages.get(self.named.get(name)?).copied()
    }
}

/// Named destinations: the old dictionary and the name tree.
fn named(catalog: &Dict<'_>) -> BTreeMap<Vec<u8>, (u32, i32)> {
    let mut named = BTreeMap::new();
    if let Some(old) = catalog.get::<Dict<'_>>("Dests") {
        for name in old.keys().take(MAX_NAMES) {
            if let Some(page) = old.get::<Object<'_>>(name.as_ref()).and_then(|target| page_object(&target)) {
                named.insert(name.as_ref().to_vec(), page);
            }
        }
    }
    let root = catalog.get::<Dict<'_>>("Names").and_then(|names| names.get::<Dict<'_>>("Dests"));
    let mut seen = BTreeSet::new();
    let mut pending: Vec<Dict<'_>> = root.into_iter().collect();
    while let Some(node) = pending.pop() {
        if node.obj_id().is_some_and(|id| !seen.insert(key(id))) || named.len() >= MAX_NAMES {
            continue;
        }
        if let Some(kids) = node.get::<Array<'_>>("Kids") {
            pending.extend(kids.iter::<Dict<'_>>().take(MAX_NAMES));
        }
        if let Some(pairs) = node.get::<Array<'_>>("Names") {
            let mut objects = pairs.iter::<Object<'_>>();
            while let (Some(name), Some(target)) = (objects.next(), objects.next()) {
                if let (Object::String(name), Some(page)) = (name, page_object(&target)) {
                    named.insert(name.as_bytes().to_vec(), page);
                }
            }
        }
    }
    named
}

fn page_object(target: &Object<'_>) -> Option<(u32, i32)> {
    let array = match target {
        Object::Array(array) => array.clone(),
        Object::Dict(dict) => dict.get::<Array<'_>>("D")?,
        _ => return None,
    };
    Some(key(array.raw_iter().next()?.as_obj_ref()?.into()))
}

fn key(id: ObjectIdentifier) -> (u32, i32) {
    (id.obj_number, id.gen_number)
}
