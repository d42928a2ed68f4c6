//! Finds identifiers and numbers: part numbers, document numbers, settings, error codes, dimensions with units, dates, and
//! numbers with the word that says what they number ("error 9", "Alarm: 3" → `error:9`, `alarm:3`).

mod asked;
mod date;
mod number;
mod writing;

use super::{Term, fold, is_question_word, is_stop_word, stem};
use crate::text::Language;
pub use asked::Identity;
pub(crate) use asked::{Asked, asked};
pub(crate) use number::is_currency;
use number::{is_number, normalise_number, number_with_unit, unit};
use writing::{compact, is_code_word, is_dash, is_hyphen};

/// An identifier longer than this is a hash, a URL's query or binary rubbish.
const MAX_IDENTIFIER_BYTES: usize = 64;

/// What an identifier is, as far as its form tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A number.
    Number,
    /// A number with its unit.
    Dimension,
    /// A number with the word that says what it numbers.
    Labelled,
    /// Letters, figures and signs that stand together.
    Code,
    /// Another writing of the code that stands in the same place.
    Writing,
    /// A date.
    Date,
    /// Another reading of the date that stands in the same place.
    OtherDate,
}

/// An identifier in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identifier {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The identifiers and numbers of a text as index terms, in order; positions count identifiers. O(n).
pub(crate) fn identifiers(text: &str) -> Vec<Term> {
    let term = |(position, found): (usize, Identifier)| Term {
        text: found.text,
        position: position as u32,
        start: found.start,
        end: found.end,
    };
    found(text).into_iter().enumerate().map(term).collect()
}

/// The identifiers and numbers of a text, in order. Each is lower case, trimmed of surrounding punctuation, with decimal
/// commas as points; a number followed by a unit gives the number and the joined form (`3,5 mm` → `3.5`, `3.5mm`), a
/// whole number after a word the number and the two together (`error 9` → `9`, `error:9`), a code that is parted by signs
/// also the code without them (`SKU-48291` → `sku-48291`, `sku48291`), a date in any writing also `2026-03-12`. O(n).
pub(crate) fn found(text: &str) -> Vec<Identifier> {
    let mut found = Vec::new();
    // All that is looked for has a figure in it.
    if !text.bytes().any(|byte| byte.is_ascii_digit() || !byte.is_ascii()) {
        return found;
    }
    let mut number_before: Option<(usize, usize)> = None;
    let mut word_before: Option<(usize, usize)> = None;
    // Runs joined by dashes so far.
    let mut chain: Option<(usize, usize)> = None;
    for (start, end) in runs(text) {
        let run = &text[start..end];
        let mut add = |text: String, kind: Kind, start: usize, end: usize| {
            found.push(Identifier { text, kind, start, end });
        };
        let word = word_before.take();
        let label = word.filter(|(_, word_end)| labels(&text[*word_end..start]));
        if run.chars().all(char::is_alphabetic) {
            word_before = Some((start, end));
        }
        // "mm" after "3,5": joined with it, whether or not a blank stood between.
        if let Some((number_start, number_end)) = number_before.take()
            && text[number_end..start].chars().all(|c| c == ' ' || c == '\u{a0}' || c == '\u{202f}')
            && let Some(unit) = unit(run)
        {
            let joined = normalise_number(&text[number_start..number_end]) + &unit;
            add(joined, Kind::Dimension, number_start, end);
        }
        let has_figures = run.contains(|c: char| c.is_numeric());
        let joined = chain.filter(|(_, before)| is_dash(&text[*before..start])).map(|(first, _)| first);
        chain = Some((joined.unwrap_or(start), end));
        if let Some(first) = joined
            && has_figures
            && let code = &text[first..end]
            && let Some(compact) = compact(code)
        {
            add(fold_identifier(code), Kind::Code, first, end);
            add(compact, Kind::Writing, first, end);
        }
        if !has_figures || run.len() > MAX_IDENTIFIER_BYTES {
            continue;
        }
        // "alarm #3", "Error: 9": the number under what it numbers.
        if let Some((label_start, label_end)) = label
            && let Some(text) = labelled(&text[label_start..label_end], run.trim_start_matches('#'))
        {
            add(text, Kind::Labelled, label_start, end);
        }
        if let Some((word_start, word_end)) = word
            && matches!(&text[word_end..start], " " | "\u{a0}")
            && is_code_word(&text[word_start..word_end])
            && let Some(compact) = compact(&text[word_start..end])
        {
            add(compact, Kind::Writing, word_start, end);
        }
        let of_figures = date::in_figures(run);
        let dated = of_figures.is_empty().then(|| date::with_name(text, word, start, end)).flatten();
        let dated = dated.unwrap_or(date::Dates { readings: of_figures, start, end });
        // A day written as the index writes it stands there anyway.
        for (at, reading) in dated.readings.into_iter().enumerate().filter(|(_, reading)| *reading != run) {
            add(reading, if at == 0 { Kind::Date } else { Kind::OtherDate }, dated.start, dated.end);
        }
        if is_number(run) {
            number_before = Some((start, end));
            add(normalise_number(run), Kind::Number, start, end);
        } else if let Some(split) = number_with_unit(run) {
            let (number, unit) = run.split_at(split);
            let number = normalise_number(number);
            add(number.clone() + &fold(unit), Kind::Dimension, start, end);
            add(number, Kind::Number, start, start + split);
        } else {
            let labelled = run.split_once(':').and_then(|(label, number)| labelled(label, number));
            let kind = if labelled.is_some() { Kind::Labelled } else { Kind::Code };
            add(labelled.unwrap_or_else(|| fold_identifier(run)), kind, start, end);
            if let Some(compact) = compact(run) {
                add(compact, Kind::Writing, start, end);
            }
        }
    }
    found
}

