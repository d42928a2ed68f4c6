//! What is on show, as signals: one `Copy` handle for the whole page.
//!
//! Not for changing it: that is [`super::actions`].

use super::logic::{address::Place, batch::Batch, joining::Joining, marks, sequence::Sequence, window::Window};
use crate::client::EngineClient;
use leptos::prelude::*;
use millwright_core::{
    document::DocumentId,
    index::DocumentRecord,
    protocol::{Answer, Found, KeptModel, ModelStage, Passage, ReadSoFar, RequestId, StorageState, VectorsState},
};
use send_wrapper::SendWrapper;
use std::sync::Arc;

/// How many passages are asked for at first, and how many more each time.
pub(crate) const PASSAGES_STEP: u32 = 20;

/// Where the engine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    /// On its way up for the first time.
    Starting,
    /// Up.
    Ready,
    /// It died and is on its way up again.
    Restarting,
    /// It cannot be used; a sentence says why and what to do.
    Refused(String),
}

/// What a narrow screen shows under the question box; a wide one shows both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The passages.
    Answers,
    /// The library.
    Documents,
}

/// The question and what was found.
#[derive(Clone, Copy)]
pub(crate) struct Asking {
    /// The question as typed.
    pub(crate) question: RwSignal<String>,
    /// The newest answer, kept while the next is awaited.
    pub(crate) found: RwSignal<Option<Arc<Found>>>,
    /// How far meaning has joined words in it.
    pub(crate) joining: RwSignal<Joining>,
    /// The answer that waits until it is wanted, because somebody is at the passages on show.
    pub(crate) held: RwSignal<Option<Arc<Found>>>,
    /// The newest answer; it is on show where it is the one to the question of the passages on show.
    pub(crate) answer: RwSignal<Option<Arc<Answer>>>,
    /// Somebody has turned to the passages on show.
    pub(crate) is_in_use: RwSignal<bool>,
    /// Why there is no answer.
    pub(crate) failure: RwSignal<Option<String>>,
    /// An answer has been awaited for so long that the wait should be shown.
    pub(crate) is_waiting: RwSignal<bool>,
    /// How many passages are asked for.
    pub(crate) limit: RwSignal<u32>,
    /// The table of candidates is unfolded: those that are not selected are asked for, too.
    pub(crate) explains: RwSignal<bool>,
    /// Which answers may still be shown.
    pub(super) sequence: StoredValue<Sequence>,
    /// A question was sent, and its answer is waited for before the next is.
    pub(super) is_asking: StoredValue<bool>,
    /// More was typed meanwhile.
    pub(super) is_behind: StoredValue<bool>,
    /// The pause after typing.
    pub(super) pause: StoredValue<Option<TimeoutHandle>>,
}

/// The library's list.
#[derive(Clone, Copy)]
pub(crate) struct Library {
    /// The documents by name; `None` until they are known for the first time.
    pub(crate) documents: RwSignal<Option<Vec<Arc<DocumentRecord>>>>,
    /// What the names must contain.
    pub(crate) filter: RwSignal<String>,
    /// Rows can be ticked.
    pub(crate) is_selecting: RwSignal<bool>,
    /// The ticked ones.
    pub(crate) selected: RwSignal<Vec<DocumentId>>,
    /// What was just deleted and can still be brought back.
    pub(crate) trashed: RwSignal<Option<Trashed>>,
    /// When the trash is emptied.
    pub(super) trash_timer: StoredValue<Option<TimeoutHandle>>,
}

/// Documents that were just deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trashed {
    /// Which.
    pub(crate) documents: Vec<DocumentId>,
    /// How they are called in one phrase.
    pub(crate) label: String,
}

