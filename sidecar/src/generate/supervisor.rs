//! Keeps the child that holds a model: starts it, hands texts to it, notices when it crashes or falls silent, says so, and
//! starts it again. llama.cpp can end its whole process; the server and the evidence are not in it.

mod ending;

use super::{
    stream::{Piece, Stream},
    wire::{MAX_JOBS, Order, Report},
};
use ending::{Tail, in_words};
use millwright_core::host::generator::{GenerateError, Generation, GeneratorState, GeneratorStatus};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// How long a child at work may say nothing. A slice of the messages takes a slow machine with a large model some seconds.
const SILENCE_LIMIT: Duration = Duration::from_secs(120);
/// How long it may say nothing while it loads: a large file from a slow disk.
const LOADING_SILENCE_LIMIT: Duration = Duration::from_secs(600);
/// How often it is looked at whether it fell silent.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long a child that closed its output may take to end.
const ENDING_LIMIT: Duration = Duration::from_secs(5);
/// After so many crashes without a finished text in between it is not started again.
const MAX_CRASHES: u32 = 3;

/// The program that holds a model, and how it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildCommand {
    /// Which program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// What its environment has besides this process's.
    pub environment: Vec<(OsString, OsString)>,
}

/// Keeps at most one child. Dropping it ends the child.
#[derive(Debug)]
pub struct Supervisor(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    status: GeneratorStatus,
    /// Which load this is: a thread that keeps a child of an earlier one ends.
    load: u64,
    child: Option<Running>,
    jobs: BTreeMap<u64, UnboundedSender<Piece>>,
    next_job: u64,
    /// Crashes since the last finished text.
    crashes: u32,
}

/// A child that was started.
#[derive(Debug)]
struct Running {
    process: Arc<Mutex<Child>>,
    /// Lines for its input. A thread writes them: a child that does not read must not hold up the server.
    orders: mpsc::Sender<String>,
}

impl Default for Supervisor {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Inside {
            status: GeneratorStatus::absent(),
            load: 0,
            child: None,
            jobs: BTreeMap::new(),
            next_job: 0,
            crashes: 0,
        })))
    }
}

impl Supervisor {
    /// What the model is doing.
    #[must_use]
    pub fn status(&self) -> GeneratorStatus {
        lock(&self.0).status.clone()
    }

    /// Starts a child for a model, in place of the one that is there.
    pub fn load(&self, model: &str, command: ChildCommand) {
        let load = {
            let mut inside = lock(&self.0);
            inside.end(GeneratorState::Loading { percent: 0 });
            inside.status.model = Some(model.to_owned());
            inside.load
        };
        let shared = Arc::clone(&self.0);
        thread::spawn(move || keep(&shared, load, &command));
    }

    /// Ends the child and forgets the model.
    pub fn unload(&self) {
        lock(&self.0).end(GeneratorState::Absent);
    }

    /// Says why there is no child to start.
    pub fn fail(&self, model: &str, error: String) {
        let mut inside = lock(&self.0);
        inside.end(GeneratorState::Failed { error });
        inside.status.model = Some(model.to_owned());
    }

    /// Has a text written.
    ///
    /// # Errors
    /// [`GenerateError::Absent`] and [`GenerateError::NotReady`] where no model is ready, [`GenerateError::Busy`] where
    /// [`MAX_JOBS`] texts are under way.
    pub fn start(&self, generation: &Generation) -> Result<Stream, GenerateError> {
        let mut inside = lock(&self.0);
        let child = match (&inside.status.state, &inside.child) {
            (GeneratorState::Absent, _) => return Err(GenerateError::Absent),
            (GeneratorState::Ready, Some(child)) => child,
            (state, _) => return Err(GenerateError::NotReady { state: state.clone() }),
        };
        if inside.jobs.len() >= MAX_JOBS {
            return Err(GenerateError::Busy);
        }
        let id = inside.next_job;
        let order = line(&Order::Generate { id, generation: generation.clone() });
        let gone = |_| GenerateError::Crashed { why: "it has just ended".to_owned() };
        child.orders.send(order).map_err(gone)?;
        let (sender, receiver) = unbounded_channel();
        inside.next_job += 1;
        inside.jobs.insert(id, sender);
        drop(inside);
        let shared = Arc::clone(&self.0);
        Ok(Stream::new(generation, receiver, move || cancel(&shared, id)))
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.unload();
    }
}

