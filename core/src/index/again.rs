//! Documents that are read again because more of them can be read than before: scans, once the reading model is there.
//!
//! Until the new reading is stored the old one is found and shown. Not for libraries of an older format (`renew`).

use super::{
    DocumentState, IndexError, Library, Prepared,
    layout::{self, CHUNKS_PER_GROUP, NODES_PER_GROUP},
    library::Change,
    record::StoredRecord,
    vectors,
};
use crate::{
    document::DocumentId,
    host::{Batch, Storage, Table},
    protocol::FileOutcome,
};

impl<S: Storage> Library<S> {
    /// Whether a findable document has pages that a reader of scans could read and none did.
    #[must_use]
    pub fn has_unread_scans(&self, id: &DocumentId) -> bool {
        let is_unread =
            |stored: &StoredRecord| stored.record.state == DocumentState::Ready && stored.record.has_unread_scans();
        self.documents.get(id).is_some_and(is_unread)
    }

    /// Puts a new reading of a document in the place of the old one, in one atomic batch. Names, original and the time of
    /// adding stay.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] when the document is not findable any more; any other when nothing was changed.
    pub async fn read_again(&mut self, mut prepared: Prepared) -> Result<FileOutcome, IndexError> {
        let before = self.documents.get(&prepared.id).filter(|stored| stored.record.state == DocumentState::Ready);
        let before = before.ok_or(IndexError::NotFound)?.record.clone();
        let mut batch = Batch::default();
        // The new groups may be fewer.
        layout::delete(&mut batch, Table::Trees, &before.id, before.n_nodes, NODES_PER_GROUP);
        layout::delete(&mut batch, Table::Chunks, &before.id, before.n_chunks, CHUNKS_PER_GROUP);
        vectors::delete(&mut batch, &before.id, before.n_chunks);
        let segment = prepared.stage(&mut batch, self.manifest.next_segment)?;
        let mut record = prepared.into_record(before.size_bytes, before.added_millis);
        (record.name, record.aliases) = (before.name, before.aliases);
        let stored = StoredRecord { record: record.clone(), segment: segment.as_ref().map(|(id, _)| *id) };
        let change = Change { puts: vec![stored], segments: segment.into_iter().collect(), ..Change::default() };
        self.apply(change, batch).await?;
        self.chunk_cache.borrow_mut().retain(|(id, _), _| *id != record.id);
        self.vectors.forget(&record.id);
        Ok(FileOutcome::ReadAgain { record: Box::new(record) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        document::{DocumentBuilder, NodeKind},
        host::{MemoryStorage, NoProgress, StoppedClock, now},
        index::prepare_parsed,
        parse::{Format, ParseWarning, ParseWarningKind, Parsed},
    };

    /// A document of so many paragraphs.
    fn prepared(id: &DocumentId, text: &str, n_paragraphs: usize, warnings: Vec<ParseWarning>) -> Prepared {
        let mut builder = DocumentBuilder::new(id.clone(), "scan.txt");
        for _ in 0..n_paragraphs {
            builder.leaf(NodeKind::Paragraph, text);
        }
        let document = builder.finish();
        prepare_parsed(Parsed { document, warnings, format: Format::Text }, &mut NoProgress).unwrap()
    }

    #[test]
    fn a_new_reading_takes_the_place_of_the_old_one_and_nothing_else_changes() {
        now(async {
            let mut library = Library::open(MemoryStorage::default()).await.unwrap();
            let id = DocumentId::of(b"a scan");
            let message = "Page 1 holds no text: a scan.".to_owned();
            let warning = ParseWarning { kind: ParseWarningKind::ScanNotRead, page: Some(1), message };
            let first = prepared(&id, "The valve is stuck.", 600, vec![warning]);
            assert_eq!(library.read_again(first.clone()).await, Err(IndexError::NotFound));
            library.commit(first, b"a scan", 7).await.unwrap();
            library.add_alias("copy.txt", &id).await.unwrap();
            assert!(library.has_unread_scans(&id));
            // Its chunks are in the cache from here on.
            let found = library.find("stuck valve", 3, &StoppedClock(0)).await.unwrap();
            assert!(found.passages[0].text.contains("valve"));

            let outcome = library.read_again(prepared(&id, "The bearing is worn.", 1, Vec::new())).await.unwrap();
            let FileOutcome::ReadAgain { record } = outcome else { panic!("{outcome:?}") };
            assert_eq!((record.name.as_str(), record.added_millis, record.size_bytes), ("scan.txt", 7, 6));
            assert_eq!(record.aliases, ["copy.txt"]);
            assert!(!library.has_unread_scans(&id));
            let reopened = Library::open(library.storage).await.unwrap();
            let found = reopened.find("worn bearing", 3, &StoppedClock(0)).await.unwrap();
            assert_eq!(found.passages[0].text, "The bearing is worn.");
            assert_eq!(reopened.find("stuck valve", 3, &StoppedClock(0)).await.unwrap().passages, []);
            assert_eq!(reopened.original(&id).await.unwrap().1, b"a scan");
            // Of the hundreds of nodes of the first reading no group is left.
            let keys = reopened.storage.keys(Table::Trees).await.unwrap();
            assert_eq!(keys.len(), 1, "{keys:?}");
        });
    }
}
