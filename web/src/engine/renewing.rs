//! A library of an older version: its documents are read anew from their originals, one after the other, while those
//! already read are found.

use super::{Engine, cancel::Cancellation, reading::Reader, reading::Unread, shelf::Urgency, vectors};
use crate::clock::BrowserClock;
use js_sys::Uint8Array;
use millwright_core::{
    document::DocumentId,
    host::Clock,
    protocol::{Event, Failure, RequestId},
};
use std::rc::Rc;

/// Reads anew what waits for it; says how far it is. What is stopped by a closed tab goes on when the next one opens.
pub(super) async fn run(engine: Rc<Engine>) {
    let unread = match engine.library(Urgency::Click).await {
        Ok(library) => library.unread(),
        Err(_) => return,
    };
    let total = unread.len() as u32;
    let mut reader = Reader::new(&engine.reader_program);
    for (done, (id, name)) in (0..).zip(&unread) {
        engine.tell(RequestId::UNASKED, &Event::Renewing { done, total });
        if let Err(failure) = renew(&engine, &mut reader, id, name).await {
            // No room, no reader while offline, or the store is gone: the document keeps waiting, and its row in the list says so.
            web_sys::console::warn_1(&format!("{name} could not be read anew: {failure}").into());
            return engine.tell(RequestId::UNASKED, &Event::Renewing { done: total, total });
        }
        engine.changed.ask();
    }
    if total > 0 {
        engine.tell(RequestId::UNASKED, &Event::Renewing { done: total, total });
        engine.tidy_soon();
        vectors::go_on(&engine);
    }
}

async fn renew(engine: &Engine, reader: &mut Reader, id: &DocumentId, name: &str) -> Result<(), Failure> {
    let original = {
        let library = engine.library(Urgency::Idle).await?;
        if !library.unread().iter().any(|(unread, _)| unread == id) {
            // Removed or added anew meanwhile.
            return Ok(());
        }
        library.original(id).await?.1
    };
    let bytes = Uint8Array::from(original.as_slice()).buffer();
    drop(original);
    let never = Cancellation::default();
    let read = match reader.take(name, &bytes, None, &never).await {
        Ok(_) => reader.read(name, &never, async |_| ()).await,
        Err(unread) => Err(unread),
    };
    let mut library = engine.library(Urgency::Ingestion).await?;
    match read {
        Ok((prepared, original)) => library.commit(prepared, &original, BrowserClock.now_millis()).await.map(drop)?,
        Err(Unread::Failed(failure)) => library.give_up(id, &failure.error).await?,
        // Nothing is wrong with the document.
        Err(Unread::NoReader(failure)) => return Err(failure),
        Err(Unread::Cancelled) => {}
    }
    Ok(())
}
