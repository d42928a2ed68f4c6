//! Words that carry no subject, by language. Index and question leave out the first set; questions also the second, as
//! long as anything else remains. All are folded: without accents.

use crate::text::Language;

/// Whether a folded word is left out of the index.
pub(crate) fn is_stop_word(folded: &str, language: Language) -> bool {
    let words: &[&str] = match language {
        // Lucene's English stop set (`EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`), which the published BM25 baselines use.
        Language::English => &[
            "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
            "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was",
            "will", "with",
        ],
        Language::German => &[
            "als", "am", "an", "auch", "auf", "aus", "bei", "beim", "das", "dass", "dem", "den", "der", "des", "die",
            "ein", "eine", "einem", "einen", "einer", "eines", "er", "es", "fur", "hat", "im", "in", "ist", "mit",
            "sein", "sich", "sie", "sind", "so", "und", "vom", "von", "war", "werden", "wird", "zu", "zum", "zur",
        ],
        Language::French => &[
            "a", "au", "aux", "ce", "ces", "cette", "d", "dans", "de", "des", "du", "elle", "en", "est", "et", "il",
            "ils", "l", "la", "le", "les", "leur", "n", "ne", "ou", "par", "pour", "qu", "que", "qui", "s", "se",
            "son", "sont", "sur", "un", "une",
        ],
        Language::Spanish => &[
            "a", "al", "con", "de", "del", "e", "el", "en", "es", "esta", "este", "la", "las", "lo", "los", "o",
            "para", "por", "que", "se", "son", "su", "sus", "un", "una", "y",
        ],
        Language::Italian => &[
            "a", "ad", "al", "alla", "che", "con", "da", "dal", "dei", "del", "della", "delle", "di", "e", "ed", "gli",
            "i", "il", "in", "la", "le", "lo", "nel", "nella", "o", "per", "si", "sono", "su", "un", "una",
        ],
        Language::Portuguese => &[
            "a", "ao", "as", "com", "da", "das", "de", "do", "dos", "e", "em", "na", "nas", "no", "nos", "o", "os",
            "ou", "para", "pela", "pelo", "por", "que", "sao", "se", "um", "uma",
        ],
        Language::Dutch => &[
            "aan", "als", "bij", "dat", "de", "die", "dit", "door", "een", "en", "er", "het", "in", "is", "met",
            "naar", "of", "om", "op", "te", "tot", "uit", "van", "voor", "wordt", "zijn",
        ],
        Language::Hindi => &[
            "इस",
            "और",
            "का",
            "कि",
            "की",
            "के",
            "को",
            "जो",
            "ने",
            "पर",
            "भी",
            "में",
            "यह",
            "या",
            "वह",
            "से",
            "है",
            "हैं",
            "हो",
        ],
    };
    words.binary_search(&folded).is_ok()
}

/// Whether a folded word of a question says only that it is one.
pub(crate) fn is_question_word(folded: &str, language: Language) -> bool {
    let words: &[&str] = match language {
        Language::English => &[
            "about", "am", "any", "can", "could", "did", "do", "does", "from", "give", "had", "has", "have", "how",
            "i", "its", "many", "me", "much", "my", "please", "should", "show", "tell", "we", "were", "what", "which",
            "who", "why", "would", "you",
        ],
        Language::German => &[
            "bitte", "darf", "habe", "haben", "ich", "kann", "man", "mir", "muss", "nach", "soll", "wann", "warum",
            "was", "welche", "welchem", "welchen", "welcher", "welches", "wer", "wie", "wieviel", "wir", "wo", "womit",
            "wozu",
        ],
        Language::French => &[
            "ai", "avez", "combien", "comment", "doit", "dois", "faut", "je", "lequel", "moi", "nous", "on",
            "pourquoi", "peut", "peux", "quand", "quel", "quelle", "quelles", "quels", "quoi", "t", "vous",
        ],
        Language::Spanish => &[
            "como", "cual", "cuales", "cuando", "cuanta", "cuanto", "cuantos", "debe", "debo", "donde", "hay", "me",
            "puede", "puedo", "quien", "yo",
        ],
        Language::Italian => &[
            "che", "chi", "come", "cosa", "deve", "devo", "dove", "ho", "io", "mi", "perche", "posso", "puo", "qual",
            "quale", "quali", "quando", "quanti", "quanto",
        ],
        Language::Portuguese => &[
            "como", "deve", "devo", "eu", "me", "onde", "pode", "posso", "qual", "quais", "quando", "quanto",
            "quantos", "quem",
        ],
        Language::Dutch => &[
            "hoe", "hoeveel", "ik", "kan", "men", "mij", "moet", "waar", "waarom", "wanneer", "wat", "welk", "welke",
            "wie", "zou",
        ],
        Language::Hindi => &["कब", "कहाँ", "कितना", "कितने", "किस", "कैसे", "कौन", "क्या", "क्यों"],
    };
    words.contains(&folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_of_every_language_are_found() {
        for (language, word) in [
            (Language::English, "with"),
            (Language::German, "zur"),
            (Language::French, "une"),
            (Language::Spanish, "y"),
            (Language::Italian, "una"),
            (Language::Portuguese, "uma"),
            (Language::Dutch, "zijn"),
            (Language::Hindi, "हो"),
        ] {
            assert!(is_stop_word(word, language), "the last of {language:?}, so that the list is sorted");
            assert!(!is_stop_word("pumpe", language));
        }
        assert!(!is_stop_word("die", Language::English), "a die is a tool");
        for (language, word) in [(Language::English, "what"), (Language::German, "wie"), (Language::Hindi, "कैसे")]
        {
            assert!(is_question_word(word, language));
        }
    }
}
