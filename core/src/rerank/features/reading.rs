//! Where a passage has what a question asks for: in one sentence, side by side, in its headings, as numbers.

use crate::{
    lexical::{
        QueryTerm,
        analysis::{self, Memo, Stream, Term},
    },
    rerank::{Asked, Passage},
};
use std::collections::BTreeMap;

/// Words of a question that stand within so many words of one another say something together.
const WINDOW_WORDS: u32 = 24;

/// What reading a passage for a question gives; shares are of the weight of all the question's words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The share of neighbouring words of the question that stand as close in the text.
    pub(super) pairs: f32,
    /// The mean of the shares that the best single sentence has, and the best run of words.
    pub(super) together: f32,
    /// The share that text and headings have.
    pub(super) coverage: f32,
    /// The share that the headings have.
    pub(super) headings: f32,
    /// The share of identifiers and numbers that it has, as asked or in another writing.
    pub(super) numbers: f32,
    /// Lines that begin with a number, as steps do.
    pub(super) n_steps: usize,
    /// A number stands in a sentence that has a word of the question.
    pub(super) has_number_near: bool,
}

/// A word of the question in a text.
#[derive(Clone, Copy)]
struct Place {
    term: usize,
    position: u32,
    sentence: u32,
}

/// Reads passages for one question.
pub(super) struct Reader<'a> {
    asked: &'a Asked<'a>,
    /// By a word as documents have it: the terms that it is.
    words: BTreeMap<&'a str, Vec<usize>>,
    /// Words still being typed.
    prefixes: Vec<usize>,
    /// The weight of all terms that are words.
    total: f32,
    memo: Memo,
}

impl<'a> Reader<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> Self {
        let mut words: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut prefixes = Vec::new();
        for (at, term) in of_stream(asked, Stream::Word) {
            if term.is_prefix {
                prefixes.push(at);
            }
            for form in &term.forms {
                words.entry(form.text.as_str()).or_default().push(at);
            }
        }
        let total = of_stream(asked, Stream::Word).map(|(at, _)| weight(asked, at)).sum();
        Self { asked, words, prefixes, total, memo: Memo::default() }
    }

    /// O(words of the passage · log words of the question, and the places of these squared within a window).
    pub(super) fn read(&mut self, passage: &Passage<'_>) -> Reading {
        let headings = passage.heading_path.join("\n");
        let terms = analysis::words_with(&mut self.memo, &headings, passage.language);
        let in_headings = self.places(&headings, &terms);
        let terms = analysis::words_with(&mut self.memo, passage.text, passage.language);
        let places = self.places(passage.text, &terms);
        let all = in_headings.iter().chain(&places);
        Reading {
            pairs: self.pairs(&places),
            together: 0.5 * (self.best_sentence(&places) + self.best_window(&places)),
            coverage: self.share(all.map(|place| place.term)),
            headings: self.share(in_headings.iter().map(|place| place.term)),
            numbers: self.numbers(passage.text, &headings),
            n_steps: passage.text.lines().filter(|line| is_step(line)).count(),
            has_number_near: has_number_near(passage.text, &terms, &places),
        }
    }

    fn places(&self, text: &str, terms: &[Term]) -> Vec<Place> {
        let mut places = Vec::new();
        for (found, sentence) in terms.iter().zip(sentences(text, terms)) {
            let known = self.words.get(found.text.as_str()).into_iter().flatten();
            let begun = self.prefixes.iter().filter(|at| found.text.starts_with(&self.asked.query.terms[**at].text));
            for term in known.chain(begun) {
                places.push(Place { term: *term, position: found.position, sentence });
            }
        }
        places
    }

    /// The share of the words' weight that some of them have, each counted once.
    fn share(&self, terms: impl Iterator<Item = usize>) -> f32 {
        let mut terms: Vec<usize> = terms.collect();
        terms.sort_unstable();
        terms.dedup();
        let sum: f32 = terms.into_iter().map(|at| weight(self.asked, at)).sum();
        if self.total > 0.0 { sum / self.total } else { 0.0 }
    }

    fn best_sentence(&self, places: &[Place]) -> f32 {
        let of_one = |one: &[Place]| self.share(one.iter().map(|place| place.term));
        places.chunk_by(|a, b| a.sentence == b.sentence).map(of_one).fold(0.0, f32::max)
    }

    fn best_window(&self, places: &[Place]) -> f32 {
        let mut best = 0.0_f32;
        for (from, first) in places.iter().enumerate() {
            let n_within =
                places[from..].partition_point(|place| place.position < first.position.saturating_add(WINDOW_WORDS));
            best = best.max(self.share(places[from..from + n_within].iter().map(|place| place.term)));
        }
        best
    }

    fn pairs(&self, places: &[Place]) -> f32 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (left, right, distance) in &self.asked.query.pairs {
            let weight = weight(self.asked, *left).min(weight(self.asked, *right));
            total += weight;
            let follows = |left: &Place| {
                let after = places.partition_point(|place| place.position <= left.position);
                let near = places[after..]
                    .iter()
                    .take_while(|place| place.position <= left.position.saturating_add(*distance));
                near.into_iter().any(|place| place.term == *right)
            };
            if places.iter().filter(|place| place.term == *left).any(follows) {
                sum += weight;
            }
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }

    fn numbers(&self, text: &str, headings: &str) -> f32 {
        let total: f32 = of_stream(self.asked, Stream::Identifier).map(|(at, _)| weight(self.asked, at)).sum();
        if total <= 0.0 {
            return 0.0;
        }
        let mut has: Vec<String> =
            [text, headings].iter().flat_map(|text| analysis::identifiers(text)).map(|term| term.text).collect();
        has.sort_unstable();
        let has = |text: &String| has.binary_search(text).is_ok();
        let best = |term: &QueryTerm| {
            let forms = term.forms.iter().filter(|form| has(&form.text));
            forms.map(|form| form.weight).fold(0.0, f32::max)
        };
        let found = of_stream(self.asked, Stream::Identifier).map(|(at, term)| best(term) * weight(self.asked, at));
        found.sum::<f32>() / total
    }
}

