//! Which type a question is of, by the phrases with which people ask in English, German, French and Spanish.

use super::folded;
use crate::{
    protocol::QuestionType,
    retrieve::{Question, Route, question::Wanted, route},
};

/// Phrases of each type, folded; the first type that has one counts.
const PHRASES: [(QuestionType, &[&str]); 6] = [
    (
        QuestionType::Comparison,
        &[
            "difference between",
            "differences between",
            "differ from",
            "compare",
            "compared to",
            "compared with",
            "versus",
            "vs",
            "unterschied zwischen",
            "unterscheidet sich",
            "vergleich",
            "difference entre",
            "diferencia entre",
        ],
    ),
    (
        QuestionType::Average,
        &[
            "average",
            "mean value",
            "mean price",
            "on average",
            "durchschnitt",
            "durchschnittlich",
            "durchschnittliche",
            "mittelwert",
            "moyenne",
            "promedio",
        ],
    ),
    (
        QuestionType::Minimum,
        &[
            "lowest",
            "smallest",
            "minimum",
            "cheapest",
            "least expensive",
            "lightest",
            "shortest",
            "fewest",
            "niedrigste",
            "niedrigsten",
            "kleinste",
            "kleinsten",
            "gunstigste",
            "billigste",
            "le moins cher",
            "la plus petite",
            "mas barato",
            "menor",
        ],
    ),
    (
        QuestionType::Maximum,
        &[
            "highest",
            "largest",
            "maximum",
            "most expensive",
            "heaviest",
            "longest",
            "biggest",
            "greatest",
            "hochste",
            "hochsten",
            "grosste",
            "grossten",
            "teuerste",
            "teuersten",
            "le plus cher",
            "la plus grande",
            "mas caro",
            "mayor",
        ],
    ),
    (
        QuestionType::Count,
        &["how many", "number of", "count", "wie viele", "wieviele", "anzahl", "combien de", "cuantos", "cuantas"],
    ),
    (
        QuestionType::Sum,
        &[
            "total",
            "sum",
            "sum of",
            "in all",
            "altogether",
            "together",
            "combined",
            "overall",
            "gesamt",
            "insgesamt",
            "summe",
            "gesamtbetrag",
            "zusammen",
            "somme",
            "au total",
            "en total",
            "suma",
        ],
    ),
];

const LISTS: [&str; 22] = [
    "list all",
    "list the",
    "list every",
    "list of all",
    "which are all",
    "show all",
    "name all",
    "all the",
    "what are the",
    "which parts",
    "which items",
    "which suppliers",
    "which documents",
    "welche teile",
    "welche sind",
    "nenne alle",
    "liste alle",
    "alle teile",
    "quelles sont",
    "liste des",
    "cuales son",
    "enumera",
];

const YES_NO: [&str; 34] = [
    "is", "are", "was", "were", "can", "could", "does", "do", "did", "has", "have", "had", "may", "must", "should",
    "will", "would", "ist", "sind", "kann", "konnen", "darf", "muss", "hat", "haben", "wird", "est", "sont", "peut",
    "es", "puede", "hay", "debe", "tiene",
];

/// The words that ask for an aggregate and say nothing of what it is about.
pub(in crate::answer) fn aggregate_words() -> impl Iterator<Item = &'static str> {
    let phrases = PHRASES.iter().filter(|(kind, _)| kind.is_aggregate()).flat_map(|(_, phrases)| phrases.iter());
    phrases.flat_map(|phrase| phrase.split(' '))
}

pub(super) fn question_type(text: &str) -> QuestionType {
    let words = folded(text);
    let all = format!(" {} ", words.join(" "));
    let has = |phrase: &str| all.contains(&format!(" {phrase} "));
    let question = Question::parse(text);
    if route::route(&question, false).route == Route::Exact {
        return QuestionType::Identifier;
    }
    if let Some((kind, _)) = PHRASES.iter().find(|(_, phrases)| phrases.iter().any(|phrase| has(phrase))) {
        return *kind;
    }
    let first = words.first().map_or("", String::as_str);
    // "How do I …" asks for steps, "how is … spelled" for a fact; both begin alike and are told by what is found.
    if question.wanted == Some(Wanted::Procedure) || asks_how(&words) {
        return QuestionType::Procedure;
    }
    if LISTS.iter().any(|phrase| has(phrase)) {
        return QuestionType::List;
    }
    if question.is_row_level {
        return QuestionType::Row;
    }
    if YES_NO.contains(&first) {
        return QuestionType::YesNo;
    }
    QuestionType::Fact
}

/// "How is the seal changed", "how are bolts tightened", "wie wird": what one does.
fn asks_how(words: &[String]) -> bool {
    let second = words.get(1).map_or("", String::as_str);
    match words.first().map_or("", String::as_str) {
        "how" => matches!(second, "do" | "to" | "can" | "should" | "is" | "are" | "must"),
        "wie" => matches!(second, "wird" | "werden" | "kann" | "muss" | "soll"),
        "comment" => true,
        _ => false,
    }
}
