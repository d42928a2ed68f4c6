//! The engine's WebAssembly module.

fn main() {
    millwright_web::engine::start();
}
