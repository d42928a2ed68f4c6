//! How a process ended, in words: what the system says of it, and the last thing that it complained of. Not for what it
//! said while it worked.

use std::{
    io::{BufRead, BufReader, Read},
    process::ExitStatus,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// The most of a complaint that is kept, in characters.
const MAX_CHARS: usize = 300;

/// The last line of what a process complains of. A failed assertion of llama.cpp is such a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<String>>);

impl Tail {
    /// Reads `complaints` to their end in a thread of its own.
    pub(super) fn of(complaints: impl Read + Send + 'static) -> Self {
        let tail = Self::default();
        let kept = tail.clone();
        thread::spawn(move || {
            let mut complaints = BufReader::new(complaints);
            let mut line = Vec::new();
            while complaints.read_until(b'\n', &mut line).is_ok_and(|n_bytes| n_bytes > 0) {
                let text = String::from_utf8_lossy(&line);
                let text: String = text.trim().chars().take(MAX_CHARS).collect();
                if !text.is_empty() {
                    *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
                }
                line.clear();
            }
        });
        tail
    }

    /// The last line that is not empty.
    pub(super) fn last_line(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// `its process was ended by signal 6 (it gave up: GGML_ASSERT(…) failed)`.
pub(super) fn in_words(status: Option<ExitStatus>, complaint: &str) -> String {
    let how = match status {
        Some(status) => match signal(status) {
            Some(number) => format!("its process was ended by signal {number}{}", meaning(number)),
            None => format!("its process ended with {status}"),
        },
        None => "its process is gone".to_owned(),
    };
    if complaint.is_empty() { how } else { format!("{how}; the last it said was: {complaint}") }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// What a signal usually means here.
fn meaning(number: i32) -> &'static str {
    match number {
        4 => " (this processor lacks instructions that the model runtime was built with)",
        6 => " (the model runtime gave up)",
        7 | 11 => " (the model runtime has a fault)",
        9 => " (perhaps because memory ran out: a smaller model or fewer --context-tokens take less)",
        _ => "",
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn an_ending_is_told_with_the_last_complaint() {
        let mut process = Command::new("sh")
            .args(["-c", "echo first >&2; echo 'GGML_ASSERT(x) failed' >&2; kill -6 $$"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let tail = Tail::of(process.stderr.take().unwrap());
        let status = process.wait().unwrap();
        while tail.last_line() != "GGML_ASSERT(x) failed" {
            thread::yield_now();
        }
        assert_eq!(
            in_words(Some(status), &tail.last_line()),
            "its process was ended by signal 6 (the model runtime gave up); the last it said was: GGML_ASSERT(x) failed"
        );
    }
}
