//! What stands beside a sheet in parts of its own: tables and remarks as records, threads and drawings as XML.

use super::{Records, Relation, part, records::text, sheet::range};
use crate::parse::{
    package::Package,
    sheets::{
        bytes::Fields,
        grid::{DeclaredTable, Grid, GridComment},
        short_name,
        xlsx::extras as xml,
    },
};
use std::collections::BTreeMap;

/// Remarks of one sheet beyond this are left out.
const MAX_REMARKS: usize = 10_000;

/// Adds to a sheet what its parts say.
pub(super) fn add(package: &mut Package<'_>, relations: &BTreeMap<String, Relation>, grid: &mut Grid) {
    for relation in relations.values().take(MAX_REMARKS) {
        match relation.kind.as_str() {
            "table" => grid.tables.extend(part(package, Some(relation)).and_then(|content| table(&content))),
            "comments" => remarks(&part(package, Some(relation)).unwrap_or_default(), grid),
            "drawing" => xml::drawing_part(package, &relation.target, grid),
            _ => {}
        }
    }
}

fn table(content: &[u8]) -> Option<DeclaredTable> {
    let (_, bytes) = Records::new(content).find(|(kind, _)| *kind == 343)?;
    let mut fields = Fields::new(bytes);
    let cells = range(&mut fields)?;
    fields.take(8)?;
    let (n_header_rows, n_total_rows) = (fields.u32()?, fields.u32()?);
    // Flags and the numbers of styles.
    fields.take(32)?;
    let name = text(&mut fields).unwrap_or_default();
    Some(DeclaredTable { name, cells, n_header_rows, n_total_rows })
}

fn remarks(content: &[u8], grid: &mut Grid) {
    let mut authors = Vec::new();
    let mut current = None;
    for (kind, bytes) in Records::new(content) {
        let mut fields = Fields::new(bytes);
        match kind {
            632 => authors.extend(text(&mut fields).map(short_name)),
            635 => {
                let author = fields.u32().and_then(|at| authors.get(at as usize)).cloned().unwrap_or_default();
                current = range(&mut fields).map(|cells| (cells, author));
            }
            637 => {
                let text = fields.u8().and_then(|_| text(&mut fields)).unwrap_or_default();
                let Some((cells, author)) = current.take() else { continue };
                let text = text.strip_prefix(&format!("{author}:")).unwrap_or(&text).trim().to_owned();
                if !text.is_empty() && grid.comments.len() < MAX_REMARKS {
                    grid.comments.push(GridComment { row: cells.first_row, column: cells.first_column, author, text });
                }
            }
            _ => {}
        }
    }
}
