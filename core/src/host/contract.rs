//! What every [`Storage`] must do, as one function that each implementation runs in its own tests.

use super::{Batch, Storage, Table};

/// Runs the contract over an empty store.
///
/// # Panics
/// When the store breaks the contract; the message says where.
pub async fn check_storage(storage: &impl Storage) {
    for table in Table::ALL {
        assert_eq!(storage.keys(table).await, Ok(vec![]), "a fresh store is empty: {}", table.name());
    }
    assert_eq!(storage.get(Table::Trees, "a").await, Ok(None), "a missing key is None");

    // Puts, in tables that do not see one another, with keys and values that are awkward.
    let big = vec![0xA5_u8; 3 << 20];
    let mut batch = Batch::default();
    batch.put(Table::Trees, "b", vec![2]);
    batch.put(Table::Trees, "a", vec![]);
    batch.put(Table::Trees, "Ä/ü 'quoted\" \u{1F527}", vec![0, 255]);
    batch.put(Table::Chunks, "a", big.clone());
    storage.commit(batch).await.expect("a batch of puts");
    assert_eq!(storage.get(Table::Trees, "a").await, Ok(Some(vec![])), "an empty value is a value");
    assert_eq!(storage.get(Table::Chunks, "a").await, Ok(Some(big)), "tables do not see one another");
    assert_eq!(
        storage.scan(Table::Trees).await,
        Ok(vec![
            ("a".to_owned(), vec![]),
            ("b".to_owned(), vec![2]),
            ("Ä/ü 'quoted\" \u{1F527}".to_owned(), vec![0, 255]),
        ]),
        "scan is ascending by bytes"
    );

    // Order inside a batch, replacing, deleting what is not there.
    let mut batch = Batch::default();
    batch.put(Table::Trees, "b", vec![3]);
    batch.delete(Table::Trees, "b");
    batch.put(Table::Trees, "b", vec![4]);
    batch.delete(Table::Trees, "never there");
    batch.delete(Table::Trees, "a");
    storage.commit(batch).await.expect("a mixed batch");
    assert_eq!(storage.get(Table::Trees, "b").await, Ok(Some(vec![4])), "changes apply in order");
    assert_eq!(storage.get(Table::Trees, "a").await, Ok(None), "deleted is gone");

    // Many keys stay in order.
    let mut batch = Batch::default();
    for n in 0..300_u32 {
        batch.put(Table::Documents, format!("{:03}", (n * 7) % 300), n.to_le_bytes().to_vec());
    }
    storage.commit(batch).await.expect("three hundred puts");
    let keys = storage.keys(Table::Documents).await.expect("keys");
    assert_eq!(keys.len(), 300);
    assert!(keys.is_sorted(), "keys are ascending");

    storage.commit(Batch::default()).await.expect("an empty batch is fine");
}
