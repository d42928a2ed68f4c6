//! What a question is typed with: quotation marks, `-word`, `doc:name`, `type:pdf`.

use super::Filters;
use crate::parse::Format;

/// `-rf` is an option of a program; a word that is not wanted has at least so many letters.
const MIN_EXCLUDED_LETTERS: usize = 3;

/// A question by what its parts are for.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) subject: String,
    pub(super) phrases: Vec<String>,
    pub(super) excluded: Vec<String>,
    pub(super) filters: Filters,
}

/// Takes a question apart. What is no syntax, or begun and not ended, is looked up as it stands. O(n).
pub(super) fn parts(question: &str) -> Parts {
    let mut parts = Parts::default();
    let mut rest = question.trim();
    while !rest.is_empty() {
        let word_end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let taken = parts.take(rest);
        if taken == 0 {
            parts.look_up(&rest[..word_end]);
        }
        rest = rest[if taken == 0 { word_end } else { taken }..].trim_start();
    }
    parts
}

impl Parts {
    /// Takes one piece of syntax off the beginning; how long it is, 0 where there is none.
    fn take(&mut self, text: &str) -> usize {
        if let Some((phrase, length)) = quoted(text) {
            self.look_up(phrase);
            self.phrases.push(phrase.to_owned());
            return length;
        }
        if let Some(unwanted) = text.strip_prefix('-') {
            if let Some((phrase, length)) = quoted(unwanted) {
                self.excluded.push(phrase.to_owned());
                return 1 + length;
            }
            let word = value(unwanted);
            if word.chars().take_while(|c| c.is_alphabetic()).count() >= MIN_EXCLUDED_LETTERS {
                self.excluded.push(word.to_owned());
                return 1 + word.len();
            }
            return 0;
        }
        let Some((key, after)) = text.split_once(':').filter(|(key, _)| key.len() <= 8) else { return 0 };
        let (value, length) = quoted(after).unwrap_or((value(after), value(after).len()));
        let filter = match key.to_ascii_lowercase().as_str() {
            "doc" | "document" | "file" => &mut self.filters.names,
            "type" => &mut self.filters.types,
            "date" | "supplier" => &mut self.filters.contents,
            _ => return 0,
        };
        if value.is_empty() {
            return 0;
        }
        filter.push(value.to_owned());
        key.len() + 1 + length
    }

    fn look_up(&mut self, text: &str) {
        if !self.subject.is_empty() {
            self.subject.push(' ');
        }
        self.subject.push_str(text);
    }
}

/// A word to the next blank, without the punctuation at its end.
fn value(text: &str) -> &str {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text[..end].trim_end_matches([',', ';', '?', '!'])
}

/// What stands in quotation marks at the beginning of a text, and how long it is with them; none if nothing does.
fn quoted(text: &str) -> Option<(&str, usize)> {
    let open = text.chars().next()?;
    let closing: &[char] = match open {
        '"' => &['"'],
        '“' => &['”', '“', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        _ => return None,
    };
    let inside = &text[open.len_utf8()..];
    let (phrase, after) = inside.split_once(closing)?;
    // A question mark or comma may follow, but no letter: of `"a"b` nothing is sure.
    let ends = !after.starts_with(char::is_alphanumeric);
    let length = text.len() - after.trim_start_matches([',', ';', '?', '!', '.']).len();
    (ends && phrase.contains(char::is_alphanumeric)).then(|| (phrase.trim(), length))
}

/// The words of a question that are names of files.
pub(super) fn files(subject: &str) -> Vec<String> {
    let words =
        subject.split_whitespace().map(|word| word.trim_matches(['"', ',', ';', '?', '!', '.', '(', ')', '“', '”']));
    let is_file = |word: &&str| {
        let ending =
            word.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending.to_ascii_lowercase());
        ending.is_some_and(|ending| Format::ENDINGS.contains(&ending.as_str()))
    };
    words.filter(is_file).map(str::to_owned).collect()
}
