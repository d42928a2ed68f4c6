//! What MaxSim finds, and what is done without token vectors.

use super::*;
use crate::{
    chunk::ChunkKind,
    host::NoProgress,
    lexical::Query,
    rerank::{Scores, order},
    text::Language,
};

fn codes(rows: &[[f32; 2]], group: usize) -> TokenCodes {
    TokenCodes::of(&rows.concat(), 2, group)
}

#[test]
fn every_token_looks_for_its_like() {
    let question = codes(&[[1.0, 0.0], [0.0, 2.0]], 1);
    let both = max_sim(&question, &codes(&[[0.0, 1.0], [5.0, 0.0], [-1.0, 0.0]], 1));
    let one = max_sim(&question, &codes(&[[1.0, 0.0]], 1));
    assert!((both - 1.0).abs() < 1e-6 && (one - 0.5).abs() < 1e-6, "{both}, {one}");
    assert_eq!(max_sim(&question, &TokenCodes::default()), 0.0);
    assert_eq!(max_sim(&question, &TokenCodes::of(&[1.0; 3], 3, 1)), 0.0, "another model's");
}

#[test]
fn groups_are_means_and_take_their_part_of_the_memory() {
    let rows = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0], [3.0, 0.0]];
    let grouped = codes(&rows, 2);
    assert_eq!((grouped.len(), grouped.n_bytes()), (3, 6));
    let sim = max_sim(&codes(&[[1.0, 1.0]], 1), &grouped);
    assert!((sim - 1.0).abs() < 0.01, "{sim}");
}

#[test]
fn what_is_no_vector_is_left_out() {
    assert!(codes(&[[0.0, 0.0], [f32::NAN, 1.0], [f32::INFINITY, 0.0]], 1).is_empty());
    assert_eq!(TokenCodes::of(&[1.0, 2.0, 3.0], 0, 1).len(), 0);
    assert_eq!(TokenCodes::of(&[1.0, 2.0, 3.0], 2, 1).len(), 1, "half a row is none");
}

#[test]
fn long_rows_are_summed_to_the_end() {
    let row: Vec<f32> = (0..70).map(|at| if at == 69 { 1.0 } else { 0.0 }).collect();
    let codes = TokenCodes::of(&row, 70, 1);
    assert!((max_sim(&codes, &codes) - 1.0).abs() < 1e-6);
}

#[test]
fn like_tokens_lift_a_passage() {
    let query = Query::parse("oil");
    let (like, other) = (codes(&[[1.0, 0.0]], 1), codes(&[[0.0, 1.0]], 1));
    let passage = |score, tokens| Passage {
        text: "",
        heading_path: &[],
        kind: ChunkKind::Text,
        language: Language::English,
        scores: Scores { score, ..Scores::default() },
        recency: None,
        code: None,
        tokens,
    };
    let passages = [passage(0.6, Some(&other)), passage(0.5, Some(&like)), passage(0.4, None)];
    let asked = |tokens| Asked { text: "", query: &query, weights: &[], sought: None, tokens };
    let reranker = LateInteraction { weight: 0.5 };
    let scores = reranker.score(&asked(Some(&like)), &passages, &mut NoProgress).unwrap();
    assert_eq!(order(3, &scores, |_| 0), [1, 0, 2]);
    let none = reranker.score(&asked(None), &passages, &mut NoProgress).unwrap();
    assert_eq!(order(3, &none, |_| 0), [0, 1, 2], "without the question's tokens all stays");
}
