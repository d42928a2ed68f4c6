//! Numbers of cells as exact decimals, with the unit beside them; and the ways to write a number that a column has.
//!
//! Not for guessing: what can be read in two ways is read in none, unless the column tells.

use crate::parse::unit;
use std::{cmp::Ordering, fmt};

/// Digits that a number may have: sums of fifty thousand of them fit.
const MAX_DIGITS: usize = 24;

/// What stands beside numbers in tables and is no unit of measure, lower case.
const UNIT_WORDS: [&str; 20] = [
    "nos", "nos.", "no", "ea", "each", "st", "stk", "pce", "pieces", "piece", "units", "unit", "sets", "set", "rs",
    "rs.", "inr", "/-", "us$", "euro",
];

/// A decimal number, `units / 10^scale`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) units: i128,
    pub(super) scale: u32,
}

impl Decimal {
    fn scaled(self, scale: u32) -> Option<i128> {
        10_i128.checked_pow(scale.checked_sub(self.scale)?)?.checked_mul(self.units)
    }

    /// The sum; `None` where it is too large.
    pub(super) fn add(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        Some(Self { units: self.scaled(scale)?.checked_add(other.scaled(scale)?)?, scale })
    }

    /// Divided by a count, rounded half away from zero to `digits` more places than it has; whether that is exact.
    pub(super) fn divided(self, n: u32, digits: u32) -> Option<(Self, bool)> {
        let (scale, n) = (self.scale.checked_add(digits)?, i128::from(n.max(1)));
        let units = self.scaled(scale)?;
        let (quotient, rest) = (units / n, units % n);
        let away = if rest.abs() * 2 >= n { rest.signum() } else { 0 };
        let mut result = Self { units: quotient + away, scale };
        // Zeros that dividing brought are none of its digits.
        while result.scale > self.scale && result.units % 10 == 0 {
            result = Self { units: result.units / 10, scale: result.scale - 1 };
        }
        Some((result, rest == 0))
    }

    /// Which is less; by value.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        let scale = self.scale.max(other.scale);
        Some(self.scaled(scale)?.cmp(&other.scaled(scale)?))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.units.unsigned_abs().to_string();
        let scale = self.scale as usize;
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        let sign = if self.units < 0 { "-" } else { "" };
        if fraction.is_empty() { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{fraction}") }
    }
}

/// How a column parts its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
}

/// A number as it stands in a cell: sign, figures with what parts them, and what is beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written<'a> {
    is_negative: bool,
    figures: &'a str,
    /// The unit or currency, from before or behind.
    pub(super) unit: Option<&'a str>,
}

/// Takes a cell apart; `None` where it holds no number, or more than one.
pub(super) fn written(cell: &str) -> Option<Written<'_>> {
    let text = cell.trim();
    let (text, in_brackets) = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inside) => (inside.trim(), true),
        None => (text, false),
    };
    let first = text.find(|c: char| c.is_ascii_digit())?;
    let last = text.rfind(|c: char| c.is_ascii_digit())?;
    let figures = &text[first..=last];
    let (before, after) = (text[..first].trim(), text[last + 1..].trim());
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
    if !figures.chars().all(is_part) {
        return None;
    }
    let (before, is_minus) = match before.strip_suffix(['-', '−', '–']) {
        Some(rest) => (rest.trim(), true),
        None => match before.strip_prefix(['-', '−']) {
            Some(rest) => (rest.trim(), true),
            None => (before.strip_suffix('+').unwrap_or(before).trim(), false),
        },
    };
    // "12.50-" as bookkeepers write, "12,-" as shops do.
    let (after, is_minus) = match after.strip_suffix(['-', '−']) {
        Some("") => ("", true),
        _ => (after, is_minus),
    };
    // "M" of "M6" is none.
    let is_unit = |text: &str| unit::known(text).is_some() || UNIT_WORDS.contains(&text.to_lowercase().as_str());
    let unit = match (before.is_empty(), after.is_empty()) {
        (true, true) => None,
        (false, true) if is_unit(before) => Some(before),
        (true, false) if is_unit(after) => Some(after),
        _ => return None,
    };
    Some(Written { is_negative: is_minus || in_brackets, figures, unit })
}

