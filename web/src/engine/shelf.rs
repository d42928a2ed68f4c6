//! Where the one library stands: whoever needs it takes it in turn, the more urgent first.
//!
//! The engine is one thread with many tasks, and the library is used across awaits. A question must not wait behind five
//! hundred files, so turns go by urgency, and tasks take the library for one step at a time.

use futures_channel::oneshot;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    ops::{Deref, DerefMut},
};

/// How urgent a turn is; the first is the most urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Urgency {
    /// Somebody waits for an answer while typing.
    Question,
    /// Somebody clicked.
    Click,
    /// News from another tab, or a change of role.
    News,
    /// A file to be stored.
    Ingestion,
    /// Housekeeping.
    Idle,
}

/// A place for one `T` with a queue.
pub(super) struct Shelf<T> {
    place: RefCell<Option<T>>,
    queue: RefCell<BTreeMap<(Urgency, u64), oneshot::Sender<()>>>,
    n_turns: Cell<u64>,
}

impl<T> Shelf<T> {
    /// An empty shelf: turns wait until something is put on it.
    pub(super) fn new() -> Self {
        Self { place: RefCell::new(None), queue: RefCell::default(), n_turns: Cell::new(0) }
    }

    /// Puts the thing there and wakes who is next.
    pub(super) fn put(&self, thing: T) {
        self.place.replace(Some(thing));
        self.wake_next();
    }

    /// Takes the thing when the turn comes; it goes back when dropped.
    pub(super) async fn take(&self, urgency: Urgency) -> Taken<'_, T> {
        let turn = self.n_turns.get();
        self.n_turns.set(turn + 1);
        loop {
            // Whoever comes while more urgent ones wait must not slip in before them.
            let first_in_line = self.queue.borrow().keys().next().is_none_or(|first| (urgency, turn) < *first);
            let thing = if first_in_line { self.place.take() } else { None };
            if let Some(thing) = thing {
                return Taken { shelf: self, thing: Some(thing) };
            }
            let (sender, receiver) = oneshot::channel();
            self.queue.borrow_mut().insert((urgency, turn), sender);
            // A dropped sender means "look again", too.
            let _ = receiver.await;
        }
    }

    fn wake_next(&self) {
        loop {
            let next = self.queue.borrow_mut().pop_first();
            let Some((_, sender)) = next else { return };
            // One who does not wait any more is passed over.
            if sender.send(()).is_ok() {
                return;
            }
        }
    }
}

/// The thing, taken.
pub(super) struct Taken<'a, T> {
    shelf: &'a Shelf<T>,
    thing: Option<T>,
}

impl<T> Taken<'_, T> {
    /// Keeps the shelf empty until something is [`Shelf::put`] there again.
    pub(super) fn remove(mut self) -> Option<T> {
        self.thing.take()
    }
}

impl<T> Deref for Taken<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.thing {
            Some(thing) => thing,
            None => unreachable!("only `remove` empties it, and that consumes it"),
        }
    }
}

impl<T> DerefMut for Taken<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.thing {
            Some(thing) => thing,
            None => unreachable!("only `remove` empties it, and that consumes it"),
        }
    }
}

impl<T> Drop for Taken<'_, T> {
    fn drop(&mut self) {
        if let Some(thing) = self.thing.take() {
            self.shelf.put(thing);
        }
    }
}
