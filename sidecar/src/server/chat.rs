//! The OpenAI interface, for other programs on this machine: `/v1/models` and `/v1/chat/completions`, streamed or whole. Its
//! failures have OpenAI's form. What is dropped by whoever asked is dropped here, and the model stops. Not for the app's own
//! answers, which are checked: here comes what the model says.

mod request;

use super::{Site, generator::shortened, guard};
use crate::generate::stream::{Piece, Stream};
use axum::{
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::stream::{self, StreamExt};
use millwright_core::host::generator::{Finish, GenerateError, Generator, GeneratorState, Usage};
use request::ChatRequest;
use serde_json::{Value, json};
use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How often a silent stream says that it is there: whoever left is noticed by it at the latest.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// `GET /v1/models`: the one that is loaded.
pub(super) async fn models(State(site): State<Arc<Site>>) -> Response {
    let status = site.desk.writer().status();
    let loaded = status.model.filter(|_| status.state == GeneratorState::Ready);
    let data: Vec<Value> = loaded
        .into_iter()
        .map(|id| json!({"id": id, "object": "model", "created": 0, "owned_by": "millwright"}))
        .collect();
    answer(StatusCode::OK, &json!({"object": "list", "data": data}))
}

/// `POST /v1/chat/completions`.
pub(super) async fn complete(State(site): State<Arc<Site>>, body: Body) -> Response {
    let body = match guard::whole_body(body, guard::BODY_PATIENCE).await {
        Ok(body) => body,
        Err((status, why)) => return refuse(status, "invalid_request_error", None, why),
    };
    let asked: ChatRequest = match serde_json::from_slice(&body) {
        Ok(asked) => asked,
        Err(error) => return invalid(&format!("The request is not understood: {error}.")),
    };
    let generation = match asked.generation() {
        Ok(generation) => generation,
        Err(why) => return invalid(&why),
    };
    let status = site.desk.writer().status();
    let model = status.model.unwrap_or_default();
    if let Some(other) = asked.model.as_deref().filter(|&other| !other.is_empty() && other != model) {
        let why = format!("{} is not loaded; {} is.", shortened(other), if model.is_empty() { "none" } else { &model });
        return refuse(StatusCode::NOT_FOUND, "invalid_request_error", Some("model_not_found"), &why);
    }
    if let Err(wait) = site.desk.rate.take(Instant::now()) {
        let why = format!("Too many requests: try again in {:.1} seconds.", wait.as_secs_f32());
        return refuse(StatusCode::TOO_MANY_REQUESTS, "rate_limit_error", None, &why);
    }
    let mut stream = match site.desk.writer().start(&generation) {
        Ok(stream) => stream,
        Err(error) => return failed(&error),
    };
    // Before the answer begins: what cannot be written at all is said by its status.
    let first = match stream.next().await {
        Some(Piece::Failed(error)) => return failed(&error),
        first => first,
    };
    let head = Head::new(model);
    if asked.stream == Some(true) { head.stream(first, stream) } else { head.whole(first, stream).await }
}

/// What all parts of one answer say.
#[derive(Clone, Debug)]
struct Head {
    id: String,
    created: u64,
    model: String,
}

impl Head {
    fn new(model: String) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let id = format!("chatcmpl-{created:x}-{:x}", COUNT.fetch_add(1, Ordering::Relaxed));
        Self { id, created, model }
    }

    async fn whole(&self, first: Option<Piece>, mut stream: Stream) -> Response {
        let (mut text, mut next) = (String::new(), first);
        loop {
            match next {
                Some(Piece::Text(piece)) => text.push_str(&piece),
                Some(Piece::Read { .. }) => {}
                Some(Piece::Done { finish, usage }) => {
                    let choice = json!({
                        "index": 0,
                        "message": {"role": "assistant", "content": text},
                        "finish_reason": reason(finish),
                    });
                    return answer(StatusCode::OK, &self.part("chat.completion", choice, Some((finish, usage))));
                }
                Some(Piece::Failed(error)) => return failed(&error),
                None => return failed(&GenerateError::Crashed { why: "it ended without a word".to_owned() }),
            }
            next = stream.next().await;
        }
    }

    /// Server-sent events. When the connection closes, the body is dropped, with it the stream, and the model stops.
    fn stream(self, first: Option<Piece>, stream: Stream) -> Response {
        let opening = self.event(json!({"role": "assistant", "content": ""}), None);
        let rest = stream::unfold((self, first, Some(stream)), |(head, first, stream)| async move {
            let mut stream = stream?;
            let next = match first {
                Some(first) => Some(first),
                None => match tokio::time::timeout(SIGN_OF_LIFE, stream.next()).await {
                    Ok(next) => next,
                    Err(_) => return Some((": waiting\n\n".to_owned(), (head, None, Some(stream)))),
                },
            };
            let text = match next? {
                // Says nothing, and shows whether anybody is there.
                Piece::Read { done_tokens, total_tokens } => format!(": read {done_tokens} of {total_tokens}\n\n"),
                Piece::Text(text) => head.event(json!({"content": text}), None),
                Piece::Done { finish, usage } => {
                    let last = head.event(json!({}), Some((finish, usage)));
                    return Some((last + "data: [DONE]\n\n", (head, None, None)));
                }
                Piece::Failed(error) => {
                    let (_, body) = in_words(&error);
                    return Some((format!("data: {body}\n\n"), (head, None, None)));
                }
            };
            Some((text, (head, None, Some(stream))))
        });
        let events = stream::once(async { opening }).chain(rest).map(Ok::<_, Infallible>);
        let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
        (headers, Body::from_stream(events)).into_response()
    }

    fn event(&self, delta: Value, end: Option<(Finish, Usage)>) -> String {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": end.map(|(finish, _)| reason(finish))});
        format!("data: {}\n\n", self.part("chat.completion.chunk", choice, end))
    }

    fn part(&self, object: &str, choice: Value, end: Option<(Finish, Usage)>) -> Value {
        let mut part = json!({
            "id": self.id, "object": object, "created": self.created, "model": self.model, "choices": [choice],
        });
        if let Some((finish, usage)) = end {
            part["usage"] = json!({
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.generated_tokens,
                "total_tokens": usage.prompt_tokens.saturating_add(usage.generated_tokens),
                "prompt_tokens_details": {"cached_tokens": usage.reused_tokens},
            });
            // OpenAI has no word for a model that went in circles.
            part["millwright"] = json!({"finish": finish});
        }
        part
    }
}

