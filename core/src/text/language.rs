//! The language of a text, by its script and its function words.

use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::LazyLock};

/// A language whose words are analysed by rules of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Language {
    /// English, and every text that does not tell.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
    /// Hindi, in Devanagari.
    Hindi,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Italian,
        Self::Portuguese,
        Self::Dutch,
        Self::Hindi,
    ];

    /// Its two-letter code (ISO 639-1).
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::French => "fr",
            Self::Spanish => "es",
            Self::Italian => "it",
            Self::Portuguese => "pt",
            Self::Dutch => "nl",
            Self::Hindi => "hi",
        }
    }

    /// Its name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "German",
            Self::French => "French",
            Self::Spanish => "Spanish",
            Self::Italian => "Italian",
            Self::Portuguese => "Portuguese",
            Self::Dutch => "Dutch",
            Self::Hindi => "Hindi",
        }
    }

    /// Its commonest function words: articles, prepositions, forms of "to be", lower case.
    ///
    /// Words that several of these languages share stand in each list, and count for less.
    fn function_words(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                "a", "after", "all", "an", "and", "are", "as", "at", "be", "been", "before", "by", "can", "do", "does",
                "for", "from", "has", "have", "how", "if", "in", "is", "it", "may", "must", "not", "of", "on", "or",
                "should", "that", "the", "then", "there", "these", "they", "this", "to", "was", "we", "were", "what",
                "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
            ],
            Self::German => &[
                "als", "am", "an", "auch", "auf", "aus", "bei", "beim", "bis", "das", "dass", "dem", "den", "der",
                "des", "die", "dies", "diese", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "es", "für",
                "hat", "ich", "ihre", "im", "in", "ist", "kann", "mit", "muss", "nach", "nicht", "nur", "oder", "sich",
                "sie", "sind", "so", "und", "vom", "von", "vor", "wann", "warum", "was", "welche", "welcher", "wenn",
                "werden", "wie", "wird", "wo", "zu", "zum", "zur",
            ],
            Self::French => &[
                "au", "aux", "avant", "avec", "ce", "ces", "cette", "comment", "d", "dans", "de", "des", "doit", "du",
                "elle", "en", "est", "et", "il", "ils", "je", "l", "la", "le", "les", "lors", "mais", "ne", "non",
                "nous", "on", "ou", "où", "par", "pas", "peut", "plus", "pour", "qu", "quand", "que", "quel", "quelle",
                "qui", "s", "sans", "se", "si", "sont", "sur", "un", "une", "vous", "à", "être",
            ],
            Self::Spanish => &[
                "a", "al", "como", "con", "cuando", "cuál", "cómo", "de", "debe", "del", "desde", "donde", "e", "el",
                "en", "entre", "es", "esta", "este", "está", "están", "hay", "la", "las", "lo", "los", "más", "no",
                "o", "para", "pero", "por", "puede", "que", "qué", "se", "si", "sin", "sobre", "son", "su", "sus",
                "un", "una", "y",
            ],
            Self::Italian => &[
                "a", "al", "alla", "che", "come", "con", "da", "dal", "dalla", "degli", "dei", "del", "della", "delle",
                "deve", "di", "dopo", "e", "gli", "i", "il", "in", "la", "le", "lo", "nel", "nella", "non", "o", "per",
                "prima", "può", "quale", "quando", "questa", "questo", "se", "si", "sono", "su", "sul", "tra", "un",
                "una", "è",
            ],
            Self::Portuguese => &[
                "a", "antes", "ao", "as", "com", "como", "da", "das", "de", "deve", "do", "dos", "e", "em", "entre",
                "esta", "este", "está", "foi", "mais", "na", "nas", "no", "nos", "não", "o", "os", "ou", "para",
                "pela", "pelo", "pode", "por", "qual", "quando", "que", "se", "sem", "ser", "sua", "são", "um", "uma",
                "à", "é",
            ],
            Self::Dutch => &[
                "aan", "als", "bij", "dat", "de", "deze", "die", "dit", "door", "een", "en", "er", "geen", "het",
                "hoe", "ik", "in", "is", "kan", "kunnen", "met", "moet", "naar", "niet", "nog", "of", "om", "ook",
                "op", "over", "te", "tot", "u", "uit", "uw", "van", "voor", "waar", "wanneer", "wat", "welke",
                "worden", "wordt", "zijn", "zoals",
            ],
            // Told by its script.
            Self::Hindi => &[],
        }
    }
}

/// Of every function word, by its first byte: which languages have it, a bit each in the order of [`Language::ALL`].
static HAVE: LazyLock<Vec<BTreeMap<&str, u8>>> = LazyLock::new(|| {
    let mut have = vec![BTreeMap::new(); 256];
    for (at, language) in Language::ALL.into_iter().enumerate() {
        for word in language.function_words() {
            *have[first(word)].entry(*word).or_insert(0) |= 1 << at;
        }
    }
    have
});

/// A word's first byte.
fn first(word: &str) -> usize {
    word.bytes().next().map_or(0, usize::from)
}

