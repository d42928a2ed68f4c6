//! Number formats: how a spreadsheet shows a value, from codes like `#,##0.00 "€"` and `dd.mm.yyyy`.
//!
//! Not for a person's own settings: what a format leaves to them (separators, the short date) is shown in one way
//! everywhere, `1,234.50` and `2026-11-30`.

mod date;
mod decimal;
mod digits;
mod stored;
mod tokens;

pub(super) use date::Moment;
pub(super) use stored::stored;

/// How numbers are shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberFormat {
    sections: Vec<Section>,
}

/// The part of a format between semicolons, for a range of values.
#[derive(Clone, Debug, Default, PartialEq)]
struct Section {
    tokens: Vec<Token>,
    condition: Option<(Comparison, f64)>,
    language: Language,
    /// What `[$€-407]` or a literal says the value is in.
    currency: Option<String>,
    /// The person's own short or long date or time.
    own_date: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// The language of month names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Language {
    #[default]
    English,
    German,
    French,
    Spanish,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Literal(String),
    /// `0`, `#` or `?`.
    Digit(char),
    Point,
    Comma,
    Percent,
    /// `E+` or `E-`: whether a plus is shown.
    Exponent(bool),
    Slash,
    General,
    /// `@`.
    Text,
    Year(usize),
    Month(usize),
    Day(usize),
    Hour(usize),
    Minute(usize),
    Second(usize),
    /// Decimals of a second.
    Fraction(usize),
    /// `[h]`, `[mm]`: seconds of the unit, and its digits.
    Elapsed(i64, usize),
    /// `AM/PM`; `A/P` is the short form.
    HalfDay(bool),
}

impl Token {
    fn is_of_date(&self) -> bool {
        matches!(
            self,
            Self::Year(_)
                | Self::Month(_)
                | Self::Day(_)
                | Self::Hour(_)
                | Self::Minute(_)
                | Self::Second(_)
                | Self::Elapsed(..)
                | Self::HalfDay(_)
        )
    }
}

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The text.
    pub(super) text: String,
    /// It is a date, a time or both.
    pub(super) is_date: bool,
    /// What is stored, where the text does not say it.
    pub(super) stored: Option<String>,
}

impl NumberFormat {
    /// Reads a format code. Whatever it does not understand it shows as it stands.
    pub(super) fn parse(code: &str) -> Self {
        /// Excel allows 255 characters; every cell is shown by going through them all.
        const MAX_CHARS: usize = 1_024;
        let end = code.char_indices().nth(MAX_CHARS).map_or(code.len(), |(at, _)| at);
        Self { sections: tokens::sections(&code[..end]) }
    }

    /// The format behind a number that XLSX, XLSB and XLS share; `General` for those that leave it to the program.
    pub(super) fn builtin(id: u32) -> Self {
        Self::parse(match id {
            1 => "0",
            2 => "0.00",
            3 => "#,##0",
            4 => "#,##0.00",
            // The local currency, which the file does not name.
            5 | 6 | 37 | 38 => "#,##0;-#,##0",
            7 | 8 | 39..=44 => "#,##0.00;-#,##0.00",
            9 => "0%",
            10 => "0.00%",
            11 => "0.00E+00",
            12 => "# ?/?",
            13 => "# ??/??",
            14 | 30 => "yyyy-mm-dd",
            15 => "d-mmm-yy",
            16 => "d-mmm",
            17 => "mmm-yy",
            18 => "h:mm AM/PM",
            19 => "h:mm:ss AM/PM",
            20 | 32 => "h:mm",
            21 | 33 => "h:mm:ss",
            22 => "yyyy-mm-dd h:mm",
            27..=29 | 31 | 34..=36 | 50..=58 => "yyyy-mm-dd",
            45 => "mm:ss",
            46 => "[h]:mm:ss",
            47 => "mm:ss.0",
            48 => "##0.0E+0",
            49 => "@",
            _ => "General",
        })
    }

    /// What a number's value is in, where the format says so: `EUR`, `mm`.
    pub(super) fn unit(&self) -> Option<&str> {
        self.sections.first()?.currency.as_deref()
    }

