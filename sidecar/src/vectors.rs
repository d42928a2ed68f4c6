//! Vectors natively: which model makes them, and making those that are missing, on all cores.
//!
//! Without the cargo feature `embed` there is never a model, and everything is found by its words. Not for keeping vectors:
//! the library does.

use crate::{interrupt::Interrupt, store::FileStorage};
use millwright_core::{
    dense::Code,
    index::{Embedded, IndexError, Library, VectorGroup},
    models::{Model, ModelIdentity},
    protocol::{Failure, FailureKind},
};
use std::{path::Path, thread};

/// What a user without a model is told.
pub const HOW_TO_GET: &str = "`millwright models fetch minilm` gets the model that finds passages by what they mean.";

/// A model that is loaded.
#[derive(Debug)]
pub struct Maker(imp::Loaded);

/// Why no model is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMaker {
    /// None is here, or this build cannot run any.
    Absent,
    /// The library's vectors were made with this model, which is not here.
    Other(String),
    /// A model that was asked for, or should be whole, cannot be used.
    Failed(Failure),
}

impl Maker {
    /// Loads the model for a library: the one `wanted`, else the one that made its vectors, else the first of the
    /// catalogue that is here.
    ///
    /// # Errors
    /// [`NoMaker`].
    pub fn load(made_with: Option<&ModelIdentity>, wanted: Option<&str>) -> Result<Self, NoMaker> {
        imp::load(None, made_with, wanted).map(Self)
    }

    /// Loads a model by name, from a named folder of models or the usual one.
    ///
    /// # Errors
    /// [`NoMaker`].
    pub fn load_from(dir: Option<&Path>, id: &str) -> Result<Self, NoMaker> {
        imp::load(dir, None, Some(id)).map(Self)
    }

    /// Whose vectors it makes.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        self.0.identity()
    }

    /// The vector of a question; `None` where the model has none for it.
    #[must_use]
    pub fn question(&self, text: &str) -> Option<Code> {
        self.0.question(text)
    }

    /// The vectors of passages, in their order; `None` for one that has none.
    #[must_use]
    pub fn passages(&self, texts: &[&str]) -> Vec<Option<Code>> {
        self.0.passages(texts)
    }

    /// Makes the vectors that a library lacks, newest documents first, and stores them as they come. What was made before
    /// an interruption stays.
    ///
    /// # Errors
    /// [`IndexError::OtherModel`] where the library's vectors are another model's, and failures of the store.
    pub fn embed_missing(
        &self,
        library: &mut Library<FileStorage>,
        interrupt: &Interrupt,
        on_progress: &mut dyn FnMut(Embedded),
    ) -> Result<Embedded, IndexError> {
        pollster::block_on(library.use_model(self.identity()))?;
        loop {
            let embedded = library.n_embedded();
            on_progress(embedded);
            let groups = pollster::block_on(library.without_vectors(n_cores() * 2))?;
            if groups.is_empty() || interrupt.is_raised() {
                return Ok(embedded);
            }
            let embed = |group: &VectorGroup| {
                let texts: Vec<&str> = group.texts.iter().map(String::as_str).collect();
                group.embedded(self.passages(&texts))
            };
            // A panic of one is one of the command, which says so and has lost nothing that was stored.
            let made = on_all_cores(&groups, |groups| groups.iter().map(embed).collect());
            if made.is_empty() {
                return Ok(library.n_embedded());
            }
            pollster::block_on(library.commit_vectors(made))?;
        }
    }
}

/// How many threads are worth having.
#[must_use]
pub fn n_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does something with equal shares of a list, a thread a core, and gives what comes of them in its order. The share of a
/// thread that panics is missing.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let per_thread = items.len().div_ceil(n_cores()).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = items.chunks(per_thread).map(|share| scope.spawn(|| work(share))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
    })
}

