//! A library of an older version: before anything else its documents are read anew from their originals.

use super::{CommandError, grouped};
use crate::{
    clock::SystemClock,
    interrupt::Interrupt,
    output::{Output, printable},
    reader::{self, PATIENCE, ReaderError},
    store::FileStorage,
};
use millwright_core::{
    host::{Clock, Progress},
    index::{self, Library},
    parse::ParseError,
    protocol::{Failure, FailureKind},
};
use std::sync::Arc;

/// Reads anew what waits for it. What is stopped goes on with the next command.
pub(super) fn renew(library: &mut Library<FileStorage>, output: &mut Output) -> Result<(), CommandError> {
    let unread = library.unread();
    if unread.is_empty() {
        return Ok(());
    }
    output.line("Millwright reads more of your documents than before, so it reads them again.");
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    for (place, (id, name)) in (1..).zip(&unread) {
        output.status(&format!("{place}/{} {}", grouped(unread.len()), printable(name)));
        let bytes = Arc::new(pollster::block_on(library.original(id))?.1);
        let (shared, name) = (Arc::clone(&bytes), name.clone());
        let work = move |progress: &mut dyn Progress| index::prepare(&name, &shared, progress);
        match reader::read(work, PATIENCE, &interrupt, |_, _| ()) {
            Ok(prepared) => {
                pollster::block_on(library.commit(prepared, &bytes, SystemClock::new().now_millis()))?;
            }
            Err(ReaderError::Parse(ParseError::Cancelled)) => {
                return Err(Failure {
                    error: "Stopped before all documents were read again. The next command goes on with it.".to_owned(),
                    error_type: FailureKind::StorageUnavailable,
                }
                .into());
            }
            Err(error) => pollster::block_on(library.give_up(id, &Failure::from(&error).error))?,
        }
    }
    while matches!(pollster::block_on(library.maintain()), Ok(true)) {}
    Ok(())
}