    /// A number as it is shown.
    pub(super) fn show(&self, value: f64, is_1904: bool) -> Shown {
        let plain = |text: String| Shown { stored: stored(&text, value), text, is_date: false };
        let Some((section, signed)) = self.section(value) else { return plain(decimal::general(value)) };
        if !value.is_finite() {
            return plain(decimal::general(value));
        }
        let has_date = section.tokens.iter().any(Token::is_of_date);
        if has_date || section.own_date {
            let with_millis = section.tokens.iter().any(|token| matches!(token, Token::Fraction(_)));
            let Some(moment) = Moment::of(value, is_1904, with_millis) else { return plain(decimal::general(value)) };
            let of_day = |token: &Token| matches!(token, Token::Year(_) | Token::Month(_) | Token::Day(_));
            let text = if section.own_date {
                let only_time = section.tokens.iter().any(|token| matches!(token, Token::Hour(_) | Token::Second(_)))
                    && !section.tokens.iter().any(|token| matches!(token, Token::Year(_) | Token::Day(_)));
                moment.iso(!only_time, only_time)
            } else {
                moment.write(&section.tokens, section.language)
            };
            let text = text.trim().to_owned();
            // A time of day or a span alone says what it is in any way of writing it.
            let has_day = section.tokens.iter().any(of_day);
            let iso = moment.iso(true, value.fract() != 0.0);
            let stored = (has_day && !section.own_date && iso != text).then_some(iso);
            return Shown { text, is_date: true, stored };
        }
        if section.tokens.iter().any(|token| matches!(token, Token::General | Token::Text)) {
            let body = decimal::general(if signed { value } else { value.abs() });
            return plain(around(&section.tokens, &body));
        }
        plain(digits::write(&section.tokens, value, signed))
    }

    /// A text as it is shown: the fourth section may put words around it.
    pub(super) fn show_text(&self, text: String) -> String {
        let section =
            self.sections.get(3).or_else(|| self.sections.iter().find(|section| section.tokens.contains(&Token::Text)));
        match section {
            Some(section) if section.tokens.contains(&Token::Text) && section.tokens.len() > 1 => {
                around(&section.tokens, &text)
            }
            _ => text,
        }
    }

    /// The section for a value, and whether the minus sign still has to be shown.
    fn section(&self, value: f64) -> Option<(&Section, bool)> {
        let numeric = &self.sections[..self.sections.len().min(3)];
        if numeric.iter().any(|section| section.condition.is_some()) {
            let holds = |section: &&Section| {
                section.condition.is_none_or(|(comparison, bound)| match comparison {
                    Comparison::Less => value < bound,
                    Comparison::LessOrEqual => value <= bound,
                    Comparison::Greater => value > bound,
                    Comparison::GreaterOrEqual => value >= bound,
                    Comparison::Equal => value == bound,
                    Comparison::NotEqual => value != bound,
                })
            };
            // A section for negative numbers alone shows the sign itself.
            let signed = |section: &Section| !matches!(section.condition, Some((Comparison::Less | Comparison::LessOrEqual, bound)) if bound <= 0.0);
            return numeric.iter().find(holds).map(|section| (section, signed(section)));
        }
        match numeric {
            [] => None,
            [only] => Some((only, true)),
            [_, negative, ..] if value < 0.0 => Some((negative, false)),
            [_, _, zero] if value == 0.0 => Some((zero, false)),
            [positive, ..] => Some((positive, false)),
        }
    }
}

