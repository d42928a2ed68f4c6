//! How many documents this browser should still hold: a note outside IndexedDB, so that an eviction is noticed.
//!
//! Browsers evict IndexedDB and local storage of an origin together when they run out of disk, but a user who clears
//! "site data" partly, a damaged database, or a browser that evicts by kind leaves the note behind, and then it is said.

use web_sys::Storage;

const KEY: &str = "millwright.documents";

fn local_storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// Notes how many documents there are.
pub(super) fn note(n_documents: usize) {
    if let Some(storage) = local_storage() {
        // A browser that refuses the note (private window, full) costs only the notice.
        let _ = storage.set_item(KEY, &n_documents.to_string());
    }
}

/// How many documents there were by the last note; 0 without one.
pub(super) fn noted() -> usize {
    local_storage().and_then(|storage| storage.get_item(KEY).ok()?).and_then(|note| note.parse().ok()).unwrap_or(0)
}

/// What to tell the user about a library that came up with this many documents.
pub(super) fn notice(n_documents: usize) -> Option<String> {
    lost(noted(), n_documents)
}

fn lost(noted: usize, found: usize) -> Option<String> {
    let what = match noted {
        0 => return None,
        _ if found > 0 => return None,
        1 => "the document that was".to_owned(),
        n => format!("the {n} documents that were"),
    };
    Some(format!(
        "The browser removed {what} kept here. Add them again; choose \u{201c}Keep\u{201d} in the library so that the browser does not clear them when it runs out of disk."
    ))
}

#[cfg(test)]
mod tests {
    use super::lost;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn an_emptied_store_is_noticed_and_a_new_one_is_not() {
        assert_eq!(lost(0, 0), None);
        assert_eq!(lost(3, 3), None);
        assert_eq!(lost(3, 1), None);
        assert!(lost(3, 0).is_some_and(|notice| notice.contains("3 documents")));
        assert!(lost(1, 0).is_some_and(|notice| notice.contains("the document that was")));
    }
}
