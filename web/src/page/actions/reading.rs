//! Reading a document: opens it at a place and fetches more of it at either end.

use super::super::{
    logic::{address::Place, window},
    platform,
    state::Page,
};
use leptos::prelude::*;
use millwright_core::{
    document::{DocumentId, NodeId},
    protocol::{Event, Request},
};
use std::sync::Arc;

/// How many nodes before the place are fetched with it: enough to see what leads up to it.
const LEAD_NODES: u32 = 24;

impl Page {
    /// Shows a document at a place.
    pub(super) fn show_place(self, place: Place) {
        let before = self.reading.place.get_untracked();
        let reading = self.reading;
        reading.opening.update(|opening| *opening += 1);
        reading.failure.set(None);
        reading.is_loading.set(false);
        let is_same = before.is_some_and(|before| before.document == place.document);
        let is_held =
            is_same && reading.window.with_untracked(|window| window.nodes().iter().any(|node| node.id == place.node));
        let from = NodeId(place.node.0.saturating_sub(LEAD_NODES));
        reading.place.set(Some(place));
        if !is_same {
            reading.record.set(None);
            reading.read_so_far.set(None);
        }
        if !is_held {
            reading.window.set(window::Window::default());
            self.fetch(window::Ask { from, limit: window::STRETCH_NODES });
        }
    }

    /// Shows the place on show anew, after the engine was lost.
    pub(super) fn reopen(self) {
        if let Some(place) = self.reading.place.get_untracked() {
            self.reading.window.set(window::Window::default());
            self.show_place(place);
        }
    }

    /// Shows the document on show anew where more of it was read meanwhile, at the page that is on show.
    pub(super) fn follow_reading(self) {
        if self.reading.read_so_far.with_untracked(Option::is_some) {
            self.reopen();
        }
    }

    /// Opens a document at a page.
    pub(crate) fn open_page(self, document: DocumentId, page: u32) {
        let request = Request::OpenPage { document: document.clone(), page, limit: window::STRETCH_NODES };
        self.send(request, move |event| match event {
            Event::Opened(view) => {
                let on_page = view.nodes.iter().find(|node| node.page.is_some_and(|on| on >= page));
                let node = on_page.or(view.nodes.last()).map_or(NodeId::ROOT, |node| node.id);
                self.open_document(Place { document: document.clone(), node, end_node: node });
            }
            Event::Failed(failure) => self.say(&failure.error),
            _ => {}
        });
    }

    /// Fetches what stands before what is held.
    pub(crate) fn fetch_before(self) {
        if let Some(ask) = self.reading.window.with_untracked(window::Window::before) {
            self.fetch(ask);
        }
    }

    /// Fetches what comes after what is held.
    pub(crate) fn fetch_after(self) {
        if let Some(ask) = self.reading.window.with_untracked(window::Window::after) {
            self.fetch(ask);
        }
    }

    fn fetch(self, ask: window::Ask) {
        let reading = self.reading;
        let Some(place) = reading.place.get_untracked() else { return };
        if reading.is_loading.get_untracked() {
            return;
        }
        reading.is_loading.set(true);
        let opening = reading.opening.get_untracked();
        let request = Request::Open { document: place.document, from: ask.from, limit: ask.limit };
        self.send(request, move |event| {
            if reading.opening.get_untracked() != opening {
                return;
            }
            reading.is_loading.set(false);
            match event {
                Event::Opened(view) => {
                    let anchor = platform::Anchor::note();
                    reading.read_so_far.set(view.reading);
                    let record = Arc::new(view.record);
                    if reading.record.with_untracked(|held| held.as_ref() != Some(&record)) {
                        reading.record.set(Some(record));
                    }
                    let again = reading.window.try_update(|window| window.take(view.nodes, view.n_nodes)).flatten();
                    anchor.hold();
                    if let Some(ask) = again {
                        self.fetch(ask);
                    }
                }
                Event::Failed(failure) => reading.failure.set(Some(failure.error)),
                _ => {}
            }
        });
    }

    /// Takes the document off the page.
    pub(super) fn leave_document(self) {
        let reading = self.reading;
        reading.opening.update(|opening| *opening += 1);
        reading.place.set(None);
        reading.record.set(None);
        reading.read_so_far.set(None);
        reading.failure.set(None);
        reading.is_loading.set(false);
        reading.window.set(window::Window::default());
        platform::refocus();
    }
}
