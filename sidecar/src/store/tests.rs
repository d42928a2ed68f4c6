//! The storage contract over redb, and what a full disk and a crash leave behind.

use super::*;
use pollster::block_on;
use std::sync::{Arc, Mutex};

#[test]
fn keeps_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let storage = FileStorage::open(dir.path()).unwrap();
    block_on(millwright_core::host::contract::check_storage(&storage));
}

#[test]
fn everything_is_there_after_opening_again() {
    let dir = tempfile::tempdir().unwrap();
    let nested = dir.path().join("not/there/yet");
    let storage = FileStorage::open(&nested).unwrap();
    let mut batch = Batch::default();
    batch.put(Table::Originals, "a", vec![1; 1 << 20]);
    batch.put(Table::Manifest, "manifest", b"m".to_vec());
    block_on(storage.commit(batch)).unwrap();
    drop(storage);

    let storage = FileStorage::open(&nested).unwrap();
    assert_eq!(block_on(storage.get(Table::Originals, "a")), Ok(Some(vec![1; 1 << 20])));
    assert_eq!(block_on(storage.keys(Table::Manifest)), Ok(vec!["manifest".to_owned()]));
}

#[test]
fn a_second_opening_is_told_to_wait() {
    let dir = tempfile::tempdir().unwrap();
    let _first = FileStorage::open(dir.path()).unwrap();
    let error = FileStorage::open(dir.path()).unwrap_err();
    assert!(matches!(error, OpenError::InUse { .. }), "{error}");
    assert_eq!(Failure::from(&error).error_type, FailureKind::ReadOnly);
}

#[test]
fn a_file_that_is_no_store_is_refused_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(STORE_FILE);
    let foreign = b"this is somebody's diary, not a database ".repeat(500);
    fs::write(&path, &foreign).unwrap();
    let error = FileStorage::open(dir.path()).unwrap_err();
    assert!(matches!(error, OpenError::Damaged { .. }), "{error:?}");
    assert_eq!(fs::read(&path).unwrap(), foreign);
}

#[cfg(unix)]
#[test]
fn the_folder_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("library");
    drop(FileStorage::open(&library).unwrap());
    assert_eq!(fs::metadata(&library).unwrap().permissions().mode() & 0o777, 0o700);
}

/// A disk in memory that stops taking writes after some, tearing the one it stops at.
#[derive(Clone, Debug, Default)]
struct FailingDisk(Arc<Mutex<Disk>>);

#[derive(Debug, Default)]
struct Disk {
    bytes: Vec<u8>,
    /// `None` for no limit.
    n_writes_left: Option<usize>,
}

impl Disk {
    fn take_write(&mut self) -> bool {
        match &mut self.n_writes_left {
            None => true,
            Some(0) => false,
            Some(n) => {
                *n -= 1;
                true
            }
        }
    }
}

impl FailingDisk {
    fn holding(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Mutex::new(Disk { bytes, n_writes_left: None })))
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().bytes.clone()
    }

    fn limit(&self, n_writes_left: Option<usize>) {
        self.0.lock().unwrap().n_writes_left = n_writes_left;
    }

    fn open(&self) -> FileStorage {
        let disk = self.clone();
        FileStorage::with_opener(move || redb::Builder::new().create_with_backend(disk.clone())).unwrap()
    }
}

fn full() -> io::Error {
    io::Error::from(io::ErrorKind::StorageFull)
}

impl redb::StorageBackend for FailingDisk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().unwrap().bytes.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).unwrap();
        out.copy_from_slice(&self.0.lock().unwrap().bytes[start..start + out.len()]);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        if !disk.take_write() {
            return Err(full());
        }
        disk.bytes.resize(usize::try_from(len).unwrap(), 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        if self.0.lock().unwrap().take_write() { Ok(()) } else { Err(full()) }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut disk = self.0.lock().unwrap();
        let whole = disk.take_write();
        let n_written = if whole { data.len() } else { data.len() / 2 };
        let start = usize::try_from(offset).unwrap();
        disk.bytes[start..start + n_written].copy_from_slice(&data[..n_written]);
        if whole { Ok(()) } else { Err(full()) }
    }
}

fn old_batch() -> Batch {
    let mut batch = Batch::default();
    batch.put(Table::Documents, "d", b"old".to_vec());
    batch.put(Table::Segments, "s1", vec![1; 20_000]);
    batch
}

/// Replaces a document as the library does: new segment in, old one out, record changed, in three tables.
fn new_batch() -> Batch {
    let mut batch = Batch::default();
    batch.put(Table::Documents, "d", b"new".to_vec());
    batch.put(Table::Segments, "s2", vec![2; 60_000]);
    batch.delete(Table::Segments, "s1");
    batch.put(Table::Chunks, "d", vec![3; 9_000]);
    batch
}

#[derive(Debug, PartialEq)]
struct Content {
    document: Option<Vec<u8>>,
    segments: Vec<String>,
    chunks: Vec<String>,
}

fn content(storage: &FileStorage) -> Content {
    Content {
        document: block_on(storage.get(Table::Documents, "d")).unwrap(),
        segments: block_on(storage.keys(Table::Segments)).unwrap(),
        chunks: block_on(storage.keys(Table::Chunks)).unwrap(),
    }
}

fn old_content() -> Content {
    Content { document: Some(b"old".to_vec()), segments: vec!["s1".to_owned()], chunks: vec![] }
}

fn new_content() -> Content {
    Content { document: Some(b"new".to_vec()), segments: vec!["s2".to_owned()], chunks: vec!["d".to_owned()] }
}

#[test]
fn a_crash_at_any_write_leaves_all_or_nothing() {
    let disk = FailingDisk::default();
    let storage = disk.open();
    block_on(storage.commit(old_batch())).unwrap();
    drop(storage);
    let before = disk.bytes();

    for n_writes in 0..10_000 {
        let disk = FailingDisk::holding(before.clone());
        let storage = disk.open();
        disk.limit(Some(n_writes));
        let committed = block_on(storage.commit(new_batch()));
        // The process is gone: what its drop still tries to write fails too.
        drop(storage);
        let after_crash = FailingDisk::holding(disk.bytes()).open();
        let found = content(&after_crash);
        if committed.is_ok() {
            assert_eq!(found, new_content(), "what was reported as stored is there, {n_writes} writes");
            assert!(n_writes > 3, "the limit must have torn some commits");
            return;
        }
        assert!(found == old_content() || found == new_content(), "half a batch after {n_writes} writes: {found:?}");
    }
    panic!("the commit never succeeded");
}

#[test]
fn a_full_disk_is_said_and_later_writes_go_on() {
    let disk = FailingDisk::default();
    let storage = disk.open();
    block_on(storage.commit(old_batch())).unwrap();
    disk.limit(Some(0));
    assert_eq!(block_on(storage.commit(new_batch())), Err(StorageError::Full));
    // Somebody made room; the same process goes on.
    disk.limit(None);
    assert_eq!(content(&storage), old_content(), "nothing was changed");
    block_on(storage.commit(new_batch())).unwrap();
    assert_eq!(content(&storage), new_content());
}
