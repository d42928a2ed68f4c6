//! What a library is mostly written in, which decides the embedding model that fits it.

use super::{DocumentState, IndexError, Library};
use crate::{chunk::ChunkId, document::DocumentId, host::Storage, text::Language};

/// So many documents are looked at, the newest: a library is about one factory.
const N_DOCUMENTS: usize = 64;
/// So many chunks of each, spread over it: a manual in five languages begins with one of them.
const N_CHUNKS: u32 = 4;

impl<S: Storage> Library<S> {
    /// Whether most of it is English, as far as a few chunks of each of the newest documents tell; an empty library is.
    ///
    /// # Errors
    /// [`IndexError`] when the store cannot be read.
    pub async fn is_mostly_english(&self) -> Result<bool, IndexError> {
        let ready = self.documents.values().filter(|stored| stored.record.state == DocumentState::Ready);
        let mut documents: Vec<(u64, &DocumentId, u32)> =
            ready.map(|stored| (stored.record.added_millis, &stored.record.id, stored.record.n_chunks)).collect();
        documents.sort_by(|a, b| b.cmp(a));
        let (mut n_english, mut n_other) = (0_u64, 0_u64);
        for (_, document, n_chunks) in documents.into_iter().filter(|(.., n_chunks)| *n_chunks > 0).take(N_DOCUMENTS) {
            let n_looked_at = n_chunks.min(N_CHUNKS);
            // A long document counts for more, a looked-at chunk for all that it stands for.
            let weight = u64::from(n_chunks / n_looked_at);
            for at in 0..n_looked_at {
                let ordinal = (u64::from(n_chunks) * u64::from(at) / u64::from(n_looked_at)) as u32;
                let chunk = self.chunk(&ChunkId { document: document.clone(), ordinal }).await?;
                if chunk.language == Language::English && is_latin(&chunk.text) {
                    n_english += weight;
                } else {
                    n_other += weight;
                }
            }
        }
        Ok(n_english >= n_other)
    }
}

/// Whether most letters are Latin ones: what no language was told of counts as English otherwise.
fn is_latin(text: &str) -> bool {
    let (mut n_latin, mut n_other) = (0_usize, 0_usize);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        // Up to the end of Latin Extended-B.
        if c < '\u{250}' { n_latin += 1 } else { n_other += 1 }
    }
    n_latin >= n_other
}

#[cfg(test)]
mod tests {
    use crate::{
        host::{MemoryStorage, NoProgress},
        index::{Library, prepare},
    };
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };

    /// Memory never waits, so one poll is enough.
    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("memory does not wait"),
        }
    }

    fn is_mostly_english(texts: &[&str]) -> bool {
        let mut library = now(Library::open(MemoryStorage::default())).unwrap();
        for (at, text) in (0..).zip(texts) {
            let prepared = prepare(&format!("{at}.txt"), text.as_bytes(), &mut NoProgress).unwrap();
            now(library.commit(prepared, text.as_bytes(), at)).unwrap();
        }
        now(library.is_mostly_english()).unwrap()
    }

    const ENGLISH: &str = "The seal of the pump must be checked every month, and the oil is to be changed once a year.";
    const GERMAN: &str = "Die Dichtung der Pumpe ist monatlich zu prüfen, und das Öl ist einmal im Jahr zu wechseln.";
    const GREEK: &str = "Ελέγχετε τη στεγανοποίηση της αντλίας κάθε μήνα και αλλάζετε το λάδι μία φορά τον χρόνο.";

    #[test]
    fn the_majority_decides() {
        assert!(is_mostly_english(&[]));
        assert!(is_mostly_english(&[ENGLISH]));
        assert!(!is_mostly_english(&[GERMAN]));
        assert!(!is_mostly_english(&[GREEK]), "a language that is not known is not English either");
        assert!(is_mostly_english(&[ENGLISH, GERMAN, &format!("{ENGLISH} Again.")]));
        assert!(!is_mostly_english(&[ENGLISH, GERMAN, GREEK]));
    }
}
