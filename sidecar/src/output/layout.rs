//! Text for a terminal of 80 columns: wrapping, excerpts around marks, and nothing that could command the terminal.
//!
//! Widths are counted in characters: wide scripts may overhang, which is calmer than a table of widths.

use std::{collections::BTreeSet, ops::Range};

/// The columns that lines keep to.
pub const WIDTH: usize = 80;

/// Text that a terminal only shows: control characters (escape sequences among them) and characters that turn the
/// writing direction become `\u{FFFD}`; tabs become a blank. Line breaks stay. The byte length may change.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(printable_char).collect()
}

fn printable_char(character: char) -> char {
    match character {
        '\n' => '\n',
        '\t' => ' ',
        c if c.is_control() => '\u{FFFD}',
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => '\u{FFFD}',
        c => c,
    }
}

/// Lines of at most `width` characters, broken at blanks, or inside a word that is longer. Line breaks of the text
/// stay; an empty text is no line.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    ranges(text, width).into_iter().map(|range| text[range].to_owned()).collect()
}

/// The stretch of a text that answers: of all stretches of `n_lines` wrapped lines the first that holds the most
/// different marked words, each piece with whether it is marked. `…` stands where something was left out.
/// O(lines * `n_lines` + marks).
///
/// `marks` are byte ranges, ascending, not overlapping, on character boundaries; others are passed over.
#[must_use]
pub fn excerpt(text: &str, marks: &[(u32, u32)], width: usize, n_lines: usize) -> Vec<Vec<(String, bool)>> {
    let lines = ranges(text, width);
    let marks: Vec<Range<usize>> = marks
        .iter()
        .map(|&(start, end)| start as usize..end as usize)
        .filter(|mark| text.get(mark.clone()).is_some_and(|marked| !marked.is_empty()))
        .collect();
    let first = best_window(text, &lines, &marks, n_lines);
    let last = lines.len().min(first + n_lines);
    let mut shown: Vec<Vec<(String, bool)>> =
        lines[first..last].iter().map(|line| pieces(text, line.clone(), &marks)).collect();
    if first > 0
        && let Some(line) = shown.first_mut()
    {
        line.insert(0, ("… ".to_owned(), false));
    }
    if last < lines.len()
        && let Some(line) = shown.last_mut()
    {
        line.push((" …".to_owned(), false));
    }
    shown
}

/// The first line of the window of `n_lines` with the most different marked words; of equal ones the first, moved up by
/// a line of context where that loses nothing.
fn best_window(text: &str, lines: &[Range<usize>], marks: &[Range<usize>], n_lines: usize) -> usize {
    let marked_words = |line: &Range<usize>| -> BTreeSet<String> {
        let from = marks.partition_point(|mark| mark.end <= line.start);
        let inside = marks[from..].iter().take_while(|mark| mark.start < line.end);
        inside.map(|mark| text[mark.clone()].to_lowercase()).collect()
    };
    let words_by_line: Vec<BTreeSet<String>> = lines.iter().map(marked_words).collect();
    let n_words = |first: usize| {
        let window = &words_by_line[first..lines.len().min(first + n_lines)];
        window.iter().flatten().collect::<BTreeSet<_>>().len()
    };
    let last_first = lines.len().saturating_sub(n_lines);
    let most = (0..=last_first).map(n_words).max().unwrap_or(0);
    // Not with lines above the words that say nothing.
    let Some(mut first) = (0..=last_first).find(|first| n_words(*first) == most) else { return 0 };
    while first < last_first && words_by_line[first].is_empty() && n_words(first + 1) == most {
        first += 1;
    }
    // But with one as context: a row's header, a sentence's beginning.
    let has_context = words_by_line.get(first).is_none_or(BTreeSet::is_empty);
    if first > 0 && !has_context && n_words(first - 1) == most { first - 1 } else { first }
}

