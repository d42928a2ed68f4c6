//! `millwright evaluate parsing`: runs the benches of [`crate::evaluation`] and prints their measures.

use crate::{
    EXIT_FAILED, EXIT_OK,
    cli::ParsingArgs,
    commands::CommandError,
    evaluation::{BENCHES, Measure, Outcome},
    output::Output,
};
use millwright_core::protocol::{Failure, FailureKind};
use serde::Serialize;

/// What is printed of one bench.
#[derive(Serialize)]
struct Report {
    bench: &'static str,
    measures: Vec<Measure>,
    /// Why it did not run, if it did not.
    skipped: Option<String>,
}

pub(super) fn run(args: &ParsingArgs, output: &mut Output) -> Result<u8, CommandError> {
    if let Some(unknown) = args.only.iter().find(|name| BENCHES.iter().all(|bench| bench.name != **name)) {
        let known: Vec<&str> = BENCHES.iter().map(|bench| bench.name).collect();
        let error = format!("There is no bench named {unknown}; there are {}.", known.join(", "));
        return Err(Failure { error, error_type: FailureKind::BadRequest }.into());
    }
    let mut reports = Vec::new();
    let mut below = false;
    output.line(&format!("{:16}{:44}{:>9}{:>9}  {}", "data", "measure", "value", "at least", "of"));
    for bench in BENCHES.iter().filter(|bench| args.only.is_empty() || args.only.iter().any(|name| name == bench.name))
    {
        output.status(&format!("{}: reading", bench.name));
        let outcome = (bench.run)(&args.data, &mut |line| {
            if args.files {
                output.line(line);
            }
        });
        let (measures, skipped) = match outcome {
            Outcome::Measured(measures) => (measures, None),
            Outcome::Skipped(why) => (Vec::new(), Some(why)),
        };
        for measure in &measures {
            let at_least = measure.at_least.map(|least| format!("{least:.3}")).unwrap_or_default();
            let missed = measure.at_least.is_some_and(|least| measure.value < least);
            below |= missed;
            let mark = if missed { "  below" } else { "" };
            let Measure { name, value, n, .. } = measure;
            output.line(&format!("{:16}{name:44}{value:9.4}{at_least:>9}  {n}{mark}", bench.name));
        }
        if let Some(why) = &skipped {
            output.line(&format!("{:16}skipped: {why}", bench.name));
        }
        reports.push(Report { bench: bench.name, measures, skipped });
    }
    output.json(&reports);
    Ok(if below { EXIT_FAILED } else { EXIT_OK })
}
