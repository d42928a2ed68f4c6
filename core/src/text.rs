//! Text without structure: normalising, counting words, telling the language.
//!
//! Not for analysing into index terms: that is [`crate::lexical`].

mod language;
mod script;

pub use language::{Language, is_devanagari, language};
pub use script::{Script, script};

/// Number of words: maximal runs of alphanumeric characters. O(n).
#[must_use]
pub fn count_words(text: &str) -> u32 {
    let mut n_words = 0;
    let mut inside = false;
    for character in text.chars() {
        let alphanumeric = character.is_alphanumeric();
        if alphanumeric && !inside {
            n_words += 1;
        }
        inside = alphanumeric;
    }
    n_words
}

/// Collapses white space (line breaks included) to single blanks and trims. O(n).
#[must_use]
pub fn collapse_whitespace(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// The sentences of a text, each with the white space after it, so that joined they are the text. Unicode's default
/// sentence boundaries (UAX #29). O(n).
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    unicode_segmentation::UnicodeSegmentation::split_sentence_bounds(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(count_words("M6x20, 3,5 mm – Größe"), 5);
        assert_eq!(count_words(" \n"), 0);
    }

    #[test]
    fn whitespace_collapses() {
        assert_eq!(collapse_whitespace("  a\n\tb  "), "a b");
    }
}
