//! Index segments: immutable, built in one go, kept as one packed value, opened in memory.
//!
//! A segment is a one-segment tantivy index written by the single-segment writer (the ordinary one starts threads, which
//! a browser worker cannot) plus the list of chunks behind its rows. Which chunks are alive is not its business.

use super::analysis::{self, Memo, Stream, Term};
use crate::{chunk::ChunkId, document::DocumentId, text::Language};
use serde::{Deserialize, Serialize};
use std::{fmt, path::Path, path::PathBuf, sync::Arc};
use tantivy::{
    Directory, Index, IndexSettings, SegmentReader, TantivyDocument,
    directory::{OwnedBytes, RamDirectory},
    fastfield::{AliveBitSet, write_alive_bitset},
    fieldnorm::FieldNormReader,
    index::InvertedIndexReader,
    indexer::merge_filtered_segments,
    schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    store::Compressor,
    tokenizer::{Token, TokenStream, Tokenizer, TokenizerManager},
};

/// A segment could not be built, read or merged. Only damaged bytes or lack of memory bring this about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("index segment: {0}")]
pub struct SegmentError(String);

impl From<tantivy::TantivyError> for SegmentError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self(error.to_string())
    }
}

impl From<std::io::Error> for SegmentError {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

/// What is indexed of a chunk.
#[derive(Clone, Debug)]
pub struct SegmentText<'a> {
    /// The chunk.
    pub id: ChunkId,
    /// What it stands under: title, headings, file name.
    pub context: &'a str,
    /// Its own text.
    pub body: &'a str,
    /// Further identifiers that lead to it, parted by blanks.
    pub labels: &'a str,
    /// By whose rules its words are analysed.
    pub language: Language,
}

/// The fields of the schema, in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexField {
    Body = 0,
    Context = 1,
    Identifiers = 2,
}

impl IndexField {
    const ALL: [Self; 3] = [Self::Body, Self::Context, Self::Identifiers];

    fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Context => "context",
            Self::Identifiers => "identifiers",
        }
    }

    pub(super) fn field(self) -> Field {
        Field::from_field_id(self as u32)
    }
}

fn schema() -> Schema {
    let mut schema = Schema::builder();
    for field in IndexField::ALL {
        let (stream, record, lengths) = match field {
            IndexField::Body => ("words", IndexRecordOption::WithFreqsAndPositions, true),
            IndexField::Context => ("words", IndexRecordOption::WithFreqs, true),
            IndexField::Identifiers => ("identifiers", IndexRecordOption::Basic, false),
        };
        let indexing =
            TextFieldIndexing::default().set_tokenizer(stream).set_index_option(record).set_fieldnorms(lengths);
        schema.add_text_field(field.name(), TextOptions::default().set_indexing_options(indexing));
    }
    schema.build()
}

fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

fn tokenizers() -> TokenizerManager {
    let tokenizers = TokenizerManager::new();
    tokenizers.register("words", Analyser(Stream::Word, Memo::default()));
    tokenizers.register("identifiers", Analyser(Stream::Identifier, Memo::default()));
    tokenizers
}

/// A text as the [`Analyser`] of words takes it: tantivy hands it nothing but the text, so its language stands before it.
fn in_language(text: &str, language: Language) -> String {
    [language.code(), text].concat()
}

/// [`analysis`] as a tantivy tokenizer. Words come with their language before them, see [`in_language`].
#[derive(Clone)]
struct Analyser(Stream, Memo);

struct Analysed {
    terms: std::vec::IntoIter<Term>,
    token: Token,
}

impl Tokenizer for Analyser {
    type TokenStream<'a> = Analysed;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Analysed {
        let terms = match self.0 {
            Stream::Word => {
                let (code, text) = text.split_at_checked(2).unwrap_or_default();
                let language = Language::ALL.into_iter().find(|language| language.code() == code);
                analysis::words_with(&mut self.1, text, language.unwrap_or_default())
            }
            Stream::Identifier => analysis::identifiers(text),
        };
        Analysed { terms: terms.into_iter(), token: Token::default() }
    }
}

