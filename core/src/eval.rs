//! Measures of retrieval effectiveness over runs and relevance judgements, as trec_eval computes them.
//!
//! Not for searching: it sees only who was ranked where ([`Run`]) and what was judged ([`Qrels`]).

mod bootstrap;
mod run_file;

pub use bootstrap::{Interval, paired_bootstrap};
pub use run_file::{ScoredRun, ranking_of, read_run, write_run};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Relevance judgements: by query id, then document id, how relevant; 0 is judged and not relevant.
pub type Qrels = BTreeMap<String, BTreeMap<String, u32>>;

/// Rankings: by query id, document ids best first.
pub type Run = BTreeMap<String, Vec<String>>;

/// The measures of one query, or their means over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// Normalised discounted cumulative gain of the first ten.
    pub ndcg_at_10: f64,
    /// Share of the relevant documents among the first hundred.
    pub recall_at_100: f64,
    /// Share of relevant documents among the first ten places.
    pub precision_at_10: f64,
    /// One over the rank of the first relevant document among the first ten, or 0.
    pub mrr_at_10: f64,
    /// Average precision over the whole ranking.
    pub map: f64,
    /// 1 if the first place is relevant, else 0.
    pub success_at_1: f64,
    /// 1 if any of the first five is relevant, else 0.
    pub success_at_5: f64,
}

/// nDCG of the first `k` with the grades as gains and `log2(rank + 1)` as discount (Järvelin and Kekäläinen 2002, in
/// trec_eval's form), 0 if nothing is relevant. O(k + judged · log judged).
#[must_use]
pub fn ndcg_at(k: usize, ranking: &[String], judged: &BTreeMap<String, u32>) -> f64 {
    let dcg = |grades: &mut dyn Iterator<Item = u32>| {
        grades.take(k).zip(2_u32..).map(|(grade, rank)| f64::from(grade) / libm::log2(f64::from(rank))).sum::<f64>()
    };
    let mut ideal: Vec<u32> = judged.values().copied().filter(|grade| *grade > 0).collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = dcg(&mut ideal.into_iter());
    if best == 0.0 {
        return 0.0;
    }
    dcg(&mut ranking.iter().map(|document| judged.get(document).copied().unwrap_or(0))) / best
}

/// The measures of one query.
#[must_use]
pub fn measure(ranking: &[String], judged: &BTreeMap<String, u32>) -> Measures {
    let n_relevant = judged.values().filter(|grade| **grade > 0).count();
    if n_relevant == 0 {
        return Measures::default();
    }
    let is_relevant = |document: &String| judged.get(document).is_some_and(|grade| *grade > 0);
    let relevant_ranks: Vec<usize> =
        ranking.iter().zip(1..).filter(|(document, _)| is_relevant(document)).map(|(_, rank)| rank).collect();
    let within = |k: usize| relevant_ranks.iter().take_while(|rank| **rank <= k).count() as f64;
    let precisions = relevant_ranks.iter().zip(1..).map(|(rank, n)| f64::from(n) / *rank as f64);
    Measures {
        ndcg_at_10: ndcg_at(10, ranking, judged),
        recall_at_100: within(100) / n_relevant as f64,
        precision_at_10: within(10) / 10.0,
        mrr_at_10: relevant_ranks.first().filter(|rank| **rank <= 10).map_or(0.0, |rank| 1.0 / *rank as f64),
        map: precisions.sum::<f64>() / n_relevant as f64,
        success_at_1: within(1).min(1.0),
        success_at_5: within(5).min(1.0),
    }
}

/// The measures of every query that has a relevant document, whether or not the run answers it.
#[must_use]
pub fn measure_run(run: &Run, qrels: &Qrels) -> BTreeMap<String, Measures> {
    let relevant = |judged: &BTreeMap<String, u32>| judged.values().any(|grade| *grade > 0);
    let judged = qrels.iter().filter(|(_, judged)| relevant(judged));
    judged.map(|(qid, judged)| (qid.clone(), measure(run.get(qid).map_or(&[], Vec::as_slice), judged))).collect()
}

/// The means over queries; zeros over none.
#[must_use]
pub fn mean<'a>(measures: impl IntoIterator<Item = &'a Measures>) -> Measures {
    let mut sum = Measures::default();
    let mut n_queries = 0_u32;
    for one in measures {
        n_queries += 1;
        sum.ndcg_at_10 += one.ndcg_at_10;
        sum.recall_at_100 += one.recall_at_100;
        sum.precision_at_10 += one.precision_at_10;
        sum.mrr_at_10 += one.mrr_at_10;
        sum.map += one.map;
        sum.success_at_1 += one.success_at_1;
        sum.success_at_5 += one.success_at_5;
    }
    let n = f64::from(n_queries.max(1));
    Measures {
        ndcg_at_10: sum.ndcg_at_10 / n,
        recall_at_100: sum.recall_at_100 / n,
        precision_at_10: sum.precision_at_10 / n,
        mrr_at_10: sum.mrr_at_10 / n,
        map: sum.map / n,
        success_at_1: sum.success_at_1 / n,
        success_at_5: sum.success_at_5 / n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn measures_are_those_of_the_definitions() {
        let judged = BTreeMap::from([("a", 2), ("b", 1), ("c", 0), ("d", 1)].map(|(id, grade)| (id.to_owned(), grade)));
        let measures = measure(&names("c a x b"), &judged);
        // DCG = 2/log2(3) + 1/log2(5); ideal = 2/log2(2) + 1/log2(3) + 1/log2(4).
        let expected = (2.0 / 3_f64.log2() + 1.0 / 5_f64.log2()) / (2.0 + 1.0 / 3_f64.log2() + 0.5);
        assert!((measures.ndcg_at_10 - expected).abs() < 1e-12);
        assert!((measures.map - (0.5 + 0.5) / 3.0).abs() < 1e-12);
        assert_eq!(measures.mrr_at_10, 0.5);
        assert_eq!(measures.precision_at_10, 0.2);
        assert_eq!(measures.recall_at_100, 2.0 / 3.0);
        assert_eq!((measures.success_at_1, measures.success_at_5), (0.0, 1.0));
    }

    #[test]
    fn unanswered_queries_count_and_unjudged_ones_do_not() {
        let qrels = Qrels::from([
            ("1".to_owned(), BTreeMap::from([("a".to_owned(), 1)])),
            ("2".to_owned(), BTreeMap::from([("a".to_owned(), 1)])),
            ("3".to_owned(), BTreeMap::from([("a".to_owned(), 0)])),
        ]);
        let run = Run::from([("1".to_owned(), names("a")), ("3".to_owned(), names("a"))]);
        let per_query = measure_run(&run, &qrels);
        assert_eq!(per_query.keys().collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!(mean(per_query.values()).ndcg_at_10, 0.5);
    }
}
