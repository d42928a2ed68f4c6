//! Takes a question with several questions in it apart.

use super::MAX_PARTS;
use crate::lexical::analysis;

/// Words with which a further question begins after "and" or a comma.
const BEGINNINGS: [&str; 38] = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "is", "are", "does", "do", "can", "must",
    "may", "should", "was", "wann", "wer", "wo", "warum", "wie", "welche", "welcher", "welches", "wieviel", "quel",
    "quelle", "quand", "comment", "pourquoi", "combien", "cual", "cuando", "donde", "como", "cuanto",
];
/// Words that join two questions.
const JOINTS: [&str; 9] = ["and", "und", "et", "y", "also", "or", "oder", "as", "then"];

/// The parts of a question in order, at most [`MAX_PARTS`]; the question as it stands where it has only one, or more.
pub(super) fn parts(question: &str) -> Vec<String> {
    let whole = || vec![question.to_owned()];
    // What is quoted is not taken apart.
    if question.contains(['"', '“', '„', '«']) {
        return whole();
    }
    let mut parts: Vec<String> = Vec::new();
    for sentence in question.split_inclusive(['?', ';', '\n']) {
        for part in at_joints(sentence) {
            let part = part.trim().trim_end_matches([',', ';']).trim();
            if n_content(part) == 0 {
                continue;
            }
            parts.push(part.to_owned());
        }
    }
    // Sentences that only lead up to the question ("The pump leaks. What now?") stay with it.
    if parts.len() < 2 || parts.len() > MAX_PARTS || parts.iter().any(|part| !is_question(part)) {
        whole()
    } else {
        parts
    }
}

fn is_question(part: &str) -> bool {
    let first = part.split(|c: char| !c.is_alphanumeric()).next().map(analysis::fold).unwrap_or_default();
    part.ends_with('?') || BEGINNINGS.contains(&first.as_str())
}

/// Cuts before a joint that a word follows with which a question begins.
fn at_joints(sentence: &str) -> Vec<&str> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    analysis::for_each_word(sentence, |start, end| words.push((start, end)));
    let folded: Vec<String> = words.iter().map(|(start, end)| analysis::fold(&sentence[*start..*end])).collect();
    let begins = |at: usize| folded.get(at).is_some_and(|word| BEGINNINGS.contains(&word.as_str()));
    let mut parts = Vec::new();
    let mut from = 0;
    if !begins(0) {
        return vec![sentence];
    }
    for at in 1..folded.len().saturating_sub(2) {
        if JOINTS.contains(&folded[at].as_str()) && begins(at + 1) && folded[at] != "as" {
            // "how and when" asks one thing in two ways: words of their own must stand on both sides.
            let (start, next) = (words[at].0, words[at + 1].0);
            if n_content(&sentence[from..start]) > 0 && n_content(&sentence[next..]) > 0 {
                parts.push(&sentence[from..start]);
                from = next;
            }
        }
    }
    parts.push(&sentence[from..]);
    parts
}

/// Words that are no frame of a question.
fn n_content(text: &str) -> usize {
    let language = crate::text::language(text).unwrap_or_default();
    let is_content = |word: &analysis::Term| {
        let folded = analysis::fold(&text[word.start..word.end]);
        !analysis::is_question_word(&folded, language) && !BEGINNINGS.contains(&folded.as_str())
    };
    analysis::words(text, language).iter().filter(|word| is_content(word)).count()
}
