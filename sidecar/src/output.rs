//! The only place that writes to the terminal: lines for people or one JSON document for programs.
//!
//! A reader that goes away (`| head`) is no error and stops no work. Text from documents is made harmless before it
//! reaches a terminal ([`printable`]). Not for deciding what to say.

mod layout;

use anstyle::Style;
pub use layout::{WIDTH, excerpt, printable, wrap};
use millwright_core::protocol::Failure;
use serde::Serialize;
use std::{
    fmt,
    io::{self, IsTerminal, Write},
};

/// Where a command's words go.
pub struct Output {
    out: Box<dyn Write>,
    err: Box<dyn Write>,
    json: bool,
    /// Bold and the like: standard output is a terminal and `NO_COLOR` is not set.
    styled: bool,
    /// A line that is overwritten: standard error is a terminal.
    shows_status: bool,
    status_chars: usize,
    /// What went wrong while writing; broken pipes do not count.
    failed: bool,
    closed: bool,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("json", &self.json).field("styled", &self.styled).finish_non_exhaustive()
    }
}

impl Output {
    /// To standard output and standard error.
    #[must_use]
    pub fn stdout(json: bool) -> Self {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self {
            out: Box::new(io::stdout()),
            err: Box::new(io::stderr()),
            json,
            styled: !json && !plain && io::stdout().is_terminal(),
            shows_status: !json && io::stderr().is_terminal(),
            status_chars: 0,
            failed: false,
            closed: false,
        }
    }

    /// Whether one JSON document is wanted.
    #[must_use]
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// A line for people; nothing where JSON is wanted.
    pub fn line(&mut self, text: &str) {
        if !self.json {
            self.clear_status();
            self.write(text);
            self.write("\n");
        }
    }

    /// Text as it is, whatever is wanted: help.
    pub fn text(&mut self, text: &str) {
        self.write(text);
        if !text.ends_with('\n') {
            self.write("\n");
        }
    }

    /// The JSON document, where one is wanted. Once a command.
    pub fn json(&mut self, document: &impl Serialize) {
        if self.json {
            self.document(document);
        }
    }

    /// A JSON document, whatever is wanted.
    pub fn document(&mut self, document: &impl Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(text) => self.text(&text),
            Err(error) => {
                self.failed = true;
                self.complaint(&format!("The answer cannot be written as JSON: {error}"));
            }
        }
    }

    /// Brings out what was written so far, for a command that goes on running.
    pub fn flush(&mut self) {
        if let Err(error) = self.out.flush() {
            self.failed |= error.kind() != io::ErrorKind::BrokenPipe;
        }
    }

    /// Why the command failed: on standard error, or as the JSON document.
    pub fn failure(&mut self, failure: &Failure) {
        if self.json {
            self.json(failure);
        } else {
            for line in wrap(&printable(&failure.error), WIDTH) {
                self.complaint(&line);
            }
        }
    }

    /// A line on standard error.
    pub fn complaint(&mut self, text: &str) {
        self.clear_status();
        // Where even standard error is gone there is nobody left to tell.
        let _ = writeln!(self.err, "{text}");
    }

    /// A passing word on a terminal, overwritten by the next; nothing elsewhere.
    pub fn status(&mut self, text: &str) {
        if self.shows_status {
            let text: String = text.chars().take(WIDTH - 1).collect();
            let n_chars = text.chars().count();
            let padding = " ".repeat(self.status_chars.saturating_sub(n_chars));
            let _ = write!(self.err, "\r{text}{padding}").and_then(|()| self.err.flush());
            self.status_chars = n_chars;
        }
    }

    fn clear_status(&mut self) {
        if self.status_chars > 0 {
            let _ = write!(self.err, "\r{}\r", " ".repeat(self.status_chars)).and_then(|()| self.err.flush());
            self.status_chars = 0;
        }
    }

    /// Text in bold, on a terminal.
    #[must_use]
    pub fn bold(&self, text: &str) -> String {
        self.in_style(Style::new().bold(), text)
    }

    /// Text that steps back, on a terminal.
    #[must_use]
    pub fn dim(&self, text: &str) -> String {
        self.in_style(Style::new().dimmed(), text)
    }

    fn in_style(&self, style: Style, text: &str) -> String {
        if self.styled { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn write(&mut self, text: &str) {
        if self.closed {
            return;
        }
        if let Err(error) = self.out.write_all(text.as_bytes()) {
            self.closed = true;
            self.failed |= error.kind() != io::ErrorKind::BrokenPipe;
        }
    }

    /// Brings everything out; `false` if something could not be written (a full disk, not a reader that left).
    #[must_use]
    pub fn finish(mut self) -> bool {
        self.clear_status();
        if !self.closed
            && let Err(error) = self.out.flush()
        {
            self.failed |= error.kind() != io::ErrorKind::BrokenPipe;
        }
        if self.failed {
            self.complaint("The output could not be written. Check the disk or the program that it goes to.");
        }
        !self.failed
    }
}