/// Which languages have a word, in whatever case, among their function words.
fn have(word: &str) -> u8 {
    // Function words are short.
    const MAX_BYTES: usize = 12;
    let of = |lower: &str| HAVE[first(lower)].get(lower).copied().unwrap_or(0);
    if word.len() > MAX_BYTES {
        return 0;
    }
    if !word.is_ascii() {
        return of(&word.to_lowercase());
    }
    let mut lower = [0; MAX_BYTES];
    let lower = &mut lower[..word.len()];
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).map_or(0, of)
}

/// Words looked at, at most: the language of a book shows on its first pages.
const MAX_WORDS: usize = 4000;
/// A language must show by at least so many function words,
const MIN_HITS: u32 = 2;
/// that are worth so much: a word of one language alone is worth this, one that several share its part.
const WORTH: u32 = 60;
/// And it must show so many times more than any other, in halves.
const MARGIN_HALVES: u32 = 3;

/// The language a text is written in; `None` where it does not show: lists of parts, numbers, names, a few words, or a
/// language that is not known here. O(n).
#[must_use]
pub fn language(text: &str) -> Option<Language> {
    let mut shows = [(0_u32, 0_u32); Language::ALL.len()];
    let (mut n_letters, mut n_devanagari) = (0_u32, 0_u32);
    for word in letter_words(text).take(MAX_WORDS) {
        if word.is_ascii() {
            n_letters += word.len() as u32;
        } else {
            n_letters += word.chars().count() as u32;
            n_devanagari += word.chars().filter(|c| is_devanagari(*c)).count() as u32;
        }
        let have = have(word);
        if have == 0 {
            continue;
        }
        let has = |at: &usize| have >> at & 1 == 1;
        for at in (0..shows.len()).filter(has) {
            let (hits, worth) = &mut shows[at];
            *hits += 1;
            *worth += WORTH / have.count_ones();
        }
    }
    if n_devanagari > n_letters / 3 {
        return Some(Language::Hindi);
    }
    let mut ranked: Vec<((u32, u32), Language)> = shows.into_iter().zip(Language::ALL).collect();
    ranked.sort_by_key(|((_, worth), _)| std::cmp::Reverse(*worth));
    let [((hits, most), best), ((_, second), _), ..] = ranked[..] else { return None };
    (hits >= MIN_HITS && most >= WORTH && most * 2 >= second * MARGIN_HALVES).then_some(best)
}

/// The runs of letters of a text. Every chunk goes through here, so ASCII is told by its bytes.
fn letter_words(text: &str) -> impl Iterator<Item = &str> {
    // The length of the letter that begins at a byte, or of what is none.
    let letter = |at: usize| match text.as_bytes()[at] {
        byte if byte.is_ascii() => (byte.is_ascii_alphabetic(), 1),
        _ => {
            let c = text[at..].chars().next().unwrap_or(' ');
            (c.is_alphabetic() || is_devanagari(c), c.len_utf8())
        }
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut start = None;
        while at < text.len() {
            let (is_letter, n_bytes) = letter(at);
            match start {
                None if is_letter => start = Some(at),
                Some(start) if !is_letter => return Some(&text[start..at]),
                _ => {}
            }
            at += n_bytes;
        }
        start.map(|start| &text[start..])
    })
}

/// Whether a character is of the script of Hindi, vowel signs included.
#[must_use]
pub fn is_devanagari(c: char) -> bool {
    matches!(c, '\u{900}'..='\u{97f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn words_are_the_runs_of_letters(text in "\\PC{0,40}") {
            let split = text.split(|c: char| !c.is_alphabetic() && !is_devanagari(c)).filter(|word| !word.is_empty());
            proptest::prop_assert!(letter_words(&text).eq(split));
        }
    }

    #[test]
    fn lists_are_sorted_and_hold_lower_case_words() {
        for language in Language::ALL {
            assert!(language.function_words().is_sorted(), "{language:?}");
            assert!(language.function_words().iter().all(|word| word.to_lowercase() == *word), "{language:?}");
        }
        assert_eq!((have("The"), have("die").count_ones(), have("über"), have("pump")), (1, 2, 0, 0));
    }

    #[test]
    fn sentences_and_questions_tell_their_language() {
        for (text, expected) in [
            ("Replace the seal before the pump is started.", Language::English),
            ("Wie wird die Gleitringdichtung gewechselt?", Language::German),
            ("Der Antrieb darf nur von Fachpersonal geöffnet werden.", Language::German),
            ("Remplacer le joint avant la mise en service de la pompe.", Language::French),
            ("¿Cómo se cambia la junta de la bomba?", Language::Spanish),
            ("Sostituire la guarnizione prima di avviare la pompa, che non deve girare.", Language::Italian),
            ("Substitua a vedação antes de ligar a bomba e não toque no eixo.", Language::Portuguese),
            ("Vervang de afdichting voordat de pomp wordt gestart.", Language::Dutch),
            ("पंप की सील कैसे बदलें?", Language::Hindi),
        ] {
            assert_eq!(language(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_does_not_tell_is_not_guessed() {
        for text in ["", "SKU-48291", "Dichtung; Stück; 12; Welle; M6x20", "die", "pump seal", "in a de la"] {
            assert_eq!(language(text), None, "{text}");
        }
    }
}
