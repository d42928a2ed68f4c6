//! The library's promises over a store in memory.

use super::*;
use crate::{
    document::NodeId,
    host::{Batch, MemoryStorage, NoProgress, StoppedClock, Storage, Table, contract::check_storage, now},
    protocol::{FileOutcome, ReadSoFar},
};
use std::cell::Cell;

fn library() -> Library<MemoryStorage> {
    now(Library::open(MemoryStorage::default())).unwrap()
}

fn add<S: Storage>(library: &mut Library<S>, name: &str, text: &str) -> Result<FileOutcome, IndexError> {
    let prepared = prepare(name, text.as_bytes(), &mut NoProgress).unwrap();
    now(library.commit(Prepared::from_bytes(&prepared.to_bytes()).unwrap(), text.as_bytes(), 7))
}

fn id(text: &str) -> DocumentId {
    DocumentId::of(text.as_bytes())
}

fn names<S: Storage>(library: &Library<S>, question: &str) -> Vec<String> {
    let found = now(library.find(question, 10, &StoppedClock(0))).unwrap();
    found.passages.into_iter().map(|passage| passage.name).collect()
}

fn n_values(storage: &impl Storage) -> Vec<usize> {
    Table::ALL.map(|table| now(storage.keys(table)).unwrap().len()).to_vec()
}

#[test]
fn memory_keeps_the_contract() {
    now(check_storage(&MemoryStorage::default()));
}

#[test]
fn what_is_added_is_found_and_survives_reopening() {
    let mut library = library();
    assert!(matches!(add(&mut library, "pump.txt", "The seal of the pump leaks."), Ok(FileOutcome::Added { .. })));
    add(&mut library, "valve.txt", "The valve is stuck.").unwrap();
    assert_eq!(names(&library, "leaking seals"), ["pump.txt"]);
    let reopened = now(Library::open(library.storage)).unwrap();
    assert_eq!(names(&reopened, "leaking seals"), ["pump.txt"]);
    let found = now(reopened.find("stuck valve", 1, &StoppedClock(0))).unwrap();
    let passage = &found.passages[0];
    let marked: Vec<&str> = passage.marks.iter().map(|(a, b)| &passage.text[*a as usize..*b as usize]).collect();
    assert_eq!(marked, ["valve", "stuck"]);
    assert_eq!(found.n_chunks_searched, 2);
    assert_eq!(passage.explanation.missing_terms, [""; 0]);
}

#[test]
fn how_a_question_was_understood_is_told() {
    let mut library = library();
    let notice = |library: &Library<MemoryStorage>, question: &str| {
        now(library.find(question, 10, &StoppedClock(0))).unwrap().notice.unwrap_or_default()
    };
    assert_eq!(notice(&library, "पंप"), "", "an empty library is told of elsewhere");
    add(&mut library, "pump.txt", "Lubrication of the bearing.").unwrap();
    assert_eq!(notice(&library, "lubrication"), "");
    assert!(notice(&library, "lubircation").contains("“lubircation”"));
    assert_eq!(names(&library, "lubircation"), ["pump.txt"]);
    assert!(notice(&library, "the of").contains("only words that occur everywhere"));
    assert!(notice(&library, "पंप की सील").contains("Devanagari"));
    add(&mut library, "hindi.txt", "पंप की सील बदलें।").unwrap();
    assert_eq!(notice(&library, "पंप की सील"), "");
}

