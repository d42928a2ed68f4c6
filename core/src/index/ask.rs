//! Hands the pipeline of [`crate::answer`] what it asks for: passages, and stretches of documents. Not for deciding anything.

use super::{FindOptions, IndexError, Library, context::MAX_HEADER_NODES};
use crate::{
    answer::{AskOptions, Evidence, N_PASSAGES, Pipeline, Reading, Step, Stretch},
    chunk::{Chunk, ChunkId, ChunkKind},
    dense::Code,
    document::{DocumentId, Node, NodeId, NodeKind},
    grade::Terms,
    host::{Clock, Storage},
    protocol::{Answer, Stage},
    retrieve::Question,
};
use std::collections::{BTreeMap, BTreeSet};

/// At most so many nodes of a section are read around a passage, on each side.
const MAX_NODES_ASIDE: u32 = 2_048;
/// And of every section above, from its heading on.
const MAX_NODES_ABOVE: u32 = 256;
/// Nodes read for one computation over all documents. What is beyond makes it refuse.
const MAX_NODES_COMPUTED: u32 = 400_000;

/// The vectors of what is asked, by text.
pub type QuestionVectors = BTreeMap<String, Code>;

impl<S: Storage> Library<S> {
    /// Answers a question without a model.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read; no question is an error.
    pub async fn ask(&self, question: &str, options: AskOptions, clock: &dyn Clock) -> Result<Answer, IndexError> {
        let mut pipeline = Pipeline::new(question, AskOptions { writes: false, ..options });
        loop {
            if let Step::Done(answer) = self.advance(&mut pipeline, &QuestionVectors::new(), clock).await? {
                return Ok(*answer);
            }
        }
    }

