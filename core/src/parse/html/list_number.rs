//! Numbers of list items as browsers print them.

/// An item's number in its list's style (`1`, `a`, `A`, `i`, `I`), with the full stop; figures where the style ends.
pub(super) fn printed_number(number: i64, style: u8) -> String {
    let letters = |first: u8| match u8::try_from(number) {
        Ok(number @ 1..=26) => Some(char::from(first + number - 1).to_string()),
        _ => None,
    };
    let printed = match style {
        b'a' => letters(b'a'),
        b'A' => letters(b'A'),
        b'i' => roman(number),
        b'I' => roman(number).map(|roman| roman.to_uppercase()),
        _ => None,
    };
    format!("{}.", printed.unwrap_or_else(|| number.to_string()))
}

fn roman(number: i64) -> Option<String> {
    const DIGITS: [(i64, &str); 7] = [(50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")];
    if !(1..=89).contains(&number) {
        return None;
    }
    let (mut rest, mut roman) = (number, String::new());
    for (value, digit) in DIGITS {
        while rest >= value {
            rest -= value;
            roman.push_str(digit);
        }
    }
    Some(roman)
}

#[cfg(test)]
mod tests {
    use super::printed_number;

    #[test]
    fn styles() {
        let printed = |number| [b'1', b'a', b'A', b'i', b'I'].map(|style| printed_number(number, style));
        assert_eq!(printed(4), ["4.", "d.", "D.", "iv.", "IV."]);
        assert_eq!(printed(0), ["0.", "0.", "0.", "0.", "0."]);
        assert_eq!(printed_number(89, b'i'), "lxxxix.");
    }
}
