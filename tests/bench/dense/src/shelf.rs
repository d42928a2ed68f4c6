//! A library of Markdown files that is asked by words and vectors, from the keystroke to the passages.

use crate::{DIMENSIONS, Minilm};
use millwright_core::{
    dense::Code,
    host::{MemoryStorage, NoProgress, StoppedClock},
    index::{IndexError, Library, VectorGroup, prepare},
    models::ModelIdentity,
    retrieve::Question,
};
use pollster::block_on;

/// How many groups of chunks get their vectors at once.
const GROUPS_AT_ONCE: usize = 64;

/// A library in memory: what a store takes is not measured here.
#[derive(Debug)]
pub struct Shelf(Library<MemoryStorage>);

impl Shelf {
    /// Reads, cuts and indexes files, named by their numbers. Files that cannot be read are left out.
    ///
    /// # Errors
    /// [`IndexError`] when memory is short.
    pub fn build(files: &[String]) -> Result<Self, IndexError> {
        let mut library = block_on(Library::open(MemoryStorage::default()))?;
        for (n, text) in files.iter().enumerate() {
            let Ok(prepared) = prepare(&format!("{n:04}.md"), text.as_bytes(), &mut NoProgress) else { continue };
            block_on(library.commit(prepared, text.as_bytes(), n as u64))?;
        }
        while block_on(library.maintain())? {}
        Ok(Self(library))
    }

    /// Gives every chunk its vector. `vectors` makes those of texts, one after the other; the order of the texts is the
    /// same wherever the files are.
    ///
    /// # Errors
    /// [`IndexError`] when memory is short.
    pub fn embed(
        &mut self,
        model: &ModelIdentity,
        mut vectors: impl FnMut(&[VectorGroup]) -> Vec<f32>,
    ) -> Result<(), IndexError> {
        block_on(self.0.use_model(model))?;
        loop {
            let groups = block_on(self.0.without_vectors(GROUPS_AT_ONCE))?;
            if groups.is_empty() {
                return Ok(());
            }
            let made = vectors(&groups);
            let mut rows = made.as_chunks::<DIMENSIONS>().0.iter();
            let embedded = groups.iter().map(|group| {
                group.embedded(group.texts.iter().map(|_| rows.next().and_then(|row| Code::of(row))).collect())
            });
            let embedded: Vec<_> = embedded.collect();
            block_on(self.0.commit_vectors(embedded))?;
        }
    }

    /// How many chunks there are, and how many of them have vectors.
    #[must_use]
    pub fn n_chunks(&self) -> (u32, u32) {
        let embedded = self.0.n_embedded();
        (embedded.n_chunks, embedded.n_done)
    }

    /// Asks: the vector of the question, the passages with their marks. Gives the number of passages.
    ///
    /// # Errors
    /// [`IndexError`] when memory is short.
    pub fn ask(&self, model: &Minilm, question: &str, limit: u32) -> Result<usize, IndexError> {
        let subject = Question::parse(question).subject;
        let vector = model.question(&subject).ok().and_then(|vector| Code::of(&vector));
        let options = millwright_core::index::FindOptions { limit, vector: vector.as_ref(), ..Default::default() };
        Ok(block_on(self.0.find_with(question, &options, &StoppedClock::default()))?.passages.len())
    }
}
