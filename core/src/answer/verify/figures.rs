//! Numbers with their units, dates, codes and names: what of a claim must stand in its passage as it is, apart from what parts
//! its digits and how its unit is spelled.

mod binding;
mod units;

use super::Problem;
use crate::{
    answer::amount::{Decimal, Writing, written},
    lexical::analysis,
    text::{self, Language},
};
pub(super) use binding::misbound;
use units::canonical;

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Figure {
    /// As written, with its unit.
    pub(super) text: String,
    /// What it can mean.
    pub(super) readings: Vec<Decimal>,
    /// In one spelling.
    pub(super) unit: Option<String>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Figure {
    /// Whether it can be the same number.
    pub(super) fn is_same_number(&self, other: &Self) -> bool {
        let is_same = |a: &Decimal, b: &Decimal| a.compare(*b) == Some(std::cmp::Ordering::Equal);
        self.readings.iter().any(|a| other.readings.iter().any(|b| is_same(a, b)))
    }
}

/// Numbers in words, folded; "one" is too often none.
const NUMBER_WORDS: [(&str, u32); 25] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("twenty", 20),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("funf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("deux", 2),
    ("trois", 3),
    ("dos", 2),
    ("tres", 3),
];

/// The numbers of a text, in digits and in words, that are no part of a code or date. O(n).
pub(super) fn figures(text: &str) -> Vec<Figure> {
    let dates = dates(text);
    let mut found: Vec<Figure> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && is_inside(text, start, at) {
            at += 1;
        }
        let end = at;
        let is_dated = dates.iter().any(|(from, to, _)| *from <= start && end <= *to);
        if is_dated || is_in_code(text, start, end) {
            continue;
        }
        let sign = sign(text, start);
        let (unit, unit_end) = unit_after(text, end);
        let unit = unit.or_else(|| currency_before(text, start));
        let digits = &text[start..end];
        let signed = format!("{sign}{digits}");
        let readings: Vec<Decimal> = written(&signed)
            .map(|number| {
                [Writing::Point, Writing::Comma].into_iter().filter_map(|writing| number.value(writing)).collect()
            })
            .unwrap_or_default();
        found.push(Figure { text: text[start..unit_end].to_owned(), readings, unit, start, end: unit_end });
    }
    // "5 to 10 mm", "5–10 mm": the unit is of both.
    for at in 1..found.len() {
        let between = text.get(found[at - 1].end..found[at].start).unwrap_or_default().trim();
        if found[at - 1].unit.is_none()
            && matches!(between, "-" | "–" | "to" | "and" | "bis" | "und" | "à" | "a" | "or" | "x" | "×" | ",")
        {
            found[at - 1].unit = found[at].unit.clone();
        }
    }
    analysis::for_each_word(text, |start, end| {
        let folded = analysis::fold(&text[start..end]);
        if let Some((_, number)) = NUMBER_WORDS.iter().find(|(word, _)| *word == folded) {
            let (unit, unit_end) = unit_after(text, end);
            let readings = vec![Decimal { units: i128::from(*number), scale: 0 }];
            found.push(Figure { text: text[start..unit_end].to_owned(), readings, unit, start, end: unit_end });
        }
    });
    found.sort_by_key(|figure| figure.start);
    found
}

/// Whether a byte goes on a number: digits, and what parts them between digits.
fn is_inside(text: &str, start: usize, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    match bytes[at] {
        byte if byte.is_ascii_digit() => true,
        b'.' | b',' | b'\'' => is_digit(at + 1) && at > start,
        // "1 234": thousands, only where three digits and no more follow, and at most three stand before.
        b' ' => {
            let before = text[start..at].bytes().rev().take_while(u8::is_ascii_digit).count();
            let is_group = (1..4).all(|n| is_digit(at + n)) && !is_digit(at + 4);
            is_group
                && before <= 3
                && text[start..at].bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')
                && before > 0
                && text[start..at].contains(' ')
        }
        _ => false,
    }
}

/// `M8`, `SKU-48291`, `2026/27`: digits that are a part of a code.
fn is_in_code(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].chars().next_back();
    let mut after = text[end..].chars();
    let next = after.next();
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let has_unit = unit_after(text, end).0.is_some();
    let is_hyphened = |c: Option<char>| c.is_some_and(|c| matches!(c, '-' | '/' | '_' | '#' | ':'));
    let letters_before = {
        let head = text[..start].trim_end_matches(['-', '/', '_', ':']);
        head.len() < start && head.ends_with(char::is_alphabetic) && before != Some(':')
    };
    is_joined(before)
        || letters_before && is_hyphened(before)
        || is_joined(next) && !has_unit
        || is_hyphened(next) && next != Some(':') && next != Some('/') && after.next().is_some_and(char::is_alphabetic)
}

