//! Splits text at its marks, for showing which words answer the question.

use std::ops::Range;

/// A piece of text that is marked throughout or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The piece, never empty.
    pub(crate) text: String,
    /// Whether it answers a word of the question.
    pub(crate) marked: bool,
}

/// The segments of `text[range]`, in order; together they are that text exactly.
///
/// Marks are byte ranges of the whole `text`, ascending. One that overlaps an earlier one, leaves the text or cuts a
/// character is passed over: the text on show is never altered by a bad mark. O(range + marks).
pub(crate) fn segments(text: &str, range: Range<usize>, marks: &[(u32, u32)]) -> Vec<Segment> {
    let mut pieces = Vec::new();
    let mut push = |piece: Range<usize>, marked| {
        if let Some(text) = text.get(piece).filter(|text| !text.is_empty()) {
            pieces.push(Segment { text: text.to_owned(), marked });
        }
    };
    let mut at = range.start;
    for &(start, end) in marks {
        let start = (start as usize).max(range.start);
        let end = (end as usize).min(range.end);
        if start < at || start >= end || text.get(at..start).is_none() || text.get(start..end).is_none() {
            continue;
        }
        push(at..start, false);
        push(start..end, true);
        at = end;
    }
    push(at..range.end, false);
    pieces
}

/// The texts under the marks, each once, longest first: what to look for where the passage's words stand in the document.
pub(crate) fn marked_words(text: &str, marks: &[(u32, u32)]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in marks.iter().filter_map(|&(start, end)| text.get(start as usize..end as usize)) {
        if !word.is_empty() && !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    words
}

/// Where whole words of `words` (longest first) stand in `text`: byte ranges, ascending, not overlapping.
/// O(text · words).
pub(crate) fn occurrences(text: &str, words: &[String]) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for word in words {
        for (start, _) in text.match_indices(word.as_str()) {
            let end = start + word.len();
            let is_open = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            let is_word = is_open(text[..start].chars().next_back()) && is_open(text[end..].chars().next());
            let (start, end) = (start as u32, end as u32);
            if is_word && !found.iter().any(|other| start < other.1 && other.0 < end) {
                found.push((start, end));
            }
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_passages_words_are_found_again_as_whole_words() {
        let words = marked_words("seal kit SKU-48291, seal", &[(0, 4), (9, 18), (20, 24), (90, 99)]);
        assert_eq!(words, ["SKU-48291", "seal"]);
        let text = "The seal (SKU-48291) is sealed; SKU-482910 and größe";
        assert_eq!(
            show(text, 0..text.len(), &occurrences(text, &words)),
            "The [seal] ([SKU-48291]) is sealed; SKU-482910 and größe"
        );
        let nested = ["SKU-48291".to_owned(), "48291".to_owned()];
        assert_eq!(occurrences("SKU-48291 48291", &nested), [(0, 9), (10, 15)]);
    }

    fn show(text: &str, range: Range<usize>, marks: &[(u32, u32)]) -> String {
        segments(text, range, marks)
            .into_iter()
            .map(|segment| if segment.marked { format!("[{}]", segment.text) } else { segment.text })
            .collect()
    }

    #[test]
    fn text_is_split_at_marks_and_kept_whole() {
        assert_eq!(show("close the valve", 0..15, &[(0, 5), (10, 15)]), "[close] the [valve]");
        assert_eq!(show("close the valve", 0..15, &[]), "close the valve");
        assert_eq!(show("", 0..0, &[(0, 3)]), "");
    }

    #[test]
    fn a_range_sees_only_its_part_of_a_mark() {
        assert_eq!(show("M6x20 bolt", 2..8, &[(0, 5), (6, 10)]), "[x20] [bo]");
    }

    #[test]
    fn bad_marks_leave_the_text_as_it_is() {
        // Cuts a character, leaves the text, overlaps its predecessor, runs backwards.
        assert_eq!(show("3½ mm", 0..6, &[(2, 3)]), "3½ mm");
        assert_eq!(show("abc", 0..3, &[(1, 9)]), "a[bc]");
        assert_eq!(show("abcdef", 0..6, &[(0, 3), (2, 5)]), "[abc]def");
        assert_eq!(show("abc", 0..3, &[(2, 1)]), "abc");
    }
}
