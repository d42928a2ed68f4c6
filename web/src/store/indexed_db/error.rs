//! From IndexedDB's exceptions to the port's errors.

use idb::Error;
use millwright_core::host::StorageError;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DomException;

/// What a failed read or write means.
pub(super) fn storage_error(error: &Error) -> StorageError {
    let name = exception(error).map(|exception| exception.name()).unwrap_or_default();
    classify(&name, error.to_string())
}

/// What a failed opening means: whatever it was, there is no store.
pub(super) fn refused(error: Error) -> StorageError {
    match storage_error(&error) {
        StorageError::Failed(detail) => StorageError::Unavailable(detail),
        other => other,
    }
}

/// Sorts an exception by its name, as the standard gives them.
fn classify(name: &str, detail: String) -> StorageError {
    match name {
        "QuotaExceededError" => StorageError::Full,
        "VersionError" => {
            StorageError::Unavailable("it was written by a newer version of Millwright; reload the page".to_owned())
        }
        // InvalidState: the connection is closed. NotFound: the object stores are gone. Security and NotAllowed: the
        // browser refuses storage here.
        "InvalidStateError" | "NotFoundError" | "SecurityError" | "NotAllowedError" | "AbortError" => {
            StorageError::Unavailable(detail)
        }
        _ => StorageError::Failed(detail),
    }
}

/// The exception inside an error of idb's, if there is one.
fn exception(error: &Error) -> Option<DomException> {
    let value: &JsValue = match error {
        Error::DomException(exception) => return Some(exception.clone()),
        Error::AddFailed(value)
        | Error::DeleteFailed(value)
        | Error::GetAllFailed(value)
        | Error::GetAllKeysFailed(value)
        | Error::GetFailed(value)
        | Error::IndexedDbDeleteFailed(value)
        | Error::IndexedDbNotFound(value)
        | Error::IndexedDbOpenFailed(value)
        | Error::ObjectStoreNotFound(value)
        | Error::TransactionOpenFailed(value)
        | Error::UpdateFailed(value) => value,
        _ => return None,
    };
    value.dyn_ref().cloned()
}

#[cfg(test)]
mod tests {
    use super::classify;
    use millwright_core::host::StorageError;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn a_full_disk_is_told_from_a_store_that_was_taken_away() {
        assert_eq!(classify("QuotaExceededError", String::new()), StorageError::Full);
        assert!(matches!(classify("InvalidStateError", "closed".to_owned()), StorageError::Unavailable(_)));
        assert!(matches!(classify("DataError", "bad key".to_owned()), StorageError::Failed(_)));
    }
}
