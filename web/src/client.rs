//! The page's end of the channel to the engine: starts it, asks it, hears it, and starts it again when it dies.
//!
//! Not for views: what the answers look like is the page's business.

mod kept;
mod shared;

use crate::channel;
use millwright_core::{
    document::DocumentId,
    protocol::{Event, Failure, FailureKind, Request, RequestId},
};
use send_wrapper::SendWrapper;
use shared::Shared;
use std::rc::Rc;
use web_sys::{Blob, File};

/// A handle to the engine. Clones talk to the same engine.
///
/// It is `Send` and `Sync` so that it can be a Leptos context, but works only in the page's one thread.
#[derive(Clone)]
pub struct EngineClient(SendWrapper<Rc<Shared>>);

impl EngineClient {
    /// Starts the engine and says hello to it. What comes of it is heard by [`Self::on_unasked`]: `Ready` or `Failed`.
    #[must_use]
    pub fn start() -> Self {
        let shared = Shared::new();
        Shared::launch(&shared);
        Self(SendWrapper::new(shared))
    }

    /// Asks the engine. `on_event` hears every event of this request up to the final one ([`is_final`]); when the engine
    /// dies, a `Failed`. It may be called before this returns only when the engine cannot be reached at all.
    pub fn request(&self, request: Request, files: Vec<File>, mut on_event: impl FnMut(Event) + 'static) -> RequestId {
        Shared::request(&self.0, &request, &files, Box::new(move |event, _| on_event(event)))
    }

    /// Hears what nobody asked for: `Ready` once the engine is up (told to late listeners too), `Role`, `Changed`, `Vectors`, and
    /// `Failed` when the engine could not start or died. There may be several listeners; they stay for good.
    pub fn on_unasked(&self, on_event: impl FnMut(Event) + 'static) {
        Shared::on_unasked(&self.0, Box::new(on_event));
    }

    /// Fetches a document's original: its name and bytes.
    pub fn original(&self, document: DocumentId, on_done: impl FnOnce(Result<(String, Blob), Failure>) + 'static) {
        let mut on_done = Some(on_done);
        let hear = move |event, blob: Option<Blob>| {
            let result = match (event, blob) {
                (Event::Original { name }, Some(blob)) => Ok((name, blob)),
                (Event::Failed(failure), _) => Err(failure),
                _ => Err(Failure {
                    error: "The original did not come along. Try again.".to_owned(),
                    error_type: FailureKind::Internal,
                }),
            };
            if let Some(on_done) = on_done.take() {
                on_done(result);
            }
        };
        Shared::request(&self.0, &Request::Original { document }, &[], Box::new(hear));
    }

    /// How many documents this browser held when it was last seen: known before the engine is up.
    #[must_use]
    pub fn n_noted_documents() -> usize {
        kept::noted()
    }

    /// The build that page and engine must share, for showing in an "about" line.
    #[must_use]
    pub fn build() -> &'static str {
        channel::BUILD
    }
}

/// Whether an event is the last of its request.
#[must_use]
pub fn is_final(event: &Event) -> bool {
    !matches!(
        event,
        Event::FileProgress { .. }
            | Event::FileDone { .. }
            | Event::ModelProgress { .. }
            | Event::FoundSoFar(_)
            | Event::Changed
            | Event::Role { .. }
    )
}
