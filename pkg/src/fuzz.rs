//! `cargo pkg fuzz`: runs the fuzz targets one after another, each for some minutes, and says what it found.
//!
//! The targets are the program in `tests/fuzz`, a workspace of its own that no other command builds. Corpus and findings
//! lie in cargo's target folder: nothing of it is kept with the project but the tests that are made by hand from a finding.

use crate::{
    console::{say, table},
    error::PkgError,
    process::Program,
    workspace::Workspace,
};
use std::{fs, path::PathBuf};

/// The instrumentation that libFuzzer wants, as cargo-fuzz asks for it; all of it works with a stable compiler.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
];
/// For how long each target runs where nobody says otherwise: what is asked for before a parser is called done.
const MINUTES: u32 = 20;
/// What a target is held to: an input of 64 KiB in 20 s and 1 GiB; what takes longer than 2 s is written down too.
const LIMITS: [&str; 9] = [
    "-max_len=65536",
    "-timeout=20",
    "-rss_limit_mb=1024",
    "-report_slow_units=2",
    // One process at a time, and on after a finding.
    "-fork=1",
    "-ignore_crashes=1",
    "-ignore_timeouts=1",
    "-ignore_ooms=1",
    "-print_final_stats=1",
];

/// What the command line asked for.
#[derive(Debug, PartialEq)]
pub(crate) struct FuzzOptions {
    /// The targets; all of them where none is named.
    pub(crate) targets: Vec<String>,
    /// For how long each is run.
    pub(crate) minutes: u32,
    /// Folders of files to begin with, beside our own fixtures.
    pub(crate) seeds: Vec<PathBuf>,
}

impl FuzzOptions {
    /// Reads `[TARGET…] [--minutes N] [--seeds FOLDER]…`.
    ///
    /// # Errors
    /// [`PkgError::Usage`].
    pub(crate) fn parse(arguments: Vec<String>) -> Result<Self, PkgError> {
        let mut options = Self { targets: Vec::new(), minutes: MINUTES, seeds: Vec::new() };
        let mut arguments = arguments.into_iter();
        let needs =
            |flag: &str| PkgError::Usage(format!("`{flag}` needs a value, as in `--minutes 5 --seeds ../files`"));
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--minutes" => {
                    let minutes = arguments.next().and_then(|minutes| minutes.parse().ok()).filter(|n| *n > 0);
                    options.minutes = minutes.ok_or_else(|| needs("--minutes"))?;
                }
                "--seeds" => options.seeds.push(arguments.next().ok_or_else(|| needs("--seeds"))?.into()),
                flag if flag.starts_with('-') => {
                    return Err(PkgError::Usage(format!("`cargo pkg fuzz` does not know `{flag}`")));
                }
                target => options.targets.push(target.to_owned()),
            }
        }
        Ok(options)
    }
}

/// Builds the targets and runs them.
///
/// # Errors
/// If they cannot be built, or anything was found.
pub(crate) fn fuzz(options: &FuzzOptions) -> Result<(), PkgError> {
    let workspace = Workspace::find()?;
    let program = build(&workspace)?;
    let known = Program::new(&program, &workspace.root).env("MILLWRIGHT_FUZZ", "list").capture()?;
    let known: Vec<&str> = known.split_whitespace().collect();
    if let Some(unknown) = options.targets.iter().find(|target| !known.contains(&target.as_str())) {
        return Err(PkgError::Usage(format!("there is no target `{unknown}`: one of {}", known.join(", "))));
    }
    let chosen = |name: &&str| options.targets.is_empty() || options.targets.iter().any(|target| target == name);
    let mut rows = vec![["target", "executions", "coverage", "inputs kept", "findings"].map(str::to_owned).to_vec()];
    let mut n_findings = 0;
    for name in known.into_iter().filter(chosen) {
        let outcome = run(&workspace, &program, name, options)?;
        n_findings += outcome.n_findings;
        rows.push([name.to_owned()].into_iter().chain(outcome.seen).chain([outcome.n_findings.to_string()]).collect());
    }
    say(&format!("\n{}", table(&rows)));
    if n_findings == 0 {
        return Ok(());
    }
    let folder = workspace.shown(&workspace.target.join("fuzz"));
    Err(PkgError::Failed(format!(
        "{n_findings} inputs were found that crash, take 2 s or longer, or more than 1 GiB: see {folder}/*/findings, and \
         run one with MILLWRIGHT_FUZZ=TARGET {} FILE",
        workspace.shown(&program)
    )))
}