/// OpenAI's word.
fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Length => "length",
        Finish::Ended | Finish::Stopped | Finish::Repeating => "stop",
    }
}

fn answer(status: StatusCode, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

fn error_body(kind: &str, code: Option<&str>, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": null, "code": code}})
}

fn refuse(status: StatusCode, kind: &str, code: Option<&str>, message: &str) -> Response {
    let mut response = answer(status, &error_body(kind, code, message));
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    response
}

fn invalid(message: &str) -> Response {
    refuse(StatusCode::BAD_REQUEST, "invalid_request_error", None, message)
}

fn failed(error: &GenerateError) -> Response {
    let (status, body) = in_words(error);
    let mut response = answer(status, &body);
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    response
}

/// The status and the body of a failure.
fn in_words(error: &GenerateError) -> (StatusCode, Value) {
    let (status, kind, code) = match error {
        GenerateError::Absent => (StatusCode::SERVICE_UNAVAILABLE, "service_unavailable", Some("no_model")),
        GenerateError::NotReady { .. } => (StatusCode::SERVICE_UNAVAILABLE, "service_unavailable", Some("not_ready")),
        GenerateError::Busy => (StatusCode::SERVICE_UNAVAILABLE, "service_unavailable", Some("busy")),
        GenerateError::TooLong { .. } => {
            (StatusCode::BAD_REQUEST, "invalid_request_error", Some("context_length_exceeded"))
        }
        GenerateError::Invalid { .. } => (StatusCode::BAD_REQUEST, "invalid_request_error", None),
        GenerateError::Crashed { .. } => (StatusCode::INTERNAL_SERVER_ERROR, "server_error", Some("model_crashed")),
        GenerateError::Unreachable { .. } => (StatusCode::BAD_GATEWAY, "server_error", Some("unreachable")),
    };
    let message = error.to_string();
    let mut letters = message.chars();
    let message: String =
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).chain(std::iter::once('.')).collect();
    (status, error_body(kind, code, &message))
}
