//! Units of the values in a table, from their columns' names and from themselves.

use super::{Cell, text::is_figure};

/// Gives the values of each column the unit that its name tells, and those that have one of their own that.
pub(super) fn give_units(rows: &mut [Vec<Cell>], n_header_rows: usize) {
    let n_columns = rows.iter().flatten().map(Cell::end).max().unwrap_or(0);
    let mut units: Vec<Option<String>> = vec![None; n_columns];
    // The lowest name that tells one counts.
    for cell in rows.iter().take(n_header_rows).flatten() {
        if let Some(unit) = unit_of_name(&cell.text) {
            units[cell.column..cell.end()].fill(Some(unit));
        }
    }
    for cell in rows.iter_mut().skip(n_header_rows).flatten().filter(|cell| is_figure(&cell.text)) {
        cell.unit = unit_of_value(&cell.text).or_else(|| units.get(cell.column).cloned().flatten());
    }
}

/// "Torque (Nm)", "Torque [Nm]", "Price in EUR", "Torque / Nm", "Share, %".
fn unit_of_name(name: &str) -> Option<String> {
    let name = name.trim();
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some(from) = name.rfind(open)
            && let Some(inner) = name.get(from + 1..)
            && let Some(to) = inner.find(close)
        {
            let unit = inner[..to].trim();
            let unit = unit.strip_prefix("in ").unwrap_or(unit);
            if is_unit(unit) {
                return Some(unit.to_owned());
            }
        }
    }
    for between in [" in ", " / ", ", ", " en "] {
        if let Some((before, unit)) = name.rsplit_once(between)
            && !before.is_empty()
            && is_unit(unit.trim())
        {
            return Some(unit.trim().to_owned());
        }
    }
    let last = name.split_whitespace().next_back()?;
    (is_unit(last) && (last == name || matches!(last, "%" | "‰" | "°C" | "€" | "$"))).then(|| last.to_owned())
}

/// "10 Nm", "5.5kW", "12 %", "€ 3".
fn unit_of_value(value: &str) -> Option<String> {
    let value = value.trim();
    let is_number = |c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | ' ' | '\u{A0}' | '\u{202F}' | '+' | '-' | '−' | '–' | '±')
    };
    let after = value.trim_start_matches(is_number).trim();
    let before = value.trim_end_matches(is_number).trim();
    [after, before].into_iter().find(|part| *part != value && is_unit(part)).map(str::to_owned)
}

/// Units as they stand in tables of machines, data sheets and invoices; prefixes and quotients of them.
fn is_unit(text: &str) -> bool {
    const WHOLE: &[&str] = &[
        "%",
        "‰",
        "ppm",
        "ppb",
        "°",
        "°C",
        "°F",
        "K",
        "€",
        "$",
        "£",
        "¥",
        "EUR",
        "USD",
        "GBP",
        "CHF",
        "INR",
        "Rs",
        "₹",
        "JPY",
        "CNY",
        "PLN",
        "pcs",
        "pc",
        "Stk",
        "Stück",
        "St",
        "Stk.",
        "ea",
        "units",
        "pieces",
        "rpm",
        "U/min",
        "1/min",
        "min⁻¹",
        "in",
        "inch",
        "inches",
        "ft",
        "yd",
        "mi",
        "lb",
        "lbs",
        "oz",
        "psi",
        "bar",
        "mbar",
        "gal",
        "hp",
        "PS",
        "kn",
        "kg/m³",
        "dB",
        "dBA",
        "dB(A)",
        "AWG",
        "h",
        "hrs",
        "hours",
        "min",
        "s",
        "sec",
        "ms",
        "µs",
        "μs",
        "ns",
        "d",
        "days",
        "Tage",
        "weeks",
        "months",
        "years",
        "a",
        "mm²",
        "cm²",
        "m²",
        "km²",
        "ha",
        "mm2",
        "m2",
        "cm³",
        "m³",
        "mm³",
        "m3",
        "l",
        "L",
        "ml",
        "cl",
        "kWh",
        "Wh",
        "MWh",
        "VA",
        "kVA",
        "Ah",
        "mAh",
        "Nm",
        "N·m",
        "kNm",
        "Ncm",
        "lb-ft",
        "lbf·ft",
        "m",
        "g",
        "t",
        "N",
        "J",
        "W",
        "V",
        "A",
        "Ω",
        "ohm",
        "Hz",
        "F",
        "H",
        "Pa",
        "C",
        "lx",
        "lm",
        "cd",
        "mol",
        "bit",
        "bits",
        "byte",
        "bytes",
        "B",
        "KB",
        "MB",
        "GB",
        "TB",
        "Mbit/s",
        "baud",
        "thousands",
        "millions",
        "m",
        "mm",
        "hundreds",
        "tonnes",
        "tons",
        "mn",
        "bn",
        "EURbn",
        "€m",
        "€bn",
        "Mio. €",
        "Mio. EUR",
        "TEUR",
        "T€",
        "k€",
        "EUR million",
        "million EUR",
        "EUR bn",
        "US$",
        "L/min",
        "l/min",
        "l/h",
    ];
    const PREFIXES: [char; 10] = ['p', 'n', 'µ', 'μ', 'm', 'c', 'd', 'k', 'M', 'G'];
    const BASES: &[&str] = &[
        "m", "g", "N", "J", "W", "V", "A", "Ω", "Hz", "F", "H", "Pa", "C", "l", "L", "bar", "mol", "bit/s", "s", "eV",
        "S", "T",
    ];
    if text.is_empty() || text.chars().count() > 14 {
        return false;
    }
    let single = |part: &str| {
        let based = || {
            let mut characters = part.chars();
            let prefix = characters.next();
            prefix.is_some_and(|prefix| PREFIXES.contains(&prefix)) && BASES.contains(&characters.as_str())
        };
        WHOLE.contains(&part) || BASES.contains(&part) || based()
    };
    let without_power = |part: &str| part.trim_end_matches(['²', '³', '2', '3']).to_owned();
    let part =
        |part: &str| single(part) || !without_power(part).is_empty() && single(&without_power(part)) || part == "1";
    single(text)
        || text.contains('/') && text.split('/').all(|of| !of.is_empty() && part(of))
        || part(text) && text != "1"
        || text.contains('·') && text.split('·').all(|of| !of.is_empty() && part(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_names_and_values() {
        for (name, unit) in [
            ("Torque (Nm)", "Nm"),
            ("Length [mm]", "mm"),
            ("Price in EUR", "EUR"),
            ("Torque / Nm", "Nm"),
            ("Feed (mm/min)", "mm/min"),
            ("Share %", "%"),
            ("Density (kg/m³)", "kg/m³"),
            ("Pressure (in bar)", "bar"),
        ] {
            assert_eq!(unit_of_name(name).as_deref(), Some(unit), "{name}");
        }
        for name in ["Name (optional)", "Remarks", "Value (see page 3)", "Time in use", "Class A", "Code"] {
            assert_eq!(unit_of_name(name), None, "{name}");
        }
        for (value, unit) in
            [("10 Nm", Some("Nm")), ("5.5kW", Some("kW")), ("€ 3.50", Some("€")), ("12", None), ("M6", None)]
        {
            assert_eq!(unit_of_value(value).as_deref(), unit, "{value}");
        }
    }
}
