//! The vectors of chunks: kept in groups beside the chunks, made bit by bit, all by one model.
//!
//! A document is findable by its words as soon as it is committed; its vectors come later, newest documents first, and
//! each group that was stored stays stored. Not for making vectors: a host embeds what [`Library::without_vectors`] gives
//! and hands it to [`Library::commit_vectors`].

use super::{
    DocumentRecord, IndexError, Library, layout,
    layout::CHUNKS_PER_GROUP,
    record::{DocumentState, StoredRecord},
};
use crate::{
    chunk::{Chunk, ChunkId},
    dense::{Code, Flat, VectorIndex},
    document::{DocumentId, file_stem},
    host::{Batch, Storage, Table},
    models::ModelIdentity,
};
use std::collections::{BTreeMap, BTreeSet};

/// Where [`Table::Manifest`] says which model the vectors were made with.
pub(super) const MODEL_KEY: &str = "vectors";

/// The vectors in memory.
#[derive(Debug, Default)]
pub(super) struct Vectors {
    /// Whose they are; `None` while there are none.
    model: Option<ModelIdentity>,
    index: Flat,
    /// By document: the groups whose vectors are stored.
    groups: BTreeMap<DocumentId, BTreeSet<u32>>,
    /// The vectors of documents of which not all groups are there.
    unfinished: BTreeMap<DocumentId, Vec<(u32, Code)>>,
    /// By document: how often its vectors were forgotten. What is made for chunks of before must not come in after.
    readings: BTreeMap<DocumentId, u32>,
}

/// Texts that want vectors: the chunks of one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorGroup {
    /// Their document.
    pub document: DocumentId,
    /// Which of its groups.
    pub group: u32,
    /// What to embed, a text a chunk.
    pub texts: Vec<String>,
    reading: u32,
}

impl VectorGroup {
    /// The group with its vectors, one a text, in their order; `None` for a text that has none.
    #[must_use]
    pub fn embedded(&self, codes: Vec<Option<Code>>) -> EmbeddedGroup {
        EmbeddedGroup { document: self.document.clone(), group: self.group, reading: self.reading, codes }
    }
}

/// The vectors of a group: see [`VectorGroup::embedded`].
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedGroup {
    document: DocumentId,
    group: u32,
    reading: u32,
    codes: Vec<Option<Code>>,
}

/// How far embedding is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Embedded {
    /// Findable chunks that have vectors.
    pub n_done: u32,
    /// Findable chunks.
    pub n_chunks: u32,
}

impl Vectors {
    /// Begins anew with the vectors of another model, or none.
    fn restart(&mut self, model: Option<ModelIdentity>) {
        let index = Flat::new(model.as_ref().map_or(0, |model| model.dims));
        *self = Self { model, index, readings: std::mem::take(&mut self.readings), ..Self::default() };
    }

    /// Takes a document's vectors out of memory.
    pub(super) fn forget(&mut self, document: &DocumentId) {
        *self.readings.entry(document.clone()).or_insert(0) += 1;
        if self.groups.remove(document).is_some() {
            self.unfinished.remove(document);
            self.index.remove(document);
        }
    }

    fn reading(&self, document: &DocumentId) -> u32 {
        self.readings.get(document).copied().unwrap_or(0)
    }

    fn add(&mut self, document: &DocumentId, n_groups: u32, group: u32, codes: Vec<(u32, Code)>) {
        let groups = self.groups.entry(document.clone()).or_default();
        if !groups.insert(group) {
            return;
        }
        let is_whole = groups.len() >= n_groups as usize;
        let mut all = self.unfinished.remove(document).unwrap_or_default();
        all.extend(codes);
        self.index.insert(document, &all);
        if !is_whole {
            self.unfinished.insert(document.clone(), all);
        }
    }
}

/// Plans the removal of everything stored of a document's vectors.
pub(super) fn delete(batch: &mut Batch, document: &DocumentId, n_chunks: u32) {
    layout::delete(batch, Table::Vectors, document, n_chunks, CHUNKS_PER_GROUP);
}

