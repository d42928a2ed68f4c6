//! Text to index terms: stemmed words, and identifiers and numbers kept whole.
//!
//! The same function analyses documents, questions and the passages whose words are marked, so that what is found is
//! what is marked. Two streams leave it: [`Stream::Word`] (folded, stemmed in its language, stop words left out but
//! counted as positions) and [`Stream::Identifier`] (`tf/2026-27/001`, `sku-48291`, `m6x20`, `$130`, `error:9`, `3.5mm`: lower
//! case, decimal commas as points, a number joined with its unit; a code also without what parts it, a date also as
//! `2026-03-12`).

mod identifier;
mod memo;
mod spelling;
mod stopwords;

use crate::text::{Language, is_devanagari};
use frostem::{Algorithm, Stemmer};
pub use identifier::Identity;
pub(crate) use identifier::{Asked, Kind, asked, identifiers, is_currency, labelled};
pub(crate) use memo::Memo;
pub(crate) use stopwords::{is_question_word, is_stop_word};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Which index field a term belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stream {
    /// Folded and stemmed words, numbers and the parts of identifiers.
    Word,
    /// Identifiers and numbers as a whole.
    Identifier,
}

/// One term of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// As indexed.
    pub text: String,
    /// Its word position; stop words count.
    pub position: u32,
    /// First byte in the text.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A word longer than this many bytes is cut before indexing: no language has such words, broken files do.
const MAX_WORD_BYTES: usize = 80;

/// Stands in a term between the stem and the code of its language. English stems, numbers and other scripts go without.
const LANGUAGE_MARK: char = '\u{1}';

/// Analyses words: runs of letters and digits, decimals whole (`3.5`, `3,5` → `3.5`), folded to lower case without
/// accents, stemmed by the rules of their language (Snowball's), stop words left out. Ideographs are terms of their own.
/// O(n).
///
/// A stem is good for its own language alone: `Not` is an emergency in German and nothing in English. So a term says of
/// which language it is, and a question is asked in all of them (see [`forms`]).
#[must_use]
pub fn words(text: &str, language: Language) -> Vec<Term> {
    words_by(text, |word| memo::term(word, language))
}

/// The same for many texts, one after the other.
pub(crate) fn words_with(memo: &mut Memo, text: &str, language: Language) -> Vec<Term> {
    words_by(text, |word| memo.term(word, language))
}

fn words_by(text: &str, mut term: impl FnMut(&str) -> Option<String>) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut position = 0;
    for_each_word(text, |start, end| {
        if let Some(stemmed) = term(&text[start..end]) {
            // "m6x20" is also its parts: who asks for M6 bolts means these as well.
            if let Some((left, right)) = dimensions(&stemmed) {
                for part in [left, right] {
                    terms.push(Term { text: part.to_owned(), position, start, end });
                }
            }
            terms.push(Term { text: stemmed, position, start, end });
        }
        position += 1;
    });
    terms
}

/// A word as it may stand in an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// As indexed.
    pub text: String,
    /// Documents of which language have it so; `None` for all.
    pub language: Option<Language>,
    /// What an occurrence counts against one of the word itself.
    pub weight: f32,
}

/// Every form in which documents may have a word of a question: as documents of each language do, and in its other
/// spellings. The first is the English one, or the only one.
pub(crate) fn forms(word: &str) -> Vec<Form> {
    let folded = fold(word);
    let form = |text: String, language: Option<Language>| Form { text, language, weight: 1.0 };
    if !is_latin_word(&folded) {
        return vec![form(index_term(word, &folded, Language::English), None)];
    }
    let mut forms: Vec<Form> = Vec::new();
    let mut add = |spelling: &str, folded: &str, language: Language| {
        let new = form(index_term(spelling, folded, language), Some(language));
        if !forms.contains(&new) {
            forms.push(new);
        }
    };
    let of_latin = |language: &Language| *language != Language::Hindi;
    for language in Language::ALL.into_iter().filter(of_latin) {
        add(word, &folded, language);
    }
    for spelling in spelling::english_spellings(&folded) {
        add(&spelling, &spelling, Language::English);
    }
    if let Some(spelling) = spelling::german_umlauts(&folded) {
        add(&spelling, &spelling, Language::German);
    }
    forms
}

/// A term without what it says of its language, for showing.
#[must_use]
pub fn shown(term: &str) -> &str {
    term.split(LANGUAGE_MARK).next().unwrap_or(term)
}

