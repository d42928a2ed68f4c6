//! Bytes of tokens as text: a letter may be spread over several tokens. Not for what is said.

/// The bytes of a letter that is not whole yet.
#[derive(Debug, Default)]
pub(super) struct Letters(Vec<u8>);

impl Letters {
    /// Takes a token's bytes; the whole letters so far. What is no UTF-8 is shown as such.
    pub(super) fn take(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let mut text = String::new();
        let mut rest = self.0.as_slice();
        loop {
            match std::str::from_utf8(rest) {
                Ok(whole) => {
                    text.push_str(whole);
                    rest = &[];
                    break;
                }
                Err(error) => {
                    let (whole, after) = rest.split_at(error.valid_up_to());
                    // Checked just before.
                    text.push_str(&String::from_utf8_lossy(whole));
                    rest = after;
                    let Some(n_wrong) = error.error_len() else { break };
                    text.push(char::REPLACEMENT_CHARACTER);
                    rest = &rest[n_wrong..];
                }
            }
        }
        self.0 = rest.to_vec();
        text
    }

    /// What is left at the end: a letter that never became whole.
    pub(super) fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_whole() {
        for text in ["Öl – 20 °C", "ओपन", "🔧 plain"] {
            for size in 1..5 {
                let mut letters = Letters::default();
                let mut taken: String = text.as_bytes().chunks(size).map(|bytes| letters.take(bytes)).collect();
                assert!(!taken.contains(char::REPLACEMENT_CHARACTER), "{text} by {size}");
                taken.push_str(&letters.rest());
                assert_eq!(taken, text);
            }
        }
    }

    #[test]
    fn what_is_no_text_is_shown_as_such() {
        let mut letters = Letters::default();
        assert_eq!(letters.take(b"a\xffb\xc3"), "a\u{fffd}b");
        assert_eq!(letters.take(b"x"), "\u{fffd}x");
        assert_eq!(letters.take(b"\xe2\x82"), "");
        assert_eq!(letters.rest(), "\u{fffd}");
        assert_eq!(letters.rest(), "");
    }
}
