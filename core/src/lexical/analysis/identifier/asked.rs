//! The identifiers of a question, each with all the writings under which a document may have it.

use super::{
    Identifier, Kind, found, labelled,
    number::{is_currency, same_number},
    runs,
    writing::{compact, is_code_word, is_dash, is_hyphen, is_mixed, word_and_number},
};
use crate::{
    lexical::analysis::{Form, fold, is_question_word, is_stop_word},
    text::{self, Language},
};

/// What an occurrence in another writing counts against one as asked.
const OTHER_WRITING: f32 = 0.5;
/// A question has no more codes in several words than this; what has more is a list.
const MAX_GUESSES: usize = 16;
/// No code is written in more words.
const MAX_CODE_WORDS: usize = 4;
/// The first word of a code is no longer.
const MAX_FIRST_BYTES: usize = 8;
/// From so many figures on a code names one thing wherever it stands.
const MIN_FIGURES: usize = 3;

/// Whether what has an identifier answers a question before anything that has not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identity {
    /// It does not: a word, a number, a date.
    #[default]
    None,
    /// It does where nothing else is asked: `G28`, `error 9`, `CD4`. In a question of words it is one of them: ranked before
    /// all others, whatever has it cost SciFact's train split 0.010 of its nDCG@10.
    IfAlone,
    /// It does: `SKU-48291`, `TF/2026-27/001`.
    Always,
}

/// An identifier in a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Asked {
    /// The writing that stands in the question first, the others after it.
    pub(crate) forms: Vec<Form>,
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) identity: Identity,
    /// It is one only if a document has it: several words that may be a code ("SKU 48291", "top 10").
    pub(crate) is_guess: bool,
}

impl Asked {
    fn add(&mut self, text: String, weight: f32) {
        if self.forms.iter().all(|form| form.text != text) {
            self.forms.push(Form { text, language: None, weight });
        }
    }

    fn is_at(&self, start: usize, end: usize) -> bool {
        (self.start, self.end) == (start, end)
    }
}

/// The identifiers and numbers of a question, in order, those in several words last. O(n).
pub(crate) fn asked(question: &str) -> Vec<Asked> {
    let mut asked: Vec<Asked> = Vec::new();
    for identifier in found(question) {
        add(&mut asked, question, identifier);
    }
    let language = text::language(question).unwrap_or_default();
    let runs: Vec<(usize, usize)> = runs(question).collect();
    let mut n_guesses = 0;
    for (at, (start, _)) in runs.iter().enumerate().filter(|(_, run)| may_begin(&question[run.0..run.1], language)) {
        let begins_in_words = runs.get(at).is_some_and(|run| {
            let first = &question[run.0..run.1];
            first.chars().all(char::is_alphabetic) && !is_code_word(first)
        });
        for pair in runs[at..].windows(2).take(MAX_CODE_WORDS - 1) {
            let &[(_, before), (next, end)] = pair else { break };
            let run = &question[next..end];
            // "invoice TF/2026-27/001" is a word and a code.
            let is_other = run.contains(char::is_alphabetic) && begins_in_words;
            let goes_on = parts_code(&question[before..next]) && has_figures(run) && !is_other;
            if !goes_on || n_guesses == MAX_GUESSES {
                break;
            }
            let Some(compact) = compact(&question[*start..end]) else { continue };
            match asked.iter_mut().find(|known| known.is_at(*start, end) && known.kind != Kind::Dimension) {
                Some(known) => known.add(compact, OTHER_WRITING),
                None => {
                    n_guesses += 1;
                    let identity = identity(&compact);
                    let mut guess =
                        Asked { forms: Vec::new(), kind: Kind::Writing, start: *start, end, identity, is_guess: true };
                    guess.add(compact, OTHER_WRITING);
                    asked.push(guess);
                }
            }
        }
    }
    asked
}

fn add(asked: &mut Vec<Asked>, question: &str, identifier: Identifier) {
    let Identifier { text, kind, start, end } = identifier;
    let known = asked.iter_mut().rev().find(|known| known.is_at(start, end));
    match (kind, known) {
        // "12.03.2026" as it stands is one of the writings of that day.
        (Kind::Code | Kind::Number, Some(date)) if date.kind == Kind::Date => return date.add(text, 1.0),
        (Kind::Writing | Kind::OtherDate, Some(known)) => return known.add(text, OTHER_WRITING),
        _ => {}
    }
    let typed = &question[start..end];
    let others = match kind {
        Kind::Number => same_number(&text),
        Kind::Code => word_and_number(&text).and_then(|(word, number)| labelled(word, number)).into_iter().collect(),
        _ => Vec::new(),
    };
    let identity = match kind {
        Kind::Code | Kind::Writing => identity(typed),
        Kind::Labelled => labelled_identity(typed),
        Kind::Number | Kind::Dimension | Kind::Date | Kind::OtherDate => Identity::None,
    };
    let is_guess = kind == Kind::Writing;
    let mut new = Asked { forms: Vec::new(), kind, start, end, identity, is_guess };
    new.add(text, if is_guess { OTHER_WRITING } else { 1.0 });
    others.into_iter().for_each(|text| new.add(text, OTHER_WRITING));
    asked.push(new);
}

