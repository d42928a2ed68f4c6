//! `millwright remove`: documents and every trace of them go.

use super::{CommandError, count, open_library};
use crate::{
    EXIT_FAILED, EXIT_OK,
    cli::RemoveArgs,
    output::{Output, printable},
};
use millwright_core::{document::DocumentId, index::DocumentRecord, protocol::FailureKind};
use serde::Serialize;
use std::path::PathBuf;

/// What was asked for: `error` and `error_type` are there where something was not found.
#[derive(Serialize)]
struct Removal {
    removed: Vec<Removed>,
    missing: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_type: Option<FailureKind>,
}

#[derive(Serialize)]
struct Removed {
    id: DocumentId,
    name: String,
}

pub(super) fn run(args: &RemoveArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let mut library = open_library(library, output)?;
    let (removed, missing) = choose(&library.documents(), &args.names);
    if !removed.is_empty() {
        let ids: Vec<DocumentId> = removed.iter().map(|record| record.id.clone()).collect();
        pollster::block_on(async {
            library.trash(&ids).await?;
            library.purge(&ids).await
        })?;
    }
    for record in &removed {
        output.line(&format!("removed    {}", printable(&record.name)));
    }
    let error = (!missing.is_empty()).then(|| {
        let names = missing.join(", ");
        format!("Not in the library: {names}. `millwright documents` shows the names.")
    });
    if let Some(error) = &error
        && !output.is_json()
    {
        output.complaint(&printable(error));
    }
    output.line(&format!("{} removed.", count(removed.len(), "document", "documents")));
    let code = if missing.is_empty() { EXIT_OK } else { EXIT_FAILED };
    let removed = removed.into_iter().map(|record| Removed { id: record.id, name: record.name }).collect();
    output.json(&Removal { removed, missing, error_type: error.as_ref().map(|_| FailureKind::NotFound), error });
    Ok(code)
}

/// The records named by name, further name or id, each once, and the names that name nothing.
fn choose(documents: &[DocumentRecord], names: &[String]) -> (Vec<DocumentRecord>, Vec<String>) {
    let mut chosen: Vec<DocumentRecord> = Vec::new();
    let mut missing = Vec::new();
    for name in names {
        // A name goes before an id: somebody may call a file by 32 hexadecimal digits.
        let by_name = documents.iter().find(|record| record.name == *name || record.aliases.contains(name));
        match by_name.or_else(|| documents.iter().find(|record| record.id.as_str() == name)) {
            Some(record) if chosen.iter().any(|other| other.id == record.id) => {}
            Some(record) => chosen.push(record.clone()),
            None => missing.push(name.clone()),
        }
    }
    (chosen, missing)
}
