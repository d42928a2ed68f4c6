//! What the core promises, checked natively: data-driven cases, the machine manuals' six questions, hostile files.

mod cases;
mod manuals;
mod robustness;
