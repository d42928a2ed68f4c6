//! Chooses which part of a long passage to show first: the one that holds most of the marks.

use std::ops::Range;

/// The stretch of `text` to show, at most about `max_bytes` long: the whole text where it is short, otherwise the window
/// with the most marks (the earliest among equals), widened to begin and end between words. O(marks² + text).
pub(crate) fn excerpt(text: &str, marks: &[(u32, u32)], max_bytes: usize) -> Range<usize> {
    // A little over the bound is not worth a cut.
    if text.len() <= max_bytes + max_bytes / 4 {
        return 0..text.len();
    }
    // A third of the room goes to what leads up to the first mark, unless the passage's beginning is near anyway.
    let lead = max_bytes / 3;
    let is_within =
        |from: usize, mark: &(u32, u32)| mark.0 as usize >= from && mark.1 as usize <= from + max_bytes - lead;
    let n_within = |from: usize| marks.iter().filter(|mark| is_within(from, mark)).count();
    let first = marks.iter().map(|mark| mark.0 as usize).min_by_key(|&from| (usize::MAX - n_within(from), from));
    let from = first.map_or(0, |first| first.saturating_sub(lead));
    let from = from.min(text.len().saturating_sub(max_bytes));
    let start = if from == 0 { 0 } else { next_word(text, from) };
    let end = start + max_bytes;
    start..if end >= text.len() { text.len() } else { word_end(text, end) }
}

/// The first place at or after `from` where a word begins.
fn next_word(text: &str, from: usize) -> usize {
    let from = ceil_boundary(text, from);
    text[from..].find(char::is_whitespace).map_or(from, |gap| {
        let after = &text[from + gap..];
        from + gap + (after.len() - after.trim_start().len())
    })
}

/// The end of the word that `at` stands in.
fn word_end(text: &str, at: usize) -> usize {
    let at = ceil_boundary(text, at);
    text[at..].find(char::is_whitespace).map_or(text.len(), |gap| at + gap)
}

fn ceil_boundary(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Which of a table's rows to show first, by how many words of the question each answers (`scores`, a row each): the
/// header (row 0), then those that answer most, the earlier among equals, at most `max_rows` in all; every row where
/// they fit. Ascending. O(n log n).
pub(crate) fn rows_on_show(scores: &[usize], max_rows: usize) -> Vec<usize> {
    if scores.len() <= max_rows + 1 {
        return (0..scores.len()).collect();
    }
    let mut rest: Vec<usize> = (1..scores.len()).collect();
    rest.sort_by_key(|&row| (std::cmp::Reverse(scores[row]), row));
    let mut rows: Vec<usize> = std::iter::once(0).chain(rest).take(max_rows).collect();
    rows.sort_unstable();
    rows
}

/// How many different words of the question are marked between two places of a text. O(marks²).
pub(crate) fn n_words_marked(text: &str, marks: &[(u32, u32)], range: Range<usize>) -> usize {
    let mut words: Vec<String> = marks
        .iter()
        .filter(|mark| mark.0 as usize >= range.start && mark.1 as usize <= range.end)
        .filter_map(|mark| text.get(mark.0 as usize..mark.1 as usize).map(str::to_lowercase))
        .collect();
    words.sort_unstable();
    words.dedup();
    words.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_short_text_is_shown_whole() {
        assert_eq!(excerpt("short text", &[(0, 5)], 40), 0..10);
    }

    #[test]
    fn the_window_holds_the_cluster_of_marks_and_cuts_between_words() {
        let text = format!("{} torque the flange bolts to 48 Nm {}", "filler ".repeat(60), "tail ".repeat(60));
        let at = text.find("torque").expect("is there") as u32;
        let range = excerpt(&text, &[(0, 6), (at, at + 6), (at + 11, at + 17), (at + 18, at + 23)], 120);
        let shown = &text[range.clone()];
        assert!(shown.contains("torque the flange bolts to 48 Nm"), "{shown}");
        assert!(shown.starts_with("filler") && (shown.ends_with("tail")), "{shown}");
        assert!(range.len() < 140);
    }

    #[test]
    fn without_marks_it_begins_at_the_beginning_and_never_cuts_a_character() {
        assert_eq!(excerpt(&"ü".repeat(300), &[], 101).start, 0);
        let spaced = "größe ".repeat(80);
        for max in 50..70 {
            assert!(spaced.get(excerpt(&spaced, &[(301, 302)], max)).is_some());
        }
    }

    #[test]
    fn rows_on_show_are_the_header_and_those_that_answer_most() {
        assert_eq!(rows_on_show(&[0, 0, 5, 0], 5), [0, 1, 2, 3]);
        let scores =
            |best: usize| (0..40).map(|row| if row == best { 3 } else { usize::from(row > 20) }).collect::<Vec<_>>();
        assert_eq!(rows_on_show(&scores(30), 4), [0, 21, 22, 30]);
        assert_eq!(rows_on_show(&[0; 40], 3), [0, 1, 2]);
    }

    #[test]
    fn a_word_counts_once_in_a_row() {
        let text = "home | HOME | Z\nhome | x";
        let marks = [(0, 4), (7, 11), (14, 15), (16, 20)];
        assert_eq!(n_words_marked(text, &marks, 0..15), 2);
        assert_eq!(n_words_marked(text, &marks, 16..24), 1);
    }
}
