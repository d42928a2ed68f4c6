//! The address bar and the page, each following the other; the back button closes what was opened.

use super::super::{
    logic::address::{Address, Place},
    platform::{self, Step},
    state::{Page, Pane},
    texts,
};
use leptos::prelude::*;

impl Page {
    fn address(self) -> Address {
        Address { question: self.asking.question.get_untracked(), place: self.reading.place.get_untracked() }
    }

    /// Notes the state in the address without a new step in the history.
    pub(super) fn write_address(self) {
        platform::write_address(&self.address().written(), Step::Same);
        platform::set_title(&self.asking.question.with_untracked(|question| texts::page_title(question)));
    }

    /// The user went back or forward, or we did (`is_ours`) because something was closed.
    pub(super) fn step(self, is_ours: bool) {
        // A question typed since the document was opened must not be undone by closing it.
        if is_ours { self.write_address() } else { self.follow_address() }
    }

    /// Shows what the address says.
    pub(super) fn follow_address(self) {
        let address = Address::read(&platform::query());
        if self.asking.question.with_untracked(|question| *question != address.question) {
            self.asking.question.set(address.question.clone());
            if address.question.trim().is_empty() {
                self.type_question(String::new());
            } else {
                self.pane.set(Pane::Answers);
                self.ask_now();
            }
        }
        if self.reading.place.with_untracked(|place| *place != address.place) {
            match address.place {
                Some(place) => self.show_place(place),
                None => self.leave_document(),
            }
        }
    }

    /// Opens a document at a place. Back closes it again, however many places were opened meanwhile.
    pub(crate) fn open_document(self, place: Place) {
        let step = if self.reading.place.with_untracked(Option::is_some) { Step::Same } else { Step::Into };
        if step == Step::Into {
            platform::remember_focus();
        }
        self.show_place(place);
        platform::write_address(&self.address().written(), step);
    }

    /// Closes the document on show.
    pub(crate) fn close_document(self) {
        if self.reading.place.with_untracked(Option::is_none) {
            return;
        }
        self.leave_document();
        // Going back keeps the history as short as it was; an address that was opened directly has nothing to go back to.
        if !platform::go_back_out() {
            self.write_address();
        }
    }
}
