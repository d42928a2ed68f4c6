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

#[cfg(test)]
mod tests {
    use super::{Shelf, Urgency};
    use crate::clock::sleep;
    use futures_util::future::{join, join3};
    use std::cell::RefCell;
    use wasm_bindgen_test::wasm_bindgen_test;

    /// Takes a turn and notes it.
    async fn turn(shelf: &Shelf<()>, urgency: Urgency, order: &RefCell<Vec<Urgency>>) {
        let taken = shelf.take(urgency).await;
        order.borrow_mut().push(urgency);
        drop(taken);
    }

    #[wasm_bindgen_test]
    async fn the_more_urgent_goes_first_however_late_it_came() {
        let shelf = Shelf::new();
        let order = RefCell::default();
        let turns = join3(
            turn(&shelf, Urgency::Ingestion, &order),
            turn(&shelf, Urgency::Idle, &order),
            turn(&shelf, Urgency::Question, &order),
        );
        join(turns, async { shelf.put(()) }).await;
        assert_eq!(order.into_inner(), [Urgency::Question, Urgency::Ingestion, Urgency::Idle]);
    }

    #[wasm_bindgen_test]
    async fn equals_go_in_the_order_in_which_they_came() {
        let shelf = Shelf::new();
        let order = RefCell::new(Vec::new());
        let note = async |name: &'static str| {
            let taken = shelf.take(Urgency::Click).await;
            order.borrow_mut().push(name);
            drop(taken);
        };
        join(join3(note("first"), note("second"), note("third")), async { shelf.put(()) }).await;
        assert_eq!(order.into_inner(), ["first", "second", "third"]);
    }

    #[wasm_bindgen_test]
    async fn whoever_comes_waits_until_it_is_put_back() {
        let shelf = Shelf::new();
        shelf.put(1);
        let taken = shelf.take(Urgency::Idle).await;
        let order = RefCell::new(Vec::new());
        join(
            async {
                let second = shelf.take(Urgency::Question).await;
                order.borrow_mut().push(format!("taken {}", *second));
            },
            async {
                sleep(1).await;
                order.borrow_mut().push("replaced".to_owned());
                assert_eq!(taken.remove(), Some(1));
                shelf.put(2);
            },
        )
        .await;
        assert_eq!(order.into_inner(), ["replaced", "taken 2"]);
    }
}
