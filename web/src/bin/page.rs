//! The page's WebAssembly module.

fn main() {
    console_error_panic_hook::set_once();
    millwright_web::page::start();
}
