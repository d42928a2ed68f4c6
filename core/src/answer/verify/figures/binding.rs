//! Which number is said of which thing: "M6 10 Nm, M8 25 Nm" does not say that M8 takes 10 Nm, though it has all of that.

use super::{Figure, figures};
use crate::{lexical::analysis, text::Language};
use std::ops::Range;

/// Words behind a number that say what it is for: then the thing stands after its number.
const FOR: [&str; 12] = ["for", "of", "with", "when", "at", "if", "on", "in", "fur", "bei", "pour", "para"];
/// Lists that belong together by their order.
const IN_ORDER: [&str; 4] = ["respectively", "beziehungsweise", "jeweils", "respectivement"];

/// The first number of a claim that its passage says of something else. Looks at numbers of one unit that stand in one passage.
pub(in crate::answer::verify) fn misbound(claim: &str, window: &str) -> Option<String> {
    let (own, said) = (figures(claim), figures(window));
    if said.len() < 2 || own.is_empty() {
        return None;
    }
    let is_ordered = crate::answer::understand::folded(window).iter().any(|word| IN_ORDER.contains(&word.as_str()));
    for (at, figure) in own.iter().enumerate() {
        let rivals: Vec<&Figure> = said.iter().filter(|other| other.unit == unit_of(figure, &said)).collect();
        let mine = rivals.iter().position(|other| figure.is_same_number(other));
        let Some(mine) = mine.filter(|_| rivals.len() > 1) else { continue };
        // A number that stands there twice is said of two things.
        if rivals.iter().filter(|other| figure.is_same_number(other)).count() > 1 {
            continue;
        }
        let about = words(&claim[segment(claim, &own, at)]);
        let is_wrong = if is_ordered {
            is_out_of_order(&about, window, &rivals, mine)
        } else {
            is_of_another(&about, window, &rivals, mine)
        };
        if is_wrong {
            return Some(figure.text.clone());
        }
    }
    None
}

/// The unit under which the passage has a number.
fn unit_of(figure: &Figure, said: &[Figure]) -> Option<String> {
    said.iter().find(|other| figure.is_same_number(other)).and_then(|other| other.unit.clone())
}

/// What a claim says about one of its numbers: all of it where there is one, else from the number before to the next.
fn segment(claim: &str, own: &[Figure], at: usize) -> Range<usize> {
    if own.len() == 1 {
        return 0..claim.len();
    }
    let is_before = own.first().is_some_and(|first| says_for(&claim[first.end..]));
    let start = if is_before { own[at].start } else { at.checked_sub(1).map_or(0, |before| own[before].end) };
    let end = if is_before { own.get(at + 1).map_or(claim.len(), |next| next.start) } else { own[at].end };
    start.min(end)..end.max(start)
}

fn says_for(rest: &str) -> bool {
    let mut first = None;
    analysis::for_each_word(rest, |start, end| {
        if first.is_none() {
            first = Some((start, analysis::fold(&rest[start..end])));
        }
    });
    first.is_some_and(|(start, word)| start <= 2 && FOR.contains(&word.as_str()))
}

/// Words that say which of several things is meant.
fn words(text: &str) -> Vec<String> {
    let terms = analysis::words(text, Language::English);
    let mut words: Vec<String> = terms
        .into_iter()
        .filter(|term| !text[term.start..term.end].chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')))
        .filter(|term| super::canonical(&text[term.start..term.end]).is_none())
        .map(|term| term.text)
        .collect();
    words.sort();
    words.dedup();
    words
}

/// Whether what the claim is about stands with another number, and not with its own.
fn is_of_another(about: &[String], window: &str, rivals: &[&Figure], mine: usize) -> bool {
    let is_before = rivals.first().is_some_and(|first| says_for(&window[first.end..]));
    let segments: Vec<Vec<String>> = rivals
        .iter()
        .enumerate()
        .map(|(at, figure)| {
            let range = if is_before {
                figure.start..rivals.get(at + 1).map_or(window.len(), |next| next.start)
            } else {
                at.checked_sub(1).map_or(0, |before| rivals[before].end)..figure.end
            };
            words(window.get(range).unwrap_or_default())
        })
        .collect();
    let exclusive = |at: usize| -> Vec<&String> {
        let others =
            |word: &String| segments.iter().enumerate().any(|(other, words)| other != at && words.contains(word));
        segments[at].iter().filter(|word| about.contains(word) && !others(word)).collect()
    };
    let own = exclusive(mine);
    (0..segments.len()).filter(|at| *at != mine).any(|other| {
        let theirs = exclusive(other);
        // What later parts of a list leave out ("and the brass screw 15 Nm") stands in its first part alone.
        if other > mine {
            !theirs.is_empty() && theirs.len() >= own.len()
        } else {
            !theirs.is_empty() && own.is_empty()
        }
    })
}

/// "M6 and M8 take 10 and 25 Nm respectively": the second thing goes with the second number.
fn is_out_of_order(about: &[String], window: &str, rivals: &[&Figure], mine: usize) -> bool {
    let Some(first) = rivals.first() else { return false };
    let lead = &window[..first.start];
    // Things in a row, parted by commas and "and".
    let parts: Vec<Vec<String>> = lead
        .split([',', ';'])
        .flat_map(|part| part.split(" and ").flat_map(|part| part.split(" und ")))
        .map(words)
        .collect();
    if parts.len() < rivals.len() {
        return false;
    }
    let things = &parts[parts.len() - rivals.len()..];
    let exclusive =
        |at: usize, word: &String| things.iter().enumerate().all(|(other, words)| other == at || !words.contains(word));
    let has = |at: usize| things[at].iter().any(|word| about.contains(word) && exclusive(at, word));
    // The last thing is followed by the verb, which says nothing of which.
    !things.get(mine).is_some_and(|thing| thing.iter().any(|word| about.contains(word) && exclusive(mine, word)))
        && (0..things.len()).any(|at| at != mine && has(at))
}