/// Groups of a document's chunks.
fn n_groups(record: &DocumentRecord) -> u32 {
    record.n_chunks.div_ceil(CHUNKS_PER_GROUP as u32)
}

/// Chunks of one group: all but the last are full.
fn n_in_group(record: &DocumentRecord, group: u32) -> u32 {
    record.n_chunks.saturating_sub(group.saturating_mul(CHUNKS_PER_GROUP as u32)).min(CHUNKS_PER_GROUP as u32)
}

/// What is embedded of a chunk: what it stands under, then what it says.
fn embedding_text(record: &DocumentRecord, chunk: &Chunk) -> String {
    let mut text = String::new();
    // A title that only repeats the file's name says less than headings do.
    let title = Some(&record.title).filter(|title| **title != file_stem(&record.name));
    let headings = chunk.heading_path.iter().filter(|heading| **heading != record.title);
    for part in title.into_iter().chain(headings) {
        text.push_str(part);
        text.push_str(". ");
    }
    text.push_str(&chunk.text);
    text
}

impl<S: Storage> Library<S> {
    /// The model that the stored vectors were made with; `None` while there are none.
    #[must_use]
    pub fn vectors_model(&self) -> Option<&ModelIdentity> {
        self.vectors.model.as_ref()
    }

    /// The vectors, to be searched.
    #[must_use]
    pub fn vectors(&self) -> &dyn VectorIndex {
        &self.vectors.index
    }

    /// Whether a document's vectors are searched.
    pub(super) fn is_findable(&self, document: &DocumentId) -> bool {
        self.documents.get(document).is_some_and(|stored| stored.record.state == DocumentState::Ready)
    }

    /// How many of the findable chunks have vectors. O(documents).
    #[must_use]
    pub fn n_embedded(&self) -> Embedded {
        let mut embedded = Embedded::default();
        for (id, StoredRecord { record, .. }) in &self.documents {
            if record.state != DocumentState::Ready {
                continue;
            }
            embedded.n_chunks += record.n_chunks;
            let done = self.vectors.groups.get(id).into_iter().flatten();
            embedded.n_done += done.map(|group| n_in_group(record, *group)).sum::<u32>();
        }
        embedded
    }

    /// Reads the stored vectors that are not in memory yet: after opening, and where another tab stored some. Searching by
    /// words needs none of it. O(vectors that are new).
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read or holds what is none of ours.
    pub async fn load_vectors(&mut self) -> Result<(), IndexError> {
        let model = self.storage.get(Table::Manifest, MODEL_KEY).await?;
        let model: Option<ModelIdentity> =
            model.map(|bytes| layout::unpack(Table::Manifest, MODEL_KEY, &bytes)).transpose()?;
        if model != self.vectors.model {
            self.vectors.restart(model);
        }
        if self.vectors.groups.is_empty() {
            // All of them at once: one reading instead of thousands.
            for (key, bytes) in self.storage.scan(Table::Vectors).await? {
                self.take_in_vectors(&key, &bytes)?;
            }
            return Ok(());
        }
        for key in self.storage.keys(Table::Vectors).await? {
            let is_known = layout::parse_key(&key)
                .is_some_and(|(id, group)| self.vectors.groups.get(&id).is_some_and(|groups| groups.contains(&group)));
            if !is_known && let Some(bytes) = self.storage.get(Table::Vectors, &key).await? {
                self.take_in_vectors(&key, &bytes)?;
            }
        }
        Ok(())
    }

    fn take_in_vectors(&mut self, key: &str, bytes: &[u8]) -> Result<(), IndexError> {
        let Some((id, group)) = layout::parse_key(key) else { return Ok(()) };
        // What is left of a document that is gone stays out of the way.
        let Some(stored) = self.documents.get(&id) else { return Ok(()) };
        let codes: Vec<(u32, Code)> = layout::unpack(Table::Vectors, key, bytes)?;
        let n_groups = n_groups(&stored.record);
        self.vectors.add(&id, n_groups, group, codes);
        Ok(())
    }

