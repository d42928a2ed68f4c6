//! A file in the browser's memory, outside this program's, which grows and never shrinks: of a model's weights only what
//! is made of them is kept here, a third of their size.

use js_sys::{ArrayBuffer, Uint8Array};
use millwright_core::embed::Source;
use std::{borrow::Cow, ops::Range};

/// The file.
#[derive(Debug)]
pub(super) struct OutsideMemory(Uint8Array);

impl OutsideMemory {
    pub(super) fn new(buffer: ArrayBuffer) -> Self {
        Self(Uint8Array::new(&buffer))
    }
}

impl Source for OutsideMemory {
    fn n_bytes(&self) -> usize {
        self.0.length() as usize
    }

    fn read(&self, range: Range<usize>) -> Option<Cow<'_, [u8]>> {
        if range.start > range.end || range.end > self.n_bytes() {
            return None;
        }
        // Both fit: the file's own length does.
        Some(Cow::Owned(self.0.subarray(range.start as u32, range.end as u32).to_vec()))
    }
}
