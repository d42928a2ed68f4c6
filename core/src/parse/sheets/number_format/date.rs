//! Serial numbers of days as dates and times.
//!
//! Not for time zones: a spreadsheet's dates have none.

use super::{Language, Token};
use std::fmt::Write as _;

/// The last day that spreadsheet programs know: 9999-12-31.
const LAST_SERIAL: f64 = 2_958_466.0;

/// A point in time as a calendar and a clock show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Moment {
    year: i64,
    month: u32,
    day: u32,
    /// 0 is Sunday.
    weekday: usize,
    /// Since the epoch, for formats that count beyond 24 hours.
    total_seconds: i64,
    millis: u32,
}

impl Moment {
    /// The moment of a serial number: days since the epoch, 1900 with its invented 29 February or 1904. `None` before
    /// the epoch and after the year 9999. `with_millis`: thousandths are shown, so seconds are not rounded.
    pub(in super::super) fn of(serial: f64, is_1904: bool, with_millis: bool) -> Option<Self> {
        if !(0.0..LAST_SERIAL).contains(&serial) {
            return None;
        }
        let mut millis = (serial * 86_400_000.0 + 0.5).floor() as i64;
        if !with_millis {
            millis = (millis + 500) / 1000 * 1000;
        }
        let total_seconds = millis / 1000;
        let days = total_seconds / 86_400;
        let since_1970 = if is_1904 {
            days - 24_107
        } else if days > 60 {
            days - 25_569
        } else {
            days - 25_568
        };
        let (year, month, day) = match (is_1904, days) {
            // A date that never was, but is shown.
            (false, 60) => (1900, 2, 29),
            // Day 0 is the time of day alone.
            (false, 0) => (1900, 1, 0),
            _ => civil(since_1970),
        };
        let weekday = (days + if is_1904 { 5 } else { 6 }).rem_euclid(7) as usize;
        Some(Self { year, month, day, weekday, total_seconds, millis: (millis % 1000) as u32 })
    }

    /// `2026-11-30`, with the time of day where there is one: `2026-11-30 14:05`; a time alone where there is no date.
    pub(in super::super) fn iso(self, with_date: bool, with_time: bool) -> String {
        let seconds = self.total_seconds % 86_400;
        let time = match seconds % 60 {
            0 => format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60),
            rest => format!("{:02}:{:02}:{rest:02}", seconds / 3600, seconds / 60 % 60),
        };
        let date = format!("{:04}-{:02}-{:02}", self.year, self.month, self.day);
        match (with_date, with_time) {
            (false, _) => time,
            (true, false) => date,
            (true, true) => format!("{date} {time}"),
        }
    }

    /// Written by the tokens of a format.
    pub(super) fn write(self, tokens: &[Token], language: Language) -> String {
        let half_days = tokens.iter().any(|token| matches!(token, Token::HalfDay(_)));
        let (hour, minute) = (self.total_seconds / 3600 % 24, self.total_seconds / 60 % 60);
        let second = self.total_seconds % 60;
        let mut text = String::new();
        for token in tokens {
            let _infallible = match token {
                Token::Literal(literal) => write!(text, "{literal}"),
                Token::Year(1 | 2) => write!(text, "{:02}", self.year % 100),
                Token::Year(_) => write!(text, "{:04}", self.year),
                Token::Month(1) => write!(text, "{}", self.month),
                Token::Month(2) => write!(text, "{:02}", self.month),
                Token::Month(length) => write!(text, "{}", month_name(self.month, *length, language)),
                Token::Day(1) => write!(text, "{}", self.day),
                Token::Day(2) => write!(text, "{:02}", self.day),
                Token::Day(length) => write!(text, "{}", day_name(self.weekday, *length, language)),
                Token::Hour(length) => {
                    let shown = match (half_days, hour % 12) {
                        (true, 0) => 12,
                        (true, rest) => rest,
                        (false, _) => hour,
                    };
                    padded(&mut text, shown, *length)
                }
                Token::Minute(length) => padded(&mut text, minute, *length),
                Token::Second(length) => padded(&mut text, second, *length),
                Token::Fraction(length) => {
                    let thousandths = format!("{:03}", self.millis);
                    write!(text, ".{}", &thousandths[..(*length).clamp(1, 3)])
                }
                Token::Elapsed(unit_seconds, length) => padded(&mut text, self.total_seconds / unit_seconds, *length),
                Token::HalfDay(short) => match (hour < 12, short) {
                    (true, true) => write!(text, "A"),
                    (true, false) => write!(text, "AM"),
                    (false, true) => write!(text, "P"),
                    (false, false) => write!(text, "PM"),
                },
                Token::Slash => write!(text, "/"),
                Token::Comma => write!(text, ","),
                Token::Percent => write!(text, "%"),
                _ => Ok(()),
            };
        }
        text
    }
}

fn padded(text: &mut String, number: i64, length: usize) -> std::fmt::Result {
    write!(text, "{number:0width$}", width = length.min(4))
}

/// Year, month and day of a day counted from 1970-01-01, after Howard Hinnant's `civil_from_days`.
fn civil(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted_month + 2) / 5 + 1) as u32;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

const MONTHS: [[&str; 12]; 4] = [
    [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
];
const DAYS: [[&str; 7]; 4] = [
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
    ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
    ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
    ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
];

/// `mmm` is three letters, `mmmm` the name, `mmmmm` its first letter.
fn month_name(month: u32, length: usize, language: Language) -> String {
    let name = MONTHS[language as usize].get((month as usize).wrapping_sub(1)).copied().unwrap_or("");
    name.chars()
        .take(match length {
            3 => 3,
            5 => 1,
            _ => usize::MAX,
        })
        .collect()
}

/// `ddd` is short (two letters in German, three elsewhere), `dddd` the name.
fn day_name(weekday: usize, length: usize, language: Language) -> String {
    let name = DAYS[language as usize].get(weekday).copied().unwrap_or("");
    let n_letters = match (length, language) {
        (3, Language::German) => 2,
        (3, _) => 3,
        _ => usize::MAX,
    };
    name.chars().take(n_letters).collect()
}
