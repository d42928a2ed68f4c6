//! Opening the library, taking documents in, removing them. Every change is one atomic batch; what is in memory changes
//! only after the batch was stored.

use super::{
    FORMAT_VERSION, IndexError, Known, Prepared,
    drafts::DraftDocument,
    layout,
    record::{DocumentRecord, DocumentState, Manifest, SegmentId, StoredRecord},
    renew,
    vectors::{self, Vectors},
};
use crate::{
    chunk::Chunk,
    document::DocumentId,
    host::{Batch, Storage, Table},
    lexical::{Searcher, Segment},
    protocol::FileOutcome,
};
use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};

pub(super) const MANIFEST_KEY: &str = "manifest";

/// A group of chunks in memory, by document and group.
pub(super) type ChunkCache = BTreeMap<(DocumentId, usize), Rc<Vec<Chunk>>>;

/// A library over a store.
pub struct Library<S> {
    pub(super) storage: S,
    pub(super) manifest: Manifest,
    pub(super) documents: BTreeMap<DocumentId, StoredRecord>,
    pub(super) segments: BTreeMap<SegmentId, Segment>,
    /// Documents still being read. Never stored.
    pub(super) drafts: BTreeMap<DocumentId, DraftDocument>,
    pub(super) vectors: Vectors,
    /// Made when first needed after a change.
    pub(super) searcher: RefCell<Option<Rc<Searcher>>>,
    pub(super) chunk_cache: RefCell<ChunkCache>,
}

impl<S> fmt::Debug for Library<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Library({} documents in {} segments)", self.documents.len(), self.segments.len())
    }
}

impl<S: Storage> Library<S> {
    /// Opens the library in a store, as its only writer: purges what was left in the trash. An empty store is an empty
    /// library; of one of an older format the originals are kept, and [`Self::unread`] names them.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be used, is damaged or of another format.
    pub async fn open(storage: S) -> Result<Self, IndexError> {
        if stored_version(&storage).await?.is_some_and(|version| (1..FORMAT_VERSION).contains(&version)) {
            renew::begin(&storage).await?;
        }
        let mut library = Self::open_follower(storage).await?;
        let trashed = |(id, stored): (&DocumentId, &StoredRecord)| {
            (stored.record.state == DocumentState::Trashed).then(|| id.clone())
        };
        let trashed: Vec<DocumentId> = library.documents.iter().filter_map(trashed).collect();
        library.purge(&trashed).await?;
        Ok(library)
    }

    /// Opens the library without ever writing: for a tab or process beside the one that writes. An empty store is an
    /// empty library; changes come in through [`Self::refresh`].
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be used, is damaged or of another format.
    pub async fn open_follower(storage: S) -> Result<Self, IndexError> {
        let manifest = Manifest { format_version: FORMAT_VERSION, generation: 0, next_segment: SegmentId(0) };
        let mut library = Self {
            storage,
            manifest,
            documents: BTreeMap::new(),
            segments: BTreeMap::new(),
            drafts: BTreeMap::new(),
            vectors: Vectors::default(),
            searcher: RefCell::default(),
            chunk_cache: RefCell::default(),
        };
        library.load().await?;
        Ok(library)
    }

