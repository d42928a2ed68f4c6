//! What a single line looks like: a step, a heading, a field, a log entry.

use std::ops::Range;

/// A line without its end, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    /// Without blanks at either end.
    pub(super) text: &'t str,
    /// As it stands, without blanks at its end.
    pub(super) raw: &'t str,
    /// The bytes of `text`.
    pub(super) range: Range<usize>,
    /// Columns before the text; a tab reaches to the next multiple of four.
    pub(super) indent: usize,
    signs: Signs,
}

/// What a single pass over a line's bytes finds, so that questions about millions of lines stay cheap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Signs {
    /// Three blanks in a row, a tab, a drawn line, or two bars.
    columns: bool,
    /// Characters or a word that program text has.
    code: bool,
    /// A colon before a blank.
    colon: bool,
    /// Three dots, in a row or spaced.
    dots: bool,
}

impl Signs {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut signs = Self {
            code: matches!(bytes, [b'G' | b'M' | b'T' | b'N' | b'X' | b'Y' | b'Z', b'0'..=b'9', ..]),
            ..Self::default()
        };
        let mut n_bars = 0;
        let next = |at: usize, offset: usize| bytes.get(at + offset).copied().unwrap_or(0);
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b' ' => signs.columns |= next(at, 1) == b' ' && next(at, 2) == b' ',
                b'\t' => signs.columns = true,
                b'|' => n_bars += 1,
                b'-' if next(at, 1) == b'-' => {
                    signs.code = true;
                    signs.columns |= next(at, 2) == b'+';
                }
                // U+2500 to U+257F, the lines that tables are drawn with.
                0xe2 => signs.columns |= matches!((next(at, 1), next(at, 2)), (0x94 | 0x95, _)),
                b'{' | b'}' | b';' | b'=' | b'$' | b'<' | b'>' | b'#' | b'\\' => signs.code = true,
                b'(' => signs.code |= next(at, 1) == b')',
                b':' => signs.colon |= matches!(next(at, 1), b' ' | b'\t'),
                b'.' => {
                    signs.dots |= (next(at, 1) == b'.' && next(at, 2) == b'.')
                        || (next(at, 1) == b' ' && next(at, 2) == b'.' && next(at, 3) == b' ' && next(at, 4) == b'.');
                }
                _ => {}
            }
        }
        signs.columns |= n_bars >= 2;
        signs
    }
}

/// The mark that an item of a list begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker<'t> {
    /// As printed; empty for bullets.
    pub(super) printed: &'t str,
    /// Its number, where it has one.
    pub(super) number: Option<u32>,
    /// A step rather than a point.
    pub(super) ordered: bool,
    /// What follows it.
    pub(super) rest: &'t str,
}

impl<'t> Line<'t> {
    /// A line whose first byte is at `start` of the text.
    pub(super) fn new(line: &'t str, start: usize) -> Self {
        let raw = line.trim_end();
        let text = raw.trim_start();
        let lead = raw.len() - text.len();
        let indent = raw[..lead].chars().fold(0, |column, c| if c == '\t' { (column / 4 + 1) * 4 } else { column + 1 });
        Self { text, raw, range: start + lead..start + raw.len(), indent, signs: Signs::of(text) }
    }

    /// The character that a line consists of, if it is nothing but three or more of one.
    pub(super) fn rule(&self) -> Option<char> {
        let first = self.text.chars().next().filter(|c| "=-~*_#^+".contains(*c))?;
        (self.text.len() >= 3 && self.text.chars().all(|c| c == first)).then_some(first)
    }

