//! A question as typed → what is looked up. Never fails: any text is a query, if perhaps an empty one.

use super::analysis::{self, Form, Identity, Stream};
use crate::{
    document::DocumentId,
    text::{self, Language},
};
use std::collections::BTreeSet;

/// One thing to look up.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryTerm {
    /// What it is called: for words the English stem.
    pub text: String,
    /// As the question has it.
    pub word: String,
    /// As documents may have it; any of these is the term.
    pub forms: Vec<Form>,
    /// Where.
    pub stream: Stream,
    /// How often the question names it.
    pub count: u32,
    /// The question has it only inside of an identifier (`SKU` of `SKU-48291`): it finds like any other word, but another
    /// identifier that has it, too, does not answer the question.
    pub is_part: bool,
    /// Stands for every word that begins with it: a word still being typed. See [`super::Searcher::complete`].
    pub is_prefix: bool,
    /// Whether chunks that have it stand before all that have not.
    pub identity: Identity,
    /// It is asked for only if a document has it. See [`super::Searcher::complete`].
    pub is_guess: bool,
    /// No document has it: `forms` are words spelled like it. See [`super::Searcher::complete`].
    pub is_mended: bool,
}

/// A parsed question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The terms in order of their first appearance, words before identifiers.
    pub terms: Vec<QueryTerm>,
    /// Pairs of word terms (indices into `terms`) that follow each other in the question, with the distance of their
    /// positions there.
    pub pairs: Vec<(usize, usize, u32)>,
    /// Nothing that has one of these is found.
    pub excluded: Vec<QueryTerm>,
    /// Terms (indices into `terms`) without which nothing is found.
    pub required: BTreeSet<usize>,
    /// The only documents in which anything is found, where not all are meant.
    pub documents: Option<BTreeSet<DocumentId>>,
}

/// A question longer than this is cut: someone pasted a document.
const MAX_QUERY_BYTES: usize = 4096;

impl Query {
    /// Parses a question: its words without stop words and the words that only make it a question (unless nothing else
    /// is there), and its identifiers and numbers. O(n).
    #[must_use]
    pub fn parse(question: &str) -> Self {
        let question = &question[..question.floor_char_boundary(MAX_QUERY_BYTES)];
        let language = text::language(question).unwrap_or_default();
        let words = analysis::words(question, language);
        let subject = |term: &&analysis::Term| {
            let folded = analysis::fold(&question[term.start..term.end]);
            !analysis::is_question_word(&folded, language)
        };
        let mut kept: Vec<&analysis::Term> = words.iter().filter(subject).collect();
        if kept.is_empty() {
            kept = words.iter().collect();
        }
        let wholes = wholes(question);
        let mut query = Self::default();
        let mut before: Option<(usize, u32)> = None;
        for word in kept {
            let typed = &question[word.start..word.end];
            let mut forms = analysis::forms(typed);
            if let [form] = forms.as_mut_slice() {
                // A part of a dimension rather than all of it.
                form.text.clone_from(&word.text);
            }
            let at = query.add(typed, forms, Stream::Word);
            query.terms[at].is_part &= is_within(&wholes, word);
            if let Some((left, position)) = before
                && left != at
            {
                query.pairs.push((left, at, word.position - position));
            }
            before = Some((at, word.position));
        }
        for asked in analysis::asked(question) {
            let typed = &question[asked.start..asked.end];
            let at = query.add(typed, asked.forms, Stream::Identifier);
            let term = &mut query.terms[at];
            term.identity = term.identity.max(asked.identity);
            term.is_guess = asked.is_guess && (term.is_guess || term.count == 1);
        }
        query
    }

    /// Takes every identifier for the name of one thing: nothing else is asked.
    pub fn ask_names_alone(&mut self) {
        for term in self.terms.iter_mut().filter(|term| term.identity == Identity::IfAlone) {
            term.identity = Identity::Always;
        }
    }

    /// Whether it names one thing rather than asking in words.
    #[must_use]
    pub fn has_names(&self) -> bool {
        self.terms.iter().any(|term| term.identity == Identity::Always)
    }

    /// Finds nothing that has any of the words or identifiers of a text. O(n).
    pub fn exclude(&mut self, text: &str) {
        let unwanted = Self::parse(text);
        // Of "-SKU-48291" the whole is meant, not all that is a SKU.
        self.excluded.extend(unwanted.terms.into_iter().filter(|term| !term.is_part && !term.is_guess));
    }

    /// Finds nothing that lacks one of the words or identifiers of a text, which the question asks for, too. O(n).
    pub fn require(&mut self, text: &str) {
        for term in Self::parse(text).terms.iter().filter(|term| !term.is_guess) {
            let known = self.terms.iter().position(|own| own.stream == term.stream && own.text == term.text);
            self.required.extend(known);
        }
    }

