//! `/api/generator`: what the language model is doing, which models there are, loading and unloading one. Not for having
//! it write.

use super::{Site, api, guard, pairing::Pairing, rate::Rate};
use crate::generate::Writer;
use axum::{
    body::Body,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use millwright_core::{
    host::generator::{Generator, GeneratorStatus},
    protocol::FailureKind,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the server needs for text.
#[derive(Debug)]
pub struct Desk {
    writer: Writer,
    pub(super) pairing: Pairing,
    pub(super) rate: Rate,
}

impl Desk {
    /// `writer` writes for the page, and for programs that know the key of `pairing`.
    #[must_use]
    pub fn new(writer: Writer, pairing: Pairing) -> Self {
        Self { writer, pairing, rate: Rate::new() }
    }

    /// Whoever writes.
    #[must_use]
    pub fn writer(&self) -> &Writer {
        &self.writer
    }

    /// The models that can be loaded; none where another program's server writes.
    fn names(&self) -> Vec<String> {
        match &self.writer {
            Writer::Local(local) => local.names(),
            Writer::Remote(_) => Vec::new(),
        }
    }
}

/// `GET /api/generator`.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    status: GeneratorStatus,
    /// The state as people read it: `loading 43 %`.
    words: String,
    /// What can be loaded.
    models: Vec<String>,
}

pub(super) async fn tell(State(site): State<Arc<Site>>) -> Response {
    api::json(StatusCode::OK, &told(&site).await)
}

async fn told(site: &Arc<Site>) -> Told {
    let status = site.desk.writer.status();
    let asked = Arc::clone(site);
    // Folders may lie on a slow disk. A panic there would be a fault of our own; then nothing can be loaded.
    let models = tokio::task::spawn_blocking(move || asked.desk.names()).await.unwrap_or_default();
    Told { words: status.state.to_string(), status, models }
}

/// `POST /api/generator`.
#[derive(Deserialize)]
pub(super) struct Load {
    /// The model's name, one of the list.
    model: String,
}

/// Loads a model in place of the one that is there, and answers at once; the state tells how far it is.
pub(super) async fn load(State(site): State<Arc<Site>>, body: Body) -> Response {
    let body = match guard::whole_body(body, guard::BODY_PATIENCE).await {
        Ok(body) => body,
        Err((status, why)) => return api::failure(status, FailureKind::BadRequest, why),
    };
    let asked = serde_json::from_slice(&body).ok();
    let Some(Load { model }) = asked else {
        let why = "Say which model, as JSON: {\"model\": \"NAME\"}.";
        return api::failure(StatusCode::BAD_REQUEST, FailureKind::BadRequest, why);
    };
    let name = model.clone();
    let here = Arc::clone(&site);
    let found = tokio::task::spawn_blocking(move || match &here.desk.writer {
        Writer::Local(local) => Some(local.load(&name)),
        Writer::Remote(_) => None,
    });
    match found.await.unwrap_or(Some(false)) {
        Some(true) => api::json(StatusCode::ACCEPTED, &told(&site).await),
        Some(false) => api::failure(
            StatusCode::NOT_FOUND,
            FailureKind::NotFound,
            format!("There is no model called {}. GET /api/generator lists those that are here.", shortened(&model)),
        ),
        None => elsewhere(),
    }
}

/// `DELETE /api/generator`: the model's memory is given back.
pub(super) async fn unload(State(site): State<Arc<Site>>) -> Response {
    match &site.desk.writer {
        Writer::Local(local) => {
            local.unload();
            StatusCode::NO_CONTENT.into_response()
        }
        Writer::Remote(_) => elsewhere(),
    }
}

fn elsewhere() -> Response {
    let why = "Another program's server writes (--generator): its models are loaded there.";
    api::failure(StatusCode::CONFLICT, FailureKind::BadRequest, why)
}

/// A name from a request, as much of it as a sentence bears.
pub(super) fn shortened(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}
