//! What comes after a blank line inside delimited text: more rows, lines of words and keys, or another table.

use super::{
    dialect::{has_header, is_figure, preamble, width},
    records::{Record, Records},
    table::Table,
};

/// Records of a group that are looked at.
const SAMPLE_RECORDS: usize = 50;

/// What a group of records is.
pub(super) enum Group {
    /// Rows of the table that stands above it.
    Rows,
    /// So many lines that are no table: words, and keys with their values.
    Lines(usize),
    /// A table of so many columns; the first record is its title if there is one.
    Table(usize, Option<String>),
}

/// Where blank lines are: records know their lines, blank ones in between are skipped.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    next_line: u32,
    blank_record: bool,
}

impl Gap {
    /// Whether a blank line, or a record of nothing but delimiters, stands before this record.
    pub(super) fn is_before(&self, record: &Record<'_>) -> bool {
        width(record) > 0 && (self.blank_record || record.line > self.next_line)
    }

    /// Goes on behind a record.
    pub(super) fn after(&mut self, record: &Record<'_>) {
        let n_breaks: usize = record.fields.iter().map(|field| field.matches('\n').count()).sum();
        self.next_line = record.line.saturating_add(u32::try_from(n_breaks).unwrap_or(u32::MAX)).saturating_add(1);
        self.blank_record = width(record) == 0;
    }
}

/// Tells what the group that begins with `first` is, after the table above it.
pub(super) fn tell(first: &Record<'_>, rest: &Records<'_>, above: &Table) -> Group {
    let mut sample = vec![first.clone()];
    let mut gap = Gap::default();
    gap.after(first);
    for record in rest.clone() {
        if gap.is_before(&record) || width(&record) == 0 || sample.len() >= SAMPLE_RECORDS {
            break;
        }
        gap.after(&record);
        sample.push(record);
    }
    let filled = |record: &Record<'_>| record.fields.iter().filter(|field| !field.trim().is_empty()).count();
    let is_line = |record: &Record<'_>| {
        let mut fields = record.fields.iter().map(|field| field.trim()).filter(|field| !field.is_empty());
        let is_words = fields.next().is_some_and(|field| !is_figure(field));
        is_words
            && (filled(record) == 1
                || (filled(record) == 2 && record.fields.iter().any(|field| field.trim().ends_with(':'))))
    };
    if above.layout.n_columns > 2 && sample.iter().all(is_line) {
        return Group::Lines(sample.len());
    }
    let n_columns = sample.iter().map(width).max().unwrap_or(0);
    let n_before = preamble(&sample, n_columns);
    let (lines, table) = sample.split_at(n_before);
    let Some(names) = table.first().filter(|_| n_before <= 1 && n_columns > 1) else { return Group::Rows };
    // Names where the table above has figures, and figures below names: this is another one.
    let is_name =
        |at: usize| names.fields.get(at).is_some_and(|field| !field.trim().is_empty() && !is_figure(field.trim()));
    let figures_below =
        |at: usize| table[1..].iter().any(|record| record.fields.get(at).is_some_and(|f| is_figure(f.trim())));
    let breaks_column = (0..n_columns).any(|at| is_name(at) && above.is_figures(at));
    let begins = has_header(table) && breaks_column && (0..n_columns).any(|at| is_name(at) && figures_below(at));
    if !begins {
        return Group::Rows;
    }
    let title = lines.first().and_then(|line| line.fields.iter().find(|field| !field.trim().is_empty()));
    Group::Table(n_columns, title.map(|title| title.trim().to_owned()))
}
