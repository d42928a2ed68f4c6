//! Holds what a model wrote against the passages that it was given: claim by claim, nothing taken on trust.
//!
//! Reading order: [`draft`] takes the text apart into claims, `windows` finds what of a passage could say a claim, `figures`
//! compares numbers with their units, dates, codes and names, `polarity` negation and direction, and [`check`] decides. Pure
//! functions; a claim stands, is cited anew, gives way to the passage's own words, or goes. Not for judging by a model.

mod claim;
mod draft;
mod figures;
mod orders;
mod polarity;
mod windows;

use super::{compose::Composer, evidence::Source};
use crate::protocol::{Passage, Role, Support};
pub use claim::Problem;
use claim::{Found, best, supports};
pub use orders::is_order;
use std::ops::Range;

/// What is done with what a model wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// It is shown as written, and said to be unchecked.
    Off,
    /// It is shown as written; what does not hold is marked.
    Observe,
    /// What does not hold is cited anew, else replaced by the passage's own words, else dropped.
    #[default]
    Repair,
}

/// An excerpt that a model was given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// The number by which it is cited, from 1.
    pub number: u32,
    /// What it says.
    pub text: String,
    /// The document's name and the headings above; their words need not stand in the text.
    pub heading: String,
    /// Its lines are rows: what stands in one is not said of another.
    pub is_tabular: bool,
    /// The passage.
    pub passage: Option<Box<Passage>>,
}

impl Block {
    /// A passage under a number.
    #[must_use]
    pub fn of(passage: &Passage, number: u32) -> Self {
        let heading: Vec<&str> =
            [passage.name.as_str()].into_iter().chain(passage.heading_path.iter().map(String::as_str)).collect();
        Self {
            number,
            text: passage.text.clone(),
            heading: heading.join(" › "),
            is_tabular: matches!(passage.kind, crate::chunk::ChunkKind::Table | crate::chunk::ChunkKind::Row),
            passage: Some(Box::new(passage.clone())),
        }
    }
}

/// A sentence that a model wrote, and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// What is shown: as written without marks, or the passage's own words; empty if it was dropped.
    pub text: String,
    /// As written.
    pub written: String,
    /// The excerpts that it cited.
    pub cited: Vec<u32>,
    /// What became of it; `None` if it was dropped.
    pub support: Option<Support>,
    /// What says it: the number of an excerpt and a range of its text.
    pub said_by: Vec<(u32, Range<usize>)>,
    /// Why it does not hold as written.
    pub problems: Vec<Problem>,
}

/// What a model wrote, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Its sentences in order.
    pub claims: Vec<Claim>,
    /// What was done with them.
    pub mode: Mode,
    /// The model says that the excerpts do not answer.
    pub is_refusal: bool,
    blocks: Vec<Block>,
}

/// With less than this share of its sentences left, a draft is not given.
const MIN_SURVIVING: f32 = 0.5;
/// What a sentence counts that gave way to the passage's own words.
const REPLACED: f32 = 0.5;

/// Checks a draft against the excerpts that it was written from. The draft is text with `[1]` behind its sentences, or JSON
/// as [`draft`] says. O(claims × text of the excerpts).
#[must_use]
pub fn check(draft: &str, blocks: &[Block], mode: Mode) -> Checked {
    let sentences = draft::sentences(draft);
    let is_refusal = draft::is_refusal(draft);
    let claims = sentences.into_iter().map(|sentence| judge(&sentence, blocks, mode)).collect();
    Checked { claims: if is_refusal { Vec::new() } else { claims }, mode, is_refusal, blocks: blocks.to_vec() }
}

