//! Opening the library: as its writer or as a follower, from IndexedDB or, where that is refused, in memory.

use super::{Engine, OpenLibrary, renewing, roles, shelf::Urgency, vectors};
use crate::store::BrowserStore;
use millwright_core::{
    index::{self, IndexError, Library},
    protocol::{Event, Failure, FailureKind, RequestId},
};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;

/// Claims a role and opens the library in it.
pub(super) async fn open(engine: Rc<Engine>) {
    let for_promotion = Rc::clone(&engine);
    let is_writer = roles::claim(move || spawn_local(promote(for_promotion))).await;
    engine.is_writer.set(is_writer);
    let opened = open_as(&engine, is_writer).await;
    engine.library.put(opened.map_err(Failure::from));
    vectors::go_on(&engine);
    if engine.is_writer.get() {
        engine.tidy_soon();
        spawn_local(renewing::run(engine));
    }
}

/// This tab's turn to write has come: everything is read anew, since the former writer may have stopped anywhere.
async fn promote(engine: Rc<Engine>) {
    if engine.is_memory_only.get() {
        // Its library is its own: nothing to take over.
        return;
    }
    let former = engine.library.take(Urgency::News).await.remove();
    // The old connection goes before the new one comes.
    drop(former);
    engine.vectors.reopened();
    engine.is_writer.set(true);
    let opened = open_as(&engine, true).await.map_err(Failure::from);
    let failure = opened.as_ref().err().cloned();
    engine.library.put(opened);
    engine.tell(RequestId::UNASKED, &Event::Role { writer: true });
    match failure {
        Some(failure) => engine.tell(RequestId::UNASKED, &Event::Failed(failure)),
        None => engine.tell(RequestId::UNASKED, &Event::Changed),
    }
    vectors::go_on(&engine);
    engine.tidy_soon();
    spawn_local(renewing::run(engine));
}

/// Removes everything that is stored and begins with an empty library.
pub(super) async fn clear(engine: &Rc<Engine>) -> Result<(), Failure> {
    let former = engine.library.take(Urgency::Click).await;
    engine.may_write()?;
    // The old connection goes before the new one comes.
    drop(former.remove());
    engine.vectors.reopened();
    let (store, _) = BrowserStore::open().await;
    let cleared = index::clear(&store).await;
    drop(store);
    engine.library.put(open_as(engine, true).await.map_err(Failure::from));
    cleared?;
    vectors::go_on(engine);
    engine.changed.ask();
    Ok(())
}

async fn open_as(engine: &Rc<Engine>, writer: bool) -> Result<OpenLibrary, IndexError> {
    let (store, refusal) = BrowserStore::open().await;
    engine.is_memory_only.set(store.is_memory());
    if let Some(refusal) = refusal {
        // Every tab has a memory of its own, so every tab writes.
        engine.is_writer.set(true);
        engine.notice.replace(Some(format!(
            "This browser keeps no documents here ({refusal}). They can be added and searched, but are gone when this tab is closed. A private window or blocked site data is the usual reason."
        )));
    }
    if let BrowserStore::Kept(kept) = &store {
        let weak = Rc::downgrade(engine);
        kept.on_closed(move |reason| {
            if let Some(engine) = weak.upgrade() {
                let error = format!("The library can no longer be used: {reason}.");
                let failure = Failure { error, error_type: FailureKind::StorageUnavailable };
                engine.tell(RequestId::UNASKED, &Event::Failed(failure));
            }
        });
    }
    if writer || store.is_memory() { Library::open(store).await } else { Library::open_follower(store).await }
}
