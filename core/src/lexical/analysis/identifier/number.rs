//! Numbers and their units in one form, and the other forms in which a document may write them.

use crate::lexical::analysis::fold;

/// Units that are joined with the number before them, folded. Only such as cannot be mistaken for a word of a sentence.
const UNITS: [&str; 62] = [
    "a", "ah", "bar", "c", "cm", "cm2", "cm3", "db", "deg", "f", "ft", "g", "ghz", "h", "hp", "hz", "in", "j", "k",
    "kb", "kg", "khz", "kj", "km", "kn", "kpa", "kv", "kva", "kw", "kwh", "l", "lb", "lbs", "m", "m2", "m3", "ma",
    "mah", "mb", "mbar", "mhz", "min", "ml", "mm", "mm2", "mm3", "mpa", "ms", "mv", "n", "nm", "ohm", "pa", "pcs",
    "psi", "rpm", "s", "um", "v", "w", "wh", "°",
];

/// What money is called beside its amount, lower case.
const CURRENCIES: [&str; 14] =
    ["inr", "rs", "rs.", "usd", "eur", "gbp", "chf", "₹", "$", "€", "£", "¥", "euro", "rupees"];

/// Whether a word is a currency.
pub(crate) fn is_currency(word: &str) -> bool {
    word.len() <= 8 && CURRENCIES.contains(&word.to_lowercase().as_str())
}

/// A word as a unit, folded; `None` where it is none.
pub(super) fn unit(word: &str) -> Option<String> {
    let folded = fold(word);
    UNITS.binary_search(&folded.as_str()).is_ok().then_some(folded)
}

/// Digits with points or commas between them. `$130` is none: it is an identifier.
pub(super) fn is_number(run: &str) -> bool {
    run.starts_with(|c: char| c.is_ascii_digit())
        && run.ends_with(|c: char| c.is_ascii_digit())
        && run.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
}

/// Where the unit begins in `3,5mm`.
pub(super) fn number_with_unit(run: &str) -> Option<usize> {
    let split = run.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))?;
    (split > 0 && is_number(&run[..split]) && unit(&run[split..]).is_some()).then_some(split)
}

/// `3,5` → `3.5`, `1,234.56` → `1234.56`, `1.234,56` → `1234.56`, `12,345` → `12345`, `1,23,456` → `123456`: the last
/// separator is the decimal one, unless it repeats or exactly three digits follow a comma after one to three digits.
pub(super) fn normalise_number(number: &str) -> String {
    let Some(last) = number.rfind(['.', ',']) else { return number.to_owned() };
    let separator = number.as_bytes()[last];
    let n_same = number.bytes().filter(|b| *b == separator).count();
    let n_other = number.bytes().filter(|b| (*b == b'.' || *b == b',') && *b != separator).count();
    let digits_only = |text: &str| text.bytes().filter(u8::is_ascii_digit).map(char::from).collect::<String>();
    if n_other == 0 && n_same > 1 {
        // Thousands or lakhs ("1,234,567", "12,34,567"), else a version or clause number ("1.2.3") that stays as it is.
        let grouped = is_grouped(number, separator, 3) || separator == b',' && is_grouped(number, separator, 2);
        return if grouped { digits_only(number) } else { number.replace(',', ".") };
    }
    if n_other == 0 && separator == b',' && is_grouped(number, separator, 3) && !number.starts_with('0') {
        return digits_only(number);
    }
    format!("{}.{}", digits_only(&number[..last]), &number[last + 1..])
}

/// Whether a number's digits stand in groups: the last of three, those between of `n_digits`, the first of at most as
/// many (in India thousands are set off as everywhere, all above by twos).
fn is_grouped(number: &str, separator: u8, n_digits: usize) -> bool {
    let groups: Vec<usize> = number.split(char::from(separator)).map(str::len).collect();
    let [first, between @ .., last] = groups.as_slice() else { return false };
    (1..=n_digits).contains(first) && between.iter().all(|n| *n == n_digits) && *last == 3
}

/// Other ways to write the same number, normalised: with or without the zeros after the point.
pub(super) fn same_number(normal: &str) -> Vec<String> {
    match normal.split_once('.') {
        None => vec![format!("{normal}.0"), format!("{normal}.00")],
        Some((_, decimals)) if decimals.contains('.') => Vec::new(),
        Some((whole, decimals)) => {
            let short = decimals.trim_end_matches('0');
            let lengths = [short.len(), 1, 2, 3].into_iter().filter(|n| *n >= short.len() && *n != decimals.len());
            let mut writings: Vec<String> =
                lengths.map(|n| if n == 0 { whole.to_owned() } else { format!("{whole}.{short:0<n$}") }).collect();
            writings.dedup();
            writings
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_sorted_for_binary_search() {
        assert!(UNITS.is_sorted());
    }

    #[test]
    fn groups_of_digits_are_one_number() {
        for (written, normal) in [
            ("1,234.56", "1234.56"),
            ("1.234,56", "1234.56"),
            ("12,345", "12345"),
            ("1,234,567", "1234567"),
            ("1,23,456", "123456"),
            ("12,34,567.50", "1234567.50"),
            ("1.2.3", "1.2.3"),
            ("1,2,3", "1.2.3"),
            ("0,125", "0.125"),
        ] {
            assert_eq!(normalise_number(written), normal, "{written}");
        }
    }

    #[test]
    fn zeros_after_the_point_are_a_matter_of_writing() {
        assert_eq!(same_number("1200"), ["1200.0", "1200.00"]);
        assert_eq!(same_number("1200.00"), ["1200", "1200.0", "1200.000"]);
        assert_eq!(same_number("3.5"), ["3.50", "3.500"]);
        assert_eq!(same_number("1.10.2"), [""; 0]);
    }
}
