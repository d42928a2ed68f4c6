//! Units of measure and currencies, as headers of columns and number formats name them.
//!
//! Not for converting anything: a unit is kept as it is written.

/// What a unit may be made of, without its prefix of ten.
const BASES: [&str; 62] = [
    "m", "g", "s", "A", "K", "mol", "cd", "Hz", "N", "Pa", "J", "W", "V", "F", "Ω", "Ω", "Ohm", "ohm", "S", "Wb", "T",
    "H", "lm", "lx", "bar", "l", "L", "t", "min", "h", "d", "eV", "Nm", "VA", "var", "Wh", "Ah", "VAr", "Wp", "B",
    "bit", "Bq", "Sv", "Gy", "°C", "°F", "°", "C", "rpm", "U", "in", "inch", "ft", "yd", "lb", "lbf", "lbs", "oz",
    "psi", "gal", "mph", "kn",
];
const PREFIXES: [&str; 14] = ["", "k", "m", "µ", "μ", "u", "n", "p", "c", "d", "h", "M", "G", "T"];
/// Units that are not made of others.
const WHOLE: [&str; 34] = [
    "%", "‰", "ppm", "ppb", "dB", "dB(A)", "dBm", "pcs", "pc", "pcs.", "Stk", "Stk.", "Stück", "St.", "px", "pt",
    "mil", "mils", "AWG", "HRC", "HB", "HV", "min-1", "min⁻¹", "min^-1", "Btu", "hp", "PS", "g/mol", "pH", "cSt",
    "SLM", "sccm", "\"",
];
const CURRENCIES: [&str; 36] = [
    "EUR", "USD", "GBP", "CHF", "INR", "JPY", "CNY", "PLN", "CZK", "SEK", "NOK", "DKK", "HUF", "RON", "BGN", "TRY",
    "CAD", "AUD", "NZD", "MXN", "BRL", "ZAR", "KRW", "SGD", "HKD", "TWD", "THB", "IDR", "MYR", "AED", "SAR", "ILS",
    "UAH", "RUB", "T€", "k€",
];
/// Symbols that stand for one currency wherever they are used.
const SYMBOLS: [(&str, &str); 10] = [
    ("€", "EUR"),
    ("£", "GBP"),
    ("₹", "INR"),
    ("₽", "RUB"),
    ("₺", "TRY"),
    ("₩", "KRW"),
    ("₪", "ILS"),
    ("zł", "PLN"),
    ("Kč", "CZK"),
    ("Rs.", "INR"),
];

/// The code of a currency. What several countries use, like `$`, stays as it is, unless the language of the format
/// (Windows' code, hexadecimal) tells.
pub(crate) fn currency<'a>(symbol: &'a str, language: &str) -> &'a str {
    let symbol = symbol.trim();
    let by_country = match (symbol, language) {
        ("$", "409") => Some("USD"),
        ("$", "1009" | "C0C" | "c0c") => Some("CAD"),
        ("$", "C09" | "c09") => Some("AUD"),
        ("¥", "411") => Some("JPY"),
        ("¥" | "￥", "804") => Some("CNY"),
        _ => None,
    };
    let known = || SYMBOLS.iter().find(|(known, _)| *known == symbol).map(|(_, code)| *code);
    by_country.or_else(known).unwrap_or(symbol)
}

/// The unit or currency that a text is, as it is kept: currencies by their code.
pub(crate) fn known(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.len() > 24 {
        return None;
    }
    let symbol = currency(text, "");
    let is_currency = symbol != text || CURRENCIES.contains(&text) || matches!(text, "$" | "¥" | "US$");
    (is_currency || is_measure(text) || is_price(text)).then(|| symbol.to_owned())
}

/// `EUR/kg`, `$/piece`.
fn is_price(text: &str) -> bool {
    let Some((money, piece)) = text.split_once('/') else { return false };
    let is_money = CURRENCIES.contains(&money) || currency(money, "") != money || money == "$";
    is_money && (is_measure(piece) || piece.chars().all(char::is_alphabetic))
}