fn lock(shared: &Mutex<Inside>) -> MutexGuard<'_, Inside> {
    // What is under the lock is whole between any two statements, and no one panics there.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn line(order: &Order) -> String {
    // Strings, numbers and lists are always JSON.
    serde_json::to_string(order).unwrap_or_default() + "\n"
}

/// Takes a text's place away, and tells the child where it is still at it.
fn cancel(shared: &Mutex<Inside>, id: u64) {
    let mut inside = lock(shared);
    if inside.jobs.remove(&id).is_some()
        && let Some(child) = &inside.child
    {
        // A child that is gone writes nothing either.
        let _ = child.orders.send(line(&Order::Cancel { id }));
    }
}

impl Inside {
    /// Ends what runs and begins anew with `state`.
    fn end(&mut self, state: GeneratorState) {
        self.load += 1;
        self.crashes = 0;
        if let Some(child) = self.child.take() {
            kill(&child.process);
        }
        let why = GenerateError::NotReady { state: state.clone() };
        self.fail_jobs(&why);
        self.status = GeneratorStatus { state, ..GeneratorStatus::absent() };
    }

    fn fail_jobs(&mut self, why: &GenerateError) {
        for (_, job) in std::mem::take(&mut self.jobs) {
            // Nobody may be listening any more.
            let _ = job.send(Piece::Failed(why.clone()));
        }
    }

    /// Takes what the child says in; whether it has just become ready.
    fn hear(&mut self, report: Report) {
        let send = |inside: &Self, id: u64, piece: Piece| {
            if let Some(job) = inside.jobs.get(&id) {
                let _ = job.send(piece);
            }
        };
        match report {
            Report::Loading { percent } => self.status.state = GeneratorState::Loading { percent: percent.min(100) },
            Report::Warming => self.status.state = GeneratorState::Warming,
            Report::Ready { about } => {
                self.status.state = GeneratorState::Ready;
                self.status.context_tokens = Some(about.context_tokens);
            }
            Report::Failed { error } => self.status.state = GeneratorState::Failed { error },
            Report::Read { id, done_tokens, total_tokens } => send(self, id, Piece::Read { done_tokens, total_tokens }),
            Report::Piece { id, text } => send(self, id, Piece::Text(text)),
            Report::Done { id, finish, usage } => {
                send(self, id, Piece::Done { finish, usage });
                self.jobs.remove(&id);
                self.crashes = 0;
            }
            Report::Refused { id, error } => {
                send(self, id, Piece::Failed(error));
                self.jobs.remove(&id);
            }
        }
    }
}

/// Ends a process at once; one that has ended is fine too.
fn kill(process: &Mutex<Child>) {
    let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = process.kill();
}

/// Starts a child and keeps it, and again after crashes, until another load takes its place or it makes no sense any more.
fn keep(shared: &Arc<Mutex<Inside>>, load: u64, command: &ChildCommand) {
    loop {
        let (running, lines, tail) = match start(command) {
            Ok(started) => started,
            Err(error) => {
                let mut inside = lock(shared);
                if inside.load == load {
                    let error = format!("{} cannot be started: {error}", command.program.display());
                    inside.status.state = GeneratorState::Failed { error };
                }
                return;
            }
        };
        let process = Arc::clone(&running.process);
        {
            let mut inside = lock(shared);
            if inside.load != load {
                kill(&process);
                drop(inside);
                let _ = wait(&process);
                return;
            }
            inside.child = Some(running);
        }
        let silence = follow(shared, load, &lines, &process);
        let status = wait(&process);
        let why = silence.unwrap_or_else(|| in_words(status, &tail.last_line()));
        let mut inside = lock(shared);
        if inside.load != load || !inside.ended(&why) {
            return;
        }
    }
}

