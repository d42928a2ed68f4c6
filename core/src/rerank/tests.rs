//! What the order of candidates promises, whatever a reranker says.

use super::*;
use std::cell::Cell;

fn ordered(tiers: &[u8], scores: &[f32]) -> Vec<usize> {
    order(tiers.len(), scores, |at| tiers[at])
}

#[test]
fn scores_decide_and_equal_ones_stay_as_they_stood() {
    assert_eq!(ordered(&[0; 4], &[0.1, 0.9, 0.5, 0.9]), [1, 3, 2, 0]);
    assert_eq!(ordered(&[0; 3], &[0.5, f32::NAN, -9.0]), [0, 2, 1]);
    assert_eq!(ordered(&[], &[]), [0; 0]);
}

#[test]
fn what_was_not_reached_stays_behind_as_it_stood() {
    assert_eq!(ordered(&[0; 5], &[-3.0, -1.0]), [1, 0, 2, 3, 4]);
    assert_eq!(ordered(&[0; 3], &[]), [0, 1, 2]);
    assert_eq!(ordered(&[0; 2], &[0.0, 1.0, 2.0, 3.0]), [1, 0], "scores of nothing");
}

#[test]
fn no_score_puts_a_twin_before_what_was_asked() {
    assert_eq!(ordered(&[2, 2, 0, 0], &[0.1, 0.2, 9.0, 9.5]), [1, 0, 3, 2]);
    // Not reached, but asked for by its name.
    assert_eq!(ordered(&[2, 2, 0], &[0.1]), [0, 1, 2]);
    assert_eq!(ordered(&[0, 2], &[9.0]), [1, 0]);
}

struct Ticking(Cell<u64>);

impl Clock for Ticking {
    fn now_millis(&self) -> u64 {
        0
    }
    fn monotonic_micros(&self) -> u64 {
        self.0.set(self.0.get() + 10);
        self.0.get()
    }
}

#[test]
fn a_budget_ends() {
    let clock = Ticking(Cell::new(0));
    let mut budget = TimeBudget::new(&clock, 25);
    assert!(budget.report(1, 9).is_continue());
    assert!(budget.report(2, 9).is_continue());
    assert!(budget.report(3, 9).is_break());
}

proptest::proptest! {
    #[test]
    fn an_order_has_every_place_once_and_tiers_before_scores(
        tiers in proptest::collection::vec(0_u8..3, 0..40),
        scores in proptest::collection::vec(proptest::num::f32::ANY, 0..50),
    ) {
        let places = ordered(&tiers, &scores);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        proptest::prop_assert_eq!(sorted, (0..tiers.len()).collect::<Vec<_>>());
        for pair in places.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            proptest::prop_assert!(tiers[a] >= tiers[b]);
            if tiers[a] == tiers[b] && a >= scores.len() {
                proptest::prop_assert!(b > a, "behind what was not reached stands only what was not reached");
            }
        }
    }
}
