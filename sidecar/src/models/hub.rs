//! Which model hub files come from that no package holds. Not for downloading.

use std::env;

/// The hub of models whose catalogue entry says `huggingface`.
const PUBLIC: &str = "https://huggingface.co";

/// The hub's address: what `HF_ENDPOINT` names (a mirror inside a factory's network, as the hub's own tools have it), else
/// the public one.
#[must_use]
pub fn configured() -> String {
    let told = env::var("HF_ENDPOINT").ok().filter(|url| !url.trim().is_empty());
    told.as_deref().unwrap_or(PUBLIC).trim().trim_end_matches('/').to_owned()
}
