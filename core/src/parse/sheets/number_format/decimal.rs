//! Numbers as decimal digits, rounded as spreadsheet programs round them.
//!
//! They keep 15 significant digits and round a half away from zero, so that 2.675 with two decimals is 2.68; a binary
//! fraction printed directly would say 2.67.

/// Significant digits of a spreadsheet's numbers.
const SIGNIFICANT_DIGITS: usize = 15;

/// A number without its sign: `0.d1d2d3… × 10^point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// Digits 0 to 9 without zeros at either end; empty for zero.
    digits: Vec<u8>,
    /// How many of them stand before the decimal point; negative where zeros follow it first.
    point: i32,
}

impl Decimal {
    /// The absolute value of a finite number.
    pub(super) fn of(value: f64) -> Self {
        let written = format!("{:.*e}", SIGNIFICANT_DIGITS - 1, value.abs());
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        Self { digits, point: exponent.parse::<i32>().unwrap_or(0) + 1 }.trimmed()
    }

    /// Whether it is nought.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The power of ten of its first digit: 2 for 250, -1 for 0.4; 0 for nought.
    pub(super) fn magnitude(&self) -> i32 {
        if self.is_zero() { 0 } else { self.point - 1 }
    }

    /// Multiplied by a power of ten.
    pub(super) fn shifted(mut self, places: i32) -> Self {
        if !self.is_zero() {
            self.point = self.point.saturating_add(places);
        }
        self
    }

    /// Rounded to so many decimals, a half away from zero.
    pub(super) fn rounded(mut self, n_decimals: usize) -> Self {
        let keep = i64::from(self.point) + n_decimals as i64;
        if keep < 0 {
            return Self { digits: Vec::new(), point: 0 };
        }
        let keep = keep as usize;
        let Some(next) = self.digits.get(keep) else { return self };
        let up = *next >= 5;
        self.digits.truncate(keep);
        if up {
            match self.digits.iter().rposition(|digit| *digit < 9) {
                Some(at) => {
                    self.digits.truncate(at + 1);
                    self.digits[at] += 1;
                }
                None => {
                    self.digits = vec![1];
                    self.point += 1;
                }
            }
        }
        self.trimmed()
    }

    /// The digits before the decimal point, empty below 1.
    pub(super) fn whole(&self) -> String {
        let n_digits = usize::try_from(self.point).unwrap_or(0);
        (0..n_digits).map(|at| digit(self.digits.get(at))).collect()
    }

    /// The digits after the decimal point, without zeros at the end.
    pub(super) fn decimals(&self) -> String {
        let zeros = usize::try_from(-i64::from(self.point)).unwrap_or(0);
        let from = usize::try_from(self.point).unwrap_or(0);
        let rest = self.digits.get(from..).unwrap_or_default();
        if rest.is_empty() {
            return String::new();
        }
        std::iter::repeat_n('0', zeros).chain(rest.iter().map(|byte| digit(Some(byte)))).collect()
    }

    fn trimmed(mut self) -> Self {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.point = if self.digits.is_empty() { 0 } else { self.point - zeros as i32 };
        self
    }
}

fn digit(byte: Option<&u8>) -> char {
    char::from(b'0' + byte.copied().unwrap_or(0))
}

/// A number as the format "General" shows it where the column is wide: whole numbers in full up to 15 digits, ten
/// digits of a fraction, powers of ten beyond.
pub(super) fn general(value: f64) -> String {
    if !value.is_finite() {
        return "#NUM!".to_owned();
    }
    let decimal = Decimal::of(value);
    let sign = if value < 0.0 && !decimal.is_zero() { "-" } else { "" };
    let magnitude = decimal.magnitude();
    if !(-5..SIGNIFICANT_DIGITS as i32).contains(&magnitude) {
        let mantissa = decimal.shifted(-magnitude).rounded(9);
        let exponent_sign = if magnitude < 0 { '-' } else { '+' };
        return format!("{sign}{}E{exponent_sign}{:02}", plain(&mantissa), magnitude.abs());
    }
    // Ten significant digits, as far as some of them are decimals.
    let n_decimals = usize::try_from(9 - magnitude.max(-1)).unwrap_or(0);
    let rounded = if decimal.decimals().is_empty() { decimal } else { decimal.rounded(n_decimals) };
    format!("{sign}{}", plain(&rounded))
}

fn plain(decimal: &Decimal) -> String {
    let (mut text, decimals) = (decimal.whole(), decimal.decimals());
    if text.is_empty() {
        text.push('0');
    }
    if !decimals.is_empty() {
        text.push('.');
        text.push_str(&decimals);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(value: f64, n_decimals: usize) -> String {
        let rounded = Decimal::of(value).rounded(n_decimals);
        format!("{}|{}", rounded.whole(), rounded.decimals())
    }

    #[test]
    fn rounds_as_people_do() {
        assert_eq!(fixed(2.675, 2), "2|68");
        assert_eq!(fixed(999.999, 2), "1000|");
        assert_eq!(fixed(0.004, 2), "|");
        assert_eq!(fixed(0.005, 2), "|01");
        assert_eq!(fixed(0.0005, 3), "|001");
        assert_eq!(fixed(0.6, 0), "1|");
        assert_eq!(fixed(1_234.5, 0), "1235|");
        assert_eq!(fixed(-120.05, 1), "120|1");
    }

    #[test]
    fn general_shows_what_can_be_read() {
        for (value, shown) in [
            (0.0, "0"),
            (-0.0, "0"),
            (42.0, "42"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.3333333333"),
            (4_006_381_333_931.0, "4006381333931"),
            (1e15, "1E+15"),
            (1.5e-7, "1.5E-07"),
            (123_456.789, "123456.789"),
            (f64::NAN, "#NUM!"),
        ] {
            assert_eq!(general(value), shown);
        }
    }
}
