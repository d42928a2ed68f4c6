//! What is asked of the library beside questions: stretches of documents, originals.

use super::{DocumentRecord, IndexError, Library, layout, record::DocumentState};
use crate::{
    chunk::{Chunk, ChunkId},
    document::{DocumentId, Node, NodeId, NodeKind},
    host::{Storage, Table},
    lexical::{Searcher, Segment},
    protocol::{DocumentView, ReadSoFar},
};
use std::rc::Rc;

/// Groups of chunks kept in memory: 2,048 times 32 chunks of about a kilobyte.
const MAX_CACHED_GROUPS: usize = 2048;
/// A view begins at most this many nodes before the node asked for, if reading can begin there.
const MAX_LEAD_NODES: u32 = 24;

impl<S: Storage> Library<S> {
    /// The searcher over what is findable, made anew after a change.
    #[must_use]
    pub fn searcher(&self) -> Rc<Searcher> {
        let mut searcher = self.searcher.borrow_mut();
        let made = searcher.get_or_insert_with(|| {
            let stored = self.segments.iter().map(|(id, segment)| (Some(*id), segment.clone()));
            let drafts = self.drafts.values().filter_map(|draft| Some((None, draft.segment.clone()?)));
            let (ids, segments): (Vec<_>, Vec<Segment>) = stored.chain(drafts).unzip();
            let is_live = |at: usize, document: &DocumentId| {
                // A draft's segment is its own.
                ids[at].is_none()
                    || self
                        .documents
                        .get(document)
                        .is_some_and(|stored| stored.segment == ids[at] && stored.record.state == DocumentState::Ready)
            };
            Rc::new(Searcher::new(segments, is_live))
        });
        Rc::clone(made)
    }

    /// A stretch of a document's tree: at most `limit` nodes, beginning at or shortly before `from`, at a block rather
    /// than inside a table or list where one begins near.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn view(&self, id: &DocumentId, from: NodeId, limit: u32) -> Result<DocumentView, IndexError> {
        let (record, reading) = self.record(id).ok_or(IndexError::NotFound)?;
        let n_nodes = record.n_nodes;
        let from = from.0.min(n_nodes.saturating_sub(1));
        let lead = from.saturating_sub(MAX_LEAD_NODES);
        let before = self.nodes(id, lead, from + 1).await?;
        let begins_block = |node: &&Node| {
            !matches!(node.kind, NodeKind::Row { .. } | NodeKind::Cell { .. } | NodeKind::ListItem | NodeKind::KeyValue)
        };
        let first = before.iter().rev().find(begins_block).map_or(from, |node| node.id.0);
        let end = first.saturating_add(limit.max(1)).min(n_nodes);
        let nodes = self.nodes(id, first, end).await?;
        let mut heading_path = Vec::new();
        let mut above = nodes.first().and_then(|node| node.parent);
        while let Some(parent) = above {
            let found = self.nodes(id, parent.0, parent.0.saturating_add(1)).await?;
            let Some(node) = found.into_iter().next() else { break };
            // Parents stand before their children. In a damaged tree the way up might go round in a circle.
            if node.parent.is_some_and(|above| above >= parent) {
                return Err(IndexError::Damaged(format!("trees {id}: node {} stands in itself", parent.0)));
            }
            if matches!(node.kind, NodeKind::Section { .. }) {
                heading_path.push(node.text);
            }
            above = node.parent;
        }
        heading_path.reverse();
        Ok(DocumentView { record: record.clone(), nodes, n_nodes, heading_path, reading })
    }

    /// The first node on a page or, where nothing was read on it, after it; the last node of a document that ends
    /// before. O(log nodes) groups are read.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn node_on_page(&self, id: &DocumentId, page: u32) -> Result<NodeId, IndexError> {
        let (record, _) = self.record(id).ok_or(IndexError::NotFound)?;
        // Nodes stand in reading order, so their pages ascend.
        let (mut from, mut end) = (0, record.n_nodes);
        while from < end {
            let middle = from + (end - from) / 2;
            let node = self.nodes(id, middle, middle + 1).await?.pop();
            if node.and_then(|node| node.page).is_some_and(|on| on >= page) { end = middle } else { from = middle + 1 }
        }
        Ok(NodeId(from.min(record.n_nodes.saturating_sub(1))))
    }

    /// A document's record, and how much of it was read where the rest is still being read.
    pub(super) fn record(&self, id: &DocumentId) -> Option<(&DocumentRecord, Option<ReadSoFar>)> {
        match self.drafts.get(id) {
            Some(draft) => Some((&draft.record, Some(draft.reading))),
            None => self.documents.get(id).map(|stored| (&stored.record, None)),
        }
    }

    /// A document's name and original bytes.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn original(&self, id: &DocumentId) -> Result<(String, Vec<u8>), IndexError> {
        let stored = self.documents.get(id).ok_or(IndexError::NotFound)?;
        let bytes = self.storage.get(Table::Originals, id.as_str()).await?.ok_or(IndexError::NotFound)?;
        Ok((stored.record.name.clone(), bytes))
    }

    pub(super) async fn chunk(&self, id: &ChunkId) -> Result<Chunk, IndexError> {
        let missing = || IndexError::Damaged(format!("chunk {id} is missing"));
        if let Some(draft) = self.drafts.get(&id.document) {
            return draft.chunks.get(id.ordinal as usize).cloned().ok_or_else(missing);
        }
        let (group, at) =
            (id.ordinal as usize / layout::CHUNKS_PER_GROUP, id.ordinal as usize % layout::CHUNKS_PER_GROUP);
        let key = (id.document.clone(), group);
        let cached = self.chunk_cache.borrow().get(&key).map(Rc::clone);
        let chunks = match cached {
            Some(chunks) => chunks,
            None => {
                let chunks = Rc::new(layout::load(&self.storage, Table::Chunks, &id.document, group).await?);
                let mut cache = self.chunk_cache.borrow_mut();
                if cache.len() >= MAX_CACHED_GROUPS {
                    cache.clear();
                }
                cache.insert(key, Rc::clone(&chunks));
                chunks
            }
        };
        chunks.get(at).cloned().ok_or_else(missing)
    }

    /// Nodes `from..end` of a document.
    pub(super) async fn nodes(&self, id: &DocumentId, from: u32, end: u32) -> Result<Vec<Node>, IndexError> {
        let (from, end) = (from as usize, end as usize);
        if let Some(draft) = self.drafts.get(id) {
            return Ok(draft.nodes.get(from..end.min(draft.nodes.len())).unwrap_or_default().to_vec());
        }
        let mut nodes = Vec::new();
        for group in from / layout::NODES_PER_GROUP..end.div_ceil(layout::NODES_PER_GROUP) {
            let rows: Vec<Node> = layout::load(&self.storage, Table::Trees, id, group).await?;
            let first = group * layout::NODES_PER_GROUP;
            let wanted = |(at, node)| (from..end).contains(&(first + at)).then_some(node);
            nodes.extend(rows.into_iter().enumerate().filter_map(wanted));
        }
        Ok(nodes)
    }
}
