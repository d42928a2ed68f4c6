//! Negation and direction: whether a claim denies what its passage affirms, or turns a bound, an order or an opposite around.

use super::Problem;
use crate::{answer::understand::folded, lexical::analysis, text::Language};

/// Folded words that deny what follows.
const NEGATIONS: [&str; 34] = [
    "not", "no", "never", "neither", "nor", "cannot", "without", "none", "nobody", "nothing", "dont", "doesnt", "isnt",
    "arent", "wont", "shouldnt", "mustnt", "cant", "avoid", "nicht", "kein", "keine", "keinen", "keinem", "keiner",
    "nie", "niemals", "ohne", "pas", "jamais", "sans", "nunca", "sin", "non",
];
/// Folded words that say of themselves that something is not to be.
const FORBIDDING: [&str; 14] = [
    "prohibited",
    "forbidden",
    "disallowed",
    "unsafe",
    "impossible",
    "unsuitable",
    "verboten",
    "untersagt",
    "unzulassig",
    "interdit",
    "interdite",
    "prohibido",
    "prohibida",
    "inadmissible",
];
/// What these forbid in other words, by stem.
const PERMITTING: [&str; 18] = [
    "allowed",
    "permitted",
    "safe",
    "possible",
    "suitable",
    "may",
    "can",
    "must",
    "should",
    "do",
    "erlaubt",
    "zulassig",
    "gestattet",
    "darf",
    "durfen",
    "autorise",
    "permitido",
    "admissible",
];
/// Folded words at which what is denied ends.
const ENDS: [&str; 30] = [
    "before",
    "until",
    "unless",
    "while",
    "when",
    "if",
    "because",
    "but",
    "after",
    "since",
    "although",
    "whereas",
    "except",
    "so",
    "otherwise",
    "and",
    "which",
    "bevor",
    "bis",
    "wenn",
    "weil",
    "aber",
    "sonst",
    "falls",
    "avant",
    "mais",
    "si",
    "pero",
    "cuando",
    "only",
];
/// Words that a negation reaches, at most.
const SCOPE: usize = 3;
/// What is so often said with "not" that it is no negation: "not only".
const NOT_ONLY: [&str; 2] = ["only", "nur"];

/// Opposites, folded.
const OPPOSITES: [(&str, &str); 44] = [
    ("open", "close"),
    ("opened", "closed"),
    ("opening", "closing"),
    ("on", "off"),
    ("left", "right"),
    ("clockwise", "counterclockwise"),
    ("clockwise", "anticlockwise"),
    ("increase", "decrease"),
    ("increases", "decreases"),
    ("increased", "decreased"),
    ("raise", "lower"),
    ("before", "after"),
    ("front", "rear"),
    ("front", "back"),
    ("top", "bottom"),
    ("inlet", "outlet"),
    ("input", "output"),
    ("hot", "cold"),
    ("loosen", "tighten"),
    ("connect", "disconnect"),
    ("connected", "disconnected"),
    ("enable", "disable"),
    ("enabled", "disabled"),
    ("start", "stop"),
    ("minimum", "maximum"),
    ("positive", "negative"),
    ("internal", "external"),
    ("upper", "lower"),
    ("horizontal", "vertical"),
    ("always", "never"),
    ("wet", "dry"),
    ("first", "last"),
    ("add", "remove"),
    ("lock", "unlock"),
    ("engage", "disengage"),
    ("pass", "fail"),
    ("inside", "outside"),
    ("more", "less"),
    ("higher", "lower"),
    ("above", "below"),
    ("links", "rechts"),
    ("offnen", "schliessen"),
    ("ein", "aus"),
    ("vor", "nach"),
];

