//! Everything about a file that needs no library: parsing, chunking, building its index segment. Pure, so that it can
//! run in a worker of its own, which may crash or be stopped without harm.

use super::{
    DocumentRecord, DocumentState, IndexError,
    layout::{self, Rows},
    record::SegmentId,
};
use crate::{
    chunk::{Chunk, Repeats, chunk},
    document::{Document, DocumentId},
    host::{Batch, Progress, Table},
    lexical::{self, Segment, SegmentText},
    parse::{self, Format, ParseError, ParseOptions, ParseWarning, Parsed},
};
use serde::{Deserialize, Serialize};

/// A file ready to be committed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// By content.
    pub id: DocumentId,
    /// The name it was given.
    pub name: String,
    /// The title found in it.
    pub title: String,
    /// What it is.
    pub format: Format,
    /// Number of pages, where the format has pages.
    pub n_pages: Option<u32>,
    /// Number of chunks.
    pub n_chunks: u32,
    /// Number of nodes of the tree.
    pub n_nodes: u32,
    /// What the parser had to say.
    pub warnings: Vec<ParseWarning>,
    /// The tree's nodes, packed in groups.
    pub(super) nodes: Rows,
    /// The chunks, packed in groups.
    pub(super) chunks: Rows,
    /// The packed index segment; `None` where no text was found.
    pub(super) segment: Option<Vec<u8>>,
}

impl Prepared {
    /// For sending between workers.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// Moves tree, chunks and index segment into a batch; gives the segment, opened, under the number it is kept by.
    ///
    /// # Errors
    /// [`IndexError`] when the segment is damaged; nothing was put into the batch.
    pub(super) fn stage(
        &mut self,
        batch: &mut Batch,
        number: SegmentId,
    ) -> Result<Option<(SegmentId, Segment)>, IndexError> {
        let segment = self.segment.as_deref().map(Segment::open).transpose()?;
        layout::put(batch, Table::Trees, &self.id, std::mem::take(&mut self.nodes));
        layout::put(batch, Table::Chunks, &self.id, std::mem::take(&mut self.chunks));
        if let Some(bytes) = self.segment.take() {
            batch.put(Table::Segments, number.key(), bytes);
        }
        Ok(segment.map(|segment| (number, segment)))
    }

    /// The record of it, with an original of this size.
    pub(super) fn into_record(self, size_bytes: u64, now_millis: u64) -> DocumentRecord {
        DocumentRecord {
            id: self.id,
            name: self.name,
            aliases: Vec::new(),
            title: self.title,
            format: self.format,
            size_bytes,
            n_pages: self.n_pages,
            n_chunks: self.n_chunks,
            n_nodes: self.n_nodes,
            added_millis: now_millis,
            state: DocumentState::Ready,
            warnings: self.warnings,
        }
    }

    /// The other end; `None` if the bytes are not what `to_bytes` made.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        postcard::from_bytes(bytes).ok()
    }
}

/// Parses, chunks and indexes a file on its own: [`prepare_with`] and no options.
///
/// # Errors
/// [`ParseError`] as [`parse::parse`].
pub fn prepare(name: &str, bytes: &[u8], progress: &mut dyn Progress) -> Result<Prepared, ParseError> {
    prepare_with(name, bytes, &ParseOptions::default(), progress)
}

/// Parses, chunks and indexes a file on its own.
///
/// # Errors
/// [`ParseError`] as [`parse::parse_with`].
pub fn prepare_with(
    name: &str,
    bytes: &[u8],
    options: &ParseOptions,
    progress: &mut dyn Progress,
) -> Result<Prepared, ParseError> {
    prepare_parsed(parse::parse_with(name, bytes, options, progress)?, progress)
}

/// Chunks and indexes what was parsed.
///
/// # Errors
/// [`ParseError::Damaged`] where memory is short, and [`ParseError::Cancelled`].
pub fn prepare_parsed(parsed: Parsed, progress: &mut dyn Progress) -> Result<Prepared, ParseError> {
    let document = parsed.document;
    let chunks = chunk(&document);
    parse::tick(progress, 0, 0)?;
    let segment = (!chunks.is_empty()).then(|| index_chunks(&document, &chunks)).transpose();
    let segment = segment.map_err(|error| ParseError::Damaged { detail: error.to_string() })?;
    parse::tick(progress, 0, 0)?;
    Ok(Prepared {
        name: document.name.clone(),
        title: document.title().to_owned(),
        format: parsed.format,
        n_pages: document.n_pages,
        n_chunks: chunks.len() as u32,
        n_nodes: document.nodes.len() as u32,
        warnings: parsed.warnings,
        nodes: layout::pack(&document.nodes, layout::NODES_PER_GROUP),
        chunks: layout::pack(&chunks, layout::CHUNKS_PER_GROUP),
        segment,
        id: document.id,
    })
}

/// The document's index segment. What a chunk stands under is searched with it: file name, title, headings.
fn index_chunks(document: &Document, chunks: &[Chunk]) -> Result<Vec<u8>, lexical::SegmentError> {
    let mut repeats = Repeats::of(&document.nodes);
    let contexts: Vec<String> = chunks.iter().map(|chunk| context(document, chunk, &mut repeats)).collect();
    let labels: Vec<String> = chunks.iter().map(labels).collect();
    let mut texts = Vec::with_capacity(chunks.len());
    for ((chunk, context), labels) in chunks.iter().zip(&contexts).zip(&labels) {
        let (id, body, language) = (chunk.id.clone(), chunk.text.as_str(), chunk.language);
        texts.push(SegmentText { id, context, body, labels, language });
    }
    lexical::build(&texts)
}

/// Row 9 of a table of "Error Code"s is what is asked for by "error 9": `error:9 code:9`.
fn labels(chunk: &Chunk) -> String {
    let mut labels = Vec::new();
    for (column, key) in &chunk.row_keys {
        labels.extend(column.split_whitespace().filter_map(|word| lexical::analysis::labelled(word, key)));
    }
    labels.join(" ")
}

fn context(document: &Document, chunk: &Chunk, repeats: &mut Repeats) -> String {
    let mut parts = vec![document.name.as_str()];
    // A title that only repeats the file's name would count its words twice.
    if document.title() != crate::document::file_stem(&document.name) {
        parts.push(document.title());
    }
    parts.extend(chunk.heading_path.iter().map(String::as_str).filter(|heading| *heading != document.title()));
    parts.into_iter().filter(|part| repeats.allow(part.len())).collect::<Vec<_>>().join("\n")
}
