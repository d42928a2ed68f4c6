//! How a file is delimited, and which of its rows names the columns.

use super::records::{Dialect, Record, Records};

/// Records that are looked at.
const SAMPLE_RECORDS: usize = 200;
/// Bytes that are looked at, so that one enormous record does not count five times over.
const SAMPLE_BYTES: usize = 256 << 10;
/// At most so many records before the header are taken for a preamble.
const MAX_PREAMBLE_RECORDS: usize = 30;

/// No figure is longer; a text is not looked through again and again to find that it is none.
const MAX_FIGURE_BYTES: usize = 96;

/// What was found out about a file before it is read in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Its delimiter and quotation mark.
    pub(super) dialect: Dialect,
    /// The number of fields that most records have.
    pub(super) n_fields: usize,
    /// The number of columns in use: `n_fields` without columns at the end that are empty throughout.
    pub(super) n_columns: usize,
    /// Share of the sampled records that have it, in percent.
    pub(super) agreement_percent: usize,
    /// Records before the table begins.
    pub(super) n_preamble: usize,
    /// Whether the table's first record names its columns.
    pub(super) has_header: bool,
}

/// Finds the delimiter by which most records get the same number of fields, then preamble and header.
///
/// Ties go to tab, semicolon, bar, comma in this order: a comma also stands in decimal numbers and prose, the others
/// hardly ever do.
pub(super) fn detect(text: &str) -> Layout {
    if let Some(delimiter) = declared(text) {
        return layout(text, delimiter);
    }
    let mut best: Option<Layout> = None;
    for delimiter in [b'\t', b';', b'|', b','] {
        let found = layout(text, delimiter);
        // A difference of two records in a hundred is no reason to prefer the comma in "1,5;2,5".
        let better = best.is_none_or(|best| {
            let (known, new) = (worth(best), worth(found));
            new > known + 2
        });
        if better {
            best = Some(found);
        }
    }
    match best {
        Some(layout) if worth(layout) > 0 => layout,
        // No delimiter at all: one column. A record separator character can't occur in a line of text.
        _ => layout(text, b'\x1e'),
    }
}

/// Excel's own hint in the first line: `sep=;`.
pub(super) fn declared(text: &str) -> Option<u8> {
    let line = text.lines().next()?.trim_matches('"');
    let delimiter = line.strip_prefix("sep=").or_else(|| line.strip_prefix("SEP="))?;
    match delimiter.as_bytes() {
        [delimiter @ (b',' | b';' | b'\t' | b'|' | b':' | b'^' | b'~')] => Some(*delimiter),
        _ => None,
    }
}

/// A delimiter that most records lack is none.
fn worth(layout: Layout) -> usize {
    if layout.n_columns < 2 || layout.agreement_percent < 40 { 0 } else { layout.agreement_percent }
}

fn layout(text: &str, delimiter: u8) -> Layout {
    let dialect = Dialect { delimiter, quote: quote(text, delimiter) };
    let sample = sample(text, dialect);
    let mut counts = std::collections::BTreeMap::<usize, usize>::new();
    for record in &sample {
        *counts.entry(record.fields.len()).or_default() += 1;
    }
    // The most frequent number of fields; of equally frequent ones the larger.
    let modal = counts.iter().filter(|(n_fields, _)| **n_fields > 1).max_by_key(|(n_fields, n)| (**n, **n_fields));
    let n_fields = modal.map_or(1, |(n_fields, _)| *n_fields);
    let n_columns = sample.iter().filter(|r| r.fields.len() == n_fields).map(width).max().unwrap_or(1).max(1);
    let n_preamble = preamble(&sample, n_columns);
    let table = &sample[n_preamble..];
    // Over the preamble too: a delimiter that the first lines lack is worth less than one that they have.
    let n_agreeing = sample.iter().filter(|record| record.fields.len() == n_fields).count();
    Layout {
        dialect,
        n_fields,
        n_columns,
        agreement_percent: n_agreeing * 100 / sample.len().max(1),
        n_preamble,
        has_header: has_header(table),
    }
}

fn sample(text: &str, dialect: Dialect) -> Vec<Record<'_>> {
    let mut records = Records::new(text, dialect, 0, 1);
    let mut sample = Vec::new();
    while sample.len() < SAMPLE_RECORDS && (records.position() < SAMPLE_BYTES || sample.len() < 2) {
        match records.next() {
            Some(record) => sample.push(record),
            None => break,
        }
    }
    sample
}

/// The apostrophe where fields are wrapped in it and no quotation mark occurs, otherwise the quotation mark.
fn quote(text: &str, delimiter: u8) -> u8 {
    let head = text.as_bytes();
    let head = &head[..head.len().min(SAMPLE_BYTES)];
    let n_wrapped = head.windows(3).filter(|three| *three == [b'\'', delimiter, b'\'']).count();
    let n_delimiters = head.iter().filter(|byte| **byte == delimiter).count();
    if !head.contains(&b'"') && n_wrapped * 2 > n_delimiters { b'\'' } else { b'"' }
}