/// A text with the literals of a format around it.
fn around(tokens: &[Token], body: &str) -> String {
    let mut text = String::new();
    for token in tokens {
        match token {
            Token::Literal(literal) => text.push_str(literal),
            Token::General | Token::Text => text.push_str(body),
            _ => {}
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(code: &str, value: f64) -> String {
        NumberFormat::parse(code).show(value, false).text
    }

    #[test]
    fn numbers_are_shown_by_their_format() {
        for (code, value, expected) in [
            ("General", 12.5, "12.5"),
            ("0", 12.5, "13"),
            ("0.00", -3.0, "-3.00"),
            ("#,##0", 1_234_567.0, "1,234,567"),
            ("#,##0.00", 0.5, "0.50"),
            ("#.##", 0.5, ".5"),
            ("0.0##", 1.25, "1.25"),
            ("0000", 42.0, "0042"),
            ("00-000", 12_345.0, "12-345"),
            ("0%", 0.125, "13%"),
            ("0.0 %", 0.125, "12.5 %"),
            ("0.00E+00", 12_345.0, "1.23E+04"),
            ("##0.0E+0", 12_345.0, "12.3E+3"),
            ("0.00E-00", 0.00012, "1.20E-04"),
            ("#,##0,", 1_234_567.0, "1,235"),
            ("0.0,,\" M\"", 1_234_567.0, "1.2 M"),
            ("# ?/?", 1.5, "1 1/2"),
            ("# ??/??", 0.3125, "5/16"),
            ("# ?/8", 2.25, "2 2/8"),
            ("#,##0.00;(#,##0.00)", -5.5, "(5.50)"),
            ("0;-0;\"none\"", 0.0, "none"),
            ("[Red][<0]-0.0;[>=100]0;0.00", 7.0, "7.00"),
            ("[$€-407] #,##0.00", 9.9, "€ 9.90"),
            ("#,##0.00\\ \"€\"", 9.9, "9.90 €"),
            ("_-* #,##0.00_-", 9.9, "9.90"),
            ("\"Nr. \"0", 7.0, "Nr. 7"),
            ("0 \"mm\"", 7.0, "7 mm"),
            ("General\" kg\"", 7.5, "7.5 kg"),
            ("0", f64::INFINITY, "#NUM!"),
        ] {
            assert_eq!(shown(code, value), expected, "{code} of {value}");
        }
    }

    #[test]
    fn dates_and_times_are_shown_by_their_format() {
        // 2026-11-30 14:05:09.
        let moment = 46_356.586_909_722_22;
        for (code, expected) in [
            ("yyyy-mm-dd", "2026-11-30"),
            ("dd.mm.yyyy hh:mm", "30.11.2026 14:05"),
            ("d/m/yy", "30/11/26"),
            ("[$-407]d. mmmm yyyy", "30. November 2026"),
            ("[$-407]ddd, dd. mmm", "Mo, 30. Nov"),
            ("[$-40C]dddd d mmmm", "lundi 30 novembre"),
            ("h:mm AM/PM", "2:05 PM"),
            ("mm:ss", "05:09"),
            ("hh:mm:ss.000", "14:05:09.000"),
            ("[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "2026-11-30"),
            ("TT.MM.JJJJ", "30.11.2026"),
        ] {
            assert_eq!(shown(code, moment), expected, "{code}");
        }
        assert_eq!(shown("[h]:mm", 1.5), "36:00");
        assert_eq!(shown("h:mm", 0.25), "6:00");
        assert_eq!(shown("yyyy-mm-dd", 60.0), "1900-02-29");
        assert_eq!(shown("yyyy-mm-dd", 59.0), "1900-02-28");
        assert_eq!(shown("yyyy-mm-dd", 1.0), "1900-01-01");
        assert_eq!(shown("ddd", 1.0), "Sun");
        assert_eq!(shown("yyyy-mm-dd", -1.0), "-1");
        assert_eq!(NumberFormat::builtin(14).show(44_894.0, true).text, "2026-11-30");
        assert!(
            NumberFormat::builtin(14).show(1.0, false).is_date && !NumberFormat::builtin(4).show(1.0, false).is_date
        );
    }

    #[test]
    fn formats_say_what_a_value_is_in() {
        let unit = |code| NumberFormat::parse(code).unit().map(str::to_owned);
        assert_eq!(unit("[$€-407] #,##0.00").as_deref(), Some("EUR"));
        assert_eq!(unit("#,##0.00 \"EUR\"").as_deref(), Some("EUR"));
        assert_eq!(unit("\"$\"#,##0").as_deref(), Some("$"));
        assert_eq!(unit("0.0\" mm\"").as_deref(), Some("mm"));
        assert_eq!(unit("0.0\" each\""), None);
        assert_eq!(unit("0.0"), None);
    }

    proptest! {
        #[test]
        fn any_code_shows_any_number(code in "[0#?.,;%E+\\-/@\"\\\\\\[\\]$€ymdhsAPMGeneral_* <>=1-9]{0,24}", value in any::<f64>()) {
            let format = NumberFormat::parse(&code);
            format.show(value, false);
            format.show(value % 3e6, true);
            format.show_text(code);
        }
    }
}
