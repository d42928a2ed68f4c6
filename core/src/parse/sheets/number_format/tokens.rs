//! Splits a format code into its sections and tokens.

use super::{Comparison, Language, Section, Token};
use crate::parse::unit;

/// Formats are at most 255 characters long; what is longer was not written by a spreadsheet program.
const MAX_CODE_CHARS: usize = 1024;

/// The sections of a code, at least one.
pub(super) fn sections(code: &str) -> Vec<Section> {
    let chars: Vec<char> = code.chars().take(MAX_CODE_CHARS).collect();
    let mut scan = Scan { chars: &chars, at: 0, section: Section::default(), sections: Vec::new() };
    scan.run();
    scan.sections
}

struct Scan<'c> {
    chars: &'c [char],
    at: usize,
    section: Section,
    sections: Vec<Section>,
}

impl Scan<'_> {
    fn run(&mut self) {
        // `TT.MM.JJJJ` as a German program writes it: there T is the day.
        let german = self.chars.iter().any(|c| matches!(c, 'j' | 'J'));
        while let Some(&c) = self.chars.get(self.at) {
            self.at += 1;
            match c {
                ';' => self.end_section(),
                '"' => self.quoted(),
                '\\' => self.literal_next(),
                // A blank as wide as the next character; the next character as often as fits.
                '_' => {
                    self.at += 1;
                    self.literal(" ");
                }
                '*' => self.at += 1,
                '[' => self.bracket(),
                '0' | '#' | '?' => self.push(Token::Digit(c)),
                '.' => self.point(),
                ',' => self.push(Token::Comma),
                '%' => self.push(Token::Percent),
                '/' => self.push(Token::Slash),
                '@' => self.push(Token::Text),
                'E' | 'e' if matches!(self.chars.get(self.at), Some('+' | '-')) => {
                    let plus = self.chars.get(self.at) == Some(&'+');
                    self.at += 1;
                    self.push(Token::Exponent(plus));
                }
                'G' | 'g' if self.word("eneral") => self.push(Token::General),
                'S' if self.word("tandard") => self.push(Token::General),
                'A' | 'a' if self.word("m/pm") => self.push(Token::HalfDay(false)),
                'A' | 'a' if self.word("/p") => self.push(Token::HalfDay(true)),
                'y' | 'Y' | 'j' | 'J' | 'e' => self.run_of(c, Token::Year),
                'm' | 'M' => self.run_of(c, Token::Month),
                'd' | 'D' => self.run_of(c, Token::Day),
                't' | 'T' if german => self.run_of(c, Token::Day),
                'h' | 'H' => self.run_of(c, Token::Hour),
                's' | 'S' => self.run_of(c, Token::Second),
                other => {
                    let mut buffer = [0; 4];
                    self.literal(other.encode_utf8(&mut buffer));
                }
            }
        }
        self.end_section();
    }

    fn push(&mut self, token: Token) {
        self.section.tokens.push(token);
    }

    fn literal(&mut self, text: &str) {
        if let Some(Token::Literal(literal)) = self.section.tokens.last_mut() {
            literal.push_str(text);
        } else {
            self.push(Token::Literal(text.to_owned()));
        }
    }

    fn literal_next(&mut self) {
        if let Some(c) = self.chars.get(self.at) {
            let mut buffer = [0; 4];
            self.literal(c.encode_utf8(&mut buffer));
            self.at += 1;
        }
    }

    fn quoted(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let length = rest.iter().position(|c| *c == '"').unwrap_or(rest.len());
        let text: String = rest[..length].iter().collect();
        self.literal(&text);
        self.at += length + 1;
    }

    /// Whether these lower-case letters follow; steps over them if so.
    fn word(&mut self, word: &str) -> bool {
        let n_chars = word.chars().count();
        let rest = self.chars.get(self.at..self.at + n_chars);
        let follows = rest.is_some_and(|rest| rest.iter().zip(word.chars()).all(|(a, b)| a.to_ascii_lowercase() == b));
        self.at += if follows { n_chars } else { 0 };
        follows
    }

    /// A run of one letter, whose length says how it is shown.
    fn run_of(&mut self, letter: char, token: impl Fn(usize) -> Token) {
        let same = |c: &&char| c.eq_ignore_ascii_case(&letter);
        let length = 1 + self.chars.get(self.at..).unwrap_or_default().iter().take_while(same).count();
        self.at += length - 1;
        self.push(token(length));
    }

    /// A decimal point, or the decimals of a second.
    fn point(&mut self) {
        let n_zeros = self.chars.get(self.at..).unwrap_or_default().iter().take_while(|c| **c == '0').count();
        let after_second = matches!(self.section.tokens.last(), Some(Token::Second(_) | Token::Elapsed(1, _)));
        if n_zeros > 0 && after_second {
            self.at += n_zeros;
            self.push(Token::Fraction(n_zeros));
        } else if self.section.tokens.iter().any(Token::is_of_date) {
            self.literal(".");
        } else {
            self.push(Token::Point);
        }
    }

    /// A colour, a condition, a currency with its language, or time counted beyond the day.
    fn bracket(&mut self) {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|c| *c == ']') else { return };
        let inside: String = rest[..length].iter().collect();
        self.at += length + 1;
        if let Some(locale) = inside.strip_prefix('$') {
            self.locale(locale);
        } else if let Some(condition) = condition(&inside) {
            self.section.condition = Some(condition);
        } else if let Some(first) = inside.chars().next().map(|c| c.to_ascii_lowercase())
            && inside.chars().all(|c| c.eq_ignore_ascii_case(&first))
        {
            let unit_seconds = match first {
                'h' => 3600,
                'm' => 60,
                's' => 1,
                _ => return,
            };
            self.push(Token::Elapsed(unit_seconds, inside.len()));
        }
    }

    /// `€-407`: a currency, and the code of a language or of the person's own date and time.
    fn locale(&mut self, locale: &str) {
        let (currency, code) = locale.rsplit_once('-').unwrap_or((locale, ""));
        if !currency.is_empty() {
            self.section.currency = Some(unit::currency(currency, code).to_owned());
            self.literal(currency);
        }
        self.section.own_date |= matches!(code, "F800" | "F400" | "f800" | "f400");
        // The last two digits are the primary language.
        let primary = u32::from_str_radix(code, 16).unwrap_or(0) & 0x3ff;
        self.section.language = match primary {
            0x07 => Language::German,
            0x0a => Language::Spanish,
            0x0c => Language::French,
            _ => self.section.language,
        };
    }

    fn end_section(&mut self) {
        let mut section = std::mem::take(&mut self.section);
        minutes(&mut section.tokens);
        if section.currency.is_none() && !section.tokens.iter().any(Token::is_of_date) {
            let literals = section.tokens.iter().filter_map(|token| match token {
                Token::Literal(literal) => Some(literal.trim()),
                _ => None,
            });
            section.currency = literals.filter_map(unit::known).next();
        }
        self.sections.push(section);
    }
}

