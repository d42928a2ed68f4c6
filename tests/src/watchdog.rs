//! Runs what may panic or never end, and says how it went.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// The stack of a watched thread: what a worker has in the browser, so that deep recursion shows here first.
const STACK_BYTES: usize = 1 << 20;

/// How a watched call went.
#[derive(Debug, PartialEq, Eq)]
pub enum Watched<T> {
    /// It returned this after this time.
    Returned(T, Duration),
    /// It panicked with these words.
    Panicked(String),
    /// It was still running when its time was up. Its thread is left behind.
    Hung,
}

/// Runs a call in a thread of its own for at most `limit`.
pub fn watch<T: Send + 'static>(limit: Duration, call: impl FnOnce() -> T + Send + 'static) -> Watched<T> {
    let (sender, receiver) = mpsc::channel();
    let started = Instant::now();
    let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // Nobody listens any more once the time is up.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(call)));
    });
    if let Err(error) = spawned {
        return Watched::Panicked(format!("no thread: {error}"));
    }
    match receiver.recv_timeout(limit) {
        Ok(Ok(value)) => Watched::Returned(value, started.elapsed()),
        Ok(Err(panic)) => Watched::Panicked(words(&*panic)),
        Err(_) => Watched::Hung,
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_ends_are_told_apart() {
        assert!(matches!(watch(Duration::from_secs(5), || 7), Watched::Returned(7, _)));
        let panicked: Watched<()> = watch(Duration::from_secs(5), || panic!("boom"));
        assert_eq!(panicked, Watched::Panicked("boom".to_owned()));
        assert_eq!(watch(Duration::from_millis(20), || thread::sleep(Duration::from_secs(2))), Watched::Hung);
    }
}
