//! A batch of files on their way into the library: where each is, and how they ended, in numbers and words.

use millwright_core::protocol::{Failure, FailureKind, FileOutcome, IngestStage, Unit};
use std::sync::Arc;

/// A batch of at most so many files has a line for each while they are on their way; of a larger one, and of one that is
/// over while a question is asked, only the lines that say something.
pub(crate) const MAX_LINES: usize = 24;

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
        /// What is counted.
        unit: Unit,
    },
    /// It waits for its password.
    Locked {
        /// One was given, and it was wrong.
        is_wrong: bool,
    },
    /// Finished.
    Over(Arc<FileOutcome>),
}

impl FileState {
    const WAITING: Self = Self::Active { stage: IngestStage::Waiting, done: 0, total: 0, unit: Unit::Parts };
}

/// How many files of a batch ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// New in the library.
    pub(crate) added: u64,
    /// Took an older one's place.
    pub(crate) replaced: u64,
    /// Read again, with their scans.
    pub(crate) read_again: u64,
    /// Already there, under this or another name.
    pub(crate) unchanged: u64,
    /// Could not be read.
    pub(crate) failed: u64,
    /// Wait for their password.
    pub(crate) locked: u64,
    /// Stopped by the user.
    pub(crate) cancelled: u64,
    /// In the library now, but with scans that nobody read; counted above, too.
    pub(crate) unread_scans: u64,
}

impl Tally {
    /// Files of which nothing is to be done any more without the user.
    pub(crate) fn finished(self) -> u64 {
        self.added + self.replaced + self.read_again + self.unchanged + self.failed + self.locked + self.cancelled
    }

    /// Files that the user should look at.
    pub(crate) fn unsettled(self) -> u64 {
        self.failed + self.locked + self.unread_scans
    }
}

/// One file of a batch.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    name: String,
    state: FileState,
    /// A password was given.
    was_unlocked: bool,
}

/// A batch.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Batch {
    /// Tells batches apart on this page.
    pub(crate) key: u32,
    lines: Vec<Line>,
    /// It is no files that come in, but documents whose scans are read.
    pub(crate) is_of_scans: bool,
    /// The user asked for it to stop.
    pub(crate) is_cancelling: bool,
}

impl Batch {
    /// A batch that has just been handed over.
    pub(crate) fn new(key: u32, names: Vec<String>) -> Self {
        let line = |name| Line { name, state: FileState::WAITING, was_unlocked: false };
        Self { key, lines: names.into_iter().map(line).collect(), is_of_scans: false, is_cancelling: false }
    }

    /// A batch of documents that has just been handed over to have their scans read.
    pub(crate) fn of_scans(key: u32, names: Vec<String>) -> Self {
        Self { is_of_scans: true, ..Self::new(key, names) }
    }

    /// How many files it has.
    pub(crate) fn n_files(&self) -> usize {
        self.lines.len()
    }

    /// A file's name.
    pub(crate) fn name(&self, file: u32) -> Option<&str> {
        self.lines.get(file as usize).map(|line| line.name.as_str())
    }

    /// Where a file is.
    pub(crate) fn state(&self, file: u32) -> Option<&FileState> {
        self.lines.get(file as usize).map(|line| &line.state)
    }

    /// Whether nothing is to be done any more without the user.
    pub(crate) fn is_over(&self) -> bool {
        !self.lines.iter().any(|line| matches!(line.state, FileState::Active { .. }))
    }

    /// Notes how far a file is. A finished file stays finished.
    pub(crate) fn progress(&mut self, file: u32, stage: IngestStage, done: u32, total: u32, unit: Unit) {
        if let Some(state @ FileState::Active { .. }) = self.lines.get_mut(file as usize).map(|line| &mut line.state) {
            *state = FileState::Active { stage, done, total, unit };
        }
    }

    /// Notes how a file ended; only the first ending counts.
    pub(crate) fn finish(&mut self, file: u32, outcome: FileOutcome) {
        let Some(line) = self.lines.get_mut(file as usize) else { return };
        if !matches!(line.state, FileState::Active { .. }) {
            return;
        }
        line.state = match &outcome {
            FileOutcome::Failed(failure) if failure.error_type == FailureKind::PasswordNeeded => {
                FileState::Locked { is_wrong: line.was_unlocked }
            }
            _ => FileState::Over(Arc::new(outcome)),
        };
    }

    /// A request for all files or for one is over. Those of it that never ended share `failure`, or count as cancelled
    /// without one.
    pub(crate) fn close(&mut self, only: Option<u32>, failure: Option<&Failure>) {
        for file in 0..u32::try_from(self.lines.len()).unwrap_or(u32::MAX) {
            if only.is_none_or(|only| only == file) {
                let outcome = failure.map_or(FileOutcome::Cancelled, |failure| FileOutcome::Failed(failure.clone()));
                self.finish(file, outcome);
            }
        }
    }

    /// A locked file begins anew, with a password; false if it is not locked.
    pub(crate) fn unlock(&mut self, file: u32) -> bool {
        let Some(line) = self.lines.get_mut(file as usize) else { return false };
        let is_locked = matches!(line.state, FileState::Locked { .. });
        if is_locked {
            (line.state, line.was_unlocked) = (FileState::WAITING, true);
            self.is_cancelling = false;
        }
        is_locked
    }

