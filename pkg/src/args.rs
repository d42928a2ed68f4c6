//! The command line, read by hand: eight commands with a flag or two do not justify a parser's build time.

use crate::{error::PkgError, fuzz::FuzzOptions, run::RunOptions, workspace::Profile};

/// The one fixed port. Storage in the browser belongs to scheme, host and port, so changing it hides the library.
pub(crate) const DEFAULT_PORT: u16 = 7878;

/// What the user asked for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    Run(RunOptions),
    Bundle { profile: Profile },
    Doctor { port: u16 },
    Test { browser: bool, generate: bool },
    Check,
    Bench { arguments: Vec<String> },
    Fuzz(FuzzOptions),
    Models { arguments: Vec<String> },
}

/// Reads the arguments after the program's name.
///
/// # Errors
/// [`PkgError::Usage`] for an unknown command or flag, or a port that is none.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Command, PkgError> {
    let mut arguments = arguments.into_iter();
    let Some(name) = arguments.next() else { return Ok(Command::Help) };
    let rest: Vec<String> = arguments.collect();
    match name.as_str() {
        "bench" => return Ok(Command::Bench { arguments: rest }),
        "models" => return Ok(Command::Models { arguments: rest }),
        _ => {}
    }
    if rest.iter().any(|argument| argument == "--help" || argument == "-h") {
        return Ok(Command::Help);
    }
    let mut flags = Flags(rest);
    let command = match name.as_str() {
        "help" | "--help" | "-h" => Command::Help,
        "run" => Command::Run(RunOptions { port: flags.port()?, open: !flags.take("--no-open") }),
        "bundle" => Command::Bundle { profile: if flags.take("--debug") { Profile::Debug } else { Profile::Release } },
        "doctor" => Command::Doctor { port: flags.port()? },
        "test" => Command::Test { browser: !flags.take("--no-browser"), generate: flags.take("--generate") },
        "check" => Command::Check,
        "fuzz" => return Ok(Command::Fuzz(FuzzOptions::parse(flags.0)?)),
        other => return Err(PkgError::Usage(format!("there is no command `{other}`"))),
    };
    match flags.0.first() {
        None => Ok(command),
        Some(unknown) => Err(PkgError::Usage(format!("`cargo pkg {name}` does not know `{unknown}`"))),
    }
}

/// The arguments not yet understood.
struct Flags(Vec<String>);

impl Flags {
    fn take(&mut self, flag: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|argument| argument != flag);
        self.0.len() != before
    }

    /// `--port N` or `--port=N`.
    fn port(&mut self) -> Result<u16, PkgError> {
        let Some(at) = self.0.iter().position(|argument| argument == "--port" || argument.starts_with("--port="))
        else {
            return Ok(DEFAULT_PORT);
        };
        let flag = self.0.remove(at);
        let value = match flag.strip_prefix("--port=") {
            Some(value) => value.to_owned(),
            None if at < self.0.len() => self.0.remove(at),
            None => return Err(PkgError::Usage("`--port` needs a number, as in `--port 7900`".into())),
        };
        match value.parse() {
            Ok(port) if port != 0 => Ok(port),
            _ => Err(PkgError::Usage(format!("`{value}` is no port: a number from 1 to 65535 is"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Command, PkgError> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn flags_are_read_in_any_order_and_form() {
        let expected = Command::Run(RunOptions { port: 7900, open: false });
        assert_eq!(parsed("run --port 7900 --no-open").ok(), Some(expected));
        let expected = Command::Run(RunOptions { port: 7900, open: false });
        assert_eq!(parsed("run --no-open --port=7900").ok(), Some(expected));
        let expected = Command::Run(RunOptions { port: DEFAULT_PORT, open: true });
        assert_eq!(parsed("run").ok(), Some(expected));
        assert_eq!(parsed("bundle --debug").ok(), Some(Command::Bundle { profile: Profile::Debug }));
        let expected = Command::Test { browser: false, generate: true };
        assert_eq!(parsed("test --generate --no-browser").ok(), Some(expected));
        assert_eq!(parsed("test").ok(), Some(Command::Test { browser: true, generate: false }));
        assert_eq!(parsed("").ok(), Some(Command::Help));
        assert_eq!(parsed("test --help").ok(), Some(Command::Help));
    }

    #[test]
    fn other_programs_get_their_arguments_untouched() {
        let arguments = vec!["--chunks".to_owned(), "6500".to_owned()];
        assert_eq!(parsed("bench --chunks 6500").ok(), Some(Command::Bench { arguments }));
        let arguments = vec!["fetch".to_owned(), "ocr".to_owned()];
        assert_eq!(parsed("models fetch ocr").ok(), Some(Command::Models { arguments }));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (line, named) in [("fly", "fly"), ("run --prot 1", "--prot"), ("run --port 70000", "70000")] {
            match parsed(line) {
                Err(PkgError::Usage(problem)) => assert!(problem.contains(named), "{problem}"),
                other => panic!("{line}: {other:?}"),
            }
        }
        assert!(parsed("run --port").is_err());
        assert!(parsed("run --port 0").is_err());
    }
}