/// How far a code names one thing: one of letters and several figures does; one of few figures, or that begins like a count
/// ("90-day", "1990s") or has no letters, where it stands alone; a percentage never.
fn identity(code: &str) -> Identity {
    let n_figures = code.bytes().filter(u8::is_ascii_digit).count();
    let begins_with_figure = code.starts_with(|c: char| c.is_ascii_digit());
    let has_capitals = code.contains(char::is_uppercase);
    if !is_mixed(code) {
        let signs = ['$', '#', '/', '_'];
        return if n_figures >= MIN_FIGURES && code.contains(signs) { Identity::IfAlone } else { Identity::None };
    }
    if n_figures >= MIN_FIGURES && (!begins_with_figure || has_capitals) { Identity::Always } else { Identity::IfAlone }
}

/// How far a number with its word names one thing: "SKU 482" and "part 48291" do, "year 2026" and "error 9" where they stand
/// alone.
fn labelled_identity(typed: &str) -> Identity {
    const MIN_FIGURES_ALONE: usize = 5;
    let word = typed.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let n_figures = typed.bytes().filter(u8::is_ascii_digit).count();
    if is_currency(word) {
        return Identity::None;
    }
    let is_name = n_figures >= MIN_FIGURES_ALONE || n_figures >= MIN_FIGURES && is_code_word(word);
    if is_name { Identity::Always } else { Identity::IfAlone }
}

fn has_figures(run: &str) -> bool {
    run.contains(|c: char| c.is_ascii_digit())
}

/// Whether a code in several words may begin with this one.
fn may_begin(run: &str, language: Language) -> bool {
    if is_mixed(run) {
        return true;
    }
    let folded = fold(run);
    let is_word = run.bytes().all(|b| b.is_ascii_alphabetic()) && run.len() <= MAX_FIRST_BYTES;
    let is_code_letter = run.len() > 1 || run.bytes().all(|b| b.is_ascii_uppercase());
    let says_nothing = |language| is_stop_word(&folded, language) || is_question_word(&folded, language);
    is_word && is_code_letter && !says_nothing(language) && !says_nothing(Language::English)
}

/// Whether what stands between two words may stand inside a code.
fn parts_code(between: &str) -> bool {
    let joins = |c: char| matches!(c, ' ' | '\u{a0}' | '/') || is_hyphen(c) || is_dash(c.encode_utf8(&mut [0; 4]));
    !between.is_empty() && between.chars().take(4).count() <= 3 && between.chars().all(joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writings(question: &str) -> Vec<String> {
        let asked = asked(question).into_iter().filter(|asked| asked.identity != Identity::None);
        asked.map(|asked| asked.forms.iter().map(|form| form.text.as_str()).collect::<Vec<_>>().join("|")).collect()
    }

    #[test]
    fn a_code_is_asked_for_in_all_its_writings() {
        assert_eq!(writings("SKU-48291"), ["sku-48291|sku:48291|sku48291"]);
        assert_eq!(writings("sku48291"), ["sku48291|sku:48291"]);
        assert_eq!(writings("sku 48291"), ["sku:48291|sku48291"]);
        assert_eq!(writings("SKU\u{2013}48291"), ["sku-48291|sku:48291|sku48291"]);
        assert_eq!(writings("TF 2026-27 001"), ["tf202627", "tf202627001"]);
        assert_eq!(writings("G 28"), ["g28"]);
        assert_eq!(writings("error 9"), ["error:9|error9"]);
    }

    #[test]
    fn what_is_no_name_of_a_thing_is_none() {
        for question in ["3,5 mm", "what is 12", "50%", "12.03.2026", "a 1", "in 9 of 10 cases"] {
            assert_eq!(writings(question), [""; 0], "{question}");
        }
        let identity_of = |question: &str| asked(question)[0].identity;
        assert_eq!(identity_of("G28"), Identity::IfAlone);
        assert_eq!(identity_of("90-day"), Identity::IfAlone);
        assert_eq!(identity_of("27AAPFU0939F1ZV"), Identity::Always);
        assert_eq!(identity_of("$130"), Identity::IfAlone);
    }

    #[test]
    fn a_day_is_asked_for_in_all_its_writings() {
        let forms = |question: &str| -> Vec<String> {
            let dates = asked(question).into_iter().filter(|asked| asked.kind == Kind::Date);
            dates.flat_map(|asked| asked.forms.into_iter().map(|form| form.text)).collect()
        };
        assert_eq!(forms("of 12.03.2026"), ["2026-03-12", "12.03.2026"]);
        assert_eq!(forms("of 12/03/2026"), ["2026-03-12", "2026-12-03", "12/03/2026"]);
        assert_eq!(forms("of 12 March 2026"), ["2026-03-12"]);
    }

    proptest::proptest! {
        #[test]
        fn any_question_is_taken(question in "[A-Za-z0-9 /.,:#$–‑₹é-]{0,60}") {
            for asked in asked(&question) {
                proptest::prop_assert!(!asked.forms.is_empty());
                proptest::prop_assert!(question.get(asked.start..asked.end).is_some());
            }
        }
    }
}
