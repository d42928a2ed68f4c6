//! Stores with damaged values: opening, searching and tidying up one may fail in words, but must not crash or go round for
//! ever. What may be damaged is a value at a time, as a failing disk or a torn write leaves it, and any record anew.

use millwright_core::{
    document::NodeId,
    host::{Batch, MemoryStorage, NoProgress, StoppedClock, Storage, Table},
    index::{IndexError, Library, Prepared, prepare},
};
use std::sync::OnceLock;

/// Every value of a whole store.
type Values = Vec<(Table, String, Vec<u8>)>;

/// Two documents, one of which is in the trash.
const FILES: [(&str, &str); 2] = [
    (
        "pump.md",
        "# Pump\n\nCheck the seal.\n\n| Code | Meaning |\n|-|-|\n| 9 | too hot |\n\n## Care\n\n> [!WARNING]\n> Hot.\n",
    ),
    ("note.txt", "The valve V-7 opens at 3,5 bar. It is old.\n"),
];

/// Damages a store as the input says, and uses it.
pub(crate) fn run(input: &[u8]) {
    let store = MemoryStorage::default();
    let mut batch = Batch::default();
    let mut values = whole().clone();
    let mut rest = input;
    // Which value, how, and from where on; then how many bytes, and these.
    while let [which, how, at_low, at_high, length, after @ ..] = rest {
        let (bytes, next) = after.split_at(usize::from(*length).min(after.len()));
        let which = usize::from(*which) % values.len();
        damage(&mut values[which].2, *how, usize::from(u16::from_le_bytes([*at_low, *at_high])), bytes);
        rest = next;
    }
    for (table, key, value) in values {
        batch.put(table, key, value);
    }
    pollster::block_on(store.commit(batch)).expect("memory takes it");
    let _ = pollster::block_on(use_store(store));
    if let Some(prepared) = Prepared::from_bytes(input) {
        let _ = pollster::block_on(async {
            let mut library = Library::open(MemoryStorage::default()).await?;
            library.commit(prepared, b"x", 0).await
        });
    }
}

fn damage(value: &mut Vec<u8>, how: u8, at: usize, bytes: &[u8]) {
    let at = at.min(value.len());
    match how % 4 {
        0 => *value = bytes.to_vec(),
        1 => value.truncate(at),
        2 => drop(value.splice(at..(at + bytes.len()).min(value.len()), bytes.iter().copied())),
        _ => value[at..].iter_mut().zip(bytes).for_each(|(byte, change)| *byte ^= change),
    }
}

async fn use_store(store: MemoryStorage) -> Result<(), IndexError> {
    let mut library = Library::open(&store).await?;
    for question in ["seal", "error 9", "V-7 3,5 bar", "\"too hot\"", "car"] {
        // One question may meet the damage and the next not.
        let _ = library.find(question, 5, &StoppedClock::default()).await;
    }
    for record in library.documents() {
        for from in [0, 3, 9] {
            let _ = library.view(&record.id, NodeId(from), 20).await;
        }
        let _ = library.node_on_page(&record.id, 1).await;
        let _ = library.original(&record.id).await;
        library.trash(&[record.id.clone()]).await?;
    }
    while library.maintain().await? {}
    let mut library = Library::open(&store).await?;
    library.refresh().await?;
    Ok(())
}

fn whole() -> &'static Values {
    static WHOLE: OnceLock<Values> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let store = MemoryStorage::default();
        pollster::block_on(async {
            let mut library = Library::open(&store).await?;
            for (name, text) in FILES {
                let prepared = prepare(name, text.as_bytes(), &mut NoProgress).expect("it is a text");
                library.commit(prepared, text.as_bytes(), 0).await?;
            }
            let second = library.documents().pop().expect("two are there").id;
            library.trash(&[second]).await?;
            let mut values = Vec::new();
            for table in Table::ALL {
                values.extend(store.scan(table).await?.into_iter().map(|(key, value)| (table, key, value)));
            }
            Ok::<_, IndexError>(values)
        })
        .expect("memory serves")
    })
}