/// Builds with the compiler that builds the product, for the machine's own target by name: so build scripts and macros
/// stay without the instrumentation.
fn build(workspace: &Workspace) -> Result<PathBuf, PkgError> {
    let about = Program::new("rustc", &workspace.root).arg("-vV").capture()?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| PkgError::Failed("`rustc -vV` names no host".into()))?;
    let flags = FLAGS.map(|flag| format!("\"{flag}\"")).join(",");
    Program::cargo(&workspace.root.join("tests").join("fuzz"))
        .args(["build", "--release", "--target", host, "--config", &format!("target.{host}.rustflags=[{flags}]")])
        .env("CARGO_TARGET_DIR", &workspace.target)
        .run()?;
    let name = format!("fuzz{}", std::env::consts::EXE_SUFFIX);
    Ok(workspace.target.join(host).join("release").join(name))
}

/// What running a target came to.
struct Outcome {
    /// Executions, coverage, inputs kept.
    seen: [String; 3],
    n_findings: usize,
}

fn run(workspace: &Workspace, program: &PathBuf, name: &str, options: &FuzzOptions) -> Result<Outcome, PkgError> {
    let folder = workspace.target.join("fuzz").join(name);
    let (corpus, findings) = (folder.join("corpus"), folder.join("findings"));
    for folder in [&corpus, &findings] {
        fs::create_dir_all(folder).map_err(PkgError::file("making", folder))?;
    }
    let tests = workspace.root.join("tests");
    let own = [tests.join("suite"), tests.join("printed").join("set")];
    let seeds = std::env::join_paths(own.iter().chain(&options.seeds));
    let seeds = seeds.map_err(|error| PkgError::Usage(format!("a folder of seeds: {error}")))?;
    let dictionary = tests.join("fuzz").join("dictionaries").join(format!("{name}.dict"));
    let mut fuzzer = Program::new(program, &workspace.root)
        .env("MILLWRIGHT_FUZZ", name)
        .env("MILLWRIGHT_SEEDS", seeds)
        .env("MILLWRIGHT_CORPUS", &corpus)
        .arg(&corpus)
        .args(LIMITS)
        .arg(format!("-max_total_time={}", options.minutes * 60))
        .arg(format!("-artifact_prefix={}{}", findings.display(), std::path::MAIN_SEPARATOR));
    if dictionary.is_file() {
        fuzzer = fuzzer.arg(format!("-dict={}", dictionary.display()));
    }
    // Inputs of our own for formats of which the fixtures have no small file; they are only read.
    let inputs = tests.join("fuzz").join("seeds").join(name);
    if inputs.is_dir() {
        fuzzer = fuzzer.arg(inputs);
    }
    let mut last = String::new();
    fuzzer.watched(|line| {
        if line.starts_with('#') && line.contains(" cov: ") {
            line.clone_into(&mut last);
        }
    })?;
    let n_findings = fs::read_dir(&findings).map_err(PkgError::file("reading", &findings))?.count();
    Ok(Outcome { seen: seen(&last), n_findings })
}

/// What a line of libFuzzer says: `#5000: cov: 310 ft: 900 corp: 45 exec/s: …`.
fn seen(line: &str) -> [String; 3] {
    let words: Vec<&str> = line.split_whitespace().collect();
    let after = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
    let first = words.first().map(|word| word.trim_matches(['#', ':']).to_owned()).unwrap_or_default();
    let value = |name: &str| after(name).map(|value| (*value).to_owned()).unwrap_or_default();
    [first, value("cov:"), value("corp:")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<FuzzOptions, PkgError> {
        FuzzOptions::parse(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn targets_minutes_and_seeds_are_read() {
        let options = parsed("pdf --minutes 5 xls --seeds ../files").unwrap();
        assert_eq!((options.targets, options.minutes), (vec!["pdf".to_owned(), "xls".to_owned()], 5));
        assert_eq!(options.seeds, [PathBuf::from("../files")]);
        assert_eq!(parsed("").unwrap().minutes, MINUTES);
        for line in ["--minutes", "--minutes 0", "--seeds", "--minuts 5"] {
            assert!(matches!(parsed(line), Err(PkgError::Usage(_))), "{line}");
        }
    }

    #[test]
    fn the_last_line_tells_what_was_done() {
        let line = "#5000: cov: 310 ft: 900 corp: 45 exec/s: 7 oom/timeout/crash: 0/0/1 time: 60s job: 3 dft_time: 0";
        assert_eq!(seen(line), ["5000", "310", "45"]);
        assert_eq!(seen(""), ["", "", ""]);
    }
}
