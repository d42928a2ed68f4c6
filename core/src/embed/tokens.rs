//! Texts as tokens: one flat list for a whole batch, so that no text is padded to the length of another.

use std::ops::Range;

/// The tokens of several texts, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    ids: Vec<u32>,
    /// Where each text ends in `ids`.
    ends: Vec<usize>,
}

impl Tokens {
    /// Adds a text.
    pub fn push(&mut self, ids: &[u32]) {
        self.ids.extend_from_slice(ids);
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
    }
}
