//! Beginning, hearing the engine, and the machine around the page.

use super::super::{
    platform,
    state::{Engine, Page},
    texts,
};
use leptos::prelude::*;
use millwright_core::protocol::{Event, FailureKind, PROTOCOL_VERSION, Request};
use std::time::Duration;

/// How long the engine may take to come up again. Loading a large library takes a second or two.
const RESTART: Duration = Duration::from_secs(20);

/// How many changes of the library are taken together: what one cannot follow with the eye.
const CHANGES: Duration = Duration::from_millis(250);

impl Page {
    /// Starts listening and shows what the address says. `typed` was typed before the page was there.
    pub(crate) fn begin(self, typed: &str) {
        self.client.with_value(|client| client.on_unasked(move |event| self.hear(event)));
        self.machine.is_offline.set(platform::is_offline());
        platform::on_network_change(move |is_offline| self.machine.is_offline.set(is_offline));
        platform::watch_for_update(move || self.machine.is_update_waiting.set(true));
        self.follow_address();
        platform::on_history(move |is_ours| self.step(is_ours));
        if !typed.is_empty() {
            self.type_question(typed.to_owned());
        }
    }

    fn hear(self, event: Event) {
        match event {
            Event::Ready { protocol, .. } if protocol != PROTOCOL_VERSION => {
                self.machine.engine.set(Engine::Refused(texts::VERSION_MISMATCH.to_owned()));
            }
            Event::Ready { writer, storage, notice, .. } => {
                let is_restart = self.machine.engine.with_untracked(|engine| *engine == Engine::Restarting);
                self.machine.engine.set(Engine::Ready);
                self.machine.is_writer.set(writer);
                self.machine.storage.set(Some(storage));
                if notice.is_some() {
                    self.machine.notice.set(notice);
                }
                self.refresh();
                self.ask_models();
                self.ask_vectors();
                // Requests of before the crash are lost; what is on show must be asked for anew.
                if is_restart {
                    self.reopen();
                }
            }
            Event::Role { writer } => self.machine.is_writer.set(writer),
            Event::Changed => self.refresh_soon(),
            Event::Renewing { done, total } => self.machine.renewing.set((done < total).then_some((done, total))),
            Event::Vectors(vectors) => self.models.vectors.set(Some(vectors)),
            Event::StorageState(storage) => self.machine.storage.set(Some(storage)),
            Event::Failed(failure) if failure.error_type == FailureKind::VersionMismatch => {
                self.machine.engine.set(Engine::Refused(failure.error));
            }
            Event::Failed(failure) => {
                self.asking.is_waiting.set(false);
                self.machine.is_library_damaged.set(failure.error_type == FailureKind::LibraryDamaged);
                if failure.error_type == FailureKind::Internal || failure.error_type == FailureKind::ReaderFailed {
                    self.machine.engine.set(Engine::Restarting);
                    self.machine.notice.set(Some(failure.error.clone()));
                    set_timeout(move || self.give_up(failure.error), RESTART);
                } else {
                    self.machine.engine.set(Engine::Refused(failure.error));
                }
            }
            _ => {}
        }
    }

    /// An engine that does not come up again is not coming: say so, with what it last said.
    fn give_up(self, reason: String) {
        if self.machine.engine.with_untracked(|engine| *engine == Engine::Restarting) {
            self.machine.notice.set(None);
            self.machine.engine.set(Engine::Refused(reason));
        }
    }

    /// [`Page::refresh`] a moment later: while files go in, the library changes many times a second.
    fn refresh_soon(self) {
        if self.is_refreshing.get_value() {
            return;
        }
        self.is_refreshing.set_value(true);
        let refresh = move || {
            self.is_refreshing.set_value(false);
            self.refresh();
        };
        set_timeout(refresh, CHANGES);
    }

    /// Asks for the list, the room and the answer anew: the library may have changed.
    pub(super) fn refresh(self) {
        self.list_documents();
        self.ask_storage();
        if self.asking.question.with_untracked(|question| !question.trim().is_empty()) {
            self.ask_now();
        }
    }

    /// Asks how much room there is.
    pub(crate) fn ask_storage(self) {
        self.send(Request::StorageState, move |event| {
            if let Event::StorageState(storage) = event {
                self.machine.storage.set(Some(storage));
            }
        });
    }

    /// Asks the browser never to clear the library by itself. It may say no, and some ask the user.
    pub(crate) fn keep_documents(self) {
        platform::persist(move |is_granted| {
            if !is_granted {
                self.say(texts::KEEP_REFUSED);
            }
            self.ask_storage();
        });
    }

    /// Shows a short message for a moment.
    pub(crate) fn say(self, message: &str) {
        self.hint.set(Some(message.to_owned()));
        let message = message.to_owned();
        let clear = move || {
            if self.hint.with_untracked(|hint| hint.as_ref() == Some(&message)) {
                self.hint.set(None);
            }
        };
        set_timeout(clear, Duration::from_secs(6));
    }

    pub(super) fn send(self, request: Request, on_event: impl FnMut(Event) + 'static) {
        self.client.with_value(|client| client.request(request, Vec::new(), on_event));
    }
}
