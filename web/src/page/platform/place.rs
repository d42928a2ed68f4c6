//! Focus and scroll positions: where the user is on the page, kept when the page changes under them.

use leptos::prelude::*;
use std::cell::RefCell;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, FocusOptions, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// The id of the question's input.
pub(crate) const QUESTION_ID: &str = "question";

/// Selects the buttons that open passages, in order.
pub(crate) const PASSAGES: &str = ".passage-open";

/// Selects the buttons that open documents, in order.
pub(crate) const ROWS: &str = ".row-open";

/// The id of what unfolds the list of models.
pub(crate) const MODELS_ID: &str = "models";

/// The element in which a document scrolls.
pub(crate) const SCROLLER_ID: &str = "reading";

thread_local! {
    static FOCUS: RefCell<Option<HtmlElement>> = const { RefCell::new(None) };
}

fn scroller() -> Option<Element> {
    document().get_element_by_id(SCROLLER_ID)
}

/// Moves the focus to an element; `false` where there is none.
pub(crate) fn focus(id: &str) -> bool {
    document().get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok()).is_some_and(|element| {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        element.focus_with_options(&options).is_ok()
    })
}

/// Moves the focus to an element and shows it.
fn go_to(id: &str) {
    if focus(id)
        && let Some(element) = document().get_element_by_id(id)
    {
        element.scroll_into_view();
    }
}

/// Moves the focus to the first button within an element and shows all of it; where there is none, to `else_id`.
pub(crate) fn go_into(id: &str, else_id: &str) {
    let Some(element) = document().get_element_by_id(id) else { return go_to(else_id) };
    let button = element.query_selector("button:not([disabled])").ok().flatten();
    let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) else { return go_to(else_id) };
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    let _ = button.focus_with_options(&options);
    let middle = ScrollIntoViewOptions::new();
    middle.set_block(ScrollLogicalPosition::Center);
    element.scroll_into_view_with_scroll_into_view_options(&middle);
}

/// Whether the `<details>` that an event comes from is unfolded.
pub(crate) fn is_unfolded(event: &web_sys::Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| element.has_attribute("open"))
}

/// Notes which element has the focus, for [`refocus`].
pub(crate) fn remember_focus() {
    FOCUS.set(document().active_element().and_then(|element| element.dyn_into().ok()));
}

/// Gives the focus back to the element noted, if it is still there.
pub(crate) fn refocus() {
    if let Some(element) = FOCUS.take().filter(|element| element.is_connected()) {
        // On a narrow screen the element is hidden until the document is gone.
        request_animation_frame(move || {
            let _ = element.focus();
        });
    }
}

/// Moves the focus among the elements that a selector gives: `step` forward from the one focused, or to the first (or
/// last) if none is. `false` where that leads out at the front or nothing is there.
pub(crate) fn focus_within(selector: &str, step: i32) -> bool {
    let elements = all(selector);
    let last = elements.len() as i32 - 1;
    let next = match focused(&elements) {
        Some(at) => (at as i32).saturating_add(step).min(last),
        None if step > 0 => 0,
        None => last,
    };
    usize::try_from(next).ok().and_then(|next| elements.get(next)).is_some_and(|element| {
        let _ = element.focus();
        element.scroll_into_view_with_scroll_into_view_options(&nearest());
        true
    })
}

fn all(selector: &str) -> Vec<HtmlElement> {
    let Ok(found) = document().query_selector_all(selector) else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.item(at)).filter_map(|node| node.dyn_into().ok()).collect()
}

/// Which of the elements has the focus.
fn focused(elements: &[HtmlElement]) -> Option<usize> {
    let active = document().active_element()?;
    elements.iter().position(|element| *element.unchecked_ref::<Element>() == active)
}

/// Keeps the focus in a list whose items are about to go or be replaced: if it is in one of the `items` now, it goes to
/// the target that then stands in its place, or to the question when the list is empty.
pub(crate) fn keep_focus_in(items: &str, targets: &'static str) {
    let Some(active) = document().active_element() else { return };
    let Some(at) = all(items).iter().position(|item| item.contains(Some(&active))) else { return };
    request_animation_frame(move || {
        if active.is_connected() {
            return;
        }
        let now = all(targets);
        match now.get(at).or(now.last()) {
            Some(element) => {
                let _ = element.focus();
            }
            None => {
                focus(QUESTION_ID);
            }
        }
    });
}

fn nearest() -> ScrollIntoViewOptions {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options
}

/// Scrolls the document to the first element that a selector gives; `false` where there is none yet.
pub(crate) fn point_at(selector: &str) -> bool {
    let target = scroller().and_then(|scroller| scroller.query_selector(selector).ok().flatten());
    target.is_some_and(|target| {
        // Where the place begins is near the top, not at it: what leads up to it stays in sight (scroll-margin-top).
        target.scroll_into_view_with_bool(true);
        true
    })
}

/// Scrolls the document to its beginning.
pub(crate) fn scroll_to_top() {
    if let Some(scroller) = scroller() {
        scroller.set_scroll_top(0);
    }
}

/// How many pixels of the document are out of sight above and below, and how many in sight.
pub(crate) fn room_around() -> Option<(i32, i32, i32)> {
    let scroller = scroller()?;
    let (top, height) = (scroller.scroll_top(), scroller.client_height());
    Some((top, scroller.scroll_height() - top - height, height))
}

/// A node in sight and where it stands, so that it can stand there again after nodes came or went above it.
#[derive(Debug)]
pub(crate) struct Anchor(Option<(String, f64)>);

impl Anchor {
    /// Notes the first node in sight.
    pub(crate) fn note() -> Self {
        let note = || {
            let scroller = scroller()?;
            let top = scroller.get_bounding_client_rect().top();
            let nodes = scroller.query_selector_all("[data-node]").ok()?;
            (0..nodes.length()).filter_map(|at| nodes.item(at)?.dyn_into::<Element>().ok()).find_map(|element| {
                let place = element.get_bounding_client_rect();
                (place.bottom() > top).then(|| element.get_attribute("data-node").map(|id| (id, place.top()))).flatten()
            })
        };
        Self(note())
    }

    /// Puts the node back where it stood, once the page has been brought up to date.
    pub(crate) fn hold(self) {
        let Some((id, before)) = self.0 else { return };
        request_animation_frame(move || {
            let Some(scroller) = scroller() else { return };
            let found = scroller.query_selector(&format!("[data-node=\"{id}\"]")).ok().flatten();
            if let Some(element) = found {
                let moved = element.get_bounding_client_rect().top() - before;
                scroller.set_scroll_top(scroller.scroll_top() + moved.round() as i32);
            }
        });
    }
}
