//! From a question to passages, each with the whole story of how it got there.
//!
//! [`question`] takes the question apart, [`route`] says who is asked, `hybrid` makes one ranking of what they find,
//! [`reranked`] puts it in another order once a slow reranker has spoken,
//! [`collapse`] makes one of what says the same, [`context`] puts a passage back into its section, and `explain` is the
//! record of it all.

pub mod collapse;
pub mod context;
mod explain;
mod hybrid;
mod judged;
pub mod question;
pub mod reranked;
pub mod route;

pub use explain::{Column, ExplainedRow, Explanation, Fate};
pub use hybrid::{Candidate, Dense, candidates};
pub use question::Question;
pub use reranked::Reranked;
pub use route::{Route, Routing};
