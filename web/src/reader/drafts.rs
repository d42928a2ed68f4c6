//! When a long document is shown while it is still being read: early, and so seldom that it costs little. Not for making
//! the drafts.
//!
//! A draft puts all pages so far in order once more. Measured on a manual of 551 pages in the tab, drafts at every doubling
//! made up a fifth of the reader's time, at every fourfold they make up less than a tenth. Where pages come slowly, as
//! those of a scan do, a draft costs next to nothing, and time decides.

/// How many pages the first draft has, unless they come slowly.
const FIRST_PAGES: u32 = 8;

/// So many times the pages of the last draft are in the next.
const GROWTH: u32 = 4;

/// Where pages come slowly a draft is made at most so often.
const PAUSE_MILLIS: f64 = 2000.0;

/// …and takes at most this part of the time since the last.
const SHARE: f64 = 0.1;

/// What is known of a document's drafts so far.
#[derive(Debug)]
pub(super) struct Drafts {
    /// When the last was ready, at first when reading began.
    last_millis: f64,
    began_millis: f64,
    millis_per_page: f64,
}

impl Drafts {
    /// None yet.
    pub(super) fn new(now_millis: f64) -> Self {
        Self { last_millis: now_millis, began_millis: now_millis, millis_per_page: 0.0 }
    }

    /// Whether one is due now; if so it is made, and [`Self::made`] is told.
    pub(super) fn is_due(&mut self, n_pages_read: u32, n_pages: u32, now_millis: f64) -> bool {
        let waited_millis = now_millis - self.last_millis;
        let cost_millis = self.millis_per_page * f64::from(n_pages_read);
        let is_slow = waited_millis >= PAUSE_MILLIS && cost_millis <= SHARE * waited_millis;
        let is_due = is_slow || is_stage(n_pages_read) && n_pages_read <= n_pages / 2;
        if is_due {
            self.began_millis = now_millis;
        }
        is_due
    }

    /// The draft that was due was made.
    pub(super) fn made(&mut self, n_pages_read: u32, now_millis: f64) {
        self.millis_per_page = (now_millis - self.began_millis) / f64::from(n_pages_read.max(1));
        self.last_millis = now_millis;
    }
}

/// 8, 32, 128, …
fn is_stage(n_pages_read: u32) -> bool {
    std::iter::successors(Some(FIRST_PAGES), |stage| stage.checked_mul(GROWTH)).any(|stage| stage == n_pages_read)
}

#[cfg(test)]
mod tests {
    use super::Drafts;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// The pages of all drafts of a document whose every page takes so long to read and, once more, to put in order.
    fn drafts(n_pages: u32, read_millis: f64, order_millis: f64) -> Vec<u32> {
        let mut now = 0.0;
        let mut drafts = Drafts::new(now);
        let mut made = Vec::new();
        for n_pages_read in 1..n_pages {
            now += read_millis;
            if drafts.is_due(n_pages_read, n_pages, now) {
                now += order_millis * f64::from(n_pages_read);
                drafts.made(n_pages_read, now);
                made.push(n_pages_read);
            }
        }
        made
    }

    #[test]
    fn drafts_of_quick_pages_come_early_and_seldom() {
        assert_eq!(drafts(15, 1.0, 0.3), [0; 0]);
        assert_eq!(drafts(551, 1.0, 0.3), [8, 32, 128]);
        for n_pages in (1..3000).step_by(13) {
            assert!(drafts(n_pages, 1.0, 0.3).iter().sum::<u32>() * 3 <= n_pages * 2, "{n_pages}");
        }
    }

    #[test]
    fn slow_pages_are_shown_as_they_come() {
        // A scan: a draft of all pages so far takes less than one more page.
        assert_eq!(drafts(6, 3000.0, 1.0), [1, 2, 3, 4, 5]);
        let made = drafts(500, 1000.0, 1.0);
        assert!(made.windows(2).all(|two| two[1] - two[0] <= 6), "{made:?}");
        assert!(made.last().is_some_and(|last| *last >= 495), "{made:?}");
        // Where putting in order is dear, too, they are as seldom as elsewhere.
        assert_eq!(drafts(500, 1000.0, 100.0), [2, 8, 32, 128]);
    }
}
