//! That the library changed: told to the other tabs and to this tab's page, in bursts at most four times a second.

use crate::clock::sleep;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{BroadcastChannel, MessageEvent};

const CHANNEL: &str = "millwright";
const CHANGED: &str = "changed";

/// Five hundred files in a row must not make every tab redraw five hundred times.
const PAUSE_MILLIS: i32 = 250;

/// Calls something soon after it is asked for: at once, then at most once a pause, and never not at all.
pub(super) struct Burst {
    act: RefCell<Box<dyn FnMut()>>,
    is_wanted: Cell<bool>,
    is_pausing: Cell<bool>,
}

impl Burst {
    pub(super) fn new(act: impl FnMut() + 'static) -> Rc<Self> {
        Rc::new(Self { act: RefCell::new(Box::new(act)), is_wanted: Cell::new(false), is_pausing: Cell::new(false) })
    }

    pub(super) fn ask(self: &Rc<Self>) {
        self.is_wanted.set(true);
        if self.is_pausing.replace(true) {
            return;
        }
        let this = Rc::clone(self);
        spawn_local(async move {
            while this.is_wanted.replace(false) {
                (this.act.borrow_mut())();
                sleep(PAUSE_MILLIS).await;
            }
            this.is_pausing.set(false);
        });
    }
}

/// The channel to the other tabs; none where the browser has none.
pub(super) struct OtherTabs(Option<BroadcastChannel>);

impl OtherTabs {
    /// Joins, and calls `on_changed` when another tab says that it changed the library.
    pub(super) fn join(mut on_changed: impl FnMut() + 'static) -> Self {
        let Ok(channel) = BroadcastChannel::new(CHANNEL) else { return Self(None) };
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if event.data().as_string().as_deref() == Some(CHANGED) {
                on_changed();
            }
        });
        channel.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        // It listens as long as the worker lives.
        on_message.forget();
        Self(Some(channel))
    }

    /// Tells the other tabs.
    pub(super) fn tell_changed(&self) {
        if let Some(channel) = &self.0 {
            // Text can always be cloned.
            let _ = channel.post_message(&JsValue::from_str(CHANGED));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Burst, OtherTabs, PAUSE_MILLIS};
    use crate::clock::sleep;
    use std::{cell::Cell, rc::Rc};
    use wasm_bindgen_test::wasm_bindgen_test;

    /// A counter and what counts it up.
    fn counter() -> (Rc<Cell<u32>>, impl FnMut() + 'static) {
        let count = Rc::new(Cell::new(0));
        let counted = Rc::clone(&count);
        (count, move || counted.set(counted.get() + 1))
    }

    #[wasm_bindgen_test]
    async fn a_burst_is_told_at_once_and_once_more_at_its_end() {
        let (n_told, tell) = counter();
        let burst = Burst::new(tell);
        (0..500).for_each(|_| burst.ask());
        sleep(1).await;
        assert_eq!(n_told.get(), 1, "at once");
        burst.ask();
        sleep(3 * PAUSE_MILLIS).await;
        assert_eq!(n_told.get(), 2, "what came during the pause is not forgotten");
        burst.ask();
        sleep(1).await;
        assert_eq!(n_told.get(), 3, "after a quiet time at once again");
    }

    #[wasm_bindgen_test]
    async fn other_tabs_hear_of_changes_and_this_one_does_not_hear_itself() {
        let (n_here, count_here) = counter();
        let (n_there, count_there) = counter();
        let here = OtherTabs::join(count_here);
        let _there = OtherTabs::join(count_there);
        here.tell_changed();
        sleep(100).await;
        assert_eq!((n_here.get(), n_there.get()), (0, 1));
    }
}
