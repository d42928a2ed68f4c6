//! Headings: their text, level and page.

use super::{Faults, Reading, Tally, reading, truth::Truth};
use millwright_core::document::NodeKind;

/// A heading as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    level: i32,
    text: String,
    page: u32,
}

/// How many headings were found with text, level and page. Levels count from the document's own outermost one: whether
/// the title is a level above is a matter of taste.
pub(super) fn score(reading: &Reading<'_>, truth: &Truth, faults: &mut Faults) -> Tally {
    let known: Vec<Found> = truth
        .headings
        .iter()
        .map(|h| Found { level: i32::from(h.level), text: reading::line(&h.text), page: h.page })
        .collect();
    let loose: Vec<String> = truth.loose.iter().chain([&truth.title]).map(|text| reading::line(text)).collect();
    let sections = reading.document.nodes.iter().filter_map(|node| match node.kind {
        NodeKind::Section { level } if !node.text.is_empty() => {
            Some(Found { level: i32::from(level), text: reading::line(&node.text), page: node.page.unwrap_or(0) })
        }
        _ => None,
    });
    let mut read: Vec<Found> = sections.filter(|found| !loose.contains(&found.text)).collect();
    let agreeing = |shift: i32| {
        read.iter().filter(|found| known.contains(&Found { level: found.level - shift, ..(*found).clone() })).count()
    };
    // The smaller shift wins a tie.
    let shift = [0, 1, -1, 2].into_iter().rev().max_by_key(|shift| agreeing(*shift)).unwrap_or(0);
    read.iter_mut().for_each(|found| found.level -= shift);
    let right = known.iter().filter(|heading| read.contains(heading)).count();
    for heading in known.iter().filter(|heading| !read.contains(heading)) {
        let instead = match read.iter().find(|found| found.text == heading.text) {
            Some(found) => format!("read on level {}, page {}", found.level, found.page),
            None => format!("not read as one{}", taken_for(reading, &heading.text)),
        };
        faults.push(format!("headings: “{}” (level {}, page {}) {instead}", heading.text, heading.level, heading.page));
    }
    for found in read.iter().filter(|found| known.iter().all(|heading| heading.text != found.text)) {
        faults.push(format!("headings: “{}” on page {} is none", found.text, found.page));
    }
    Tally { right, read: read.len(), known: known.len() }
}

fn taken_for(reading: &Reading<'_>, text: &str) -> String {
    let holds = reading.document.nodes.iter().find(|node| reading::line(&node.text).contains(text));
    holds.map(|node| format!(" but as {:?} “{:.80}”", node.kind, reading::line(&node.text))).unwrap_or_default()
}
