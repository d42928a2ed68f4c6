//! What a passage stands in, read from the stored tree.

use super::{IndexError, Library};
use crate::{
    chunk::ChunkId,
    document::{DocumentId, Node, NodeId, NodeKind},
    host::Storage,
    retrieve::context::{self, MAX_CONTEXT_WORDS, Section},
};

/// At most so many nodes are looked at on each side of a passage: enough for [`MAX_CONTEXT_WORDS`] in cells of a word.
const MAX_NODES_ASIDE: u32 = 1_024;
/// The caption and the header of a table are among so many first nodes of it.
pub(super) const MAX_HEADER_NODES: u32 = 256;

impl<S: Storage> Library<S> {
    /// The section that a chunk stands in, its table with caption and header; bounded as [`context::section`] says.
    ///
    /// # Errors
    /// [`IndexError::NotFound`] and failures of the store.
    pub async fn context(&self, id: &ChunkId) -> Result<Section, IndexError> {
        let (record, _) = self.record(&id.document).ok_or(IndexError::NotFound)?;
        if id.ordinal >= record.n_chunks {
            return Err(IndexError::NotFound);
        }
        let chunk = self.chunk(id).await?;
        let is_section = |node: &Node| matches!(node.kind, NodeKind::Section { .. });
        let above = self.way_up(&id.document, chunk.node, is_section).await?;
        let section = above.last().filter(|node| is_section(node)).map_or(NodeId::ROOT, |node| node.id);
        let table = above.iter().find(|node| node.kind == NodeKind::Table).map(|node| node.id);
        let first = section.0.max(chunk.node.0.saturating_sub(MAX_NODES_ASIDE));
        let end = chunk.end_node.0.saturating_add(MAX_NODES_ASIDE).min(record.n_nodes);
        let mut nodes: Vec<Node> = Vec::new();
        if let Some(table) = table.filter(|table| table.0 < first) {
            nodes = self.nodes(&id.document, table.0, first.min(table.0.saturating_add(MAX_HEADER_NODES))).await?;
        }
        let stretch = self.nodes(&id.document, first, end).await?;
        let is_of_section = |node: &&Node| node.id == section || node.parent.is_some_and(|parent| parent >= section);
        let n_before = stretch.iter().take_while(is_of_section).count();
        let is_cut = first > section.0 || n_before == stretch.len() && end < record.n_nodes;
        nodes.extend(stretch.into_iter().take(n_before));
        let mut found = context::section(&nodes, chunk.node..chunk.end_node, chunk.heading_path, MAX_CONTEXT_WORDS);
        found.is_whole &= !is_cut;
        Ok(found)
    }

    /// A node, what it stands in, what that stands in, and so on: up to the first that is the `last`, or to the document.
    pub(super) async fn way_up(
        &self,
        document: &DocumentId,
        from: NodeId,
        last: impl Fn(&Node) -> bool,
    ) -> Result<Vec<Node>, IndexError> {
        let mut way = Vec::new();
        let mut next = Some(from);
        while let Some(at) = next {
            let Some(node) = self.nodes(document, at.0, at.0.saturating_add(1)).await?.pop() else { break };
            if node.parent.is_some_and(|above| above >= at) {
                return Err(IndexError::Damaged(format!("trees {document}: node {} stands in itself", at.0)));
            }
            next = node.parent.filter(|_| !last(&node));
            way.push(node);
        }
        Ok(way)
    }
}
