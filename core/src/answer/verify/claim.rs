//! Whether an excerpt says a claim.

use super::{
    Block, figures, orders, polarity,
    windows::{Window, windows},
};
use crate::{
    lexical::analysis,
    text::{self, Language},
};
use std::ops::Range;

/// Why a claim does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A number that the passage does not have.
    Figure(String),
    /// A number that it has with another unit.
    Unit(String),
    /// A number that it says of something else.
    Binding(String),
    /// A date that it does not have.
    Date(String),
    /// A code that it does not have.
    Code(String),
    /// A name that it does not have.
    Name(String),
    /// One denies what the other affirms.
    Negation,
    /// A bound is turned around, made or lost.
    Direction,
    /// A word, and the opposite that the passage has.
    Opposite(String, String),
    /// Too few of its words.
    Words,
    /// The passage speaks to a model there: that is no fact.
    Order,
    /// It cites nothing that there is.
    Uncited,
}

/// The share of a claim's words that its passage must have.
const MIN_COVERAGE: f32 = 0.6;
/// And of those by which a passage is quoted in its place.
const MIN_QUOTABLE: f32 = 0.5;
/// A sentence more must bring so much.
const PER_SENTENCE: f32 = 0.04;
/// Where a sentence makes two claims.
const JOINTS: [&str; 8] =
    ["; ", ", while ", ", whereas ", ", but ", ", während ", ", aber ", ", tandis que ", ", mais "];

/// What says a claim.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) block: u32,
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) text: String,
}

/// What says every part of a sentence.
///
/// # Errors
/// Why nothing does.
pub(super) fn supports(sentence: &str, blocks: &[&Block]) -> Result<Vec<Found>, Vec<Problem>> {
    if blocks.is_empty() {
        return Err(vec![Problem::Uncited]);
    }
    let mut found = Vec::new();
    for clause in clauses(sentence) {
        found.push(clause_supports(clause, blocks)?);
    }
    Ok(found)
}

/// The parts of a sentence that claim something each.
fn clauses(sentence: &str) -> Vec<&str> {
    let mut clauses = vec![sentence];
    for joint in JOINTS {
        clauses = clauses.into_iter().flat_map(|clause| clause.split(joint)).collect();
    }
    let says_something = |clause: &&str| text::count_words(clause) >= 3;
    // What is too short to be a claim belongs to the whole.
    if clauses.iter().all(says_something) { clauses } else { vec![sentence] }
}

fn clause_supports(clause: &str, blocks: &[&Block]) -> Result<Found, Vec<Problem>> {
    let wanted = content(clause);
    let mut best: Option<(f32, Found)> = None;
    let mut nearest: Option<(f32, Vec<Problem>)> = None;
    for block in blocks {
        let heading = content(&block.heading);
        let whole = format!("{}\n{}", block.heading, block.text);
        for window in windows(block) {
            let coverage = coverage(&wanted, &content(&window.text), &heading);
            let worth = coverage - PER_SENTENCE * window.n_sentences as f32;
            // What cannot be better need not be looked at.
            if coverage < MIN_COVERAGE * 0.5 || best.as_ref().is_some_and(|(known, _)| *known >= worth) {
                continue;
            }
            let mut problems = problems(clause, block, &window, &whole);
            if coverage < MIN_COVERAGE {
                problems.push(Problem::Words);
            }
            if problems.is_empty() {
                best = Some((worth, Found { block: block.number, ranges: window.ranges, text: window.text }));
            } else if nearest.as_ref().is_none_or(|(known, _)| worth > *known) {
                nearest = Some((worth, problems));
            }
        }
    }
    match best {
        Some((_, found)) => Ok(found),
        None => Err(nearest.map_or_else(|| vec![Problem::Words], |(_, problems)| problems)),
    }
}

fn problems(clause: &str, block: &Block, window: &Window, whole: &str) -> Vec<Problem> {
    let mut problems = figures::missing(clause, &window.text, whole);
    if !block.is_tabular {
        problems.extend(figures::misbound(clause, &window.text).map(Problem::Binding));
    }
    problems.extend(polarity::conflicts(clause, &window.text));
    if orders::is_order(&window.text) || orders::is_order(clause) {
        problems.push(Problem::Order);
    }
    problems
}

/// The sentence, or row, that says most of what was written and is no order.
pub(super) fn best(sentence: &str, blocks: &[&Block]) -> Option<Found> {
    let wanted = content(sentence);
    let mut best: Option<(f32, Found)> = None;
    for block in blocks {
        let heading = content(&block.heading);
        for window in
            windows(block).into_iter().filter(|window| window.n_sentences == 1 && !orders::is_order(&window.text))
        {
            let coverage = coverage(&wanted, &content(&window.text), &heading);
            if coverage >= MIN_QUOTABLE && best.as_ref().is_none_or(|(known, _)| coverage > *known) {
                best = Some((coverage, Found { block: block.number, ranges: window.ranges, text: window.text }));
            }
        }
    }
    best.map(|(_, found)| found)
}

/// The words of a text that say something, by stem, sorted. Figures are compared elsewhere.
fn content(text: &str) -> Vec<String> {
    let language = text::language(text).unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    for term in analysis::words(text, language) {
        let word = &text[term.start..term.end];
        let folded = analysis::fold(word);
        let is_frame = analysis::is_question_word(&folded, Language::English) || FRAME.contains(&folded.as_str());
        let is_figure = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        if !is_frame && !is_figure {
            // Stems of one language, so that a short text that shows none is compared alike.
            words.push(analysis::stem(&folded));
        }
    }
    words.sort();
    words.dedup();
    words
}

/// Words of sentences about excerpts rather than of the thing, and auxiliary ones; folded.
const FRAME: [&str; 40] = [
    "according",
    "excerpt",
    "excerpts",
    "document",
    "documents",
    "manual",
    "states",
    "stated",
    "says",
    "mentioned",
    "following",
    "must",
    "may",
    "shall",
    "need",
    "needs",
    "been",
    "being",
    "also",
    "however",
    "therefore",
    "thus",
    "additionally",
    "furthermore",
    "using",
    "used",
    "use",
    "so",
    "than",
    "only",
    "he",
    "she",
    "his",
    "her",
    "him",
    "them",
    "laut",
    "gemass",
    "sowie",
    "selon",
];

fn coverage(wanted: &[String], window: &[String], heading: &[String]) -> f32 {
    if wanted.is_empty() {
        return 1.0;
    }
    let has = |word: &&String| window.binary_search(word).is_ok() || heading.binary_search(word).is_ok();
    wanted.iter().filter(has).count() as f32 / wanted.len() as f32
}