impl TokenStream for Analysed {
    fn advance(&mut self) -> bool {
        let Some(term) = self.terms.next() else { return false };
        self.token = Token {
            offset_from: term.start,
            offset_to: term.end,
            position: term.position as usize,
            text: term.text,
            position_length: 1,
        };
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// tantivy's files without a checksum: JSON that names the others.
const WITHOUT_CHECKSUM: [&str; 2] = ["meta.json", ".managed.json"];

/// What is stored of a segment.
#[derive(Serialize, Deserialize)]
struct Packed {
    /// The documents its chunks are of, ascending.
    documents: Vec<DocumentId>,
    /// By row: index into `documents`, ordinal of the chunk.
    rows: Vec<(u32, u32)>,
    /// The languages of its chunks, ascending.
    languages: Vec<Language>,
    /// tantivy's files by name.
    files: Vec<(String, Vec<u8>)>,
}

/// An opened segment.
#[derive(Clone)]
pub struct Segment {
    documents: Vec<DocumentId>,
    rows: Vec<(u32, u32)>,
    languages: Vec<Language>,
    index: Index,
    /// By [`IndexField`].
    inverted: [Arc<InvertedIndexReader>; 3],
    /// Lengths in terms, of body and context.
    lengths: [FieldNormReader; 2],
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Segment({} chunks of {} documents)", self.rows.len(), self.documents.len())
    }
}

/// Builds a segment from chunks and packs it for storage. O(length of the text).
///
/// # Errors
/// [`SegmentError`] when memory is short.
pub fn build(texts: &[SegmentText<'_>]) -> Result<Vec<u8>, SegmentError> {
    /// Writers refuse less than 15 MB; the buffers grow with need, whatever is named here.
    const WRITER_BYTES: usize = 15_000_000;
    let directory = RamDirectory::create();
    let mut writer = Index::builder()
        .schema(schema())
        .settings(settings())
        .tokenizers(tokenizers())
        .single_segment_index_writer(directory.clone(), WRITER_BYTES)?;
    let mut documents: Vec<DocumentId> = texts.iter().map(|text| text.id.document.clone()).collect();
    documents.sort();
    documents.dedup();
    let mut rows = Vec::with_capacity(texts.len());
    for text in texts {
        let mut document = TantivyDocument::default();
        document.add_text(IndexField::Body.field(), in_language(text.body, text.language));
        document.add_text(IndexField::Context.field(), in_language(text.context, text.language));
        document.add_text(IndexField::Identifiers.field(), text.body);
        if !text.context.is_empty() {
            document.add_text(IndexField::Identifiers.field(), text.context);
        }
        if !text.labels.is_empty() {
            document.add_text(IndexField::Identifiers.field(), text.labels);
        }
        writer.add_document(document)?;
        let slot = documents.binary_search(&text.id.document).unwrap_or_default();
        rows.push((slot as u32, text.id.ordinal));
    }
    let index = writer.finalize()?;
    let languages = ascending(texts.iter().map(|text| text.language));
    pack(documents, rows, languages, &index, &directory)
}

/// Merges segments into one, leaving out the rows of documents that `keep` refuses; `None` if nothing is left.
/// O(size of the segments).
///
/// # Errors
/// [`SegmentError`] when memory is short.
pub fn merge(segments: &[&Segment], keep: impl Fn(&DocumentId) -> bool) -> Result<Option<Vec<u8>>, SegmentError> {
    let mut documents = Vec::new();
    let mut rows = Vec::new();
    let mut sources = Vec::new();
    let mut alive = Vec::new();
    for segment in segments {
        let kept: Vec<bool> = segment.documents.iter().map(&keep).collect();
        let n_before = rows.len();
        let mut bits = tantivy::BitSet::with_max_value(segment.rows.len() as u32);
        for (row, (slot, ordinal)) in segment.rows.iter().enumerate() {
            if kept[*slot as usize] {
                bits.insert(row as u32);
                rows.push((documents.len() as u32 + slot, *ordinal));
            }
        }
        if rows.len() == n_before {
            continue;
        }
        documents.extend(segment.documents.iter().cloned());
        let n_kept = rows.len() - n_before;
        sources.extend(segment.index.searchable_segments()?);
        alive.push(if n_kept == segment.rows.len() {
            None
        } else {
            let mut bytes = Vec::new();
            write_alive_bitset(&bits, &mut bytes)?;
            Some(AliveBitSet::open(OwnedBytes::new(bytes)))
        });
    }
    if rows.is_empty() {
        return Ok(None);
    }
    // The documents anew: ascending, without those that have no row any more.
    let mut live: Vec<DocumentId> = rows.iter().map(|(slot, _)| documents[*slot as usize].clone()).collect();
    live.sort();
    live.dedup();
    for (slot, _) in &mut rows {
        *slot = live.binary_search(&documents[*slot as usize]).unwrap_or_default() as u32;
    }
    let directory = RamDirectory::create();
    let merged = merge_filtered_segments(&sources, settings(), alive, directory.clone())?;
    // Perhaps one more than is left: it costs a look into the dictionary.
    let languages = ascending(segments.iter().flat_map(|segment| segment.languages.iter().copied()));
    pack(live, rows, languages, &merged, &directory).map(Some)
}

fn ascending(languages: impl Iterator<Item = Language>) -> Vec<Language> {
    let languages: std::collections::BTreeSet<Language> = languages.collect();
    languages.into_iter().collect()
}

/// Packs the files as they lie in the directory below the index, with the checksums that tantivy puts around them.
fn pack(
    documents: Vec<DocumentId>,
    rows: Vec<(u32, u32)>,
    languages: Vec<Language>,
    index: &Index,
    directory: &RamDirectory,
) -> Result<Vec<u8>, SegmentError> {
    let mut names: Vec<PathBuf> = index.directory().list_managed_files().into_iter().collect();
    names.sort();
    let mut files = Vec::with_capacity(names.len());
    for name in names {
        let bytes = directory.open_read(&name).map_err(|error| SegmentError(error.to_string()))?.read_bytes()?;
        files.push((name.to_string_lossy().into_owned(), bytes.as_slice().to_vec()));
    }
    postcard::to_stdvec(&Packed { documents, rows, languages, files }).map_err(|error| SegmentError(error.to_string()))
}

impl Segment {
    /// Opens a packed segment. O(its size): its checksums are compared.
    ///
    /// # Errors
    /// [`SegmentError`] when the bytes are damaged.
    pub fn open(bytes: &[u8]) -> Result<Self, SegmentError> {
        Self::open_with(bytes, true)
    }

    /// Opens one without comparing checksums, for tests of what happens when damage shows late.
    #[cfg(test)]
    pub(super) fn open_trusting(bytes: &[u8]) -> Result<Self, SegmentError> {
        Self::open_with(bytes, false)
    }

    fn open_with(bytes: &[u8], check: bool) -> Result<Self, SegmentError> {
        let packed: Packed = postcard::from_bytes(bytes).map_err(|error| SegmentError(error.to_string()))?;
        let directory = RamDirectory::create();
        for (name, bytes) in &packed.files {
            directory.atomic_write(Path::new(name), bytes)?;
        }
        let index = Index::open(directory)?;
        if index.schema() != schema() {
            return Err(SegmentError("its fields are others".to_owned()));
        }
        // tantivy takes the bytes of a list of terms for what they should be, and panics where they are not.
        let with_checksum = |name: &&String| check && !WITHOUT_CHECKSUM.contains(&name.as_str());
        for name in packed.files.iter().map(|(name, _)| name).filter(with_checksum) {
            let is_whole = index.directory().validate_checksum(Path::new(name));
            if !is_whole.map_err(|error| SegmentError(error.to_string()))? {
                return Err(SegmentError(format!("{name} is damaged")));
            }
        }
        let segment = index.searchable_segments()?.pop().ok_or_else(|| SegmentError("no segment".to_owned()))?;
        let reader = SegmentReader::open(&segment)?;
        if reader.max_doc() as usize != packed.rows.len()
            || packed.rows.iter().any(|(slot, _)| *slot as usize >= packed.documents.len())
        {
            return Err(SegmentError("rows do not fit".to_owned()));
        }
        let inverted = [
            reader.inverted_index(IndexField::Body.field())?,
            reader.inverted_index(IndexField::Context.field())?,
            reader.inverted_index(IndexField::Identifiers.field())?,
        ];
        let lengths = [
            reader.get_fieldnorms_reader(IndexField::Body.field())?,
            reader.get_fieldnorms_reader(IndexField::Context.field())?,
        ];
        let Packed { documents, rows, languages, .. } = packed;
        Ok(Self { documents, rows, languages, index, inverted, lengths })
    }

    /// Number of chunks, dead ones included.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.rows.len()
    }

    /// The documents its chunks are of, ascending.
    #[must_use]
    pub fn documents(&self) -> &[DocumentId] {
        &self.documents
    }

    /// Whether it may hold words of a language; of any, if none is named.
    pub(super) fn speaks(&self, language: Option<Language>) -> bool {
        language.is_none_or(|language| self.languages.contains(&language))
    }

    /// The chunk behind a row.
    pub(super) fn chunk(&self, row: u32) -> ChunkId {
        let (slot, ordinal) = self.rows[row as usize];
        ChunkId { document: self.documents[slot as usize].clone(), ordinal }
    }

    /// By row: the index of its document in [`documents`](Self::documents).
    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().map(|(slot, _)| *slot as usize)
    }

    /// Orders rows as their chunk ids order, without copying ids.
    pub(super) fn chunk_key(&self, row: u32) -> (&DocumentId, u32) {
        let (slot, ordinal) = self.rows[row as usize];
        (&self.documents[slot as usize], ordinal)
    }

    pub(super) fn inverted(&self, field: IndexField) -> &InvertedIndexReader {
        &self.inverted[field as usize]
    }

    /// Lengths of body (0) and context (1).
    pub(super) fn lengths(&self) -> &[FieldNormReader; 2] {
        &self.lengths
    }
}
