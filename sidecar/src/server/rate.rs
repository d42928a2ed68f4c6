//! How often texts may be asked for. What is under way at a time is bounded by the writer; this bounds the asking itself, so
//! that a program in a loop cannot keep the page's own requests out. Not for who asks.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// So many at once, for somebody who opens several tabs.
const BURST: u32 = 30;
/// And then one in so much time: more than any model here writes.
const EVERY: Duration = Duration::from_millis(250);

/// A bucket of permissions that fills up again.
#[derive(Debug)]
pub(super) struct Rate {
    /// When the bucket would be full again.
    full_at: Mutex<Option<Instant>>,
}

impl Rate {
    pub(super) fn new() -> Self {
        Self { full_at: Mutex::new(None) }
    }

    /// Takes a permission; otherwise, how long until there is one.
    pub(super) fn take(&self, now: Instant) -> Result<(), Duration> {
        // An instant is whole whatever happened to who held the lock.
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let next = full_at.map_or(now, |full_at| full_at.max(now)) + EVERY;
        let limit = now + EVERY * BURST;
        if next > limit {
            return Err(next - limit);
        }
        *full_at = Some(next);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_let_through_and_then_one_at_a_time() {
        let (rate, begun) = (Rate::new(), Instant::now());
        let passed = (0..BURST + 5).filter(|_| rate.take(begun).is_ok()).count();
        assert_eq!(passed, BURST as usize);
        assert_eq!(rate.take(begun), Err(EVERY));
        assert_eq!(rate.take(begun + EVERY), Ok(()));
        assert!(rate.take(begun + EVERY).is_err());
        let later = begun + EVERY * (BURST * 3);
        assert_eq!((0..BURST + 5).filter(|_| rate.take(later).is_ok()).count(), BURST as usize, "never more than full");
    }
}
