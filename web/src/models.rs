//! The models that this browser keeps, in its Cache storage: apart from the library, so that clearing the one leaves the
//! other.
//!
//! A file lies there in parts under the hash that it should have, so that a download that was stopped goes on, nothing is
//! ever held whole but where it is used, and a file of another version is another file. When all parts are there and have
//! the hash, it is sealed; nothing else is ever used. Not for where models come from: the engine gets them.

use crate::channel::{exception_text, text_field, worker_scope};
use js_sys::{Array, ArrayBuffer, Object, Uint8Array};
use millwright_core::{
    models::{Catalogue, Hasher, Model, ModelFile},
    protocol::{Failure, FailureKind, KeptModel},
};
use std::collections::BTreeSet;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, Request, Response};

/// The cache's name. The service worker touches only caches of its own names.
const CACHE: &str = "millwright-models";

/// What the keys of this cache begin with. Nothing is served there.
const KEYS: &str = "/kept-models/";

/// How much of a file is one part.
pub(crate) const PART_BYTES: u64 = 4 << 20;

/// The key of what says that a file has its hash.
const SEAL: &str = "sealed";

/// The models kept here.
pub(crate) struct ModelStore {
    cache: Cache,
    /// What is there: hashes of files, with numbers of parts or [`SEAL`].
    keys: BTreeSet<(String, String)>,
}

impl ModelStore {
    /// Looks at what is kept, and lets go of what no model of this build needs any more.
    ///
    /// # Errors
    /// [`FailureKind::StorageUnavailable`] where the browser has no such storage for this page.
    pub(crate) async fn open() -> Result<Self, Failure> {
        let caches = worker_scope().and_then(|scope| scope.caches().ok()).filter(|caches| !caches.is_undefined());
        let caches = caches.ok_or_else(|| unavailable("it offers none"))?;
        let cache = JsFuture::from(caches.open(CACHE)).await;
        let cache: Cache = cache.map_err(|exception| unavailable(&exception_text(&exception)))?.unchecked_into();
        let found = JsFuture::from(cache.keys()).await;
        let found: Array = found.map_err(|exception| unavailable(&exception_text(&exception)))?.unchecked_into();
        let keys = found.iter().filter_map(|request| {
            let url = request.unchecked_into::<Request>().url();
            let (_, key) = url.split_once(KEYS)?;
            key.split_once('/').map(|(hash, part)| (hash.to_owned(), part.to_owned()))
        });
        let mut store = Self { cache, keys: keys.collect() };
        let is_known = |hash: &str| {
            Catalogue::shipped().models.iter().flat_map(|model| &model.files).any(|file| file.sha256 == hash)
        };
        let unknown: Vec<_> = store.keys.iter().filter(|(hash, _)| !is_known(hash)).cloned().collect();
        for (hash, part) in unknown {
            store.delete(&hash, &part).await;
        }
        Ok(store)
    }

    /// How much of a model is kept.
    pub(crate) fn kept(&self, model: &Model) -> KeptModel {
        KeptModel {
            model: model.id.clone(),
            kept_bytes: model.files.iter().map(|file| self.kept_bytes(file)).sum(),
            is_whole: model.files.iter().all(|file| self.is_sealed(file)),
        }
    }

    fn kept_bytes(&self, file: &ModelFile) -> u64 {
        let parts = (0..n_parts(file)).filter(|part| self.has_part(file, *part));
        parts.map(|part| part_range(file, part)).map(|(from, to)| to - from).sum()
    }

    /// Whether a file is there and has its hash.
    pub(crate) fn is_sealed(&self, file: &ModelFile) -> bool {
        self.has(file, SEAL)
    }

    /// Whether a part of a file is there.
    pub(crate) fn has_part(&self, file: &ModelFile, part: u64) -> bool {
        self.has(file, &part.to_string())
    }

    fn has(&self, file: &ModelFile, part: &str) -> bool {
        // A set of pairs is only asked with pairs.
        self.keys.contains(&(file.sha256.clone(), part.to_owned()))
    }

    /// Keeps a part.
    ///
    /// # Errors
    /// [`FailureKind::StorageFull`] where there is no room.
    pub(crate) async fn put_part(&mut self, file: &ModelFile, part: u64, bytes: &Object) -> Result<(), Failure> {
        self.put(file, &part.to_string(), Some(bytes)).await
    }

    async fn put(&mut self, file: &ModelFile, part: &str, bytes: Option<&Object>) -> Result<(), Failure> {
        let kept = async {
            let response = Response::new_with_opt_buffer_source(bytes)?;
            JsFuture::from(self.cache.put_with_str(&key(&file.sha256, part), &response)).await
        };
        match kept.await {
            Ok(_) => {
                self.keys.insert((file.sha256.clone(), part.to_owned()));
                Ok(())
            }
            Err(exception) => Err(not_kept(&exception)),
        }
    }

    /// Takes the hash of a file whose parts are all there, and seals it; `on_part` hears the length of each part. False,
    /// and the file is gone, if it is another file's hash.
    ///
    /// # Errors
    /// When a part cannot be read back.
    pub(crate) async fn seal(&mut self, file: &ModelFile, mut on_part: impl FnMut(u64)) -> Result<bool, Failure> {
        let mut hasher = Hasher::default();
        for part in 0..n_parts(file) {
            let bytes: ArrayBuffer = self.part(file, part).await?;
            let bytes = Uint8Array::new(&bytes).to_vec();
            hasher.update(&bytes);
            on_part(bytes.len() as u64);
        }
        if hasher.finish() != file.sha256 {
            self.remove_file(file).await;
            return Ok(false);
        }
        self.put(file, SEAL, None).await?;
        Ok(true)
    }

