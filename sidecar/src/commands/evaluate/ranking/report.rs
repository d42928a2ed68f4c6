//! What is said of the runs: a table for people, JSON and a line a query for programs, and the difference to a former one.

use crate::{collections::Collection, commands::CommandError, output::Output};
use millwright_core::{
    eval::{self, Interval, Measures, ScoredRun},
    models::ModelIdentity,
    protocol::{Failure, FailureKind},
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

/// The head of the file with a line a query.
const CSV_HEAD: &str = "system,query,ndcg_at_10,recall_at_100,precision_at_10,mrr_at_10,map,success_at_1,success_at_5";

/// What is printed and written.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) collection: String,
    n_documents: usize,
    n_queries: usize,
    /// How deep `ndcg_at_k` looks.
    k: usize,
    /// What vectors were made with.
    model: Option<ModelIdentity>,
    systems: Vec<System>,
}

#[derive(Debug, Serialize)]
struct System {
    name: &'static str,
    ndcg_at_k: f64,
    measures: Measures,
    /// By the system compared with: the difference in nDCG@10.
    over: BTreeMap<&'static str, Interval>,
    #[serde(skip)]
    per_query: BTreeMap<String, Measures>,
}

/// The systems that others are compared with.
const COMPARED_WITH: [&str; 2] = [super::systems::BM25, super::systems::FUSION];

