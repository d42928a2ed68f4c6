//! What of an excerpt can say a claim: a few sentences that stand together, or one row under the names of its columns.

use super::Block;
use crate::answer::sentences::sentences;
use std::ops::Range;

/// Sentences that together may say one claim.
const MAX_SENTENCES: usize = 3;
/// Sentences of an excerpt that are looked at.
const MAX_LOOKED_AT: usize = 400;

/// A window on an excerpt.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) text: String,
    /// Ascending.
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) n_sentences: usize,
}

/// The windows of an excerpt, small ones first.
pub(super) fn windows(block: &Block) -> Vec<Window> {
    if block.is_tabular { rows(block) } else { runs(block) }
}

fn runs(block: &Block) -> Vec<Window> {
    let sentences: Vec<Range<usize>> = sentences(&block.text).into_iter().take(MAX_LOOKED_AT).collect();
    let mut windows = Vec::new();
    for n in 1..=MAX_SENTENCES {
        for run in sentences.windows(n) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let range = first.start..last.end;
            let Some(text) = block.text.get(range.clone()) else { continue };
            windows.push(Window { text: text.to_owned(), ranges: vec![range], n_sentences: n });
        }
    }
    windows
}

/// Every line with those above it that name the columns: the first ones, up to the first with cells.
fn rows(block: &Block) -> Vec<Window> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for line in block.text.split_inclusive('\n') {
        lines.push(at..at + line.trim_end().len());
        at += line.len();
    }
    lines.retain(|line| !line.is_empty());
    let n_head = lines.iter().position(|line| block.text[line.clone()].contains(" | ")).map_or(0, |at| at + 1);
    let head = lines.get(..n_head).unwrap_or_default();
    let row = |line: &Range<usize>| {
        let mut ranges: Vec<Range<usize>> = head.iter().filter(|range| *range != line).cloned().collect();
        ranges.push(line.clone());
        ranges.sort_by_key(|range| range.start);
        let text = ranges.iter().filter_map(|range| block.text.get(range.clone())).collect::<Vec<_>>().join("\n");
        Window { text, ranges, n_sentences: 1 }
    };
    lines.iter().take(MAX_LOOKED_AT).map(row).collect()
}
