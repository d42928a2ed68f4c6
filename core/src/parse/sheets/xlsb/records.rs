//! The records of an XLSB part: a type and a length of one to four bytes of seven bits, then the content.

use crate::parse::sheets::bytes::{Fields, utf16};

/// The records of a part; ends where one is cut off.
pub(super) struct Records<'p> {
    rest: &'p [u8],
    n_bytes: usize,
}

impl<'p> Records<'p> {
    pub(super) fn new(part: &'p [u8]) -> Self {
        Self { rest: part, n_bytes: part.len() }
    }

    /// How many bytes have been read.
    pub(super) fn position(&self) -> usize {
        self.n_bytes - self.rest.len()
    }

    /// A number whose bytes but the last have their upper bit set.
    fn number(&mut self, max_bytes: u32) -> Option<u32> {
        let mut number = 0;
        for at in 0..max_bytes {
            let (byte, rest) = self.rest.split_first()?;
            self.rest = rest;
            number |= u32::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

impl<'p> Iterator for Records<'p> {
    type Item = (u32, &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let kind = self.number(2)?;
        let length = self.number(4)? as usize;
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some((kind, bytes))
    }
}

/// A text: its length in letters of two bytes, then these.
pub(super) fn text(fields: &mut Fields<'_>) -> Option<String> {
    let length = fields.u32()?;
    if length == u32::MAX {
        return Some(String::new());
    }
    Some(utf16(fields.take((length as usize).checked_mul(2)?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_long_types_and_lengths() {
        let mut part = vec![0x01, 0x02, 7, 8, 0xe9, 0x04, 0x80, 0x01];
        part.extend([9; 128]);
        part.extend([5, 100]);
        let records: Vec<(u32, usize)> = Records::new(&part).map(|(kind, bytes)| (kind, bytes.len())).collect();
        assert_eq!(records, [(1, 2), (617, 128)]);
        assert_eq!(text(&mut Fields::new(&[2, 0, 0, 0, b'a', 0, 0xe4, 0])).as_deref(), Some("aä"));
        assert_eq!(text(&mut Fields::new(&[2, 0, 0, 0, b'a', 0])), None);
    }
}
