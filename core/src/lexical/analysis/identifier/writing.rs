//! The same code in other writings: `SKU-48291`, `SKU 48291`, `sku48291`, `SKU–48291`.

/// A code longer than this is none that a person would write in another way.
const MAX_COMPACT_BYTES: usize = 32;

/// Whether a text is a single dash that is no plain hyphen: it parts ranges ("5–10 mm") and joins codes ("SKU–48291").
pub(super) fn is_dash(text: &str) -> bool {
    matches!(text, "\u{2012}" | "\u{2013}" | "\u{2014}" | "\u{2015}" | "\u{2212}")
}

/// Hyphens that are one for every reader.
pub(super) fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

/// Whether a text has letters and figures.
pub(super) fn is_mixed(text: &str) -> bool {
    text.contains(char::is_alphabetic) && text.contains(|c: char| c.is_ascii_digit())
}

/// A code without what parts it, folded to lower case: `TF/2026-27/001` → `tf202627001`. `None` of what is no code, or is
/// written so already. O(n).
pub(super) fn compact(code: &str) -> Option<String> {
    let parts =
        |c: char| is_hyphen(c) || matches!(c, '/' | '.' | '_' | ' ' | '\u{a0}') || is_dash(c.encode_utf8(&mut [0; 4]));
    if code.len() > 2 * MAX_COMPACT_BYTES || !code.contains(parts) || !is_mixed(code) {
        return None;
    }
    let mut compact = String::with_capacity(code.len());
    for c in code.chars().filter(|c| !parts(*c)) {
        if !c.is_alphanumeric() {
            return None;
        }
        compact.extend(c.to_lowercase());
    }
    (compact.len() <= MAX_COMPACT_BYTES).then_some(compact)
}

/// The letters and the figures of a code that is nothing but the ones and then the others, whatever parts them.
pub(super) fn word_and_number(code: &str) -> Option<(&str, &str)> {
    let digits = code.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (word, number) = code.split_at(code.len() - digits);
    let word = word.strip_suffix(['-', '/', '.', '_', ' ']).unwrap_or(word);
    (!word.is_empty() && !number.is_empty() && word.chars().all(char::is_alphabetic)).then_some((word, number))
}

/// Whether a word is set as the beginning of a code is: a few capitals.
pub(super) fn is_code_word(word: &str) -> bool {
    (2..=5).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_parts_a_code_is_left_out() {
        for (code, expected) in [
            ("TF/2026-27/001", Some("tf202627001")),
            ("SKU\u{2011}48291", Some("sku48291")),
            ("SKU\u{2013}48291", Some("sku48291")),
            ("SKU 48291", Some("sku48291")),
            ("sku48291", None),
            ("2026-27", None),
            ("a-b", None),
            ("error:9-1", None),
        ] {
            assert_eq!(compact(code).as_deref(), expected, "{code}");
        }
    }

    #[test]
    fn letters_and_figures_are_taken_apart() {
        assert_eq!(word_and_number("sku-48291"), Some(("sku", "48291")));
        assert_eq!(word_and_number("g28"), Some(("g", "28")));
        assert_eq!(word_and_number("m6x20"), None);
        assert_eq!(word_and_number("48291"), None);
    }
}
