//! Delimiter-separated values: one table, its rows with their lines.
//!
//! Not for meaning: cells stay text as written, decimal commas included.

mod dialect;
mod groups;
mod records;
mod table;

use super::{ParseError, ParseWarning, ParseWarningKind, kib, span, tick};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind},
    host::Progress,
    text::collapse_whitespace,
};
use dialect::Layout;
pub(crate) use dialect::is_figure;
use groups::{Gap, Group};
use records::{Record, Records};
use table::Table;

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
        let words: Vec<&str> =
            record.fields.iter().map(|field| field.trim()).filter(|field| !field.is_empty()).collect();
        if let ([title], false) = (words.as_slice(), builder.has_title()) {
            builder.title(&collapse_whitespace(title));
        }
        line(&mut builder, &record);
    }
    let mut table = Table::new(layout, None);
    let mut gap = Gap::default();
    while let Some(record) = records.next() {
        if table.n_rows.is_multiple_of(1024) {
            tick(progress, kib(record.range.end), kib(text.len()))?;
        }
        let group = if table.n_rows > 0 && gap.is_before(&record) {
            groups::tell(&record, &records, &table)
        } else {
            Group::Rows
        };
        gap.after(&record);
        match group {
            Group::Rows => table.row(&mut builder, &record),
            Group::Lines(n_lines) => {
                let below = Table::new(Layout { has_header: false, ..layout }, None);
                std::mem::replace(&mut table, below).finish(&mut builder, warnings);
                line(&mut builder, &record);
                for record in records.by_ref().take(n_lines - 1) {
                    line(&mut builder, &record);
                    gap.after(&record);
                }
            }
            Group::Table(n_columns, title) => {
                let is_title = title.is_some();
                let below = Table::new(Layout { has_header: true, n_fields: n_columns, n_columns, ..layout }, title);
                std::mem::replace(&mut table, below).finish(&mut builder, warnings);
                if !is_title {
                    table.row(&mut builder, &record);
                }
            }
        }
    }
    table.finish(&mut builder, warnings);
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

/// A line that is no row. "Customer:;ACME;Date:;2026-11-30" is keys with their values, anything else a paragraph.
fn line(builder: &mut DocumentBuilder, record: &Record<'_>) {
    let filled: Vec<String> =
        record.fields.iter().map(|field| collapse_whitespace(field)).filter(|field| !field.is_empty()).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{host::NoProgress, parse::MAX_NODES};

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
    fn blank_lines_part_tables_and_lines_but_not_rows() {
        let text = "Part,Length (mm),Price\nSeal,2,3\n\nNut,8,1\nTotal,10,4\n\n\nTools,,\nTool,Size,Torque\nKey,8,4\n,,\nStatistics:\nBoards:,100\n";
        let (document, warnings) = read(text);
        insta::assert_snapshot!(crate::document::outline(&document), @r#"
        Document
          Table @0..51
            Header @0..22 line=1
              HeaderCell 1x1 “Part”
              HeaderCell 1x1 “Length (mm)” unit=mm
              HeaderCell 1x1 “Price”
            Row @23..31 line=2
              Cell 1x1 “Seal”
              Cell 1x1 “2” unit=mm
              Cell 1x1 “3”
            Row @33..40 line=4
              Cell 1x1 “Nut”
              Cell 1x1 “8” unit=mm
              Cell 1x1 “1”
            Row @41..51 line=5 total=yes
              Cell 1x1 “Total”
              Cell 1x1 “10” unit=mm
              Cell 1x1 “4”
          Table “Tools” @62..86
            Header [“Tool” | “Size” | “Torque”] @62..78 line=9
            Row [“Key” | “8” | “4”] @79..86 line=10
          Paragraph “Statistics:” @90..101
          KeyValue “Boards: 100” @102..113
        "#);
        assert_eq!(warnings, []);
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