/// Phrases that bound from above (and mean "less"), and from below (and mean "more"), folded.
const DOWN: [&str; 34] = [
    "at most",
    "no more than",
    "not more than",
    "up to",
    "maximum",
    "max",
    "less than",
    "below",
    "under",
    "lower than",
    "smaller than",
    "not exceed",
    "never exceed",
    "not above",
    "not be exceeded",
    "must not exceed",
    "fewer than",
    "shorter than",
    "within",
    "hochstens",
    "maximal",
    "weniger als",
    "unter",
    "bis zu",
    "nicht mehr als",
    "nicht uber",
    "au plus",
    "moins de",
    "como maximo",
    "menos de",
    "not greater than",
    "not over",
    "not higher than",
    "upper limit",
];
const UP: [&str; 31] = [
    "at least",
    "no less than",
    "not less than",
    "minimum",
    "min",
    "more than",
    "above",
    "over",
    "higher than",
    "greater than",
    "larger than",
    "exceeds",
    "exceeding",
    "exceed",
    "longer than",
    "not below",
    "not under",
    "not lower than",
    "not fall below",
    "mindestens",
    "mehr als",
    "uber",
    "minimal",
    "nicht weniger als",
    "nicht unter",
    "au moins",
    "plus de",
    "al menos",
    "mas de",
    "from",
    "lower limit",
];

/// A word of a sentence with what is said of it.
struct Word {
    folded: String,
    stem: String,
    is_content: bool,
    /// A comma or the like stands behind it.
    ends_clause: bool,
}

fn words(text: &str) -> Vec<Word> {
    let plain = text.replace(['’', '\''], "");
    let mut words: Vec<Word> = Vec::new();
    let mut last = 0;
    analysis::for_each_word(&plain, |start, end| {
        if let Some(before) = words.last_mut() {
            before.ends_clause = plain[last..start].contains([',', ';', ':', '.', '!', '?', '\n']);
        }
        last = end;
        let folded = analysis::fold(&plain[start..end]);
        let stem = analysis::words(&folded, Language::English).into_iter().next().map(|term| term.text);
        let is_frame = analysis::is_question_word(&folded, Language::English) || LIGHT.contains(&folded.as_str());
        let is_content = stem.is_some() && !is_frame && !NEGATIONS.contains(&folded.as_str());
        words.push(Word { stem: stem.unwrap_or_default(), is_content, folded, ends_clause: false });
    });
    words
}

/// The words behind a place up to the end of what they say together.
fn clause_after(words: &[Word], at: usize) -> &[Word] {
    let rest = words.get(at + 1..).unwrap_or_default();
    if words.get(at).is_some_and(|word| word.ends_clause) {
        return &[];
    }
    let n = rest.iter().position(|word| ENDS.contains(&word.folded.as_str())).unwrap_or(rest.len());
    let end = rest[..n].iter().position(|word| word.ends_clause).map_or(n, |at| at + 1);
    &rest[..end]
}

/// The words before a place from the beginning of what they say together.
fn clause_before(words: &[Word], at: usize) -> &[Word] {
    let before = &words[..at];
    let start = before.iter().rposition(|word| word.ends_clause).map_or(0, |at| at + 1);
    &before[start..]
}

/// Words that carry no meaning of their own beside a negation.
const LIGHT: [&str; 22] = [
    "must", "may", "shall", "need", "needs", "been", "being", "were", "so", "too", "also", "only", "ever", "wurde",
    "werden", "ist", "sein", "darf", "any", "make", "sure", "let",
];

