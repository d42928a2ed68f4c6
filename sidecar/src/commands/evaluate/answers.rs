//! `millwright evaluate answers`: answers the questions of a collection as the product does, and compares with what is known.
//!
//! Reading order: [`judge`] compares one answer, [`report`] adds up and shows; [`generated`] makes documents of our own, about
//! whose rows [`aggregates`] asks.

mod aggregates;
mod generated;
mod judge;
mod report;

use crate::{
    EXIT_OK,
    cli::{AnswersArgs, Half},
    clock::SystemClock,
    collections::{CollectionDocument, questions},
    commands::CommandError,
    output::Output,
};
use judge::{Judged, judge};
use millwright_core::{
    answer::{AskOptions, Pipeline, Step},
    host::{MemoryStorage, NoProgress},
    index::{Library, QuestionVectors, prepare},
    protocol::{Failure, FailureKind},
};
use report::Report;

pub(super) fn run(args: &AnswersArgs, output: &mut Output) -> Result<u8, CommandError> {
    if args.collection.as_os_str() == "generated" {
        return aggregates::run(args, output);
    }
    let questions = questions::load(&args.collection)?;
    let library = library(&questions.documents, output)?;
    let clock = SystemClock::new();
    let mut judged: Vec<Judged> = Vec::new();
    let cases: Vec<_> =
        questions.cases.iter().enumerate().filter(|(at, _)| is_of(args.half, *at)).map(|(_, case)| case).collect();
    for (n, case) in cases.iter().enumerate() {
        if n % 50 == 0 {
            output.status(&format!("question {n} of {}", cases.len()));
        }
        let options = AskOptions { turns: case.turns.clone(), ..AskOptions::default() };
        let mut pipeline = Pipeline::new(&case.question, options);
        let step = pollster::block_on(library.advance(&mut pipeline, &QuestionVectors::new(), &clock))?;
        if let Step::Done(answer) = step {
            judged.push(judge(case, &answer, pipeline.signals().into_iter().flatten().next()));
        }
    }
    let report = Report::new(&crate::files::base_name(&args.collection), &judged);
    output.json(&report);
    report.show(output);
    for wrong in judged.iter().filter(|judged| judged.is_wrong()).take(args.wrong) {
        output.line(&format!("WRONG {}: {}\n  {}", wrong.id, wrong.question, wrong.said.replace('\n', "\n  ")));
    }
    if let Some(path) = &args.out {
        report::write_csv(path, &judged)?;
    }
    Ok(EXIT_OK)
}

fn is_of(half: Option<Half>, at: usize) -> bool {
    half.is_none_or(|half| (half == Half::Odd) == at.is_multiple_of(2))
}

/// A library in memory with the documents of a collection.
fn library(documents: &[CollectionDocument], output: &mut Output) -> Result<Library<MemoryStorage>, CommandError> {
    let mut library = pollster::block_on(Library::open(MemoryStorage::default()))?;
    for (n, document) in documents.iter().enumerate() {
        if n % 100 == 0 {
            output.status(&format!("reading document {n} of {}", documents.len()));
        }
        let bytes = document.text.as_bytes();
        let prepared = prepare(&document.id, bytes, &mut NoProgress).map_err(|error| Failure {
            error: format!("{}: {error}", document.id),
            error_type: FailureKind::DamagedFile,
        })?;
        pollster::block_on(library.commit(prepared, bytes, 0))?;
    }
    Ok(library)
}
