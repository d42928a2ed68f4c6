//! Asking: the pause after typing, one answer per question, none out of order.

use super::super::{
    logic::joining::{Arrival, Joining, arrival},
    platform,
    state::{PASSAGES_STEP, Page, Pane},
};
use leptos::prelude::*;
use millwright_core::protocol::{Answer, Event, Found, Request};
use std::{sync::Arc, time::Duration};

/// How long typing must have stopped before the question is sent: long enough that a scanner's burst of keys is one
/// question, short enough that passages stand there within 60 ms of the last key.
const PAUSE: Duration = Duration::from_millis(30);

/// How long passages must have stood before the question is answered.
const STILLNESS: Duration = Duration::from_millis(200);

/// How long an answer may take before the wait is shown: below this, a skeleton would only flicker.
const PATIENCE: Duration = Duration::from_millis(150);

impl Page {
    /// Takes the question as it is being typed; it is sent once typing stops.
    pub(crate) fn type_question(self, question: String) {
        let is_empty = question.trim().is_empty();
        self.asking.question.set(question);
        self.asking.limit.set(PASSAGES_STEP);
        self.write_address();
        self.cancel_pause();
        if is_empty {
            self.clear_answer();
            return;
        }
        self.pane.set(Pane::Answers);
        self.ask_soon();
    }

    /// Sends the question once typing stops. While the one before is being answered it waits for that, at most
    /// [`PATIENCE`]: a slow machine answers one question after the other, and the last of them always.
    fn ask_soon(self) {
        let ask = move || {
            if self.asking.is_asking.get_value() {
                self.asking.is_behind.set_value(true);
            } else {
                self.ask_now();
            }
        };
        self.asking.pause.set_value(set_timeout_with_handle(ask, PAUSE).ok());
    }

    /// Goes on with what was typed while the question before was being answered.
    fn catch_up(self) {
        self.asking.is_asking.set_value(false);
        if self.asking.is_behind.get_value() {
            self.ask_now();
        }
    }

    /// Takes a question that is complete, from an example or the address, and sends it at once.
    pub(crate) fn ask(self, question: &str) {
        self.type_question(question.to_owned());
        self.ask_now();
    }

    /// Sends the question as it stands.
    pub(crate) fn ask_now(self) {
        self.cancel_pause();
        let query = self.asking.question.get_untracked();
        if query.trim().is_empty() {
            return;
        }
        let Some(ticket) = self.asking.sequence.try_update_value(|sequence| sequence.issue()) else { return };
        let is_awaited = move || self.asking.sequence.with_value(|sequence| sequence.is_awaited(ticket));
        let lose_patience = move || {
            self.asking.is_waiting.set(is_awaited());
            if is_awaited() {
                self.catch_up();
            }
        };
        set_timeout(lose_patience, PATIENCE);
        self.asking.is_asking.set_value(true);
        self.asking.is_behind.set_value(false);
        let (limit, explains) = (self.asking.limit.get_untracked(), self.asking.explains.get_untracked());
        let request = Request::Find { query, limit, explains };
        self.send(request, move |event| {
            // Only what was found by words so far stands there before the whole answer comes.
            let is_on_show = || self.asking.sequence.with_value(|sequence| sequence.is_on_show(ticket));
            let accept = || self.asking.sequence.try_update_value(|sequence| sequence.accept(ticket)) == Some(true);
            match event {
                Event::FoundSoFar(found) if accept() => self.show(found, Joining::Awaited),
                Event::Found(found) if is_on_show() => self.join(found),
                Event::Found(found) if accept() => self.show(found, Joining::Whole),
                Event::Failed(failure) if accept() => self.asking.failure.set(Some(failure.error)),
                // `Done`: a newer question made this one moot.
                _ => return,
            }
            self.asking.is_waiting.set(false);
            if self.asking.sequence.with_value(|sequence| sequence.is_newest(ticket)) {
                self.catch_up();
            }
        });
    }

    fn show(self, found: Found, joining: Joining) {
        self.asking.failure.set(None);
        self.asking.joining.set(joining);
        self.asking.held.set(None);
        // A longer list of the same passages does not take anybody away from where they are.
        if joining == Joining::Awaited {
            self.asking.is_in_use.set(false);
        }
        platform::keep_focus_in(".passage", platform::PASSAGES);
        let query = found.query.clone();
        self.asking.found.set(Some(Arc::new(found)));
        if joining != Joining::Awaited {
            self.answer_soon(query);
        }
    }

    /// Has the question answered once its passages have stood for a moment: while somebody types, passages are enough.
    fn answer_soon(self, query: String) {
        let is_answered = |answer: &Option<Arc<Answer>>| answer.as_ref().is_some_and(|answer| answer.question == query);
        if self.asking.answer.with_untracked(is_answered) && self.asking.joining.get_untracked() != Joining::Joined {
            return;
        }
        let ask = move || {
            let is_on_show = |found: &Option<Arc<Found>>| found.as_ref().is_some_and(|found| found.query == query);
            if !self.asking.found.with_untracked(is_on_show) {
                return;
            }
            self.send(Request::Ask { query }, move |event| match event {
                Event::Answered(answer) => self.asking.answer.set(Some(Arc::new(*answer))),
                Event::Failed(failure) => self.asking.failure.set(Some(failure.error)),
                // `Done`: a newer question made this one moot.
                _ => {}
            });
        };
        set_timeout(ask, STILLNESS);
    }

    /// Takes the whole answer to a question whose passages by words alone are on show.
    fn join(self, whole: Found) {
        let is_in_use = self.asking.is_in_use.get_untracked() || self.reading.place.with_untracked(Option::is_some);
        let on_show = self.asking.found.get_untracked();
        let chunks = |found: &Found| found.passages.iter().map(|passage| passage.chunk.clone()).collect::<Vec<_>>();
        let on_show = on_show.map(|found| chunks(&found)).unwrap_or_default();
        match arrival(&on_show, &chunks(&whole), is_in_use) {
            Arrival::Same => self.show(whole, Joining::Whole),
            Arrival::Replaces => self.show(whole, Joining::Joined),
            Arrival::Waits => {
                self.asking.joining.set(Joining::Held);
                self.asking.held.set(Some(Arc::new(whole)));
            }
        }
    }

    /// Shows the answer that waited until it was wanted.
    pub(crate) fn show_held(self) {
        if let Some(held) = self.asking.held.get_untracked() {
            self.show(Found::clone(&held), Joining::Joined);
        }
    }

    /// Asks for more passages of the same question.
    pub(crate) fn ask_for_more(self) {
        self.asking.limit.update(|limit| *limit += PASSAGES_STEP);
        self.ask_now();
    }

    fn clear_answer(self) {
        self.asking.is_asking.set_value(false);
        self.asking.is_behind.set_value(false);
        self.asking.sequence.update_value(|sequence| sequence.forget());
        self.asking.found.set(None);
        self.asking.answer.set(None);
        self.asking.held.set(None);
        self.asking.joining.set(Joining::default());
        self.asking.failure.set(None);
        self.asking.is_waiting.set(false);
    }

    fn cancel_pause(self) {
        if let Some(pause) = self.asking.pause.try_update_value(Option::take).flatten() {
            pause.clear();
        }
    }
}
