//! The table of candidates: one row each, with what every stage said of it. Wider than a terminal, so it comes in parts, each
//! led by the rank.

use crate::output::{Output, WIDTH, printable, wrap};
use millwright_core::{
    protocol::Found,
    retrieve::{Column, ExplainedRow, Route},
};

/// Text in a column is cut after so many characters.
const MAX_CELL_CHARS: usize = 30;
/// Stands where a column does not apply.
const NOTHING: &str = "–";
/// Between columns.
const GAP: &str = "  ";

pub(super) fn show(found: &Found, output: &mut Output) {
    let route = match found.routing.route {
        Route::Exact => "exact",
        Route::Lexical => "lexical",
        Route::Hybrid => "hybrid",
        Route::Mixed => "mixed",
    };
    output.line("");
    let line = format!("Route: {route}. {}", found.routing.reason);
    wrap(&printable(&line), WIDTH).iter().for_each(|line| output.line(line));
    let passages = found.passages.iter().map(|passage| passage.explained());
    let mut rows: Vec<ExplainedRow<'_>> = passages.chain(found.others.iter().map(|other| other.explained())).collect();
    rows.sort_by_key(|row| row.explanation.rank);
    for line in table(&rows) {
        output.line(&line);
    }
}

/// The lines of the table.
fn table(rows: &[ExplainedRow<'_>]) -> Vec<String> {
    let columns: Vec<Vec<String>> = Column::ALL.into_iter().map(|column| cells(rows, column)).collect();
    let widths: Vec<usize> =
        columns.iter().map(|cells| cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let mut lines = Vec::new();
    let mut from = 1;
    while from < columns.len() {
        // The rank, then as many columns as fit; one at least.
        let mut width = widths[0] + GAP.len() + widths[from];
        let mut end = from + 1;
        while end < columns.len() && width + GAP.len() + widths[end] <= WIDTH {
            width += GAP.len() + widths[end];
            end += 1;
        }
        lines.push(String::new());
        let part = || std::iter::once(0).chain(from..end);
        let line = |at: usize| {
            let padded = part().map(|column| {
                let (cell, width) = (&columns[column][at], widths[column]);
                if Column::ALL[column].is_numeric() { format!("{cell:>width$}") } else { format!("{cell:width$}") }
            });
            padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
        };
        // The titles stand over the rows.
        lines.extend((0..=rows.len()).map(line));
        from = end;
    }
    lines
}

/// A column's title and cells.
fn cells(rows: &[ExplainedRow<'_>], column: Column) -> Vec<String> {
    let cells = rows.iter().map(|row| row.cell(column).unwrap_or_else(|| NOTHING.to_owned()));
    std::iter::once(column.title().to_owned())
        .chain(cells.map(|cell| cut(&printable(&cell).replace('\n', " "))))
        .collect()
}

fn cut(cell: &str) -> String {
    if cell.chars().count() <= MAX_CELL_CHARS {
        return cell.to_owned();
    }
    cell.chars().take(MAX_CELL_CHARS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::{chunk::ChunkKind, retrieve::Explanation};

    #[test]
    fn every_part_fits_and_has_every_row() {
        let explanation = Explanation { track: "question".into(), bm25: Some(12.5), rank: 1, ..Explanation::default() };
        let path = vec!["A heading that is longer than any column may be".to_owned()];
        let row = ExplainedRow {
            name: "a/very/long/folder/with/a/long/name.pdf",
            page: Some(12),
            kind: ChunkKind::Text,
            heading_path: &path,
            explanation: &explanation,
        };
        let lines = table(&[row, row]);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:#?}");
        for column in Column::ALL {
            assert!(lines.iter().any(|line| line.contains(column.title())), "{column:?}");
        }
        assert!(lines.iter().any(|line| line.contains("12.500")) && lines.iter().any(|line| line.contains(NOTHING)));
    }
}