/// The term for a word of a text in a language.
fn index_term(word: &str, folded: &str, language: Language) -> String {
    let language = of_word(folded, language);
    let stem_of = |word: &str, algorithm| Stemmer::new(algorithm).stem(word).into_owned();
    let algorithm = match language {
        Language::Hindi if folded.chars().all(is_devanagari) => return stem_of(folded, Algorithm::Hindi),
        _ if !is_latin_word(folded) => return folded.to_owned(),
        Language::English | Language::Hindi => return stem_of(folded, Algorithm::English),
        Language::German => Algorithm::German,
        Language::French => Algorithm::French,
        Language::Spanish => Algorithm::Spanish,
        Language::Italian => Algorithm::Italian,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Dutch => Algorithm::Dutch,
    };
    // These stemmers look at accents, so they are folded away afterwards.
    let mut term = fold(&stem_of(&word.to_lowercase(), algorithm));
    term.push(LANGUAGE_MARK);
    term.push_str(language.code());
    term
}

/// The language whose rules hold for a folded word in a text of a language: a script decides where it can.
fn of_word(folded: &str, language: Language) -> Language {
    match (folded.chars().next().is_some_and(is_devanagari), language) {
        (true, _) => Language::Hindi,
        // What stands in Latin letters in a Hindi text is English.
        (false, Language::Hindi) => Language::English,
        (false, language) => language,
    }
}

fn is_latin_word(folded: &str) -> bool {
    folded.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// The English stem of a folded word; what is not all Latin letters stays as it is.
pub(crate) fn stem(folded: &str) -> String {
    index_term(folded, folded, Language::English)
}

/// The two sides of a dimension such as `m6x20` or `10x3.5`.
fn dimensions(word: &str) -> Option<(&str, &str)> {
    let (left, right) = word.split_once('x')?;
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    (left.ends_with(|c: char| c.is_ascii_digit()) && is_number(right)).then_some((left, right))
}

/// Calls `found(start, end)` for every word of a text, stop words included.
pub(crate) fn for_each_word(text: &str, mut found: impl FnMut(usize, usize)) {
    let mut chars = text.char_indices().peekable();
    while let Some((start, first)) = chars.next() {
        if !first.is_alphanumeric() {
            continue;
        }
        let mut end = start + first.len_utf8();
        if is_ideograph(first) {
            found(start, end);
            continue;
        }
        let mut last = first;
        // Whether the run so far is a number. Known rather than looked up: a line of a million figures is one run.
        let mut is_number = first.is_ascii_digit();
        while let Some(&(at, next)) = chars.peek() {
            let inside = if next.is_alphanumeric() {
                !is_ideograph(next) && !is_note_mark(&text[start..at], next)
            } else if is_combining_mark(next) || is_joiner_inside_word(next) {
                true
            } else if (next == '.' || next == ',') && last.is_ascii_digit() {
                // A decimal point or comma: between digits, and the run before it is a number ("3.5", not "v1.5,2").
                is_number && text[at + 1..].starts_with(|c: char| c.is_ascii_digit())
            } else {
                false
            };
            if !inside {
                break;
            }
            end = at + next.len_utf8();
            last = next;
            is_number &= matches!(next, '0'..='9' | '.' | ',');
            chars.next();
        }
        // Very long runs are cut, on a character boundary, rather than dropped: their beginning stays findable.
        found(start, floor_char_boundary(text, start, end.min(start + MAX_WORD_BYTES)));
    }
}

/// Whether a raised figure or letter after a word refers to a note rather than belonging to it, as in "valve¹". After
/// figures and units ("10³", "mm²") it is an exponent.
fn is_note_mark(word: &str, next: char) -> bool {
    const UNIT_LETTERS: usize = 3;
    let is_raised = matches!(next, '¹' | '²' | '³' | '⁰'..='⁹') || is_raised_letter(next);
    is_raised && word.chars().count() > UNIT_LETTERS && word.chars().all(|c| c.is_alphabetic() && !is_raised_letter(c))
}

fn is_raised_letter(c: char) -> bool {
    matches!(c, 'ᵃ'..='ᵛ' | 'ⁱ' | 'ⁿ')
}

/// Zero-width joiners occur inside words of Indic scripts and Persian.
fn is_joiner_inside_word(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{ad}')
}

/// Scripts written without spaces, where a character is the smallest searchable piece.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2fa1f}' | '\u{e00}'..='\u{e7f}')
}

