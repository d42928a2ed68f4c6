//! What a library is mostly written in, which decides the embedding model that fits it.

use super::{DocumentRecord, IndexError, Library};
use crate::{chunk::ChunkId, host::Storage, text::Language};

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
        let (mut n_english, mut n_other) = (0_u64, 0_u64);
        let records = self.newest_first();
        for DocumentRecord { id, n_chunks, .. } in records.into_iter().filter(|r| r.n_chunks > 0).take(N_DOCUMENTS) {
            let (document, n_chunks) = (id, *n_chunks);
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
        host::{MemoryStorage, NoProgress, now},
        index::{Library, prepare},
    };

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
