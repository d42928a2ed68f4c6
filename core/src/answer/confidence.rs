//! How sure an answer is, from six named signals; their weights stand here and nowhere else.

use super::{evidence::Graded, verify::Checked};
use crate::{
    grade::THRESHOLDS,
    protocol::{AnswerKind, Computation, Confidence, ConfidenceLevel, ConfidenceSignals, Statement, Support},
};

/// Retrieval, completeness, alignment, agreement, grade, verified.
const WEIGHTS: [f32; 6] = [0.15, 0.15, 0.15, 0.15, 0.25, 0.15];
/// From here on it is high, and medium.
const LEVELS: [f32; 2] = [0.78, 0.55];
/// What sources that disagree leave of their agreement.
const DISAGREEING: f32 = 0.2;

/// What is known of an answer.
pub(super) struct Known<'a> {
    pub(super) graded: &'a [Vec<Graded>],
    pub(super) answered: &'a [Option<AnswerKind>],
    pub(super) computations: &'a [Computation],
    pub(super) statements: &'a [Statement],
    pub(super) disagrees: bool,
    pub(super) checked: Option<&'a Checked>,
}

/// Weighs the signals.
pub(super) fn weigh(known: &Known<'_>) -> Confidence {
    let signals = signals(known);
    let ConfidenceSignals { retrieval, completeness, alignment, agreement, grade, verified } = signals;
    let all = [retrieval, completeness, alignment, agreement, grade, verified];
    let mut score = 0.0;
    for (weight, signal) in WEIGHTS.iter().zip(all) {
        score += weight * signal;
    }
    let mut level = if score >= LEVELS[0] {
        ConfidenceLevel::High
    } else if score >= LEVELS[1] {
        ConfidenceLevel::Medium
    } else {
        ConfidenceLevel::Low
    };
    // Sources that contradict each other are never a sure thing.
    if known.disagrees {
        level = level.min(ConfidenceLevel::Medium);
    }
    Confidence { level, score, reasons: reasons(known, &signals), signals }
}

fn signals(known: &Known<'_>) -> ConfidenceSignals {
    if !known.computations.is_empty() && known.answered.iter().all(|kind| *kind == Some(AnswerKind::Exact)) {
        let used: u32 = known.computations.iter().map(|one| one.n_rows_used).sum();
        let all: u32 = known.computations.iter().map(|one| one.n_rows).sum();
        let completeness = if all == 0 { 1.0 } else { used as f32 / all as f32 };
        return ConfidenceSignals {
            retrieval: 1.0,
            completeness,
            alignment: 1.0,
            agreement: 1.0,
            grade: 1.0,
            verified: 1.0,
        };
    }
    let n_answered = known.answered.iter().flatten().count();
    let best: Vec<&Graded> = known.graded.iter().filter_map(|graded| graded.first()).collect();
    let mean = |of: &dyn Fn(&Graded) -> f32| {
        if best.is_empty() { 0.0 } else { best.iter().map(|one| of(one)).sum::<f32>() / best.len() as f32 }
    };
    let grade = mean(&|one: &Graded| {
        ((one.signals.support() - THRESHOLDS.ambiguous) / (0.9 - THRESHOLDS.ambiguous)).clamp(0.0, 1.0)
    });
    let n_held = known.statements.iter().filter(|statement| statement.support != Support::Unsupported).count();
    let verified = known.checked.map_or_else(
        || if known.statements.is_empty() { 0.0 } else { n_held as f32 / known.statements.len() as f32 },
        Checked::share_held,
    );
    ConfidenceSignals {
        retrieval: retrieval(known.graded),
        completeness: n_answered as f32 / known.answered.len().max(1) as f32,
        alignment: mean(&|one: &Graded| one.signals.alignment),
        agreement: if known.disagrees { DISAGREEING } else { 1.0 },
        grade,
        verified,
    }
}

/// How far the best passage stands before the first that says something else.
fn retrieval(graded: &[Vec<Graded>]) -> f32 {
    let margins: Vec<f32> = graded
        .iter()
        .filter_map(|graded| {
            let first = graded.first()?.passage.score;
            let second = graded.get(1).map_or(0.0, |second| second.passage.score);
            Some(if first > 0.0 { (2.0 * (first - second) / first).clamp(0.0, 1.0) } else { 0.0 })
        })
        .collect();
    if margins.is_empty() { 0.0 } else { margins.iter().sum::<f32>() / margins.len() as f32 }
}

fn reasons(known: &Known<'_>, signals: &ConfidenceSignals) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut say = |holds: bool, reason: &str| {
        if holds {
            reasons.push(reason.to_owned());
        }
    };
    say(known.disagrees, "The documents do not agree.");
    say(!known.computations.is_empty(), "It was computed from the rows that are named.");
    say(signals.verified < 1.0, "Not all that was written stands in the documents.");
    say(signals.completeness < 1.0, "Not every part of the question is answered.");
    let is_computed = !known.computations.is_empty();
    say(!is_computed && signals.grade >= 0.6, "The passage has nearly all words of the question.");
    say(!is_computed && signals.grade < 0.25, "The passage has few of the question's words.");
    say(!is_computed && signals.alignment < 0.5, "It may not hold the kind of thing that was asked for.");
    say(!is_computed && signals.retrieval >= 0.5, "No other passage comes near it.");
    say(!is_computed && signals.retrieval < 0.1, "Other passages are as near.");
    reasons
}
