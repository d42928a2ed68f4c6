//! An invoice's fields, tables and notes as nodes.

use super::{
    collect::{Collected, Entry, Row, Value},
    rules::{Column, Group, Syntax, What},
};
use crate::{
    document::{Document, DocumentBuilder, DocumentId, NodeKind, facts},
    parse::{MAX_NODES, ParseWarning, ParseWarningKind, span},
};

/// Builds the tree.
pub(super) fn document(
    id: DocumentId,
    name: &str,
    invoice: &Collected,
    syntax: &Syntax,
    warnings: &mut Vec<ParseWarning>,
) -> Document {
    let mut builder = DocumentBuilder::new(id, name);
    if let Some(title) = title(invoice) {
        builder.title(&title);
    }
    let mut writer =
        Writer { builder, currency: invoice.value("Invoice currency code").unwrap_or_default(), full: false };
    for group in Group::ALL {
        writer.group(group, invoice, syntax);
    }
    if writer.full {
        let message = "The invoice holds more than can be kept. Its rest is missing.".to_owned();
        warnings.push(ParseWarning { kind: ParseWarningKind::Truncated, page: None, message });
    }
    writer.builder.finish()
}

/// "Commercial invoice 471102".
fn title(invoice: &Collected) -> Option<String> {
    let number = invoice.value("Invoice number")?;
    let kind = invoice.value("Invoice type code").and_then(|code| code.split_once('(')?.1.strip_suffix(')'));
    let mut letters = kind.unwrap_or("invoice").chars();
    let first = letters.next()?;
    Some(format!("{}{} {number}", first.to_uppercase(), letters.as_str()))
}

struct Writer<'i> {
    builder: DocumentBuilder,
    /// That of the invoice, which holds where an amount names no other.
    currency: &'i str,
    full: bool,
}

impl Writer<'_> {
    fn group(&mut self, group: Group, invoice: &Collected, syntax: &Syntax) {
        let mut entries: Vec<&Entry> = invoice.entries.iter().filter(|entry| entry.group == group).collect();
        // Elsewhere what belongs together stands together, as an account and its bank.
        if matches!(group, Group::Header | Group::Seller | Group::Buyer | Group::Totals) {
            entries.sort_by_key(|entry| entry.rank);
        }
        let tables =
            syntax.tables.iter().zip(&invoice.tables).filter(|(rule, rows)| rule.group == group && !rows.is_empty());
        let notes = if group == Group::Notes { invoice.notes.as_slice() } else { &[] };
        let tables: Vec<_> = tables.collect();
        if entries.is_empty() && tables.is_empty() && notes.is_empty() {
            return;
        }
        if !group.heading().is_empty() {
            self.builder.section(1, group.heading());
        }
        for entry in entries {
            if self.is_full() {
                return;
            }
            let unit = unit(&entry.value, self.currency);
            let value = &entry.value.text;
            let text = match unit {
                Some(unit) => format!("{}: {value} {unit}", entry.term),
                None => format!("{}: {value}", entry.term),
            };
            let node = self.builder.leaf(NodeKind::KeyValue, &text);
            self.builder.span(node, span(entry.place.clone()));
            if let Some(unit) = unit {
                self.builder.node_metadata(node, facts::UNIT, unit);
            }
        }
        for (rule, rows) in tables {
            self.table(rule.columns, rows);
        }
        for (text, place) in notes {
            if self.is_full() {
                return;
            }
            let node = self.builder.leaf(NodeKind::Paragraph, text);
            self.builder.span(node, span(place.clone()));
        }
    }

    /// Columns that no row has a value for are left out.
    fn table(&mut self, columns: &[Column], rows: &[Row]) {
        // Several paths may lead to one column: the first of its name stands for all.
        let first_of = |column: usize| {
            let header = columns.get(column).map(|column| column.1);
            columns.iter().position(|other| Some(other.1) == header).unwrap_or(column)
        };
        let mut used = vec![false; columns.len()];
        for (column, _) in rows.iter().flat_map(|row| &row.cells) {
            if let Some(used) = used.get_mut(first_of(*column)) {
                *used = true;
            }
        }
        let shown: Vec<usize> = (0..columns.len()).filter(|column| used[*column]).collect();
        let units: Vec<Option<&str>> =
            shown.iter().map(|column| common_unit(rows, |of| first_of(of) == *column, self.currency)).collect();
        self.builder.open(NodeKind::Table, "");
        self.builder.open(NodeKind::Row { header: true }, "");
        for (column, unit) in shown.iter().zip(&units) {
            let header = columns[*column].1;
            let text = match unit {
                Some(unit) => format!("{header} ({unit})"),
                None => header.to_owned(),
            };
            self.cell(true, &text, *unit);
        }
        self.builder.close();
        for row in rows {
            if self.is_full() {
                break;
            }
            let node = self.builder.open(NodeKind::Row { header: false }, "");
            self.builder.span(node, span(row.place.clone()));
            for (column, common) in shown.iter().zip(&units) {
                let values = row.cells.iter().filter(|(of, _)| first_of(*of) == *column).map(|(_, value)| value);
                let mut text = String::new();
                let mut own = None;
                for value in values {
                    if !text.is_empty() {
                        text.push_str("; ");
                    }
                    text.push_str(&value.text);
                    own = unit(value, self.currency);
                    if let (None, Some(unit)) = (common, own) {
                        text.push(' ');
                        text.push_str(unit);
                    }
                }
                self.cell(false, &text, own);
            }
            self.builder.close();
        }
        self.builder.close();
    }

    fn cell(&mut self, header: bool, text: &str, unit: Option<&str>) {
        let node = self.builder.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, text);
        if let Some(unit) = unit {
            self.builder.node_metadata(node, facts::UNIT, unit);
        }
    }

    fn is_full(&mut self) -> bool {
        self.full |= self.builder.n_nodes() >= MAX_NODES;
        self.full
    }
}

/// The unit of all values of a column, if they have but one.
fn common_unit<'v>(rows: &'v [Row], is_of: impl Fn(usize) -> bool, currency: &'v str) -> Option<&'v str> {
    let values = rows.iter().flat_map(|row| &row.cells).filter(|(of, _)| is_of(*of));
    let mut units = values.map(|(_, value)| unit(value, currency));
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then_some(first)
}

fn unit<'v>(value: &'v Value, currency: &'v str) -> Option<&'v str> {
    match value.what {
        What::Amount => Some(value.currency.as_deref().unwrap_or(currency)).filter(|unit| !unit.is_empty()),
        What::Percent => Some("%"),
        _ => None,
    }
}
