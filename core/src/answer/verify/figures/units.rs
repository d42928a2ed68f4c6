//! One spelling of a unit.

use crate::parse::unit;

/// Units in words and other spellings, lower case, and as they are kept.
const SPELLINGS: [(&[&str], &str); 44] = [
    (&["mm", "millimetre", "millimetres", "millimeter", "millimeters", "millimètres"], "mm"),
    (&["cm", "centimetre", "centimetres", "centimeter", "centimeters"], "cm"),
    (&["metre", "metres", "meter", "meters", "mètres"], "m"),
    (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], "km"),
    (&["µm", "μm", "um", "micron", "microns", "micrometre", "micrometres", "micrometer", "micrometers"], "µm"),
    (&["inch", "inches", "\"", "″", "zoll"], "in"),
    (&["ft", "foot", "feet"], "ft"),
    (&["kg", "kilogram", "kilograms", "kilo", "kilos", "kilogramm"], "kg"),
    (&["gram", "grams", "gramm"], "g"),
    (&["tonne", "tonnes", "tons", "tonnen"], "t"),
    (&["lb", "lbs", "pound", "pounds"], "lb"),
    (
        &[
            "nm",
            "n·m",
            "n⋅m",
            "n m",
            "n.m",
            "newton metre",
            "newton metres",
            "newton meter",
            "newton meters",
            "newtonmeter",
            "newton-metres",
            "newton-meters",
        ],
        "Nm",
    ),
    (&["newton", "newtons"], "N"),
    (&["kn", "kilonewton", "kilonewtons"], "kN"),
    (&["bar", "bars"], "bar"),
    (&["mbar", "millibar", "millibars"], "mbar"),
    (&["kpa", "kilopascal", "kilopascals"], "kPa"),
    (&["pascal", "pascals"], "Pa"),
    (&["megapascal", "megapascals"], "MPa"),
    (&["psi"], "psi"),
    (
        &[
            "°c",
            "° c",
            "degc",
            "deg c",
            "degree celsius",
            "degrees celsius",
            "degrees c",
            "celsius",
            "grad celsius",
            "degrés celsius",
        ],
        "°C",
    ),
    (&["°f", "° f", "degf", "deg f", "degree fahrenheit", "degrees fahrenheit", "degrees f", "fahrenheit"], "°F"),
    (&["°", "degree", "degrees", "grad", "deg"], "°"),
    (&["%", "percent", "per cent", "pct", "prozent", "pour cent", "por ciento"], "%"),
    (&["volt", "volts"], "V"),
    (&["kv", "kilovolt", "kilovolts"], "kV"),
    (&["amp", "amps", "ampere", "amperes"], "A"),
    (&["ma", "milliamp", "milliamps", "milliampere", "milliamperes"], "mA"),
    (&["watt", "watts"], "W"),
    (&["kw", "kilowatt", "kilowatts"], "kW"),
    (&["kwh", "kilowatt hours", "kilowatt-hours"], "kWh"),
    (&["hz", "hertz"], "Hz"),
    (&["rpm", "r/min", "1/min", "min-1", "min⁻¹", "u/min", "revolutions per"], "rpm"),
    (&["sec", "secs", "second", "seconds", "sekunde", "sekunden", "secondes", "segundos"], "s"),
    (&["min", "mins", "minute", "minutes", "minuten", "minutos"], "min"),
    (&["hr", "hrs", "hour", "hours", "stunde", "stunden", "std", "heures", "horas"], "h"),
    (&["day", "days", "tag", "tage", "tagen", "jours", "días"], "d"),
    (&["litre", "litres", "liter", "liters"], "l"),
    (&["ml", "millilitre", "millilitres", "milliliter", "milliliters"], "ml"),
    (&["eur", "€", "euro", "euros"], "EUR"),
    (&["usd", "$", "us$", "dollar", "dollars"], "USD"),
    (&["inr", "₹", "rs", "rs.", "rupee", "rupees"], "INR"),
    (&["gbp", "£"], "GBP"),
    (&["pcs", "pc", "piece", "pieces", "stück", "stk"], "pcs"),
];

/// Abbreviations of one letter and such as are words too: only as they are.
const AS_THEY_ARE: [&str; 26] = [
    "m", "g", "t", "N", "V", "A", "W", "s", "h", "d", "l", "L", "K", "Pa", "MPa", "mV", "MW", "mW", "in", "J", "kJ",
    "F", "Ω", "ohm", "dB", "m/s",
];

/// The one spelling of a unit; `None` of what is none.
pub(super) fn canonical(text: &str) -> Option<String> {
    if text.is_empty() || text.len() > 24 {
        return None;
    }
    if AS_THEY_ARE.contains(&text) {
        return Some(if text == "L" { "l".to_owned() } else { text.to_owned() });
    }
    let lower = text.to_lowercase();
    let spelled = SPELLINGS.iter().find(|(spellings, _)| spellings.contains(&lower.as_str()));
    if let Some((_, kept)) = spelled {
        return Some((*kept).to_owned());
    }
    let has_mark = text.contains(['/', '²', '³', '·', '^', '°', 'Ω', 'µ']);
    (has_mark || text.len() > 1 && text.chars().any(char::is_uppercase)).then(|| unit::known(text)).flatten()
}