/// The document on show.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// Which, and where in it.
    pub(crate) place: RwSignal<Option<Place>>,
    /// Its record, once known.
    pub(crate) record: RwSignal<Option<Arc<DocumentRecord>>>,
    /// The part of it that is held.
    pub(crate) window: RwSignal<Window>,
    /// How much of it was read, while the rest is being read.
    pub(crate) read_so_far: RwSignal<Option<ReadSoFar>>,
    /// Why it cannot be shown.
    pub(crate) failure: RwSignal<Option<String>>,
    /// A stretch is on its way. One at a time.
    pub(crate) is_loading: RwSignal<bool>,
    /// The words to mark where it is pointed at: those that the passage was found by.
    pub(crate) words: Memo<Vec<String>>,
    /// Raised with every opening: answers to an earlier one are dropped, and the view scrolls to the place anew.
    pub(crate) opening: RwSignal<u32>,
}

/// The machine around the page.
#[derive(Clone, Copy)]
pub(crate) struct Machine {
    /// Where the engine is.
    pub(crate) engine: RwSignal<Engine>,
    /// Whether this tab may add and delete.
    pub(crate) is_writer: RwSignal<bool>,
    /// How the library is kept.
    pub(crate) storage: RwSignal<Option<StorageState>>,
    /// Documents of an older version are being read anew: how many are done, and how many there are.
    pub(crate) renewing: RwSignal<Option<(u32, u32)>>,
    /// What is stored cannot be read back: clearing it is the way out.
    pub(crate) is_library_damaged: RwSignal<bool>,
    /// Something was lost or went wrong: a sentence, until dismissed.
    pub(crate) notice: RwSignal<Option<String>>,
    /// The browser says that there is no network.
    pub(crate) is_offline: RwSignal<bool>,
    /// A newer version of the app waits to be used.
    pub(crate) is_update_waiting: RwSignal<bool>,
}

/// The models.
#[derive(Clone, Copy)]
pub(crate) struct Models {
    /// How much of each is kept; empty until it is known.
    pub(crate) kept: RwSignal<Vec<KeptModel>>,
    /// What is being got; one at a time.
    pub(crate) getting: RwSignal<Option<Getting>>,
    /// How the vectors stand that they make; `None` until it is known.
    pub(crate) vectors: RwSignal<Option<VectorsState>>,
    /// Which one could not be got or removed, and why.
    pub(crate) failure: RwSignal<Option<(String, String)>>,
    /// The list of them is unfolded.
    pub(crate) is_open: RwSignal<bool>,
    /// The engine's id of getting one.
    pub(super) request: StoredValue<Option<RequestId>>,
}

/// A model that is being got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Getting {
    /// Which.
    pub(crate) model: String,
    /// What is being done, bytes done and bytes in all, once known.
    pub(crate) progress: Option<(ModelStage, u64, u64)>,
}

/// What a batch is read from.
#[derive(Clone)]
pub(crate) enum Kept {
    /// Files that the user chose.
    Files(SendWrapper<Vec<web_sys::File>>),
    /// Documents of the library.
    Documents(Vec<DocumentId>),
}

/// A request for the files of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    /// The batch.
    pub(crate) key: u32,
    /// The one file it is for; all of the batch where there is none.
    pub(crate) only: Option<u32>,
    /// The engine's id.
    pub(crate) request: RequestId,
}

/// Everything on show.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    /// The engine.
    pub(super) client: StoredValue<EngineClient>,
    /// The question.
    pub(crate) asking: Asking,
    /// The library.
    pub(crate) library: Library,
    /// Files on their way in, oldest batch first.
    pub(crate) batches: RwSignal<Vec<Batch>>,
    /// What the engine was asked for the batches and has not finished.
    pub(super) requests: StoredValue<Vec<Sent>>,
    /// What the batches on show are read from, by [`Batch::key`]: a locked file is handed over again with its password.
    pub(super) sources: StoredValue<Vec<(u32, Kept)>>,
    /// The library changed and will be asked for anew in a moment.
    pub(super) is_refreshing: StoredValue<bool>,
    /// The document on show.
    pub(crate) reading: Reading,
    /// The models.
    pub(crate) models: Models,
    /// The machine around.
    pub(crate) machine: Machine,
    /// What a narrow screen shows.
    pub(crate) pane: RwSignal<Pane>,
    /// Files are being dragged over the page.
    pub(crate) is_dragging: RwSignal<bool>,
    /// A short message for a moment: why something cannot be done.
    pub(crate) hint: RwSignal<Option<String>>,
}