#[test]
fn same_bytes_are_skipped_and_same_name_replaced() {
    let mut library = library();
    add(&mut library, "a.txt", "old seal").unwrap();
    assert_eq!(library.check("a.txt", &id("old seal")), Known::Unchanged);
    assert_eq!(add(&mut library, "a.txt", "old seal"), Ok(FileOutcome::Unchanged));
    assert_eq!(library.check("a.txt", &id("new gasket")), Known::Replaces(id("old seal")));
    assert!(matches!(add(&mut library, "a.txt", "new gasket"), Ok(FileOutcome::Replaced { .. })));
    assert_eq!(names(&library, "seal"), [""; 0]);
    assert_eq!(names(&library, "gasket"), ["a.txt"]);
    while now(library.maintain()).unwrap() {}
    // manifest, documents, originals, trees, chunks, segments: one of each, nothing of the old document.
    assert_eq!(n_values(&library.storage), [1, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn one_content_under_two_names_is_kept_until_both_are_gone() {
    let mut library = library();
    add(&mut library, "a.txt", "the seal").unwrap();
    assert_eq!(add(&mut library, "b.txt", "the seal"), Ok(FileOutcome::SameContent { name: "a.txt".to_owned() }));
    assert_eq!(library.check("b.txt", &id("the seal")), Known::Unchanged);
    add(&mut library, "a.txt", "the gasket").unwrap();
    assert_eq!(names(&library, "seal"), ["b.txt"]);
    assert_eq!(names(&library, "gasket"), ["a.txt"]);
}

#[test]
fn trash_hides_restore_brings_back_purge_removes_every_trace() {
    let mut library = library();
    for (name, text) in [("a.txt", "the seal"), ("b.txt", "the gasket")] {
        add(&mut library, name, text).unwrap();
    }
    let before = now(library.find("gasket", 9, &StoppedClock(0))).unwrap();
    let seal = [id("the seal")];
    now(library.trash(&seal)).unwrap();
    assert_eq!(names(&library, "seal"), [""; 0]);
    assert_eq!(library.documents().len(), 1);
    now(library.restore(&seal)).unwrap();
    assert_eq!(names(&library, "seal"), ["a.txt"]);
    assert_eq!(now(library.find("gasket", 9, &StoppedClock(0))).unwrap(), before);

    now(library.trash(&seal)).unwrap();
    now(library.purge(&seal)).unwrap();
    assert_eq!(n_values(&library.storage), [1, 1, 1, 1, 1, 1, 0]);
    for table in Table::ALL {
        for (key, value) in now(library.storage.scan(table)).unwrap() {
            let holds = value.windows(4).any(|window| window == b"seal") || key.contains(seal[0].as_str());
            assert!(!holds, "{} {key} still knows of the purged document", table.name());
        }
    }
}

#[test]
fn the_trash_is_emptied_when_a_writer_opens() {
    let mut library = library();
    add(&mut library, "a.txt", "the seal").unwrap();
    now(library.trash(&[id("the seal")])).unwrap();
    let follower = now(Library::open_follower(library.storage)).unwrap();
    assert_eq!(follower.documents.len(), 1, "a follower changes nothing");
    let writer = now(Library::open(follower.storage)).unwrap();
    assert_eq!(n_values(&writer.storage)[1..], [0; 6]);
}

#[test]
fn a_restored_document_does_not_take_a_name_back() {
    let mut library = library();
    add(&mut library, "a.txt", "the seal").unwrap();
    now(library.trash(&[id("the seal")])).unwrap();
    add(&mut library, "a.txt", "the gasket").unwrap();
    now(library.restore(&[id("the seal")])).unwrap();
    let names: Vec<String> = library.documents().into_iter().map(|record| record.name).collect();
    assert_eq!(names, ["a.txt", "a.txt (restored)"]);
}

#[test]
fn scores_do_not_depend_on_order_or_merging() {
    let texts: Vec<(String, String)> = (0..40)
        .map(|n| (format!("f{n}.txt"), format!("Pump {n} has a seal of {} mm and valve V-{}.", n % 7, n % 5)))
        .collect();
    let mut forwards = library();
    for (name, text) in &texts {
        add(&mut forwards, name, text).unwrap();
    }
    let mut backwards = library();
    add(&mut backwards, "f3.txt", "something else: seal seal seal").unwrap();
    for (name, text) in texts.iter().rev() {
        add(&mut backwards, name, text).unwrap();
        now(backwards.maintain()).unwrap();
    }
    while now(backwards.maintain()).unwrap() {}
    assert!(backwards.segments.len() < 12, "{} segments", backwards.segments.len());
    assert_eq!(forwards.segments.len(), 40);
    for question in ["seal of pump 7", "V-3", "3 mm seal", "valve"] {
        let ask = |library: &Library<MemoryStorage>| now(library.find(question, 20, &StoppedClock(0))).unwrap();
        let (one, other) = (ask(&forwards), ask(&backwards));
        assert!(!one.passages.is_empty());
        assert_eq!(one, other, "{question}");
    }
}

#[test]
fn a_follower_takes_in_what_was_written() {
    let mut writer = library();
    add(&mut writer, "a.txt", "the seal").unwrap();
    let shared = writer.storage;
    let mut follower = now(Library::open_follower(&shared)).unwrap();
    let mut writer = now(Library::open(&shared)).unwrap();
    assert_eq!(now(follower.refresh()), Ok(false));
    add(&mut writer, "b.txt", "the gasket").unwrap();
    now(writer.trash(&[id("the seal")])).unwrap();
    assert_eq!(now(follower.refresh()), Ok(true));
    assert_eq!(names(&follower, "gasket seal"), ["b.txt"]);
}

#[test]
fn a_draft_is_found_and_leaves_no_trace() {
    let mut library = library();
    add(&mut library, "valve.txt", "The valve and its seal.").unwrap();
    let before = now(library.find("seal of the pump", 9, &StoppedClock(0))).unwrap();
    let stored = n_values(&library.storage);
    let text = "The seal of the pump leaks.";
    let draft = || prepare("pump.txt", text.as_bytes(), &mut NoProgress).unwrap();
    let reading = ReadSoFar { n_pages_read: 8, n_pages: 551 };

    library.show_draft(draft(), reading, 7).unwrap();
    let found = now(library.find("seal of the pump", 9, &StoppedClock(0))).unwrap();
    let told: Vec<_> = found.passages.iter().map(|passage| (passage.name.as_str(), passage.reading)).collect();
    assert_eq!(told, [("pump.txt", Some(reading)), ("valve.txt", None)]);
    let view = now(library.view(&id(text), NodeId(0), 50)).unwrap();
    assert_eq!((view.reading, view.nodes.last().unwrap().text.as_str()), (Some(reading), text));
    assert_eq!(library.documents().len(), 1, "what is still being read is not in the list");
    assert_eq!(n_values(&library.storage), stored, "nor stored");

    assert!(library.drop_draft(&id(text)));
    assert_eq!(now(library.find("seal of the pump", 9, &StoppedClock(0))).unwrap(), before);
    assert_eq!(now(library.view(&id(text), NodeId(0), 50)).unwrap_err(), IndexError::NotFound);

    library.show_draft(draft(), reading, 7).unwrap();
    now(library.commit(draft(), text.as_bytes(), 7)).unwrap();
    let with = now(library.find("seal of the pump", 9, &StoppedClock(0))).unwrap();
    assert!(with.passages.iter().all(|passage| passage.reading.is_none()));
    let mut plain = self::library();
    add(&mut plain, "valve.txt", "The valve and its seal.").unwrap();
    add(&mut plain, "pump.txt", text).unwrap();
    assert_eq!(now(plain.find("seal of the pump", 9, &StoppedClock(0))).unwrap(), with, "to the bit");
    library.show_draft(draft(), reading, 7).unwrap();
    assert_eq!(now(library.find("seal of the pump", 9, &StoppedClock(0))).unwrap(), with, "the whole is there already");
}

#[test]
fn a_page_is_opened_at_its_first_node() {
    let text =
        (1..=40).map(|page| format!("Page {page} begins.\n\nAnd it ends.")).collect::<Vec<_>>().join("\n\n\u{c}");
    let mut library = library();
    add(&mut library, "pages.txt", &text).unwrap();
    for page in [1, 2, 23, 40] {
        let node = now(library.node_on_page(&id(&text), page)).unwrap();
        let view = now(library.view(&id(&text), node, 1)).unwrap();
        assert_eq!(view.nodes[0].text, format!("Page {page} begins."));
    }
    let last = now(library.node_on_page(&id(&text), 99)).unwrap();
    assert_eq!(last.0 + 1, library.documents()[0].n_nodes);
}

#[test]
fn a_numbered_row_is_found_by_its_number() {
    let rows: String = (1..40).map(|n| format!("{n},Fault number {n} of 9 in group {},see page 9\n", n % 9)).collect();
    let mut library = library();
    add(&mut library, "codes.csv", &format!("Error Code,Message,Remark\n{rows}")).unwrap();
    add(&mut library, "notes.txt", "An error is an error. 9 times out of 10 the error is in code 99.").unwrap();
    let found = now(library.find("what does error 9 mean", 3, &StoppedClock(0))).unwrap();
    assert!(found.passages[0].text.starts_with("Error Code: 9;"), "{}", found.passages[0].text);
}

/// A library of format 1 with two documents, one of them in the trash.
fn of_format_1() -> MemoryStorage {
    let storage = MemoryStorage::default();
    let mut batch = Batch::default();
    batch.put(Table::Manifest, "manifest", postcard::to_stdvec(&(1_u32, 5_u64, 9_u64)).unwrap());
    for (name, text, state) in [("a.txt", "the seal", 0_u32), ("b.txt", "the gasket", 1)] {
        let (key, aliases) = (id(text).to_string(), vec![format!("copy of {name}")]);
        let record = (id(text), name, aliases, "Title", 4_u32, 8_u64, None::<u32>, 1_u32, 3_u32, 77_u64, state);
        let record = (record, Vec::<u8>::new(), Some(3_u64));
        batch.put(Table::Documents, key.clone(), postcard::to_stdvec(&record).unwrap());
        batch.put(Table::Originals, key.clone(), text.as_bytes().to_vec());
        batch.put(Table::Trees, format!("{key}:000000"), b"of another form".to_vec());
    }
    batch.put(Table::Segments, "0000000000000003", b"of another form".to_vec());
    now(storage.commit(batch)).unwrap();
    storage
}

#[test]
fn an_older_library_is_read_anew_from_its_originals() {
    let storage = of_format_1();
    assert_eq!(now(Library::open_follower(&storage)).unwrap_err(), IndexError::Outdated, "a follower changes nothing");
    let mut library = now(Library::open(&storage)).unwrap();
    assert_eq!(library.unread(), [(id("the seal"), "a.txt".to_owned())], "what was in the trash is gone");
    assert_eq!(names(&library, "seal"), [""; 0]);
    drop(library);
    // Stopped before it was read anew: it still waits.
    library = now(Library::open(&storage)).unwrap();
    let (name, bytes) = now(library.original(&id("the seal"))).unwrap();
    let prepared = prepare(&name, &bytes, &mut NoProgress).unwrap();
    assert!(matches!(now(library.commit(prepared, &bytes, 99)), Ok(FileOutcome::Added { .. })));
    assert_eq!(names(&library, "seal"), ["a.txt"]);
    let record = &library.documents()[0];
    assert_eq!((record.aliases.as_slice(), record.added_millis), (["copy of a.txt".to_owned()].as_slice(), 77));
    assert_eq!(library.unread(), []);
    assert_eq!(n_values(&storage), [1, 1, 1, 1, 1, 1, 0], "nothing of the old form is left");
}

#[test]
fn what_cannot_be_read_anew_is_kept_with_the_reason() {
    let mut library = now(Library::open(of_format_1())).unwrap();
    now(library.give_up(&id("the seal"), "The file is empty.")).unwrap();
    assert_eq!(library.unread(), []);
    let record = &library.documents()[0];
    assert!(record.warnings[0].message.ends_with("The file is empty."), "{record:?}");
    assert!(now(library.original(&id("the seal"))).is_ok());
    // Added once more, for example with its password, it is read.
    add(&mut library, "a.txt", "the seal").unwrap();
    assert_eq!((names(&library, "seal"), library.documents().len()), (vec!["a.txt".to_owned()], 1));
}

#[test]
fn clearing_removes_everything_even_what_is_damaged() {
    let storage = of_format_1();
    let mut batch = Batch::default();
    batch.put(Table::Documents, "no id", vec![0xff; 3]);
    now(storage.commit(batch)).unwrap();
    assert!(matches!(now(Library::open(&storage)), Err(IndexError::Damaged(_))));
    now(clear(&storage)).unwrap();
    assert_eq!(n_values(&storage), [0; 7]);
    assert!(now(Library::open(&storage)).unwrap().documents().is_empty());
}

#[test]
fn a_newer_format_is_refused() {
    let storage = MemoryStorage::default();
    let mut batch = Batch::default();
    batch.put(Table::Manifest, "manifest", vec![99, 0, 0]);
    now(storage.commit(batch)).unwrap();
    assert_eq!(now(Library::open(storage)).unwrap_err(), IndexError::Format { found: 99 });
}

/// A store that is full from the n-th batch on.
struct FillingStorage {
    inner: MemoryStorage,
    n_batches_left: Cell<u32>,
}

impl Storage for FillingStorage {
    async fn get(&self, table: Table, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        self.inner.get(table, key).await
    }
    async fn scan(&self, table: Table) -> Result<Vec<(String, Vec<u8>)>, StorageError> {
        self.inner.scan(table).await
    }
    async fn keys(&self, table: Table) -> Result<Vec<String>, StorageError> {
        self.inner.keys(table).await
    }
    async fn commit(&self, batch: Batch) -> Result<(), StorageError> {
        match self.n_batches_left.get() {
            0 => Err(StorageError::Full),
            n => {
                self.n_batches_left.set(n - 1);
                self.inner.commit(batch).await
            }
        }
    }
}

#[test]
fn a_full_store_changes_nothing() {
    let storage = FillingStorage { inner: MemoryStorage::default(), n_batches_left: Cell::new(1) };
    let mut library = now(Library::open(storage)).unwrap();
    add(&mut library, "a.txt", "the seal").unwrap();
    assert_eq!(add(&mut library, "a.txt", "the gasket"), Err(IndexError::Storage(StorageError::Full)));
    assert_eq!(now(library.trash(&[id("the seal")])), Err(IndexError::Storage(StorageError::Full)));
    assert_eq!(names(&library, "seal gasket"), ["a.txt"]);
    assert_eq!(n_values(&library.storage.inner), [1, 1, 1, 1, 1, 1, 0]);
}

#[test]
fn a_view_begins_at_a_block_and_knows_its_headings() {
    let text: String = (0..400).map(|n| format!("Paragraph {n}.\n\n")).collect();
    let mut library = library();
    add(&mut library, "long.txt", &text).unwrap();
    let wanted = NodeId(300.min(library.documents()[0].n_nodes - 1));
    let view = now(library.view(&id(&text), wanted, 50)).unwrap();
    assert!(view.nodes.len() <= 50);
    assert!(view.nodes.iter().any(|node| node.id == wanted));
    let last = now(library.view(&id(&text), NodeId(u32::MAX), 50)).unwrap();
    assert_eq!(last.nodes.last().unwrap().id.0 + 1, last.n_nodes);
    assert_eq!(now(library.view(&id("nothing"), NodeId(0), 1)).unwrap_err(), IndexError::NotFound);
    assert_eq!(now(library.original(&id(&text))), Ok(("long.txt".to_owned(), text.into_bytes())));
}
