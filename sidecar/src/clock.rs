//! The machine's time, as the core's `Clock` port. Not for timeouts: those are `std::time::Instant`'s.

use millwright_core::host::Clock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The system's clock; its fixed point is when it was made.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock whose monotonic time begins now.
    #[must_use]
    pub fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now_millis(&self) -> u64 {
        // A clock set before 1970 shows 1970: it is only shown, never computed with.
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0))
    }

    fn monotonic_micros(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}