impl Page {
    /// The state at the beginning, and the engine started.
    pub(crate) fn new() -> Self {
        let found = RwSignal::new(None);
        let place = RwSignal::new(None);
        Self {
            client: StoredValue::new(EngineClient::start()),
            asking: Asking {
                question: RwSignal::new(String::new()),
                found,
                joining: RwSignal::new(Joining::default()),
                answer: RwSignal::new(None),
                held: RwSignal::new(None),
                is_in_use: RwSignal::new(false),
                failure: RwSignal::new(None),
                is_waiting: RwSignal::new(false),
                limit: RwSignal::new(PASSAGES_STEP),
                explains: RwSignal::new(false),
                sequence: StoredValue::new(Sequence::default()),
                is_asking: StoredValue::new(false),
                is_behind: StoredValue::new(false),
                pause: StoredValue::new(None),
            },
            library: Library {
                documents: RwSignal::new(None),
                filter: RwSignal::new(String::new()),
                is_selecting: RwSignal::new(false),
                selected: RwSignal::new(Vec::new()),
                trashed: RwSignal::new(None),
                trash_timer: StoredValue::new(None),
            },
            batches: RwSignal::new(Vec::new()),
            requests: StoredValue::new(Vec::new()),
            sources: StoredValue::new(Vec::new()),
            is_refreshing: StoredValue::new(false),
            reading: Reading {
                place,
                record: RwSignal::new(None),
                window: RwSignal::new(Window::default()),
                read_so_far: RwSignal::new(None),
                failure: RwSignal::new(None),
                is_loading: RwSignal::new(false),
                words: Memo::new(move |_| words_at(&found.get(), &place.get())),
                opening: RwSignal::new(0),
            },
            models: Models {
                kept: RwSignal::new(Vec::new()),
                getting: RwSignal::new(None),
                vectors: RwSignal::new(None),
                failure: RwSignal::new(None),
                is_open: RwSignal::new(false),
                request: StoredValue::new(None),
            },
            machine: Machine {
                engine: RwSignal::new(Engine::Starting),
                is_writer: RwSignal::new(true),
                storage: RwSignal::new(None),
                renewing: RwSignal::new(None),
                is_library_damaged: RwSignal::new(false),
                notice: RwSignal::new(None),
                is_offline: RwSignal::new(false),
                is_update_waiting: RwSignal::new(false),
            },
            pane: RwSignal::new(Pane::Documents),
            is_dragging: RwSignal::new(false),
            hint: RwSignal::new(None),
        }
    }

    /// The page's state, from inside a view.
    pub(crate) fn here() -> Self {
        expect_context::<Self>()
    }

    /// Whether the library is known to hold nothing.
    pub(crate) fn is_library_empty(self) -> bool {
        self.library.documents.with(|documents| documents.as_ref().is_some_and(Vec::is_empty))
    }

    /// Number of documents, 0 while unknown.
    pub(crate) fn n_documents(self) -> usize {
        self.library.documents.with(|documents| documents.as_ref().map_or(0, Vec::len))
    }
}

/// The words that the passage at a place was found by; none where the place was not come to by a passage.
fn words_at(found: &Option<Arc<Found>>, place: &Option<Place>) -> Vec<String> {
    let (Some(found), Some(place)) = (found, place) else { return Vec::new() };
    let is_here = |passage: &&Passage| passage.chunk.document == place.document && passage.node == place.node;
    found.passages.iter().find(is_here).map_or_else(Vec::new, |p| marks::marked_words(&p.text, &p.marks))
}