/// The unit that the header of a column names: `Torque (Nm)`, `Länge [mm]`, `Länge in mm`, `Länge / mm`, `Price EUR`.
pub(crate) fn in_header(header: &str) -> Option<String> {
    /// A longer text is none that names a column; looking for what closes each of its brackets would take for ever.
    const MAX_HEADER_BYTES: usize = 1_000;
    if header.len() > MAX_HEADER_BYTES {
        return None;
    }
    let header = header.split_whitespace().collect::<Vec<_>>().join(" ");
    for (open, close) in [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')] {
        let inside = header.match_indices(open).filter_map(|(at, _)| {
            let rest = &header[at + open.len_utf8()..];
            // The outer bracket of "dB(A)" too.
            [rest.split_once(close), rest.rsplit_once(close)].into_iter().flatten().find_map(|(inside, _)| {
                let inside = inside.trim();
                known(inside.strip_prefix("in ").unwrap_or(inside))
            })
        });
        if let Some(unit) = { inside }.next() {
            return Some(unit);
        }
    }
    let (name, last) = header.rsplit_once(' ')?;
    let introduced = ["in", "/", "en", "à"].iter().any(|word| name == *word || name.ends_with(&format!(" {word}")));
    if introduced {
        return known(last).filter(|_| name.len() > 2);
    }
    // Without a word before it only what is no word itself: "Torque min" is a bound and "Length in" unfinished.
    let is_word =
        matches!(last, "in" | "min" | "mil" | "mils" | "at" | "St." | "PS" | "hp" | "pt" | "var" | "bit" | "bar");
    known(last).filter(|_| !is_word && last.chars().count() > 1 && !last.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether a text is a unit of measure: factors with prefixes and powers, multiplied or divided.
fn is_measure(text: &str) -> bool {
    if WHOLE.contains(&text) || text == "1/min" || text == "U/min" {
        return true;
    }
    let mut n_named = 0;
    for factor in text.split(['/', '·', '*', '⋅', '×', ' ']) {
        match factor {
            "1" => {}
            _ if WHOLE.contains(&factor) || is_factor(factor) => n_named += 1,
            _ => return false,
        }
    }
    n_named > 0
}

/// A unit with its prefix and power: `mm²`, `kN`, `s^-1`.
fn is_factor(factor: &str) -> bool {
    let factor = factor.trim_matches(['(', ')']);
    let base = factor.trim_end_matches(['²', '³', '⁻', '¹', '2', '3', '1', '-', '^']);
    let is_base = |text: &str| BASES.contains(&text);
    !base.is_empty()
        && factor.len() - base.len() <= 6
        && PREFIXES.iter().any(|prefix| base.strip_prefix(prefix).is_some_and(is_base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_from_words() {
        for unit in
            ["mm", "Nm", "kg/m³", "°C", "%", "1/min", "m/s^2", "kWh", "EUR", "µm", "dB(A)", "N·m", "EUR/kg", "MPa"]
        {
            assert_eq!(known(unit).as_deref(), Some(unit));
        }
        for word in ["", "optional", "each", "x", "see note", "2", "-", "max", "kind", "1"] {
            assert_eq!(known(word), None, "{word}");
        }
        assert_eq!(known("€").as_deref(), Some("EUR"));
    }

    #[test]
    fn headers_name_units() {
        for (header, unit) in [
            ("Torque (Nm)", Some("Nm")),
            ("Länge [mm]", Some("mm")),
            ("Noise (dB(A))", Some("dB(A)")),
            ("Länge in mm", Some("mm")),
            ("Druck / bar", Some("bar")),
            ("Price EUR", Some("EUR")),
            ("Price (€)", Some("EUR")),
            ("Width\n(mm)", Some("mm")),
            ("Part (old) [kg]", Some("kg")),
            ("Torque min", None),
            ("Sign in", None),
            ("Part (see note)", None),
            ("Quantity", None),
            ("Model X", None),
        ] {
            assert_eq!(in_header(header).as_deref(), unit, "{header}");
        }
    }
}