    /// The mark of a list's item, if something follows it.
    pub(super) fn marker(&self) -> Option<Marker<'t>> {
        // No mark is longer than this, and most lines are no items.
        let first = self.text.bytes().take(12).position(|byte| matches!(byte, b' ' | b'\t'))?;
        let (first, rest) = self.text.split_at(first);
        let rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        if matches!(first, "-" | "*" | "+" | "•" | "·" | "–" | "—" | "▪" | "■" | "‣" | "◦" | "●" | "")
        {
            return Some(Marker { printed: "", number: None, ordered: false, rest });
        }
        let closed = first.strip_suffix(['.', ')']);
        let inner = closed.map(|inner| inner.strip_prefix('(').unwrap_or(inner));
        if let Some(inner) = inner {
            let number = (inner.len() <= 3).then(|| inner.parse::<u32>().ok()).flatten();
            let letter = first.ends_with(')') && inner.len() == 1 && inner.as_bytes()[0].is_ascii_alphabetic();
            if number.is_some() || letter {
                return Some(Marker { printed: first, number, ordered: true, rest });
            }
        }
        // "Step 3: …" and its translations.
        if matches!(first, "Step" | "STEP" | "Schritt" | "Étape" | "Paso") {
            let (number, after) = rest.split_once([' ', '\t'])?;
            let number = number.strip_suffix([':', '.', ')'])?.parse::<u32>().ok()?;
            let length = self.text.len() - after.len();
            return Some(Marker {
                printed: self.text[..length].trim_end(),
                number: Some(number),
                ordered: true,
                rest: after.trim_start(),
            });
        }
        None
    }

    /// The depth of a heading's number: "3 Safety" has 1, "3.2 Cleaning" and "3.2. Cleaning" have 2, "Chapter 3" has 1.
    /// `None` unless the line reads like a heading: short, a capital after the number, no sentence's end.
    pub(super) fn numbered_heading(&self) -> Option<u8> {
        if self.text.len() > 400 {
            return None;
        }
        let (first, rest) = self.text.split_once([' ', '\t'])?;
        let rest = rest.trim_start();
        if self.text.chars().count() > 90 || rest.ends_with(['.', ',', ';', ':', '?', '!']) {
            return None;
        }
        if matches!(
            first,
            "Chapter" | "CHAPTER" | "Kapitel" | "Chapitre" | "Capítulo" | "Appendix" | "APPENDIX" | "Annex" | "Anhang"
        ) {
            let mark = rest.split([' ', ':', '.', '-']).next()?;
            return (mark.len() <= 4 && mark.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()))
                .then_some(1);
        }
        let number = first.strip_suffix('.').unwrap_or(first);
        let parts = number
            .split('.')
            .map(|part| (!part.is_empty() && part.len() <= 3).then(|| part.parse::<u32>().ok()).flatten());
        let parts: Vec<u32> = parts.collect::<Option<_>>()?;
        // "3.5 Nm" is a quantity and "25.4 MM" hardly a heading: a word of some length has to follow.
        let word = rest.split_whitespace().next()?;
        let wordy = word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().filter(|c| c.is_alphabetic()).count() > 2;
        (wordy && parts.len() <= 6 && rest.split_whitespace().count() <= 12)
            .then(|| u8::try_from(parts.len()).unwrap_or(6))
    }

    /// A line in capitals that reads like a heading.
    pub(super) fn is_capitals_heading(&self) -> bool {
        if self.text.len() > 400 {
            return false;
        }
        let n_chars = self.text.chars().count();
        let n_letters = self.text.chars().filter(|c| c.is_alphabetic()).count();
        let long_word =
            self.text.split_whitespace().any(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 3);
        (3..=70).contains(&n_chars)
            && long_word
            && n_letters * 3 >= n_chars * 2
            && self.text.chars().any(char::is_uppercase)
            && !self.text.chars().any(char::is_lowercase)
            && !self.text.ends_with(['.', ',', ';', '!', '?'])
    }

    /// A key and its value: "Serial no.: 4711", "Supply voltage ........ 230 V".
    pub(super) fn field(&self) -> Option<(&'t str, &'t str)> {
        if !self.signs.colon && !self.signs.dots {
            return None;
        }
        let (key, value) = match self.text.find(": ").or_else(|| self.text.find(":\t")) {
            Some(at) => (&self.text[..at], &self.text[at + 1..]),
            None => self.leader()?,
        };
        let (key, value) = (key.trim(), value.trim());
        let key_like = key.chars().count() <= 40
            && key.split_whitespace().count() <= 5
            && key.chars().next().is_some_and(char::is_alphanumeric)
            && !key.contains(['?', '!', ';', '"']);
        (key_like && !value.is_empty()).then_some((key, value))
    }

    /// What stands before and after a row of leading dots.
    pub(super) fn leader(&self) -> Option<(&'t str, &'t str)> {
        if !self.signs.dots {
            return None;
        }
        let at = self.text.find("...").or_else(|| self.text.find(". . ."))?;
        let (key, dots) = self.text.split_at(at);
        let value = dots.trim_start_matches(['.', ' ', '\t']);
        let far = dots.len() - value.len() >= 4;
        (far && !key.trim().is_empty() && !value.is_empty() && value.chars().count() <= 40)
            .then_some((key.trim(), value))
    }

    /// Whether columns are kept apart by blanks or rules, so that joining blanks would destroy it.
    pub(super) fn is_columnar(&self) -> bool {
        self.signs.columns
    }

    /// Whether a line reads like program text or a command rather than prose.
    pub(super) fn is_code_like(&self) -> bool {
        self.signs.code
    }

    /// Whether a line begins as entries of logs do: with a date, a time, or a level.
    pub(super) fn is_log_entry(&self) -> bool {
        let text = self.text.trim_start_matches(['[', '(', '"', '#']);
        // Syslog's priority: "<34>".
        let text = text.strip_prefix('<').and_then(|rest| rest.split_once('>')).map_or(text, |(_, rest)| rest);
        let head = &text.as_bytes()[..text.len().min(40)];
        let digits =
            |at: usize| head.get(at..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let first = digits(0);
        let (separator, second) = (head.get(first).copied().unwrap_or(0), digits(first + 1));
        let third = head.get(first + 1 + second).copied() == Some(separator) && digits(first + second + 2) > 0;
        match (first, separator) {
            // 2026-11-30, 30.11.2026, 11/30/26
            (4, b'-' | b'/' | b'.') | (1 | 2, b'.' | b'/' | b'-') => (1..=2).contains(&second) && third,
            // 12:30:05, 12:30
            (1 | 2, b':') => second == 2,
            // Seconds since 1970 or since the start.
            (5.., b'.') => second >= 3,
            (10 | 13, b' ') => true,
            // Nov 30 12:30:05
            (0, _) => {
                let mut words = self.text.split_whitespace();
                let month = words.next().is_some_and(|word| MONTHS.contains(&word));
                let day =
                    words.next().is_some_and(|word| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()));
                month && day && words.next().is_some_and(|time| time.contains(':'))
            }
            _ => false,
        }
    }
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line<'_> {
        Line::new(text, 0)
    }

    #[test]
    fn markers() {
        let marked = |text| line(text).marker().map(|marker| (marker.printed.to_owned(), marker.ordered));
        assert_eq!(marked("  3. Close"), Some(("3.".into(), true)));
        assert_eq!(marked("b) Close"), Some(("b)".into(), true)));
        assert_eq!(marked("• Close"), Some((String::new(), false)));
        assert_eq!(marked("Step 2: Close"), Some(("Step 2:".into(), true)));
        for text in ["3.5 mm", "-5 °C", "A. Smith", "2026. Year", "1.", "Step by step"] {
            assert_eq!(marked(text), None, "{text}");
        }
    }

    #[test]
    fn headings() {
        assert_eq!(line("3.2 Cleaning the filter").numbered_heading(), Some(2));
        assert_eq!(line("4. Safety").numbered_heading(), Some(1));
        assert_eq!(line("Chapter 3: Safety").numbered_heading(), Some(1));
        for text in ["3.5 Nm torque", "1. Close the valve.", "12.5 mm", "3 pumps"] {
            assert_eq!(line(text).numbered_heading(), None, "{text}");
        }
        assert!(line("SAFETY INSTRUCTIONS").is_capitals_heading());
        assert!(!line("SKU-48291").is_capitals_heading());
        assert!(!line("M6X20 A2-70").is_capitals_heading());
    }

    #[test]
    fn fields() {
        assert_eq!(line("Serial no.: 4711").field(), Some(("Serial no.", "4711")));
        assert_eq!(line("Supply voltage ........ 230 V").field(), Some(("Supply voltage", "230 V")));
        assert_eq!(line("see http://x.y").field(), None);
        assert_eq!(line("This is a sentence of many words: so no field").field(), None);
    }

    #[test]
    fn log_entries() {
        for text in [
            "2026-11-30 12:01 Pump",
            "[12:01:05] x",
            "Nov 30 12:01:05 host x",
            "30.11.2026 Seal",
            "<34>2026-11-30T1 x",
            "1764500000.123 x",
        ] {
            assert!(line(text).is_log_entry(), "{text}");
        }
        for text in ["3.2.1 Title", "12 bolts", "May be 3", "1.5 mm", "10.5.x"] {
            assert!(!line(text).is_log_entry() || text == "3.2.1 Title", "{text}");
        }
    }
}
