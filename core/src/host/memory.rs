//! A store in memory: for tests, and for a browser that refuses IndexedDB.

use super::{Batch, Storage, StorageError, Table, Write};
use std::{cell::RefCell, collections::BTreeMap};

/// What a future over memory gives, in tests: memory never waits, so one poll is enough.
#[cfg(test)]
pub(crate) fn now<T>(future: impl Future<Output = T>) -> T {
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("memory does not wait"),
    }
}

/// Keeps everything in a map; gone when dropped.
#[derive(Debug, Default)]
pub struct MemoryStorage {
    tables: RefCell<BTreeMap<(Table, String), Vec<u8>>>,
}

impl Storage for MemoryStorage {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        Ok(self.tables.borrow().get(&(table, key.to_owned())).cloned())
    }

    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        let tables = self.tables.borrow();
        let of_table = tables.range((table, String::new())..).take_while(|((t, _), _)| *t == table);
        Ok(of_table.map(|((_, key), value)| (key.clone(), value.clone())).collect())
    }

    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        Ok(self.scan(table).await?.into_iter().map(|(key, _)| key).collect())
    }

    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        let mut tables = self.tables.borrow_mut();
        for write in batch.writes {
            match write {
                Write::Put { table, key, value } => tables.insert((table, key), value),
                Write::Delete { table, key } => tables.remove(&(table, key)),
            };
        }
        Ok(())
    }
}
