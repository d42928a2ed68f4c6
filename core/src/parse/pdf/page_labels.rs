//! Page numbers as printed: the file's own count of its pages (ISO 32000-2, 12.4.2), "xii" for the twelfth.
//!
//! Not for numbers that only stand in the running feet: those are furniture.

use super::strings;
use crate::document::{Document, facts};
use hayro_syntax::{
    Pdf,
    object::{Array, Dict, Name, Object, String as PdfString},
};
use std::collections::BTreeMap;

/// Ranges of pages that are counted apart.
const MAX_RANGES: usize = 10_000;
/// Nodes of the tree of ranges.
const MAX_NODES: usize = 10_000;
/// Nobody counts further in Roman numerals or letters; larger numbers are written in digits.
const MAX_ROMAN: u32 = 4_999;
const MAX_LETTERS: u32 = 26 * 20;
/// Longer prefixes are no part of a page number.
const MAX_PREFIX: usize = 40;

/// How the pages of a range are counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Range {
    style: Option<char>,
    prefix: String,
    first: u32,
}

/// Notes on every node the number printed on its page, if the file counts any of its pages otherwise than from 1.
pub(super) fn note(pdf: &Pdf, document: &mut Document) {
    let ranges = ranges(pdf);
    let n_pages = document.n_pages.unwrap_or(0);
    let labels: Vec<Option<String>> = (1..=n_pages).map(|page| label(&ranges, page)).collect();
    if (1_u32..).zip(&labels).all(|(page, label)| label.as_ref().is_none_or(|label| *label == page.to_string())) {
        return;
    }
    for node in &mut document.nodes {
        let page = node.page.and_then(|page| page.checked_sub(1)).and_then(|index| labels.get(index as usize));
        if let Some(Some(label)) = page {
            node.metadata.insert(facts::PAGE_LABEL.to_owned(), label.clone());
        }
    }
}

/// The ranges by the index of their first page, from 0.
fn ranges(pdf: &Pdf) -> BTreeMap<u32, Range> {
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id());
    let root = catalog.and_then(|catalog| catalog.get::<Dict<'_>>("PageLabels"));
    let mut ranges = BTreeMap::new();
    let mut n_nodes = 0;
    let mut pending: Vec<Dict<'_>> = root.into_iter().collect();
    while let Some(node) = pending.pop() {
        n_nodes += 1;
        // A tree that holds itself ends here, too.
        if n_nodes > MAX_NODES || pending.len() > MAX_NODES || ranges.len() >= MAX_RANGES {
            break;
        }
        if let Some(kids) = node.get::<Array<'_>>("Kids") {
            pending.extend(kids.iter::<Dict<'_>>().take(MAX_NODES));
        }
        if let Some(pairs) = node.get::<Array<'_>>("Nums") {
            let mut objects = pairs.iter::<Object<'_>>().take(2 * MAX_RANGES);
            while let (Some(from), Some(range)) = (objects.next(), objects.next()) {
                let from = from.into_number().map(|number| number.as_f64()).filter(|from| (0.0..1e6).contains(from));
                if let (Some(from), Object::Dict(range)) = (from, range) {
                    ranges.insert(from as u32, Range::of(&range));
                }
            }
        }
    }
    ranges
}

impl Range {
    fn of(dict: &Dict<'_>) -> Self {
        let style = dict.get::<Name<'_>>("S").and_then(|style| style.as_str().chars().next());
        let prefix = dict.get::<PdfString<'_>>("P").map(|prefix| strings::decode(&prefix)).unwrap_or_default();
        let first = dict.get::<u32>("St").unwrap_or(1).max(1);
        Self { style, prefix: prefix.chars().take(MAX_PREFIX).collect(), first }
    }
}

/// The printed number of a page counted from 1; `None` where the file does not tell, or says nothing.
fn label(ranges: &BTreeMap<u32, Range>, page: u32) -> Option<String> {
    let index = page.checked_sub(1)?;
    let (from, range) = ranges.range(..=index).next_back()?;
    let number = range.first.saturating_add(index - from);
    let number = match range.style {
        Some('D') => number.to_string(),
        Some('R') => roman(number).unwrap_or_else(|| number.to_string()),
        Some('r') => roman(number).map_or_else(|| number.to_string(), |roman| roman.to_lowercase()),
        Some('A') => letters(number, b'A').unwrap_or_else(|| number.to_string()),
        Some('a') => letters(number, b'a').unwrap_or_else(|| number.to_string()),
        _ => String::new(),
    };
    let label = format!("{}{number}", range.prefix);
    (!label.is_empty()).then_some(label)
}

fn roman(number: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut rest = (1..=MAX_ROMAN).contains(&number).then_some(number)?;
    let mut roman = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            roman.push_str(sign);
            rest -= value;
        }
    }
    Some(roman)
}

/// A to Z, then AA to ZZ, AAA to ZZZ.
fn letters(number: u32, first: u8) -> Option<String> {
    let index = (1..=MAX_LETTERS).contains(&number).then(|| number - 1)?;
    let letter = char::from(first + (index % 26) as u8);
    Some(std::iter::repeat_n(letter, (index / 26 + 1) as usize).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        host::NoProgress,
        parse::{
            parse,
            pdf::fixture::{FixturePage, write_parts},
        },
    };

    #[test]
    fn numbers_are_written_as_the_range_says() {
        let range = |style, first| Range { style, prefix: String::new(), first };
        let of = |style, first, page| label(&[(0, range(style, first))].into(), page).unwrap_or_default();
        assert_eq!([of(Some('r'), 1, 12), of(Some('R'), 1999, 1), of(Some('r'), 9_000, 1)], ["xii", "MCMXCIX", "9000"]);
        assert_eq!([of(Some('A'), 1, 27), of(Some('a'), 1, 26), of(Some('D'), 7, 3)], ["AA", "z", "9"]);
        assert_eq!(of(None, 1, 3), "");
    }

    #[test]
    fn every_node_knows_the_number_printed_on_its_page() {
        let page = |text: &str| FixturePage::new().lines(50, 80, &[text]);
        let pages = [page("The preface."), page("Its second page."), page("The first chapter."), page("The annex.")];
        let labels = "/PageLabels << /Kids [ << /Nums [0 << /S /r >> 2 << /S /D >>] >> \
                      << /Nums [3 << /P (A-) /S /D /St 5 >>] >> ] >>";
        let read = |labels: &str| parse("a.pdf", &write_parts(&pages, labels, &[]), &mut NoProgress).unwrap().document;
        let document = read(labels);
        let printed: Vec<Option<&str>> = document
            .nodes
            .iter()
            .skip(1)
            .map(|node| node.metadata.get(facts::PAGE_LABEL).map(String::as_str))
            .collect();
        assert_eq!(printed, [Some("i"), Some("ii"), Some("1"), Some("A-5")]);
        let counted = read("/PageLabels << /Nums [0 << /S /D >>] >>");
        assert!(
            counted.nodes.iter().all(|node| !node.metadata.contains_key(facts::PAGE_LABEL)),
            "they say nothing new"
        );
    }
}
