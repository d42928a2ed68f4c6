//! Libraries of an older format: their originals are kept, and every document is read anew from its own.
//!
//! Not for reading, which may crash and so happens elsewhere: this plans it, and [`Library::commit`] takes what came out.

use super::{
    DocumentRecord, DocumentState, FORMAT_VERSION, IndexError, Library,
    library::{Change, MANIFEST_KEY},
    record::{Manifest, SegmentId, StoredRecord},
    vectors,
};
use crate::{
    document::DocumentId,
    host::{Batch, Storage, Table},
    parse::{Format, ParseWarning, ParseWarningKind},
};

/// The beginning of a record, which is the same in every format so far: id, name, aliases, title, format, size, pages,
/// chunks, nodes, time, state.
type OldRecord = (DocumentId, String, Vec<String>, String, Format, u64, Option<u32>, u32, u32, u64, DocumentState);

/// Empties a store of an older format of all but originals and of what is known about them, in one batch.
///
/// # Errors
/// [`IndexError`] when nothing was changed.
pub(super) async fn begin(storage: &impl Storage) -> Result<(), IndexError> {
    let mut batch = Batch::default();
    for table in [Table::Trees, Table::Chunks, Table::Segments, Table::Vectors] {
        for key in storage.keys(table).await? {
            batch.delete(table, key);
        }
    }
    batch.delete(Table::Manifest, vectors::MODEL_KEY);
    for (key, bytes) in storage.scan(Table::Documents).await? {
        match postcard::take_from_bytes::<OldRecord>(&bytes).map(|(old, _)| old) {
            Ok((.., DocumentState::Trashed)) => {
                batch.delete(Table::Documents, key.clone());
                batch.delete(Table::Originals, key);
            }
            Ok((id, name, aliases, title, format, size_bytes, _, _, _, added_millis, _)) => {
                let record = DocumentRecord {
                    id,
                    name,
                    aliases,
                    title,
                    format,
                    size_bytes,
                    n_pages: None,
                    n_chunks: 0,
                    n_nodes: 0,
                    added_millis,
                    state: DocumentState::Unread,
                    warnings: Vec::new(),
                };
                batch.put(Table::Documents, key, packed(&StoredRecord { record, segment: None })?);
            }
            Err(error) => return Err(IndexError::Damaged(format!("documents {key}: {error}"))),
        }
    }
    let old = storage.get(Table::Manifest, MANIFEST_KEY).await?.unwrap_or_default();
    let old = postcard::take_from_bytes::<Manifest>(&old).map(|(manifest, _)| manifest).ok();
    let manifest = Manifest {
        format_version: FORMAT_VERSION,
        generation: old.map_or(1, |old| old.generation.saturating_add(1)),
        next_segment: old.map_or(SegmentId(0), |old| old.next_segment),
    };
    batch.put(Table::Manifest, MANIFEST_KEY, packed(&manifest)?);
    Ok(storage.commit(batch).await?)
}

/// Removes everything from a store, whatever it is.
///
/// # Errors
/// [`IndexError::Storage`] when nothing was changed.
pub async fn clear(storage: &impl Storage) -> Result<(), IndexError> {
    let mut batch = Batch::default();
    for table in Table::ALL {
        for key in storage.keys(table).await? {
            batch.delete(table, key);
        }
    }
    Ok(storage.commit(batch).await?)
}

impl<S: Storage> Library<S> {
    /// The documents kept from an older format that wait to be read anew, ascending by name: read
    /// [`original`](Self::original), then [`commit`](Self::commit) or [`give_up`](Self::give_up).
    #[must_use]
    pub fn unread(&self) -> Vec<(DocumentId, String)> {
        let records = self.documents().into_iter().filter(|record| record.state == DocumentState::Unread);
        records.map(|record| (record.id, record.name)).collect()
    }

    /// Keeps a document that could not be read anew, with the reason; nothing in it will be found.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn give_up(&mut self, id: &DocumentId, reason: &str) -> Result<(), IndexError> {
        let mut stored = self.documents.get(id).ok_or(IndexError::NotFound)?.clone();
        stored.record.state = DocumentState::Ready;
        stored.record.warnings = vec![ParseWarning {
            kind: ParseWarningKind::Damaged,
            page: None,
            message: format!("This version of Millwright could not read it again: {reason}"),
        }];
        self.apply(Change { puts: vec![stored], ..Change::default() }, Batch::default()).await
    }
}

fn packed(value: &impl serde::Serialize) -> Result<Vec<u8>, IndexError> {
    postcard::to_stdvec(value).map_err(|error| IndexError::Damaged(error.to_string()))
}
