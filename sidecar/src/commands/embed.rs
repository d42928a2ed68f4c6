//! `millwright embed`: makes the vectors that passages lack.

use super::{CommandError, count, grouped, open_library};
use crate::{
    EXIT_INTERRUPTED, EXIT_OK,
    cli::EmbedArgs,
    interrupt::Interrupt,
    output::Output,
    store::FileStorage,
    vectors::{self, Maker, NoMaker},
};
use millwright_core::{
    index::{Embedded, IndexError, Library},
    protocol::{Failure, FailureKind},
};
use serde::Serialize;
use std::path::PathBuf;

/// How many passages have vectors, and of which model.
#[derive(Debug, Serialize)]
pub(super) struct Vectors {
    model: String,
    n_passages_embedded: u32,
    n_passages: u32,
}

pub(super) fn run(args: &EmbedArgs, library: Option<PathBuf>, output: &mut Output) -> Result<u8, CommandError> {
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    let mut library = open_library(library, output)?;
    let made_with = library.vectors_model().filter(|_| !args.rebuild).cloned();
    let maker = Maker::load(made_with.as_ref(), args.model.as_deref()).map_err(|why| match why {
        NoMaker::Failed(failure) => failure,
        NoMaker::Absent => {
            let error = format!("No model that makes vectors is here. {}", vectors::HOW_TO_GET);
            Failure { error, error_type: FailureKind::NotFound }
        }
        NoMaker::Other(model) => Failure { error: other_model(&model), error_type: FailureKind::VersionMismatch },
    })?;
    if args.rebuild {
        pollster::block_on(library.forget_vectors())?;
    }
    let vectors = make(&maker, &mut library, &interrupt, output)?;
    output.json(&vectors);
    output.line(&vectors.sentence());
    Ok(if interrupt.is_raised() { EXIT_INTERRUPTED } else { EXIT_OK })
}

/// Makes what is missing and shows how far it is.
pub(super) fn make(
    maker: &Maker,
    library: &mut Library<FileStorage>,
    interrupt: &Interrupt,
    output: &mut Output,
) -> Result<Vectors, IndexError> {
    let made = maker.embed_missing(library, interrupt, &mut |Embedded { n_done, n_chunks }| {
        let (done, all) = (grouped(n_done as usize), grouped(n_chunks as usize));
        output.status(&format!("vectors: {done} of {all} passages"));
    })?;
    let model = maker.identity().id.clone();
    Ok(Vectors { model, n_passages_embedded: made.n_done, n_passages: made.n_chunks })
}

/// What to do where the model of the library's vectors is not here.
pub(super) fn other_model(model: &str) -> String {
    format!(
        "The vectors of this library were made with the model {model}, which is not here. Get it with `millwright models \
         fetch {model}`, or make the vectors anew with another model: `millwright embed --rebuild`."
    )
}

impl Vectors {
    /// For people.
    pub(super) fn sentence(&self) -> String {
        let all = count(self.n_passages as usize, "passage has a vector", "passages have vectors");
        if self.n_passages_embedded == self.n_passages {
            return format!("{all} of {}.", self.model);
        }
        let done = grouped(self.n_passages_embedded as usize);
        format!("{done} of {} passages have vectors. Go on with: millwright embed", grouped(self.n_passages as usize))
    }
}
