//! A flag that a request was cancelled, which can also be awaited.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    rc::Rc,
    task::{Poll, Waker},
};

/// Clones are of one request: cancelling one cancels all.
#[derive(Clone, Default)]
pub(super) struct Cancellation(Rc<State>);

#[derive(Default)]
struct State {
    cancelled: Cell<bool>,
    waiting: RefCell<Vec<Waker>>,
}

impl Cancellation {
    pub(super) fn cancel(&self) {
        self.0.cancelled.set(true);
        self.0.waiting.take().into_iter().for_each(Waker::wake);
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.0.cancelled.get()
    }

    /// Ends when the request is cancelled.
    pub(super) async fn cancelled(&self) {
        poll_fn(|context| {
            if self.is_cancelled() {
                return Poll::Ready(());
            }
            let mut waiting = self.0.waiting.borrow_mut();
            if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                waiting.push(context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }
}

#[cfg(test)]
mod tests {
    use super::Cancellation;
    use futures_util::future::join3;
    use std::cell::Cell;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    async fn everybody_who_waits_hears_it() {
        let cancellation = Cancellation::default();
        let n_heard = Cell::new(0);
        let hear = async || {
            cancellation.cancelled().await;
            n_heard.set(n_heard.get() + 1);
        };
        join3(hear(), hear(), async {
            assert_eq!((n_heard.get(), cancellation.is_cancelled()), (0, false));
            cancellation.clone().cancel();
        })
        .await;
        assert_eq!((n_heard.get(), cancellation.is_cancelled()), (2, true));
        // And who comes late does not wait at all.
        cancellation.cancelled().await;
    }
}
