//! Finds identifiers and numbers: part numbers, document numbers, settings, error codes, dimensions with units, and
//! numbers with the word that says what they number ("error 9", "Alarm: 3" → `error:9`, `alarm:3`).

use super::{Term, fold, is_question_word, is_stop_word, stem};
use crate::text::Language;

/// Units that are joined with the number before them, folded. Only such as cannot be mistaken for a word of a sentence.
const UNITS: [&str; 62] = [
    "a", "ah", "bar", "c", "cm", "cm2", "cm3", "db", "deg", "f", "ft", "g", "ghz", "h", "hp", "hz", "in", "j", "k",
    "kb", "kg", "khz", "kj", "km", "kn", "kpa", "kv", "kva", "kw", "kwh", "l", "lb", "lbs", "m", "m2", "m3", "ma",
    "mah", "mb", "mbar", "mhz", "min", "ml", "mm", "mm2", "mm3", "mpa", "ms", "mv", "n", "nm", "ohm", "pa", "pcs",
    "psi", "rpm", "s", "um", "v", "w", "wh", "°",
];

/// An identifier longer than this is a hash, a URL's query or binary rubbish.
const MAX_IDENTIFIER_BYTES: usize = 64;

/// The identifiers and numbers of a text, in order; positions count identifiers. Each is lower case, trimmed of
/// surrounding punctuation, with decimal commas as points; a number followed by a unit gives the number and the joined
/// form (`3,5 mm` → `3.5`, `3.5mm`), a whole number after a word the number and the two together (`error 9` → `9`,
/// `error:9`). O(n).
pub(crate) fn identifiers(text: &str) -> Vec<Term> {
    let mut found = Vec::new();
    let mut position = 0;
    let mut number_before: Option<(usize, usize)> = None;
    let mut word_before: Option<(usize, usize)> = None;
    for (start, end) in runs(text) {
        let run = &text[start..end];
        let label = word_before.take().filter(|(_, word_end)| labels(&text[*word_end..start]));
        if run.chars().all(char::is_alphabetic) {
            word_before = Some((start, end));
        }
        // "mm" after "3,5": joined with it, whether or not a blank stood between.
        if let Some((number_start, number_end)) = number_before.take()
            && text[number_end..start].chars().all(|c| c == ' ' || c == '\u{a0}' || c == '\u{202f}')
            && let unit = fold(run)
            && UNITS.binary_search(&unit.as_str()).is_ok()
        {
            let joined = normalise_number(&text[number_start..number_end]) + &unit;
            found.push(Term { text: joined, position, start: number_start, end });
            position += 1;
        }
        if !run.contains(|c: char| c.is_numeric()) || run.len() > MAX_IDENTIFIER_BYTES {
            continue;
        }
        // "alarm #3", "Error: 9": the number under what it numbers.
        if let Some((label_start, label_end)) = label
            && let Some(text) = labelled(&text[label_start..label_end], run.trim_start_matches('#'))
        {
            found.push(Term { text, position, start: label_start, end });
            position += 1;
        }
        if is_number(run) {
            number_before = Some((start, end));
            found.push(Term { text: normalise_number(run), position, start, end });
            position += 1;
        } else if let Some(split) = number_with_unit(run) {
            let (number, unit) = run.split_at(split);
            let number = normalise_number(number);
            found.push(Term { text: number.clone() + &fold(unit), position, start, end });
            found.push(Term { text: number, position: position + 1, start, end: start + split });
            position += 2;
        } else {
            let labelled = run.split_once(':').and_then(|(label, number)| labelled(label, number));
            found.push(Term { text: labelled.unwrap_or_else(|| fold_identifier(run)), position, start, end });
            position += 1;
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
        || matches!(c, '-' | '/' | '.' | '_' | ':' | '#' | '$' | '%' | '+' | '@' | '°' | '€' | '£' | '×')
}

/// Digits with points or commas between them. `$130` is none: it is an identifier.
fn is_number(run: &str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
        && run.ends_with(|c: char| c.is_ascii_digit())
        && run.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
}

/// Where the unit begins in `3,5mm`.
fn number_with_unit(run: &str) -> Option<usize> {
    let split = run.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))?;
    (split > 0 && is_number(&run[..split]) && UNITS.binary_search(&fold(&run[split..]).as_str()).is_ok())
        .then_some(split)
}

/// `3,5` → `3.5`, `1,234.56` → `1234.56`, `1.234,56` → `1234.56`, `12,345` → `12345`: the last separator is the decimal
/// one, unless it repeats or exactly three digits follow a comma after one to three digits.
fn normalise_number(number: &str) -> String {
    let Some(last) = number.rfind(['.', ',']) else { return number.to_owned() };
    let separator = number.as_bytes()[last];
    let n_same = number.bytes().filter(|b| *b == separator).count();
    let n_other = number.bytes().filter(|b| (*b == b'.' || *b == b',') && *b != separator).count();
    let groups_of_three = || {
        let mut groups = number.split(char::from(separator));
        groups.next().is_some_and(|first| (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3)
    };
    let digits_only = |text: &str| text.bytes().filter(u8::is_ascii_digit).map(char::from).collect::<String>();
    if n_other == 0 && n_same > 1 {
        // Thousands if in threes ("1,234,567"), else a version or clause number ("1.2.3") that stays as it is.
        return if groups_of_three() { digits_only(number) } else { number.replace(',', ".") };
    }
    if n_other == 0 && separator == b',' && groups_of_three() && !number.starts_with('0') {
        return digits_only(number);
    }
    format!("{}.{}", digits_only(&number[..last]), &number[last + 1..])
}

fn fold_identifier(run: &str) -> String {
    let mut folded = String::with_capacity(run.len());
    for c in run.chars() {
        match c {
            '×' => folded.push('x'),
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
    fn units_are_sorted_for_binary_search() {
        assert!(UNITS.is_sorted());
    }

    #[test]
    fn identifiers_stay_whole() {
        assert_eq!(texts("Invoice TF/2026-27/001, part SKU-48291 (M6x20)."), ["tf/2026-27/001", "sku-48291", "m6x20"]);
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
}
