//! Numbers written by the digits of a format.

use super::{Token, decimal::Decimal};

/// Decimals and leading zeros beyond this are not shown: a format cannot ask for more.
const MAX_PLACES: usize = 64;

/// A number by the tokens of its section. `signed`: a minus sign is still to be shown.
pub(super) fn write(tokens: &[Token], value: f64, signed: bool) -> String {
    if tokens.iter().any(|token| matches!(token, Token::Slash))
        && let Some(fraction) = fraction(tokens, value, signed)
    {
        return fraction;
    }
    let mut number = Decimal::of(value);
    let n_percent = tokens.iter().filter(|token| matches!(token, Token::Percent)).count();
    number = number.shifted(2 * n_percent.min(8) as i32);
    let exponent_at = tokens.iter().position(|token| matches!(token, Token::Exponent(_)));
    let mantissa = &tokens[..exponent_at.unwrap_or(tokens.len())];
    let point_at = mantissa.iter().position(|token| matches!(token, Token::Point)).unwrap_or(mantissa.len());
    let (whole, decimals) = mantissa.split_at(point_at);
    number = number.shifted(-3 * n_scaling(mantissa, point_at) as i32);
    let n_decimals = n_digits(decimals).min(MAX_PLACES);
    let mut exponent = 0;
    if exponent_at.is_some() && !number.is_zero() {
        // `##0.0E+0` steps by three.
        let step = n_digits(whole).max(1) as i32;
        let exponent_of = |number: &Decimal| number.magnitude().div_euclid(step) * step;
        exponent = exponent_of(&number);
        let rounded = number.clone().shifted(-exponent).rounded(n_decimals);
        // 9.99 may become 10 and with it another power.
        exponent += exponent_of(&rounded);
    }
    number = number.shifted(-exponent).rounded(n_decimals);
    let mut text = String::new();
    if n_digits(whole) == 0 && n_decimals > 0 {
        text.push_str(&number.whole());
    }
    write_whole(&mut text, whole, &number.whole());
    write_decimals(&mut text, decimals, &number.decimals());
    if let Some(at) = exponent_at {
        let plus = matches!(tokens[at], Token::Exponent(true));
        text.push('E');
        text.push_str(match (exponent < 0, plus) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        });
        write_whole(&mut text, &tokens[at + 1..], &exponent.abs().to_string());
    }
    // Blanks at the ends only keep room for signs and brackets of other numbers.
    let sign = if signed && value < 0.0 && !number.is_zero() { "-" } else { "" };
    format!("{sign}{}", text.trim())
}

fn n_digits(tokens: &[Token]) -> usize {
    tokens.iter().filter(|token| matches!(token, Token::Digit(_))).count()
}

/// Commas right after the last digit before the point, or after the last of all: each divides by a thousand.
fn n_scaling(tokens: &[Token], point_at: usize) -> usize {
    let after_last = |tokens: &[Token]| {
        let last = tokens.iter().rposition(|token| matches!(token, Token::Digit(_)));
        let rest = last.map_or(&[][..], |last| &tokens[last + 1..]);
        rest.iter().take_while(|token| matches!(token, Token::Comma)).count()
    };
    let (whole, decimals) = tokens.split_at(point_at);
    (after_last(whole) + after_last(decimals)).min(16)
}

/// The digits before the point go to their places from the right; what is left stands before the first.
fn write_whole(text: &mut String, tokens: &[Token], digits: &str) {
    let last = tokens.iter().rposition(|token| matches!(token, Token::Digit(_)));
    let grouped = last.is_some_and(|last| {
        let first = tokens.iter().position(|token| matches!(token, Token::Digit(_))).unwrap_or(last);
        tokens[first..last].contains(&Token::Comma)
    });
    let n_places = n_digits(tokens);
    let bytes = digits.as_bytes();
    let place = |text: &mut String, digit: u8, n_right: usize| {
        text.push(char::from(digit));
        if grouped && n_right > 0 && n_right.is_multiple_of(3) {
            text.push(',');
        }
    };
    let mut n_right = n_places;
    for token in tokens {
        match token {
            Token::Digit(kind) => {
                if n_right == n_places {
                    for (at, digit) in bytes.iter().enumerate().take(bytes.len().saturating_sub(n_places)) {
                        place(text, *digit, bytes.len() - at - 1);
                    }
                }
                n_right -= 1;
                match bytes.len().checked_sub(n_right + 1).and_then(|at| bytes.get(at)) {
                    Some(digit) => place(text, *digit, n_right),
                    None if *kind == '0' => place(text, b'0', n_right),
                    None => {}
                }
            }
            Token::Literal(literal) => text.push_str(literal),
            Token::Percent => text.push('%'),
            Token::Slash => text.push('/'),
            _ => {}
        }
    }
}

