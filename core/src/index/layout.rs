//! How trees and chunks are laid out in the store: in groups, so that showing a passage of a long document reads a few
//! kilobytes and not the whole document.

use super::IndexError;
use crate::{
    document::DocumentId,
    host::{Batch, Storage, Table},
};
use serde::{Serialize, de::DeserializeOwned};

/// Nodes in one stored value.
pub(super) const NODES_PER_GROUP: usize = 256;
/// Chunks in one stored value.
pub const CHUNKS_PER_GROUP: usize = 32;

/// Packed groups in order.
pub(super) type Rows = Vec<Vec<u8>>;

pub(super) fn pack<T: Serialize>(rows: &[T], per_group: usize) -> Rows {
    rows.chunks(per_group).map(|group| postcard::to_stdvec(group).unwrap_or_default()).collect()
}

/// The key of a group; ascending keys are ascending groups.
pub(super) fn key(document: &DocumentId, group: usize) -> String {
    format!("{document}:{group:06}")
}

/// The document and group of a key.
pub(super) fn parse_key(key: &str) -> Option<(DocumentId, u32)> {
    let (document, group) = key.rsplit_once(':')?;
    Some((DocumentId::parse(document)?, group.parse().ok()?))
}

pub(super) fn put(batch: &mut Batch, table: Table, document: &DocumentId, rows: Rows) {
    for (group, bytes) in rows.into_iter().enumerate() {
        batch.put(table, key(document, group), bytes);
    }
}

pub(super) fn delete(batch: &mut Batch, table: Table, document: &DocumentId, n_rows: u32, per_group: usize) {
    for group in 0..(n_rows as usize).div_ceil(per_group) {
        batch.delete(table, key(document, group));
    }
}

/// One group of rows.
pub(super) async fn load<T: DeserializeOwned>(
    storage: &impl Storage,
    table: Table,
    document: &DocumentId,
    group: usize,
) -> Result<Vec<T>, IndexError> {
    let key = key(document, group);
    let bytes = storage.get(table, &key).await?;
    let bytes = bytes.ok_or_else(|| IndexError::Damaged(format!("{} {key} is missing", table.name())))?;
    unpack(table, &key, &bytes)
}

/// Reads a stored value back.
pub(super) fn unpack<T: DeserializeOwned>(table: Table, key: &str, bytes: &[u8]) -> Result<T, IndexError> {
    postcard::from_bytes(bytes).map_err(|error| IndexError::Damaged(format!("{} {key}: {error}", table.name())))
}
