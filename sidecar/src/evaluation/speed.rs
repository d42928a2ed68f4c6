//! How fast PDF is read, in pages per second beside poppler's `pdftotext -layout`, in one run on one machine.
//!
//! Seconds are worth something only beside another program's in the same run, and only from a release build: a debug
//! build refuses to judge. Further peers, which come from Python's registry, are run by `tests/peers/speed.py`, and the
//! tab beside the same code natively by `cargo pkg bench`.

use super::{Bench, Measure, Outcome};
use millwright_core::{host::NoProgress, parse};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// See the module.
pub(super) const SPEED: Bench = Bench { name: "speed", run };

/// How often each program reads each file, by turns; the median counts.
const N_TURNS: usize = 7;

/// What issue 3 asks for, as a part of pdftotext's pages per second.
const GOAL: f64 = 1.0 / 3.0;

/// A file, and what its measures are called.
struct Subject {
    path: &'static str,
    pages_per_second: &'static str,
    ratio: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        path: "manual_linuxcnc/pdf/LinuxCNC_Manual_Pages.pdf",
        pages_per_second: "551-page manual: pages per second",
        ratio: "551-page manual: part of pdftotext's speed",
    },
    Subject {
        path: "docling/pdf/sources/redp5110_sampled.pdf",
        pages_per_second: "dense report: pages per second",
        ratio: "dense report: part of pdftotext's speed",
    },
];

fn run(data: &Path, say: &mut dyn FnMut(&str)) -> Outcome {
    if cfg!(debug_assertions) {
        let why = "this is a debug build, which says nothing of speed; run it with `cargo run --release`.";
        return Outcome::Skipped(why.to_owned());
    }
    let mut measures = Vec::new();
    for subject in &SUBJECTS {
        match measure(&data.join(subject.path), subject, say) {
            Ok(of_subject) => measures.extend(of_subject),
            Err(why) => return Outcome::Skipped(why),
        }
    }
    Outcome::Measured(measures)
}

fn measure(path: &Path, subject: &Subject, say: &mut dyn FnMut(&str)) -> Result<Vec<Measure>, String> {
    let bytes = fs::read(path).map_err(|_| format!("{} is not there.", subject.path))?;
    let parsed = parse::parse(subject.path, &bytes, &mut NoProgress).map_err(|e| format!("{}: {e}", subject.path))?;
    let n_pages = parsed.document.n_pages.unwrap_or_default();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..N_TURNS {
        let began = Instant::now();
        // The tree is dropped within the time, as a reader of many files drops it.
        drop(parse::parse(subject.path, &bytes, &mut NoProgress));
        ours.push(began.elapsed());
        theirs.extend(pdftotext(path));
    }
    let ours = median(&mut ours).ok_or("nothing was measured.")?;
    let per_second = |time: Duration| f64::from(n_pages) / time.as_secs_f64();
    let n = format!("{n_pages} pages, median of {N_TURNS} turns");
    let mut measures =
        vec![Measure { name: subject.pages_per_second, value: per_second(ours), at_least: None, n: n.clone() }];
    match median(&mut theirs) {
        Some(theirs) => {
            say(&format!("{}: pdftotext {:.0} pages per second", subject.path, per_second(theirs)));
            let value = theirs.as_secs_f64() / ours.as_secs_f64();
            let n = format!("{n}; pdftotext {:.0} pages per second", per_second(theirs));
            measures.push(Measure { name: subject.ratio, value, at_least: Some(GOAL), n });
        }
        None => say("pdftotext is not installed (Debian: apt install poppler-utils): nothing to compare with"),
    }
    Ok(measures)
}

/// How long pdftotext takes, its start included (some milliseconds); `None` where it cannot be run.
fn pdftotext(path: &Path) -> Option<Duration> {
    let began = Instant::now();
    let status = Command::new("pdftotext")
        .arg("-layout")
        .arg(path)
        .arg("-")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .ok()?;
    status.success().then(|| began.elapsed())
}

fn median(times: &mut [Duration]) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_one() {
        let mut times = [9, 1, 5].map(Duration::from_millis);
        assert_eq!(median(&mut times), Some(Duration::from_millis(5)));
        assert_eq!(median(&mut []), None);
    }
}
