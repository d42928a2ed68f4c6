//! `millwright evaluate generation`: how fast a language model is through all that stands between it and a reader, held against
//! llama.cpp by itself in the same run; and how long it goes on after nobody wants it any more.

use crate::{
    EXIT_OK,
    cli::GenerationArgs,
    commands::CommandError,
    generate::{
        Local, child,
        files::Files,
        stream::{Piece, Stream},
        supervisor::ChildCommand,
    },
    output::Output,
};
use millwright_core::{
    host::generator::{GenerateError, Generation, GeneratorState, GeneratorStatus, Message, Role, Task},
    protocol::{Failure, FailureKind},
};
use serde::{Deserialize, Serialize};
use std::{
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Tokens that are written in a round, as llama-bench has it.
const WRITTEN_TOKENS: u32 = 128;
/// Lines of about twelve tokens, which together are about as many as llama-bench reads.
const LINES: u32 = 42;
/// After so many pieces a text is cancelled.
const CANCEL_AFTER: usize = 10;

/// One round, ours beside llama.cpp by itself.
#[derive(Clone, Copy, Debug, Serialize)]
struct Round {
    load_seconds: f64,
    read_per_second: f64,
    /// About as many as llama-bench reads.
    n_read: u32,
    written_per_second: f64,
    cancel_millis: f64,
    bare_read_per_second: f64,
    bare_written_per_second: f64,
}

/// What the child measures.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Bare {
    read_per_second: f64,
    written_per_second: f64,
}

