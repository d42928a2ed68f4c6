//! Words that no document holds, for which those stand that are spelled most like them.

use super::Searcher;
use crate::lexical::{
    QueryTerm, SegmentError,
    analysis::{self, Form},
    segment::IndexField,
};
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
    /// words, two (a letter more, less, other, or two changed about). O(letters of the dictionaries).
    pub(super) fn nearest(&self, term: &QueryTerm) -> Result<Vec<Form>, SegmentError> {
        let typed = analysis::fold(&term.word);
        if typed.len() < MIN_LETTERS || !typed.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Ok(Vec::new());
        }
        let max_edits = if typed.len() < MIN_LETTERS_OF_TWO { 1 } else { 2 };
        let mut found: BTreeMap<String, u32> = BTreeMap::new();
        for segment in &self.segments {
            // By the stem that the language of a term makes of the typed word.
            let forms = term.forms.iter().filter(|form| segment.speaks(form.language));
            let stems = forms.map(|form| form.text.split_at(analysis::shown(&form.text).len()));
            let stems: Vec<(&str, &str, u32)> =
                stems.map(|(stem, language)| (stem, language, letters(stem.as_bytes()))).collect();
            for field in [IndexField::Body, IndexField::Context] {
                let mut stream = segment.inverted(field).terms().stream()?;
                while stream.advance() {
                    let Ok(word) = std::str::from_utf8(stream.key()) else { continue };
                    let (stem, language) = word.split_at(analysis::shown(word).len());
                    let held = letters(stem.as_bytes());
                    let distances = stems.iter().filter(|(_, spoken, _)| *spoken == language).filter_map(
                        |(typed_stem, _, typed_letters)| {
                            // An edit puts in at most one letter and takes out one: most words of a dictionary end here.
                            let may_be_near = (held ^ typed_letters).count_ones() <= 2 * max_edits;
                            let near = may_be_near.then(|| distance(typed_stem.as_bytes(), stem.as_bytes(), max_edits));
                            near.flatten().or_else(|| is_beginning(stem, &typed).then_some(max_edits))
                        },
                    );
                    let Some(edits) = distances.min() else { continue };
                    // Few mistype the first letter.
                    let cost = 2 * edits + u32::from(!stem.starts_with(&typed[..1]));
                    if !found.contains_key(word) {
                        found.insert(word.to_owned(), cost);
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

/// Which of the letters a to z a word has, a bit each.
fn letters(word: &[u8]) -> u32 {
    let letters = word.iter().filter(|byte| byte.is_ascii_lowercase());
    letters.fold(0, |letters, byte| letters | 1 << (byte - b'a'))
}

/// Whether a stem is most of a word: what was mistyped is then its ending, of which no stem is left to compare.
fn is_beginning(stem: &str, typed: &str) -> bool {
    stem.len() >= MIN_LETTERS
        && typed.len() > stem.len()
        && 3 * stem.len() >= 2 * typed.len()
        && typed.starts_with(stem)
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
        let differing = |a: &[u8], b: &[u8]| (letters(a) ^ letters(b)).count_ones();
        assert_eq!(
            (differing(b"lubirc", b"lubric"), differing(b"seal", b"sell2"), differing(b"pump", b"valve")),
            (0, 1, 7)
        );
        assert_eq!(distance(b"pump", b"valve", 2), None);
        assert_eq!(distance(b"abcd", b"badc", 1), None);
        let long = [b'a'; 90];
        assert_eq!((distance(&long, &long, 2), distance(&long[..40], &long[..42], 2)), (None, Some(2)));
    }
}
