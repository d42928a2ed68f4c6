//! Delimiter-separated values: one table, its rows with their lines.
//!
//! Not for meaning: cells stay text as written, decimal commas included.

mod dialect;
mod records;

use super::{MAX_NODES, ParseError, ParseWarning, ParseWarningKind, kib, span, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeId, NodeKind},
    host::Progress,
    text::collapse_whitespace,
};
use dialect::Layout;
pub(crate) use dialect::is_figure;
use records::{Record, Records};
use std::borrow::Cow;

/// Whether a text is a delimited table beyond doubt, for names that promise another format.
pub(super) fn is_delimited(text: &str) -> bool {
    let layout = dialect::detect(text);
    layout.n_columns > 1 && layout.agreement_percent >= 80
}

/// Reads a table: lines before the header as paragraphs, then one [`NodeKind::Table`]. Each row carries its bytes and,
/// in its metadata, the `line` it begins on.
///
/// # Errors
/// [`ParseError::Cancelled`] alone.
pub(crate) fn parse(
    id: DocumentId,
    name: &str,
    text: &str,
    warnings: &mut Vec<ParseWarning>,
    progress: &mut dyn Progress,
) -> Result<Document, ParseError> {
    let layout = dialect::detect(text);
    let mut builder = DocumentBuilder::new(id, name);
    let start = if dialect::declared(text).is_some() { text.find('\n').map_or(text.len(), |at| at + 1) } else { 0 };
    let mut records = Records::new(text, layout.dialect, start, if start > 0 { 2 } else { 1 });
    // The layout counted the hint as a record of its preamble.
    let n_preamble = layout.n_preamble.saturating_sub(usize::from(start > 0));
    for record in records.by_ref().take(n_preamble) {
        preamble(&mut builder, &record);
    }
    let mut table = Table::new(&mut builder, layout);
    for record in records.by_ref() {
        if table.n_rows.is_multiple_of(1024) {
            tick(progress, kib(record.range.end), kib(text.len()))?;
        }
        table.row(&record);
    }
    table.finish(warnings);
    if records.n_unclosed > 0 {
        warnings.push(ParseWarning {
            kind: ParseWarningKind::Damaged,
            page: None,
            message: format!(
                "{} quotation marks are never closed; those cells were taken as they stand.",
                records.n_unclosed
            ),
        });
    }
    Ok(builder.finish())
}

/// A line before the table. "Customer:;ACME;Date:;2026-11-30" is keys with their values, anything else a paragraph.
fn preamble(builder: &mut DocumentBuilder, record: &Record<'_>) {
    let filled: Vec<String> =
        record.fields.iter().map(|field| collapse_whitespace(field)).filter(|field| !field.is_empty()).collect();
    if let ([title], false) = (filled.as_slice(), builder.has_title()) {
        builder.title(title);
    }
    let is_key = |field: &String| field.ends_with(':');
    let place = |builder: &mut DocumentBuilder, kind, text: &str| {
        let node = builder.leaf(kind, text);
        builder.span(node, span(record.range.clone()));
    };
    let mut rest = filled.as_slice();
    while let [first, after @ ..] = rest {
        rest = match after {
            [value, after @ ..] if (is_key(first) && !is_key(value)) || filled.len() == 2 => {
                place(builder, NodeKind::KeyValue, &format!("{}: {value}", first.trim_end_matches(':').trim_end()));
                after
            }
            _ => {
                let n_texts = after.iter().position(is_key).unwrap_or(after.len()) + 1;
                place(builder, NodeKind::Paragraph, &rest[..n_texts].join(" "));
                &rest[n_texts..]
            }
        };
    }
}

/// Writes rows below one table node and counts what a reader should be told.
struct Table<'b> {
    builder: &'b mut DocumentBuilder,
    layout: Layout,
    node: NodeId,
    range: std::ops::Range<usize>,
    n_rows: usize,
    n_rows_left_out: usize,
    n_cells_left_out: usize,
    n_ragged: usize,
    first_ragged_line: u32,
}

impl<'b> Table<'b> {
    fn new(builder: &'b mut DocumentBuilder, layout: Layout) -> Self {
        let node = builder.open(NodeKind::Table, "");
        Self {
            builder,
            layout,
            node,
            range: 0..0,
            n_rows: 0,
            n_rows_left_out: 0,
            n_cells_left_out: 0,
            n_ragged: 0,
            first_ragged_line: 0,
        }
    }