    /// Whether there is nothing to look up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    fn add(&mut self, word: &str, forms: Vec<Form>, stream: Stream) -> usize {
        let text = forms.first().map(|form| form.text.clone()).unwrap_or_default();
        if let Some(at) = self.terms.iter().position(|term| term.stream == stream && term.text == text) {
            let known = &mut self.terms[at];
            known.count += 1;
            let new: Vec<Form> = forms.into_iter().filter(|form| !known.forms.contains(form)).collect();
            known.forms.extend(new);
            return at;
        }
        self.terms.push(QueryTerm {
            text,
            word: word.to_owned(),
            forms,
            stream,
            count: 1,
            is_part: stream == Stream::Word,
            identity: Identity::None,
            is_guess: false,
            is_prefix: false,
            is_mended: false,
        });
        self.terms.len() - 1
    }

    /// The byte ranges of a text in a language that answer this query, ascending, not overlapping. O(length of the text).
    #[must_use]
    pub fn marks(&self, text: &str, language: Language) -> Vec<(u32, u32)> {
        let names = |term: &QueryTerm, text: &str| {
            term.forms.iter().any(|form| form.text == text) || term.is_prefix && text.starts_with(&term.text)
        };
        let wholes = wholes(text);
        let asked = |stream, text: &str| self.terms.iter().any(|term| term.stream == stream && names(term, text));
        let of_its_own = |found: &analysis::Term| {
            let named = self.terms.iter().find(|term| term.stream == Stream::Word && names(term, &found.text));
            named.is_some_and(|term| !term.is_part || !is_within(&wholes, found))
        };
        let words = analysis::words(text, language).into_iter().filter(of_its_own);
        let identifiers = analysis::identifiers(text).into_iter().filter(|term| asked(Stream::Identifier, &term.text));
        let mut ranges: Vec<(u32, u32)> =
            words.chain(identifiers).map(|term| (term.start as u32, term.end as u32)).collect();
        ranges.sort_unstable();
        let mut marks: Vec<(u32, u32)> = Vec::new();
        for (start, end) in ranges {
            match marks.last_mut() {
                Some((_, last)) if start < *last => *last = end.max(*last),
                _ => marks.push((start, end)),
            }
        }
        marks
    }
}

/// The identifiers of a text that are one run of characters, ascending.
fn wholes(text: &str) -> Vec<(usize, usize)> {
    let ranges = analysis::identifiers(text).into_iter().map(|term| (term.start, term.end));
    let mut wholes: Vec<_> = ranges.filter(|(start, end)| !text[*start..*end].contains(char::is_whitespace)).collect();
    wholes.sort_unstable();
    wholes
}

/// Whether a word is a part of an identifier and not all of it. O(log identifiers).
fn is_within(wholes: &[(usize, usize)], word: &analysis::Term) -> bool {
    let after = wholes.partition_point(|(start, _)| *start <= word.start);
    // Two can begin at one place: a number, and the number with its unit.
    wholes[..after]
        .iter()
        .rev()
        .take(3)
        .any(|(start, end)| word.end <= *end && (*start, *end) != (word.start, word.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(question: &str) -> Vec<String> {
        Query::parse(question).terms.into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn the_frame_of_a_question_is_left_out() {
        assert_eq!(terms("How do I home only the Z axis with G28?"), ["home", "onli", "z", "axi", "g28", "g28"]);
        assert_eq!(terms("what is it"), ["what"]);
        assert_eq!(terms("the of"), [""; 0]);
    }

    #[test]
    fn the_frame_is_that_of_the_questions_own_language() {
        assert_eq!(terms("Wie wird die Dichtung gewechselt?"), ["dichtung", "gewechselt"]);
        assert_eq!(terms("Which die is in the press?"), ["die", "press"]);
    }

    #[test]
    fn marks_are_of_every_form_of_a_word() {
        let text = "Die Dichtungen sind zu prüfen.";
        let marks = Query::parse("Dichtung pruefen").marks(text, Language::German);
        let marked: Vec<_> = marks.iter().map(|(s, e)| &text[*s as usize..*e as usize]).collect();
        assert_eq!(marked, ["Dichtungen", "prüfen"]);
    }

    #[test]
    fn pairs_know_their_distance() {
        let query = Query::parse("pump of the year");
        assert_eq!(query.pairs, [(0, 1, 3)]);
    }

    #[test]
    fn marks_are_merged_ranges_of_the_text() {
        let query = Query::parse("SKU-48291 pumps");
        let text = "Two pump sets, SKU-48291.";
        let marked: Vec<_> =
            query.marks(text, Language::English).iter().map(|(s, e)| &text[*s as usize..*e as usize]).collect();
        assert_eq!(marked, ["pump", "SKU-48291"]);
    }

    #[test]
    fn a_near_twin_is_not_marked_by_what_it_shares() {
        let marked = |question: &str, text: &str| -> Vec<String> {
            let marks = Query::parse(question).marks(text, Language::English);
            marks.iter().map(|(s, e)| text[*s as usize..*e as usize].to_owned()).collect()
        };
        let text = "SKU-48290, SKU-48291, any SKU";
        assert_eq!(marked("SKU-48291", text), ["SKU-48291", "SKU"]);
        assert_eq!(marked("SKU of SKU-48291", text), ["SKU", "SKU-48291", "SKU"], "asked for by itself");
        assert_eq!(marked("thread M6", "thread M6x20"), ["thread", "M6x20"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_query(text in "\\PC{0,200}") {
            let query = Query::parse(&text);
            for (start, end) in query.marks(&text, Language::German) {
                proptest::prop_assert!(text.get(start as usize..end as usize).is_some());
            }
        }
    }
}
