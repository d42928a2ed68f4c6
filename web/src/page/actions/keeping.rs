//! Keeping the library: the list, deleting with a way back, and the originals.

use super::super::{
    platform,
    state::{Engine, Page, Trashed},
    texts,
};
use leptos::prelude::*;
use millwright_core::{
    document::DocumentId,
    index::DocumentRecord,
    protocol::{Event, Request},
};
use std::{sync::Arc, time::Duration};

/// How long a deletion can be undone with a click.
const UNDO: Duration = Duration::from_secs(8);

impl Page {
    /// Asks for the list of documents.
    pub(super) fn list_documents(self) {
        self.send(Request::Documents, move |event| match event {
            Event::Documents { documents } => self.take_documents(documents),
            Event::Failed(failure) => self.machine.notice.set(Some(failure.error)),
            _ => {}
        });
    }

    fn take_documents(self, documents: Vec<DocumentRecord>) {
        let documents: Vec<_> = documents.into_iter().map(Arc::new).collect();
        let has = |id: &DocumentId| documents.iter().any(|document| document.id == *id);
        let is_gone =
            self.reading.place.with_untracked(|place| place.as_ref().is_some_and(|place| !has(&place.document)));
        // What is still being read is not in the list.
        if is_gone && self.reading.read_so_far.with_untracked(Option::is_none) {
            self.reading.failure.set(Some(texts::DOCUMENT_GONE.to_owned()));
        }
        let is_read_again = |record: &DocumentRecord| {
            let is_newer = |new: &Arc<DocumentRecord>| new.id == record.id && new.n_nodes != record.n_nodes;
            documents.iter().any(is_newer)
        };
        if self.reading.record.with_untracked(|record| record.as_ref().is_some_and(|record| is_read_again(record))) {
            self.reopen();
        }
        self.follow_reading();
        self.library.selected.update(|selected| selected.retain(has));
        self.library.documents.set(Some(documents));
    }

    /// Hides documents at once; they are gone for good when the chance to undo has passed.
    pub(crate) fn delete(self, ids: Vec<DocumentId>) {
        if let Some(reason) = untrack(|| self.obstacle()) {
            self.say(reason);
            return;
        }
        if ids.is_empty() {
            return;
        }
        self.empty_trash();
        let name = self.library.documents.with_untracked(|documents| {
            documents.iter().flatten().find(|document| ids.first() == Some(&document.id)).map(|d| d.name.clone())
        });
        let label = match (ids.len(), name) {
            (1, Some(name)) => name,
            (n, _) => texts::n_documents(n as u64),
        };
        if self.reading.place.with_untracked(|place| place.as_ref().is_some_and(|place| ids.contains(&place.document)))
        {
            self.close_document();
        }
        platform::keep_focus_in(".row", platform::ROWS);
        self.library.documents.update(|documents| {
            documents.iter_mut().for_each(|documents| documents.retain(|document| !ids.contains(&document.id)));
        });
        self.library.selected.set(Vec::new());
        self.library.is_selecting.set(false);
        self.library.trashed.set(Some(Trashed { documents: ids.clone(), label }));
        self.wait_to_empty_trash();
        self.send_change(Request::Trash { documents: ids });
    }

    /// Brings back what was just deleted.
    pub(crate) fn undo_delete(self) {
        self.hold_trash();
        if let Some(trashed) = self.library.trashed.try_update(Option::take).flatten() {
            self.send_change(Request::Restore { documents: trashed.documents });
        }
    }

    /// Stops the clock of the undo: somebody is about to use it.
    pub(crate) fn hold_trash(self) {
        if let Some(timer) = self.library.trash_timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }

    /// Starts the clock of the undo.
    pub(crate) fn wait_to_empty_trash(self) {
        self.hold_trash();
        self.library.trash_timer.set_value(set_timeout_with_handle(move || self.empty_trash(), UNDO).ok());
    }

    /// Removes for good what was deleted before.
    pub(crate) fn empty_trash(self) {
        self.hold_trash();
        if let Some(trashed) = self.library.trashed.try_update(Option::take).flatten() {
            self.send_change(Request::Purge { documents: trashed.documents });
        }
    }

    /// Sends a change and then shows the library as it is, whatever became of the change.
    fn send_change(self, request: Request) {
        self.send(request, move |event| {
            if let Event::Failed(failure) = event {
                self.machine.notice.set(Some(failure.error));
            }
            self.refresh();
        });
    }

    /// Removes everything that is stored.
    pub(crate) fn clear_library(self) {
        self.close_document();
        self.send(Request::Clear, move |event| {
            match event {
                Event::Failed(failure) => self.machine.notice.set(Some(failure.error)),
                _ => {
                    self.machine.is_library_damaged.set(false);
                    self.machine.notice.set(None);
                    self.machine.engine.set(Engine::Ready);
                }
            }
            self.refresh();
        });
    }

    /// Ticks or unticks a document.
    pub(crate) fn toggle_selected(self, id: &DocumentId) {
        self.library.selected.update(|selected| match selected.iter().position(|other| other == id) {
            Some(at) => {
                selected.remove(at);
            }
            None => selected.push(id.clone()),
        });
    }

    /// Saves a document's original file.
    pub(crate) fn download(self, id: DocumentId) {
        let on_done = move |result: Result<(String, web_sys::Blob), millwright_core::protocol::Failure>| match result {
            Ok((name, blob)) => platform::save(&name, &blob),
            Err(failure) => self.machine.notice.set(Some(failure.error)),
        };
        self.client.with_value(|client| client.original(id, on_done));
    }
}
