//! Words that carry no subject. Index and question leave out the first set; questions also the second, as long as
//! anything else remains.

/// Lucene's English stop set (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`), which the published BM25 baselines use.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
];

/// The frame of a question rather than its subject.
const QUESTION_WORDS: [&str; 32] = [
    "about", "am", "any", "can", "could", "did", "do", "does", "from", "give", "had", "has", "have", "how", "i", "its",
    "many", "me", "much", "my", "please", "should", "show", "tell", "we", "were", "what", "which", "who", "why",
    "would", "you",
];

/// Whether a folded word is left out of the index.
pub(crate) fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.binary_search(&folded).is_ok()
}

/// Whether a folded word of a question says only that it is one.
pub(crate) fn is_question_word(folded: &str) -> bool {
    QUESTION_WORDS.binary_search(&folded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sorted_for_binary_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(QUESTION_WORDS.is_sorted());
    }
}
