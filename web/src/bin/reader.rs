//! The reader's WebAssembly module: apart from the engine's, because all parsers together weigh as much as everything
//! else, and nobody needs them before the first file.

fn main() {
    millwright_web::reader::start();
}
