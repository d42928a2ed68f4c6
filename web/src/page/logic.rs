//! What the page decides without a browser: pure functions over text, marks, rows, addresses and windows of nodes.
//!
//! Not for anything that touches the DOM or a signal, so that all of it is tested without a page.

pub(crate) mod address;
pub(crate) mod batch;
pub(crate) mod excerpt;
pub(crate) mod flow;
pub(crate) mod joining;
pub(crate) mod labels;
pub(crate) mod marks;
pub(crate) mod numbers;
pub(crate) mod remarks;
pub(crate) mod rows;
pub(crate) mod sequence;
pub(crate) mod window;
