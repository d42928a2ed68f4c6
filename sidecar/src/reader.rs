//! Runs a parser where it can do no harm: in a thread of its own with a large stack, whose panics are caught and which
//! is given up when it stands still. Not for storing what comes out.
//!
//! A thread that is given up cannot be killed; it is told to stop at its next progress report and dies with the
//! process otherwise. The library is never touched from it.

use crate::interrupt::Interrupt;
use millwright_core::{
    host::Progress,
    parse::ParseError,
    protocol::{Failure, FailureKind},
};
use std::{
    any::Any,
    ops::ControlFlow,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Once,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// How long a reader may stand still before its file is given up.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Address space for the reader's stack; pages are only taken when used. Deeply nested files recurse.
const STACK_BYTES: usize = 256 << 20;

/// How often the watcher looks.
const TICK: Duration = Duration::from_millis(50);

/// How long an interrupted reader may take to notice.
const GRACE: Duration = Duration::from_secs(1);

const THREAD_NAME: &str = "millwright-reader";

/// Why a reader gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReaderError {
    /// The parser says why.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The parser panicked.
    #[error(
        "Reading this file made the reader crash ({0}). It was left out and the rest goes on. The file may be damaged: open it in its own program, save it anew and add that."
    )]
    Crashed(String),
    /// The parser stood still.
    #[error(
        "Reading this file made no progress for {} seconds. It was left out and the rest goes on. Split it, or save it anew, and add that.",
        .0.as_secs()
    )]
    StoodStill(Duration),
    /// No thread could be started.
    #[error("The system gives no thread to read it with ({0}). Close other programs and add it again.")]
    NoThread(String),
}

impl From<&ReaderError> for Failure {
    fn from(error: &ReaderError) -> Self {
        match error {
            ReaderError::Parse(error) => error.clone().into(),
            other => Self { error: other.to_string(), error_type: FailureKind::ReaderFailed },
        }
    }
}

/// What reader and watcher share.
#[derive(Debug, Default)]
struct Shared {
    /// Grows with every report: how the watcher sees life.
    n_reports: AtomicU64,
    done: AtomicU32,
    total: AtomicU32,
    stop: AtomicBool,
}

struct Reporter(Arc<Shared>);

impl Progress for Reporter {
    fn report(&mut self, done: u32, total: u32) -> ControlFlow<()> {
        self.0.done.store(done, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
        self.0.n_reports.fetch_add(1, Ordering::Relaxed);
        if self.0.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs `work` under guard. `on_progress(done, total)` is called from this thread about twenty times a second.
///
/// # Errors
/// [`ReaderError`]; an interrupt gives [`ParseError::Cancelled`].
pub fn read<T: Send + 'static>(
    work: impl FnOnce(&mut dyn Progress) -> Result<T, ParseError> + Send + 'static,
    patience: Duration,
    interrupt: &Interrupt,
    mut on_progress: impl FnMut(u32, u32),
) -> Result<T, ReaderError> {
    silence_reader_panics();
    let shared = Arc::new(Shared::default());
    let (sender, receiver) = mpsc::channel();
    let mut reporter = Reporter(Arc::clone(&shared));
    thread::Builder::new()
        .name(THREAD_NAME.to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let result = panic::catch_unwind(AssertUnwindSafe(|| work(&mut reporter)));
            // Nobody listens any more where the file was given up.
            let _ = sender.send(result.map_err(|panic| panic_message(panic.as_ref())));
        })
        .map_err(|error| ReaderError::NoThread(error.to_string()))?;

    let mut n_reports = 0;
    let mut last_life = Instant::now();
    let mut interrupted_at = None;
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(Ok(result)) => return Ok(result?),
            Ok(Err(panic)) => return Err(ReaderError::Crashed(panic)),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err(ReaderError::Crashed("no word".to_owned())),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if interrupt.is_raised() {
            shared.stop.store(true, Ordering::Relaxed);
            if interrupted_at.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return Err(ParseError::Cancelled.into());
            }
            continue;
        }
        let now_reports = shared.n_reports.load(Ordering::Relaxed);
        if now_reports != n_reports {
            n_reports = now_reports;
            last_life = Instant::now();
            on_progress(shared.done.load(Ordering::Relaxed), shared.total.load(Ordering::Relaxed));
        } else if last_life.elapsed() > patience {
            shared.stop.store(true, Ordering::Relaxed);
            return Err(ReaderError::StoodStill(patience));
        }
    }
}

/// The default hook prints every panic; a reader's is reported with its file instead.
fn silence_reader_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(THREAD_NAME) {
                previous(info);
            }
        }));
    });
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    // The first line says what; the rest may quote the file at length.
    message.and_then(|message| message.lines().next()).unwrap_or("no message").chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(200);

    fn ignore(_done: u32, _total: u32) {}

    #[test]
    fn results_and_errors_come_through() {
        let interrupt = Interrupt::default();
        assert_eq!(read(|_| Ok(7), SHORT, &interrupt, ignore), Ok(7));
        assert_eq!(read::<()>(|_| Err(ParseError::Empty), SHORT, &interrupt, ignore), Err(ParseError::Empty.into()));
    }

    #[test]
    fn a_crash_is_caught() {
        let crashed = read::<()>(|_| panic!("index out of bounds\nmore"), SHORT, &Interrupt::default(), ignore);
        assert_eq!(crashed, Err(ReaderError::Crashed("index out of bounds".to_owned())));
    }

    #[test]
    fn deep_recursion_has_room() {
        fn deep(n: u32) -> u32 {
            let frame = std::hint::black_box([0_u8; 1000]);
            if n == 0 { u32::from(frame[0]) } else { 1 + deep(n - 1) + u32::from(frame[1]) }
        }
        // 50,000 frames of over 1,000 bytes: far beyond a thread's usual 2 MiB.
        assert_eq!(read(|_| Ok(deep(50_000)), PATIENCE, &Interrupt::default(), ignore), Ok(50_000));
    }

    #[test]
    fn standing_still_is_given_up_and_told_to_stop() {
        let (stopped, was_stopped) = mpsc::channel();
        let result = read::<()>(
            move |progress| {
                thread::sleep(SHORT * 5);
                let _ = stopped.send(progress.report(0, 0).is_break());
                Err(ParseError::Cancelled)
            },
            SHORT,
            &Interrupt::default(),
            ignore,
        );
        assert_eq!(result, Err(ReaderError::StoodStill(SHORT)));
        assert_eq!(was_stopped.recv(), Ok(true));
    }

    #[test]
    fn slow_but_steady_is_fine() {
        let mut heard = 0;
        let result = read(
            |progress| {
                for n in 0..10 {
                    thread::sleep(SHORT / 2);
                    let _ = progress.report(n, 10);
                }
                Ok(())
            },
            SHORT,
            &Interrupt::default(),
            |_, total| heard = total,
        );
        assert_eq!((result, heard), (Ok(()), 10));
    }

    #[test]
    fn an_interrupt_stops_even_a_reader_that_does_not_listen() {
        let interrupt = Interrupt::default();
        interrupt.raise();
        let result = read::<()>(
            |_| {
                thread::sleep(Duration::from_secs(30));
                Ok(())
            },
            PATIENCE,
            &interrupt,
            ignore,
        );
        assert_eq!(result, Err(ParseError::Cancelled.into()));
    }
}
