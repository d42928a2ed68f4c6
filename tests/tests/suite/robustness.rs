//! Hostile and broken files, ours and public ones: nothing panics, nothing hangs, nothing takes a gigabyte, every one ends
//! in a tree or a message. These are the floors of the benches `pdfjs`, `qpdf` and `poi_hostile` too: here the files go on
//! to the index, on the small stack that a browser's worker has.

use anyhow::{Result, ensure};
use millwright_core::{host::NoProgress, index::prepare, parse::ParseError, protocol::Failure};
use millwright_tests::{
    bad_files::{Fate, bad_files},
    corpus::TestFile,
    library::NativeLibrary,
    paths,
    suite::files_below,
    watchdog::{Watched, watch},
};
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

/// How long one file may take: issue 2 calls anything longer a hang.
const LIMIT: Duration = Duration::from_secs(20);

/// The most memory that reading a file may take, in KiB (issue 3).
const MAX_MEMORY_KIB: u64 = 1 << 20;

/// Slower than this is worth a line, though no failure.
const SLOW: Duration = Duration::from_secs(2);

#[test]
fn pdf_js_bug_files() -> Result<()> {
    survives("pdfjs")
}

#[test]
fn qpdf_fuzz_files() -> Result<()> {
    survives("qpdf")
}

#[test]
fn naughty_strings() -> Result<()> {
    survives("blns")
}

#[test]
fn csv_corner_cases() -> Result<()> {
    survives("csv_spectrum")
}

#[test]
fn office_bombs() -> Result<()> {
    survives("poi_hostile")
}

/// Every naughty string is also something that somebody may type.
#[test]
fn no_question_fails() -> Result<()> {
    let page = TestFile::new("valve.md", "# Valve\n\nThe valve V-7 opens at 3,5 bar.\n");
    let library = NativeLibrary::of(&[page])?;
    let long = "valve ".repeat(20_000);
    let mut questions = vec![String::new(), "\0".to_owned(), "(".repeat(500), long];
    if let Some(folder) = paths::public_data("blns") {
        for file in files_below(&folder)? {
            questions.extend(String::from_utf8_lossy(&file.bytes).lines().map(str::to_owned));
        }
    }
    for question in &questions {
        library.find(question, 5)?;
    }
    ensure!(!library.find("opens at 3,5 bar", 1)?.is_empty(), "the library still answers");
    eprintln!("{} questions asked", questions.len());
    Ok(())
}

/// Our own bad files, which are there on every machine.
#[test]
fn bad_files_get_a_message_or_are_found() -> Result<()> {
    for (file, fate) in bad_files() {
        let name = file.name.clone();
        match fate {
            Fate::Refused(word) => {
                let Err(error) = prepare(&file.name, &file.bytes, &mut NoProgress) else {
                    anyhow::bail!("{name} was taken in");
                };
                let message = Failure::from(error).error;
                ensure!(message.contains(word), "{name}: {message:?} does not say {word:?}");
            }
            Fate::Found(word) => {
                let library = NativeLibrary::of(&[file])?;
                ensure!(!library.find(word, 1)?.is_empty(), "{name}: {word} is not found");
            }
        }
    }
    Ok(())
}

/// A text of 200 MB is read, and what stands at its end is found or said to be left out.
#[test]
#[ignore = "takes minutes unoptimised; cargo nextest run --cargo-profile release --run-ignored all"]
fn a_200_mb_text() -> Result<()> {
    let mut text = "All bolts were tightened to 45 Nm and marked with paint.\n\n".repeat(200 << 20 >> 6);
    text.push_str("The last word is quibberflax.\n");
    let prepared = watch(Duration::from_secs(300), move || prepare("long.txt", text.as_bytes(), &mut NoProgress));
    ensure!(matches!(prepared, Watched::Returned(Ok(_), _)), "{prepared:?}");
    Ok(())
}

fn survives(part: &str) -> Result<()> {
    let Some(folder) = paths::public_data(part) else { return Ok(()) };
    let files = files_below(&folder)?;
    let n_files = files.len();
    let loaded_kib = memory_kib("VmRSS:").unwrap_or_default();
    let queue = Mutex::new(files.into_iter());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    let report = Mutex::new(Report::default());
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(file) = next() {
                    let name = file.name.clone();
                    let watched = watch(LIMIT, move || prepare(&file.name, &file.bytes, &mut NoProgress).map(drop));
                    if let Ok(mut report) = report.lock() {
                        report.take(&name, watched);
                    }
                }
            });
        }
    });
    let Report { counts, slow, broken } = report.into_inner()?;
    eprintln!("{part}: {n_files} files in {:.1} s: {counts:?}\n{slow}", started.elapsed().as_secs_f32());
    ensure!(counts.values().sum::<u32>() as usize == n_files, "not every file was reported");
    // All threads together stay below what one file may take: then every file does.
    if let Some(peak_kib) = memory_kib("VmHWM:") {
        let taken_kib = peak_kib.saturating_sub(loaded_kib);
        eprintln!("{part}: at most {} MiB beyond the files themselves", taken_kib >> 10);
        ensure!(taken_kib <= MAX_MEMORY_KIB, "{part}: reading took {} MiB at once", taken_kib >> 10);
    }
    ensure!(broken.is_empty(), "{part}:\n{broken}");
    Ok(())
}

/// What the system says of this process's memory; Linux alone tells.
fn memory_kib(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

#[derive(Default)]
struct Report {
    counts: BTreeMap<&'static str, u32>,
    slow: String,
    broken: String,
}

impl Report {
    fn take(&mut self, name: &str, watched: Watched<Result<(), ParseError>>) {
        let end = match watched {
            Watched::Returned(outcome, took) => {
                if took > SLOW {
                    let _ = writeln!(self.slow, "  slow: {name} took {:.1} s", took.as_secs_f32());
                }
                match outcome {
                    Ok(()) => "read",
                    Err(ParseError::Empty) => "empty",
                    Err(ParseError::Unsupported { .. }) => "unsupported",
                    Err(ParseError::Password | ParseError::WrongPassword) => "password",
                    Err(ParseError::TooLarge { .. }) => "too large",
                    Err(ParseError::Damaged { .. }) => "damaged",
                    Err(ParseError::Cancelled) => "cancelled",
                }
            }
            Watched::Panicked(words) => {
                let _ = writeln!(self.broken, "  {name} panicked: {words}");
                "panicked"
            }
            Watched::Hung => {
                let _ = writeln!(self.broken, "  {name} was not done after {} s", LIMIT.as_secs());
                "hung"
            }
        };
        *self.counts.entry(end).or_default() += 1;
    }
}