impl Inside {
    /// Takes in that the child ended unasked; whether it is to be started again.
    fn ended(&mut self, why: &str) -> bool {
        self.child = None;
        let why = why.to_owned();
        self.fail_jobs(&GenerateError::Crashed { why: why.clone() });
        match &self.status.state {
            // It said itself why.
            GeneratorState::Failed { .. } => return false,
            GeneratorState::Ready => {}
            _ => {
                let error = format!("it could not be loaded: {why}");
                self.status.state = GeneratorState::Failed { error };
                return false;
            }
        }
        self.crashes += 1;
        self.status.last_crash = Some(why.clone());
        if self.crashes >= MAX_CRASHES {
            let error = format!(
                "it crashed {MAX_CRASHES} times without finishing a text, the last time because {why}. Load it again, or another model."
            );
            self.status.state = GeneratorState::Failed { error };
            return false;
        }
        self.status.restarts += 1;
        self.status.state = GeneratorState::Loading { percent: 0 };
        true
    }
}

/// Takes in what the child says until it closes its output. One that is silent for too long is ended; the words for that.
fn follow(shared: &Mutex<Inside>, load: u64, lines: &mpsc::Receiver<String>, process: &Mutex<Child>) -> Option<String> {
    let mut heard = Instant::now();
    let mut was_busy = false;
    loop {
        match lines.recv_timeout(LOOK_EVERY) {
            Ok(line) => {
                heard = Instant::now();
                // What is no report was printed by a library.
                let Ok(report) = serde_json::from_str(&line) else { continue };
                let mut inside = lock(shared);
                if inside.load == load {
                    inside.hear(report);
                }
            }
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {
                let inside = lock(shared);
                let is_ready = inside.status.state == GeneratorState::Ready;
                let is_busy = !is_ready || !inside.jobs.is_empty();
                drop(inside);
                // Silence counts from when it was given something to do.
                if !is_busy || !was_busy {
                    heard = Instant::now();
                }
                was_busy = is_busy;
                let limit = if is_ready { SILENCE_LIMIT } else { LOADING_SILENCE_LIMIT };
                if heard.elapsed() > limit {
                    kill(process);
                    return Some(format!("it said nothing for {} seconds and was ended", limit.as_secs()));
                }
            }
        }
    }
}

/// Starts the process with three threads: one writes its input, one reads its output, one keeps the end of what it complains of.
fn start(command: &ChildCommand) -> io::Result<(Running, mpsc::Receiver<String>, Tail)> {
    let mut process = Command::new(&command.program)
        .args(&command.arguments)
        .envs(command.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let pipes = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let (Some(mut input), Some(output), Some(complaints)) = pipes else {
        return Err(io::Error::other("it has no pipes"));
    };
    let (orders, to_write) = mpsc::channel::<String>();
    thread::spawn(move || {
        for order in to_write {
            if input.write_all(order.as_bytes()).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = Vec::new();
        // Not every byte that a library prints is UTF-8.
        while output.read_until(b'\n', &mut line).is_ok_and(|n_bytes| n_bytes > 0) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
            line.clear();
        }
    });
    let tail = Tail::of(complaints);
    Ok((Running { process: Arc::new(Mutex::new(process)), orders }, lines, tail))
}

/// Waits for a process that closed its output; one that does not end is ended.
fn wait(process: &Mutex<Child>) -> Option<ExitStatus> {
    let begun = Instant::now();
    loop {
        {
            let mut process = process.lock().unwrap_or_else(PoisonError::into_inner);
            match process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if begun.elapsed() < ENDING_LIMIT => {}
                _ => {
                    let _ = process.kill();
                    return process.wait().ok();
                }
            }
        }
        thread::sleep(Duration::from_millis(10));
    }
}
