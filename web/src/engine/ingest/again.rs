//! Documents of the library that are read again, with their scans, from their originals. What was read before is found
//! until the new reading is stored, and stays if it is stopped.

use super::{Job, store_failure};
use crate::engine::{
    Engine,
    reading::{News, Reader, Unread},
    shelf::Urgency,
};
use js_sys::Uint8Array;
use millwright_core::{
    document::DocumentId,
    protocol::{FileOutcome, IngestStage, Unit},
};

/// Reads one again; `count` hears how far it is.
pub(super) async fn read(
    engine: &Engine,
    reader: &mut Reader,
    job: &Job,
    document: &DocumentId,
    count: &impl Fn(IngestStage, u32, u32, Unit),
) -> Result<FileOutcome, Unread> {
    let (name, original) = {
        let library = engine.library(Urgency::Idle).await.map_err(Unread::Failed)?;
        if !library.has_unread_scans(document) {
            // Removed, or read again in the meantime.
            return Ok(FileOutcome::Unchanged);
        }
        library.original(document).await.map_err(store_failure)?
    };
    let bytes = Uint8Array::from(original.as_slice()).buffer();
    drop(original);
    reader.take(&name, &bytes, job.request.password.as_ref(), &job.cancellation).await?;
    let read = reader.read(&name, &job.cancellation, async |news| match news {
        News::Progress { stage, done, total, unit } => count(stage, done, total, unit),
        News::Indexing => count(IngestStage::Indexing, 0, 0, Unit::Parts),
        // The whole document of before is there already.
        News::Draft(..) => {}
    });
    let (prepared, _) = read.await?;
    count(IngestStage::Storing, 0, 0, Unit::Parts);
    let mut library = engine.library(Urgency::Ingestion).await.map_err(Unread::Failed)?;
    if job.cancellation.is_cancelled() {
        return Err(Unread::Cancelled);
    }
    let outcome = library.read_again(prepared).await.map_err(store_failure)?;
    engine.changed.ask();
    Ok(outcome)
}