    /// A whole file, outside this program's own memory, which would keep its size for ever.
    ///
    /// # Errors
    /// When a part cannot be read back.
    pub(crate) async fn load(&self, file: &ModelFile) -> Result<ArrayBuffer, Failure> {
        let length = u32::try_from(file.size_bytes).map_err(|_| unavailable("the file is too large"))?;
        let whole = Uint8Array::new_with_length(length);
        for part in 0..n_parts(file) {
            let bytes: ArrayBuffer = self.part(file, part).await?;
            let bytes = Uint8Array::new(&bytes);
            let (from, to) = part_range(file, part);
            if u64::from(bytes.length()) != to - from {
                return Err(unavailable("a part of it has another length"));
            }
            whole.set(&bytes, from as u32);
        }
        Ok(whole.buffer())
    }

    async fn part(&self, file: &ModelFile, part: u64) -> Result<ArrayBuffer, Failure> {
        let read = async {
            let response = JsFuture::from(self.cache.match_with_str(&key(&file.sha256, &part.to_string()))).await?;
            let response: Response = response.dyn_into()?;
            JsFuture::from(response.array_buffer()?).await
        };
        match read.await {
            Ok(bytes) => Ok(bytes.unchecked_into()),
            Err(_) => Err(unavailable("a part of it is missing: remove the model and get it again")),
        }
    }

    /// Removes a model, or what is there of it.
    pub(crate) async fn remove(&mut self, model: &Model) {
        for file in &model.files {
            self.remove_file(file).await;
        }
    }

    async fn remove_file(&mut self, file: &ModelFile) {
        let of_file: Vec<_> = self.keys.iter().filter(|(hash, _)| *hash == file.sha256).cloned().collect();
        for (hash, part) in of_file {
            self.delete(&hash, &part).await;
        }
    }

    async fn delete(&mut self, hash: &str, part: &str) {
        // What the browser does not delete now is looked at again when the store is opened the next time.
        let _ = JsFuture::from(self.cache.delete_with_str(&key(hash, part))).await;
        self.keys.remove(&(hash.to_owned(), part.to_owned()));
    }
}

/// How many parts a file has.
pub(crate) fn n_parts(file: &ModelFile) -> u64 {
    file.size_bytes.div_ceil(PART_BYTES)
}

/// Where a part begins and ends.
pub(crate) fn part_range(file: &ModelFile, part: u64) -> (u64, u64) {
    (part * PART_BYTES, ((part + 1) * PART_BYTES).min(file.size_bytes))
}

fn key(hash: &str, part: &str) -> String {
    format!("{KEYS}{hash}/{part}")
}

fn not_kept(exception: &JsValue) -> Failure {
    if text_field(exception, "name").as_deref() == Some("QuotaExceededError") {
        return Failure {
            error: "The browser has no room for the rest of the model. Delete documents that are no longer needed, or free space on this computer, and try again: what is there already is kept.".to_owned(),
            error_type: FailureKind::StorageFull,
        };
    }
    unavailable(&exception_text(exception))
}

fn unavailable(detail: &str) -> Failure {
    Failure {
        error: format!(
            "This browser does not keep the model ({detail}). A private window or blocked site data is the usual reason."
        ),
        error_type: FailureKind::StorageUnavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::{ModelStore, PART_BYTES, n_parts, part_range};
    use js_sys::Uint8Array;
    use millwright_core::models::{Catalogue, Role};
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    async fn what_was_stopped_is_there_again_and_what_has_another_hash_is_not_kept() {
        let model = Catalogue::shipped().for_role(Role::ReadsScans).next().unwrap();
        let file = model.part("characters").unwrap();
        assert_eq!((n_parts(file), part_range(file, 0)), (1, (0, file.size_bytes)));
        let large = model.part("recogniser").unwrap();
        assert_eq!(part_range(large, n_parts(large) - 1).1, large.size_bytes);

        let mut store = ModelStore::open().await.unwrap();
        store.remove(model).await;
        let zeros = Uint8Array::new_with_length(PART_BYTES as u32);
        store.put_part(large, 0, &zeros).await.unwrap();
        store.put_part(file, 0, &Uint8Array::new_with_length(file.size_bytes as u32)).await.unwrap();
        let mut store = ModelStore::open().await.unwrap();
        let kept = store.kept(model);
        assert_eq!((kept.kept_bytes, kept.is_whole), (PART_BYTES + file.size_bytes, false));
        assert!(store.has_part(large, 0) && !store.has_part(large, 1));

        let mut n_hashed = 0;
        assert_eq!(store.seal(file, |n| n_hashed += n).await, Ok(false), "zeros are no list of characters");
        assert_eq!((n_hashed, store.kept(model).kept_bytes), (file.size_bytes, PART_BYTES));
        assert!(store.load(large).await.is_err(), "it is not whole");
        store.remove(model).await;
        assert_eq!(ModelStore::open().await.unwrap().kept(model).kept_bytes, 0);
    }
}
