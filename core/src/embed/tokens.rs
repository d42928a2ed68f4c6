//! Texts as tokens: one flat list for a whole batch, so that no text is padded to the length of another.

use std::ops::Range;

/// The tokens of several texts, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    ids: Vec<u32>,
    /// Where each text ends in `ids`.
    ends: Vec<usize>,
    /// Where the second part of each text begins in `ids`: its end where it has one part.
    seconds: Vec<usize>,
}

impl Tokens {
    /// Adds a text.
    pub fn push(&mut self, ids: &[u32]) {
        self.push_pair(ids, &[]);
    }

    /// Adds a text of two parts, such as a question and a passage: a network that was trained on pairs is told which token
    /// is whose.
    pub fn push_pair(&mut self, first: &[u32], second: &[u32]) {
        self.ids.extend_from_slice(first);
        self.seconds.push(self.ids.len());
        self.ids.extend_from_slice(second);
        self.ends.push(self.ids.len());
    }

    /// All tokens, text after text.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// How many texts.
    #[must_use]
    pub fn n_texts(&self) -> usize {
        self.ends.len()
    }

    /// Where each text's tokens stand in [`ids`](Self::ids).
    pub fn texts(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| start..*end)
    }

    /// Where each text's second part begins in [`ids`](Self::ids): its end where it has none.
    pub fn seconds(&self) -> impl Iterator<Item = usize> + '_ {
        self.seconds.iter().copied()
    }

    /// The most tokens that one text has.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.texts().map(|text| text.len()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_lie_one_after_the_other() {
        let mut tokens = Tokens::default();
        tokens.push(&[7, 8]);
        tokens.push(&[]);
        tokens.push(&[9]);
        assert_eq!(tokens.texts().collect::<Vec<_>>(), [0..2, 2..2, 2..3]);
        assert_eq!((tokens.n_texts(), tokens.longest(), tokens.ids()), (3, 2, &[7, 8, 9][..]));
        assert_eq!(tokens.seconds().collect::<Vec<_>>(), [2, 2, 3], "no second parts");
    }

    #[test]
    fn a_pair_is_one_text_of_two_parts() {
        let mut tokens = Tokens::default();
        tokens.push(&[7]);
        tokens.push_pair(&[1, 2], &[3]);
        assert_eq!(tokens.texts().collect::<Vec<_>>(), [0..1, 1..4]);
        assert_eq!(tokens.seconds().collect::<Vec<_>>(), [1, 3]);
    }
}
