//! What programs ask: health, and failures as `{error, error_type}`. Not for the page's files.

use super::Site;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use millwright_core::protocol::{Failure, FailureKind, PROTOCOL_VERSION};
use serde::Serialize;
use std::sync::Arc;

#[derive(Serialize)]
struct Health {
    /// What answers here: others may have taken the port.
    name: &'static str,
    status: &'static str,
    version: &'static str,
    protocol: u32,
    bundle: Option<String>,
}

/// Whether a path belongs to programs.
pub(super) fn is_api(path: &str) -> bool {
    ["/api", "/v1"]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// `GET /api/health`.
pub(super) async fn health(State(site): State<Arc<Site>>) -> Response {
    let bundle = site.shelf.current().version().map(str::to_owned);
    let health = Health {
        name: "millwright",
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        protocol: PROTOCOL_VERSION,
        bundle,
    };
    json(StatusCode::OK, &health)
}

/// Anything else under `/api`.
pub(super) async fn unknown() -> Response {
    failure(StatusCode::NOT_FOUND, FailureKind::NotFound, "There is nothing of this name under /api or /v1.")
}

/// A known path asked in a way that it does not know.
pub(super) async fn wrong_method() -> Response {
    failure(
        StatusCode::METHOD_NOT_ALLOWED,
        FailureKind::BadRequest,
        "This cannot be done with this address; most can only be read (GET).",
    )
}

/// A refusal in the closed form.
pub(super) fn failure(status: StatusCode, error_type: FailureKind, error: impl Into<String>) -> Response {
    json(status, &Failure { error: error.into(), error_type })
}

pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    match serde_json::to_string(body) {
        Ok(text) => (status, headers, text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
