//! The browser's clock and timer, in workers.

use crate::channel;
use js_sys::Promise;
use millwright_core::host::Clock;
use wasm_bindgen_futures::JsFuture;

/// The clock of the machine the browser runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct BrowserClock;

impl Clock for BrowserClock {
    fn now_millis(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn monotonic_micros(&self) -> u64 {
        (millis() * 1000.0) as u64
    }
}

/// Milliseconds since this worker started, with fractions.
#[must_use]
pub fn millis() -> f64 {
    channel::worker_scope().and_then(|scope| scope.performance()).map_or(0.0, |performance| performance.now())
}

/// Waits. Lets messages in meanwhile, even for 0.
pub async fn sleep(millis: i32) {
    let timer = Promise::new(&mut |resolve, _| {
        if let Some(scope) = channel::worker_scope() {
            // Refused only for a broken callback; the promise then never resolves, like a timer never set.
            let _ = scope.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
        }
    });
    // It resolves with nothing and is never rejected.
    let _ = JsFuture::from(timer).await;
}
