//! `millwright evaluate ranking`: ranks a test collection's queries in every way that the product can, side by side.
//!
//! Reading order: [`systems`] ranks, by the product's own functions; [`second`] looks again at the best; [`vectors`] makes the
//! vectors, once; [`report`] measures, compares and writes. Not for measures: those are `core::eval`'s.

mod report;
pub(in crate::commands) mod second;
pub(in crate::commands) mod systems;
pub(in crate::commands) mod vectors;

use crate::{
    EXIT_OK,
    cli::{RankingArgs, RerankerName},
    collections,
    commands::CommandError,
    output::Output,
};
use millwright_core::{
    eval::{self, ScoredRun},
    lexical::SegmentError,
    protocol::{Failure, FailureKind},
    rerank::{Features, Reranker},
};
use report::Report;
use std::path::Path;
use systems::Index;

/// As deep as recall is measured; deeper only where `--k` or `--depth` asks for it.
const RUN_DEPTH: u32 = 100;

pub(super) fn run(args: &RankingArgs, output: &mut Output) -> Result<u8, CommandError> {
    let collection = collections::load_split(&args.collection, &args.split)?;
    output.status(&format!("{}: indexing {} documents", collection.name, collection.documents.len()));
    let mut index = Index::new(&collection).map_err(|error| not_indexed(&error))?;
    let mut model = None;
    if let Some(id) = &args.model {
        let (identity, vectors) = match &args.vectors {
            Some(file) => vectors::kept(id, &collection, file)?,
            None => vectors::embed(id, &collection, args.models.as_deref(), args.cache.as_deref(), output)?,
        };
        index.add_vectors(vectors, &identity);
        model = Some(identity);
    }
    let depth = RUN_DEPTH.max(args.k).max(args.depth.unwrap_or_default()) as usize;
    output.status(&format!("{}: asking {} questions", collection.name, collection.queries.len()));
    let rerankers: Vec<Box<dyn Reranker>> = args.rerank.iter().map(|name| reranker(*name)).collect();
    let runs = systems::rank(&index, &collection, &rerankers, depth).map_err(|error| not_indexed(&error))?;
    let k = args.k as usize;
    let report = Report::new(&collection, model, &runs, k);
    output.json(&report);
    report.show(output);
    if let Some(former) = &args.compare {
        report.compare(former, output)?;
    }
    if let Some(dir) = &args.out {
        report.write(dir)?;
        write_runs(dir, &report.collection, &runs)?;
    }
    Ok(EXIT_OK)
}

fn reranker(name: RerankerName) -> Box<dyn Reranker> {
    match name {
        RerankerName::Features => Box::new(Features::default()),
    }
}

/// Writes every system's run, in the form that trec_eval reads.
fn write_runs(dir: &Path, collection: &str, runs: &[(&'static str, ScoredRun)]) -> Result<(), CommandError> {
    for (system, run) in runs {
        let text = eval::write_run(run, system);
        report::write_file(&dir.join(format!("{collection}.{system}.run")), &text)?;
    }
    Ok(())
}

/// What is said where a collection's own index cannot be read.
pub(in crate::commands) fn not_indexed(error: &SegmentError) -> CommandError {
    let error = format!("The collection could not be indexed: {error}.");
    Failure { error, error_type: FailureKind::Internal }.into()
}