impl Written<'_> {
    /// In which writing alone it can be meant; `None` where in both, or where both are the same.
    pub(super) fn tells(&self) -> Option<Writing> {
        match (self.value(Writing::Point), self.value(Writing::Comma)) {
            (Some(_), None) => Some(Writing::Point),
            (None, Some(_)) => Some(Writing::Comma),
            _ => None,
        }
    }

    /// Whether the two writings give two numbers.
    pub(super) fn is_ambiguous(&self) -> bool {
        matches!((self.value(Writing::Point), self.value(Writing::Comma)), (Some(a), Some(b)) if a.compare(b) != Some(Ordering::Equal))
    }

    /// The number in a writing; `None` where it is none.
    pub(super) fn value(&self, writing: Writing) -> Option<Decimal> {
        let (group, decimal) = match writing {
            Writing::Point => (',', '.'),
            Writing::Comma => ('.', ','),
        };
        let (whole, fraction) = match self.figures.rsplit_once(decimal) {
            Some((whole, fraction)) => (whole, fraction),
            None => (self.figures, ""),
        };
        if whole.contains(decimal) || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let is_gap = |c: char| c == group || matches!(c, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}');
        let groups: Vec<&str> = whole.split(is_gap).collect();
        let n_signs = whole.chars().filter(|c| is_gap(*c)).collect::<std::collections::BTreeSet<char>>().len();
        if n_signs > 1
            || !is_grouped(&groups)
            || groups.iter().any(|group| !group.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return None;
        }
        let digits: String = groups.concat() + fraction;
        if digits.len() > MAX_DIGITS {
            return None;
        }
        let units: i128 = digits.parse().ok()?;
        Some(Decimal { units: if self.is_negative { -units } else { units }, scale: fraction.len() as u32 })
    }
}

/// Thousands by threes, or as in India the last by three and those before by twos.
fn is_grouped(groups: &[&str]) -> bool {
    let [first, between @ .., last] = groups else { return groups.len() == 1 };
    let by = |n: usize| (1..=n).contains(&first.len()) && between.iter().all(|group| group.len() == n);
    let starts = !first.starts_with('0');
    groups.len() == 1 || last.len() == 3 && starts && (by(3) || by(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(cell: &str, writing: Writing) -> Option<String> {
        written(cell)?.value(writing).map(|value| value.to_string())
    }

    #[test]
    fn numbers_are_read_in_both_writings() {
        for (cell, point, comma) in [
            ("1,234.56", Some("1234.56"), None),
            ("1.234,56", None, Some("1234.56")),
            ("1,234", Some("1234"), Some("1.234")),
            ("1.234", Some("1.234"), Some("1234")),
            ("12,50 €", None, Some("12.50")),
            ("₹ 1,23,456.00", Some("123456.00"), None),
            ("(12.5)", Some("-12.5"), None),
            ("-7", Some("-7"), Some("-7")),
            ("1 234,5", None, Some("1234.5")),
            ("3 kg", Some("3"), Some("3")),
            ("0.125", Some("0.125"), None),
        ] {
            assert_eq!(read(cell, Writing::Point).as_deref(), point, "{cell}");
            assert_eq!(read(cell, Writing::Comma).as_deref(), comma, "{cell}");
        }
        for cell in ["M6", "", "n/a", "-", "12 of 14", "1.2.3", "3-5", "2026-03-12", "1,23,45"] {
            let is_read = [Writing::Point, Writing::Comma].into_iter().any(|writing| read(cell, writing).is_some());
            assert!(!is_read, "{cell}");
        }
        assert!(written("1,234").unwrap().is_ambiguous() && !written("1,234.5").unwrap().is_ambiguous());
        assert_eq!(written("12.50").unwrap().tells(), Some(Writing::Point));
    }

    #[test]
    fn sums_and_means_are_exact() {
        let of = |cell: &str| written(cell).unwrap().value(Writing::Point).unwrap();
        let sum = ["0.10", "0.2", "0.30"].iter().try_fold(Decimal::default(), |sum, cell| sum.add(of(cell))).unwrap();
        assert_eq!(sum.to_string(), "0.60");
        assert_eq!(
            of("10").divided(4, 4).map(|(mean, exact)| (mean.to_string(), exact)),
            Some(("2.5".to_owned(), true))
        );
        assert_eq!(
            of("10.00").divided(3, 2).map(|(mean, exact)| (mean.to_string(), exact)),
            Some(("3.3333".to_owned(), false))
        );
        assert_eq!(of("-1").divided(3, 2).map(|(mean, _)| mean.to_string()), Some("-0.33".to_owned()));
        assert_eq!(of("2").compare(of("1.99")), Some(Ordering::Greater));
    }
}