impl Report {
    pub(super) fn new(
        collection: &Collection,
        model: Option<ModelIdentity>,
        runs: &[(&'static str, ScoredRun)],
        k: usize,
    ) -> Self {
        let mut systems: Vec<System> = Vec::new();
        for (name, run) in runs {
            let run = eval::ranking_of(run);
            let per_query = eval::measure_run(&run, &collection.qrels);
            let empty = Vec::new();
            let judged = collection.qrels.iter().filter(|(qid, _)| per_query.contains_key(*qid));
            let ndcg = judged.map(|(qid, judged)| eval::ndcg_at(k, run.get(qid).unwrap_or(&empty), judged));
            let ndcg_at_k = ndcg.sum::<f64>() / per_query.len().max(1) as f64;
            systems.push(System {
                name,
                ndcg_at_k,
                measures: eval::mean(per_query.values()),
                over: BTreeMap::new(),
                per_query,
            });
        }
        let over: Vec<BTreeMap<&'static str, Interval>> = systems
            .iter()
            .map(|system| {
                let others =
                    systems.iter().filter(|other| COMPARED_WITH.contains(&other.name) && other.name != system.name);
                others.map(|other| (other.name, difference(&system.per_query, &other.per_query))).collect()
            })
            .collect();
        systems.iter_mut().zip(over).for_each(|(system, over)| system.over = over);
        Self {
            collection: collection.name.clone(),
            n_documents: collection.documents.len(),
            n_queries: systems.first().map_or(0, |system| system.per_query.len()),
            k,
            model,
            systems,
        }
    }

    /// The table.
    pub(super) fn show(&self, output: &mut Output) {
        let with = self.model.as_ref().map(|model| format!(", vectors of {}", model.id)).unwrap_or_default();
        output.line(&format!("{}: {} documents, {} queries{with}", self.collection, self.n_documents, self.n_queries));
        let ndcg = format!("nDCG@{}", self.k);
        let heads = ["R@100", "P@10", "MRR@10", "MAP", "first", "in 5"].map(|head| format!("{head:>8}"));
        let over = COMPARED_WITH.map(|name| format!("{:>28}", format!("nDCG@10 over {name}")));
        let over = if self.systems.len() > 1 { over.concat() } else { String::new() };
        output.line(&format!("{:10}{ndcg:>9}{}{over}", "", heads.concat()));
        for system in &self.systems {
            let Measures { recall_at_100, precision_at_10, mrr_at_10, map, success_at_1, success_at_5, .. } =
                system.measures;
            let values = [recall_at_100, precision_at_10, mrr_at_10, map, success_at_1, success_at_5];
            let values = values.map(|value| format!("{value:8.4}")).concat();
            let over =
                COMPARED_WITH.map(|name| format!("{:>28}", system.over.get(name).map(shown).unwrap_or_default()));
            let line = format!("{:10}{:9.4}{values}{}", system.name, system.ndcg_at_k, over.concat());
            output.line(line.trim_end());
        }
    }

    /// Says how far each system is from a former run, whose line a query is in `file`.
    ///
    /// # Errors
    /// When the file cannot be read, or holds none of these queries.
    pub(super) fn compare(&self, file: &Path, output: &mut Output) -> Result<(), CommandError> {
        let text = fs::read_to_string(file).map_err(|error| failed(file, "cannot be read", &error))?;
        let former = read_lines(&text);
        let mut n_compared = 0;
        output.line(&format!("Against {} (nDCG@10, 95 % of samples):", file.display()));
        for system in &self.systems {
            let Some(former) = former.get(system.name) else { continue };
            let pairs =
                system.per_query.iter().filter_map(|(qid, now)| Some((now.ndcg_at_10, *former.get(qid.as_str())?)));
            let differences: Vec<f64> = pairs.map(|(now, then)| now - then).collect();
            if differences.is_empty() {
                continue;
            }
            n_compared += 1;
            let n_other = differences.iter().filter(|difference| **difference != 0.0).count();
            let interval = eval::paired_bootstrap(&differences);
            let n = differences.len();
            output.line(&format!("{:10}{:>28}   {n_other} of {n} queries differ", system.name, shown(&interval)));
        }
        if n_compared == 0 {
            let error = "holds no query of these. It should be a file that `--out` wrote for this collection";
            return Err(failed(file, error, &""));
        }
        Ok(())
    }

    /// Writes `COLLECTION.json`, and `COLLECTION.csv` with a line a system and query.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub(super) fn write(&self, dir: &Path) -> Result<(), CommandError> {
        fs::create_dir_all(dir).map_err(|error| failed(dir, "cannot be made", &error))?;
        let json = serde_json::to_string_pretty(self).map_err(|error| failed(dir, "cannot be written to", &error))?;
        write_file(&dir.join(format!("{}.json", self.collection)), &(json + "\n"))?;
        write_file(&dir.join(format!("{}.csv", self.collection)), &self.lines())
    }

    fn lines(&self) -> String {
        let mut text = format!("{CSV_HEAD}\n");
        for system in &self.systems {
            for (qid, m) in &system.per_query {
                let values = [
                    m.ndcg_at_10,
                    m.recall_at_100,
                    m.precision_at_10,
                    m.mrr_at_10,
                    m.map,
                    m.success_at_1,
                    m.success_at_5,
                ];
                let values = values.map(|value| format!(",{value:.6}")).concat();
                let _ = writeln!(text, "{},{qid}{values}", system.name);
            }
        }
        text
    }
}

/// By system and query: nDCG@10. Query ids have no commas in any collection that is read here.
fn read_lines(text: &str) -> BTreeMap<&str, BTreeMap<&str, f64>> {
    let mut systems: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut columns = line.split(',');
        let (Some(system), Some(qid), Some(ndcg)) = (columns.next(), columns.next(), columns.next()) else { continue };
        let Ok(ndcg) = ndcg.parse() else { continue };
        systems.entry(system).or_default().insert(qid, ndcg);
    }
    systems
}

fn difference(a: &BTreeMap<String, Measures>, b: &BTreeMap<String, Measures>) -> Interval {
    let pairs = a.iter().filter_map(|(qid, a)| Some(a.ndcg_at_10 - b.get(qid)?.ndcg_at_10));
    eval::paired_bootstrap(&pairs.collect::<Vec<f64>>())
}

fn shown(interval: &Interval) -> String {
    format!("{:+.4} [{:+.4}, {:+.4}]", interval.difference, interval.low, interval.high)
}

/// Writes a file whole.
///
/// # Errors
/// With the file's name.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), CommandError> {
    fs::write(path, text).map_err(|error| failed(path, "cannot be written", &error))
}

fn failed(path: &Path, what: &str, why: &dyn std::fmt::Display) -> CommandError {
    let why = why.to_string();
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    Failure { error: format!("{} {what}{why}.", path.display()), error_type: FailureKind::UnreadableFile }.into()
}
