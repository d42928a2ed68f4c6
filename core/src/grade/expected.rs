//! What kind of thing a question asks for, and whether a text holds one that the question does not.

use crate::lexical::analysis;
use serde::{Deserialize, Serialize};

/// A kind of thing that answers a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// Anything.
    #[default]
    Anything,
    /// A number: how many, how much, how long.
    Number,
    /// A date, a year or a time.
    Time,
    /// Somebody or something with a name.
    Name,
    /// A place.
    Place,
    /// A reason.
    Reason,
}

/// The beginnings of questions and what they ask for, folded; the first that stands in a question counts.
const ASKED: [(Expected, &[&str]); 5] = [
    (
        Expected::Time,
        &[
            "when",
            "what year",
            "which year",
            "what date",
            "which date",
            "what day",
            "what time",
            "what month",
            "in what century",
            "what century",
            "which century",
            "what decade",
            "how often",
            "wann",
            "welches jahr",
            "in welchem jahr",
            "welches datum",
            "quand",
            "quelle annee",
            "quelle date",
            "cuando",
            "que ano",
            "que fecha",
            "quando",
        ],
    ),
    (
        Expected::Number,
        &[
            "how many",
            "how much",
            "how long",
            "how far",
            "how old",
            "how large",
            "how big",
            "how high",
            "how tall",
            "how deep",
            "how wide",
            "how fast",
            "how heavy",
            "how thick",
            "what percentage",
            "what percent",
            "what number",
            "what temperature",
            "what pressure",
            "what torque",
            "what voltage",
            "what speed",
            "at what age",
            "what amount",
            "which torque",
            "which pressure",
            "wie viele",
            "wie viel",
            "wieviel",
            "wie lange",
            "wie hoch",
            "wie weit",
            "wie gross",
            "wie schwer",
            "welches drehmoment",
            "welcher druck",
            "welche spannung",
            "combien",
            "quelle pression",
            "quel couple",
            "cuantos",
            "cuantas",
            "cuanto",
            "cuanta",
            "que presion",
            "quanti",
            "quanto",
        ],
    ),
    (
        Expected::Place,
        &[
            "where",
            "in what city",
            "what city",
            "what country",
            "which country",
            "which city",
            "wo",
            "wohin",
            "ou est",
            "donde",
            "dove",
        ],
    ),
    (
        Expected::Name,
        &[
            "who",
            "whose",
            "whom",
            "which company",
            "what company",
            "which person",
            "wer",
            "wem",
            "wen",
            "qui est",
            "quien",
            "chi",
        ],
    ),
    (
        Expected::Reason,
        &["why", "what caused", "for what reason", "warum", "weshalb", "wieso", "pourquoi", "por que", "perche"],
    ),
];

/// What a question asks for. O(n).
#[must_use]
pub fn expected(question: &str) -> Expected {
    let mut words = Vec::new();
    analysis::for_each_word(question, |start, end| words.push(analysis::fold(&question[start..end])));
    let folded = format!(" {} ", words.join(" "));
    let has = |phrase: &&str| folded.contains(&format!(" {phrase} "));
    ASKED.iter().find(|(_, phrases)| phrases.iter().any(has)).map_or(Expected::Anything, |(expected, _)| *expected)
}

impl Expected {
    /// Whether a text holds a thing of the kind that does not stand in the question itself. O(n).
    #[must_use]
    pub fn is_in(self, text: &str, question: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Number => has_number(text, question),
            Self::Time => has_time(text, question),
            Self::Name | Self::Place => has_name(text, question),
            Self::Reason => has_reason(text),
        }
    }
}

/// Numbers in words; one and two say too little.
const NUMBER_WORDS: [&str; 30] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen", "hundred",
    "thousand", "million", "billion", "half", "quarter", "third", "twice", "both", "zwei", "drei", "vier", "funf",
    "zehn", "deux", "trois", "dos", "tres",
];

