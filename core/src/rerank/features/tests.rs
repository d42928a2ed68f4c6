//! What every feature sees, and that the sum of them orders.

use super::*;
use crate::{
    dense::Code,
    host::NoProgress,
    lexical::Query,
    rerank::{Scores, order},
    text::Language,
};
use std::ops::ControlFlow;

fn passage(text: &str) -> Passage<'_> {
    Passage {
        text,
        heading_path: &[],
        kind: ChunkKind::Text,
        language: Language::English,
        scores: Scores { words: Some(1.0), score: 1.0, ..Scores::default() },
        recency: None,
        code: None,
        tokens: None,
    }
}

fn asked<'a>(query: &'a Query, sought: Option<Sought>) -> Asked<'a> {
    Asked { text: "", query, weights: &[], sought, tokens: None }
}

/// The feature of that name, by passage.
fn feature(name: &str, question: &str, sought: Option<Sought>, passages: &[Passage<'_>]) -> Vec<f32> {
    let at = NAMES.iter().position(|known| *known == name).unwrap();
    let query = Query::parse(question);
    features(&asked(&query, sought), passages, &mut NoProgress).iter().map(|features| features[at]).collect()
}

fn of_texts(name: &str, question: &str, texts: &[&str]) -> Vec<f32> {
    feature(name, question, None, &texts.iter().map(|text| passage(text)).collect::<Vec<_>>())
}

#[test]
fn words_side_by_side_are_told_from_words_apart() {
    let texts = ["Grease the main bearing.", "The main thing is a clean bearing.", "Bearing, main."];
    assert_eq!(of_texts("pairs", "main bearing", &texts), [1.0, 0.0, 0.0]);
}

#[test]
fn one_sentence_says_more_than_several_and_near_words_more_than_far_ones() {
    let texts = ["The seal leaks oil.", "The seal is new. Oil is old; leaks are rare.", "A seal\nleaks\noil"];
    // Half for the sentence, half for the run of words.
    assert_eq!(of_texts("together", "seal leaks oil", &texts), [1.0, 2.0 / 3.0, 2.0 / 3.0]);
    let apart = format!("The seal. {} Oil leaks.", "Nothing of that. ".repeat(12));
    assert_eq!(of_texts("together", "seal leaks oil", &[&apart]), [2.0 / 3.0]);
    assert_eq!(of_texts("coverage", "seal leaks oil", &[&apart, "oil"]), [1.0, 1.0 / 3.0]);
}

#[test]
fn headings_count_for_themselves_and_for_coverage() {
    let path = ["Pump".to_owned(), "Seals".to_owned()];
    let under = Passage { heading_path: &path, ..passage("Pull it out.") };
    assert_eq!(feature("headings", "pump seal", None, &[under, passage("pump seal")]), [1.0, 0.0]);
    assert_eq!(feature("coverage", "pump seal", None, &[under, passage("pump seal")]), [1.0, 1.0]);
}

#[test]
fn numbers_are_told_from_their_neighbours() {
    let texts = ["Torque 12 Nm", "Torque 13 Nm", "SKU-48290", "SKU-48291"];
    assert_eq!(of_texts("numbers", "torque 12 Nm", &texts)[..2], [1.0, 0.0]);
    let sku = of_texts("numbers", "SKU-48291", &texts);
    assert!(sku[3] > sku[2], "{sku:?}");
    assert_eq!(of_texts("numbers", "torque", &texts), [0.0; 4], "none is asked for");
}

#[test]
fn what_the_question_wants_to_see_is_seen() {
    let of_kind = |kind, text| Passage { kind, ..passage(text) };
    let passages = [
        of_kind(ChunkKind::Warning, "Hot oil."),
        passage("1. Drain the oil.\n2. Refill the oil."),
        of_kind(ChunkKind::Row, "part: oil; quantity: two"),
        passage("The tank takes 3.5 litres of oil."),
        passage("Oil is slippery. There are 4 valves."),
    ];
    let wants = |sought| feature("sought", "oil", sought, &passages);
    assert_eq!(wants(Some(Sought::Warning)), [1.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(wants(Some(Sought::Steps)), [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(wants(Some(Sought::Table)), [0.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(wants(Some(Sought::Value))[2..], [1.0, 1.0, 0.0]);
    assert_eq!(wants(None), [0.0; 5]);
}

#[test]
fn who_stands_among_the_good_is_better() {
    let codes = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]].map(|vector| Code::of(&vector).unwrap());
    let scored = |score, code| Passage {
        scores: Scores { cosine: Some(0.5), score, ..Scores::default() },
        code,
        ..passage("oil")
    };
    let passages = [scored(0.9, Some(&codes[0])), scored(0.4, Some(&codes[1])), scored(0.5, Some(&codes[2]))];
    let neighbours = feature("neighbours", "oil", None, &passages);
    assert!(neighbours[1] > neighbours[2], "{neighbours:?}");
    let bare = passages.map(|passage| Passage { code: None, ..passage });
    let alone = feature("neighbours", "oil", None, &bare);
    assert!(alone[0] > alone[2] && alone[2] > alone[1], "without vectors nothing changes: {alone:?}");
}

#[test]
fn the_weighted_sum_puts_them_in_order() {
    let query = Query::parse("main bearing");
    let passages = [passage("The main thing is a clean bearing."), passage("Grease the main bearing.")];
    let mut weights = [0.0; N_FEATURES];
    (weights[0], weights[2]) = (1.0, 0.2);
    let ranked = |weights| {
        let scores = Features::with_weights(weights).score(&asked(&query, None), &passages, &mut NoProgress).unwrap();
        order(2, &scores, |_| 0)
    };
    assert_eq!(ranked(weights), [1, 0]);
    weights[2] = 0.0;
    assert_eq!(ranked(weights), [0, 1], "what is equal stays as it stood");
}

#[test]
fn what_is_not_learned_only_decides_between_equals() {
    assert_eq!((NAMES[SOUGHT], NAMES[RECENCY]), ("sought", "recency"));
    let query = Query::parse("oil");
    let passages = [
        passage("Hot oil."),
        Passage { kind: ChunkKind::Warning, ..passage("Hot oil.") },
        Passage { recency: Some(1.0), ..passage("Hot oil.") },
    ];
    let scores = Features::default().score(&asked(&query, Some(Sought::Warning)), &passages, &mut NoProgress).unwrap();
    assert_eq!(order(3, &scores, |_| 0), [1, 2, 0]);
    assert!(scores[1] - scores[0] < 0.06, "{scores:?}");
}

struct After(u32);

impl Progress for After {
    fn report(&mut self, done: u32, _total: u32) -> ControlFlow<()> {
        if done < self.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[test]
fn a_stop_keeps_what_is_done() {
    let query = Query::parse("oil");
    let passages = ["oil", "no", "oil"].map(passage);
    let scores = |n| Features::default().score(&asked(&query, None), &passages, &mut After(n)).unwrap();
    assert_eq!(scores(2), scores(9)[..2]);
}

proptest::proptest! {
    #[test]
    fn any_text_has_features_between_nothing_and_all(
        question in "\\PC{0,60}",
        texts in proptest::collection::vec("\\PC{0,120}", 0..6),
    ) {
        let query = Query::parse(&question);
        let passages: Vec<Passage<'_>> = texts.iter().map(|text| passage(text)).collect();
        let vectors = features(&asked(&query, Some(Sought::Steps)), &passages, &mut NoProgress);
        proptest::prop_assert_eq!(vectors.len(), texts.len());
        for feature in vectors.iter().flatten() {
            proptest::prop_assert!((0.0..=1.0001).contains(feature), "{:?}", vectors);
        }
    }
}