/// Number of fields, empty ones at the end not counted: spreadsheets pad short rows.
pub(super) fn width(record: &Record<'_>) -> usize {
    record.fields.iter().rposition(|field| !field.trim().is_empty()).map_or(0, |last| last + 1)
}

/// How many records stand before the table: titles, dates, addresses, each with fewer than half the filled fields, or
/// keys with their values ("Date:;2026-11-30").
pub(super) fn preamble(sample: &[Record<'_>], n_columns: usize) -> usize {
    let filled = |record: &Record<'_>| record.fields.iter().filter(|field| !field.trim().is_empty()).count();
    let keyed = |record: &Record<'_>| {
        record.fields.windows(2).any(|pair| pair[0].trim().ends_with(':') && !pair[1].trim().is_empty())
    };
    let begins =
        sample.iter().take(MAX_PREAMBLE_RECORDS).position(|record| filled(record) * 2 > n_columns && !keyed(record));
    // One column has no preamble: nothing would tell it apart.
    if n_columns < 2 { 0 } else { begins.unwrap_or(0) }
}

/// The first record names the columns unless something speaks against it: figures, blanks, long texts, nothing below it,
/// or repetitions that no figure below excuses (a column a supplier repeats its names).
pub(super) fn has_header(table: &[Record<'_>]) -> bool {
    let Some((first, rest)) = table.split_first() else { return false };
    let names: Vec<&str> = first.fields[..width(first)].iter().map(|field| field.trim()).collect();
    let wordy = names.iter().all(|name| !is_figure(name) && name.chars().count() <= 80);
    let named: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    if rest.is_empty() || !wordy || named.len() * 2 < names.len() {
        return false;
    }
    let mut distinct = named.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let figures_below =
        rest.iter().any(|record| record.fields.iter().take(names.len()).any(|field| is_figure(field.trim())));
    // A single column of words is a list; only figures below make its first line a heading.
    match (figures_below, names.len()) {
        (true, _) => distinct.len() * 2 > named.len(),
        (false, 1) => false,
        (false, _) => distinct.len() == named.len() && named.len() + 1 >= names.len(),
    }
}

/// A number in any usual notation, a date, a time, or a sum of money.
pub(crate) fn is_figure(text: &str) -> bool {
    if text.len() > MAX_FIGURE_BYTES {
        return false;
    }
    let n_digits = text.bytes().filter(u8::is_ascii_digit).count();
    let others = text.chars().filter(|c| !c.is_ascii_digit());
    n_digits > 0
        && others.clone().count() <= n_digits + 2
        && others.clone().all(|c| {
            matches!(
                c,
                '.' | ','
                    | '-'
                    | '+'
                    | '/'
                    | ':'
                    | ' '
                    | '%'
                    | '\''
                    | '$'
                    | '€'
                    | '£'
                    | '₹'
                    | '('
                    | ')'
                    | 'e'
                    | 'E'
                    | 'T'
                    | 'Z'
                    | '\u{a0}'
                    | '\u{202f}'
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delimiter(text: &str) -> char {
        char::from(detect(text).dialect.delimiter)
    }

    #[test]
    fn delimiters() {
        assert_eq!(delimiter("a,b\n1,2\n"), ',');
        assert_eq!(delimiter("Länge;Breite\n1,5;2,5\n3,25;4,75\n"), ';');
        assert_eq!(delimiter("1,5;2,5\n3,25;4,75\n"), ';');
        assert_eq!(delimiter("Part\tText\nA\tone, two\nB\tthree, four\n"), '\t');
        assert_eq!(delimiter("sep=|\na;b|c;d\n"), '|');
        assert_eq!(detect("just\nwords\nhere\n").n_columns, 1);
        assert_eq!(delimiter("name,note\nx,a; b\ny,c; d\n"), ',');
    }

    #[test]
    fn preambles_are_found() {
        let layout = detect("Spare parts;;;\nPlant 3;;;\n\nPos;Part;Qty;Price\n1;Seal;2;3,50\n2;Nut;8;0,10\n");
        assert_eq!((layout.n_columns, layout.n_preamble, layout.has_header), (4, 2, true));
    }

    #[test]
    fn headers() {
        assert!(detect("Part,Qty\nSeal,2\n").has_header);
        assert!(detect("Name,City\nBob,Berlin\nEve,Essen\n").has_header);
        assert!(!detect("1,2\n3,4\n").has_header);
        assert!(!detect("x,x\ny,z\n").has_header);
        assert!(!detect("a,b\n").has_header);
        assert!(is_figure("1.234,56 €") && is_figure("2026-11-30") && !is_figure("M6x20") && !is_figure("SKU-48291"));
    }
}
