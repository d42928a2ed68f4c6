//! A question as typed → what is looked up. Never fails: any text is a query, if perhaps an empty one.

use super::analysis::{self, Stream};

/// One thing to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTerm {
    /// As indexed.
    pub text: String,
    /// Where.
    pub stream: Stream,
    /// How often the question names it.
    pub count: u32,
    /// Stands for every word that begins with it: a word still being typed. See [`super::Searcher::complete`].
    pub is_prefix: bool,
}

/// A parsed question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The terms in order of their first appearance, words before identifiers.
    pub terms: Vec<QueryTerm>,
    /// Pairs of word terms (indices into `terms`) that follow each other in the question, with the distance of their
    /// positions there.
    pub pairs: Vec<(usize, usize, u32)>,
}

/// A question longer than this is cut: someone pasted a document.
const MAX_QUERY_BYTES: usize = 4096;

impl Query {
    /// Parses a question: its words without stop words and the words that only make it a question (unless nothing else
    /// is there), and its identifiers and numbers. O(n).
    #[must_use]
    pub fn parse(question: &str) -> Self {
        let question = &question[..question.floor_char_boundary(MAX_QUERY_BYTES)];
        let words = analysis::words(question);
        let subject = |term: &&analysis::Term| {
            let folded = analysis::fold(&question[term.start..term.end]);
            !analysis::is_question_word(&folded)
        };
        let mut kept: Vec<&analysis::Term> = words.iter().filter(subject).collect();
        if kept.is_empty() {
            kept = words.iter().collect();
        }
        let mut query = Self::default();
        let mut before: Option<(usize, u32)> = None;
        for word in kept {
            let at = query.add(&word.text, Stream::Word);
            if let Some((left, position)) = before
                && left != at
            {
                query.pairs.push((left, at, word.position - position));
            }
            before = Some((at, word.position));
        }
        for identifier in analysis::identifiers(question) {
            query.add(&identifier.text, Stream::Identifier);
        }
        query
    }

    /// Whether there is nothing to look up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    fn add(&mut self, text: &str, stream: Stream) -> usize {
        if let Some(at) = self.terms.iter().position(|term| term.stream == stream && term.text == text) {
            self.terms[at].count += 1;
            return at;
        }
        self.terms.push(QueryTerm { text: text.to_owned(), stream, count: 1, is_prefix: false });
        self.terms.len() - 1
    }

    /// The byte ranges of a text that answer this query, ascending, not overlapping. O(length of the text).
    #[must_use]
    pub fn marks(&self, text: &str) -> Vec<(u32, u32)> {
        let names = |term: &QueryTerm, text: &str| term.text == text || term.is_prefix && text.starts_with(&term.text);
        let asked = |stream, text: &str| self.terms.iter().any(|term| term.stream == stream && names(term, text));
        let words = analysis::words(text).into_iter().filter(|term| asked(Stream::Word, &term.text));
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
    fn pairs_know_their_distance() {
        let query = Query::parse("pump of the year");
        assert_eq!(query.pairs, [(0, 1, 3)]);
    }

    #[test]
    fn marks_are_merged_ranges_of_the_text() {
        let query = Query::parse("SKU-48291 pumps");
        let text = "Two pump sets, SKU-48291.";
        let marked: Vec<_> = query.marks(text).iter().map(|(s, e)| &text[*s as usize..*e as usize]).collect();
        assert_eq!(marked, ["pump", "SKU-48291"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_query(text in "\\PC{0,200}") {
            let query = Query::parse(&text);
            for (start, end) in query.marks(&text) {
                proptest::prop_assert!(text.get(start as usize..end as usize).is_some());
            }
        }
    }
}
