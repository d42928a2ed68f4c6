//! Running heads that name what their pages are about, where nothing else does: manual pages, data sheets bound as one.
//!
//! In most books a running head repeats a heading of the text and adds nothing. Where it does not, it is the title of
//! the pages under it, and a passage is only understood with it.

use super::{headings::Placed, sheet::Sheet};
use std::collections::{BTreeMap, BTreeSet};

/// Fewer different heads are a document's own name and date.
const MIN_HEADS: usize = 3;

/// The head of each sheet, if the heads of this document are titles; otherwise nothing. A head stands on consecutive
/// pages, on no other, and is not a heading of the text.
pub(super) fn titles(sheets: &[Sheet], placed: &[Placed]) -> Vec<Option<String>> {
    let mut pages_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let heads: Vec<BTreeSet<String>> = sheets.iter().map(heads).collect();
    for (sheet, heads) in sheets.iter().zip(&heads) {
        for head in heads {
            pages_of.entry(head.clone()).or_default().push(sheet.number);
        }
    }
    pages_of.retain(|_, pages| {
        let n_pages = pages.len() as u32;
        pages.iter().zip(pages.first().copied().unwrap_or(0)..).all(|(page, expected)| *page == expected)
            && n_pages * 3 <= sheets.len() as u32
    });
    let titles: Vec<Option<String>> = heads
        .into_iter()
        .map(|heads| {
            let mut titles = heads.into_iter().filter(|head| pages_of.contains_key(head));
            titles.next().filter(|_| titles.next().is_none())
        })
        .collect();
    let used: BTreeSet<&str> = titles.iter().flatten().map(String::as_str).collect();
    let headings: BTreeSet<String> =
        placed.iter().filter_map(|placed| placed.heading.as_ref()).map(|heading| plain(&heading.text)).collect();
    let n_repeated = used.iter().filter(|title| headings.contains(&plain(title))).count();
    let n_titled = titles.iter().flatten().count();
    if used.len() < MIN_HEADS || n_repeated * 4 > used.len() || n_titled * 10 < sheets.len() * 8 {
        return vec![None; sheets.len()];
    }
    titles
}

/// The texts at the top of a page that are more than a number.
fn heads(sheet: &Sheet) -> BTreeSet<String> {
    let upper = sheet.furniture.iter().filter(|segment| segment.bbox.y1 < sheet.frame_height() / 2.0);
    let named = upper.filter(|segment| segment.text.chars().filter(|c| c.is_alphabetic()).count() >= 2);
    named.map(|segment| segment.text.clone()).collect()
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