/// `-` of a number: after a blank, a bracket or at the beginning, and not between two numbers.
fn sign(text: &str, start: usize) -> &'static str {
    let head = &text[..start];
    let Some(rest) = head.strip_suffix(['-', '−', '–']).or_else(|| head.strip_suffix("minus ")) else { return "" };
    let is_range = rest.trim_end().ends_with(|c: char| c.is_ascii_digit());
    let stands_alone = rest.is_empty() || rest.ends_with([' ', '(', '[', ':', '|', '\n', '\u{a0}']);
    if stands_alone && !is_range { "-" } else { "" }
}

/// The unit behind a number, and where it ends.
fn unit_after(text: &str, end: usize) -> (Option<String>, usize) {
    let rest = &text[end..];
    let gap = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', '-']).len();
    // "25-mm" is a number with its unit; a blank and more is a sentence.
    if gap > 3 {
        return (None, end);
    }
    let rest = &rest[gap..];
    let word_end = |text: &str| {
        text.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | ']' | '|' | '?' | '!' | ':' | '"'))
            .unwrap_or(text.len())
    };
    let first = word_end(rest);
    let mut second = first;
    if rest[first..].starts_with(' ') {
        second = first + 1 + word_end(&rest[first + 1..]);
    }
    // "degrees Celsius", "newton metres", before the first word alone.
    for length in [second, first] {
        let unit = rest[..length].trim_end_matches(['.', ',']);
        if let Some(known) = canonical(unit) {
            return (Some(known), end + gap + unit.len());
        }
    }
    (None, end)
}

fn currency_before(text: &str, start: usize) -> Option<String> {
    let head = text[..start].trim_end();
    if start - head.len() > 1 {
        return None;
    }
    let word = head.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '|' | ':')).next()?;
    canonical(word).filter(|unit| matches!(unit.as_str(), "EUR" | "USD" | "INR" | "GBP" | "CHF" | "JPY"))
}

/// The dates of a text, as days, with their places.
fn dates(text: &str) -> Vec<(usize, usize, String)> {
    let is_day = |text: &str| {
        let bytes = text.as_bytes();
        bytes.len() == 10
            && bytes[4] == b'-'
            && bytes[7] == b'-'
            && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() == 8
    };
    let terms = analysis::identifiers(text);
    terms.into_iter().filter(|term| is_day(&term.text)).map(|term| (term.start, term.end, term.text)).collect()
}

/// The codes of a text: words with letters and figures, without what parts them.
fn codes(text: &str) -> Vec<(String, String)> {
    let dates = dates(text);
    let mut codes = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(|c: char| {
        c.is_whitespace() || matches!(c, ';' | '(' | ')' | '|' | '"' | '“' | '”' | '?' | '!')
    }) {
        let start = at;
        at += word.len();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '#'));
        let has_figure = word.contains(|c: char| c.is_ascii_digit());
        let has_sign = word.contains(['-', '/', '_', '$', '#']);
        // "$1,200" is money, "$130" may be a setting.
        let is_money = word.starts_with(['$', '€', '£', '₹']) && word.contains([',', '.']);
        let is_code = has_figure && !is_money && (word.contains(char::is_alphabetic) || has_sign);
        let is_number = figures(word).iter().any(|figure| figure.start == 0 && figure.end == word.len())
            || word
                .split(['-', '–', '/', '×', 'x'])
                .all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')));
        let is_dated = dates.iter().any(|(from, to, _)| *from < at && start < *to);
        if is_code && !is_number && !is_dated {
            codes.push((word.to_owned(), compact(word)));
        }
    }
    codes
}

fn compact(code: &str) -> String {
    code.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, '$' | '#'))
        .flat_map(char::to_lowercase)
        .map(|c| if c == '×' { 'x' } else { c })
        .collect()
}

/// Words behind the first of a sentence that make it the one who does something: then it is a name or a thing, not an order.
const DOES: [&str; 14] =
    ["is", "was", "has", "had", "will", "are", "were", "have", "can", "made", "sent", "sold", "says", "said"];

