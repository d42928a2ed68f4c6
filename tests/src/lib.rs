//! What the test targets of this package share: a browser driven from Rust, a sidecar of the test's own, documents
//! written for testing, the runner of the data-driven suite.
//!
//! Not for checks themselves: those stand in `tests/tests`, `tests/suite` and `tests/bench`. Nothing here is shipped.

pub mod bad_files;
pub mod corpus;
pub mod library;
pub mod manuals;
pub mod paths;
pub mod person;
pub mod questions;
pub mod sidecar;
pub mod suite;
pub mod watchdog;
pub mod webdriver;