    fn row(&mut self, record: &Record<'_>) {
        let n_filled = record.fields.iter().rposition(|field| !field.trim().is_empty()).map_or(0, |last| last + 1);
        if n_filled == 0 {
            return;
        }
        let header = self.n_rows == 0 && self.layout.has_header;
        if self.n_rows == 0 {
            self.range.start = record.range.start;
        }
        self.n_rows += 1;
        let n_columns = self.layout.n_columns;
        let n_fields = record.fields.len();
        // Padding beyond the columns in use is no fault, a filled cell there is.
        if n_fields != self.layout.n_fields && (n_filled > n_columns || n_fields < n_columns) {
            self.n_ragged += 1;
            if self.n_ragged == 1 {
                self.first_ragged_line = record.line;
            }
        }
        let room = MAX_NODES.saturating_sub(self.builder.n_nodes());
        let n_cells = record.fields.len().min(n_columns.max(n_filled));
        if room < 2 || (room <= n_cells && self.n_rows > 1) {
            self.n_rows_left_out += 1;
            return;
        }
        let row = self.builder.open(NodeKind::Row { header }, "");
        self.builder.span(row, span(record.range.clone()));
        self.builder.node_metadata(row, "line", &record.line.to_string());
        for field in record.fields.iter().take(n_cells.min(room - 1)) {
            // Inside a cell every line end is one character, as in all other nodes.
            let text = if field.contains('\r') {
                Cow::Owned(field.replace("\r\n", "\n"))
            } else {
                Cow::Borrowed(field.as_ref())
            };
            self.builder.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, &text);
        }
        self.builder.close();
        self.n_cells_left_out += n_cells.saturating_sub(room - 1);
        self.range.end = record.range.end;
    }

    fn finish(self, warnings: &mut Vec<ParseWarning>) {
        self.builder.close();
        self.builder.span(self.node, span(self.range));
        let mut warn = |kind, message| warnings.push(ParseWarning { kind, page: None, message });
        if self.n_ragged > 0 {
            warn(
                ParseWarningKind::Damaged,
                format!(
                    "{} of {} rows have more or fewer cells than the table has columns ({}), the first in line {}.",
                    self.n_ragged, self.n_rows, self.layout.n_columns, self.first_ragged_line
                ),
            );
        }
        if self.n_rows_left_out > 0 {
            warn(
                ParseWarningKind::Truncated,
                format!(
                    "The table has {} rows; the first {} were read and {} left out. Split the file to have all of them.",
                    self.n_rows,
                    self.n_rows - self.n_rows_left_out,
                    self.n_rows_left_out
                ),
            );
        }
        if self.n_cells_left_out > 0 {
            warn(
                ParseWarningKind::Truncated,
                format!("The first row has too many cells; {} were left out.", self.n_cells_left_out),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::NoProgress;

    fn read(text: &str) -> (Document, Vec<ParseWarning>) {
        let mut warnings = Vec::new();
        let document =
            parse(DocumentId::of(text.as_bytes()), "a.csv", text, &mut warnings, &mut NoProgress).expect("reads");
        (document, warnings)
    }

    #[test]
    fn ragged_rows_keep_their_cells_and_are_counted_once() {
        let (document, warnings) = read("Part,Qty\nSeal\nNut,4,extra\nCap,1\n");
        insta::assert_snapshot!(crate::document::outline(&document), @r#"
        Document
          Table @0..31
            Header [“Part” | “Qty”] @0..8 line=1
            Row [“Seal”] @9..13 line=2
            Row [“Nut” | “4” | “extra”] @14..25 line=3
            Row [“Cap” | “1”] @26..31 line=4
        "#);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].message.starts_with("2 of 4 rows") && warnings[0].message.ends_with("line 2."));
    }

    #[test]
    fn a_table_of_ten_thousand_columns_is_cut_at_the_bound() {
        let row = vec!["x"; 10_000].join(",");
        let text = vec![row; 20].join("\n");
        let (document, warnings) = read(&text);
        assert!(document.nodes.len() <= MAX_NODES);
        assert!(warnings.iter().any(|warning| warning.kind == ParseWarningKind::Truncated), "{warnings:?}");
    }

    #[test]
    fn it_can_be_stopped() {
        let mut stop = |_, _| std::ops::ControlFlow::Break(());
        let result = parse(DocumentId::of(b""), "a.csv", "a,b\n1,2", &mut Vec::new(), &mut stop);
        assert_eq!(result, Err(ParseError::Cancelled));
    }
}
