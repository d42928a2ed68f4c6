//! The records of an XLS stream, and the texts in them.

use crate::parse::sheets::bytes::{Fields, utf16};
use encoding_rs::Encoding;

/// A record goes on in records of this type.
const CONTINUE: u16 = 0x3c;

/// A record: its type, and its bytes with those that it goes on in.
#[derive(Debug)]
pub(super) struct Record<'s> {
    pub(super) kind: u16,
    pub(super) bytes: &'s [u8],
    pub(super) more: Vec<&'s [u8]>,
}

/// The records of a stream from a place on; ends where one is cut off.
#[derive(Clone, Debug)]
pub(super) struct Records<'s> {
    stream: &'s [u8],
    pub(super) at: usize,
}

impl<'s> Records<'s> {
    pub(super) fn new(stream: &'s [u8], at: usize) -> Self {
        Self { stream, at }
    }

    fn one(&mut self) -> Option<(u16, &'s [u8])> {
        let mut fields = Fields::new(self.stream.get(self.at..)?);
        let (kind, length) = (fields.u16()?, fields.u16()?);
        let bytes = fields.take(usize::from(length))?;
        self.at += 4 + bytes.len();
        Some((kind, bytes))
    }
}

impl<'s> Iterator for Records<'s> {
    type Item = Record<'s>;

    fn next(&mut self) -> Option<Record<'s>> {
        let (kind, bytes) = self.one()?;
        let mut more = Vec::new();
        let mut ahead = self.clone();
        while let Some((CONTINUE, bytes)) = ahead.one() {
            more.push(bytes);
            self.at = ahead.at;
        }
        Some(Record { kind, bytes, more })
    }
}

/// How texts are stored: in UTF-16 since Excel 97, in a code page before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts {
    pub(super) is_wide: bool,
    pub(super) encoding: &'static Encoding,
}

impl Texts {
    /// By the number of a Windows code page.
    pub(super) fn set_code_page(&mut self, page: u16) {
        let label = match page {
            932 => "shift_jis".to_owned(),
            936 => "gbk".to_owned(),
            949 => "euc-kr".to_owned(),
            950 => "big5".to_owned(),
            10_000 | 32_768 => "macintosh".to_owned(),
            page => format!("windows-{page}"),
        };
        if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
            self.encoding = encoding;
        }
    }

    /// A text with its length in one byte or in two.
    pub(super) fn read(self, fields: &mut Fields<'_>, short: bool) -> Option<String> {
        let length = if short { usize::from(fields.u8()?) } else { usize::from(fields.u16()?) };
        if !self.is_wide {
            let rest = fields.rest();
            let bytes = fields.take(length.min(rest.len()))?;
            return Some(self.encoding.decode_without_bom_handling(bytes).0.into_owned());
        }
        let flags = fields.u8()?;
        if flags & 8 != 0 {
            fields.u16()?;
        }
        if flags & 4 != 0 {
            fields.u32()?;
        }
        let n_bytes = if flags & 1 == 1 { length * 2 } else { length };
        let bytes = fields.take(n_bytes.min(fields.rest().len()))?;
        Some(if flags & 1 == 1 { utf16(bytes) } else { latin1(bytes) })
    }
}

/// UTF-16 without its upper bytes.
pub(super) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The texts that cells refer to by number, up to a bound on their bytes, and whether all were read. A text that goes
/// on in the next record begins there with a new byte that says how wide its letters are.
pub(super) fn shared_strings(record: &Record<'_>, max_bytes: usize) -> (Vec<String>, bool) {
    let mut chunks = Chunks { rest: Fields::new(record.bytes), more: record.more.iter() };
    let mut strings = Vec::new();
    let mut n_bytes = 0;
    let Some(n_strings) = chunks.u32().and_then(|_| chunks.u32()) else { return (strings, false) };
    for _ in 0..n_strings {
        let Some(string) = chunks.string() else { return (strings, false) };
        n_bytes += string.len() + size_of::<String>();
        if n_bytes > max_bytes {
            return (strings, false);
        }
        strings.push(string);
    }
    (strings, true)
}

/// A record with what it goes on in.
struct Chunks<'r> {
    rest: Fields<'r>,
    more: std::slice::Iter<'r, &'r [u8]>,
}

impl<'r> Chunks<'r> {
    /// Steps into the next record where this one is read to its end.
    fn refill(&mut self) -> Option<()> {
        while self.rest.rest().is_empty() {
            self.rest = Fields::new(self.more.next()?);
        }
        Some(())
    }

    fn u8(&mut self) -> Option<u8> {
        self.refill()?;
        self.rest.u8()
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from(self.u16()?) | u32::from(self.u16()?) << 16)
    }

    fn skip(&mut self, mut n: usize) -> Option<()> {
        while n > 0 {
            self.refill()?;
            let step = n.min(self.rest.rest().len());
            self.rest.take(step)?;
            n -= step;
        }
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        let mut n_left = usize::from(self.u16()?);
        let mut flags = self.u8()?;
        let n_runs = if flags & 8 != 0 { usize::from(self.u16()?) } else { 0 };
        let n_extra = if flags & 4 != 0 { self.u32()? as usize } else { 0 };
        let mut text = String::new();
        while n_left > 0 {
            if self.rest.rest().is_empty() {
                self.refill()?;
                flags = self.rest.u8()?;
                continue;
            }
            let width = if flags & 1 == 1 { 2 } else { 1 };
            let n = n_left.min(self.rest.rest().len() / width);
            if n == 0 {
                // Half a letter at the end of a record.
                self.rest.take(self.rest.rest().len())?;
                n_left -= 1;
                continue;
            }
            let bytes = self.rest.take(n * width)?;
            text.push_str(&if width == 2 { utf16(bytes) } else { latin1(bytes) });
            n_left -= n;
        }
        self.skip(n_runs * 4)?;
        self.skip(n_extra)?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_text_goes_on_in_the_next_record_in_other_letters() {
        // Two texts; the first has five letters, of which two narrow ones stand in the first record.
        let first = [2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, b'a', b'b'];
        let second = [1, b'c', 0, 0xe4, 0, b'e', 0, 1, 0, 0, b'x'];
        let record = Record { kind: 0xfc, bytes: &first, more: vec![&second] };
        assert_eq!(shared_strings(&record, 1000), (vec!["abcäe".to_owned(), "x".to_owned()], true));
        assert_eq!(shared_strings(&record, 20).0.len(), 0);
    }

    #[test]
    fn records_end_where_one_is_cut_off() {
        let stream = [9, 0, 1, 0, 7, 0x3c, 0, 1, 0, 8, 10, 0, 9, 0, 1];
        let records: Vec<Record<'_>> = Records::new(&stream, 0).collect();
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].bytes, records[0].more.as_slice()), (&[7][..], &[&[8][..]][..]));
    }
}
