//! A cross-encoder natively: which model reads the shortlist once more, and for how long.
//!
//! Without the cargo feature `embed` there is none. Not for what its scores do: that is `core::retrieve::reranked`.

use millwright_core::{
    dense::Code,
    host::{Clock, Storage},
    index::Library,
    protocol::{Failure, FailureKind},
    rerank::TimeBudget,
    retrieve::Reranked,
};
use std::path::Path;

/// For how long candidates are read; what was not reached by then stays as it was found.
const BUDGET_MICROS: u64 = 5_000_000;

/// A cross-encoder that is loaded.
#[derive(Debug)]
pub struct Judge(imp::Loaded);

impl Judge {
    /// Loads the model called `id` from a named folder of models or the usual one.
    ///
    /// # Errors
    /// [`Failure`] where it is not here, is damaged, judges nothing, or this build can run none.
    pub fn load(dir: Option<&Path>, id: &str) -> Result<Self, Failure> {
        imp::load(dir, id).map(Self)
    }

    /// Asks a library for the shortlist of a question and scores it, as far as the time reaches.
    ///
    /// # Errors
    /// [`Failure`] where the model's files do not belong together, and failures of the store.
    pub fn judge<S: Storage>(
        &self,
        question: &str,
        vector: Option<&Code>,
        library: &Library<S>,
        clock: &dyn Clock,
    ) -> Result<Reranked, Failure> {
        let shortlist = pollster::block_on(library.shortlist(question, vector)).map_err(Failure::from)?;
        let texts: Vec<&str> = shortlist.iter().map(|candidate| candidate.text.as_str()).collect();
        let scores = self.0.scores(question, &texts, &mut TimeBudget::new(clock, BUDGET_MICROS))?;
        let chunks = shortlist.iter().map(|candidate| candidate.chunk.clone());
        Ok(Reranked { scores: chunks.zip(scores).collect() })
    }
}

fn unusable(id: &str, why: &str, kind: FailureKind) -> Failure {
    Failure { error: format!("The model {id} cannot judge passages: {why}"), error_type: kind }
}

#[cfg(not(feature = "embed"))]
mod imp {
    use super::{Failure, FailureKind, Path, unusable};
    use millwright_core::host::Progress;

    /// Nothing can be loaded.
    #[derive(Debug)]
    pub(super) enum Loaded {}

    pub(super) fn load(_dir: Option<&Path>, id: &str) -> Result<Loaded, Failure> {
        let why = "this program was built without the cargo feature `embed`.";
        Err(unusable(id, why, FailureKind::NotFound))
    }

    impl Loaded {
        pub(super) fn scores(&self, _: &str, _: &[&str], _: &mut dyn Progress) -> Result<Vec<f32>, Failure> {
            match *self {}
        }
    }
}

#[cfg(feature = "embed")]
mod imp {
    use super::{Failure, FailureKind, Path, unusable};
    use crate::models::{Presence, models_dir, presence, shipped};
    use millwright_core::{embed::CrossEncoder, host::Progress, models::Role};
    use std::fs;

    /// The model.
    #[derive(Debug)]
    pub(super) struct Loaded {
        id: String,
        network: CrossEncoder,
    }

    pub(super) fn load(dir: Option<&Path>, id: &str) -> Result<Loaded, Failure> {
        let judges = || shipped().for_role(Role::Reranks);
        let Some(model) = judges().find(|model| model.id == id) else {
            let known: Vec<&str> = judges().map(|model| model.id.as_str()).collect();
            let why = format!("none of that name is known. There is: {}.", known.join(", "));
            return Err(unusable(id, &why, FailureKind::NotFound));
        };
        let missing = || {
            let why = format!("it is not here. Get it with `millwright models fetch {id}`.");
            unusable(id, &why, FailureKind::NotFound)
        };
        let folder =
            models_dir(dir).filter(|dir| presence(model, dir) == Presence::Whole).ok_or_else(missing)?.join(id);
        let file = |part: &str| fs::read(folder.join(&model.part(part)?.name)).ok();
        let network =
            CrossEncoder::of_parts(file).map_err(|error| unusable(id, &error.to_string(), FailureKind::DamagedFile))?;
        Ok(Loaded { id: id.to_owned(), network })
    }

    impl Loaded {
        pub(super) fn scores(
            &self,
            question: &str,
            texts: &[&str],
            progress: &mut dyn Progress,
        ) -> Result<Vec<f32>, Failure> {
            let scores = self.network.scores(question, texts, progress);
            scores.map_err(|error| unusable(&self.id, &error.to_string(), FailureKind::DamagedFile))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_is_not_here_is_said_to_be_missing() {
        let empty = tempfile::tempdir().unwrap();
        let missing = Judge::load(Some(empty.path()), "ms-marco").unwrap_err();
        assert!(
            missing.error.contains("models fetch ms-marco") || missing.error.contains("feature `embed`"),
            "{missing}"
        );
    }
}
