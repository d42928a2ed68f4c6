//! What a question wants to see, by the phrases with which people ask for it in English, German, French and Spanish. All are
//! folded: without accents, lower case.

use super::DocumentClass;

/// A kind of passage that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A safety warning.
    Warning,
    /// Steps: how something is done.
    Procedure,
    /// A table or list.
    Table,
    /// What something is or means.
    Definition,
}

/// Phrases that ask for a kind of passage; the first kind that is asked for counts.
const WANTED: [(Wanted, &[&str]); 4] = [
    (
        Wanted::Warning,
        &[
            "warning",
            "warnings",
            "danger",
            "dangers",
            "hazard",
            "hazards",
            "is it safe",
            "safety",
            "warnung",
            "warnungen",
            "gefahr",
            "gefahren",
            "sicherheit",
            "sicherheitshinweise",
            "avertissement",
            "avertissements",
            "risques",
            "securite",
            "advertencia",
            "advertencias",
            "peligro",
            "peligros",
            "seguridad",
        ],
    ),
    (
        Wanted::Procedure,
        &[
            "how do i",
            "how do you",
            "how do we",
            "how to",
            "how can i",
            "how can you",
            "how should i",
            "steps",
            "procedure",
            "wie kann ich",
            "wie kann man",
            "wie wird",
            "wie werden",
            "wie muss",
            "schritte",
            "vorgehen",
            "comment",
            "etapes",
            "procedure",
            "como se",
            "como puedo",
            "como hago",
            "pasos",
            "procedimiento",
        ],
    ),
    (
        Wanted::Table,
        &["table", "tables", "tabelle", "tabellen", "tableau", "tableaux", "tabla", "tablas", "list of", "liste der"],
    ),
    (
        Wanted::Definition,
        &[
            "what is",
            "what are",
            "what does",
            "define",
            "definition",
            "meaning of",
            "was ist",
            "was sind",
            "was bedeutet",
            "bedeutung",
            "qu est ce",
            "que signifie",
            "definicion",
            "que es",
            "que significa",
        ],
    ),
];

/// Phrases that ask for a row of a table, or a value of one.
const ROW_LEVEL: [&str; 43] = [
    "which row",
    "which item",
    "which items",
    "which line",
    "which part",
    "which parts",
    "price of",
    "unit price",
    "quantity of",
    "quantity for",
    "qty",
    "how many",
    "how much does",
    "how much is",
    "part number of",
    "part number for",
    "welche zeile",
    "welche position",
    "welcher artikel",
    "welches teil",
    "preis von",
    "preis der",
    "preis des",
    "preis fur",
    "einzelpreis",
    "menge",
    "wie viele",
    "wieviele",
    "anzahl",
    "stuckzahl",
    "was kostet",
    "quelle ligne",
    "quel article",
    "prix de",
    "prix du",
    "quantite",
    "combien",
    "que fila",
    "que articulo",
    "precio de",
    "precio del",
    "cuantos",
    "cuantas",
];

fn has(folded: &str, phrase: &str) -> bool {
    folded.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&folded[..at], &folded[at + phrase.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    })
}

/// The kind of passage that the folded words of a question ask for.
pub(super) fn wanted(folded: &str) -> Option<Wanted> {
    WANTED.iter().find(|(_, phrases)| phrases.iter().any(|phrase| has(folded, phrase))).map(|(wanted, _)| *wanted)
}

/// Whether the folded words of a question ask for a row or a value of one.
pub(super) fn is_row_level(folded: &str) -> bool {
    ROW_LEVEL.iter().any(|phrase| has(folded, phrase))
}

/// The class of document in which the folded words of a question look: "in the invoice", "laut Handbuch".
pub(super) fn class(folded: &str) -> Option<DocumentClass> {
    const LEADS: [&str; 18] = [
        "in", "on", "from", "of", "per", "auf", "aus", "im", "laut", "gemass", "dans", "sur", "selon", "du", "en",
        "segun", "the", "der",
    ];
    const ARTICLES: [&str; 14] =
        ["the", "this", "an", "a", "der", "dem", "den", "die", "la", "le", "el", "our", "my", "your"];
    let words: Vec<&str> = folded.split(' ').collect();
    (1..words.len()).find_map(|at| {
        let before = words[..at].iter().rev().find(|word| !ARTICLES.contains(*word) || at == 1)?;
        DocumentClass::of_word(words[at]).filter(|_| LEADS.contains(before))
    })
}
