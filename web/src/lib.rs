//! The page (Leptos, main thread), the engine (a worker that owns the library), the reader (a worker that parses) and the
//! embedder (a worker that makes vectors).
//!
//! Reading order: [`client`] is the page's end of the channel, [`engine`] the other; [`reader`] is what the engine hands
//! files to, because a file may crash or stall whoever reads it; `embedder` (cargo feature `embed`, a build of its own) what
//! it hands passages and questions to; [`store`] keeps the library in IndexedDB,
//! `models` the models; [`page`] shows it all.
//!
//! Not for parsing or ranking: that is `millwright-core`.

pub mod channel;
#[cfg(feature = "app")]
pub mod client;
pub mod clock;
#[cfg(feature = "embed")]
pub mod embedder;
#[cfg(feature = "app")]
pub mod engine;
#[cfg(feature = "app")]
pub(crate) mod models;
#[cfg(feature = "app")]
pub mod page;
#[cfg(feature = "app")]
pub mod reader;
#[cfg(feature = "app")]
pub mod store;

// This package's tests run in a browser, where a plain `#[test]` is compiled and never run: every test module says
// `use wasm_bindgen_test::wasm_bindgen_test as test`. A worker, because clock and channel are a worker's.
#[cfg(all(test, target_arch = "wasm32"))]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_dedicated_worker);
