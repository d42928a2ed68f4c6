//! Numbers of list items as browsers print them.

use crate::parse::numerals;

/// An item's number in its list's style (`1`, `a`, `A`, `i`, `I`), with the full stop; figures where the style ends: after
/// the last letter, and after 89 in Roman figures.
pub(super) fn printed_number(number: i64, style: u8) -> String {
    let up_to = |last: u32| u32::try_from(number).ok().filter(|number| (1..=last).contains(number));
    let printed = match style {
        b'a' => up_to(26).map(numerals::letters),
        b'A' => up_to(26).map(|number| numerals::letters(number).to_uppercase()),
        b'i' => up_to(89).map(numerals::roman),
        b'I' => up_to(89).map(|number| numerals::roman(number).to_uppercase()),
        _ => None,
    };
    format!("{}.", printed.unwrap_or_else(|| number.to_string()))
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
        assert_eq!(
            [printed_number(90, b'i'), printed_number(27, b'a'), printed_number(-1, b'A')],
            ["90.", "27.", "-1."]
        );
    }
}
