//! The two or three sentences that answer, quoted; and what other documents say that is not the same.

use super::{
    compose::Composer,
    evidence::{Graded, Source},
    understand::folded,
};
use crate::{
    chunk::ChunkKind,
    grade::{Expected, Grade, Terms, expected},
    protocol::Role,
    text,
};
use std::ops::Range;

/// Sentences quoted of one passage, at most.
const MAX_SENTENCES: usize = 3;
/// Words quoted of one passage, unless a single sentence has more.
const MAX_WORDS: u32 = 130;
/// A sentence with less than this share of the best one's score is left out.
const LEAST_SHARE: f32 = 0.3;
/// What the sentences around one add to it.
const NEIGHBOUR_SHARE: f32 = 0.35;
/// What it adds that a sentence holds the kind of thing that is asked for.
const ALIGNED: f32 = 0.25;
/// Two sentences that share so much of their words, figures apart, say the same of the same.
const SAME_SUBJECT: f32 = 0.7;

/// How well each sentence of a passage answers.
pub(super) fn scores(graded: &Graded, terms: &Terms, question: &str) -> Vec<f32> {
    let asked = expected(question);
    let set = |range: &Range<usize>| graded.matches.within(range.start, range.end);
    let sentences = &graded.sentences;
    let score = |(at, range): (usize, &Range<usize>)| {
        let own = terms.share(set(range));
        let around =
            [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| sentences.get(at)).map(set);
        let together = terms.share(around.fold(set(range) | graded.context, |all, set| all | set));
        let is_aligned = asked != Expected::Anything && asked.is_in(&graded.passage.text[range.clone()], question);
        own + NEIGHBOUR_SHARE * (together - own) + if is_aligned { ALIGNED } else { 0.0 }
    };
    sentences.iter().enumerate().map(score).collect()
}

/// Quotes the sentences of a passage that answer best, in reading order.
pub(super) fn quote(part: u32, graded: &Graded, terms: &Terms, question: &str, composer: &mut Composer) {
    let source = Source::from(&graded.passage);
    let role = if graded.passage.kind == ChunkKind::Warning { Role::Warning } else { Role::Sentence };
    if matches!(graded.passage.kind, ChunkKind::Warning | ChunkKind::Code) || graded.sentences.len() <= 1 {
        // Never in parts.
        return composer.quote(part, role, source, 0..graded.passage.text.len());
    }
    for range in best(graded, terms, question) {
        composer.quote(part, role, source, range);
    }
}

/// The best sentences, in reading order.
pub(super) fn best(graded: &Graded, terms: &Terms, question: &str) -> Vec<Range<usize>> {
    let scores = scores(graded, terms, question);
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut kept: Vec<usize> = Vec::new();
    let mut n_words = 0;
    for at in order {
        let n = text::count_words(&graded.passage.text[graded.sentences[at].clone()]);
        let is_near = kept.first().is_none_or(|best| scores[at] >= LEAST_SHARE * scores[*best]);
        if kept.len() < MAX_SENTENCES && is_near && (kept.is_empty() || n_words + n <= MAX_WORDS) {
            kept.push(at);
            n_words += n;
        }
    }
    kept.sort_unstable();
    kept.into_iter().map(|at| graded.sentences[at].clone()).collect()
}

/// Quotes what another document says of the same with other figures; returns a notice that says so.
pub(super) fn disagreements(
    part: u32,
    graded: &[&Graded],
    terms: &Terms,
    question: &str,
    composer: &mut Composer,
) -> Option<String> {
    let (first, others) = graded.split_first()?;
    let said = best_sentence(first, terms, question)?;
    let (words, figures) = parts_of(&first.passage.text[said]);
    if figures.is_empty() {
        return None;
    }
    let mut versions = vec![version(first)];
    for other in others
        .iter()
        .filter(|other| other.grade >= Grade::Ambiguous && other.passage.chunk.document != first.passage.chunk.document)
    {
        let Some(range) = best_sentence(other, terms, question) else { continue };
        let (other_words, other_figures) = parts_of(&other.passage.text[range.clone()]);
        if other_figures.is_empty() || other_figures == figures || overlap(&words, &other_words) < SAME_SUBJECT {
            continue;
        }
        composer.quote(part, Role::Sentence, Source::from(&other.passage), range);
        versions.push(version(other));
    }
    (versions.len() > 1).then(|| {
        format!("The documents do not agree: {}. All are quoted; check which one holds.", versions.join(" / "))
    })
}

fn best_sentence(graded: &Graded, terms: &Terms, question: &str) -> Option<Range<usize>> {
    let scores = scores(graded, terms, question);
    let at = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]).then(b.cmp(a)))?;
    graded.sentences.get(at).cloned()
}

/// The words of a sentence without its figures, and its figures.
fn parts_of(sentence: &str) -> (Vec<String>, Vec<String>) {
    let (mut figures, mut words): (Vec<String>, Vec<String>) =
        folded(sentence).into_iter().partition(|word| word.contains(|c: char| c.is_ascii_digit()));
    for list in [&mut figures, &mut words] {
        list.sort();
        list.dedup();
    }
    (words, figures)
}

/// Shared words against all.
fn overlap(a: &[String], b: &[String]) -> f32 {
    let n_shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    let n_all = a.len() + b.len() - n_shared;
    if n_all == 0 { 0.0 } else { n_shared as f32 / n_all as f32 }
}

/// A document with its revision and date, as far as name, title and headings tell.
fn version(graded: &Graded) -> String {
    let passage = &graded.passage;
    let told = format!("{} {}", passage.title, passage.name);
    let words: Vec<&str> = told.split(|c: char| c.is_whitespace() || matches!(c, '_' | '(' | ')' | '/')).collect();
    let is_mark = |word: &str| {
        matches!(
            word.to_lowercase().trim_end_matches('.'),
            "rev" | "revision" | "version" | "ausgabe" | "stand" | "edition"
        )
    };
    let revision = words.windows(2).find(|pair| is_mark(pair[0])).map(|pair| format!("{} {}", pair[0], pair[1]));
    let date = crate::lexical::analysis::identifiers(&told).into_iter().map(|term| term.text).find(|text| is_day(text));
    let said: Vec<String> = revision.into_iter().chain(date).collect();
    if said.is_empty() { passage.name.clone() } else { format!("{} ({})", passage.name, said.join(", ")) }
}

/// `2026-03-12`.
fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10 && bytes[4] == b'-' && bytes[7] == b'-' && bytes[..4].iter().all(u8::is_ascii_digit)
}
