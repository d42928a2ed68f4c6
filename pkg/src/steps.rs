//! A plan of steps: said before it begins, each step printed with what it does and how long it took, summed up at the end.

use crate::{
    console::{human_time, say, table},
    error::PkgError,
};
use std::time::{Duration, Instant};

/// Something to do, with what the user is told about it beforehand.
pub(crate) struct Step<'a> {
    /// A few words.
    pub(crate) name: String,
    /// What will be done, usually the command line.
    pub(crate) what: String,
    /// Roughly how long on two cores, in minutes. `None` where it is seconds.
    pub(crate) minutes: Option<f32>,
    /// Does it.
    pub(crate) action: Box<dyn FnOnce() -> Result<Outcome, PkgError> + 'a>,
}

/// How a step ended that did not fail to run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// A word on it, may be empty.
    pub(crate) note: String,
    /// Tests or checks that passed.
    pub(crate) n_passed: u64,
    /// Tests or checks that failed.
    pub(crate) n_failed: u64,
}

impl Outcome {
    /// Done, with a word on it.
    pub(crate) fn note(note: impl Into<String>) -> Self {
        Self { note: note.into(), ..Self::default() }
    }
}

/// A step that was taken.
pub(crate) struct Taken {
    name: String,
    time: Duration,
    result: Result<Outcome, PkgError>,
}

/// Whether a failing step ends the plan.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum OnFailure {
    Stop,
    GoOn,
}

/// The plan as it is announced, with the rough minutes of each step and of all.
pub(crate) fn announce(steps: &[Step<'_>]) -> String {
    let rows: Vec<Vec<String>> = steps
        .iter()
        .enumerate()
        .map(|(at, step)| vec![format!("{}.", at + 1), step.name.clone(), rough(step.minutes), step.what.clone()])
        .collect();
    let total: f32 = steps.iter().filter_map(|step| step.minutes).sum();
    let sum = if total > 0.0 { format!("  about {} in all on two cores\n", rough(Some(total))) } else { String::new() };
    format!("{}{sum}", table(&rows))
}

fn rough(minutes: Option<f32>) -> String {
    match minutes {
        None => "seconds".into(),
        Some(minutes) if minutes < 1.0 => format!("{:.0} s", (minutes * 6.0).round() * 10.0),
        Some(minutes) => format!("{minutes:.0} min"),
    }
}

/// Takes the steps in order, printing each.
///
/// # Errors
/// The first failing step's error with [`OnFailure::Stop`]; none with [`OnFailure::GoOn`], whose caller reads the result.
pub(crate) fn take(steps: Vec<Step<'_>>, on_failure: OnFailure) -> Result<Vec<Taken>, PkgError> {
    let n_steps = steps.len();
    let mut taken = Vec::with_capacity(n_steps);
    for (at, step) in steps.into_iter().enumerate() {
        say(&format!("\n[{}/{n_steps}] {}: {}", at + 1, step.name, step.what));
        let begun = Instant::now();
        let result = (step.action)();
        let time = begun.elapsed();
        match &result {
            Ok(outcome) if outcome.n_failed == 0 => {
                let note = if outcome.note.is_empty() { String::new() } else { format!(": {}", outcome.note) };
                say(&format!("      done in {}{note}", human_time(time)));
            }
            Ok(outcome) => say(&format!("      {} failed, after {}", outcome.n_failed, human_time(time))),
            Err(error) => say(&format!("      failed after {}: {error}", human_time(time))),
        }
        match result {
            Err(error) if on_failure == OnFailure::Stop => return Err(error),
            result => taken.push(Taken { name: step.name, time, result }),
        }
    }
    Ok(taken)
}

/// Prints the summary and, as the last line, the totals in the form that every reader of test output knows.
///
/// # Errors
/// If anything failed.
pub(crate) fn conclude(taken: &[Taken], command: &str) -> Result<(), PkgError> {
    let (n_passed, n_failed) = totals(taken);
    say(&format!("\n{command}\n{}\n{n_passed} passed, {n_failed} failed", summary(taken)));
    if n_failed == 0 { Ok(()) } else { Err(PkgError::Failed(format!("{command}: {n_failed} failed"))) }
}

/// Passed and failed over all steps; a step that could not be done counts as one failure.
fn totals(taken: &[Taken]) -> (u64, u64) {
    taken.iter().fold((0, 0), |(n_passed, n_failed), step| match &step.result {
        Ok(outcome) => (n_passed + outcome.n_passed, n_failed + outcome.n_failed),
        Err(_) => (n_passed, n_failed + 1),
    })
}

/// One table over all steps.
fn summary(taken: &[Taken]) -> String {
    let mut rows = vec![["step", "time", "passed", "failed", ""].map(str::to_owned).to_vec()];
    for step in taken {
        let (n_passed, n_failed, note) = match &step.result {
            Ok(outcome) => (outcome.n_passed, outcome.n_failed, outcome.note.clone()),
            Err(error) => (0, 1, error.to_string().lines().next().unwrap_or_default().to_owned()),
        };
        let counts = [n_passed.to_string(), n_failed.to_string()];
        rows.push([step.name.clone(), human_time(step.time)].into_iter().chain(counts).chain([note]).collect());
    }
    table(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step<'a>(name: &str, minutes: Option<f32>, result: Result<Outcome, PkgError>) -> Step<'a> {
        Step { name: name.into(), what: format!("does {name}"), minutes, action: Box::new(move || result) }
    }

    #[test]
    fn the_plan_tells_each_steps_minutes_and_their_sum() {
        let steps = [step("one", Some(0.5), Ok(Outcome::default())), step("two", Some(2.6), Ok(Outcome::default()))];
        let plan = announce(&steps);
        assert!(plan.contains("1.  one  30 s   does one"), "{plan}");
        assert!(plan.contains("about 3 min in all"), "{plan}");
        assert!(!announce(&[step("quick", None, Ok(Outcome::default()))]).contains("in all"));
    }

    #[test]
    fn a_failure_stops_the_plan_only_where_it_should() {
        let failing = || {
            vec![
                step("bad", None, Err(PkgError::Failed("broken\nat length".into()))),
                step("good", None, Ok(Outcome { n_passed: 3, ..Outcome::default() })),
            ]
        };
        assert!(take(failing(), OnFailure::Stop).is_err());
        let taken = take(failing(), OnFailure::GoOn).unwrap();
        assert_eq!(totals(&taken), (3, 1));
        let summary = summary(&taken);
        assert!(summary.contains("broken") && !summary.contains("at length"), "{summary}");
    }
}
