//! Models: what is kept of them, getting and removing them, and having scans read once their reader is there.

use super::super::{
    logic::batch::Batch,
    platform::{self, NamedFile},
    state::{Getting, Kept, Page, Pane, Sent},
};
use leptos::prelude::*;
use millwright_core::{
    document::DocumentId,
    index::DocumentRecord,
    models::{Catalogue, Model, Role},
    protocol::{Event, Password, Request},
};
use std::sync::Arc;

/// The id of a model's row in the list.
pub(crate) fn model_row_id(model: &Model) -> String {
    format!("model-{}", model.id)
}

impl Page {
    /// Asks which models are kept.
    pub(crate) fn ask_models(self) {
        self.ask_models_and_then(|| ());
    }

    fn ask_models_and_then(self, then: impl FnOnce() + 'static) {
        let mut then = Some(then);
        self.send(Request::Models, move |event| {
            if let Event::Models { models } = event {
                self.models.kept.set(models);
            }
            if let Some(then) = then.take() {
                then();
            }
        });
    }

    /// Whether a model for this is kept whole.
    pub(crate) fn has_model(self, role: Role) -> bool {
        self.models.kept.with(|kept| {
            let is_kept = |id: &str| kept.iter().any(|kept| kept.model == id && kept.is_whole);
            Catalogue::shipped().for_role(role).any(|model| is_kept(&model.id))
        })
    }

    /// Gets a model from Millwright's server.
    pub(crate) fn get_model(self, model: &str) {
        self.begin_getting(model, Request::GetModel { model: model.to_owned() }, Vec::new());
    }

    /// Takes a model out of files that were chosen.
    pub(crate) fn take_model(self, model: &str, files: Vec<NamedFile>) {
        if !files.is_empty() {
            let files = files.into_iter().map(|file| file.file).collect();
            self.begin_getting(model, Request::TakeModel { model: model.to_owned() }, files);
        }
    }

    fn begin_getting(self, model: &str, request: Request, files: Vec<web_sys::File>) {
        if self.models.getting.with_untracked(Option::is_some) {
            return;
        }
        self.models.failure.set(None);
        self.models.getting.set(Some(Getting { model: model.to_owned(), progress: None }));
        let id = model.to_owned();
        let on_event = move |event| match event {
            Event::ModelProgress { stage, done_bytes, total_bytes } => self.models.getting.update(|getting| {
                if let Some(getting) = getting {
                    getting.progress = Some((stage, done_bytes, total_bytes));
                }
            }),
            Event::Done | Event::Failed(_) => {
                self.models.getting.set(None);
                self.models.request.set_value(None);
                if let Event::Failed(failure) = event {
                    self.models.failure.set(Some((id.clone(), failure.error)));
                }
                self.ask_storage();
                self.ask_models_and_then(move || self.read_what_waited());
            }
            _ => {}
        };
        let request = self.client.with_value(|client| client.request(request, files, on_event));
        self.models.request.set_value(Some(request));
    }

    /// Stops getting a model. What came of it is kept, and the next time goes on from there.
    pub(crate) fn stop_model(self) {
        if let Some(request) = self.models.request.get_value() {
            self.send(Request::Cancel { request, file: None }, |_| {});
        }
    }

    /// Removes a model, or what is there of it.
    pub(crate) fn remove_model(self, model: &str) {
        self.models.failure.set(None);
        let id = model.to_owned();
        self.send(Request::RemoveModel { model: model.to_owned() }, move |event| {
            if let Event::Failed(failure) = event {
                self.models.failure.set(Some((id.clone(), failure.error)));
            }
            self.ask_models();
            self.ask_storage();
        });
    }

    /// Opens the list of models and goes to one of them: to the button that gets it where it is not here.
    pub(crate) fn show_model(self, model: &'static Model) {
        self.close_document();
        self.pane.set(Pane::Documents);
        self.models.is_open.set(true);
        self.ask_models();
        request_animation_frame(move || platform::go_into(&model_row_id(model), platform::MODELS_ID));
    }

    /// The model for this that fits the library.
    pub(crate) fn fitting_model(self, role: Role) -> Option<&'static Model> {
        let catalogue = Catalogue::shipped();
        let fitting = self.models.vectors.with(|vectors| vectors.as_ref().and_then(|state| state.fitting.clone()));
        let fitting = fitting.and_then(|id| catalogue.model(&id)).filter(|model| model.role == role);
        fitting.or_else(|| catalogue.for_role(role).next())
    }

    /// Asks how the vectors stand.
    pub(crate) fn ask_vectors(self) {
        self.send(Request::VectorsState, move |event| {
            if let Event::Vectors(vectors) = event {
                self.models.vectors.set(Some(vectors));
            }
        });
    }

    /// Stops making vectors, or goes on with it.
    pub(crate) fn pause_vectors(self, is_paused: bool) {
        self.send(Request::PauseVectors { is_paused }, move |event| self.heed(event));
    }

    /// Has all vectors made anew with a model.
    pub(crate) fn remake_vectors(self, model: &str) {
        self.send(Request::RemakeVectors { model: model.to_owned() }, move |event| self.heed(event));
    }

    fn heed(self, event: Event) {
        match event {
            Event::Failed(failure) => self.say(&failure.error),
            _ => self.ask_vectors(),
        }
    }

    /// Has all scans read that waited for their reader: it was got for them.
    fn read_what_waited(self) {
        if !untrack(|| self.has_model(Role::ReadsScans) && self.obstacle().is_none()) {
            return;
        }
        let waiting = self.library.documents.with_untracked(|documents| {
            documents.iter().flatten().filter(|document| document.has_unread_scans()).cloned().collect::<Vec<_>>()
        });
        self.read_scans(waiting);
    }

    /// Has the scans of these documents read, as a batch of its own.
    pub(crate) fn read_scans(self, documents: Vec<Arc<DocumentRecord>>) {
        if let Some(reason) = untrack(|| self.obstacle()) {
            self.say(reason);
            return;
        }
        let is_in_work = |id: &DocumentId| {
            let of_id = |kept: &Kept| matches!(kept, Kept::Documents(documents) if documents.contains(id));
            self.sources.with_value(|held| {
                let under_way =
                    |key: u32| self.requests.with_value(|requests| requests.iter().any(|sent| sent.key == key));
                held.iter().any(|(key, kept)| of_id(kept) && under_way(*key))
            })
        };
        let documents: Vec<_> = documents.into_iter().filter(|document| !is_in_work(&document.id)).collect();
        if documents.is_empty() {
            return;
        }
        let names: Vec<String> = documents.iter().map(|document| document.name.clone()).collect();
        let ids: Vec<DocumentId> = documents.iter().map(|document| document.id.clone()).collect();
        let key = self.begin_batch(|key| Batch::of_scans(key, names), Kept::Documents(ids.clone()));
        self.send_scans(key, None, ids, None);
    }

    /// Asks the engine to read scans: those of a whole batch, or of the one document that `only` names.
    pub(super) fn send_scans(
        self,
        key: u32,
        only: Option<u32>,
        documents: Vec<DocumentId>,
        password: Option<Password>,
    ) {
        let on_event = move |event| self.hear_batch(key, only, event);
        let request = Request::ReadScans { documents, password };
        let request = self.client.with_value(|client| client.request(request, Vec::new(), on_event));
        self.requests.update_value(|requests| requests.push(Sent { key, only, request }));
    }
}