fn of_stream<'a>(asked: &'a Asked<'_>, stream: Stream) -> impl Iterator<Item = (usize, &'a QueryTerm)> {
    asked.query.terms.iter().enumerate().filter(move |(_, term)| term.stream == stream)
}

fn weight(asked: &Asked<'_>, at: usize) -> f32 {
    asked.weights.get(at).copied().unwrap_or(1.0)
}

/// By term of a text: the number of its sentence. A line is one, too.
fn sentences<'a>(text: &'a str, terms: &'a [Term]) -> impl Iterator<Item = u32> + 'a {
    let (mut before, mut sentence) = (0, 0);
    terms.iter().map(move |term| {
        if text.get(before..term.start).is_some_and(ends_sentence) {
            sentence += 1;
        }
        before = term.end;
        sentence
    })
}

/// Whether what stands between two words ends a sentence.
fn ends_sentence(between: &str) -> bool {
    let mut chars = between.chars().peekable();
    while let Some(c) = chars.next() {
        let is_end = matches!(c, '.' | '!' | '?' | ';' | ':') && chars.peek().is_some_and(|next| next.is_whitespace());
        if is_end || matches!(c, '\n' | '।' | '。') {
            return true;
        }
    }
    false
}

/// `1. Stop the pump`, `2) Drain it`.
fn is_step(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.trim_start().len() && rest.starts_with(['.', ')']) && rest[1..].starts_with(char::is_whitespace)
}

fn has_number_near(text: &str, terms: &[Term], places: &[Place]) -> bool {
    let is_number = |term: &Term| term.text.contains(|c: char| c.is_ascii_digit());
    let with_number = terms.iter().zip(sentences(text, terms)).filter(|(term, _)| is_number(term));
    with_number.into_iter().any(|(_, sentence)| {
        let from = places.partition_point(|place| place.sentence < sentence);
        places.get(from).is_some_and(|place| place.sentence == sentence)
    })
}
