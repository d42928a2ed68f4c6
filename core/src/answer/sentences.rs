//! The sentences of a passage as ranges, without breaks after abbreviations and list markers.

use crate::text;
use std::ops::Range;

/// Abbreviations after which a sentence goes on, lower case.
const ABBREVIATIONS: [&str; 54] = [
    "no", "nr", "fig", "figs", "approx", "e.g", "i.e", "eg", "ie", "cf", "vs", "etc", "dr", "mr", "mrs", "ms", "prof",
    "st", "jr", "sr", "inc", "ltd", "co", "corp", "max", "min", "ca", "z.b", "d.h", "bzw", "ggf", "abb", "tab", "kap",
    "sec", "sect", "ch", "vol", "pp", "p", "art", "pos", "ref", "rev", "incl", "excl", "dept", "gen", "col", "lt",
    "sgt", "u.s", "u.k", "bspw",
];
/// A sentence longer than this is cut where it likes: it is none.
const MAX_SENTENCE_BYTES: usize = 2_000;

/// The sentences of a text, in order, trimmed; lines are never joined. O(n).
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Range<usize>> = None;
    let mut at = 0;
    for piece in text::sentences(text) {
        let end = at + piece.len();
        let range = open.take().map_or(at..end, |before: Range<usize>| before.start..end);
        at = end;
        let so_far = &text[range.clone()];
        if goes_on(so_far, &text[end..]) && so_far.len() < MAX_SENTENCE_BYTES {
            open = Some(range);
        } else {
            found.push(range);
        }
    }
    found.extend(open);
    found.into_iter().map(|range| trimmed(text, range)).filter(|range| !range.is_empty()).collect()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inside = &text[range.clone()];
    let start = range.start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}

/// Whether a piece is no whole sentence.
fn goes_on(piece: &str, rest: &str) -> bool {
    if piece.ends_with(['\n', '\r', '\u{2029}']) || rest.is_empty() {
        return false;
    }
    let trimmed = piece.trim_end();
    let Some(before) = trimmed.strip_suffix('.') else {
        // "1)" and bullets.
        return trimmed.chars().count() <= 3 && !trimmed.ends_with(['!', '?']);
    };
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let is_marker = before.trim().chars().count() <= 3;
    let is_initial = last.chars().count() == 1 && last.chars().all(char::is_uppercase);
    is_marker || is_initial || ABBREVIATIONS.contains(&last.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_are_whole() {
        assert_eq!(
            split("See Fig. 3 for it. J. Smith wrote that.\n1. Stop the pump.\n2. Wait."),
            ["See Fig. 3 for it.", "J. Smith wrote that.", "1. Stop the pump.", "2. Wait."]
        );
        assert_eq!(split("Torque is 3.5 Nm. Done!"), ["Torque is 3.5 Nm.", "Done!"]);
        assert_eq!(split("  \n "), [""; 0]);
    }

    proptest::proptest! {
        #[test]
        fn ranges_are_of_the_text(text in "([A-Za-zé0-9]{1,4}[ .\n?]{1,2}){0,40}") {
            let mut last = 0;
            for range in sentences(&text) {
                proptest::prop_assert!(range.start >= last && text.get(range.clone()).is_some());
                last = range.end;
            }
        }
    }
}
