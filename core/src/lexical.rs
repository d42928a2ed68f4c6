//! BM25 over tantivy's inverted index: analysers, segments, query building, scoring.
//!
//! tantivy keeps dictionaries, postings, positions and lengths; the scoring is ours, term by term over all segments with
//! exact statistics of the live chunks only. So a score is a function of the set of live chunks and the question, never
//! of how the chunks came into segments, which is what makes rankings equal between machines and histories.

pub mod analysis;
mod query;
mod score;
mod segment;

pub use analysis::Identity;
pub use query::{Query, QueryTerm};
pub use score::{BM25_B, BM25_K1, LexicalFound, LexicalHit, Searcher};
pub use segment::{Segment, SegmentError, SegmentText, build, merge};
