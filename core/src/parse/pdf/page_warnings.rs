//! What a reader should know of pages that could not be read, or not whole: one sentence a run of pages.

use super::{glyphs::PageContent, paint::Hiding, sheet::Sheet};
use crate::parse::{ParseWarning, ParseWarningKind};
use std::collections::BTreeSet;

/// More runs than this become one sentence with their number.
const MAX_RUNS: usize = 12;

/// Pages by what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct PageWarnings {
    scanned: Vec<u32>,
    drawn: Vec<u32>,
    undecodable: Vec<u32>,
    truncated: Vec<u32>,
    hiding: Vec<u32>,
    /// Why text is hidden, anywhere in the file.
    reasons: BTreeSet<Hiding>,
}

impl PageWarnings {
    /// Takes a page in.
    pub(super) fn note(&mut self, sheet: &Sheet, content: &PageContent) {
        let number = sheet.number;
        if content.truncated {
            self.truncated.push(number);
        }
        if content.from_picture {
            return;
        }
        if !sheet.hidden.is_empty() {
            self.hiding.push(number);
            self.reasons.extend(sheet.hidden.iter().map(|(hiding, ..)| *hiding));
        }
        if content.n_unreadable as usize > content.glyphs.len() / 2 {
            self.undecodable.push(number);
        } else if !sheet.has_text() && content.n_pictures > 0 {
            self.scanned.push(number);
        } else if !sheet.has_text() && content.n_paths > 0 {
            self.drawn.push(number);
        }
    }

    /// Adds the warnings of a file with `n_pages`, of which these sheets were read. Blank pages are no cause for one
    /// unless there is nothing else.
    pub(super) fn report(self, n_pages: usize, sheets: &[Sheet], warnings: &mut Vec<ParseWarning>) {
        use ParseWarningKind::{Damaged, Hidden, NoText, ScanNotRead, Truncated};
        let n_before = warnings.len();
        runs(warnings, ScanNotRead, &self.scanned, |of| {
            let was = if of.starts_with("Page ") { "was" } else { "were" };
            format!("{of} no text: {}, which {was} not read. That takes the reading model for scans.", a_scan(of))
        });
        runs(warnings, ScanNotRead, &self.drawn, |of| {
            format!("{of} drawings and no text. If words are drawn there, the reading model for scans reads them.")
        });
        let undecodable = "text whose fonts do not say which characters they show. It cannot be searched.";
        runs(warnings, Damaged, &self.undecodable, |of| format!("{of} {undecodable}"));
        runs(warnings, Truncated, &self.truncated, |of| {
            format!("{of} too much to be read whole. The rest is missing.")
        });
        if warnings.len() == n_before && !sheets.iter().any(Sheet::has_text) {
            let message = "The file holds no text: all its pages are blank.".to_owned();
            warnings.push(ParseWarning { kind: NoText, page: None, message });
        }
        if let Some(first) = self.hiding.first() {
            let reasons: Vec<&str> = self.reasons.iter().map(|hiding| in_words(*hiding)).collect();
            let message = format!(
                "{} text that is not seen when the page is looked at ({}). It is kept and marked as hidden.",
                of_pages(&self.hiding),
                reasons.join(", ")
            );
            warnings.push(ParseWarning { kind: Hidden, page: Some(*first), message });
        }
        if n_pages > sheets.len() {
            let message = format!("The file has {n_pages} pages. The first {} are read.", sheets.len());
            warnings.push(ParseWarning { kind: Truncated, page: None, message });
        }
    }
}

/// The tree is full before this page.
pub(super) fn rest_is_missing(page: u32) -> ParseWarning {
    let message = format!("The file holds more than can be kept. Page {page} and all that follow are missing.");
    ParseWarning { kind: ParseWarningKind::Truncated, page: Some(page), message }
}

fn in_words(hiding: Hiding) -> &'static str {
    match hiding {
        Hiding::Invisible => "drawn invisible",
        Hiding::White => "in the colour of its background",
        Hiding::Tiny => "too small to be read",
        Hiding::Outside => "outside the visible part of the page",
    }
}

/// "Page 3 holds", "Pages 3–5, 9 hold", and so on for any pages.
fn of_pages(pages: &[u32]) -> String {
    let runs = pages.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}–{last}"),
        [only] => only.to_string(),
        [] => String::new(),
    });
    let runs: Vec<String> = runs.collect();
    match pages {
        [only] => format!("Page {only} holds"),
        _ if runs.len() > MAX_RUNS => format!("{} pages ({} and others) hold", pages.len(), runs[..3].join(", ")),
        _ => format!("Pages {} hold", runs.join(", ")),
    }
}

fn a_scan(of: &str) -> &'static str {
    if of.starts_with("Page ") { "a scan" } else { "scans" }
}

/// One warning for each run of pages; `message` is given "Page 3 holds" or "Pages 3–9 hold".
fn runs(warnings: &mut Vec<ParseWarning>, kind: ParseWarningKind, pages: &[u32], message: impl Fn(&str) -> String) {
    let runs: Vec<&[u32]> = pages.chunk_by(|a, b| a + 1 == *b).collect();
    if runs.len() > MAX_RUNS {
        let of = format!("{} pages (the first is page {}) hold", pages.len(), pages[0]);
        warnings.push(ParseWarning { kind, page: pages.first().copied(), message: message(&of) });
        return;
    }
    for run in runs {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let of = if first == last { format!("Page {first} holds") } else { format!("Pages {first}–{last} hold") };
        warnings.push(ParseWarning { kind, page: Some(*first), message: message(&of) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_pages_are_one_sentence() {
        let mut warnings = Vec::new();
        runs(&mut warnings, ParseWarningKind::NoText, &[3, 4, 5, 9], |of| format!("{of} none."));
        let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert_eq!(messages, ["Pages 3–5 hold none.", "Page 9 holds none."]);
        let scattered: Vec<u32> = (0..40).map(|n| 2 * n + 1).collect();
        warnings.clear();
        runs(&mut warnings, ParseWarningKind::NoText, &scattered, |of| format!("{of} none."));
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].message, "40 pages (the first is page 1) hold none.");
    }
}
