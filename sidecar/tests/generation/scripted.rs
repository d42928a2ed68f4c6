//! A child that keeps no model but does what it is told. The name of the model's file says how it loads; the last message of
//! a chat says how it writes:
//!
//! - `say TEXT` says it word by word, `count N` the numbers to N, slowly, `circle` the same for ever, `echo` what it was asked, as JSON
//! - `crash` ends the process in the middle, `abort` with a signal, `deaf` says nothing more, `long` has too many tokens.

use millwright_core::host::generator::{Finish, GenerateError, Generation, Usage};
use millwright_sidecar::generate::{
    supervisor::ChildCommand,
    wire::About,
    worker::{self, Engine, Listener, OnPercent},
};
use std::{env, path::Path, thread, time::Duration};

/// Says that this process is the child, and what its model is called.
const MODEL_VARIABLE: &str = "MILLWRIGHT_TEST_SCRIPTED_MODEL";
/// Where it writes down what became of slow texts.
const NOTES_VARIABLE: &str = "MILLWRIGHT_TEST_SCRIPTED_NOTES";
/// Between two pieces of slow texts.
pub(crate) const SLOW: Duration = Duration::from_millis(20);

/// The command line of the child: this very test program, of which it runs one test.
pub(crate) fn command(model: &Path) -> Result<ChildCommand, String> {
    let name = model.file_stem().unwrap().to_string_lossy().into_owned();
    if name == "nowhere" {
        return Err("there is no model runtime here".to_owned());
    }
    Ok(ChildCommand {
        program: env::current_exe().unwrap(),
        arguments: ["--exact", "scripted::child", "--ignored", "--nocapture"].map(Into::into).to_vec(),
        environment: vec![
            (MODEL_VARIABLE.into(), name.into()),
            (NOTES_VARIABLE.into(), model.with_extension("notes").into()),
        ],
    })
}

#[test]
#[ignore = "is the child that the other tests start"]
fn child() {
    let Ok(name) = env::var(MODEL_VARIABLE) else { return };
    let process = Path::new(&env::var_os(NOTES_VARIABLE).unwrap()).with_extension("process");
    std::fs::write(process, std::process::id().to_string()).unwrap();
    let was_loaded = worker::run(std::io::stdin(), std::io::stdout(), |on_percent| Scripted::load(&name, on_percent));
    // Nothing of the test program's own shall follow.
    std::process::exit(i32::from(!was_loaded));
}

struct Scripted;

impl Scripted {
    fn load(name: &str, mut on_percent: OnPercent) -> Result<Self, String> {
        on_percent(43);
        match name {
            "damaged" => return Err("this file is no model".to_owned()),
            "fatal" => std::process::abort(),
            "slow" => thread::sleep(Duration::from_secs(600)),
            _ => {}
        }
        Ok(Self)
    }
}

impl Engine for Scripted {
    fn about(&self) -> About {
        About { context_tokens: 1000, gpu_layers: 0 }
    }

    fn warm(&mut self) {}

    fn generate(
        &mut self,
        generation: &Generation,
        listener: &mut dyn Listener,
    ) -> Result<(Finish, Usage), GenerateError> {
        let last = generation.messages.last().map_or("", |message| message.text.as_str());
        let (verb, rest) = last.split_once(' ').unwrap_or((last, ""));
        if verb == "long" {
            return Err(GenerateError::TooLong { prompt_tokens: 5000, context_tokens: 1000 });
        }
        listener.read(0, 7);
        listener.read(7, 7);
        let count = rest.parse().unwrap_or(0);
        let pieces: Box<dyn Iterator<Item = String>> = match verb {
            "say" => Box::new(rest.split_inclusive(' ').map(str::to_owned)),
            "count" => Box::new((0..count).map(|n| format!("{n} "))),
            "circle" => Box::new(std::iter::repeat_with(|| "round and round ".to_owned())),
            "echo" => Box::new(std::iter::once(serde_json::to_string(generation).unwrap())),
            "crash" | "abort" | "deaf" => Box::new(["so ".to_owned(), verb.to_owned()].into_iter()),
            _ => Box::new(std::iter::once("What?".to_owned())),
        };
        let mut usage = Usage { prompt_tokens: 7, ..Usage::default() };
        for piece in pieces {
            if listener.is_cancelled() {
                note(&format!("stopped after {}", usage.generated_tokens));
                return Ok((Finish::Stopped, usage));
            }
            if usage.generated_tokens == generation.max_tokens {
                return Ok((Finish::Length, usage));
            }
            match piece.as_str() {
                "crash" => std::process::exit(3),
                "abort" => std::process::abort(),
                "deaf" => thread::sleep(Duration::from_secs(600)),
                _ => {}
            }
            if verb == "count" {
                thread::sleep(SLOW);
            }
            usage.generated_tokens += 1;
            listener.piece(&piece);
        }
        Ok((Finish::Ended, usage))
    }
}

/// Writes down for the test what happened here.
fn note(text: &str) {
    if let Some(path) = env::var_os(NOTES_VARIABLE) {
        std::fs::write(path, text).unwrap();
    }
}
