//! Words that no document holds, for which those stand that are spelled most like them.

mod automaton;

use super::Searcher;
use crate::lexical::{
    QueryTerm, SegmentError,
    analysis::{self, Form},
    segment::IndexField,
};
use automaton::Near;
use std::collections::BTreeMap;

/// A word of fewer letters has too many neighbours.
const MIN_LETTERS: usize = 5;
/// From so many letters on, two edits are one typing error's worth of doubt.
const MIN_LETTERS_OF_TWO: usize = 9;
/// At most so many words stand for one.
const MAX_NEAREST: usize = 8;
/// What an occurrence of such a word counts.
const WEIGHT: f32 = 0.8;

impl Searcher {
    /// The words of live chunks that are spelled most like a term's, none if none is near: one edit away or, for long
    /// words, two (a letter more, less, other, or two changed about). Enters only those branches of the dictionaries that
    /// may lead to one.
    pub(super) fn nearest(&self, term: &QueryTerm) -> Result<Vec<Form>, SegmentError> {
        let typed = analysis::fold(&term.word);
        if typed.len() < MIN_LETTERS || !typed.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Ok(Vec::new());
        }
        let max_edits = if typed.len() < MIN_LETTERS_OF_TWO { 1 } else { 2 };
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        let mut add = |word: &str, edits: u32| {
            // Few mistype the first letter.
            let cost = 2 * edits + u32::from(!word.starts_with(&typed[..1]));
            let known = found.entry(word.to_owned()).or_insert(cost);
            *known = cost.min(*known);
        };
        for segment in &self.segments {
            // By the stem that the language of a term makes of the typed word; most languages make the same.
            let mut marks: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for form in term.forms.iter().filter(|form| segment.speaks(form.language)) {
                let (stem, mark) = form.text.split_at(analysis::shown(&form.text).len());
                marks.entry(stem).or_default().push(mark);
            }
            for field in [IndexField::Body, IndexField::Context] {
                let words = segment.inverted(field).terms();
                for (beginning, mark) in
                    beginnings(&typed).flat_map(|at| marks.values().flatten().map(move |m| (at, m)))
                {
                    let word = [beginning, mark].concat();
                    if words.get(&word)?.is_some() {
                        add(&word, max_edits);
                    }
                }
                for (stem, marks) in marks.iter().filter(|(stem, _)| stem.len() <= MAX_COMPARED) {
                    let mut stream = words.search(Near::new(stem, marks, max_edits)).into_stream()?;
                    while stream.advance() {
                        let Ok(word) = std::str::from_utf8(stream.key()) else { continue };
                        let edits = distance(stem.as_bytes(), analysis::shown(word).as_bytes(), max_edits);
                        add(word, edits.unwrap_or(max_edits));
                    }
                }
            }
        }
        let mut ranked: Vec<(u32, String)> = found.into_iter().map(|(word, cost)| (cost, word)).collect();
        ranked.sort();
        let mut nearest: Vec<(u32, Form)> = Vec::new();
        for (cost, text) in ranked {
            if nearest.len() == MAX_NEAREST || nearest.first().is_some_and(|(least, _)| *least < cost) {
                break;
            }
            let form = Form { text, language: None, weight: WEIGHT };
            if self.holds_any(std::slice::from_ref(&form))? {
                nearest.push((cost, form));
            }
        }
        Ok(nearest.into_iter().map(|(_, form)| form).collect())
    }
}

/// The stems that are most of a word: what was mistyped is then its ending, of which no stem is left to compare.
fn beginnings(typed: &str) -> impl Iterator<Item = &str> {
    let shortest = MIN_LETTERS.max((2 * typed.len()).div_ceil(3));
    (shortest..typed.len()).map(|end| &typed[..end])
}

/// Edits between two words, letters changed about counting as one (optimal string alignment); `None` above `max`.
/// O(product of the lengths), and O(1) where the lengths alone tell.
fn distance(a: &[u8], b: &[u8], max: u32) -> Option<u32> {
    if a.len().abs_diff(b.len()) > max as usize || a.len() > MAX_COMPARED {
        return None;
    }
    let mut rows = [[0_u32; MAX_COMPARED + 3]; 3];
    for (at, cell) in rows[0].iter_mut().enumerate() {
        *cell = at as u32;
    }
    for i in 1..=a.len() {
        rows.rotate_right(1);
        let [row, above, before] = &mut rows;
        row[0] = i as u32;
        let mut least = row[0];
        for j in 1..=b.len() {
            let substituted = above[j - 1] + u32::from(a[i - 1] != b[j - 1]);
            let mut edits = substituted.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits = edits.min(before[j - 2] + 1);
            }
            row[j] = edits;
            least = least.min(edits);
        }
        if least > max {
            return None;
        }
    }
    Some(rows[0][b.len()]).filter(|edits| *edits <= max)
}

/// Longer words are not mended.
const MAX_COMPARED: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, edits) in [
            ("lubric", "lubric", 0),
            ("lubirc", "lubric", 1),
            ("mechancal", "mechanical", 1),
            ("presure", "pressure", 1),
            ("ca", "abc", 3),
            ("", "ab", 2),
        ] {
            assert_eq!(distance(a.as_bytes(), b.as_bytes(), 3), Some(edits), "{a} {b}");
            assert_eq!(distance(b.as_bytes(), a.as_bytes(), 3), Some(edits), "{b} {a}");
        }
        assert_eq!(beginnings("lubricatnig").collect::<Vec<_>>(), ["lubricat", "lubricatn", "lubricatni"]);
        assert_eq!(beginnings("sealz").count(), 0);
        assert_eq!(distance(b"pump", b"valve", 2), None);
        assert_eq!(distance(b"abcd", b"badc", 1), None);
        let long = [b'a'; 90];
        assert_eq!((distance(&long, &long, 2), distance(&long[..40], &long[..42], 2)), (None, Some(2)));
    }
}
