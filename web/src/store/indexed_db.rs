//! [`Storage`] over IndexedDB: a database with one object store a table, text keys, `Uint8Array` values.
//!
//! A transaction of IndexedDB commits by itself as soon as nothing is asked of it, so every function here issues all its
//! requests before it awaits anything.

mod error;

use error::{refused, storage_error};
use futures_channel::oneshot;
use idb::{Database, DatabaseEvent, Factory, Transaction, TransactionMode};
use js_sys::{Array, JsString, Uint8Array};
use millwright_core::host::{Batch, Storage, StorageError, Table, Write};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};
use web_sys::{DomException, IdbDatabase, IdbTransaction};

/// The version of the arrangement of object stores, not of what is in them (that is core's `FORMAT_VERSION`).
const SCHEMA_VERSION: u32 = 2;

/// A store in one database of this origin.
pub struct IndexedDbStore {
    /// Holds the handlers; the connection itself is `connection`.
    _database: Database,
    connection: IdbDatabase,
    closed: Rc<Closed>,
}

/// Whether the connection was taken away, and who wants to know.
#[derive(Default)]
struct Closed {
    reason: Cell<Option<&'static str>>,
    on_closed: RefCell<Option<OnClosed>>,
}

type OnClosed = Box<dyn FnOnce(&str)>;

impl Closed {
    fn close(&self, reason: &'static str) {
        self.reason.set(Some(reason));
        if let Some(on_closed) = self.on_closed.take() {
            on_closed(reason);
        }
    }
}

#[wasm_bindgen]
extern "C" {
    /// `IDBDatabase` with the transaction options that web-sys does not have yet.
    type DurableDatabase;

    #[wasm_bindgen(method, catch, js_name = transaction)]
    fn transaction_with_options(
        this: &DurableDatabase,
        stores: &Array,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

impl IndexedDbStore {
    /// Opens a database, creating it where there is none.
    ///
    /// # Errors
    /// [`StorageError::Unavailable`] when the browser refuses IndexedDB or holds a database of a newer Millwright.
    pub async fn open(name: &str) -> Result<Self, StorageError> {
        let mut request =
            Factory::new().and_then(|factory| factory.open(name, Some(SCHEMA_VERSION))).map_err(refused)?;
        request.on_upgrade_needed(|event| {
            let Ok(database) = event.database() else { return };
            let present = database.store_names();
            for table in Table::ALL.iter().filter(|table| !present.iter().any(|name| name == table.name())) {
                // A failure aborts the upgrade, and opening reports it.
                let _ = database.create_object_store(table.name(), idb::ObjectStoreParams::new());
            }
        });
        let connection = IdbDatabase::from(request.await.map_err(refused)?);

        let mut database = Database::from(connection.clone());
        let closed = Rc::new(Closed::default());
        let on_close = Rc::clone(&closed);
        database.on_close(move |_| on_close.close("the browser removed the stored documents"));
        let on_version_change = Rc::clone(&closed);
        let to_close = connection.clone();
        database.on_version_change(move |_| {
            // Another tab deletes the database or brings a newer arrangement; it waits until we let go.
            to_close.close();
            on_version_change.close("another tab cleared or updated the library; reload the page");
        });
        Ok(Self { _database: database, connection, closed })
    }

    /// Deletes a database with all that is in it. Open stores over it become unavailable.
    ///
    /// # Errors
    /// [`StorageError`] when the browser refuses.
    pub async fn destroy(name: &str) -> Result<(), StorageError> {
        let request = Factory::new().and_then(|factory| factory.delete(name)).map_err(refused)?;
        request.await.map_err(refused)
    }

    /// Is told once, in half a sentence, when the connection is taken away.
    pub fn on_closed(&self, on_closed: impl FnOnce(&str) + 'static) {
        self.closed.on_closed.replace(Some(Box::new(on_closed)));
    }

    fn begin(&self, tables: &BTreeSet<Table>, mode: TransactionMode) -> Result<Transaction, StorageError> {
        if let Some(reason) = self.closed.reason.get() {
            return Err(StorageError::Unavailable(reason.to_owned()));
        }
        let stores: Array = tables.iter().map(|table| JsValue::from_str(table.name())).collect();
        let mode = if mode == TransactionMode::ReadWrite { "readwrite" } else { "readonly" };
        let options = js_sys::Object::new();
        // "strict": a batch that was reported as stored survives a power cut.
        crate::channel::set(&options, "durability", &JsValue::from_str("strict"));
        self.connection
            .unchecked_ref::<DurableDatabase>()
            .transaction_with_options(&stores, mode, &options)
            .map(Transaction::from)
            .map_err(|exception| storage_error(&idb::Error::TransactionOpenFailed(exception)))
    }

    fn read(&self, table: Table) -> Result<idb::ObjectStore, StorageError> {
        let transaction = self.begin(&BTreeSet::from([table]), TransactionMode::ReadOnly)?;
        transaction.object_store(table.name()).map_err(|error| storage_error(&error))
    }
}

impl Drop for IndexedDbStore {
    fn drop(&mut self) {
        self.connection.close();
    }
}

impl Storage for IndexedDbStore {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        let request = self.read(table)?.get(JsValue::from_str(key)).map_err(|error| storage_error(&error))?;
        let value = request.await.map_err(|error| storage_error(&error))?;
        value.map(|value| bytes(&value)).transpose()
    }

    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        let store = self.read(table)?;
        let keys = store.get_all_keys(None, None).map_err(|error| storage_error(&error))?;
        let values = store.get_all(None, None).map_err(|error| storage_error(&error))?;
        let (keys, values) = futures_util::future::join(keys.into_future(), values.into_future()).await;
        let keys = keys.map_err(|error| storage_error(&error))?;
        let values = values.map_err(|error| storage_error(&error))?;
        let mut pairs = keys
            .iter()
            .zip(&values)
            .map(|(key, value)| Ok((text(key)?, bytes(value)?)))
            .collect::<Result<Vec<_>, _>>()?;
        // IndexedDB orders text by UTF-16 units, the contract by bytes; they differ above U+FFFF.
        pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(pairs)
    }

    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        let request = self.read(table)?.get_all_keys(None, None).map_err(|error| storage_error(&error))?;
        let keys = request.await.map_err(|error| storage_error(&error))?;
        let mut keys = keys.iter().map(text).collect::<Result<Vec<_>, _>>()?;
        keys.sort();
        Ok(keys)
    }

    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        let tables: BTreeSet<Table> = batch
            .writes
            .iter()
            .map(|write| match write {
                Write::Put { table, .. } | Write::Delete { table, .. } => *table,
            })
            .collect();
        if tables.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin(&tables, TransactionMode::ReadWrite)?;
        let outcome = outcome_of(&mut transaction);
        for write in batch.writes {
            if let Err(error) = issue(&transaction, write) {
                // Nothing may be left of a batch that cannot be written whole; an abort of an aborted one is no harm.
                let _ = transaction.abort();
                return Err(storage_error(&error));
            }
        }
        match outcome.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(Some(exception))) => Err(storage_error(&idb::Error::DomException(exception))),
            // Aborted without a word: the browser closed the connection under us.
            Ok(Err(None)) | Err(oneshot::Canceled) => Err(StorageError::Unavailable(
                self.closed.reason.get().unwrap_or("the browser interrupted the write").to_owned(),
            )),
        }
    }
}