/// Says why a model that was asked for by name is not used.
fn unusable(model: &Model, why: &str) -> Failure {
    let error =
        format!("The model {} cannot be used: {why} Get it with `millwright models fetch {}`.", model.id, model.id);
    Failure { error, error_type: FailureKind::NotFound }
}

#[cfg(not(feature = "embed"))]
mod imp {
    use super::{Code, ModelIdentity, NoMaker, Path};

    /// Nothing can be loaded.
    #[derive(Debug)]
    pub(super) enum Loaded {}

    pub(super) fn load(
        _dir: Option<&Path>,
        _made_with: Option<&ModelIdentity>,
        wanted: Option<&str>,
    ) -> Result<Loaded, NoMaker> {
        let named = wanted.and_then(|id| crate::models::shipped().model(id));
        Err(named.map_or(NoMaker::Absent, |model| {
            NoMaker::Failed(super::unusable(model, "this program was built without the cargo feature `embed`."))
        }))
    }

    impl Loaded {
        pub(super) fn identity(&self) -> &ModelIdentity {
            match *self {}
        }
        pub(super) fn question(&self, _text: &str) -> Option<Code> {
            match *self {}
        }
        pub(super) fn passages(&self, _texts: &[&str]) -> Vec<Option<Code>> {
            match *self {}
        }
    }
}

#[cfg(feature = "embed")]
mod imp {
    use super::{Code, Failure, FailureKind, Model, ModelIdentity, NoMaker, Path, unusable};
    use crate::models::{Presence, models_dir, presence, shipped};
    use millwright_core::{embed::Embedder, host::NoProgress, models::Role};
    use std::fs;

    /// The model.
    #[derive(Debug)]
    pub(super) struct Loaded(Embedder);

    pub(super) fn load(
        dir: Option<&Path>,
        made_with: Option<&ModelIdentity>,
        wanted: Option<&str>,
    ) -> Result<Loaded, NoMaker> {
        let dir = models_dir(dir).ok_or(NoMaker::Absent)?;
        let is_here = |model: &&Model| presence(model, &dir) == Presence::Whole;
        if let Some(id) = wanted {
            let Some(model) = shipped().for_role(Role::Embeds).find(|model| model.id == id) else {
                let known: Vec<&str> = shipped().for_role(Role::Embeds).map(|model| model.id.as_str()).collect();
                let error = format!("No model called {id} makes vectors. There are: {}.", known.join(", "));
                return Err(NoMaker::Failed(Failure { error, error_type: FailureKind::NotFound }));
            };
            if !is_here(&model) {
                return Err(NoMaker::Failed(unusable(model, "it is not here.")));
            }
            return open(model, &dir);
        }
        if let Some(identity) = made_with {
            let model = shipped().model(&identity.id).filter(is_here);
            return open(model.ok_or_else(|| NoMaker::Other(identity.id.clone()))?, &dir);
        }
        open(shipped().for_role(Role::Embeds).find(is_here).ok_or(NoMaker::Absent)?, &dir)
    }

    fn open(model: &Model, dir: &Path) -> Result<Loaded, NoMaker> {
        let folder = dir.join(&model.id);
        let file = |part: &str| fs::read(folder.join(&model.part(part)?.name)).ok();
        Embedder::of_model(model, file).map(Loaded).map_err(|error| {
            NoMaker::Failed(Failure { error: error.to_string(), error_type: FailureKind::DamagedFile })
        })
    }

    impl Loaded {
        pub(super) fn identity(&self) -> &ModelIdentity {
            self.0.identity()
        }

        pub(super) fn question(&self, text: &str) -> Option<Code> {
            Code::of(&self.0.embed_query(text).ok()?)
        }

        pub(super) fn passages(&self, texts: &[&str]) -> Vec<Option<Code>> {
            match self.0.embed_passages(texts, &mut NoProgress) {
                Ok(vectors) => vectors.iter().map(|vector| Code::of(vector)).collect(),
                // A tokenizer that stumbles over one text would stumble for ever: they stay without vectors.
                Err(_) => vec![None; texts.len()],
            }
        }
    }
}