/// The runs of content words that are denied, by stem.
fn denied(words: &[Word]) -> Vec<Vec<String>> {
    let mut scopes = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let is_only = words.get(at + 1).is_some_and(|next| NOT_ONLY.contains(&next.folded.as_str()));
        if FORBIDDING.contains(&word.folded.as_str()) {
            // "Smoking is prohibited": what stands before it is.
            let before =
                words[..at].iter().rev().filter(|word| word.is_content && !PERMITTING.contains(&word.folded.as_str()));
            let mut scope: Vec<String> = before.take(SCOPE).map(|word| word.stem.clone()).collect();
            scope.extend(words[at + 1..].iter().filter(|word| word.is_content).take(1).map(|word| word.stem.clone()));
            scopes.push(scope);
        }
        if !NEGATIONS.contains(&word.folded.as_str()) || is_only {
            continue;
        }
        // What a bound is made of ("not more than") is compared as a bound.
        if bounds_at(words, at) {
            continue;
        }
        let after = clause_after(words, at).iter();
        let is_denied = |word: &&Word| word.is_content && !PERMITTING.contains(&word.folded.as_str());
        let mut scope: Vec<String> = after.filter(is_denied).take(SCOPE).map(|word| word.stem.clone()).collect();
        // In German the verb may stand before, "is not allowed" denies what came before it, and so does a negation at the end.
        let permits = clause_after(words, at).iter().take(3).any(|word| PERMITTING.contains(&word.folded.as_str()));
        if scope.is_empty() || permits || matches!(word.folded.as_str(), "nicht" | "pas") {
            let before = clause_before(words, at).iter().rev();
            scope.extend(before.filter(|word| word.is_content).take(SCOPE).map(|word| word.stem.clone()));
        }
        scopes.push(scope);
    }
    scopes
}

fn bounds_at(words: &[Word], at: usize) -> bool {
    let mut run = String::new();
    for word in words[at..].iter().take(5) {
        if !run.is_empty() {
            run.push(' ');
        }
        run.push_str(&word.folded);
        if DOWN.contains(&run.as_str()) || UP.contains(&run.as_str()) {
            return true;
        }
    }
    false
}

/// What of a claim's polarity its passage contradicts; `passage` is the part of it that says the same.
pub(super) fn conflicts(claim: &str, passage: &str) -> Vec<Problem> {
    let (claimed, said) = (words(claim), words(passage));
    let mut problems = Vec::new();
    let (denied_claim, denied_passage) = (denied(&claimed), denied(&said));
    if is_turned(&denied_claim, &said, &denied_passage) || is_turned(&denied_passage, &claimed, &denied_claim) {
        problems.push(Problem::Negation);
    }
    problems.extend(opposite(&claimed, &said).map(|(one, other)| Problem::Opposite(one, other)));
    if turns_bound(claim, passage) {
        problems.push(Problem::Direction);
    }
    problems
}

/// Whether something that one side denies is affirmed by the other: it has those words, and denies none of them.
fn is_turned(scopes: &[Vec<String>], other: &[Word], other_denied: &[Vec<String>]) -> bool {
    scopes.iter().any(|scope| {
        let shared: Vec<&String> =
            scope.iter().filter(|stem| other.iter().any(|word| word.is_content && word.stem == **stem)).collect();
        // The word right behind the negation decides; words further on may be shared by chance.
        let has_head = scope.first().is_some_and(|head| shared.contains(&head)) || shared.len() * 2 > scope.len();
        has_head && !shared.is_empty() && !other_denied.iter().flatten().any(|stem| scope.contains(stem))
    })
}

/// A word of the claim that the passage lacks, while it has the opposite.
fn opposite(claim: &[Word], passage: &[Word]) -> Option<(String, String)> {
    let has = |words: &[Word], folded: &str| words.iter().any(|word| word.folded == folded);
    OPPOSITES
        .iter()
        .flat_map(|(one, other)| [(*one, *other), (*other, *one)])
        .find(|(one, other)| has(claim, one) && !has(passage, one) && has(passage, other) && !has(claim, other))
        .map(|(one, other)| (one.to_owned(), other.to_owned()))
}

/// Whether the bounds of a claim and its passage point in opposite ways, or the claim makes or loses one.
fn turns_bound(claim: &str, passage: &str) -> bool {
    let (own, said) = (bounds(claim), bounds(passage));
    let has_figure = claim.contains(|c: char| c.is_ascii_digit());
    match (own, said) {
        ((true, false), (false, true)) | ((false, true), (true, false)) => true,
        // "is 5 bar" of "at most 5 bar" loses the bound, and "at least 5 bar" of "is 5 bar" makes one.
        ((false, false), (true, false) | (false, true)) | ((true, false) | (false, true), (false, false)) => has_figure,
        _ => false,
    }
}

