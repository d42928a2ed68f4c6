//! Millwright's core: the way from a file's bytes to evidence that can be cited, without any platform code.
//!
//! Reading order, which is also the order in which modules may know one another:
//! [`text`] → [`document`] → [`parse`] → [`chunk`] → [`lexical`], [`dense`] → [`rerank`] → [`fuse`] → [`retrieve`] → [`grade`] →
//! [`answer`], with [`index`] keeping all of it in a [`host::Storage`] and [`protocol`] carrying it between page, worker and
//! sidecar. [`eval`] sees only runs and qrels,
//! [`models`] is the catalogue of what can be had beside the app.
//!
//! What it is not for: reading clocks, files, environments or networks, and starting threads. Those come in through
//! [`host`].

pub mod answer;
pub mod chunk;
pub mod dense;
pub mod document;
#[cfg(feature = "embed")]
pub mod embed;
pub mod eval;
pub mod fuse;
pub mod grade;
pub mod host;
pub mod index;
pub mod lexical;
pub mod models;
pub mod parse;
pub mod protocol;
pub mod rerank;
pub mod retrieve;
pub mod text;
