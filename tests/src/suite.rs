//! The data-driven suite: `tests/suite/<stage>/<case>/`, one check per stage, a folder per case.
//!
//! A case holds its input and `expected.txt`. `MILLWRIGHT_BLESS=1` writes what the code makes of it now; look at the
//! difference before committing it. A case with a `known-failure.txt` (which says why) must fail, and fails the test
//! once it passes, so that the file gets removed. Not for knowing what a stage does: the tests bring the check.

use crate::{corpus::TestFile, paths};
use anyhow::{Context, Result, bail, ensure};
use std::{
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// A folder of the suite.
#[derive(Clone, Debug)]
pub struct Case {
    /// `<stage>/<case>`.
    pub name: String,
    folder: PathBuf,
}

impl Case {
    /// The file named `input` with whatever ending.
    ///
    /// # Errors
    /// When there is not exactly one.
    pub fn input(&self) -> Result<TestFile> {
        let mut inputs = files_below(&self.folder)?;
        inputs.retain(|file| file.name.starts_with("input."));
        match inputs.pop() {
            Some(input) if inputs.is_empty() => Ok(input),
            _ => bail!("{} needs exactly one `input.*`", self.name),
        }
    }

    /// Everything in the case's folder `docs`, ascending by name.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn documents(&self) -> Result<Vec<TestFile>> {
        files_below(&self.folder.join("docs"))
    }

    /// A text file of the case.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn text(&self, name: &str) -> Result<String> {
        fs::read_to_string(self.folder.join(name)).with_context(|| format!("{}/{name}", self.name))
    }

    /// Compares with `expected.txt`, or writes it when blessing.
    fn compare(&self, actual: &str) -> Result<()> {
        let expected = self.folder.join("expected.txt");
        if env::var_os("MILLWRIGHT_BLESS").is_some() {
            return fs::write(&expected, actual).with_context(|| format!("cannot write {}", expected.display()));
        }
        let expected = self.text("expected.txt").context("run with MILLWRIGHT_BLESS=1 to make it")?;
        ensure!(expected == actual, "{}", difference(&expected, actual));
        Ok(())
    }
}

/// Runs every case of a stage and reports all that fail. `check` gives the text to compare with `expected.txt`, or
/// `None` if it has judged for itself.
///
/// # Errors
/// When a case fails that should not, passes that should not, or the stage has no cases.
pub fn run(stage: &str, check: impl Fn(&Case) -> Result<Option<String>>) -> Result<()> {
    let mut failures = String::new();
    let cases = cases(stage)?;
    ensure!(!cases.is_empty(), "no cases in tests/suite/{stage}");
    for case in &cases {
        let outcome = check(case).and_then(|actual| actual.map_or(Ok(()), |actual| case.compare(&actual)));
        let expected_to_fail = case.folder.join("known-failure.txt").is_file();
        match outcome {
            Ok(()) if expected_to_fail => {
                let _ = writeln!(failures, "{}: passes now; remove its known-failure.txt", case.name);
            }
            Err(error) if !expected_to_fail => {
                let _ = writeln!(failures, "{}: {error:#}", case.name);
            }
            Ok(()) | Err(_) => {}
        }
    }
    ensure!(failures.is_empty(), "of {} cases:\n{failures}", cases.len());
    Ok(())
}

fn cases(stage: &str) -> Result<Vec<Case>> {
    let folder = paths::workspace().join("tests/suite").join(stage);
    let mut cases = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))? {
        let folder = entry?.path();
        if folder.is_dir() {
            let case = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(Case { name: format!("{stage}/{case}"), folder });
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}

/// Every file below a folder with its path from there, ascending by it.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn files_below(folder: &Path) -> Result<Vec<TestFile>> {
    let mut files = Vec::new();
    let mut pending = vec![folder.to_owned()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
                continue;
            }
            let name = path.strip_prefix(folder)?.to_string_lossy().replace('\\', "/");
            files.push(TestFile::new(name, fs::read(&path)?));
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The lines that two texts do not share at their beginning and end, with their number.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let same_before = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let (expected, actual) = (&expected[same_before..], &actual[same_before..]);
    let same_after = expected.iter().rev().zip(actual.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut lines = format!("differs from line {} on:\n", same_before + 1);
    for (sign, side) in [('-', expected), ('+', actual)] {
        let changed = &side[..side.len() - same_after];
        for line in changed.iter().take(20) {
            let _ = writeln!(lines, "  {sign} {line}");
        }
        if changed.len() > 20 {
            let _ = writeln!(lines, "  {sign} … {} more", changed.len() - 20);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_what_changed_only() {
        assert_eq!(difference("a\nb\nc", "a\nx\ny\nc"), "differs from line 2 on:\n  - b\n  + x\n  + y\n");
        assert_eq!(difference("a", "a\nb"), "differs from line 2 on:\n  + b\n");
    }
}
