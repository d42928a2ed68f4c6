//! The terms of a question, each with what it is worth, and where a text has them.

use crate::{
    lexical::{
        Query,
        analysis::{self, Form, Identity, Stream},
    },
    text::Language,
};

/// Terms beyond this are not looked for: a set of them is a machine word.
const MAX_TERMS: usize = 64;

/// In a library of fewer chunks, how many have a word says little of how much it says: weights are taken as if there were so many.
const LEAST_CHUNKS: f64 = 200.0;
/// Words of questions that say little of what they are about though no stop words, folded.
const GENERIC: [&str; 46] = [
    "mean",
    "means",
    "meaning",
    "done",
    "list",
    "all",
    "every",
    "each",
    "may",
    "must",
    "shall",
    "need",
    "needs",
    "happen",
    "happens",
    "kind",
    "type",
    "way",
    "explain",
    "describe",
    "name",
    "named",
    "called",
    "often",
    "long",
    "make",
    "made",
    "get",
    "take",
    "takes",
    "happened",
    "used",
    "allowed",
    "possible",
    "like",
    "also",
    "bedeutet",
    "gibt",
    "alle",
    "nenne",
    "liste",
    "erklare",
    "signifie",
    "significa",
    "want",
    "know",
];
/// What such a word counts.
const GENERIC_SHARE: f32 = 0.25;

/// The inverse document frequency of a term that `n` of so many chunks have.
fn idf(n: f64, n_chunks: f64) -> f32 {
    libm::log(1.0 + (n_chunks - n + 0.5) / (n + 0.5)) as f32
}

/// A weight as it would be if the library had more chunks, and the term were in as many.
fn evened(weight: f32, n_chunks: u32) -> f32 {
    let n_chunks = f64::from(n_chunks);
    if !(1.0..LEAST_CHUNKS).contains(&n_chunks) {
        return weight;
    }
    // idf = ln((N + 1) / (n + 0.5))
    let n = ((n_chunks + 1.0) / libm::exp(f64::from(weight)) - 0.5).max(0.0);
    idf(n, LEAST_CHUNKS)
}

#[derive(Clone, Debug, PartialEq)]
struct WeightedTerm {
    forms: Vec<Form>,
    text: String,
    word: String,
    is_prefix: bool,
    stream: Stream,
    weight: f32,
    is_unknown: bool,
    is_named: bool,
}

/// The terms of a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    terms: Vec<WeightedTerm>,
}

/// Where a text has a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// First byte.
    pub start: u32,
    /// Which term.
    pub term: u8,
}

/// Where a text has terms, ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// All of them.
    pub all: Vec<Match>,
}

impl Matches {
    /// The terms that stand in a range of the text, a bit each. O(log n + matches in it).
    #[must_use]
    pub fn within(&self, start: usize, end: usize) -> u64 {
        let from = self.all.partition_point(|found| (found.start as usize) < start);
        let inside = self.all.get(from..).unwrap_or_default();
        inside.iter().take_while(|found| (found.start as usize) < end).fold(0, |bits, found| bits | 1 << found.term)
    }

    /// All terms that the text has.
    #[must_use]
    pub fn set(&self) -> u64 {
        self.all.iter().fold(0, |bits, found| bits | 1 << found.term)
    }
}

