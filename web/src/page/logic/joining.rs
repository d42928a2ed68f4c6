//! What becomes of passages found by words, which are on show, when those found by meaning too come a moment later.
//!
//! Results must not jump under somebody's finger: what is being looked at is replaced only where that changes nothing.

/// How the passages on show were found, as far as meaning goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Joining {
    /// All that there is, is there.
    #[default]
    Whole,
    /// Found by words; the question's vector is being made.
    Awaited,
    /// Meaning joined after a moment, and changed something.
    Joined,
    /// Meaning has another answer, which waits until it is wanted.
    Held,
}

/// What to do with the whole answer to the question whose passages are on show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It shows the same passages in the same order.
    Same,
    /// Nobody is at the passages yet: it takes their place.
    Replaces,
    /// Somebody is.
    Waits,
}

/// Decides it, from what is told of each passage apart.
pub(crate) fn arrival<T: PartialEq>(on_show: &[T], whole: &[T], is_in_use: bool) -> Arrival {
    if on_show == whole {
        Arrival::Same
    } else if is_in_use {
        Arrival::Waits
    } else {
        Arrival::Replaces
    }
}

/// What found the passages of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// Nothing: there are none.
    Nothing,
    /// Their words.
    Words,
    /// Their words and their meaning.
    Meaning,
}

/// Tells it by their cosines, which only those have that were found with a vector.
pub(crate) fn found_by(mut cosines: impl ExactSizeIterator<Item = Option<f32>>) -> FoundBy {
    match cosines.len() {
        0 => FoundBy::Nothing,
        _ if cosines.any(|cosine| cosine.is_some()) => FoundBy::Meaning,
        _ => FoundBy::Words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_is_in_use_is_not_replaced_by_another_order() {
        assert_eq!(arrival(&[1, 2], &[1, 2], true), Arrival::Same);
        assert_eq!(arrival(&[1, 2], &[2, 1], true), Arrival::Waits);
        assert_eq!(arrival(&[1, 2], &[2, 1], false), Arrival::Replaces);
        assert_eq!(arrival(&[], &[1], false), Arrival::Replaces);
    }

    #[test]
    fn one_cosine_is_enough() {
        assert_eq!(found_by([].into_iter()), FoundBy::Nothing);
        assert_eq!(found_by([None, None].into_iter()), FoundBy::Words);
        assert_eq!(found_by([None, Some(0.4)].into_iter()), FoundBy::Meaning);
    }
}