/// A line cut where marks begin and end.
fn pieces(text: &str, line: Range<usize>, marks: &[Range<usize>]) -> Vec<(String, bool)> {
    let mut pieces = Vec::new();
    let mut at = line.start;
    for mark in marks.iter().filter(|mark| mark.start < line.end && mark.end > line.start) {
        let marked = mark.start.max(at)..mark.end.min(line.end);
        if marked.is_empty() {
            continue;
        }
        if marked.start > at {
            pieces.push((printable(&text[at..marked.start]), false));
        }
        pieces.push((printable(&text[marked.clone()]), true));
        at = marked.end;
    }
    if at < line.end {
        pieces.push((printable(&text[at..line.end]), false));
    }
    pieces
}

/// Byte ranges of wrapped lines, without the blanks they were broken at; paragraphs that are blank are left out.
fn ranges(text: &str, width: usize) -> Vec<Range<usize>> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let mut start_of_paragraph = 0;
    for paragraph in text.split('\n') {
        let end = start_of_paragraph + paragraph.trim_end().len();
        let mut start = start_of_paragraph;
        while start < end {
            let line_end = line_end(&text[start..end], width) + start;
            let kept = text[start..line_end].trim_end().len();
            if kept > 0 {
                lines.push(start..start + kept);
            }
            start = line_end + (text[line_end..end].len() - text[line_end..end].trim_start_matches(' ').len());
        }
        start_of_paragraph += paragraph.len() + 1;
    }
    lines
}

/// Where the first line of a paragraph ends, as a byte offset above 0.
fn line_end(paragraph: &str, width: usize) -> usize {
    let Some((limit, after)) = paragraph.char_indices().nth(width) else { return paragraph.len() };
    if after == ' ' {
        return limit;
    }
    // A blank that is only the indentation is no place to break.
    let indentation = paragraph.len() - paragraph.trim_start().len();
    match paragraph[..limit].rfind(' ') {
        Some(blank) if blank > indentation => blank,
        _ => limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_blanks_and_inside_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("  x  y\n\nz ", 80), ["  x  y", "z"]);
        assert_eq!(wrap("größer größer", 6), ["größer", "größer"]);
        assert!(wrap(" \n ", 10).is_empty());
    }

    #[test]
    fn terminals_are_not_commanded() {
        assert_eq!(printable("a\u{1b}[2Jb\tc\u{9b}\u{202e}d\n"), "a\u{FFFD}[2Jb c\u{FFFD}\u{FFFD}d\n");
    }

    #[test]
    fn excerpts_begin_near_the_first_mark() {
        let text = "aa bb\ncc dd\nee ff\ngg hh\nii jj";
        let at = u32::try_from(text.find("ff").unwrap()).unwrap();
        let lines = excerpt(text, &[(at, at + 2)], 80, 2);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0], [("… ".to_owned(), false), ("cc dd".to_owned(), false)]);
        assert_eq!(lines[1], [("ee ".to_owned(), false), ("ff".to_owned(), true), (" …".to_owned(), false)]);
    }

    #[test]
    fn excerpts_show_where_most_words_stand() {
        let text = "alarm\nalarm\nalarm\nx\nx\nx\nx\nalarm 3\nx";
        let marks: Vec<(u32, u32)> = ["alarm", "3"]
            .iter()
            .flat_map(|word| text.match_indices(word).map(|(at, word)| (at as u32, (at + word.len()) as u32)))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let lines = excerpt(text, &marks, 80, 3);
        let shown: Vec<String> =
            lines.iter().map(|line| line.iter().map(|(piece, _)| piece.as_str()).collect()).collect();
        assert_eq!(shown, ["… x", "alarm 3", "x"]);
    }

    #[test]
    fn marks_across_line_ends_are_cut() {
        let lines = excerpt("abc def", &[(2, 5)], 3, 9);
        assert_eq!(lines[0], [("ab".to_owned(), false), ("c".to_owned(), true)]);
        assert_eq!(lines[1], [("d".to_owned(), true), ("ef".to_owned(), false)]);
    }

    #[test]
    fn nonsense_marks_are_passed_over() {
        assert_eq!(excerpt("äb", &[(1, 2), (0, 99), (2, 2)], 80, 3), [vec![("äb".to_owned(), false)]]);
    }
}
