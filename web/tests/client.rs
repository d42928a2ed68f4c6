//! The page's end of the channel where no engine can be had: the test's server has no `engine-boot.js`.

#![cfg(target_arch = "wasm32")]

use futures_channel::oneshot;
use millwright_core::protocol::{Event, FailureKind, Request};
use millwright_web::client::EngineClient;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A request and the event it ends with.
async fn ask(client: &EngineClient, request: Request) -> Event {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    client.request(request, Vec::new(), move |event| {
        if let Some(sender) = sender.take() {
            drop(sender.send(event));
        }
    });
    receiver.await.expect("every request ends")
}

#[wasm_bindgen_test]
async fn an_engine_that_never_comes_up_is_given_up_and_every_request_ends() {
    let client = EngineClient::start();
    let (sender, given_up) = oneshot::channel();
    let sender = RefCell::new(Some(sender));
    let n_told = Rc::new(Cell::new(0));
    let count = Rc::clone(&n_told);
    client.on_unasked(move |event| {
        let Event::Failed(failure) = event else { panic!("no engine, yet {event:?}") };
        count.set(count.get() + 1);
        if failure.error.contains("Reload the page") {
            sender.take().map(|sender| sender.send(()));
        }
    });

    let early = ask(&client, Request::Documents).await;
    assert!(matches!(&early, Event::Failed(failure) if failure.error_type == FailureKind::Internal), "{early:?}");
    given_up.await.expect("the page is told");
    assert_eq!(n_told.get(), 4, "three restarts, each told, and the end");
    let late = ask(&client, Request::Documents).await;
    assert!(matches!(late, Event::Failed(_)), "a request after the end ends at once: {late:?}");
}
