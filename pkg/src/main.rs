//! The packaging tool behind cargo pkg.
fn main() {}
