//! How fast PDF is read, in pages per second beside poppler's `pdftotext -layout`, in one run on one machine.
//!
//! Both work on one thread; where the system tells (Linux), it is their processor time that counts, so that a busy machine
//! slows neither. Seconds are worth something only beside another program's in the same run, and only from a release
//! build: a debug build refuses to judge. Further peers, which come from Python's registry, are run by
//! `tests/peers/speed.py`, and the tab beside the same code natively by `cargo pkg bench`.

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

/// How often each program has its turn with each file; the median counts.
const N_TURNS: usize = 7;

/// What the system counts of a child's processor time: Linux tells programs hundredths of a second on every machine.
const TICKS_PER_SECOND: f64 = 100.0;

/// What issue 3 asks for, as a part of pdftotext's pages per second.
const GOAL: f64 = 1.0 / 3.0;

/// A file, and what its measures are called.
struct Subject {
    path: &'static str,
    /// How often it is read in one turn, so that a turn takes many ticks.
    n_times: u32,
    pages_per_second: &'static str,
    ratio: &'static str,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        path: "manual_linuxcnc/pdf/LinuxCNC_Manual_Pages.pdf",
        n_times: 1,
        pages_per_second: "551-page manual: pages per second",
        ratio: "551-page manual: part of pdftotext's speed",
    },
    Subject {
        path: "docling/pdf/sources/redp5110_sampled.pdf",
        n_times: 10,
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
        let clock = Clock::start(own_time);
        for _ in 0..subject.n_times {
            // The tree is dropped within the time, as a reader of many files drops it.
            drop(parse::parse(subject.path, &bytes, &mut NoProgress));
        }
        ours.push(clock.elapsed() / subject.n_times);
        let clock = Clock::start(children_time);
        if (0..subject.n_times).all(|_| pdftotext(path)) {
            theirs.push(clock.elapsed() / subject.n_times);
        }
    }
    let ours = median(&mut ours).ok_or("nothing was measured.")?;
    let per_second = |time: Duration| f64::from(n_pages) / time.as_secs_f64().max(1e-6);
    let n = format!("{n_pages} pages, median of {N_TURNS} turns");
    let mut measures =
        vec![Measure { name: subject.pages_per_second, value: per_second(ours), at_least: None, n: n.clone() }];
    match median(&mut theirs) {
        Some(theirs) => {
            say(&format!("{}: pdftotext {:.0} pages per second", subject.path, per_second(theirs)));
            let n = format!("{n}; pdftotext {:.0} pages per second", per_second(theirs));
            measures.push(Measure {
                name: subject.ratio,
                value: per_second(ours) / per_second(theirs),
                at_least: Some(GOAL),
                n,
            });
        }
        None => say("pdftotext is not installed (Debian: apt install poppler-utils): nothing to compare with"),
    }
    Ok(measures)
}

/// Lets pdftotext read a file; whether it did.
fn pdftotext(path: &Path) -> bool {
    let mut command = Command::new("pdftotext");
    command.arg("-layout").arg(path).arg("-").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Processor time where the system tells it, otherwise the time on the wall.
struct Clock {
    began: Instant,
    used: Option<Duration>,
    read: fn() -> Option<Duration>,
}

impl Clock {
    fn start(read: fn() -> Option<Duration>) -> Self {
        Self { began: Instant::now(), used: read(), read }
    }

    fn elapsed(&self) -> Duration {
        let used = self.used.zip((self.read)()).map(|(before, now)| now.saturating_sub(before));
        used.unwrap_or_else(|| self.began.elapsed())
    }
}

/// The processor time of this thread so far: proc(5), the first field of `schedstat`.
fn own_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}

/// The processor time of all programs that were run and have ended: proc(5), the fields `cutime` and `cstime` of `stat`.
fn children_time() -> Option<Duration> {
    let told = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name in parentheses may hold spaces; what follows it begins with the third field.
    let (_, fields) = told.rsplit_once(')')?;
    let ticks: u64 = fields.split_whitespace().skip(13).take(2).map(|field| field.parse().unwrap_or(0_u64)).sum();
    Some(Duration::from_secs_f64(ticks as f64 / TICKS_PER_SECOND))
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

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_is_told() {
        let clock = Clock::start(own_time);
        assert!(clock.used.is_some());
        // The system counts it up at its own ticks.
        while clock.elapsed() == Duration::ZERO {
            assert!(clock.began.elapsed() < Duration::from_secs(60), "no time is counted");
        }
        assert!(children_time().is_some());
    }
}
