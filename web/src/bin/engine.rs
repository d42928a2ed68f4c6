//! The workers' WebAssembly module: the engine, or a reader, as the worker's name says.

fn main() {
    if millwright_web::channel::worker_name() == millwright_web::channel::READER_NAME {
        millwright_web::reader::start();
    } else {
        millwright_web::engine::start();
    }
}
