//! Text that runs from the right: from the order in which it stands on the line to the order in which it is read.
//!
//! A page tells where characters stand, not how they follow one another. This turns the Unicode bidirectional algorithm
//! round for one line: Hebrew and Arabic are read from the right, numbers and Latin words inside them from the left.

/// Whether a character runs from the right.
pub(super) fn is_rtl(character: char) -> bool {
    matches!(character,
        '\u{0590}'..='\u{08FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}'
        | '\u{1E800}'..='\u{1EFFF}'
    ) && !is_digit(character)
}

/// Whether most letters of a text run from the right.
pub(super) fn runs_rtl(text: &str) -> bool {
    let n_rtl = text.chars().filter(|c| is_rtl(*c)).count();
    n_rtl > 0 && n_rtl > text.chars().filter(|c| is_ltr(*c)).count()
}

fn is_digit(character: char) -> bool {
    matches!(character, '0'..='9' | '\u{0660}'..='\u{0669}' | '\u{06F0}'..='\u{06F9}')
}

fn is_ltr(character: char) -> bool {
    character.is_alphabetic() && !is_rtl(character) || is_digit(character) && character > '9'
}

/// Characters as they stand on a line, from the left, in the order in which they are read; or the other way round, which
/// is the same. O(n).
pub(super) fn reorder(line: &str) -> String {
    if !line.chars().any(is_rtl) {
        return line.to_owned();
    }
    let mut characters: Vec<char> = line.chars().collect();
    if runs_rtl(line) {
        reverse(&mut characters);
        return characters.into_iter().collect();
    }
    // Right-to-left words inside others, with what stands between them.
    let mut start = 0;
    while let Some(from) = characters.get(start..).and_then(|rest| rest.iter().position(|c| is_rtl(*c))) {
        let from = start + from;
        let n = characters[from..].iter().take_while(|c| !is_latin(**c)).count();
        let n = characters[from..from + n].iter().rposition(|c| is_rtl(*c)).map_or(n, |last| last + 1);
        reverse(&mut characters[from..from + n]);
        start = from + n;
    }
    characters.into_iter().collect()
}

fn is_latin(character: char) -> bool {
    character.is_alphabetic() && !is_rtl(character)
}

/// Turns a run round, but for the numbers and Latin words in it.
fn reverse(run: &mut [char]) {
    run.reverse();
    let mut at = 0;
    while at < run.len() {
        if !is_latin(run[at]) && !is_digit(run[at]) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        let mut look = end;
        while look < run.len() && !is_rtl(run[look]) {
            if is_latin(run[look]) || is_digit(run[look]) {
                // Two numbers are two, two words of a phrase one run.
                let between = &run[end..look];
                let words = is_latin(run[end - 1]) || is_latin(run[look]);
                if !words && between.iter().any(|c| c.is_whitespace()) {
                    break;
                }
                end = look + 1;
            }
            look += 1;
        }
        run[at..end].reverse();
        at = end;
    }
    // Files give brackets by their shape or by their meaning: what is read first must open.
    let first = run.iter().find(|c| "()[]{}«»<>".contains(**c));
    if first.is_some_and(|c| ")]}»>".contains(*c)) {
        run.iter_mut().for_each(|c| *c = mirrored(*c));
    }
}

fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '«' => '»',
        '»' => '«',
        '<' => '>',
        '>' => '<',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_from_their_right() {
        // As they stand on the page, and as they are read.
        for (seen, read) in [
            ("םולש", "שלום"),
            ("מ\"מ 25 דע 10", "10 עד 25 מ\"מ"),
            (".P100 הבאשמה תא הבכ", "כבה את המשאבה P100."),
            (")השדח( הבאשמ", "משאבה (חדשה)"),
            ("the word םולש in English", "the word שלום in English"),
            ("plain (text) 12", "plain (text) 12"),
        ] {
            assert_eq!(reorder(seen), read);
        }
        assert!(runs_rtl("שלום 12") && !runs_rtl("12") && !runs_rtl("plain"));
    }
}