/// Words with a capital inside a claim that is not German, words all in capitals, and the first one where it does something.
fn names(claim: &str) -> Vec<String> {
    let is_german = text::language(claim) == Some(Language::German);
    let mut words: Vec<(usize, usize)> = Vec::new();
    analysis::for_each_word(claim, |start, end| words.push((start, end)));
    let dates = dates(claim);
    let mut names = Vec::new();
    for (at, (start, end)) in words.iter().enumerate() {
        let word = &claim[*start..*end];
        let before = claim[..*start].trim_end_matches([' ', '"', '“', '(', '\'']);
        let begins = at == 0 || before.ends_with(['.', ':', '!', '?', '\n']);
        let folded = analysis::fold(word);
        let is_frame = analysis::is_stop_word(&folded, Language::English)
            || analysis::is_question_word(&folded, Language::English)
            || PRONOUNS.contains(&folded.as_str());
        let next = words.get(at + 1).map(|(start, end)| analysis::fold(&claim[*start..*end])).unwrap_or_default();
        let does = begins && !is_frame && (DOES.contains(&next.as_str()) || next.ends_with("ed"));
        let is_long = word.chars().count() > 1;
        let is_acronym = is_long && word.chars().all(char::is_uppercase);
        let is_capital = is_long && word.starts_with(char::is_uppercase);
        let is_dated = dates.iter().any(|(from, to, _)| from <= start && end <= to);
        // A unit belongs to its number, a month to its date.
        if !is_dated && canonical(word).is_none() && (is_acronym || is_capital && !is_german && (!begins || does)) {
            names.push(word.to_owned());
        }
    }
    names
}

/// Words that stand for a thing and name none, folded.
const PRONOUNS: [&str; 12] =
    ["it", "he", "she", "they", "this", "that", "these", "those", "each", "all", "both", "one"];

/// What of a claim does not stand in its passage as it is: `window` is the part of it that says the same, `whole` all of it with
/// its headings, where names may stand.
pub(super) fn missing(claim: &str, window: &str, whole: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let said = figures(window);
    let said_codes: Vec<String> = codes(window).into_iter().map(|(_, code)| code).collect();
    let whole_codes = || codes(whole).into_iter().map(|(_, code)| code).collect::<Vec<_>>();
    for figure in figures(claim) {
        let same: Vec<&Figure> = said.iter().filter(|other| figure.is_same_number(other)).collect();
        let is_said = same.iter().any(|other| figure.unit.is_none() || figure.unit == other.unit);
        // In a table the unit stands over the column.
        let is_over = || {
            let unit = figure.unit.as_deref().unwrap_or_default();
            same.iter().any(|other| other.unit.is_none()) && has_unit(window, unit)
        };
        if is_said || is_over() {
            continue;
        }
        // "SKU 48291" of "SKU-48291".
        let head = claim[..figure.start].trim_end();
        let word = head.rsplit(char::is_whitespace).next().unwrap_or_default();
        let joined = compact(&format!("{word}{}", figure.text));
        if same.is_empty() && said_codes.contains(&joined) {
            continue;
        }
        problems.push(if same.is_empty() { Problem::Figure(figure.text) } else { Problem::Unit(figure.text) });
    }
    let said_days: Vec<String> = dates(window).into_iter().map(|(_, _, day)| day).collect();
    let mut days = dates(claim);
    days.retain(|(_, _, day)| !said_days.contains(day));
    // A date in figures may be read in two ways: one of them suffices.
    let claimed = dates(claim);
    for (start, end, _) in days {
        let is_said = claimed.iter().any(|(from, to, day)| (*from, *to) == (start, end) && said_days.contains(day));
        let problem = Problem::Date(claim[start..end].to_owned());
        if !is_said && !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    for (word, code) in codes(claim) {
        let is_said = said_codes.contains(&code) || said.is_empty() && whole_codes().contains(&code);
        if !is_said {
            problems.push(Problem::Code(word));
        }
    }
    let folded = crate::answer::understand::folded(whole);
    for name in names(claim) {
        let own = analysis::fold(&name);
        let is_said = folded.iter().any(|word| {
            *word == own || word.strip_suffix('s') == Some(own.as_str()) || own.strip_suffix('s') == Some(word.as_str())
        });
        if !is_said {
            problems.push(Problem::Name(name));
        }
    }
    problems
}

/// Whether a text names a unit anywhere: in brackets over a column, or beside another number.
fn has_unit(text: &str, unit: &str) -> bool {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '|' | ',' | ';' | ':'));
    parts.filter(|part| !part.is_empty()).any(|part| canonical(part).as_deref() == Some(unit))
}

#[cfg(test)]
mod tests;
