//! Splits delimited text into records after RFC 4180, forgiving what real files do to it.
//!
//! Not csv-core: that neither skips a blank before a quotation mark (`"a", "b"`) nor tells of one that is never closed,
//! which would swallow the rest of the file. Where neither occurs the two agree, which a property test holds.

use std::{borrow::Cow, ops::Range};

/// How a file is delimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// Between fields; ASCII.
    pub(super) delimiter: u8,
    /// Around fields that hold delimiters or line ends; ASCII.
    pub(super) quote: u8,
}

/// One record: its fields, where it stands, and the line it begins on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record<'t> {
    /// Its fields, quotation marks resolved.
    pub(super) fields: Vec<Cow<'t, str>>,
    /// Its bytes without the line end.
    pub(super) range: Range<usize>,
    /// From 1.
    pub(super) line: u32,
}

/// A field cannot be longer than this if its closing quotation mark is missing: it is then taken as it stands.
const MAX_OPEN_FIELD_BYTES: usize = 1 << 20;

/// Splits a text into records; blank lines are skipped. Linear, except that an unclosed quotation mark costs one look
/// ahead of at most 1 MiB, which is then not repeated.
#[derive(Clone)]
pub(super) struct Records<'t> {
    text: &'t str,
    dialect: Dialect,
    at: usize,
    line: u32,
    /// Up to here it is known that no quotation mark closes a field.
    no_close_before: usize,
    /// Quotation marks that were never closed.
    pub(super) n_unclosed: usize,
}

impl<'t> Records<'t> {
    /// Begins at byte `at`, which is on line `line` (from 1).
    pub(super) fn new(text: &'t str, dialect: Dialect, at: usize, line: u32) -> Self {
        Self { text, dialect, at, line, no_close_before: 0, n_unclosed: 0 }
    }

    /// Where the next record begins.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// One field from `self.at`; leaves `self.at` at its delimiter, line end or the end of the text.
    fn field(&mut self) -> Cow<'t, str> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        let mut open = start;
        while bytes.get(open) == Some(&b' ') {
            open += 1;
        }
        if bytes.get(open) == Some(&self.dialect.quote)
            && let Some(field) = self.quoted(open + 1)
        {
            return field;
        }
        self.at = self.find_end(start);
        Cow::Borrowed(&self.text[start..self.at])
    }

    /// The end of an unquoted stretch: the next delimiter or line end.
    fn find_end(&self, from: usize) -> usize {
        let ends = |byte: &u8| *byte == self.dialect.delimiter || matches!(byte, b'\n' | b'\r');
        self.text.as_bytes()[from..].iter().position(ends).map_or(self.text.len(), |length| from + length)
    }

    /// A field whose opening quotation mark stands before `start`; `None`, and nothing consumed, if it is never closed.
    fn quoted(&mut self, start: usize) -> Option<Cow<'t, str>> {
        let bytes = self.text.as_bytes();
        if start < self.no_close_before {
            self.n_unclosed += 1;
            return None;
        }
        let bound = bytes.len().min(start + MAX_OPEN_FIELD_BYTES);
        let mut n_doubled = 0;
        let mut at = start;
        loop {
            let Some(found) = bytes[at..bound].iter().position(|byte| *byte == self.dialect.quote) else {
                self.n_unclosed += 1;
                self.no_close_before = bound;
                return None;
            };
            at += found + 1;
            if bytes.get(at) != Some(&self.dialect.quote) {
                break;
            }
            n_doubled += 1;
            at += 1;
        }
        let inside = &self.text[start..at - 1];
        let end = self.find_end(at);
        let rest = &self.text[at..end];
        let is_closed = rest.trim_matches(' ').is_empty();
        // A field of several lines that goes on after its closing mark swallowed the beginning of another one.
        if !is_closed && inside.contains('\n') {
            self.n_unclosed += 1;
            return None;
        }
        let quote = char::from(self.dialect.quote);
        let field = if n_doubled == 0 {
            Cow::Borrowed(inside)
        } else {
            Cow::Owned(inside.replace(&String::from_iter([quote, quote]), &String::from(quote)))
        };
        self.line += u32::try_from(inside.matches('\n').count()).unwrap_or(0);
        self.at = end;
        Some(if is_closed { field } else { Cow::Owned(format!("{field}{rest}")) })
    }

    /// Steps over one line end, if one is here.
    fn end_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let length = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => return,
        };
        self.at += length;
        self.line += 1;
    }
}

