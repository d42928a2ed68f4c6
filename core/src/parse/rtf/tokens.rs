//! The bytes of RTF as control words, groups and letters.

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'b> {
    /// `{`.
    Open,
    /// `}`.
    Close,
    /// `\b0` is "b" with 0.
    Word(&'b str, Option<i32>),
    /// `\~`, `\*`, `\-`.
    Symbol(u8),
    /// `\'e4` and bytes beyond ASCII: a letter, or half of one, in the font's encoding.
    Byte(u8),
    /// Letters as they stand.
    Text(&'b str),
}

/// Reads tokens; ends at the end of the bytes.
pub(super) struct Tokens<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Tokens<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn next(&mut self) -> Option<Token<'b>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'{' => return Some(Token::Open),
                b'}' => return Some(Token::Close),
                b'\\' => return self.control(),
                b'\r' | b'\n' | 0 => {}
                0x80.. => return Some(Token::Byte(byte)),
                _ => return Some(self.text()),
            }
        }
    }

    fn text(&mut self) -> Token<'b> {
        let start = self.at - 1;
        let plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
        self.at += self.bytes[self.at..].iter().take_while(|byte| plain(byte)).count();
        Token::Text(std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default())
    }

    fn control(&mut self) -> Option<Token<'b>> {
        let rest = self.bytes.get(self.at..)?;
        let n_letters = rest.iter().take(32).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if n_letters == 0 {
            let symbol = *rest.first()?;
            self.at += 1;
            return Some(match symbol {
                b'\'' => {
                    let digits = rest.get(1..3).and_then(|digits| std::str::from_utf8(digits).ok());
                    match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                        Some(byte) => {
                            self.at += 2;
                            Token::Byte(byte)
                        }
                        None => Token::Symbol(b'\''),
                    }
                }
                // A line's end that is escaped ends a paragraph.
                b'\r' | b'\n' => Token::Word("par", None),
                symbol => Token::Symbol(symbol),
            });
        }
        let (word, mut after) = rest.split_at(n_letters);
        let word = std::str::from_utf8(word).unwrap_or_default();
        let is_negative = after.first() == Some(&b'-') && after.get(1).is_some_and(u8::is_ascii_digit);
        after = &after[usize::from(is_negative)..];
        let n_digits = after.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        let digits = std::str::from_utf8(&after[..n_digits]).unwrap_or_default();
        let number = digits.parse::<i64>().ok().map(|n| if is_negative { -n } else { n });
        let number = number.map(|n| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX }));
        after = &after[n_digits..];
        // One blank belongs to the word.
        after = &after[usize::from(after.first() == Some(&b' '))..];
        self.at = self.bytes.len() - after.len();
        if word == "bin" {
            let n_bytes = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
            self.at = self.at.saturating_add(n_bytes).min(self.bytes.len());
        }
        Some(Token::Word(word, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_letters() {
        let mut tokens = Tokens::new(b"{\\b0 on\\u-10?\\'e4\\~\\bin3 \\}{x}\\");
        let mut all = Vec::new();
        while let Some(token) = tokens.next() {
            all.push(token);
        }
        let expected = [
            Token::Open,
            Token::Word("b", Some(0)),
            Token::Text("on"),
            Token::Word("u", Some(-10)),
            Token::Text("?"),
            Token::Byte(0xe4),
            Token::Symbol(b'~'),
            Token::Word("bin", Some(3)),
            Token::Close,
        ];
        // Three bytes that look like markup are none, and a sign that nothing follows is nothing.
        assert_eq!(all, [&expected[..8], &[Token::Text("x"), Token::Close]].concat());
    }
}
