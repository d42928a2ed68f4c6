//! A [`Flat`] as it is stored, and what must hold of it.

use super::{Flat, Row};
use crate::{dense::kernel, document::DocumentId};
use serde::Deserialize;
use std::{cell::OnceCell, collections::BTreeMap};

/// A sum over more components than this could overflow.
const MAX_DIMENSIONS: usize = 65_536;

/// The stored fields, unchecked.
#[derive(Deserialize)]
pub(super) struct Stored {
    n_dimensions: usize,
    documents: Vec<DocumentId>,
    rows: Vec<Row>,
    high: Vec<i8>,
    low: Vec<i8>,
}

/// The parts contradict one another.
#[derive(Debug, thiserror::Error)]
#[error("the parts of stored vectors do not fit together")]
pub(super) struct Misfit;

impl TryFrom<Stored> for Flat {
    type Error = Misfit;

    fn try_from(stored: Stored) -> Result<Self, Misfit> {
        let Stored { n_dimensions, documents, rows, high, low } = stored;
        if n_dimensions > MAX_DIMENSIONS {
            return Err(Misfit);
        }
        let stride = n_dimensions.next_multiple_of(kernel::STEP);
        let slots: BTreeMap<DocumentId, u32> = documents.iter().cloned().zip(0..).collect();
        let fits = slots.len() == documents.len()
            && rows.len().checked_mul(stride) == Some(high.len())
            && low.len() == high.len()
            && rows.is_sorted_by_key(|row| row.document)
            && rows.last().is_none_or(|row| (row.document as usize) < documents.len())
            && rows.iter().all(|row| row.scale.is_finite());
        let flat = Self { n_dimensions, stride, documents, slots, ranks: OnceCell::new(), rows, high, low };
        fits.then_some(flat).ok_or(Misfit)
    }
}
