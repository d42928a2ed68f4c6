//! The core's lexical index as the benchmark wants every index: build, search, save, open; and its reading of a file. One
//! source for the native run and the one in a worker.
//!
//! Not for users: it gives numbers of chunks instead of passages, because that is what the peers give.

#[cfg(target_arch = "wasm32")]
mod worker;

use millwright_core::{
    chunk::ChunkId,
    document::DocumentId,
    host::NoProgress,
    lexical::{self, Query, Searcher, Segment, SegmentError, SegmentText},
    parse::{self, ParseError},
    text,
};

/// How many chunks a document has: about a short manual's.
const CHUNKS_PER_DOCUMENT: usize = 50;

/// How many hits are asked for, of every peer.
pub const DEPTH: usize = 10;

/// An index over numbered chunks.
#[derive(Debug)]
pub struct Lexical {
    packed: Vec<u8>,
    searcher: Searcher,
}

impl Lexical {
    /// Indexes chunks: `titles[n]` and `texts[n]` are chunk `n`'s.
    ///
    /// # Errors
    /// [`SegmentError`] when memory is short.
    pub fn build(titles: &[String], texts: &[String]) -> Result<Self, SegmentError> {
        let documents: Vec<DocumentId> = (0..titles.len().div_ceil(CHUNKS_PER_DOCUMENT))
            .map(|n| DocumentId::of(&(n as u64).to_le_bytes()))
            .collect();
        let chunks: Vec<SegmentText<'_>> = (0..)
            .zip(titles.iter().zip(texts))
            .map(|(ordinal, (title, body))| SegmentText {
                id: ChunkId { document: documents[ordinal as usize / CHUNKS_PER_DOCUMENT].clone(), ordinal },
                context: title,
                body,
                labels: "",
                language: text::language(body).unwrap_or_default(),
            })
            .collect();
        Self::open(lexical::build(&chunks)?)
    }

    /// Opens a saved index.
    ///
    /// # Errors
    /// [`SegmentError`] when the bytes are damaged.
    pub fn open(packed: Vec<u8>) -> Result<Self, SegmentError> {
        let searcher = Searcher::new(vec![Segment::open(&packed)?], |_, _| true);
        Ok(Self { packed, searcher })
    }

    /// The index as it is saved.
    #[must_use]
    pub fn packed(&self) -> &[u8] {
        &self.packed
    }

    /// The numbers of the best [`DEPTH`] chunks.
    ///
    /// # Errors
    /// [`SegmentError`] when the bytes are damaged.
    pub fn search(&self, question: &str) -> Result<Vec<u32>, SegmentError> {
        // As the app asks: words that no chunk holds stand for those that begin so.
        let query = self.searcher.complete(Query::parse(question))?;
        let hits = self.searcher.search(&query, DEPTH)?;
        Ok(hits.into_iter().map(|hit| hit.chunk.ordinal).collect())
    }
}

/// Reads a file and gives the number of its tree's nodes.
///
/// # Errors
/// [`ParseError`] when nothing can be read.
pub fn read(name: &str, bytes: &[u8]) -> Result<usize, ParseError> {
    Ok(parse::parse(name, bytes, &mut NoProgress)?.document.nodes.len())
}