    /// The store.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// Takes in what another tab or process wrote; `true` if anything changed. O(1) if nothing did.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn refresh(&mut self) -> Result<bool, IndexError> {
        match self.stored_manifest().await? {
            Some(manifest) if manifest == self.manifest => Ok(false),
            None if self.documents.is_empty() => Ok(false),
            _ => self.load().await.map(|()| true),
        }
    }

    /// What the library knows of a file, by name and content.
    #[must_use]
    pub fn check(&self, name: &str, id: &DocumentId) -> Known {
        if let Some(stored) = self.documents.get(id)
            && stored.record.state == DocumentState::Ready
            && stored.record.was_read()
        {
            let record = &stored.record;
            return if record.name == name || record.aliases.iter().any(|alias| alias == name) {
                Known::Unchanged
            } else {
                Known::SameContent { name: record.name.clone() }
            };
        }
        self.named(name).map_or(Known::New, |record| Known::Replaces(record.id.clone()))
    }

    /// Notes a further name of a document already there; returns what to tell the user. A document that had the name
    /// before loses it, and goes if it has no other.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn add_alias(&mut self, name: &str, id: &DocumentId) -> Result<FileOutcome, IndexError> {
        let mut stored = self.documents.get(id).ok_or(IndexError::NotFound)?.clone();
        let mut change = Change::default();
        self.take_name_away(name, &mut change);
        stored.record.aliases.push(name.to_owned());
        let listed = stored.record.name.clone();
        change.puts.push(stored);
        self.apply(change, Batch::default()).await?;
        Ok(FileOutcome::SameContent { name: listed })
    }

    /// Takes a prepared document in, replacing an older one of the same name, in one atomic batch.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn commit(
        &mut self,
        mut prepared: Prepared,
        original: &[u8],
        now_millis: u64,
    ) -> Result<FileOutcome, IndexError> {
        match self.check(&prepared.name, &prepared.id) {
            Known::Unchanged => return Ok(FileOutcome::Unchanged),
            Known::SameContent { .. } => return self.add_alias(&prepared.name, &prepared.id).await,
            Known::New | Known::Replaces(_) => {}
        }
        let mut change = Change::default();
        let unread = self
            .documents
            .get(&prepared.id)
            .filter(|stored| stored.record.state != DocumentState::Trashed && !stored.record.was_read());
        let unread = unread.map(|stored| stored.record.clone());
        let replaced = unread.is_none() && self.take_name_away(&prepared.name, &mut change);
        let mut batch = Batch::default();
        let segment = prepared.stage(&mut batch, self.manifest.next_segment)?;
        let mut record = prepared.into_record(original.len() as u64, now_millis);
        if let Some(unread) = unread {
            // Read anew, it is what it was to the user.
            (record.name, record.aliases, record.added_millis) = (unread.name, unread.aliases, unread.added_millis);
        }
        // The same bytes may lie in the trash: the new record takes the old one's place.
        change.removals.retain(|id| *id != record.id);
        change.puts.push(StoredRecord { record: record.clone(), segment: segment.as_ref().map(|(id, _)| *id) });
        batch.put(Table::Originals, record.id.as_str(), original.to_vec());
        change.segments.extend(segment);
        self.apply(change, batch).await?;
        let record = Box::new(record);
        Ok(if replaced { FileOutcome::Replaced { record } } else { FileOutcome::Added { record } })
    }

    /// Hides documents, restorably. Unknown ones are passed over.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn trash(&mut self, documents: &[DocumentId]) -> Result<(), IndexError> {
        self.set_state(documents, DocumentState::Trashed).await
    }

    /// Brings hidden documents back. One whose name was taken meanwhile by another is listed as "name (restored)".
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn restore(&mut self, documents: &[DocumentId]) -> Result<(), IndexError> {
        self.set_state(documents, DocumentState::Ready).await
    }

    /// Removes every trace of documents: record, tree, chunks, original, and their postings.
    ///
    /// # Errors
    /// [`IndexError`] when something could not be removed; what was removed until then stays removed.
    pub async fn purge(&mut self, documents: &[DocumentId]) -> Result<(), IndexError> {
        let removals: Vec<DocumentId> =
            documents.iter().filter(|id| self.documents.contains_key(id)).cloned().collect();
        if removals.is_empty() {
            return Ok(());
        }
        self.apply(Change { removals, ..Change::default() }, Batch::default()).await?;
        while self.rewrite_one_dirty_segment().await? {}
        Ok(())
    }

    /// The documents, ascending by name: the findable ones, and those that wait to be read anew.
    #[must_use]
    pub fn documents(&self) -> Vec<DocumentRecord> {
        let mut records: Vec<DocumentRecord> = self.listed().cloned().collect();
        records.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.id.cmp(&b.id)));
        records
    }

    /// The documents that can be found, the newest first.
    pub(super) fn newest_first(&self) -> Vec<&DocumentRecord> {
        let mut records: Vec<&DocumentRecord> =
            self.listed().filter(|record| record.state == DocumentState::Ready).collect();
        records.sort_by(|a, b| b.added_millis.cmp(&a.added_millis).then_with(|| a.id.cmp(&b.id)));
        records
    }

    fn listed(&self) -> impl Iterator<Item = &DocumentRecord> {
        self.documents.values().map(|stored| &stored.record).filter(|record| record.state != DocumentState::Trashed)
    }

    fn named(&self, name: &str) -> Option<&DocumentRecord> {
        self.listed().find(|record| record.name == name || record.aliases.iter().any(|alias| alias == name))
    }

    /// Plans that no ready document has a name any more; `true` if a whole document goes with it.
    fn take_name_away(&self, name: &str, change: &mut Change) -> bool {
        let Some(record) = self.named(name) else { return false };
        let mut names: Vec<String> = [&record.name].into_iter().chain(&record.aliases).cloned().collect();
        names.retain(|other| other != name);
        if names.is_empty() {
            change.removals.push(record.id.clone());
            return true;
        }
        if let Some(stored) = self.documents.get(&record.id) {
            let mut stored = stored.clone();
            stored.record.name = names.remove(0);
            stored.record.aliases = names;
            change.puts.push(stored);
        }
        false
    }

    async fn set_state(&mut self, documents: &[DocumentId], state: DocumentState) -> Result<(), IndexError> {
        let mut change = Change::default();
        for id in documents {
            if let Some(stored) = self.documents.get(id)
                && stored.record.state != state
            {
                let mut stored = stored.clone();
                // What was never read cannot be found when it comes back.
                let never_read = state == DocumentState::Ready && !stored.record.was_read();
                stored.record.state = if never_read { DocumentState::Unread } else { state };
                if state == DocumentState::Ready && self.named(&stored.record.name).is_some() {
                    stored.record.name.push_str(" (restored)");
                }
                change.puts.push(stored);
            }
        }
        if change.puts.is_empty() {
            return Ok(());
        }
        self.apply(change, Batch::default()).await
    }

    /// Stores a change with what else belongs to it, then makes it in memory.
    pub(super) async fn apply(&mut self, change: Change, mut batch: Batch) -> Result<(), IndexError> {
        for id in &change.removals {
            if let Some(stored) = self.documents.get(id) {
                let record = &stored.record;
                layout::delete(&mut batch, Table::Trees, id, record.n_nodes, layout::NODES_PER_GROUP);
                layout::delete(&mut batch, Table::Chunks, id, record.n_chunks, layout::CHUNKS_PER_GROUP);
                vectors::delete(&mut batch, id, record.n_chunks);
                batch.delete(Table::Originals, id.as_str());
                batch.delete(Table::Documents, id.as_str());
            }
        }
        for stored in &change.puts {
            let bytes = postcard::to_stdvec(stored).map_err(|error| IndexError::Damaged(error.to_string()))?;
            batch.put(Table::Documents, stored.record.id.as_str(), bytes);
        }
        for id in &change.dropped_segments {
            batch.delete(Table::Segments, id.key());
        }
        let manifest = self.manifest.after(change.segments.len())?;
        let bytes = postcard::to_stdvec(&manifest).map_err(|error| IndexError::Damaged(error.to_string()))?;
        batch.put(Table::Manifest, MANIFEST_KEY, bytes);
        self.storage.commit(batch).await?;

        self.manifest = manifest;
        for id in &change.removals {
            self.documents.remove(id);
            self.vectors.forget(id);
        }
        for id in &change.dropped_segments {
            self.segments.remove(id);
        }
        self.segments.extend(change.segments);
        for stored in &change.puts {
            self.drafts.remove(&stored.record.id);
        }
        self.documents.extend(change.puts.into_iter().map(|stored| (stored.record.id.clone(), stored)));
        self.forget_derived();
        Ok(())
    }

    /// Drops what is made from the rest: the searcher, and the chunks of documents that are gone.
    fn forget_derived(&mut self) {
        self.searcher.take();
        let documents = &self.documents;
        self.chunk_cache.borrow_mut().retain(|(id, _), _| documents.contains_key(id));
    }

    async fn stored_manifest(&self) -> Result<Option<Manifest>, IndexError> {
        let Some(bytes) = self.storage.get(Table::Manifest, MANIFEST_KEY).await? else { return Ok(None) };
        let version = version_of(&bytes);
        match version {
            FORMAT_VERSION => {}
            0 => return Err(IndexError::Damaged("its first record".to_owned())),
            older if older < FORMAT_VERSION => return Err(IndexError::Outdated),
            found => return Err(IndexError::Format { found }),
        }
        layout::unpack(Table::Manifest, MANIFEST_KEY, &bytes).map(Some)
    }

    /// Reads manifest, records and the segments not yet open.
    async fn load(&mut self) -> Result<(), IndexError> {
        if let Some(manifest) = self.stored_manifest().await? {
            self.manifest = manifest;
        }
        let mut documents = BTreeMap::new();
        for (key, bytes) in self.storage.scan(Table::Documents).await? {
            let stored: StoredRecord = layout::unpack(Table::Documents, &key, &bytes)?;
            stored.check(&key)?;
            documents.insert(stored.record.id.clone(), stored);
        }
        let mut segments = BTreeMap::new();
        for key in self.storage.keys(Table::Segments).await? {
            let Some(id) = SegmentId::from_key(&key) else { continue };
            let segment = match self.segments.remove(&id) {
                Some(open) => open,
                // A writer may have merged it away between the two reads: what is left is then read next time.
                None => match self.storage.get(Table::Segments, &key).await? {
                    Some(bytes) => Segment::open(&bytes)?,
                    None => continue,
                },
            };
            segments.insert(id, segment);
        }
        self.documents = documents;
        self.segments = segments;
        self.forget_derived();
        Ok(())
    }
}

/// The version of a manifest, 0 where it cannot be read. It comes first, so that it can be read whatever follows.
fn version_of(manifest: &[u8]) -> u32 {
    postcard::take_from_bytes(manifest).map_or(0, |(version, _)| version)
}

async fn stored_version(storage: &impl Storage) -> Result<Option<u32>, IndexError> {
    Ok(storage.get(Table::Manifest, MANIFEST_KEY).await?.map(|manifest| version_of(&manifest)))
}

/// A change of what is in memory, made after it was stored.
#[derive(Default)]
pub(super) struct Change {
    pub(super) puts: Vec<StoredRecord>,
    pub(super) removals: Vec<DocumentId>,
    /// New segments, numbered from the manifest's `next_segment`.
    pub(super) segments: Vec<(SegmentId, Segment)>,
    pub(super) dropped_segments: Vec<SegmentId>,
}
