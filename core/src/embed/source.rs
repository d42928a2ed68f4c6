//! A model's file, wherever it lies: in this program's memory, or in a browser's, outside the program's own, which grows
//! and never shrinks.

use std::{borrow::Cow, fmt, ops::Range};

/// A file that is read piece by piece.
pub trait Source: fmt::Debug {
    /// How long it is.
    fn n_bytes(&self) -> usize;

    /// A stretch of it; `None` where it ends before that.
    fn read(&self, range: Range<usize>) -> Option<Cow<'_, [u8]>>;
}

impl<T: AsRef<[u8]> + fmt::Debug> Source for T {
    fn n_bytes(&self) -> usize {
        self.as_ref().len()
    }

    fn read(&self, range: Range<usize>) -> Option<Cow<'_, [u8]>> {
        self.as_ref().get(range).map(Cow::Borrowed)
    }
}
