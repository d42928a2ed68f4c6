//! Documents that are still being read: found and shown like others, but in memory alone. The finished document takes
//! the draft's place in one step, and nothing remains of it.

use super::{DocumentRecord, DocumentState, IndexError, Library, Prepared, layout};
use crate::{
    chunk::Chunk,
    document::{DocumentId, Node},
    host::{Storage, Table},
    lexical::Segment,
    protocol::ReadSoFar,
};
use serde::de::DeserializeOwned;

/// A document of which the first pages were read.
#[derive(Debug)]
pub(super) struct DraftDocument {
    pub(super) record: DocumentRecord,
    pub(super) nodes: Vec<Node>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) segment: Option<Segment>,
    pub(super) reading: ReadSoFar,
}

impl<S: Storage> Library<S> {
    /// Shows the first pages of a document that is still being read, in the place of those shown before. Does nothing
    /// where the whole document is there. Nothing is stored.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when it is not what [`super::prepare_parsed`] made.
    pub fn show_draft(&mut self, prepared: Prepared, reading: ReadSoFar, now_millis: u64) -> Result<(), IndexError> {
        if self.documents.get(&prepared.id).is_some_and(|stored| stored.record.state == DocumentState::Ready) {
            return Ok(());
        }
        let nodes = unpack(Table::Trees, &prepared.nodes)?;
        let chunks = unpack(Table::Chunks, &prepared.chunks)?;
        let segment = prepared.segment.as_deref().map(Segment::open).transpose()?;
        let record = prepared.into_record(0, now_millis);
        let id = record.id.clone();
        self.drafts.insert(id, DraftDocument { record, nodes, chunks, segment, reading });
        self.searcher.take();
        Ok(())
    }

    /// Takes back what [`Self::show_draft`] showed, because the document was not read to its end; `true` if anything was.
    pub fn drop_draft(&mut self, id: &DocumentId) -> bool {
        let was_there = self.drafts.remove(id).is_some();
        if was_there {
            self.searcher.take();
        }
        was_there
    }
}

fn unpack<T: DeserializeOwned>(table: Table, rows: &layout::Rows) -> Result<Vec<T>, IndexError> {
    let mut all = Vec::new();
    for bytes in rows {
        all.append(&mut layout::unpack::<Vec<T>>(table, "of a draft", bytes)?);
    }
    Ok(all)
}