pub(super) fn run(args: &GenerationArgs, output: &mut Output) -> Result<u8, CommandError> {
    let mut rounds = Vec::new();
    for round in 0..args.rounds {
        output.status(&format!("round {} of {}", round + 1, args.rounds));
        rounds.push(measure(args, round).map_err(|error| Failure { error, error_type: FailureKind::Internal })?);
    }
    output.line(&format!("{:44}{:>10}{:>12}{:>8}", "medians of the rounds", "ours", "llama.cpp", "ratio"));
    let mut line = |name: &str, ours: f64, bare: Option<f64>| {
        let bare = bare.map(|bare| format!("{bare:12.1}{:8.2}", ours / bare)).unwrap_or_default();
        output.line(&format!("{name:44}{ours:10.1}{bare}"));
    };
    let of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
    line("loading, seconds", of(|r| r.load_seconds), None);
    line("messages read, tokens a second", of(|r| r.read_per_second), Some(of(|r| r.bare_read_per_second)));
    line("text written, tokens a second", of(|r| r.written_per_second), Some(of(|r| r.bare_written_per_second)));
    line("one token, milliseconds", 1000.0 / of(|r| r.written_per_second), None);
    line("from cancelling to the next text begun, ms", of(|r| r.cancel_millis), None);
    output.json(&rounds);
    Ok(EXIT_OK)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// One after the other, so that neither takes the other's time.
fn measure(args: &GenerationArgs, round: u32) -> Result<Round, String> {
    let bare = bare(args)?;
    let files = Files::new(Some(args.model.clone()), None);
    let name = files.named().filter(|_| args.model.is_file());
    let name = name.ok_or_else(|| format!("There is no file {}.", args.model.display()))?;
    let room = args.room;
    let local = Local::new(files, Box::new(move |model: &Path| child::command(model, room)));
    let begun = Instant::now();
    local.load(&name);
    wait_until_ready(|| local.status())?;
    let load_seconds = begun.elapsed().as_secs_f64();

    let read = rates(local.start(&long(round, 1)))?;
    // llama-bench writes into an empty memory; the more is in it, the longer a token takes.
    let written = rates(local.start(&asking(String::new(), WRITTEN_TOKENS)))?;
    if written.n_written < WRITTEN_TOKENS / 2 {
        return Err(format!("The model was done after {} tokens: too few to measure.", written.n_written));
    }
    let cancel_millis = cancel(&local, round)?;
    Ok(Round {
        load_seconds,
        read_per_second: read.read_per_second,
        n_read: read.n_read,
        written_per_second: written.written_per_second,
        cancel_millis,
        bare_read_per_second: bare.read_per_second,
        bare_written_per_second: bare.written_per_second,
    })
}

fn wait_until_ready(status: impl Fn() -> GeneratorStatus) -> Result<(), String> {
    loop {
        match status().state {
            GeneratorState::Ready => return Ok(()),
            GeneratorState::Failed { error } => return Err(error),
            _ => thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// About as many tokens as llama-bench reads, other ones in every round, so that none are known from before.
fn long(round: u32, max_tokens: u32) -> Generation {
    let line = |line: u32| format!("{}: bolt {} holds. ", round * 85 + line, (line * 7 + round) % 90);
    asking((0..LINES).map(line).collect(), max_tokens)
}

fn asking(text: String, max_tokens: u32) -> Generation {
    let ask = "Write a very long story about a millwright, with many details. Begin at once.";
    let message = Message::new(Role::User, format!("{text}\n{ask}"));
    Generation { max_tokens, ..Generation::new(Task::Answer, vec![message]) }
}

/// How fast one text was.
struct Rates {
    read_per_second: f64,
    written_per_second: f64,
    n_read: u32,
    n_written: u32,
}

fn rates(stream: Result<Stream, GenerateError>) -> Result<Rates, String> {
    let mut stream = stream.map_err(|error| error.to_string())?;
    let (mut begun, mut read) = (None, None);
    loop {
        match pollster::block_on(stream.next()) {
            Some(Piece::Read { done_tokens, total_tokens }) if done_tokens == total_tokens => {
                read = Some(Instant::now())
            }
            Some(Piece::Read { .. }) => begun = begun.or_else(|| Some(Instant::now())),
            Some(Piece::Text(_)) => {}
            Some(Piece::Done { usage, .. }) => {
                let (Some(begun), Some(read)) = (begun, read) else { return Err("nothing was read".to_owned()) };
                let n_read = usage.prompt_tokens.saturating_sub(usage.reused_tokens);
                return Ok(Rates {
                    read_per_second: f64::from(n_read) / read.duration_since(begun).as_secs_f64(),
                    written_per_second: f64::from(usage.generated_tokens) / read.elapsed().as_secs_f64(),
                    n_read,
                    n_written: usage.generated_tokens,
                });
            }
            Some(Piece::Failed(error)) => return Err(error.to_string()),
            None => return Err("it ended without a word".to_owned()),
        }
    }
}

/// How long after a text was cancelled the model begins with the next: until then it was still at the first.
fn cancel(local: &Local, round: u32) -> Result<f64, String> {
    let mut stream = local.start(&long(round + 2000, 4000)).map_err(|error| error.to_string())?;
    let mut n_pieces = 0;
    while n_pieces < CANCEL_AFTER {
        match pollster::block_on(stream.next()) {
            Some(Piece::Text(_)) => n_pieces += 1,
            Some(Piece::Read { .. }) => {}
            other => return Err(format!("it ended too early: {other:?}")),
        }
    }
    let next = Generation { max_tokens: 1, ..Generation::new(Task::Answer, vec![Message::new(Role::User, "Hi")]) };
    let cancelled = Instant::now();
    drop(stream);
    let mut stream = local.start(&next).map_err(|error| error.to_string())?;
    match pollster::block_on(stream.next()) {
        Some(Piece::Read { .. }) => Ok(cancelled.elapsed().as_secs_f64() * 1000.0),
        other => Err(format!("the next text did not begin: {other:?}")),
    }
}

/// llama.cpp by itself, in a process of its own too.
fn bare(args: &GenerationArgs) -> Result<Bare, String> {
    let ChildCommand { program, arguments, .. } = child::command(&args.model, args.room)?;
    let run = Command::new(program).args(arguments).arg("--bare").stdin(Stdio::null()).output();
    let run = run.map_err(|error| format!("llama.cpp cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&run.stdout);
    serde_json::from_str(said.trim()).map_err(|_| {
        format!("llama.cpp by itself gave no measures: {} {}", said.trim(), String::from_utf8_lossy(&run.stderr).trim())
    })
}
