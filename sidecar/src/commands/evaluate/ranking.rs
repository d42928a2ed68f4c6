//! `millwright evaluate ranking`: ranks a test collection's queries and prints the measures.

use crate::commands::CommandError;
use crate::{
    EXIT_OK,
    cli::RankingArgs,
    collections::{self, Collection},
    output::Output,
};
use millwright_core::{
    chunk::ChunkId,
    document::DocumentId,
    eval::{self, Measures, Qrels, Run},
    lexical::{Query, Searcher, Segment, SegmentError, SegmentText, build},
    protocol::{Failure, FailureKind},
    text,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// As deep as recall is measured; deeper only where `--k` asks for it.
const RUN_DEPTH: usize = 100;

/// What is printed.
#[derive(Serialize)]
struct Report {
    collection: String,
    n_documents: usize,
    n_queries: usize,
    /// How deep `ndcg_at_k` looks.
    k: usize,
    ndcg_at_k: f64,
    bm25: Measures,
}

pub(super) fn run(args: &RankingArgs, output: &mut Output) -> Result<u8, CommandError> {
    let collection = collections::load(&args.collection)?;
    output.status(&format!("{}: indexing {} documents", collection.name, collection.documents.len()));
    let k = args.k as usize;
    let run = rank(&collection, RUN_DEPTH.max(k)).map_err(|error| {
        let error = format!("The collection could not be indexed: {error}.");
        CommandError::from(Failure { error, error_type: FailureKind::Internal })
    })?;
    let per_query = eval::measure_run(&run, &collection.qrels);
    let bm25 = eval::mean(per_query.values());
    let report = Report {
        collection: collection.name.clone(),
        n_documents: collection.documents.len(),
        n_queries: per_query.len(),
        k,
        ndcg_at_k: mean_ndcg(k, &run, &collection.qrels),
        bm25,
    };
    output.json(&report);
    let facts = format!("{}: {} documents, {} queries", report.collection, report.n_documents, report.n_queries);
    output.line(&facts);
    let ndcg = format!("nDCG@{k}");
    let heads = ["R@100", "P@10", "MRR@10", "MAP", "first", "in 5"].map(|head| format!("{head:>8}"));
    output.line(&format!("{:6}{ndcg:>9}{}", "", heads.concat()));
    let Measures { recall_at_100, precision_at_10, mrr_at_10, map, success_at_1, success_at_5, .. } = report.bm25;
    let values = [recall_at_100, precision_at_10, mrr_at_10, map, success_at_1, success_at_5];
    output.line(&format!("BM25  {:9.4}{}", report.ndcg_at_k, values.map(|value| format!("{value:8.4}")).concat()));
    Ok(EXIT_OK)
}

/// Ranks every query over one segment in which each document is one chunk under its title.
fn rank(collection: &Collection, depth: usize) -> Result<Run, SegmentError> {
    let mut names: BTreeMap<DocumentId, &str> = BTreeMap::new();
    let mut texts = Vec::with_capacity(collection.documents.len());
    for document in &collection.documents {
        let id = DocumentId::of(document.id.as_bytes());
        names.insert(id.clone(), &document.id);
        let id = ChunkId { document: id, ordinal: 0 };
        let language = text::language(&document.text).unwrap_or_default();
        texts.push(SegmentText { id, context: &document.title, body: &document.text, labels: "", language });
    }
    let searcher = Searcher::new(vec![Segment::open(&build(&texts)?)?], |_, _| true);
    let mut run = Run::new();
    for (qid, text) in &collection.queries {
        let hits = searcher.search(&searcher.complete(Query::parse(text))?, depth)?;
        let ranking = hits.iter().filter_map(|hit| names.get(&hit.chunk.document));
        run.insert(qid.clone(), ranking.map(|name| (*name).to_owned()).collect());
    }
    Ok(run)
}

/// The mean over the judged queries, all of which the run answers, if with nothing.
fn mean_ndcg(k: usize, run: &Run, qrels: &Qrels) -> f64 {
    let judged = run.iter().filter_map(|(qid, ranking)| Some(eval::ndcg_at(k, ranking, qrels.get(qid)?)));
    let (n_queries, sum) = judged.fold((0_u32, 0.0), |(n, sum), one| (n + 1, sum + one));
    sum / f64::from(n_queries.max(1))
}