impl Terms {
    /// The terms of a query; `weights` are those that [`Searcher::weights`](crate::lexical::Searcher::weights) gives, for a
    /// library of so many chunks. Without weights all count alike.
    #[must_use]
    pub fn new(query: &Query, weights: &[f32], n_chunks: u32) -> Self {
        // What a term has that no chunk has.
        let most = idf(0.0, f64::from(n_chunks));
        let weighted = query.terms.iter().enumerate().filter(|(_, term)| !term.is_part).map(|(at, term)| {
            let known = weights.get(at).copied().unwrap_or(1.0);
            let is_generic = GENERIC.contains(&analysis::fold(&term.word).as_str());
            let weight = if is_generic { GENERIC_SHARE * evened(known, n_chunks) } else { evened(known, n_chunks) };
            WeightedTerm {
                forms: term.forms.clone(),
                text: term.text.clone(),
                word: term.word.clone(),
                is_prefix: term.is_prefix,
                stream: term.stream,
                weight,
                is_unknown: at < weights.len() && known >= most && !term.is_prefix && !is_generic || term.is_mended,
                is_named: term.stream == Stream::Identifier && term.identity != Identity::None,
            }
        });
        let mut terms: Vec<WeightedTerm> = weighted.take(MAX_TERMS).collect();
        // A number is a word and an identifier: it counts once.
        let of_words: Vec<String> =
            terms.iter().filter(|term| term.stream == Stream::Word).map(|term| term.text.clone()).collect();
        for term in terms.iter_mut().filter(|term| term.stream == Stream::Identifier && !term.is_named) {
            if of_words.contains(&term.text) {
                term.weight = 0.0;
            }
        }
        Self { terms }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Where a text in a language has them. O(length of the text times terms).
    #[must_use]
    pub fn find(&self, text: &str, language: Language) -> Matches {
        let mut all = Vec::new();
        let mut add = |stream: Stream, found: &[analysis::Term]| {
            for word in found {
                for (at, term) in self.terms.iter().enumerate().filter(|(_, term)| term.stream == stream) {
                    let is_it = term.forms.iter().any(|form| form.text == word.text)
                        || term.is_prefix && word.text.starts_with(&term.text);
                    if is_it {
                        all.push(Match { start: word.start as u32, term: at as u8 });
                    }
                }
            }
        };
        add(Stream::Word, &analysis::words(text, language));
        if self.terms.iter().any(|term| term.stream == Stream::Identifier) {
            add(Stream::Identifier, &analysis::identifiers(text));
        }
        all.sort_unstable_by_key(|found| (found.start, found.term));
        Matches { all }
    }

    /// The share of what all terms are worth that a set of them is, 0 to 1; 0 where there are none.
    #[must_use]
    pub fn share(&self, set: u64) -> f32 {
        let total = self.worth(u64::MAX);
        if total > 0.0 { self.worth(set) / total } else { 0.0 }
    }

    /// What a set of terms is worth together.
    #[must_use]
    pub fn worth(&self, set: u64) -> f32 {
        self.terms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, term)| term.weight).sum()
    }

    /// The share of the rarest term that a set lacks.
    #[must_use]
    pub fn rarest_missing(&self, set: u64) -> f32 {
        let total = self.worth(u64::MAX);
        let lacking = self.terms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 0).map(|(_, term)| term.weight);
        let most = lacking.fold(0.0_f32, f32::max);
        if total > 0.0 { most / total } else { 0.0 }
    }

    /// The identifiers among terms that are called so: the index knows some of a row by what stands over it (`error:9`), which
    /// its text alone does not say.
    #[must_use]
    pub fn identifiers_called(&self, shown: &[String]) -> u64 {
        let is_it = |term: &WeightedTerm| term.stream == Stream::Identifier && shown.contains(&term.text);
        self.terms.iter().enumerate().filter(|(_, term)| is_it(term)).fold(0, |bits, (at, _)| bits | 1 << at)
    }

    /// Whether the question names something.
    #[must_use]
    pub fn names_something(&self) -> bool {
        self.terms.iter().any(|term| term.is_named)
    }

    /// The share of what the question names that a set has; 1 where it names nothing.
    #[must_use]
    pub fn named_share(&self, set: u64) -> f32 {
        let named = self.terms.iter().enumerate().filter(|(_, term)| term.is_named);
        let (mut n_named, mut n_found) = (0_u32, 0_u32);
        for (at, _) in named {
            n_named += 1;
            n_found += u32::from(set >> at & 1 == 1);
        }
        if n_named == 0 { 1.0 } else { n_found as f32 / n_named as f32 }
    }

    /// The words as typed that no document has.
    #[must_use]
    pub fn unknown_words(&self) -> Vec<String> {
        let mut words: Vec<String> = self
            .terms
            .iter()
            .filter(|term| term.is_unknown && term.weight > 0.0)
            .map(|term| term.word.clone())
            .collect();
        words.dedup();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_with_what_they_are_worth() {
        let query = Query::parse("torque of bolt SKU-48291");
        let terms = Terms::new(&query, &[], 0);
        let text = "The bolts are SKU-48291. Nothing else.";
        let found = terms.find(text, Language::English);
        assert!(terms.names_something() && (terms.named_share(found.set()) - 1.0).abs() < f32::EPSILON);
        assert!(terms.share(found.set()) > 0.6 && terms.share(found.set()) < 1.0, "the torque is missing");
        assert_eq!(found.within(25, text.len()), 0);
        assert!(terms.named_share(terms.find("SKU-48290 bolts", Language::English).set()) < 0.1);
    }

    #[test]
    fn rare_terms_count_more() {
        let query = Query::parse("pump seal");
        let terms = Terms::new(&query, &[0.5, 4.5], 900);
        let has = |text: &str| terms.find(text, Language::English).set();
        assert!((terms.share(has("pumps")) - 0.1).abs() < 1e-6 && (terms.share(has("the seal")) - 0.9).abs() < 1e-6);
        assert!((terms.rarest_missing(has("pump")) - 0.9).abs() < 1e-6);
    }
}
