//! Dates of any usual writing as one term: `2026-03-12`.

use crate::lexical::analysis::fold;

/// The months by the beginnings of their names in English, German, French, Spanish, Italian, Portuguese and Dutch, folded.
const MONTHS: [(&str, u32); 35] = [
    ("jan", 1),
    ("gen", 1),
    ("ene", 1),
    ("feb", 2),
    ("fev", 2),
    ("mar", 3),
    ("mrz", 3),
    ("maer", 3),
    ("maar", 3),
    ("apr", 4),
    ("avr", 4),
    ("abr", 4),
    ("may", 5),
    ("mai", 5),
    ("mag", 5),
    ("mei", 5),
    ("juin", 6),
    ("jun", 6),
    ("giu", 6),
    ("juil", 7),
    ("jul", 7),
    ("lug", 7),
    ("aug", 8),
    ("aou", 8),
    ("ago", 8),
    ("sep", 9),
    ("set", 9),
    ("oct", 10),
    ("okt", 10),
    ("ott", 10),
    ("out", 10),
    ("nov", 11),
    ("dec", 12),
    ("dez", 12),
    ("dic", 12),
];

/// No month's name is longer than this.
const MAX_MONTH_LETTERS: usize = 10;

/// A date's readings and where it ends; the readings as terms, the likelier first. `3/4/2026` may be April or March.
pub(super) struct Dates {
    pub(super) readings: Vec<String>,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The date in figures that a run is.
pub(super) fn in_figures(run: &str) -> Vec<String> {
    let Some(separator) = run.chars().find(|c| !c.is_ascii_digit()) else { return Vec::new() };
    if !matches!(separator, '-' | '/' | '.') || run.len() > 10 {
        return Vec::new();
    }
    let parts: Vec<&str> = run.split(separator).collect();
    let [a, b, c] = parts.as_slice() else { return Vec::new() };
    if let (4, Some(year), Some(month), Some(day)) = (a.len(), year(a), number(b), number(c)) {
        return date(year, month, day).into_iter().collect();
    }
    let (Some(a), Some(b), Some(year)) = (number(a), number(b), year(c)) else { return Vec::new() };
    // A point is German and always day first. Elsewhere most of the world has the day first, America the month.
    let mut readings: Vec<String> = date(year, b, a).into_iter().collect();
    if separator != '.' && a != b {
        readings.extend(date(year, a, b));
    }
    readings
}

/// The date whose day a number is, with the month by its name: "12 March 2026", "12. März 2026", "12-Mar-26",
/// "12 de marzo de 2026", or, with the word before the day, "March 12, 2026".
pub(super) fn with_name(text: &str, word_before: Option<(usize, usize)>, start: usize, end: usize) -> Option<Dates> {
    let run = &text[start..end];
    let n_digits = run.bytes().take_while(u8::is_ascii_digit).count();
    let day = number(&run[..n_digits])?;
    // "12th", "1er", and "12-Mar-2026", which is one run.
    let ordinal = matches!(fold(&run[n_digits..]).as_str(), "" | "st" | "nd" | "rd" | "th" | "er");
    let after_day = if ordinal { end } else { start + n_digits };
    if let Some((word, after_month)) = next_word(text, after_day)
        && let Some(month) = month(word)
    {
        // "12 Mar 26", but not "12 markings 26".
        let (year, end) =
            next_year(text, after_month).filter(|(_, end)| word.len() == 3 || is_long_year(text, *end))?;
        return date(year, month, day).map(|date| Dates { readings: vec![date], start, end });
    }
    let (from, to) = word_before.filter(|(_, to)| ordinal && text[*to..start].trim_matches([' ', '.']).is_empty())?;
    let month = month(&text[from..to])?;
    let (year, end) = next_year(text, after_day).filter(|(_, end)| is_long_year(text, *end))?;
    date(year, month, day).map(|date| Dates { readings: vec![date], start: from, end })
}

/// Whether the year that ends here has four digits.
fn is_long_year(text: &str, end: usize) -> bool {
    text[..end].bytes().rev().take_while(u8::is_ascii_digit).count() == 4
}

fn month(word: &str) -> Option<u32> {
    if word.len() > 2 * MAX_MONTH_LETTERS {
        return None;
    }
    let folded = fold(word);
    MONTHS.iter().find(|(name, _)| folded.starts_with(name)).map(|(_, month)| *month)
}

/// The next word, past a point, hyphen or "de" after the day.
fn next_word(text: &str, from: usize) -> Option<(&str, usize)> {
    let gap = |text: &str| text.len() - text.trim_start_matches([' ', '\u{a0}', '.', '-']).len();
    let mut start = from + gap(&text[from..]);
    if let Some(rest) = text[start..].strip_prefix("de ") {
        start = text.len() - rest.len();
    }
    if start > from + 6 {
        return None;
    }
    let letters = text[start..].chars().take_while(|c| c.is_alphabetic()).take(2 * MAX_MONTH_LETTERS);
    let end = start + letters.map(char::len_utf8).sum::<usize>();
    (end > start).then(|| (&text[start..end], end))
}

/// A year shortly after a month or day.
fn next_year(text: &str, from: usize) -> Option<(i32, usize)> {
    let rest = &text[from..];
    let skipped = rest.trim_start_matches([' ', '\u{a0}', '.', ',', '-']);
    let skipped = skipped.strip_prefix("de ").unwrap_or(skipped);
    let start = text.len() - skipped.len();
    let n_digits = skipped.bytes().take(5).take_while(u8::is_ascii_digit).count();
    (start > from && start <= from + 6)
        .then(|| year(&skipped[..n_digits]).map(|year| (year, start + n_digits)))
        .flatten()
}

fn number(digits: &str) -> Option<u32> {
    ((1..=2).contains(&digits.len())).then(|| digits.parse().ok()).flatten()
}

/// Of two digits those before 70 are of this century.
fn year(digits: &str) -> Option<i32> {
    let year: i32 = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
    match digits.len() {
        4 if (1900..2100).contains(&year) => Some(year),
        2 => Some(if year < 70 { 2000 + year } else { 1900 + year }),
        _ => None,
    }
}

fn date(year: i32, month: u32, day: u32) -> Option<String> {
    let n_days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=n_days).contains(&day).then(|| format!("{year}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_day_first_and_where_it_may_be_month_first_too() {
        for (written, readings) in [
            ("2026-03-12", vec!["2026-03-12"]),
            ("12.03.2026", vec!["2026-03-12"]),
            ("12/03/2026", vec!["2026-03-12", "2026-12-03"]),
            ("12-3-26", vec!["2026-03-12", "2026-12-03"]),
            ("03/25/2026", vec!["2026-03-25"]),
            ("29.02.2026", vec![]),
            ("1.2.3", vec![]),
            ("10.0.0.1", vec![]),
            ("TF/2026-27/001", vec![]),
        ] {
            assert_eq!(in_figures(written), readings, "{written}");
        }
    }

    #[test]
    fn months_have_names() {
        let read = |text: &str| {
            let start = text.find(|c: char| c.is_ascii_digit()).unwrap();
            let end = start + text[start..].find([' ', ',']).unwrap_or(text.len() - start);
            let run = text[start..end].trim_end_matches('.');
            let before = text[..start].trim_end().len();
            let word = (before > 0).then_some((0, before));
            with_name(text, word, start, start + run.len()).map(|dates| dates.readings[0].clone())
        };
        for text in [
            "12 March 2026",
            "12th March, 2026",
            "12. März 2026",
            "12-Mar-2026",
            "12 mars 2026",
            "12 de marzo de 2026",
            "March 12, 2026",
            "Mar. 12th 2026",
        ] {
            assert_eq!(read(text).as_deref(), Some("2026-03-12"), "{text}");
        }
        for text in ["12 bolts 2026", "12 March", "31 June 2026", "set 12, 30"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
