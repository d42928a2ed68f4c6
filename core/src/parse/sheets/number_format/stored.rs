//! Whether what is shown of a number still says the number.

/// Beyond this many digits before the point nobody reads a number.
const MAX_PLAIN: f64 = 1e15;

/// The stored number, where the text that shows it says another one: rounded, scaled, in words, or not at all.
/// Grouping, percent and currency signs say the same number.
pub(in super::super) fn stored(shown: &str, value: f64) -> Option<String> {
    let is_said = |point| said(shown, point).is_some_and(|said| close(said, value));
    if !value.is_finite() || is_said('.') || is_said(',') {
        return None;
    }
    Some(if value.abs() < MAX_PLAIN { format!("{value}") } else { format!("{value:e}") })
}

/// The number that a text says with this decimal sign.
fn said(shown: &str, point: char) -> Option<f64> {
    let group = if point == '.' { ',' } else { '.' };
    let sign = |c: char| c.is_whitespace() || c == group || matches!(c, '%' | '$' | '€' | '£' | '¥' | '₹' | '+');
    let digits = shown.chars().filter(|c| !sign(*c)).map(|c| if c == point { '.' } else { c }).collect::<String>();
    let number = digits.parse::<f64>().ok()?;
    Some(if shown.contains('%') { number / 100.0 } else { number })
}

/// Equal to as many digits as a program shows of a number that it was not told to round.
fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= a.abs().max(b.abs()) * 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_in_other_words_is_kept() {
        for (shown, value) in [
            ("1,234.50", 1234.5),
            ("1.234,50 €", 1234.5),
            ("19 %", 0.19),
            ("€ 5.00", 5.0),
            ("0.333333333", 1.0 / 3.0),
            ("0", 0.0),
        ] {
            assert_eq!(stored(shown, value), None, "{shown}");
        }
        for (shown, value, kept) in [
            ("1.2 k", 1234.5, "1234.5"),
            ("2.72", 2.7189, "2.7189"),
            ("1.07", 7.0, "7"),
            ("ok", 1.0, "1"),
            ("", 2.0, "2"),
            ("12%", 0.1234, "0.1234"),
        ] {
            assert_eq!(stored(shown, value).as_deref(), Some(kept), "{shown}");
        }
    }
}