/// Asks a transaction for one change. The request is not awaited: the transaction's own end tells of all of them.
fn issue(transaction: &Transaction, write: Write) -> Result<(), idb::Error> {
    match write {
        Write::Put { table, key, value } => {
            let value = Uint8Array::from(value.as_slice());
            transaction.object_store(table.name())?.put(&value, Some(&JsValue::from_str(&key)))?;
        }
        Write::Delete { table, key } => {
            transaction.object_store(table.name())?.delete(JsValue::from_str(&key))?;
        }
    }
    Ok(())
}

/// How a transaction ends. idb's own future is not used because it loses the reason of an abort, where a full disk is told.
fn outcome_of(transaction: &mut Transaction) -> oneshot::Receiver<Result<(), Option<DomException>>> {
    let (sender, receiver) = oneshot::channel();
    let sender = Rc::new(Cell::new(Some(sender)));
    let on_complete = Rc::clone(&sender);
    transaction.on_complete(move |_| {
        if let Some(sender) = on_complete.take() {
            // Nobody listening any more is fine: what is committed is committed.
            let _ = sender.send(Ok(()));
        }
    });
    transaction.on_abort(move |event| {
        let aborted = event.target().and_then(|target| target.dyn_into::<IdbTransaction>().ok());
        if let Some(sender) = sender.take() {
            let _ = sender.send(Err(aborted.and_then(|transaction| transaction.error())));
        }
    });
    receiver
}

fn bytes(value: &JsValue) -> Result<Vec<u8>, StorageError> {
    value
        .dyn_ref::<Uint8Array>()
        .map(Uint8Array::to_vec)
        .ok_or_else(|| StorageError::Failed("a value is not bytes".to_owned()))
}

fn text(key: &JsValue) -> Result<String, StorageError> {
    key.dyn_ref::<JsString>().map(String::from).ok_or_else(|| StorageError::Failed("a key is not text".to_owned()))
}
