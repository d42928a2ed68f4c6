//! What the library keeps about each document.

use super::IndexError;
use crate::{
    document::DocumentId,
    parse::{Format, ParseWarning, ParseWarningKind},
};
use serde::{Deserialize, Serialize};

/// Whether a document can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentState {
    /// Findable.
    Ready,
    /// Removed by the user, not findable, restorable until it is purged (at the latest when the library is opened again).
    Trashed,
    /// Kept from an older format: in the list and not findable until it is read anew.
    Unread,
}

/// What the library keeps about a document, and what lists show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// By content.
    pub id: DocumentId,
    /// The name it was given; unique in the library.
    pub name: String,
    /// Further names under which the same bytes were added.
    pub aliases: Vec<String>,
    /// The title found in it, or the name without its ending.
    pub title: String,
    /// What it is.
    pub format: Format,
    /// Size of the original.
    pub size_bytes: u64,
    /// Number of pages, where the format has pages.
    pub n_pages: Option<u32>,
    /// Number of chunks; 0 for a document in which no text was found.
    pub n_chunks: u32,
    /// Number of nodes of its tree.
    pub n_nodes: u32,
    /// When it was added, milliseconds since 1970.
    pub added_millis: u64,
    /// Whether it can be found.
    pub state: DocumentState,
    /// What the parser had to say.
    pub warnings: Vec<ParseWarning>,
}

impl DocumentRecord {
    /// Whether it has pages that a reader of scans could read and none did.
    #[must_use]
    pub fn has_unread_scans(&self) -> bool {
        self.warnings.iter().any(|warning| warning.kind == ParseWarningKind::ScanNotRead)
    }

    /// Whether its bytes were ever read: every tree has a root. One kept from an older format may never have been.
    pub(super) fn was_read(&self) -> bool {
        self.n_nodes > 0
    }
}

/// What is stored under a document's id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredRecord {
    pub(super) record: DocumentRecord,
    /// The segment its chunks are in; rows of it in any other segment are dead. `None` without chunks.
    pub(super) segment: Option<SegmentId>,
}

/// No document has more nodes or chunks: readers stop at a tenth of it. A record that says so is damaged, and taking its
/// document away would delete millions of rows that were never there.
const MAX_ROWS: u32 = 1 << 24;

impl StoredRecord {
    /// Whether it can be what was stored under this key.
    ///
    /// # Errors
    /// [`IndexError::Damaged`].
    pub(super) fn check(&self, key: &str) -> Result<(), IndexError> {
        let record = &self.record;
        if record.id.as_str() == key && record.n_nodes.max(record.n_chunks) <= MAX_ROWS {
            return Ok(());
        }
        Err(IndexError::Damaged(format!("documents {key}: it is not the record of this document")))
    }
}

/// Numbers segments in the order of their making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct SegmentId(pub(super) u64);

impl SegmentId {
    /// The key in [`crate::host::Table::Segments`].
    pub(super) fn key(self) -> String {
        format!("{:016x}", self.0)
    }

    pub(super) fn from_key(key: &str) -> Option<Self> {
        u64::from_str_radix(key, 16).ok().map(Self)
    }
}

/// The one record of [`crate::host::Table::Manifest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    pub(super) format_version: u32,
    /// Raised by every change, so that other tabs see that something changed.
    pub(super) generation: u64,
    pub(super) next_segment: SegmentId,
}

impl Manifest {
    /// What it is after a change that brings so many segments.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] where its numbers are such as no library reaches.
    pub(super) fn after(self, n_segments: usize) -> Result<Self, IndexError> {
        let next = self.next_segment.0.checked_add(n_segments as u64).map(SegmentId);
        let (Some(next_segment), Some(generation)) = (next, self.generation.checked_add(1)) else {
            return Err(IndexError::Damaged("its first record counts too far".to_owned()));
        };
        Ok(Self { generation, next_segment, ..self })
    }
}
