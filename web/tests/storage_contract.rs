//! The storage contract over IndexedDB in a real browser, and what IndexedDB adds to it: reopening, aborts, tabs.

#![cfg(target_arch = "wasm32")]

use millwright_core::host::{Batch, Storage, StorageError, Table, contract::check_storage};
use millwright_web::store::IndexedDbStore;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// A store that nothing has been put in, under a name of its own.
async fn fresh(name: &str) -> IndexedDbStore {
    IndexedDbStore::destroy(name).await.expect("destroy");
    IndexedDbStore::open(name).await.expect("open")
}

fn put(key: &str, value: &[u8]) -> Batch {
    let mut batch = Batch::default();
    batch.put(Table::Trees, key, value.to_vec());
    batch
}

#[wasm_bindgen_test]
async fn keeps_the_contract() {
    check_storage(&fresh("contract").await).await;
}

#[wasm_bindgen_test]
async fn what_was_committed_is_there_after_reopening() {
    let store = fresh("reopen").await;
    store.commit(put("a", &[1, 2, 3])).await.expect("commit");
    drop(store);
    let store = IndexedDbStore::open("reopen").await.expect("reopen");
    assert_eq!(store.get(Table::Trees, "a").await, Ok(Some(vec![1, 2, 3])));
}

#[wasm_bindgen_test]
async fn stores_over_one_database_see_each_other() {
    let writer = fresh("tabs").await;
    let reader = IndexedDbStore::open("tabs").await.expect("second store");
    writer.commit(put("a", &[7])).await.expect("commit");
    assert_eq!(reader.get(Table::Trees, "a").await, Ok(Some(vec![7])));
    assert_eq!(reader.keys(Table::Trees).await, Ok(vec!["a".to_owned()]));
}

#[wasm_bindgen_test]
async fn keys_above_the_basic_plane_are_in_byte_order() {
    // UTF-16 puts U+1F527 (surrogates, 0xD83D…) before U+FF21; bytes put it after.
    let store = fresh("order").await;
    let mut batch = put("\u{1F527}", &[1]);
    batch.put(Table::Trees, "\u{FF21}", vec![2]);
    store.commit(batch).await.expect("commit");
    let expected = vec!["\u{FF21}".to_owned(), "\u{1F527}".to_owned()];
    assert_eq!(store.keys(Table::Trees).await, Ok(expected.clone()));
    let scanned = store.scan(Table::Trees).await.expect("scan");
    assert_eq!(scanned.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>(), expected);
    assert_eq!(scanned[1].1, vec![1], "values stay with their keys");
}

/// Replaces `put` for the next batch so that its second call does `what` (JavaScript), then puts it right again.
fn spoil_second_put(what: &str) {
    js_sys::eval(&format!(
        "{{ const honest = IDBObjectStore.prototype.put; let n = 0;
           IDBObjectStore.prototype.put = function (...given) {{
             if (++n === 2) {{ IDBObjectStore.prototype.put = honest; {what} }}
             return honest.apply(this, given);
           }}; }}"
    ))
    .expect("eval");
}

/// Commits a batch that must fail, and checks that nothing of it happened and the store goes on.
async fn fails_without_a_trace(name: &str, what: &str) -> StorageError {
    let store = fresh(name).await;
    store.commit(put("before", &[1])).await.expect("commit");
    spoil_second_put(what);
    let mut batch = put("a", &[2]);
    batch.delete(Table::Trees, "before");
    batch.put(Table::Chunks, "b", vec![3]);
    let error = store.commit(batch).await.expect_err("the batch fails");
    assert_eq!(store.keys(Table::Trees).await, Ok(vec!["before".to_owned()]));
    assert_eq!(store.keys(Table::Chunks).await, Ok(vec![]));
    store.commit(put("after", &[4])).await.expect("the store goes on");
    error
}

#[wasm_bindgen_test]
async fn a_full_disk_leaves_nothing_of_the_batch() {
    let throw = "throw new DOMException('no room', 'QuotaExceededError');";
    assert_eq!(fails_without_a_trace("full", throw).await, StorageError::Full);
}

#[wasm_bindgen_test]
async fn a_batch_that_is_cut_off_leaves_nothing() {
    let abort = "const request = honest.apply(this, given); this.transaction.abort(); return request;";
    assert!(matches!(fails_without_a_trace("cut_off", abort).await, StorageError::Unavailable(_)));
}

#[wasm_bindgen_test]
async fn a_store_whose_database_is_deleted_says_so() {
    let store = fresh("deleted").await;
    store.commit(put("a", &[1])).await.expect("commit");
    let told = std::rc::Rc::new(std::cell::Cell::new(false));
    let tell = std::rc::Rc::clone(&told);
    store.on_closed(move |_| tell.set(true));
    // Deleting waits until every connection lets go: it must not hang on ours.
    IndexedDbStore::destroy("deleted").await.expect("destroy");
    assert!(told.get(), "the listener was told");
    assert!(matches!(store.get(Table::Trees, "a").await, Err(StorageError::Unavailable(_))));
    assert!(matches!(store.commit(put("b", &[1])).await, Err(StorageError::Unavailable(_))));
    let again = IndexedDbStore::open("deleted").await.expect("open anew");
    assert_eq!(again.keys(Table::Trees).await, Ok(vec![]), "a fresh store is empty");
}
