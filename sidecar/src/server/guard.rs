//! Refuses requests that do not come from this machine's own page: foreign names (DNS rebinding), other sites' forms and
//! scripts, bodies beyond any use. Not for who the user is: whoever uses this machine is.

use super::{Site, api};
use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use millwright_core::protocol::FailureKind;
use std::{sync::Arc, time::Duration};

/// The largest request body: a chat with all of a large model's context; files are not uploaded.
pub(super) const MAX_BODY_BYTES: usize = 1 << 20;

/// How long a client may take over a body.
pub(super) const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// What a request's `Host` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Host {
    /// 127.0.0.1 and the port.
    Canonical,
    /// Another name of this machine.
    Alias,
    /// Anything else.
    Foreign,
}

/// The middleware.
pub(super) async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    match host(request.uri(), request.headers(), site.port) {
        Host::Foreign => {
            return api::failure(
                StatusCode::MISDIRECTED_REQUEST,
                FailureKind::BadRequest,
                format!("This server answers only to its own address, http://127.0.0.1:{}/. Open that.", site.port),
            );
        }
        // Browsers keep storage by origin: a library added under localhost would be missing under 127.0.0.1.
        Host::Alias if is_navigation(&request) => {
            let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
            let location = format!("http://127.0.0.1:{}{path}", site.port);
            return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, location)]).into_response();
        }
        Host::Alias | Host::Canonical => {}
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads && !is_own(request.headers(), site.port) {
        return api::failure(
            StatusCode::FORBIDDEN,
            FailureKind::BadRequest,
            "Only Millwright's own page may change anything here.",
        );
    }
    if body_bytes(request.headers()).is_some_and(|n_bytes| n_bytes > MAX_BODY_BYTES as u64) {
        return api::failure(StatusCode::PAYLOAD_TOO_LARGE, FailureKind::TooLarge, "The request's body is too large.");
    }
    next.run(request).await
}

/// HTTP/1.1 lets a client name the host in the request line; it then counts in the header's stead.
fn host(uri: &Uri, headers: &HeaderMap, port: u16) -> Host {
    let mut named = headers.get_all(header::HOST).iter();
    let host = match (uri.authority(), named.next(), named.next()) {
        (Some(authority), _, _) => authority.as_str(),
        (None, Some(host), None) => host.to_str().unwrap_or_default(),
        // Without a host, or with two, nobody knows who is meant.
        _ => return Host::Foreign,
    };
    classify(host, port)
}

fn classify(host: &str, port: u16) -> Host {
    let (name, named_port) = match host.rsplit_once(':') {
        // The last colon of `[::1]` is no port's.
        Some((name, digits)) if !digits.ends_with(']') => (name, Some(digits)),
        _ => (host, None),
    };
    let right_port = named_port.is_none_or(|digits| digits.parse() == Ok(port));
    match name.to_ascii_lowercase().as_str() {
        "127.0.0.1" if right_port => Host::Canonical,
        "localhost" | "[::1]" if right_port => Host::Alias,
        _ => Host::Foreign,
    }
}

/// Whether a person opens a page, rather than a page fetching its parts.
pub(super) fn is_navigation(request: &Request) -> bool {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let navigates = match text("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => text("accept").is_some_and(|accept| accept.contains("text/html")),
    };
    navigates && request.method() == Method::GET && !api::is_api(request.uri().path())
}

/// Whether a request that changes something comes from the page itself or from a program that is no browser:
/// browsers always send `Origin` with those, programs need not.
fn is_own(headers: &HeaderMap, port: u16) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let from_own_origin = origins.all(|origin| origin.to_str().is_ok_and(|origin| is_own_origin(origin, port)));
    let from_own_site = headers.get_all("sec-fetch-site").iter().all(|site| site == "same-origin" || site == "none");
    from_own_origin && from_own_site
}

/// Whether a browser vouches that the app's own page asks: it sets these headers itself, and no script can.
pub(super) fn is_page(headers: &HeaderMap, port: u16) -> bool {
    let is_vouched =
        headers.get("sec-fetch-site").is_some_and(|site| site == "same-origin") || headers.contains_key(header::ORIGIN);
    is_vouched && is_own(headers, port)
}

fn is_own_origin(origin: &str, port: u16) -> bool {
    origin.strip_prefix("http://").is_some_and(|host| classify(host, port) == Host::Canonical && host.contains(':'))
}

/// A request's whole body, however its length is said.
///
/// # Errors
/// The refusal's status and its words, where the body is too large or comes too slowly.
pub(super) async fn whole_body(body: Body, patience: Duration) -> Result<Bytes, (StatusCode, &'static str)> {
    match tokio::time::timeout(patience, axum::body::to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "The request's body is too large, or broke off.")),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "The request's body came too slowly.")),
    }
}

fn body_bytes(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_told_apart() {
        let cases = [
            ("127.0.0.1:7878", Host::Canonical),
            ("127.0.0.1", Host::Canonical),
            ("localhost:7878", Host::Alias),
            ("LOCALHOST", Host::Alias),
            ("[::1]:7878", Host::Alias),
            ("[::1]", Host::Alias),
            ("127.0.0.1:80", Host::Foreign),
            ("127.0.0.1:7878:7878", Host::Foreign),
            ("evil.example:7878", Host::Foreign),
            ("127.0.0.1.evil.example", Host::Foreign),
            ("localhost.:7878", Host::Foreign),
            ("user@127.0.0.1:7878", Host::Foreign),
            ("0.0.0.0:7878", Host::Foreign),
            ("", Host::Foreign),
        ];
        for (host, expected) in cases {
            assert_eq!(classify(host, 7878), expected, "{host}");
        }
    }

    #[test]
    fn only_the_page_itself_and_programs_may_write() {
        let own = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
            is_own(&headers, 7878)
        };
        assert!(own(&[]));
        assert!(own(&[("origin", "http://127.0.0.1:7878"), ("sec-fetch-site", "same-origin")]));
        assert!(!own(&[("origin", "http://evil.example")]));
        assert!(!own(&[("origin", "null")]));
        assert!(!own(&[("origin", "http://127.0.0.1:9999")]));
        assert!(!own(&[("sec-fetch-site", "cross-site")]));
    }

    #[test]
    fn bodies_are_bounded_in_size_and_time() {
        let read = |body: Body| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
            runtime.block_on(whole_body(body, Duration::from_millis(20))).map_err(|(status, _)| status)
        };
        assert_eq!(read(Body::from("{}")), Ok(Bytes::from("{}")));
        assert_eq!(read(Body::from(vec![b' '; MAX_BODY_BYTES + 1])), Err(StatusCode::PAYLOAD_TOO_LARGE));
        let never = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
        assert_eq!(read(Body::from_stream(never)), Err(StatusCode::REQUEST_TIMEOUT));
    }

    #[test]
    fn only_a_browser_vouches_for_the_page() {
        let page = |pairs: &[(&'static str, &'static str)]| {
            let headers = pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
            is_page(&headers, 7878)
        };
        assert!(page(&[("sec-fetch-site", "same-origin")]));
        assert!(page(&[("origin", "http://127.0.0.1:7878")]));
        for pairs in [
            &[][..],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "cross-site")],
            &[("origin", "http://evil.example")],
            &[("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")],
        ] {
            assert!(!page(pairs), "{pairs:?}");
        }
    }
}
