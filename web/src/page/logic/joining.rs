//! What becomes of passages found by words, which are on show, when those found by meaning too come a moment later.
//!
//! Results must not jump under somebody's finger: what is being looked at is replaced only where that changes nothing.

use millwright_core::protocol::Found;

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

/// Decides it.
pub(crate) fn arrival(on_show: &Found, whole: &Found, is_in_use: bool) -> Arrival {
    let chunks = |found: &Found| found.passages.iter().map(|passage| passage.chunk.clone()).collect::<Vec<_>>();
    if chunks(on_show) == chunks(whole) {
        Arrival::Same
    } else if is_in_use {
        Arrival::Waits
    } else {
        Arrival::Replaces
    }
}

/// Whether meaning had a part in it.
pub(crate) fn is_by_meaning(found: &Found) -> bool {
    found.passages.iter().any(|passage| passage.explanation.cosine.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// An answer of passages with these ordinals, by way of the wire: a passage has a dozen fields that do not matter.
    fn found(ordinals: &[u32], cosine: Option<f32>) -> Found {
        let passages: Vec<_> = ordinals
            .iter()
            .map(|ordinal| {
                serde_json::json!({
                    "chunk": { "document": "ab".repeat(32), "ordinal": ordinal }, "kind": "Text", "name": "a.md",
                    "title": "a", "heading_path": [], "page": null, "n_pages": null, "node": 0, "end_node": 1,
                    "text": "a", "marks": [], "score": 1.0, "hidden": null, "confidence": null, "reading": null,
                    "place": millwright_core::chunk::ChunkPlace::default(),
                    "explanation": millwright_core::retrieve::Explanation { cosine, ..Default::default() },
                })
            })
            .collect();
        serde_json::from_value(serde_json::json!({
            "query": "a", "passages": passages, "n_chunks_searched": 3, "took_micros": 1, "notice": null,
        }))
        .unwrap()
    }

    #[test]
    fn what_is_in_use_is_not_replaced_by_another_order() {
        let on_show = found(&[1, 2], None);
        assert_eq!(arrival(&on_show, &found(&[1, 2], Some(0.5)), true), Arrival::Same);
        assert_eq!(arrival(&on_show, &found(&[2, 1], Some(0.5)), true), Arrival::Waits);
        assert_eq!(arrival(&on_show, &found(&[2, 1], Some(0.5)), false), Arrival::Replaces);
        assert!(is_by_meaning(&found(&[1], Some(0.1))) && !is_by_meaning(&on_show));
    }
}