    /// Leaves a locked file out.
    pub(crate) fn skip(&mut self, file: u32) {
        if let Some(state @ FileState::Locked { .. }) = self.lines.get_mut(file as usize).map(|line| &mut line.state) {
            *state = FileState::Over(Arc::new(FileOutcome::Cancelled));
        }
    }

    /// How its files ended so far. O(files).
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for line in &self.lines {
            match &line.state {
                FileState::Active { .. } => {}
                FileState::Locked { .. } => tally.locked += 1,
                FileState::Over(outcome) => match &**outcome {
                    FileOutcome::Added { record } => {
                        tally.added += 1;
                        tally.unread_scans += u64::from(record.has_unread_scans());
                    }
                    FileOutcome::Replaced { record } => {
                        tally.replaced += 1;
                        tally.unread_scans += u64::from(record.has_unread_scans());
                    }
                    FileOutcome::ReadAgain { .. } => tally.read_again += 1,
                    FileOutcome::Unchanged | FileOutcome::SameContent { .. } => tally.unchanged += 1,
                    FileOutcome::Failed(_) => tally.failed += 1,
                    FileOutcome::Cancelled => tally.cancelled += 1,
                },
            }
        }
        tally
    }

    /// The files that have a line: all of them, or those that are in work, wait for their password or could not be read.
    pub(crate) fn on_show(&self, all: bool) -> Vec<u32> {
        let says_something = |line: &Line| match &line.state {
            FileState::Active { stage, .. } => *stage != IngestStage::Waiting,
            FileState::Locked { .. } => true,
            FileState::Over(outcome) => matches!(**outcome, FileOutcome::Failed(_)),
        };
        let is_on_show = |line: &Line| all || says_something(line);
        (0..).zip(&self.lines).filter(|(_, line)| is_on_show(line)).map(|(file, _)| file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn batch() -> Batch {
        Batch::new(1, ["a.md", "b.md", "c.pdf"].map(str::to_owned).to_vec())
    }

    fn failure(error_type: FailureKind) -> Failure {
        Failure { error: "It is damaged.".to_owned(), error_type }
    }

    #[test]
    fn files_are_counted_once_however_often_they_end() {
        let mut batch = batch();
        batch.progress(0, IngestStage::Parsing, 1, 4, Unit::Pages);
        assert_eq!(
            batch.state(0),
            Some(&FileState::Active { stage: IngestStage::Parsing, done: 1, total: 4, unit: Unit::Pages })
        );
        batch.finish(0, FileOutcome::Unchanged);
        batch.finish(0, FileOutcome::Cancelled);
        batch.progress(0, IngestStage::Storing, 1, 1, Unit::Parts);
        assert_eq!(batch.state(0), Some(&FileState::Over(Arc::new(FileOutcome::Unchanged))));
        batch.finish(9, FileOutcome::Unchanged);
        assert_eq!(batch.tally(), Tally { unchanged: 1, ..Tally::default() });
        assert_eq!(batch.tally().finished(), 1);
        assert!(!batch.is_over());
    }

    #[test]
    fn a_crash_fails_what_was_not_finished_and_nothing_else() {
        let mut batch = batch();
        batch.finish(1, FileOutcome::Unchanged);
        batch.close(None, Some(&failure(FailureKind::Internal)));
        assert_eq!(batch.tally(), Tally { unchanged: 1, failed: 2, ..Tally::default() });
        assert!(batch.is_over());
    }

    #[test]
    fn what_a_cancelled_batch_left_undone_is_cancelled() {
        let mut batch = batch();
        batch.finish(0, FileOutcome::Failed(failure(FailureKind::DamagedFile)));
        batch.close(None, None);
        assert_eq!(batch.tally(), Tally { failed: 1, cancelled: 2, ..Tally::default() });
    }

    #[test]
    fn a_locked_file_waits_for_its_password_and_begins_anew_with_it() {
        let mut batch = batch();
        let locked = || FileOutcome::Failed(failure(FailureKind::PasswordNeeded));
        assert!(!batch.unlock(2), "it is not known to be locked");
        batch.finish(2, locked());
        batch.close(None, None);
        assert_eq!(batch.state(2), Some(&FileState::Locked { is_wrong: false }));
        assert!(batch.is_over() && batch.tally().unsettled() == 1);
        assert!(batch.unlock(2) && !batch.is_over());
        batch.finish(2, locked());
        assert_eq!(batch.state(2), Some(&FileState::Locked { is_wrong: true }));
        batch.skip(2);
        assert_eq!(batch.tally(), Tally { cancelled: 3, ..Tally::default() });
    }

    #[test]
    fn a_large_batch_shows_the_lines_that_say_something() {
        let mut batch = Batch::new(1, (0..500).map(|n| format!("{n}.txt")).collect());
        batch.progress(3, IngestStage::Parsing, 0, 0, Unit::Parts);
        batch.finish(1, FileOutcome::Failed(failure(FailureKind::EmptyFile)));
        batch.finish(2, FileOutcome::Unchanged);
        assert_eq!(batch.on_show(false), [1, 3]);
        assert_eq!(batch.on_show(true).len(), 500);
        assert_eq!(self::batch().on_show(false), [0_u32; 0], "none of them was begun");
    }
}