fn has_number(text: &str, question: &str) -> bool {
    let mut found = false;
    let known: Vec<String> = folded_words(question);
    analysis::for_each_word(text, |start, end| {
        let folded = analysis::fold(&text[start..end]);
        let is_number = folded.starts_with(|c: char| c.is_ascii_digit()) || NUMBER_WORDS.contains(&folded.as_str());
        found |= is_number && !known.contains(&folded);
    });
    found
}

const TIME_WORDS: [&str; 62] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "day",
    "days",
    "daily",
    "week",
    "weeks",
    "weekly",
    "month",
    "months",
    "monthly",
    "year",
    "years",
    "yearly",
    "annually",
    "hour",
    "hours",
    "century",
    "decade",
    "today",
    "spring",
    "summer",
    "autumn",
    "winter",
    "before",
    "after",
    "during",
    "januar",
    "februar",
    "marz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "taglich",
    "jahrlich",
    "monatlich",
    "stunden",
    "janvier",
    "fevrier",
    "juin",
    "juillet",
    "decembre",
    "enero",
];

fn has_time(text: &str, question: &str) -> bool {
    let known = folded_words(question);
    let mut found = false;
    analysis::for_each_word(text, |start, end| {
        let folded = analysis::fold(&text[start..end]);
        let is_time = folded.starts_with(|c: char| c.is_ascii_digit()) || TIME_WORDS.contains(&folded.as_str());
        found |= is_time && !known.contains(&folded);
    });
    found
}

/// A capital inside a sentence, of a word that the question lacks.
fn has_name(text: &str, question: &str) -> bool {
    let known = folded_words(question);
    let mut found = false;
    analysis::for_each_word(text, |start, end| {
        let word = &text[start..end];
        let is_capital = word.starts_with(char::is_uppercase);
        let before = text[..start].trim_end_matches([' ', '"', '“', '(', '\'']);
        let begins = before.is_empty() || before.ends_with(['.', '!', '?', ':', '\n']);
        let is_long = word.chars().count() > 1;
        found |= is_capital && !begins && is_long && !known.contains(&analysis::fold(word));
    });
    // A name may begin the sentence, too: two capitals in a row do.
    found || begins_with_name(text, &known)
}

fn begins_with_name(text: &str, known: &[String]) -> bool {
    let mut words = text.split_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && !known.contains(&analysis::fold(word));
    is_name(first) && is_name(second)
}

fn has_reason(text: &str) -> bool {
    const MARKS: [&str; 14] = [
        "because",
        "due",
        "since",
        "so",
        "caused",
        "causes",
        "reason",
        "therefore",
        "weil",
        "da",
        "wegen",
        "damit",
        "car",
        "porque",
    ];
    folded_words(text).iter().any(|word| MARKS.contains(&word.as_str()))
}

fn folded_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    analysis::for_each_word(text, |start, end| words.push(analysis::fold(&text[start..end])));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_tell_what_they_ask_for() {
        for (question, kind) in [
            ("When was the seal changed?", Expected::Time),
            ("How many bolts hold the lid?", Expected::Number),
            ("Welches Drehmoment brauchen die Schrauben?", Expected::Number),
            ("Who supplied the pump?", Expected::Name),
            ("Where is the valve?", Expected::Place),
            ("Why does it stop?", Expected::Reason),
            ("What is a seal?", Expected::Anything),
        ] {
            assert_eq!(expected(question), kind, "{question}");
        }
    }

    #[test]
    fn what_the_question_says_itself_is_no_answer() {
        assert!(Expected::Number.is_in("It has 12 bolts.", "how many bolts in the 8 mm lid"));
        assert!(!Expected::Number.is_in("It is an 8 mm lid.", "how many bolts in the 8 mm lid"));
        assert!(Expected::Time.is_in("Change it every week.", "how often is oil changed"));
        assert!(Expected::Name.is_in("It came from Acme.", "who supplied the pump"));
        assert!(!Expected::Name.is_in("The pump came late.", "who supplied the pump"));
    }
}
