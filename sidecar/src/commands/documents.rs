//! `millwright documents`: what is in the library.

use super::{CommandError, count, open_library, size};
use crate::{
    EXIT_OK,
    output::{Output, WIDTH, printable, wrap},
};
use millwright_core::index::DocumentRecord;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Listing {
    documents: Vec<DocumentRecord>,
}

pub(super) fn run(library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let library = open_library(library, output)?;
    let listing = Listing { documents: library.documents() };
    output.json(&listing);
    if listing.documents.is_empty() {
        output.line("The library is empty. Add documents with: millwright ingest PATH");
        return Ok(EXIT_OK);
    }
    for record in &listing.documents {
        show(record, output);
    }
    let n_chunks: usize = listing.documents.iter().map(|record| record.n_chunks as usize).sum();
    let total_bytes = listing.documents.iter().map(|record| record.size_bytes).sum();
    let summary = format!(
        "{}, {}, {}",
        count(listing.documents.len(), "document", "documents"),
        count(n_chunks, "chunk", "chunks"),
        size(total_bytes)
    );
    output.line(&output.dim(&summary));
    Ok(EXIT_OK)
}

fn show(record: &DocumentRecord, output: &mut Output) {
    output.line(&output.bold(&printable(&record.name)));
    output.line(&format!("    {}", facts(record)));
    for alias in &record.aliases {
        output.line(&format!("    also added as {}", printable(alias)));
    }
    for warning in &record.warnings {
        let page = warning.page.map(|page| format!("page {page}: ")).unwrap_or_default();
        for line in wrap(&printable(&format!("{page}{}", warning.message)), WIDTH - 4) {
            output.line(&format!("    {line}"));
        }
    }
}

/// `PDF, 12 pages, 80 chunks, 1.2 MB, e3b0…`.
fn facts(record: &DocumentRecord) -> String {
    let mut facts = vec![record.format.label().to_owned()];
    facts.extend(record.n_pages.map(|n_pages| count(n_pages as usize, "page", "pages")));
    facts.push(match record.n_chunks {
        0 => "no text found".to_owned(),
        n => count(n as usize, "chunk", "chunks"),
    });
    facts.push(size(record.size_bytes));
    facts.push(record.id.to_string());
    facts.join(", ")
}
