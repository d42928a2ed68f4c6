//! The embedder's WebAssembly module for browsers with relaxed SIMD: the same program with faster kernels.

fn main() {
    millwright_web::embedder::start();
}
