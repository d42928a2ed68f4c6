//! What the test targets of this package share: a browser driven from Rust, a sidecar of the test's own, documents
//! written for testing, the runner of the data-driven suite.
//!
//! Not for checks themselves: those stand in `tests/tests`, `tests/suite` and `tests/bench`. Nothing here is shipped.

pub mod paths;
pub mod sidecar;
pub mod webdriver;
