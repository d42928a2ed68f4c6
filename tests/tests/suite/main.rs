//! What the core promises, checked natively: data-driven cases, the machine manuals' six questions, how well files are
//! read and ranked, hostile files.

mod answers;
mod cases;
mod manuals;
mod order;
mod parsing;
mod ranking;
mod robustness;
