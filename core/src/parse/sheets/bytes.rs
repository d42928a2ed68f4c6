//! Fields of binary records, little-endian, each checked against the end.

/// Reads on from field to field; every reader gives `None` where the record is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'b> {
    rest: &'b [u8],
}

impl<'b> Fields<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// What is left.
    pub(super) fn rest(self) -> &'b [u8] {
        self.rest
    }

    /// The next bytes.
    pub(super) fn take(&mut self, n: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*taken)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }
}

/// A number in four bytes: an integer of 30 bits or the upper half of a float, either perhaps times a hundred.
pub(super) fn rk(packed: u32) -> f64 {
    let value =
        if packed & 2 == 2 { f64::from(packed as i32 >> 2) } else { f64::from_bits(u64::from(packed & !3) << 32) };
    if packed & 1 == 1 { value / 100.0 } else { value }
}

/// How an error value is shown.
pub(super) fn error_name(code: u8) -> &'static str {
    match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0f => "#VALUE!",
        0x17 => "#REF!",
        0x1d => "#NAME?",
        0x24 => "#NUM!",
        0x2a => "#N/A",
        0x2b => "#GETTING_DATA",
        _ => "#ERR!",
    }
}

/// UTF-16 of so many units.
pub(super) fn utf16(bytes: &[u8]) -> String {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers() {
        assert_eq!(rk(0x3ff0_0000), 1.0);
        assert_eq!(rk(0x3ff0_0001), 0.01);
        assert_eq!(rk((123_456 << 2) | 3), 1234.56);
        assert_eq!(rk((-5_i32 as u32) << 2 | 2), -5.0);
    }
}