/// `m` after hours or before seconds is minutes.
fn minutes(tokens: &mut [Token]) {
    let parts: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].is_of_date()).collect();
    for (order, &at) in parts.iter().enumerate() {
        let Token::Month(length @ (1 | 2)) = tokens[at] else { continue };
        let before = order.checked_sub(1).and_then(|order| parts.get(order)).map(|at| &tokens[*at]);
        let after = parts.get(order + 1).map(|at| &tokens[*at]);
        let is_minute =
            matches!(before, Some(Token::Hour(_) | Token::Elapsed(3600, _))) || matches!(after, Some(Token::Second(_)));
        if is_minute {
            tokens[at] = Token::Minute(length);
        }
    }
}

/// `>=100`.
fn condition(text: &str) -> Option<(Comparison, f64)> {
    const COMPARISONS: [(&str, Comparison); 6] = [
        ("<=", Comparison::LessOrEqual),
        (">=", Comparison::GreaterOrEqual),
        ("<>", Comparison::NotEqual),
        ("<", Comparison::Less),
        (">", Comparison::Greater),
        ("=", Comparison::Equal),
    ];
    let (comparison, bound) =
        COMPARISONS.iter().find_map(|(sign, comparison)| Some((*comparison, text.strip_prefix(sign)?)))?;
    Some((comparison, bound.trim().parse().ok()?))
}
