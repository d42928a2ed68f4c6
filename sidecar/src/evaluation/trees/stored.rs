//! Rows of workbooks by what is stored in their cells: numbers by their value, days without a time of zero.

/// A row in a form that is equal for equal values; each cell is given as `column: text`.
pub(super) fn row<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells = cells.map(|cell| match cell.split_once(": ") {
        Some((column, text)) => format!("{column}: {}", value(text)),
        None => cell.to_owned(),
    });
    cells.collect::<Vec<_>>().join(" | ")
}

/// A number without grouping, percent and currency signs; any other text as it stands.
fn value(text: &str) -> String {
    let text = text.trim();
    let day = text.strip_suffix(" 00:00:00").or_else(|| text.strip_suffix(":00")).filter(|text| text.len() >= 10);
    if let Some(day) = day {
        return day.to_owned();
    }
    let is_sign = |c: char| c.is_whitespace() || matches!(c, ',' | '%' | '$' | '€' | '£' | '¥');
    let digits: String = text.chars().filter(|c| !is_sign(*c)).collect();
    match digits.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            let number = if text.contains('%') { number / 100.0 } else { number };
            // Ten digits: what a program shows of a number that it was not told to round.
            format!("{number:.9e}")
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_equal_and_others_are_not() {
        let same = |a, b| assert_eq!(row([a].into_iter()), row([b].into_iter()), "{a}");
        same("0: 1,234.50", "0: 1234.5");
        same("1: 19 %", "1: 0.19");
        same("2: 2026-11-30", "2: 2026-11-30 00:00:00");
        for (a, b) in
            [("0: 12", "1: 12"), ("0: M12", "0: 12"), ("0: 12", "0: 1.2"), ("0: 19 %", "0: 19"), ("0: a", "0: b")]
        {
            assert_ne!(row([a].into_iter()), row([b].into_iter()), "{a}");
        }
    }
}
