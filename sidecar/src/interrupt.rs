//! Ctrl-C for commands that work through many files. Not for the server, which has tokio's signals.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether the user asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for SIGINT and SIGTERM from now on. The first asks to stop; a second ends the process at once, which
    /// is safe, because the store only knows finished documents.
    ///
    /// # Errors
    /// When the system refuses to install a handler.
    pub fn listen() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            // Order matters: the conditional exit must look at the flag before this signal raises it.
            let code = i32::from(crate::EXIT_INTERRUPTED);
            signal_hook::flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupt.0))?;
            signal_hook::flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        Ok(interrupt)
    }

    /// Whether the user asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks to stop, as a signal does.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