/// Whether a text bounds from above and from below; longer phrases first, so that "not below" is no "below".
fn bounds(text: &str) -> (bool, bool) {
    let signs = (text.contains(['≤', '<']), text.contains(['≥', '>']));
    let mut all = format!(" {} ", folded(text).join(" "));
    let mut phrases: Vec<(&str, bool)> =
        DOWN.iter().map(|phrase| (*phrase, true)).chain(UP.iter().map(|phrase| (*phrase, false))).collect();
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    let mut found = signs;
    for (phrase, is_down) in phrases {
        let padded = format!(" {phrase} ");
        while let Some(at) = all.find(&padded) {
            // "from the pump" bounds nothing: a figure must stand near, or the word itself be one of bounds.
            let near =
                all[at + padded.len()..].split(' ').take(4).any(|word| word.contains(|c: char| c.is_ascii_digit()));
            let is_noun = matches!(
                phrase,
                "maximum" | "minimum" | "max" | "min" | "maximal" | "minimal" | "upper limit" | "lower limit"
            );
            if near || is_noun {
                if is_down { found.0 = true } else { found.1 = true }
            }
            all.replace_range(at..at + padded.len() - 1, " ");
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(claim: &str, passage: &str) -> bool {
        conflicts(claim, passage).is_empty()
    }

    #[test]
    fn negation_must_agree() {
        for (claim, passage) in [
            ("Do not open the valve while the pump runs.", "The valve must not be opened while the pump is running."),
            ("The pump must not run dry.", "Never let the pump run dry."),
            ("Check the fuse if the pump does not start.", "If the pump does not start, check the fuse."),
            ("Check the fuse.", "If the pump does not start, check the fuse."),
            ("Lubricant is not needed.", "No lubricant is needed."),
            ("Smoking is not allowed.", "Smoking is prohibited."),
            ("The pump stops.", "Do not open the valve before the pump stops."),
            ("Not only water but also oil is pumped.", "Water and oil are pumped."),
            ("Die Pumpe darf nicht trocken laufen.", "Die Pumpe darf niemals trocken laufen."),
        ] {
            assert!(holds(claim, passage), "{claim} / {passage}: {:?}", conflicts(claim, passage));
        }
        for (claim, passage) in [
            ("Open the valve while the pump runs.", "Do not open the valve while the pump runs."),
            ("The pump may run dry.", "The pump must not run dry."),
            ("Lubricant is needed.", "No lubricant is needed."),
            ("The seal is not reusable.", "The seal is reusable."),
            ("Smoking is allowed.", "Smoking is prohibited."),
            ("The pump never needs oil.", "The pump needs oil."),
            ("The cover can be removed without tools.", "The cover can be removed with tools."),
        ] {
            assert!(!holds(claim, passage), "{claim} / {passage}");
        }
    }

    #[test]
    fn bounds_and_opposites_must_agree() {
        for (claim, passage) in [
            ("The inlet pressure is at most 5 bar.", "The maximum inlet pressure is 5 bar."),
            ("It must not exceed 60 °C.", "The temperature is at most 60 °C."),
            ("Use at least 2 litres.", "Not less than 2 litres are used."),
            ("Turn the knob clockwise.", "Turn the knob clockwise until it stops."),
        ] {
            assert!(holds(claim, passage), "{claim} / {passage}: {:?}", conflicts(claim, passage));
        }
        for (claim, passage) in [
            ("The inlet pressure is at least 5 bar.", "The inlet pressure is at most 5 bar."),
            ("The inlet pressure is 5 bar.", "The maximum inlet pressure is 5 bar."),
            ("The pressure is more than 5 bar.", "The pressure is less than 5 bar."),
            ("Turn the knob counterclockwise.", "Turn the knob clockwise."),
            ("Close the outlet valve.", "Close the inlet valve."),
            ("Tighten the screw before testing.", "Tighten the screw after testing."),
        ] {
            assert!(!holds(claim, passage), "{claim} / {passage}");
        }
    }
}
