//! The child's side: one thread owns the model and takes orders from a bounded queue, another listens for more and for
//! cancelling. Generic over the model, so that tests run all of it with one that follows a script.

use super::wire::{About, MAX_JOBS, Order, Report};
use millwright_core::host::generator::{Finish, GenerateError, Generation, Usage};
use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, TrySendError},
    },
    thread,
};

/// A loaded model. It lives in the thread that loaded it.
pub trait Engine {
    /// What it is.
    fn about(&self) -> About;

    /// Does once what the first call would otherwise wait for.
    fn warm(&mut self);

    /// Writes. Looks at [`Listener::is_cancelled`] before every token, and between slices of the messages.
    ///
    /// # Errors
    /// [`GenerateError::TooLong`] and [`GenerateError::Invalid`] before anything was written,
    /// [`GenerateError::Crashed`] otherwise.
    fn generate(
        &mut self,
        generation: &Generation,
        listener: &mut dyn Listener,
    ) -> Result<(Finish, Usage), GenerateError>;
}

/// Who hears what an [`Engine`] writes.
pub trait Listener {
    /// Whether nobody wants any more of it.
    fn is_cancelled(&self) -> bool;
    /// So many of the messages' tokens are read.
    fn read(&mut self, done_tokens: u32, total_tokens: u32);
    /// The next piece.
    fn piece(&mut self, text: &str);
}

/// What both threads see.
#[derive(Debug, Default)]
struct Control {
    cancelled: Mutex<BTreeSet<u64>>,
    /// The server closed its end: it stopped, or crashed.
    is_alone: AtomicBool,
}

impl Control {
    fn is_cancelled(&self, id: u64) -> bool {
        self.is_alone.load(Ordering::Relaxed) || self.lock().contains(&id)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<u64>> {
        // A set is whole between any two of the calls that are made under the lock.
        self.cancelled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where reports go, a line each.
struct Reports<W>(Arc<Mutex<W>>);

impl<W> Clone for Reports<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: Write> Reports<W> {
    fn send(&self, report: &Report) {
        let Ok(mut line) = serde_json::to_vec(report) else { return };
        line.push(b'\n');
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that is gone is noticed by the thread that listens to it.
        let _ = output.write_all(&line).and_then(|()| output.flush());
    }
}

/// Hears how much of a hundred is loaded.
pub type OnPercent = Box<dyn FnMut(u8)>;

/// Loads a model and serves it until `input` ends. `load` runs in this thread, as all that touches the model does. Returns
/// whether the model was loaded.
pub fn run<E: Engine>(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    load: impl FnOnce(OnPercent) -> Result<E, String>,
) -> bool {
    let reports = Reports(Arc::new(Mutex::new(output)));
    let control = Arc::new(Control::default());
    let (queue, orders) = mpsc::sync_channel(MAX_JOBS);
    {
        let (reports, control) = (reports.clone(), Arc::clone(&control));
        // It ends with its input, or with the process.
        thread::spawn(move || listen(input, &queue, &control, &reports));
    }
    let on_percent = {
        let reports = reports.clone();
        let mut percent_said = None;
        Box::new(move |percent: u8| {
            if percent_said.replace(percent) != Some(percent) {
                reports.send(&Report::Loading { percent });
            }
        })
    };
    let mut engine = match load(on_percent) {
        Ok(engine) => engine,
        Err(error) => {
            reports.send(&Report::Failed { error });
            return false;
        }
    };
    reports.send(&Report::Warming);
    engine.warm();
    reports.send(&Report::Ready { about: engine.about() });
    for (id, generation) in orders {
        let mut listener = Reporter { id, control: &control, reports: &reports };
        let report = if listener.is_cancelled() {
            Report::Done { id, finish: Finish::Stopped, usage: Usage::default() }
        } else {
            match engine.generate(&generation, &mut listener) {
                Ok((finish, usage)) => Report::Done { id, finish, usage },
                Err(error) => Report::Refused { id, error },
            }
        };
        reports.send(&report);
        // Ids grow: what was cancelled too late is forgotten with it.
        control.lock().retain(|&other| other > id);
    }
    true
}

/// Takes orders until there are no more.
fn listen<W: Write>(
    input: impl Read,
    queue: &mpsc::SyncSender<(u64, Generation)>,
    control: &Control,
    reports: &Reports<W>,
) {
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { break };
        match serde_json::from_str(&line) {
            Ok(Order::Generate { id, generation }) => match queue.try_send((id, generation)) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => reports.send(&Report::Refused { id, error: GenerateError::Busy }),
                Err(TrySendError::Disconnected(_)) => break,
            },
            Ok(Order::Cancel { id }) => {
                control.lock().insert(id);
            }
            // Only this program writes here; another version of it may say what this one does not know.
            Err(_) => {}
        }
    }
    control.is_alone.store(true, Ordering::Relaxed);
}

struct Reporter<'a, W> {
    id: u64,
    control: &'a Control,
    reports: &'a Reports<W>,
}

impl<W: Write> Listener for Reporter<'_, W> {
    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled(self.id)
    }

    fn read(&mut self, done_tokens: u32, total_tokens: u32) {
        self.reports.send(&Report::Read { id: self.id, done_tokens, total_tokens });
    }

    fn piece(&mut self, text: &str) {
        if !text.is_empty() {
            self.reports.send(&Report::Piece { id: self.id, text: text.to_owned() });
        }
    }
}