    /// Takes a pipeline as far as the library can: to its end, or to where a model is to write. Vectors are those of the texts
    /// of [`Pipeline::parts`]; without them words alone are compared.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn advance(
        &self,
        pipeline: &mut Pipeline,
        vectors: &QuestionVectors,
        clock: &dyn Clock,
    ) -> Result<Step, IndexError> {
        loop {
            let began = clock.monotonic_micros();
            let since = |began: u64| clock.monotonic_micros().saturating_sub(began);
            match pipeline.step() {
                Step::Find(questions) => {
                    let mut evidence = Vec::with_capacity(questions.len());
                    for question in &questions {
                        evidence.push(self.evidence(question, vectors.get(question), clock).await?);
                    }
                    pipeline.took(Stage::Retrieve, since(began));
                    let began = clock.monotonic_micros();
                    pipeline.found(evidence, self.n_findable());
                    pipeline.took(Stage::Extract, since(began));
                }
                Step::Read(readings) => {
                    let mut read = Vec::with_capacity(readings.len());
                    for reading in &readings {
                        read.push(match reading {
                            Reading::Around(chunk) => vec![self.around(chunk).await?],
                            Reading::Tables(question) => self.tables(question).await?,
                        });
                    }
                    pipeline.took(Stage::Read, since(began));
                    let began = clock.monotonic_micros();
                    pipeline.read(read);
                    pipeline.took(Stage::Extract, since(began));
                }
                step @ (Step::Write(_) | Step::Done(_)) => return Ok(step),
            }
        }
    }

    /// How many documents can be found.
    fn n_findable(&self) -> u32 {
        self.documents.keys().chain(self.drafts.keys()).filter(|id| self.is_findable(id)).count() as u32
    }

    async fn evidence(&self, question: &str, vector: Option<&Code>, clock: &dyn Clock) -> Result<Evidence, IndexError> {
        let options = FindOptions { limit: N_PASSAGES, vector, ..FindOptions::default() };
        let found = self.find_with(question, &options, clock).await?;
        let searcher = self.searcher();
        let query = searcher.complete(Question::parse(question).query())?;
        let weights = searcher.weights(&query)?;
        Ok(Evidence { found, terms: Terms::new(&query, &weights, searcher.n_live()) })
    }

    /// The section that a chunk stands in, the beginnings of the sections above, and its table from the header on.
    async fn around(&self, id: &ChunkId) -> Result<Stretch, IndexError> {
        let (record, _) = self.record(&id.document).ok_or(IndexError::NotFound)?;
        let (name, title, n_nodes, n_chunks) =
            (record.name.clone(), record.title.clone(), record.n_nodes, record.n_chunks);
        let chunk = self.chunk(id).await?;
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        let mut section: Option<NodeId> = None;
        for node in self.way_up(&id.document, chunk.node, |_| false).await? {
            let at = node.id;
            match node.kind {
                NodeKind::Table => ranges.push((at.0, at.0.saturating_add(MAX_HEADER_NODES))),
                NodeKind::Section { .. } | NodeKind::Document => {
                    ranges.push((at.0, at.0.saturating_add(MAX_NODES_ABOVE)));
                    section = section.or(Some(at));
                }
                // Parents must be there for the way up.
                _ => ranges.push((at.0, at.0.saturating_add(1))),
            }
        }
        let section = section.unwrap_or(NodeId::ROOT);
        let first = section.0.max(chunk.node.0.saturating_sub(MAX_NODES_ASIDE));
        let end = chunk.end_node.0.saturating_add(MAX_NODES_ASIDE).min(n_nodes);
        ranges.push((first, end));
        let mut nodes: BTreeMap<NodeId, Node> = BTreeMap::new();
        for (from, to) in ranges {
            for node in self.nodes(&id.document, from, to.min(n_nodes)).await? {
                nodes.insert(node.id, node);
            }
        }
        // Below the section, and above it what its own sections above say before their first subsection.
        let section_end = nodes
            .range(NodeId(section.0.saturating_add(1))..)
            .find(|(_, node)| node.parent.is_none_or(|parent| parent < section));
        let section_end = section_end.map_or(NodeId(u32::MAX), |(id, _)| *id);
        let nodes: Vec<Node> = nodes.into_iter().filter(|(id, _)| *id < section_end).map(|(_, node)| node).collect();
        let chunks = self.chunks_over(&id.document, &nodes, chunk.id.ordinal, n_chunks).await?;
        Ok(Stretch { document: Some(id.document.clone()), name, title, nodes, chunks, ..Stretch::default() })
    }

    /// The chunks of a document that cover any of some nodes, near an ordinal.
    async fn chunks_over(
        &self,
        document: &DocumentId,
        nodes: &[Node],
        near: u32,
        n_chunks: u32,
    ) -> Result<Vec<Chunk>, IndexError> {
        /// Chunks looked at on each side.
        const MAX_ASIDE: u32 = 192;
        let wanted: BTreeSet<NodeId> = nodes.iter().map(|node| node.id).collect();
        let mut chunks = Vec::new();
        for ordinal in near.saturating_sub(MAX_ASIDE)..near.saturating_add(MAX_ASIDE).min(n_chunks) {
            let chunk = self.chunk(&ChunkId { document: document.clone(), ordinal }).await?;
            if wanted.range(chunk.node..chunk.end_node).next().is_some() {
                chunks.push(chunk);
            }
        }
        Ok(chunks)
    }

    /// The tables of all documents that a question leaves to be looked at.
    async fn tables(&self, question: &str) -> Result<Vec<Stretch>, IndexError> {
        let filters = Question::parse(question).filters;
        let ids: Vec<DocumentId> = self
            .documents
            .keys()
            .filter(|id| self.is_findable(id))
            .filter(|id| {
                self.record(id).is_some_and(|(record, _)| filters.admits(&record.name, &record.title, record.format))
            })
            .cloned()
            .collect();
        let mut named: Vec<DocumentId> = ids.clone();
        named.retain(|id| self.record(id).is_some_and(|(record, _)| filters.names_file(&record.name)));
        let ids = if named.is_empty() { ids } else { named };
        let mut stretches = Vec::new();
        let mut n_nodes = 0_u32;
        for id in ids {
            let Some((record, reading)) = self.record(&id) else { continue };
            let mut stretch = Stretch {
                document: Some(id.clone()),
                name: record.name.clone(),
                title: record.title.clone(),
                ..Stretch::default()
            };
            if reading.is_some() {
                stretch.gap = Some(format!("{} is still being read.", record.name));
            } else if record.has_unread_scans() {
                stretch.gap = Some(format!("{} has scanned pages that were not read.", record.name));
            }
            n_nodes = n_nodes.saturating_add(record.n_nodes);
            if n_nodes > MAX_NODES_COMPUTED {
                stretch.gap = Some(format!(
                    "{} was not looked at: there are too many rows. Name the documents that you mean.",
                    record.name
                ));
                stretches.push(stretch);
                continue;
            }
            let (n_document_nodes, n_chunks) = (record.n_nodes, record.n_chunks);
            let nodes = self.nodes(&id, 0, n_document_nodes).await?;
            let mut table_end = NodeId::ROOT;
            let mut about = String::new();
            let mut table: Option<NodeId> = None;
            for node in nodes {
                if table.is_some_and(|table| node.parent.is_none_or(|parent| parent < table)) {
                    table = None;
                }
                if node.kind == NodeKind::Table {
                    table = table.or(Some(node.id));
                }
                if table.is_some() {
                    table_end = node.id;
                    stretch.nodes.push(node);
                } else if !node.text.is_empty() && node.kind != NodeKind::Furniture {
                    about.push_str(&node.text);
                    about.push('\n');
                }
            }
            stretch.about = about;
            if !stretch.nodes.is_empty() {
                for ordinal in 0..n_chunks {
                    let chunk = self.chunk(&ChunkId { document: id.clone(), ordinal }).await?;
                    if matches!(chunk.kind, ChunkKind::Row | ChunkKind::Table) && chunk.node <= table_end {
                        stretch.chunks.push(chunk);
                    }
                }
                stretches.push(stretch);
            } else if stretch.gap.is_some() {
                stretches.push(stretch);
            }
        }
        Ok(stretches)
    }
}