impl<'t> Iterator for Records<'t> {
    type Item = Record<'t>;

    fn next(&mut self) -> Option<Record<'t>> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b'\r' | b'\n')) {
            self.end_line();
        }
        if self.at >= bytes.len() {
            return None;
        }
        let (start, line) = (self.at, self.line);
        let mut fields = vec![self.field()];
        while bytes.get(self.at) == Some(&self.dialect.delimiter) {
            self.at += 1;
            fields.push(self.field());
        }
        let range = start..self.at;
        self.end_line();
        Some(Record { fields, range, line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMMA: Dialect = Dialect { delimiter: b',', quote: b'"' };

    fn fields(text: &str) -> Vec<Vec<String>> {
        Records::new(text, COMMA, 0, 1).map(|r| r.fields.into_iter().map(Cow::into_owned).collect()).collect()
    }

    #[test]
    fn quotes_line_ends_and_blanks() {
        assert_eq!(fields("a,\"b\"\"c\",\"d\r\ne\"\r\n\r\n1,,\n"), [vec!["a", "b\"c", "d\r\ne"], vec!["1", "", ""]]);
        assert_eq!(fields("\"1\", \"x, y\" ,z"), [["1", "x, y", "z"]]);
        assert_eq!(fields("5\" pipe,\"6\" bolt\",x"), [["5\" pipe", "6 bolt\"", "x"]]);
    }

    #[test]
    fn an_unclosed_mark_costs_one_field_not_the_file() {
        let mut records = Records::new("a,\"b\n1,2\n3,4\n", COMMA, 0, 1);
        let lines: Vec<_> = records.by_ref().map(|record| (record.line, record.fields.len())).collect();
        assert_eq!(lines, [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(records.n_unclosed, 1);
        assert_eq!(fields("a,\"b\n1,\"2\"\n"), [vec!["a", "\"b"], vec!["1", "2"]]);
    }

    #[test]
    fn records_know_their_lines_and_bytes() {
        let records: Vec<_> = Records::new("a,b\n\n\"x\ny\",2\nz,3", COMMA, 0, 1).collect();
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(records[1].range, 5..12);
    }

    proptest! {
        /// Where every mark is closed and none follows a blank, the splitter agrees with csv-core.
        #[test]
        fn agrees_with_csv_core(rows in prop::collection::vec(prop::collection::vec("[a-c \",\n]{0,6}", 1..5), 1..6)) {
            let written = rows.iter().map(|row| {
                row.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\""))).collect::<Vec<_>>().join(",")
            }).collect::<Vec<_>>().join("\r\n") + "\r\n";
            prop_assert_eq!(&fields(&written), &rows);
            prop_assert_eq!(by_csv_core(&written), rows);
        }
    }

    fn by_csv_core(text: &str) -> Vec<Vec<String>> {
        let (mut reader, mut rows) = (csv_core::Reader::new(), Vec::new());
        let (mut input, mut output, mut ends) = (text.as_bytes(), vec![0; text.len() + 1], vec![0; text.len() + 1]);
        loop {
            let (result, n_read, _, n_ends) = reader.read_record(input, &mut output, &mut ends);
            input = &input[n_read..];
            if result != csv_core::ReadRecordResult::Record {
                return rows;
            }
            rows.push(cut(&output, &ends[..n_ends]));
        }
    }

    fn cut(output: &[u8], ends: &[usize]) -> Vec<String> {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, end)| String::from_utf8_lossy(&output[start..*end]).into_owned()).collect()
    }
}
