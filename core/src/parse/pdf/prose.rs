//! Joins lines into running text: blanks between them, words divided at line ends put together.

use std::collections::BTreeSet;

/// The words of a document in lower case, to tell a divided word from a compound written with a hyphen.
#[derive(Debug, Default)]
pub(super) struct Vocabulary(BTreeSet<String>);

impl Vocabulary {
    /// More words than this are not remembered; by then the common ones are known.
    const MAX_WORDS: usize = 200_000;

    /// Learns the words of a line but for the last, which may be half a word.
    pub(super) fn learn(&mut self, line: &str) {
        let mut words = line.split_whitespace().rev();
        if line.ends_with(['-', '\u{AD}', '‐']) {
            words.next();
        }
        for word in words {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            if word.len() > 3 && self.0.len() < Self::MAX_WORDS && word.chars().all(|c| c.is_alphabetic() || c == '-') {
                self.0.insert(word.to_lowercase());
            }
        }
    }

    fn knows(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }
}

/// The lines as one text.
pub(super) fn join<'l>(lines: impl Iterator<Item = &'l str>, vocabulary: &Vocabulary) -> String {
    let mut text = String::new();
    for line in lines {
        append(&mut text, line, vocabulary);
    }
    text
}

/// Appends one line to a text.
pub(super) fn append(text: &mut String, line: &str, vocabulary: &Vocabulary) {
    let line = line.trim();
    if text.is_empty() || line.is_empty() {
        text.push_str(line);
        return;
    }
    if let Some(head) = text.strip_suffix(['-', '\u{AD}', '‐'])
        && head.chars().next_back().is_some_and(char::is_alphabetic)
        && line.chars().next().is_some_and(char::is_alphanumeric)
    {
        let soft = text.ends_with('\u{AD}');
        let first = head.rsplit(|c: char| c.is_whitespace()).next().unwrap_or(head);
        let first = first.trim_start_matches(|c: char| !c.is_alphanumeric());
        let second: String = line.chars().take_while(|c| c.is_alphabetic() || *c == '-').collect();
        let small = line.chars().next().is_some_and(char::is_lowercase);
        // "well-" + "known" keeps its hyphen where the document writes "well-known" elsewhere; where it writes neither,
        // a small letter after a letter is a divided word.
        let compound = format!("{first}-{second}");
        let divided = soft
            || vocabulary.knows(&format!("{first}{second}"))
            || small && !first.contains('-') && first.chars().count() > 1 && !vocabulary.knows(&compound)
            || all_capitals(first) && all_capitals(&second) && first.len() > 2 && second.len() > 2;
        if divided {
            text.truncate(head.len());
        }
    } else if !(text.chars().next_back().is_some_and(is_unspaced) && line.chars().next().is_some_and(is_unspaced)) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Chinese and Japanese are written without blanks.
fn is_unspaced(character: char) -> bool {
    matches!(character,
        '\u{3001}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF60}'
        | '\u{20000}'..='\u{3FFFF}'
    )
}

fn all_capitals(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(lines: &[&str], known: &str) -> String {
        let mut vocabulary = Vocabulary::default();
        vocabulary.learn(known);
        join(lines.iter().copied(), &vocabulary)
    }

    #[test]
    fn divided_words_are_put_together() {
        assert_eq!(joined(&["the accel-", "eration limit"], ""), "the acceleration limit");
        assert_eq!(joined(&["a well-", "known fault"], "is well-known here"), "a well-known fault");
        assert_eq!(joined(&["the MER-", "CHANTABILITY"], ""), "the MERCHANTABILITY");
        assert_eq!(joined(&["the G-", "code"], ""), "the G-code");
        assert_eq!(joined(&["part TF-", "2026"], ""), "part TF-2026");
        assert_eq!(joined(&["from 3 -", "5 mm"], ""), "from 3 - 5 mm");
        assert_eq!(joined(&["安全の", "ために"], ""), "安全のために");
        assert_eq!(joined(&["Schmier\u{AD}", "Stoff"], ""), "SchmierStoff");
    }
}
