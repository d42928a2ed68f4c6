//! Puts into a question what it only refers to: "and for the M8 version?", "how is it removed?".

use super::folded;
use crate::{
    lexical::analysis,
    retrieve::{Question, question::Named},
    text::{self, Language},
};

/// Beginnings of a question that goes on with the one before.
const LEADS: [&[&str]; 17] = [
    &["and", "what", "about"],
    &["and", "how", "about"],
    &["what", "about"],
    &["how", "about"],
    &["and", "for"],
    &["and", "in"],
    &["and", "the"],
    &["and", "with"],
    &["und", "fur"],
    &["und", "bei"],
    &["und", "die"],
    &["und", "der"],
    &["und", "das"],
    &["et", "pour"],
    &["y", "para"],
    &["was", "ist", "mit"],
    &["and"],
];
/// Words that stand for something said before.
const PRONOUNS: [&str; 26] = [
    "it", "its", "they", "them", "their", "he", "she", "his", "him", "her", "this", "that", "these", "those", "er",
    "sie", "es", "dieser", "diese", "dieses", "damit", "davon", "dafur", "elle", "ella", "ellos",
];
/// Turns back that are looked at for something to refer to.
const MAX_TURNS: usize = 3;

/// The question with what it refers to put in; `None` where it stands alone or there is nothing to refer to. `before` are the
/// questions before it, the last one last.
pub(super) fn resolve(question: &str, before: &[String]) -> Option<String> {
    let words = folded(question);
    let lead = LEADS.iter().find(|lead| words.len() >= lead.len() && lead.iter().zip(&words).all(|(l, w)| l == w));
    let last = before.iter().rev().take(MAX_TURNS).find(|turn| !topic(turn).is_empty())?;
    if let Some(lead) = lead {
        let rest = after_words(question, lead.len()).trim_end_matches(['?', '.', '!', ' ']).trim();
        // "and how is it removed?" is a whole question behind its "and".
        let stands_alone = lead.len() == 1 && n_content(rest) > 2 && !rest.contains("version");
        if !rest.is_empty() && !stands_alone {
            return Some(substituted(last, rest));
        }
    }
    let at = words.iter().position(|word| PRONOUNS.contains(&word.as_str()));
    // "this pump" names it itself; "that" joins sentences, unless it stands at the end or is asked about.
    let refers = at.is_some_and(|at| refers(&words, at, question));
    let is_short = n_content(question) < 2 && Question::parse(question).identifiers().next().is_none();
    if !refers && !is_short {
        return None;
    }
    let topic = topic(last);
    let missing = folded(&topic).iter().any(|word| !words.contains(word));
    if !missing {
        return None;
    }
    let mut trimmed = question.trim();
    let end = if trimmed.ends_with('?') { "?" } else { "" };
    trimmed = trimmed.trim_end_matches(['?', ' ']);
    Some(format!("{trimmed} ({topic}){end}"))
}

fn refers(words: &[String], at: usize, question: &str) -> bool {
    let word = words[at].as_str();
    let next = words.get(at + 1).map(String::as_str);
    match word {
        "this" | "that" | "these" | "those" | "dieser" | "diese" | "dieses" => next.is_none_or(|next| {
            matches!(
                next,
                "is" | "are"
                    | "was"
                    | "one"
                    | "ones"
                    | "mean"
                    | "work"
                    | "happen"
                    | "happens"
                    | "do"
                    | "be"
                    | "ist"
                    | "sind"
            )
        }),
        // In German polite address and "it" of "es gibt".
        "es" | "sie" | "er" => text::language(question) == Some(Language::German) && next != Some("gibt"),
        "his" | "her" | "their" | "its" => words.len() < 12,
        // "does it", "is it"; "it is important" says nothing of before.
        _ => true,
    }
}

/// The last question with the thing that a short follow-up names in the place of the like thing in it.
fn substituted(last: &str, rest: &str) -> String {
    let (old, new) = (Question::parse(last), Question::parse(rest));
    let identity = |named: &&Named| named.kind.is_identifier() || is_shaped(&named.text);
    let (from, to) = (old.named.iter().find(identity), new.named.iter().find(identity));
    if let (Some(from), Some(to)) = (from, to)
        && from.kind == to.kind
        && let Some(at) = last.find(&from.text)
    {
        return format!("{}{}{}", &last[..at], to.text, &last[at + from.text.len()..]);
    }
    // A code-like word ("M6") may be none to the parser: words of the same shape take each other's place.
    if let (Some((start, end)), Some((new_start, new_end))) = (shaped_word(last), shaped_word(rest)) {
        return format!("{}{}{}", &last[..start], &rest[new_start..new_end], &last[end..]);
    }
    let end = if last.trim_end().ends_with('?') { "?" } else { "" };
    format!("{} – {rest}{end}", last.trim_end().trim_end_matches('?'))
}

fn is_shaped(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic)
}

fn shaped_word(text: &str) -> Option<(usize, usize)> {
    let mut found = None;
    analysis::for_each_word(text, |start, end| {
        if found.is_none() && is_shaped(&text[start..end]) {
            found = Some((start, end));
        }
    });
    found
}

/// What follows after so many words.
fn after_words(text: &str, n: usize) -> &str {
    let mut ends = Vec::new();
    analysis::for_each_word(text, |_, end| ends.push(end));
    n.checked_sub(1).and_then(|at| ends.get(at)).map_or(text, |end| &text[*end..])
}

/// What a question is about: what it names, or the longest run of its words that are no frame.
fn topic(question: &str) -> String {
    let parsed = Question::parse(question);
    let named: Vec<&str> = parsed.identifiers().map(|named| named.text.as_str()).collect();
    let language = text::language(question).unwrap_or_default();
    let mut runs: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    analysis::for_each_word(question, |start, end| {
        let folded = analysis::fold(&question[start..end]);
        let is_frame = analysis::is_stop_word(&folded, language)
            || analysis::is_question_word(&folded, language)
            || PRONOUNS.contains(&folded.as_str())
            || VERBS.contains(&folded.as_str());
        let joined =
            runs.last().and_then(|run| run.last()).is_none_or(|(_, last)| question[*last..start].trim().is_empty());
        if is_frame || !joined {
            runs.push(Vec::new());
        }
        if !is_frame && let Some(run) = runs.last_mut() {
            run.push((start, end));
        }
    });
    let longest = runs.iter().rev().max_by_key(|run| run.len()).filter(|run| !run.is_empty());
    let words = longest.and_then(|run| Some(&question[run.first()?.0..run.last()?.1])).unwrap_or_default();
    let lacks = named.iter().filter(|name| !words.contains(**name));
    let parts: Vec<&str> = [words].into_iter().chain(lacks.copied()).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// What is done with a thing is not the thing.
const VERBS: [&str; 26] = [
    "changed",
    "change",
    "checked",
    "check",
    "removed",
    "remove",
    "made",
    "make",
    "need",
    "needed",
    "use",
    "used",
    "replaced",
    "replace",
    "cleaned",
    "clean",
    "installed",
    "install",
    "mean",
    "means",
    "work",
    "works",
    "gewechselt",
    "gepruft",
    "often",
    "long",
];

fn n_content(text: &str) -> usize {
    let language = text::language(text).unwrap_or_default();
    let words = analysis::words(text, language);
    let is_content = |word: &&analysis::Term| {
        let folded = analysis::fold(&text[word.start..word.end]);
        !analysis::is_question_word(&folded, language) && !PRONOUNS.contains(&folded.as_str())
    };
    words.iter().filter(is_content).count()
}