fn write_decimals(text: &mut String, tokens: &[Token], decimals: &str) {
    let places = tokens.iter().filter_map(|token| match token {
        Token::Digit(kind) => Some(*kind),
        _ => None,
    });
    let digits = decimals.chars().map(Some).chain(std::iter::repeat(None));
    let all: Vec<(char, Option<char>)> = places.zip(digits).collect();
    let n_shown = all.iter().rposition(|(kind, digit)| *kind == '0' || digit.is_some()).map_or(0, |last| last + 1);
    let mut at_place = 0;
    for token in tokens {
        match token {
            Token::Point if n_shown > 0 => text.push('.'),
            Token::Digit(_) => {
                if at_place < n_shown {
                    text.push(all[at_place].1.unwrap_or('0'));
                }
                at_place += 1;
            }
            Token::Literal(literal) => text.push_str(literal),
            Token::Percent => text.push('%'),
            Token::Slash => text.push('/'),
            _ => {}
        }
    }
}

/// `# ?/?`: a whole number and a fraction whose denominator has so many digits, or is given.
fn fraction(tokens: &[Token], value: f64, signed: bool) -> Option<String> {
    let slash = tokens.iter().position(|token| matches!(token, Token::Slash))?;
    let after = &tokens[slash + 1..];
    let given: String = after
        .iter()
        .filter_map(|token| match token {
            Token::Literal(literal) => Some(literal.trim()),
            _ => None,
        })
        .collect();
    let n_places = n_digits(after);
    if value.abs() >= 1e15 || (n_places == 0 && given.parse::<u32>().is_err()) {
        return None;
    }
    // A whole part where a blank parts two groups of digits.
    let mixed =
        tokens[..slash].iter().any(|token| matches!(token, Token::Literal(literal) if literal.trim().is_empty()));
    let magnitude = value.abs();
    let mut whole = if mixed { magnitude.floor() } else { 0.0 };
    let rest = magnitude - whole;
    let (mut numerator, denominator) = match given.parse::<u32>() {
        Ok(denominator) if n_places == 0 && denominator > 0 => {
            ((rest * f64::from(denominator)).round(), f64::from(denominator))
        }
        _ => nearest(rest, [9.0, 99.0, 999.0][n_places.clamp(1, 3) - 1]),
    };
    if mixed && numerator >= denominator {
        whole += 1.0;
        numerator = 0.0;
    }
    let sign = if signed && value < 0.0 { "-" } else { "" };
    Some(match (numerator == 0.0, whole == 0.0) {
        (true, _) => format!("{sign}{whole:.0}"),
        (false, true) => format!("{sign}{numerator:.0}/{denominator:.0}"),
        (false, false) => format!("{sign}{whole:.0} {numerator:.0}/{denominator:.0}"),
    })
}

/// The fraction nearest to a number with a denominator up to a bound; of equally near ones that with the smallest.
fn nearest(value: f64, largest: f64) -> (f64, f64) {
    let mut best = (value.round(), 1.0);
    let mut denominator = 2.0;
    while denominator <= largest {
        let numerator = (value * denominator).round();
        if (value - numerator / denominator).abs() + 1e-12 < (value - best.0 / best.1).abs() {
            best = (numerator, denominator);
        }
        denominator += 1.0;
    }
    best
}
