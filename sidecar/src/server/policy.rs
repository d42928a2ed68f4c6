//! What the page may do, said in headers with every answer: load only itself, talk only to its own server, stand in no
//! frame, be isolated so that threads work. Not for who may ask: that is the guard.

use super::Site;
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The headers that are the same for every answer.
const FIXED: [(&str, &str); 7] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("x-frame-options", "DENY"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
    ),
];

/// The middleware.
pub(super) async fn add_headers(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in FIXED {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(site.shelf.current().content_security_policy()) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
    response
}

/// The content security policy of a page: everything from the page's own origin; of what stands inline only the
/// scripts and styles that are in `index` itself, by their hashes.
#[must_use]
pub fn content_security_policy(index: &str) -> String {
    let sources = |keywords: &str, tag: &str| {
        inline_elements(index, tag).iter().fold(keywords.to_owned(), |sources, content| {
            format!("{sources} 'sha256-{}'", STANDARD.encode(Sha256::digest(content)))
        })
    };
    let scripts = sources("'self' 'wasm-unsafe-eval'", "script");
    let styles = sources("'self'", "style");
    format!(
        "default-src 'none'; script-src {scripts}; style-src {styles}; img-src 'self' blob: data:; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; font-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// What stands inside every `<tag …>` without a `src`, exactly, as the hash is taken over it.
fn inline_elements<'a>(html: &'a str, tag: &str) -> Vec<&'a str> {
    // Byte for byte as long as the original, so that places agree.
    let lower = html.to_ascii_lowercase();
    let (open, close) = (format!("<{tag}"), format!("</{tag}"));
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(found) = lower[at..].find(&open) {
        let attributes_start = at + found + open.len();
        let Some(length) = tag_length(&lower[attributes_start..]) else { break };
        let attributes = &lower[attributes_start..attributes_start + length];
        let start = attributes_start + length + 1;
        at = start;
        // `<scripted>` is another element.
        if !attributes.is_empty() && !attributes.starts_with(|c: char| c.is_ascii_whitespace() || c == '/') {
            continue;
        }
        let Some(length) = lower[start..].find(&close) else { break };
        at = start + length;
        let has_source = attributes.split(|c: char| c.is_ascii_whitespace()).any(|part| part.starts_with("src="));
        if !has_source {
            elements.push(&html[start..at]);
        }
    }
    elements
}

/// Bytes up to the `>` that ends a tag, quoted values passed over.
fn tag_length(rest: &str) -> Option<usize> {
    let mut quote = None;
    for (at, character) in rest.char_indices() {
        match (quote, character) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_scripts_are_found_exactly() {
        let html = "<head><script src=\"/a.js\">no</script><SCRIPT type=\"module\" title='a > b'>\nlet a = 1;\n</SCRIPT>\
                    <scripted>x</scripted><style>b{}</style></head>";
        assert_eq!(inline_elements(html, "script"), ["\nlet a = 1;\n"]);
        assert_eq!(inline_elements(html, "style"), ["b{}"]);
        assert!(inline_elements("<script>open", "script").is_empty());
    }

    #[test]
    fn the_hash_is_the_one_browsers_take() {
        // The example of the W3C's Content Security Policy Level 2, 7.17.2, whose hash is given there.
        let policy = content_security_policy("<script>alert('Hello, world.');</script>");
        let scripts = policy.split("; ").find(|directive| directive.starts_with("script-src")).unwrap();
        let expected = "qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=";
        assert_eq!(scripts, format!("script-src 'self' 'wasm-unsafe-eval' 'sha256-{expected}'"));
        assert!(!policy.contains("unsafe-inline"));
    }
}
