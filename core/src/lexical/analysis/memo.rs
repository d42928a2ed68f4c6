//! What words became, remembered while many texts are analysed: a few thousand words make up most of any text, and
//! finding a stem takes ten times as long as finding the word again.

use super::{fold, index_term, is_stop_word, of_word};
use crate::text::Language;

/// So many words are remembered at once, each at the one place that its bytes tell.
const N_SLOTS: usize = 16_384;

/// Terms of words met before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memo {
    /// Empty until the first word.
    slots: Vec<Option<Box<Known>>>,
}

#[derive(Clone, Debug)]
struct Known {
    word: String,
    language: Language,
    term: Option<String>,
}

impl Memo {
    /// The [`term`] of a word. O(bytes of the word) if it was met lately.
    pub(super) fn term(&mut self, word: &str, language: Language) -> Option<String> {
        if self.slots.is_empty() {
            self.slots.resize(N_SLOTS, None);
        }
        let slot = &mut self.slots[slot(word)];
        if let Some(known) = slot
            && known.word == word
            && known.language == language
        {
            return known.term.clone();
        }
        let term = term(word, language);
        *slot = Some(Box::new(Known { word: word.to_owned(), language, term: term.clone() }));
        term
    }
}

/// What a word of a text in a language is indexed as; `None` for a stop word.
pub(super) fn term(word: &str, language: Language) -> Option<String> {
    let folded = fold(word);
    (!is_stop_word(&folded, of_word(&folded, language))).then(|| index_term(word, &folded, language))
}

/// FNV-1a (Fowler, Noll, Vo), folded to a place.
fn slot(word: &str) -> usize {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 12)) as usize % N_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_would_be_found_anew() {
        let mut memo = Memo::default();
        let words: Vec<String> = (0..2 * N_SLOTS).map(|n| format!("wordings{n}")).collect();
        let languages = [Language::English, Language::German, Language::Hindi];
        for word in
            words.iter().map(String::as_str).chain(["die", "Die", "the", "Größe", "पंपों", "pumps", "Pumps", "die"])
        {
            for language in languages.iter().chain(&languages) {
                assert_eq!(memo.term(word, *language), term(word, *language), "{word} {language:?}");
            }
        }
        assert_eq!(
            (memo.term("die", Language::English), memo.term("die", Language::German)),
            (Some("die".into()), None)
        );
        let places: std::collections::BTreeSet<usize> = words.iter().map(|word| slot(word)).collect();
        assert!(places.len() > N_SLOTS * 8 / 10, "{} of {N_SLOTS} places used", places.len());
    }
}
