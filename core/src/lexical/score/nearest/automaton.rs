//! The words within some edits of one, as an automaton over a dictionary: of its tree only the branches are entered that
//! may still lead to such a word.

use tantivy_fst::Automaton;

/// Most edits that fit the band below.
pub(super) const MAX_EDITS: usize = 2;
/// Cells of a row that can be within so many edits: those at most so far from the diagonal.
const BAND: usize = 2 * MAX_EDITS + 1;

/// Accepts a stem within some edits of a typed one (letters changed about count as one, optimal string alignment),
/// followed by exactly the mark of one of some languages.
#[derive(Debug)]
pub(super) struct Near<'a> {
    typed: &'a [u8],
    /// At most 64; of English it is empty.
    marks: &'a [&'a str],
    max_edits: u8,
}

impl<'a> Near<'a> {
    /// For at most [`MAX_EDITS`] edits.
    pub(super) fn new(typed: &'a str, marks: &'a [&'a str], max_edits: u32) -> Self {
        Self { typed: typed.as_bytes(), marks, max_edits: max_edits.min(MAX_EDITS as u32) as u8 }
    }

    /// Of the marks in a set those that have a byte at a place.
    fn with(&self, marks: u64, at: usize, byte: u8) -> u64 {
        let has = |mark: &&str| mark.as_bytes().get(at) == Some(&byte);
        let having = (0..64).zip(self.marks).filter(|(bit, mark)| marks >> bit & 1 == 1 && has(mark));
        having.fold(0, |set, (bit, _)| set | 1 << bit)
    }

    /// A row of the table of edits after one more byte of the dictionary's word.
    fn row(&self, before: &Row, byte: u8) -> Row {
        let at = before.at + 1;
        let mut row = Row { at, cells: [u8::MAX; BAND], above: before.cells, last: byte };
        for cell in 0..BAND {
            let Some(column) = (at + cell).checked_sub(MAX_EDITS).filter(|column| *column <= self.typed.len()) else {
                continue;
            };
            let mut edits = u8::MAX;
            if column > 0 {
                edits = before.cells[cell].saturating_add(u8::from(self.typed[column - 1] != byte));
            }
            if let Some(one_more) = before.cells.get(cell + 1) {
                edits = edits.min(one_more.saturating_add(1));
            }
            if let Some(one_less) = cell.checked_sub(1) {
                edits = edits.min(row.cells[one_less].saturating_add(1));
            }
            if at > 1 && column > 1 && byte == self.typed[column - 2] && before.last == self.typed[column - 1] {
                edits = edits.min(before.above[cell].saturating_add(1));
            }
            row.cells[cell] = edits;
        }
        row
    }

    /// Whether the whole typed word is within the edits.
    fn is_near(&self, row: &Row) -> bool {
        let cell = (self.typed.len() + MAX_EDITS).checked_sub(row.at);
        cell.and_then(|cell| row.cells.get(cell)).is_some_and(|edits| *edits <= self.max_edits)
    }
}

/// How far a word of the dictionary has been read.
#[derive(Clone, Debug)]
pub(super) enum State {
    Stem(Row),
    /// So many bytes of a mark, which is still one of these (a bit each).
    Mark(usize, u64),
    Dead,
}

/// Cell `c` holds the edits between the bytes read and the typed word's first `at + c − MAX_EDITS`.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Bytes read.
    at: usize,
    cells: [u8; BAND],
    /// The cells one byte before.
    above: [u8; BAND],
    last: u8,
}

impl Automaton for Near<'_> {
    type State = State;

    fn start(&self) -> State {
        let mut cells = [u8::MAX; BAND];
        for (column, cell) in cells[MAX_EDITS..].iter_mut().enumerate().take(self.typed.len() + 1) {
            *cell = column as u8;
        }
        State::Stem(Row { at: 0, cells, above: [u8::MAX; BAND], last: 0 })
    }

    fn is_match(&self, state: &State) -> bool {
        match state {
            State::Stem(row) => self.is_near(row) && self.marks.contains(&""),
            State::Mark(n, marks) => {
                (0..64).zip(self.marks).any(|(bit, mark)| marks >> bit & 1 == 1 && mark.len() == *n)
            }
            State::Dead => false,
        }
    }

    fn can_match(&self, state: &State) -> bool {
        match state {
            State::Stem(row) => row.cells.iter().any(|edits| *edits <= self.max_edits),
            State::Mark(..) => true,
            State::Dead => false,
        }
    }

    fn accept(&self, state: &State, byte: u8) -> State {
        let (n, marks) = match state {
            State::Stem(row) if byte >= b' ' => return State::Stem(self.row(row, byte)),
            State::Stem(row) if self.is_near(row) => (0, u64::MAX),
            State::Mark(n, marks) => (*n, *marks),
            _ => return State::Dead,
        };
        match self.with(marks, n, byte) {
            0 => State::Dead,
            marks => State::Mark(n + 1, marks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::score::nearest::distance;

    fn accepts(near: &Near<'_>, word: &str) -> bool {
        let mut state = near.start();
        for byte in word.bytes() {
            assert!(near.can_match(&state) || !near.is_match(&near.accept(&state, byte)));
            state = near.accept(&state, byte);
        }
        near.is_match(&state)
    }

    #[test]
    fn a_stem_is_near_only_in_its_own_languages() {
        let german = Near::new("dichtung", &["\u{1}fr", "\u{1}de"], 1);
        for word in ["dichtnug\u{1}de", "dichtun\u{1}de", "dichtung\u{1}fr"] {
            assert!(accepts(&german, word), "{word}");
        }
        for other in ["dichtung", "dichtung\u{1}", "dichtung\u{1}nl", "dichtung\u{1}dee", "richtunk\u{1}de"] {
            assert!(!accepts(&german, other), "{other}");
        }
        assert!(!accepts(&Near::new("dichtung", &[""], 1), "dichtung\u{1}de"));
        assert!(accepts(&Near::new("dichtung", &["\u{1}de", ""], 1), "dichtung"));
    }

    proptest::proptest! {
        #[test]
        fn it_accepts_what_is_within_the_distance(typed in "[a-d]{0,7}", word in "[a-d]{0,7}", max in 0_u32..3) {
            let near = distance(typed.as_bytes(), word.as_bytes(), max).is_some();
            proptest::prop_assert_eq!(accepts(&Near::new(&typed, &[""], max), &word), near);
        }
    }
}