fn floor_char_boundary(text: &str, start: usize, mut end: usize) -> usize {
    while end > start && !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// Lower case, compatibility forms resolved, accents removed, `ß` as `ss`, decimal commas as points, soft hyphens gone.
#[must_use]
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        let mut folded = word.to_ascii_lowercase();
        if folded.contains(',') {
            folded = folded.replace(',', ".");
        }
        return folded;
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.nfkd() {
        match c {
            'ß' | 'ẞ' => folded.push_str("ss"),
            ',' => folded.push('.'),
            // Combining marks are accents in the Latin, Greek and Cyrillic scripts, but vowels in Indic ones.
            '\u{300}'..='\u{36f}' | '\u{ad}' | '\u{200c}' | '\u{200d}' => {}
            c => folded.extend(c.to_lowercase()),
        }
    }
    // Marks that belong to their letter (a kana's voicing, a vowel sign) are put back in one piece with it.
    folded.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        words(text, Language::English).into_iter().map(|term| term.text).collect()
    }

    #[test]
    fn words_are_folded_and_stemmed_and_keep_decimals() {
        assert_eq!(texts("The pumps are running at 3,5 bar"), ["pump", "run", "3.5", "bar"]);
        assert_eq!(texts("Größe GRÖSSE"), ["gross", "gross"]);
        assert_eq!(texts("SKU-48291/TF error:9 $130"), ["sku", "48291", "tf", "error", "9", "130"]);
        assert_eq!(texts("v1.5 and 1.2.3"), ["v1", "5", "1.2.3"]);
        assert_eq!(texts("ポンプ M6x20"), ["ポ", "ン", "プ", "m6", "20", "m6x20"]);
        assert_eq!(texts("valve¹ torqueᵃ 10³ mm² pressure¹²"), ["valv", "1", "torqu", "103", "mm2", "pressur", "12"]);
    }

    #[test]
    fn every_language_has_its_own_stems() {
        let texts = |text: &str, language| -> Vec<String> {
            words(text, language).into_iter().map(|term| term.text.replace(LANGUAGE_MARK, "|")).collect()
        };
        assert_eq!(texts("Prüfung der Dichtungen", Language::German), ["prufung|de", "dichtung|de"]);
        assert_eq!(texts("Les vérifications", Language::French), ["verif|fr"]);
        assert_eq!(texts("las bombas M6x20", Language::Spanish), ["bomb|es", "m6", "20", "m6x20"]);
        assert_eq!(texts("पंपों की जाँच GST", Language::English), texts("पंपों की जाँच GST", Language::Hindi));
        assert_eq!(texts("पंपों की जाँच GST", Language::Hindi).len(), 3);
        assert_eq!(texts("पंपों", Language::Hindi), texts("पंप", Language::Hindi));
    }

    #[test]
    fn a_word_of_a_question_has_the_forms_of_all_languages_and_spellings() {
        let has = |word: &str, text: &str, language| {
            let wanted = words(text, language).remove(0).text;
            forms(word).iter().any(|form| form.text == wanted)
        };
        for (word, text, language) in [
            ("pumps", "pump", Language::English),
            ("Dichtung", "Dichtungen", Language::German),
            ("pruefen", "prüfen", Language::German),
            ("vérifier", "vérifié", Language::French),
            ("millimeters", "millimetre", Language::English),
            ("पंप", "पंपों", Language::Hindi),
            ("48291", "48291", Language::German),
        ] {
            assert!(has(word, text, language), "{word} → {text}");
        }
        assert_eq!(forms("notes")[0], Form { text: "note".into(), language: Some(Language::English), weight: 1.0 });
        assert_eq!(forms("48291").len(), 1);
    }

    #[test]
    fn positions_count_stop_words_and_offsets_are_of_the_text() {
        let terms = words("check the Öl-filter", Language::English);
        let seen: Vec<_> = terms.iter().map(|t| (t.text.as_str(), t.position, t.start, t.end)).collect();
        assert_eq!(seen, [("check", 0, 0, 5), ("ol", 2, 10, 13), ("filter", 3, 14, 20)]);
    }

    #[test]
    fn a_line_of_a_million_figures_is_analysed_in_one_pass() {
        // Looking back over the run at each comma would take minutes.
        let terms = words(&"1,".repeat(1_000_000), Language::English);
        assert_eq!((terms.len(), terms[0].end), (1, MAX_WORD_BYTES));
    }

    #[test]
    fn endless_words_are_cut_on_a_character_boundary() {
        let terms = words(&"ö".repeat(500), Language::English);
        assert_eq!(terms.len(), 1);
        assert_eq!(terms[0].end, 80);
    }

    proptest::proptest! {
        #[test]
        fn offsets_are_character_boundaries(text in "\\PC{0,80}") {
            for term in words(&text, Language::German).iter().chain(&identifiers(&text)) {
                proptest::prop_assert!(text.get(term.start..term.end).is_some());
            }
        }
    }
}
