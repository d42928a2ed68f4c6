//! Numbers as people read them: sizes, counts, durations.

/// `1234567` as "1,234,567".
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size in bytes, decimal units as file managers show them: "812 B", "14 KB", "1.4 MB".
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in UNITS {
        value /= 1000.0;
        unit = next;
        // What would be rounded up to 1000 belongs to the next unit.
        if value < 999.5 {
            break;
        }
    }
    // No decimals from 10 on, and none for kilobytes, where they say nothing.
    if value < 9.95 && unit != "KB" { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A duration: "0.4 ms", "12 ms", "1.3 s".
pub(crate) fn duration(micros: u64) -> String {
    let millis = micros as f64 / 1000.0;
    if millis < 9.95 {
        format!("{:.1} ms", millis.max(0.1))
    } else if millis < 999.5 {
        format!("{millis:.0} ms")
    } else {
        format!("{:.1} s", millis / 1000.0)
    }
}

/// "1 page", "1,204 pages".
pub(crate) fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn numbers_read_well_at_their_edges() {
        let sizes = [0, 999, 1000, 14_499, 999_499, 999_500, 1_440_000, 48_000_000, 9_600_000_000].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1 KB", "14 KB", "999 KB", "1.0 MB", "1.4 MB", "48 MB", "9.6 GB"]);
        assert_eq!([0, 412, 12_400, 999_600, 1_340_000].map(duration), ["0.1 ms", "0.4 ms", "12 ms", "1.0 s", "1.3 s"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "page", "pages"), "1 page");
        assert_eq!(counted(0, "page", "pages"), "0 pages");
    }
}