    /// Takes a model for new vectors; the first of a library is kept with it.
    ///
    /// # Errors
    /// [`IndexError::OtherModel`] where the vectors that are there were made with another one: vectors of two models
    /// cannot be compared. [`Self::forget_vectors`] makes room.
    pub async fn use_model(&mut self, model: &ModelIdentity) -> Result<(), IndexError> {
        match &self.vectors.model {
            Some(found) if found == model => Ok(()),
            Some(found) if !self.vectors.groups.is_empty() => {
                Err(IndexError::OtherModel { found: found.id.clone(), wanted: model.id.clone() })
            }
            _ => {
                let bytes = postcard::to_stdvec(model).map_err(|error| IndexError::Damaged(error.to_string()))?;
                let mut batch = Batch::default();
                batch.put(Table::Manifest, MODEL_KEY, bytes);
                self.storage.commit(batch).await?;
                self.vectors.restart(Some(model.clone()));
                Ok(())
            }
        }
    }

    /// Removes all vectors and the name of their model; everything else stays.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn forget_vectors(&mut self) -> Result<(), IndexError> {
        let mut batch = Batch::default();
        for key in self.storage.keys(Table::Vectors).await? {
            batch.delete(Table::Vectors, key);
        }
        batch.delete(Table::Manifest, MODEL_KEY);
        self.storage.commit(batch).await?;
        self.vectors.restart(None);
        Ok(())
    }

    /// The first groups of findable chunks that have no vectors, at most `limit`: of the newest documents first, in the
    /// order of their chunks. [`Self::load_vectors`] must have run, or what is stored would be made again.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn without_vectors(&self, limit: usize) -> Result<Vec<VectorGroup>, IndexError> {
        let missing = self.newest_first().into_iter().flat_map(|record| {
            let done = self.vectors.groups.get(&record.id);
            let is_missing = move |group: &u32| !done.is_some_and(|done| done.contains(group));
            (0..n_groups(record)).filter(is_missing).map(move |group| (record, group))
        });
        let mut groups = Vec::new();
        for (record, group) in missing.take(limit) {
            let first = group * CHUNKS_PER_GROUP as u32;
            let mut texts = Vec::with_capacity(CHUNKS_PER_GROUP);
            for ordinal in first..first + n_in_group(record, group) {
                let chunk = self.chunk(&ChunkId { document: record.id.clone(), ordinal }).await?;
                texts.push(embedding_text(record, &chunk));
            }
            let reading = self.vectors.reading(&record.id);
            groups.push(VectorGroup { document: record.id.clone(), group, texts, reading });
        }
        Ok(groups)
    }

    /// Stores vectors, in one atomic batch, and has them searched. Those of documents that are gone, or were read again
    /// with other chunks meanwhile, are passed over.
    ///
    /// # Errors
    /// [`IndexError`] when nothing was changed.
    pub async fn commit_vectors(&mut self, embedded: Vec<EmbeddedGroup>) -> Result<(), IndexError> {
        let mut batch = Batch::default();
        let mut taken = Vec::with_capacity(embedded.len());
        for EmbeddedGroup { document, group, reading, codes } in embedded {
            let Some(stored) = self.documents.get(&document) else { continue };
            if reading != self.vectors.reading(&document) || codes.len() != n_in_group(&stored.record, group) as usize {
                continue;
            }
            let ordinals = group * CHUNKS_PER_GROUP as u32..;
            let codes: Vec<(u32, Code)> =
                ordinals.zip(codes).filter_map(|(ordinal, code)| Some((ordinal, code?))).collect();
            let bytes = postcard::to_stdvec(&codes).map_err(|error| IndexError::Damaged(error.to_string()))?;
            batch.put(Table::Vectors, layout::key(&document, group as usize), bytes);
            taken.push((document, n_groups(&stored.record), group, codes));
        }
        self.storage.commit(batch).await?;
        for (document, n_groups, group, codes) in taken {
            self.vectors.add(&document, n_groups, group, codes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