/// Whether what stands between a word and a number lets the one label the other: "error 9", "Error: 9", "alarm #3".
fn labels(between: &str) -> bool {
    !between.is_empty() && between.len() <= 3 && between.chars().all(|c| matches!(c, ' ' | '\u{a0}' | ':' | '#' | '='))
}

/// `error:9` of a word and a whole number; `None` where the word is none that numbers things or the number is none.
pub(crate) fn labelled(label: &str, number: &str) -> Option<String> {
    let is_number = (1..=6).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    let folded = fold(label);
    let numbers_things = folded.chars().count() > 1
        && folded.chars().all(char::is_alphabetic)
        && !is_stop_word(&folded, Language::English)
        && !is_question_word(&folded, Language::English);
    (is_number && numbers_things).then(|| format!("{}:{number}", stem(&folded)))
}

/// Maximal runs of identifier characters, trimmed of punctuation that belongs to the sentence.
fn runs(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find(is_identifier_char)?;
            let mut end = start;
            let mut before = ' ';
            for (at, c) in text[start..].char_indices() {
                let after = || text[start + at + 1..].chars().next().unwrap_or(' ');
                // A comma belongs to a number, not to a list: "3,5", but "$110,$111".
                let inside =
                    if c == ',' { before.is_ascii_digit() && after().is_ascii_digit() } else { is_identifier_char(c) };
                if !inside {
                    break;
                }
                before = c;
                end = start + at + c.len_utf8();
            }
            from = end;
            let run = &text[start..end];
            let run = run.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '%' | '°' | '#' | '+'));
            let end = start + run.len();
            // `$` and `#` begin identifiers ("$130", "#4"); anything else before letters and digits is punctuation.
            let lead = |c: char| !c.is_alphanumeric() && !matches!(c, '$' | '#' | '€' | '£' | '°');
            let start = end - run.trim_start_matches(lead).len();
            if start < end {
                return Some((start, end));
            }
        }
    })
}

fn is_identifier_char(c: char) -> bool {
    c.is_alphanumeric()
        || is_hyphen(c)
        || matches!(c, '/' | '.' | '_' | ':' | '#' | '$' | '%' | '+' | '@' | '°' | '€' | '£' | '×')
}

fn fold_identifier(run: &str) -> String {
    let mut folded = String::with_capacity(run.len());
    for c in run.chars() {
        match c {
            '×' => folded.push('x'),
            c if is_hyphen(c) || is_dash(c.encode_utf8(&mut [0; 4])) => folded.push('-'),
            c => folded.extend(c.to_lowercase()),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        identifiers(text).into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn identifiers_stay_whole() {
        assert_eq!(
            texts("Invoice TF/2026-27/001, part SKU-48291 (M6x20)."),
            ["tf/2026-27/001", "tf202627001", "sku-48291", "sku48291", "m6x20"]
        );
        assert_eq!(texts("set $130=200.000; see error:9!"), ["$130", "200.000", "error:9"]);
        assert_eq!(texts("What does `$130` do? And \"$110\"?"), ["$130", "$110"]);
        assert_eq!(texts("$110,$111 and G1,G2"), ["$110", "$111", "g1", "g2"]);
        assert_eq!(texts("plain words only"), [""; 0]);
        assert_eq!(texts("M6×20"), ["m6x20"]);
    }

    #[test]
    fn numbers_have_one_form() {
        assert_eq!(texts("3,5 and 3.5"), ["3.5", "3.5"]);
        assert_eq!(
            texts("1,234.56 1.234,56 12,345 1,234,567 1.2.3"),
            ["1234.56", "1234.56", "12345", "1234567", "1.2.3"]
        );
    }

    #[test]
    fn numbers_are_known_by_what_they_number() {
        assert_eq!(texts("What does error 9 mean?"), ["error:9", "9"]);
        assert_eq!(texts("Errors: 9, alarm #3; error:9"), ["error:9", "9", "alarm:3", "#3", "error:9"]);
        assert_eq!(texts("in 9 of 10 cases, x 3"), ["9", "10", "3"]);
    }

    #[test]
    fn numbers_are_joined_with_their_unit() {
        assert_eq!(texts("a gap of 3,5 mm"), ["3.5", "3.5mm"]);
        assert_eq!(texts("gap 3,5 mm"), ["3.5", "3.5mm"]);
        assert_eq!(texts("3.5mm"), ["3.5mm", "3.5"]);
        assert_eq!(texts("24 V"), ["24", "24v"]);
        assert_eq!(texts("4 bolts"), ["4"]);
    }
    #[test]
    fn codes_and_days_are_indexed_in_one_writing_beside_their_own() {
        assert_eq!(texts("SKU\u{2011}48291"), ["sku-48291", "sku48291"]);
        assert_eq!(texts("SKU\u{2013}48291"), ["sku-48291", "sku48291", "48291"]);
        assert_eq!(texts("SKU 48291"), ["sku:48291", "sku48291", "48291"]);
        assert_eq!(texts("TF 2026-27/001"), ["tf202627001", "2026-27/001"]);
        assert_eq!(texts("5\u{2013}10 mm"), ["5", "10", "10mm"], "a range is no code");
        assert_eq!(texts("on 12.03.2026"), ["2026-03-12", "12.03.2026"]);
        assert_eq!(texts("on 2026-03-12"), ["2026-03-12"]);
        assert_eq!(texts("12. März 2026"), ["2026-03-12", "12", "marz:2026", "2026"]);
        assert_eq!(texts("1,23,456.00"), ["123456.00"]);
    }
}
