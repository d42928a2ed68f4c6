//! Serves the bundle's files: by name out of a list made when it was loaded, so that no path leads out of it.

use super::{
    Site, api,
    bundle::{Asset, INDEX},
    guard::is_navigation,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use millwright_core::protocol::FailureKind;
use std::sync::Arc;

/// What browsers ask for first: the moments to look for a new build.
const ENTRY_POINTS: [&str; 3] = [INDEX, "sw.js", "version.json"];

/// Every path that is not under `/api`.
pub(super) async fn serve(State(site): State<Arc<Site>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut response = api::wrong_method().await;
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let Some(name) = file_name(request.uri().path()) else { return missing() };
    if ENTRY_POINTS.contains(&name.as_str()) {
        let site = Arc::clone(&site);
        // A panic there would be a fault of our own; the old build is still good to serve.
        let _ = tokio::task::spawn_blocking(move || site.shelf.refresh()).await;
    }
    let bundle = site.shelf.current();
    // An address inside the app, opened before its service worker is there: the app's own router reads it.
    let page = || bundle.asset(INDEX).filter(|_| is_navigation(&request));
    let Some(asset) = bundle.asset(&name).or_else(page) else { return missing() };
    let mut response = reply(asset, request.method(), request.headers());
    // The policy of this very build: its hashes are those of this page's inline scripts.
    if let Ok(policy) = HeaderValue::from_str(bundle.content_security_policy()) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The bundle's name for a path; `None` where its escapes are broken.
fn file_name(path: &str) -> Option<String> {
    match path.strip_prefix('/')? {
        "" => Some(INDEX.to_owned()),
        name => percent_decode(name),
    }
}

fn reply(asset: &Asset, method: &Method, headers: &HeaderMap) -> Response {
    let body = match &asset.gzip {
        Some(gzip) if accepts_gzip(headers) => gzip,
        _ => &asset.plain,
    };
    let mut response = Response::builder()
        .header(header::CONTENT_TYPE, asset.content_type)
        .header(header::CACHE_CONTROL, asset.cache_control())
        .header(header::ETAG, &body.etag);
    if asset.gzip.is_some() {
        response = response.header(header::VARY, "accept-encoding");
    }
    if is_known(headers, &body.etag) {
        return finished(response.status(StatusCode::NOT_MODIFIED), Body::empty());
    }
    if body.is_gzip {
        response = response.header(header::CONTENT_ENCODING, "gzip");
    }
    response = response.header(header::CONTENT_LENGTH, body.bytes.len());
    let sent = if method == Method::HEAD { Body::empty() } else { Body::from(body.bytes.clone()) };
    finished(response, sent)
}

fn finished(response: axum::http::response::Builder, body: Body) -> Response {
    response.body(body).unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

fn missing() -> Response {
    api::failure(StatusCode::NOT_FOUND, FailureKind::NotFound, "There is no such file. The page is at /.")
}

/// RFC 9110, 12.5.3: named with a weight above 0, or covered by `*` while not named.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let mut by_name = None;
    let mut by_star = None;
    for line in headers.get_all(header::ACCEPT_ENCODING) {
        for coding in line.to_str().unwrap_or_default().split(',') {
            let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
            let weight = parameters.trim().strip_prefix("q=").and_then(|q| q.trim().parse::<f32>().ok());
            let accepted = weight.is_none_or(|weight| weight > 0.0);
            match name.trim().to_ascii_lowercase().as_str() {
                "gzip" | "x-gzip" => by_name = Some(accepted),
                "*" => by_star = Some(accepted),
                _ => {}
            }
        }
    }
    by_name.or(by_star).unwrap_or(false)
}

/// RFC 9110, 13.1.2: the weak comparison, or `*`.
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    headers.get_all(header::IF_NONE_MATCH).iter().any(|line| {
        let tags = line.to_str().unwrap_or_default().split(',').map(str::trim);
        tags.map(|tag| tag.strip_prefix("W/").unwrap_or(tag)).any(|tag| tag == "*" || tag == etag)
    })
}

/// Decodes `%xx`; `None` where an escape is broken or the result is not UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut nibble = || char::from(bytes.next()?).to_digit(16);
            decoded.push(u8::try_from(nibble()? * 16 + nibble()?).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_only_where_it_is_accepted() {
        let accepts = |value: &'static str| {
            accepts_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
        };
        assert!(accepts("gzip, deflate, br"));
        assert!(accepts("br;q=1.0, GZIP;q=0.5"));
        assert!(accepts("*"));
        assert!(!accepts("gzip;q=0, *"));
        assert!(!accepts("identity"));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn escapes_are_decoded_once() {
        assert_eq!(file_name("/"), Some(INDEX.to_owned()));
        assert_eq!(file_name("/a%20%C3%BC.md"), Some("a ü.md".to_owned()));
        assert_eq!(file_name("/%252e"), Some("%2e".to_owned()));
        assert_eq!(file_name("/%zz"), None);
        assert_eq!(file_name("/%2"), None);
        assert_eq!(file_name("/%ff"), None);
    }
}
