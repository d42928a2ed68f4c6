//! One table of delimited text: its rows with their lines, and what a reader should be told of them.

use super::{
    dialect::{Layout, is_figure, width},
    records::Record,
};
use crate::{
    document::{DocumentBuilder, NodeId, NodeKind, facts},
    parse::{MAX_NODES, ParseWarning, ParseWarningKind, sheets::is_total_name, span, unit},
    text::collapse_whitespace,
};
use std::borrow::Cow;

/// Units take more room than the figures they stand beside; beyond this many only the header names them.
const MAX_FACTS: usize = MAX_NODES / 4;

/// Writes rows below one table node, which is opened with the first of them.
pub(super) struct Table {
    pub(super) layout: Layout,
    title: Option<String>,
    node: Option<NodeId>,
    range: std::ops::Range<usize>,
    pub(super) n_rows: usize,
    n_rows_left_out: usize,
    n_cells_left_out: usize,
    n_ragged: usize,
    first_ragged_line: u32,
    /// Of every column what its name says the values are in.
    units: Vec<Option<String>>,
    n_facts: usize,
    /// Of every column whether figures were seen in it, and whether words.
    kinds: Vec<(bool, bool)>,
}

impl Table {
    pub(super) fn new(layout: Layout, title: Option<String>) -> Self {
        Self {
            layout,
            title,
            node: None,
            range: 0..0,
            n_rows: 0,
            n_rows_left_out: 0,
            n_cells_left_out: 0,
            n_ragged: 0,
            first_ragged_line: 0,
            units: Vec::new(),
            n_facts: 0,
            kinds: Vec::new(),
        }
    }

    /// Whether a column has figures and no words.
    pub(super) fn is_figures(&self, column: usize) -> bool {
        self.kinds.get(column) == Some(&(true, false))
    }

    pub(super) fn row(&mut self, builder: &mut DocumentBuilder, record: &Record<'_>) {
        let n_filled = width(record);
        if n_filled == 0 {
            return;
        }
        let header = self.n_rows == 0 && self.layout.has_header;
        if self.n_rows == 0 {
            self.range.start = record.range.start;
            self.node = Some(builder.open(NodeKind::Table, self.title.as_deref().unwrap_or_default()));
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
        let room = MAX_NODES.saturating_sub(builder.n_nodes());
        let n_cells = record.fields.len().min(n_columns.max(n_filled));
        if room < 2 || (room <= n_cells && self.n_rows > 1) {
            self.n_rows_left_out += 1;
            return;
        }
        let row = builder.open(NodeKind::Row { header }, "");
        builder.span(row, span(record.range.clone()));
        builder.node_metadata(row, "line", &record.line.to_string());
        if header {
            self.units = record.fields.iter().map(|name| unit::in_header(name)).collect();
        } else if is_total(record) {
            builder.node_metadata(row, facts::TOTAL, "yes");
        }
        for (at, field) in record.fields.iter().take(n_cells.min(room - 1)).enumerate() {
            // Inside a cell every line end is one character, as in all other nodes.
            let text = if field.contains('\r') {
                Cow::Owned(field.replace("\r\n", "\n"))
            } else {
                Cow::Borrowed(field.as_ref())
            };
            let cell = builder.leaf(NodeKind::Cell { header, colspan: 1, rowspan: 1 }, &text);
            let is_figure = !header && self.see(at, text.trim());
            if let Some(unit) = self.units.get(at).and_then(Option::as_ref)
                && (header || is_figure)
                && self.n_facts < MAX_FACTS
            {
                builder.node_metadata(cell, facts::UNIT, unit);
                self.n_facts += 1;
            }
        }
        builder.close();
        self.n_cells_left_out += n_cells.saturating_sub(room - 1);
        self.range.end = record.range.end;
    }

    /// Remembers what kind of value stands in a column; whether this one is a figure.
    fn see(&mut self, column: usize, value: &str) -> bool {
        let figure = is_figure(value);
        if column >= self.kinds.len() {
            self.kinds.resize(column + 1, (false, false));
        }
        let kinds = &mut self.kinds[column];
        kinds.0 |= figure;
        kinds.1 |= !figure && !value.is_empty();
        figure
    }

    pub(super) fn finish(self, builder: &mut DocumentBuilder, warnings: &mut Vec<ParseWarning>) {
        let Some(node) = self.node else { return };
        builder.close();
        builder.span(node, span(self.range));
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

/// Whether a record sums up others: its first words say so, and it has figures.
fn is_total(record: &Record<'_>) -> bool {
    let mut fields = record.fields.iter().map(|field| field.trim()).filter(|field| !field.is_empty());
    let first_words = fields.clone().find(|field| !is_figure(field));
    first_words.is_some_and(|words| is_total_name(&collapse_whitespace(words))) && fields.any(is_figure)
}
