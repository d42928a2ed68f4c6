//! The embedder's WebAssembly module, apart from the others because only those who have a model need it. This is
//! the build for every browser with SIMD; `engine-boot.js` takes `embedder-relaxed` where the browser can run that.

fn main() {
    millwright_web::embedder::start();
}
