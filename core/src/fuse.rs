//! Makes one ranking of several: pure functions over hits, whatever found them.
//!
//! Both methods keep what only one ranking holds. Ties stand in the order of ids.

use std::collections::BTreeMap;

/// Something found and how well it did, in whatever measure its ranking uses.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<Id> {
    /// What.
    pub id: Id,
    /// Higher is better.
    pub score: f32,
}

/// Reciprocal rank fusion (Cormack, Clarke, Büttcher, SIGIR 2009): the sum over the rankings of `1 / (k + rank)`, ranks
/// counted from 1. Each ranking stands best first; scores are not looked at. O(n log n).
#[must_use]
pub fn reciprocal_rank<Id: Ord + Clone>(rankings: &[&[Hit<Id>]], k: f32) -> Vec<Hit<Id>> {
    sum(rankings.iter().flat_map(|ranking| {
        let rank = |at: usize| at as f32 + 1.0;
        ranking.iter().enumerate().map(move |(at, hit)| (hit.id.clone(), 1.0 / (k + rank(at))))
    }))
}

/// Weighted sum: every ranking's scores, divided by its largest, or by the number given with it where that is more, times
/// its weight. What a ranking does not hold gets nothing from it; scores below zero count as zero. A ranking comes with its
/// weight and that number. O(n log n).
#[must_use]
pub fn weighted_sum<Id: Ord + Clone>(rankings: &[(&[Hit<Id>], f32, f32)]) -> Vec<Hit<Id>> {
    sum(rankings.iter().flat_map(|(ranking, weight, least)| {
        let largest = ranking.iter().fold(*least, |largest, hit| largest.max(hit.score));
        let share = move |score: f32| if largest > 0.0 { weight * score.max(0.0) / largest } else { 0.0 };
        ranking.iter().map(move |hit| (hit.id.clone(), share(hit.score)))
    }))
}

/// Adds up what belongs to the same id; best first. Sums are in the order of the rankings, so that they are the same bits
/// on every machine.
fn sum<Id: Ord>(parts: impl Iterator<Item = (Id, f32)>) -> Vec<Hit<Id>> {
    let mut sums: BTreeMap<Id, f32> = BTreeMap::new();
    for (id, part) in parts {
        *sums.entry(id).or_insert(0.0) += part;
    }
    let mut hits: Vec<Hit<Id>> = sums.into_iter().map(|(id, score)| Hit { id, score }).collect();
    // Stable: equal scores stay in the order of ids.
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(hits: &[(&'static str, f32)]) -> Vec<Hit<&'static str>> {
        hits.iter().map(|(id, score)| Hit { id: *id, score: *score }).collect()
    }

    fn ids<'a>(hits: &[Hit<&'a str>]) -> Vec<&'a str> {
        hits.iter().map(|hit| hit.id).collect()
    }

    #[test]
    fn reciprocal_ranks_add_up() {
        let (a, b) = (ranking(&[("x", 9.0), ("y", 8.0), ("z", 1.0)]), ranking(&[("y", 0.2), ("w", 0.1)]));
        let fused = reciprocal_rank(&[&a, &b], 10.0);
        assert_eq!(ids(&fused), ["y", "x", "w", "z"]);
        assert_eq!(fused[0].score, 1.0 / 12.0 + 1.0 / 11.0);
        assert_eq!(fused[3].score, 1.0 / 13.0);
    }

    #[test]
    fn weights_decide_between_rankings_of_any_scale() {
        let (a, b) = (ranking(&[("x", 900.0), ("y", 450.0)]), ranking(&[("y", 0.5), ("x", 0.1), ("w", -0.3)]));
        let fused = weighted_sum(&[(&a, 0.4, 0.0), (&b, 0.6, 0.0)]);
        assert_eq!(ids(&fused), ["y", "x", "w"]);
        assert!((fused[0].score - 0.8).abs() < 1e-6 && (fused[1].score - 0.52).abs() < 1e-6 && fused[2].score == 0.0);
        assert_eq!(ids(&weighted_sum(&[(&a, 1.0, 0.0), (&b, 0.0, 0.0)])), ["x", "y", "w"]);
    }

    #[test]
    fn a_weak_best_is_no_perfect_match() {
        let (words, vectors) = (ranking(&[("x", 2.0)]), ranking(&[("y", 0.8), ("x", 0.4)]));
        assert_eq!(ids(&weighted_sum(&[(&words, 0.5, 0.0), (&vectors, 0.5, 0.0)])), ["x", "y"]);
        assert_eq!(ids(&weighted_sum(&[(&words, 0.5, 8.1), (&vectors, 0.5, 0.0)])), ["y", "x"]);
    }

    #[test]
    fn ties_stand_by_id_and_nothing_is_lost() {
        let (a, b) = (ranking(&[("y", 1.0)]), ranking(&[("x", 1.0)]));
        assert_eq!(ids(&reciprocal_rank(&[&a, &b], 60.0)), ["x", "y"]);
        assert_eq!(ids(&weighted_sum(&[(&a, 0.5, 0.0), (&b, 0.5, 0.0)])), ["x", "y"]);
        assert_eq!(weighted_sum::<u32>(&[(&[], 1.0, 0.0)]), []);
    }
}