fn judge(sentence: &draft::Sentence, blocks: &[Block], mode: Mode) -> Claim {
    let mut claim = Claim {
        text: sentence.text.clone(),
        written: sentence.text.clone(),
        cited: sentence.cited.clone(),
        support: None,
        said_by: Vec::new(),
        problems: Vec::new(),
    };
    let cited: Vec<&Block> = blocks.iter().filter(|block| sentence.cited.contains(&block.number)).collect();
    if mode == Mode::Off {
        claim.support = Some(Support::Unsupported);
        claim.said_by = cited.iter().map(|block| (block.number, 0..block.text.len())).collect();
        return claim;
    }
    match supports(&sentence.text, &cited) {
        Ok(found) => {
            claim.support = Some(Support::Checked);
            claim.said_by = ranges(&found);
            return claim;
        }
        Err(problems) => claim.problems = problems,
    }
    // Another excerpt may say it: a wrong number is a slip, not a lie.
    let others: Vec<&Block> = blocks.iter().collect();
    let elsewhere = supports(&sentence.text, &others);
    if mode == Mode::Observe {
        claim.support = Some(if elsewhere.is_ok() { Support::Recited } else { Support::Unsupported });
        claim.said_by = match elsewhere {
            Ok(found) => ranges(&found),
            Err(_) => cited.iter().map(|block| (block.number, 0..block.text.len())).collect(),
        };
        return claim;
    }
    if let Ok(found) = elsewhere {
        claim.support = Some(Support::Recited);
        claim.said_by = ranges(&found);
        return claim;
    }
    let quotable = if cited.is_empty() { &others } else { &cited };
    if let Some(found) = best(&sentence.text, quotable) {
        claim.text = found.text.clone();
        claim.support = Some(Support::Replaced);
        claim.said_by = ranges(&[found]);
        return claim;
    }
    claim.text = String::new();
    claim
}

fn ranges(found: &[Found]) -> Vec<(u32, Range<usize>)> {
    let mut ranges: Vec<(u32, Range<usize>)> = Vec::new();
    for one in found.iter().flat_map(|found| found.ranges.iter().map(|range| (found.block, range.clone()))) {
        if !ranges.contains(&one) {
            ranges.push(one);
        }
    }
    ranges
}

impl Checked {
    /// Whether enough of it is left to be given.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.mode != Mode::Repair && !self.claims.is_empty()
            || !self.claims.is_empty() && self.surviving() >= MIN_SURVIVING
    }

    fn surviving(&self) -> f32 {
        let worth = |claim: &Claim| match claim.support {
            Some(Support::Replaced) => REPLACED,
            Some(Support::Unsupported) | None => 0.0,
            Some(_) => 1.0,
        };
        self.claims.iter().map(worth).sum::<f32>() / self.claims.len().max(1) as f32
    }

    /// The share of what was written that holds as written.
    #[must_use]
    pub fn share_held(&self) -> f32 {
        let holds = |claim: &&Claim| matches!(claim.support, Some(Support::Checked | Support::Recited));
        self.claims.iter().filter(holds).count() as f32 / self.claims.len().max(1) as f32
    }

    /// Says what is left of it.
    pub(super) fn compose(&self, composer: &mut Composer) {
        for claim in &self.claims {
            let Some(support) = claim.support else { continue };
            let mut sources: Vec<(Source<'_>, Vec<Range<usize>>)> = Vec::new();
            for (number, range) in &claim.said_by {
                let block = self.blocks.iter().find(|block| block.number == *number);
                let Some(passage) = block.and_then(|block| block.passage.as_deref()) else { continue };
                match sources.iter_mut().find(|(source, _)| *source.chunk == passage.chunk) {
                    Some((_, ranges)) => ranges.push(range.clone()),
                    None => sources.push((Source::from(passage), vec![range.clone()])),
                }
            }
            composer.say(0, Role::Sentence, claim.text.clone(), support, &sources);
        }
    }

    /// What the user is to know of the check.
    pub(super) fn notices(&self) -> Vec<String> {
        let count = |support: Option<Support>| self.claims.iter().filter(|claim| claim.support == support).count();
        let mut notices = Vec::new();
        let mut say = |n: usize, one: &str, more: &str| {
            if n > 0 {
                let told = if n == 1 { one.to_owned() } else { more.replace('#', &n.to_string()) };
                notices.push(told);
            }
        };
        say(
            count(None),
            "One sentence was left out: the documents do not say it.",
            "# sentences were left out: the documents do not say them.",
        );
        say(
            count(Some(Support::Replaced)),
            "In the place of one sentence stand the document's own words.",
            "In the place of # sentences stand the documents' own words.",
        );
        if self.mode == Mode::Off {
            notices.push("What the model wrote was not checked.".to_owned());
        } else {
            say(
                count(Some(Support::Unsupported)),
                "One sentence is not in the documents, and is marked.",
                "# sentences are not in the documents, and are marked.",
            );
        }
        notices
    }
}

#[cfg(test)]
mod tests;
