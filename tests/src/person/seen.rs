//! Reading the page: the scripts that run in it and what they bring back.

use anyhow::{Context, Result};
use serde_json::Value;

/// A passage as it is on show.
#[derive(Clone, Debug, PartialEq)]
pub struct PassageSeen {
    /// The chunk's id.
    pub chunk: String,
    /// The document's name.
    pub name: String,
    /// The score it is ordered by.
    pub score: f32,
    /// Everything that is written on it.
    pub text: String,
    /// What is marked in it.
    pub marks: Vec<String>,
}

/// The passages on show if they are those of the question in `arguments[0]` and no newer answer is awaited.
pub(super) const PASSAGES: &str = "
    const line = document.querySelector('[data-testid=result-line]');
    if (!line || line.dataset.query !== arguments[0] || line.closest('[aria-busy=true]')) return null;
    return [...document.querySelectorAll('[data-testid=passage]')].map(e => ({
        chunk: e.dataset.chunk, name: e.dataset.name, score: e.dataset.score, text: e.innerText,
        marks: [...e.querySelectorAll('mark')].map(m => m.textContent) }))";

/// Looks into the browser's databases beside the page: what the page says is gone must be gone there.
pub(super) const STORED_KEYS: &str = "
    const done = request => new Promise((ok, no) => { request.onsuccess = () => ok(request.result); request.onerror = no; });
    return (async () => {
        const keys = [];
        for (const { name } of await indexedDB.databases()) {
            const database = await done(indexedDB.open(name));
            for (const table of database.objectStoreNames) {
                for (const key of await done(database.transaction(table).objectStore(table).getAllKeys())) {
                    keys.push(`${name}/${table}/${key}`);
                }
            }
            database.close();
        }
        return keys;
    })()";

pub(super) fn passage_seen(seen: &Value) -> Result<PassageSeen> {
    Ok(PassageSeen {
        chunk: as_text(&seen["chunk"]),
        name: as_text(&seen["name"]),
        score: as_text(&seen["score"]).parse().with_context(|| format!("no score: {seen}"))?,
        text: as_text(&seen["text"]),
        marks: seen["marks"].as_array().map(|marks| marks.iter().map(as_text).collect()).unwrap_or_default(),
    })
}

/// The text of a JSON string; empty for anything else.
pub(super) fn as_text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
