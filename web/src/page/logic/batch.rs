//! A batch of files on their way into the library: where each is, and how they ended, in numbers and words.

use millwright_core::protocol::{Failure, FileOutcome, IngestStage};

/// Where a file is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FileState {
    /// Not finished.
    Active {
        /// What is being done.
        stage: IngestStage,
        /// Units done.
        done: u32,
        /// Units in all, 0 while unknown.
        total: u32,
    },
    /// Finished.
    Over(FileOutcome),
}

/// How many files of a batch ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// New in the library.
    pub(crate) added: u64,
    /// Took an older one's place.
    pub(crate) replaced: u64,
    /// Already there, under this or another name.
    pub(crate) unchanged: u64,
    /// Could not be read.
    pub(crate) failed: u64,
    /// Stopped by the user.
    pub(crate) cancelled: u64,
}

impl Tally {
    /// Files finished, one way or another.
    pub(crate) fn finished(self) -> u64 {
        self.added + self.replaced + self.unchanged + self.failed + self.cancelled
    }
}

/// A batch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Batch {
    /// Tells batches apart on this page.
    pub(crate) key: u32,
    /// The files' names.
    pub(crate) names: Vec<String>,
    /// Where each is, in the same order.
    states: Vec<FileState>,
    tally: Tally,
    /// The whole request is over.
    pub(crate) is_over: bool,
    /// The user asked for it to stop.
    pub(crate) is_cancelling: bool,
}

impl Batch {
    /// A batch that has just been handed over.
    pub(crate) fn new(key: u32, names: Vec<String>) -> Self {
        let states = vec![FileState::Active { stage: IngestStage::Waiting, done: 0, total: 0 }; names.len()];
        Self { key, names, states, tally: Tally::default(), is_over: false, is_cancelling: false }
    }

    /// Notes how far a file is. A finished file stays finished.
    pub(crate) fn progress(&mut self, file: u32, stage: IngestStage, done: u32, total: u32) {
        if let Some(state @ FileState::Active { .. }) = self.states.get_mut(file as usize) {
            *state = FileState::Active { stage, done, total };
        }
    }

    /// Notes how a file ended; only the first ending counts.
    pub(crate) fn finish(&mut self, file: u32, outcome: FileOutcome) {
        let Some(state @ FileState::Active { .. }) = self.states.get_mut(file as usize) else { return };
        match &outcome {
            FileOutcome::Added { .. } => self.tally.added += 1,
            FileOutcome::Replaced { .. } => self.tally.replaced += 1,
            FileOutcome::Unchanged | FileOutcome::SameContent { .. } => self.tally.unchanged += 1,
            FileOutcome::Failed(_) => self.tally.failed += 1,
            FileOutcome::Cancelled => self.tally.cancelled += 1,
        }
        *state = FileState::Over(outcome);
    }

    /// The request is over. Files that never ended share `failure`, or count as cancelled without one.
    pub(crate) fn close(&mut self, failure: Option<&Failure>) {
        for file in 0..self.states.len() {
            let outcome = failure.map_or(FileOutcome::Cancelled, |failure| FileOutcome::Failed(failure.clone()));
            self.finish(u32::try_from(file).unwrap_or(u32::MAX), outcome);
        }
        self.is_over = true;
    }

    /// How its files ended so far.
    pub(crate) fn tally(&self) -> Tally {
        self.tally
    }

    /// The files in work: begun and not finished. Usually one.
    pub(crate) fn in_work(&self) -> Vec<(String, IngestStage, u32, u32)> {
        let in_work = |(name, state): (&String, &FileState)| match *state {
            FileState::Active { stage, done, total } if stage != IngestStage::Waiting => {
                Some((name.clone(), stage, done, total))
            }
            _ => None,
        };
        self.names.iter().zip(&self.states).filter_map(in_work).collect()
    }

    /// The files that could not be read, with why.
    pub(crate) fn failures(&self) -> Vec<(String, String)> {
        let failed = |(name, state): (&String, &FileState)| match state {
            FileState::Over(FileOutcome::Failed(failure)) => Some((name.clone(), failure.error.clone())),
            _ => None,
        };
        self.names.iter().zip(&self.states).filter_map(failed).collect()
    }

    /// Every file with its state, for the whole list.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &FileState)> {
        self.names.iter().zip(&self.states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use millwright_core::protocol::FailureKind;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn batch() -> Batch {
        Batch::new(1, ["a.md", "b.md", "c.pdf"].map(str::to_owned).to_vec())
    }

    fn failure() -> Failure {
        Failure { error: "It is damaged.".to_owned(), error_type: FailureKind::DamagedFile }
    }

    #[test]
    fn files_are_counted_once_however_often_they_end() {
        let mut batch = batch();
        batch.progress(0, IngestStage::Parsing, 1, 4);
        assert_eq!(batch.in_work(), [("a.md".to_owned(), IngestStage::Parsing, 1, 4)]);
        batch.finish(0, FileOutcome::Unchanged);
        batch.finish(0, FileOutcome::Cancelled);
        batch.progress(0, IngestStage::Storing, 1, 1);
        assert!(batch.in_work().is_empty());
        batch.finish(9, FileOutcome::Unchanged);
        assert_eq!(batch.tally(), Tally { unchanged: 1, ..Tally::default() });
        assert_eq!(batch.tally().finished(), 1);
    }

    #[test]
    fn a_crash_fails_what_was_not_finished_and_nothing_else() {
        let mut batch = batch();
        batch.finish(1, FileOutcome::Unchanged);
        batch.close(Some(&failure()));
        assert_eq!(batch.tally(), Tally { unchanged: 1, failed: 2, ..Tally::default() });
        let names: Vec<_> = batch.failures().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a.md", "c.pdf"]);
        assert!(batch.is_over);
    }

    #[test]
    fn what_a_cancelled_batch_left_undone_is_cancelled() {
        let mut batch = batch();
        batch.finish(0, FileOutcome::Failed(failure()));
        batch.close(None);
        assert_eq!(batch.tally(), Tally { failed: 1, cancelled: 2, ..Tally::default() });
    }
}
