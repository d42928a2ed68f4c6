//! Runs as text in the form that trec_eval reads: `query Q0 document rank score tag`, a line for each place.

use super::Run;
use std::{collections::BTreeMap, fmt::Write as _};

/// What is ranked for each query, with scores, best first.
pub type ScoredRun = BTreeMap<String, Vec<(String, f32)>>;

/// A run as text.
#[must_use]
pub fn write_run(run: &ScoredRun, tag: &str) -> String {
    let mut text = String::new();
    for (qid, ranking) in run {
        for ((document, score), rank) in ranking.iter().zip(1..) {
            let _ = writeln!(text, "{qid} Q0 {document} {rank} {score} {tag}");
        }
    }
    text
}

/// Reads a run as trec_eval does: the rank is not looked at; a query's documents stand by score descending, and those of
/// equal score by name descending. Lines of another form are passed over. O(n log n).
#[must_use]
pub fn read_run(text: &str) -> Run {
    let mut scored: BTreeMap<&str, Vec<(&str, f32)>> = BTreeMap::new();
    for line in text.lines() {
        let mut columns = line.split_whitespace();
        let (Some(qid), Some(_), Some(document), Some(_), Some(score)) =
            (columns.next(), columns.next(), columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let Ok(score) = score.parse() else { continue };
        scored.entry(qid).or_default().push((document, score));
    }
    let ordered = |(qid, mut ranking): (&str, Vec<(&str, f32)>)| {
        ranking.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(a.0)));
        (qid.to_owned(), ranking.into_iter().map(|(document, _)| document.to_owned()).collect())
    };
    scored.into_iter().map(ordered).collect()
}

/// A run without its scores.
#[must_use]
pub fn ranking_of(run: &ScoredRun) -> Run {
    let names = |ranking: &Vec<(String, f32)>| ranking.iter().map(|(document, _)| document.clone()).collect();
    run.iter().map(|(qid, ranking)| (qid.clone(), names(ranking))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Measures, Qrels, measure_run};

    /// The numbers are those of trec_eval 9.0.8 (by pytrec_eval-terrier 0.5.11) for these very judgements and lines.
    #[test]
    fn measures_are_those_of_trec_eval_with_ties_and_grades() {
        let judged = |pairs: &[(&str, u32)]| pairs.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect();
        let qrels = Qrels::from([
            ("q1".to_owned(), judged(&[("d1", 3), ("d2", 0), ("d3", 1), ("d4", 2), ("d5", 1), ("d9", 2)])),
            ("q2".to_owned(), judged(&[("d1", 1)])),
            ("q3".to_owned(), judged(&[("d2", 0), ("d3", 1)])),
        ]);
        let mut text = String::new();
        let first = "d2 9.0 d1 7.5 d7 7.5 d3 7.5 d8 3.0 d4 2.0 d6 1.5 d0 1.0 dA 0.9 dB 0.8 dC 0.7 d5 0.6";
        for (qid, line) in [("q1", first), ("q2", "d2 1.0 d1 1.0 d0 0.5"), ("q3", "d2 2.0")] {
            let columns: Vec<&str> = line.split(' ').collect();
            for pair in columns.chunks(2) {
                let _ = writeln!(text, "{qid} Q0 {} 1 {} x", pair[0], pair[1]);
            }
        }
        let measured = measure_run(&read_run(&text), &qrels);
        let values = |m: &Measures| {
            [m.ndcg_at_10, m.map, m.mrr_at_10, m.precision_at_10, m.recall_at_100, m.success_at_1, m.success_at_5]
        };
        let expected = [
            ("q1", [0.411_956_547_110_397_3, 1.0 / 3.0, 1.0 / 3.0, 0.3, 0.8, 0.0, 1.0]),
            ("q2", [0.630_929_753_571_457_5, 0.5, 0.5, 0.1, 1.0, 0.0, 1.0]),
            ("q3", [0.0; 7]),
        ];
        for (qid, expected) in expected {
            for (value, expected) in values(&measured[qid]).into_iter().zip(expected) {
                assert!((value - expected).abs() < 1e-12, "{qid}: {:?}", measured[qid]);
            }
        }
    }

    #[test]
    fn a_run_comes_back() {
        let run = ScoredRun::from([("7".to_owned(), vec![("b".to_owned(), 0.1), ("a".to_owned(), 1.0 / 3.0 - 0.3)])]);
        let text = write_run(&run, "x");
        assert_eq!(text.lines().next(), Some("7 Q0 b 1 0.1 x"));
        assert_eq!(read_run(&text), ranking_of(&run));
        assert_eq!(read_run("\nno run\n7 Q0 a 1 much x\n"), Run::new());
    }
}
