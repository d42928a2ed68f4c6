//! Takes a draft apart into sentences with the excerpts that each cites.
//!
//! Either text with the numbers in square brackets behind what they say, or JSON:
//! `{"sentences": [{"text": "…", "citations": [1, 2]}]}`.

use crate::answer::sentences;
use serde::Deserialize;

/// A draft of more sentences is cut: it repeats itself.
const MAX_SENTENCES: usize = 60;
/// Numbers of excerpts are no greater.
const MAX_NUMBER: u32 = 99;

/// A sentence without its marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) text: String,
    pub(super) cited: Vec<u32>,
}

#[derive(Deserialize)]
struct Draft {
    sentences: Vec<DraftSentence>,
}

#[derive(Deserialize)]
struct DraftSentence {
    text: String,
    #[serde(default)]
    citations: Vec<u32>,
}

/// Whether it says nothing but that the excerpts do not answer.
pub(super) fn is_refusal(draft: &str) -> bool {
    let said: Vec<String> = sentences(draft).into_iter().map(|sentence| sentence.text.to_lowercase()).collect();
    let refuses = |text: &String| text.trim_matches(|c: char| !c.is_alphanumeric()) == "not found";
    !said.is_empty() && said.iter().all(refuses)
}

/// The sentences of a draft.
pub(super) fn sentences(draft: &str) -> Vec<Sentence> {
    let mut found = match serde_json::from_str::<Draft>(draft.trim()) {
        Ok(draft) => draft.sentences.into_iter().flat_map(of_json).collect(),
        Err(_) => of_text(draft),
    };
    found.retain(|sentence| sentence.text.chars().any(char::is_alphanumeric));
    found.truncate(MAX_SENTENCES);
    found
}

/// One entry may hold several sentences: each is checked alone, by the same citations.
fn of_json(sentence: DraftSentence) -> Vec<Sentence> {
    let mut sentences = of_text(&sentence.text);
    for one in sentences.iter_mut().filter(|one| one.cited.is_empty()) {
        one.cited.clone_from(&sentence.citations);
    }
    sentences
}

fn of_text(text: &str) -> Vec<Sentence> {
    let text = marks_inside(text);
    let mut sentences: Vec<Sentence> = Vec::new();
    for range in sentences::sentences(&text) {
        let (plain, cited) = without_marks(&text[range]);
        let says_something = plain.chars().any(char::is_alphanumeric);
        match sentences.last_mut() {
            // Marks alone belong to the sentence before them.
            Some(last) if !says_something => add(&mut last.cited, &cited),
            _ => sentences.push(Sentence { text: plain, cited }),
        }
    }
    // What is not cited itself is taken to rest on what the next citation names, as people write.
    let mut next: Vec<u32> = Vec::new();
    for sentence in sentences.iter_mut().rev() {
        if sentence.cited.is_empty() {
            sentence.cited.clone_from(&next);
        } else {
            next.clone_from(&sentence.cited);
        }
    }
    sentences
}

/// "It is 25 Nm. [1] The bolt …" as "It is 25 Nm [1]. The bolt …", so that a sentence ends behind its marks. A draft that
/// begins with a mark puts them all before what they are for.
fn marks_inside(text: &str) -> String {
    let mut moved = String::with_capacity(text.len());
    if mark_length(text.trim_start()) > 0 {
        return text.to_owned();
    }
    let mut rest = text;
    while let Some(at) = rest.find(['.', '!', '?']) {
        let (before, after) = rest.split_at(at);
        let (end, behind) = after.split_at(1);
        let blanks = behind.len() - behind.trim_start_matches(' ').len();
        let mut length = 0;
        loop {
            let further = &behind[blanks + length..];
            let gap = further.len() - further.trim_start_matches(' ').len();
            match mark_length(further.trim_start_matches(' ')) {
                0 => break,
                mark => length += gap + mark,
            }
        }
        moved.push_str(before);
        if length > 0 {
            moved.push(' ');
            moved.push_str(&behind[blanks..blanks + length]);
        }
        moved.push_str(end);
        rest = if length > 0 { &behind[blanks + length..] } else { behind };
    }
    moved.push_str(rest);
    moved
}

/// How many bytes of a text are a mark at its beginning; 0 where there is none.
fn mark_length(text: &str) -> usize {
    let Some((inside, _)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) else { return 0 };
    if numbers(inside).is_some() { inside.len() + 2 } else { 0 }
}

fn add(known: &mut Vec<u32>, new: &[u32]) {
    for number in new {
        if !known.contains(number) {
            known.push(*number);
        }
    }
}

/// A text without `[1]`, `[1, 2]` and `[1][2]`, and the numbers.
fn without_marks(text: &str) -> (String, Vec<u32>) {
    let mut plain = String::new();
    let mut cited = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, after) = rest.split_at(open);
        let inside = after[1..].split_once(']');
        let numbers = inside.and_then(|(inside, _)| numbers(inside));
        match (numbers, inside) {
            (Some(numbers), Some((_, after))) => {
                plain.push_str(before.trim_end_matches(' '));
                add(&mut cited, &numbers);
                rest = after;
            }
            _ => {
                plain.push_str(before);
                plain.push('[');
                rest = &after[1..];
            }
        }
    }
    plain.push_str(rest);
    let plain = plain.trim().trim_start_matches(['-', '*', '•']).trim();
    (plain.to_owned(), cited)
}

fn numbers(inside: &str) -> Option<Vec<u32>> {
    let number =
        |part: &str| part.trim().trim_start_matches('^').parse::<u32>().ok().filter(|n| (1..=MAX_NUMBER).contains(n));
    let numbers: Vec<u32> = inside.split([',', ';']).map(number).collect::<Option<_>>()?;
    (!numbers.is_empty()).then_some(numbers)
}
