//! Other programs: started with a clean environment, their output passed through, captured, or watched for test counts.

use crate::{console, error::PkgError};
use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
};

/// A program about to be started.
pub(crate) struct Program {
    command: Command,
}

impl Program {
    /// Any program, run in `folder`.
    pub(crate) fn new(program: impl AsRef<OsStr>, folder: &Path) -> Self {
        let mut command = Command::new(program);
        command.current_dir(folder);
        // Cargo describes this tool to itself in these. Left in, they would describe it to programs it starts.
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy();
            if name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_") || name == "CARGO" {
                command.env_remove(&*name);
            }
        }
        Self { command }
    }

    /// The cargo that runs this tool.
    pub(crate) fn cargo(folder: &Path) -> Self {
        Self::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), folder)
    }

    /// Adds an argument.
    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    pub(crate) fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable of its environment.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable out of its environment.
    pub(crate) fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Puts folders in front of its `PATH`.
    pub(crate) fn path_first(self, folders: &[PathBuf]) -> Self {
        let rest = std::env::var_os("PATH").unwrap_or_default();
        let all = folders.iter().cloned().chain(std::env::split_paths(&rest));
        match std::env::join_paths(all) {
            Ok(path) => self.env("PATH", path),
            // A folder with the separator in its name cannot be put on a PATH at all.
            Err(_) => self,
        }
    }

    /// Which program it is, for another one that starts it.
    pub(crate) fn program(&self) -> &OsStr {
        self.command.get_program()
    }

    /// The command line as a person would type it.
    pub(crate) fn line(&self) -> String {
        let program = Path::new(self.command.get_program());
        let name = program.file_stem().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        let quoted = self.command.get_args().map(|argument| {
            let argument = argument.to_string_lossy();
            if argument.contains([' ', '(', '*', '$', '"']) { format!("'{argument}'") } else { argument.into_owned() }
        });
        std::iter::once(name).chain(quoted).collect::<Vec<_>>().join(" ")
    }

    /// Runs it with its output passed through.
    ///
    /// # Errors
    /// If it cannot be started or fails.
    pub(crate) fn run(mut self) -> Result<(), PkgError> {
        let line = self.line();
        let status = self.command.stdin(Stdio::null()).status().map_err(|error| not_started(&line, &error))?;
        if status.success() { Ok(()) } else { Err(PkgError::Program { line, ending: format!("ended with {status}") }) }
    }

    /// Runs it and returns what it wrote to its standard output.
    ///
    /// # Errors
    /// If it cannot be started or fails; the error then carries the last lines of its error stream.
    pub(crate) fn capture(mut self) -> Result<String, PkgError> {
        let line = self.line();
        let output = self.command.stdin(Stdio::null()).output().map_err(|error| not_started(&line, &error))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let tail: Vec<&str> = said.lines().rev().take(6).collect();
        let tail = tail.into_iter().rev().collect::<Vec<_>>().join("\n  ");
        Err(PkgError::Program { line, ending: format!("ended with {}\n  {tail}", output.status) })
    }

    /// Starts it and lets it run beside this program.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn spawn(mut self) -> Result<Child, PkgError> {
        let line = self.line();
        self.command.stdin(Stdio::null()).spawn().map_err(|error| not_started(&line, &error))
    }

    /// Starts it with all of its output thrown away, and forgets it.
    pub(crate) fn detach(mut self) {
        let quiet = self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Only ever a convenience, such as opening a browser: that it failed would help nobody to know.
        let _ = quiet.spawn();
    }

    /// Runs it with its output passed through line by line, handing each line to `watch` as well.
    /// Returns whether it succeeded.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn watched(mut self, watch: impl FnMut(&str) + Send) -> Result<bool, PkgError> {
        let line = self.line();
        let piped = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|error| not_started(&line, &error))?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let watch = Mutex::new(watch);
        let pass_on = |stream: Box<dyn Read + Send>, is_error: bool| {
            // Bytes, not lines of UTF-8: a compiler may quote a malformed file.
            for bytes in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                let text = String::from_utf8_lossy(&bytes);
                let text = text.trim_end_matches('\r');
                if is_error {
                    console::warn(text);
                } else {
                    console::say(text);
                }
                if let Ok(mut watch) = watch.lock() {
                    watch(text);
                }
            }
        };
        thread::scope(|scope| {
            if let Some(err) = err {
                scope.spawn(|| pass_on(Box::new(err), true));
            }
            if let Some(out) = out {
                pass_on(Box::new(out), false);
            }
        });
        let status = child.wait().map_err(|error| not_started(&line, &error))?;
        Ok(status.success())
    }
}

fn not_started(line: &str, error: &std::io::Error) -> PkgError {
    PkgError::Program { line: line.to_owned(), ending: format!("could not be run: {error}") }
}

/// Finds a program in the folders given first and then on the `PATH`.
pub(crate) fn find(name: &str, first: &[PathBuf]) -> Option<PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    first.iter().cloned().chain(std::env::split_paths(&path)).map(|dir| dir.join(&file)).find(|path| path.is_file())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Program {
        Program::new("sh", Path::new("/")).args(["-c", script])
    }

    #[test]
    fn a_watched_program_shows_both_streams_and_how_it_ended() {
        let mut lines = Vec::new();
        let succeeded = shell("echo out; printf 'err\\377\\n' >&2; exit 3").watched(|line| lines.push(line.to_owned()));
        lines.sort();
        assert_eq!((lines, succeeded.ok()), (vec!["err\u{fffd}".to_owned(), "out".to_owned()], Some(false)));
    }

    #[test]
    fn a_failure_carries_the_command_and_its_last_words() {
        let error = shell("echo 'no such luck' >&2; exit 1").capture().unwrap_err().to_string();
        assert!(error.starts_with("`sh -c 'echo") && error.ends_with("no such luck"), "{error}");
        let error = Program::new("millwright-has-no-such-program", Path::new("/")).run().unwrap_err().to_string();
        assert!(error.contains("could not be run"), "{error}");
    }

    #[test]
    fn programs_are_not_taken_for_this_one() {
        // Cargo sets this for every program that it runs, this test among them.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert_eq!(shell("echo $CARGO_MANIFEST_DIR$CARGO_PKG_NAME").capture().unwrap().trim(), "");
        let path = shell("echo $PATH").path_first(&["/first".into()]).capture().unwrap();
        assert!(path.starts_with("/first:"), "{path}");
    }
}
