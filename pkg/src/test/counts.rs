//! How many tests passed and failed, read from the closing lines of cargo's own runner and of nextest.

/// Counts over all closing lines seen.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Counts {
    pub(super) n_passed: u64,
    pub(super) n_failed: u64,
}

impl Counts {
    /// Adds what a line of output says, if it is a closing line.
    pub(super) fn read(&mut self, line: &str) {
        // Indented it is quoted: nextest shows what a failed test printed, and counts the test itself.
        if let Some(rest) = line.strip_prefix("test result:") {
            self.n_passed += before(rest, "passed").unwrap_or(0);
            self.n_failed += before(rest, "failed").unwrap_or(0);
        } else if line.trim_start().starts_with("Summary [") {
            let n_passed = before(line, "passed").unwrap_or(0);
            // "23 tests run", or "10/23 tests run" where the run was cut short. What ran and did not pass failed, be it
            // by an assertion, a signal or its time.
            let run = words(line).find(|(_, word)| word.starts_with("test")).map(|(number, _)| number);
            let n_run = run.and_then(|number| number.split('/').next()?.parse::<u64>().ok()).unwrap_or(0);
            self.n_passed += n_passed;
            self.n_failed += n_run.saturating_sub(n_passed);
        }
    }
}

/// The number that stands before a word.
fn before(line: &str, word: &str) -> Option<u64> {
    words(line).find(|(_, next)| *next == word).and_then(|(number, _)| number.parse().ok())
}

/// All pairs of neighbouring words, without punctuation.
fn words(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let list = || line.split_whitespace().map(|word| word.trim_matches([',', ';', '.', '(', ')', ':']));
    list().zip(list().skip(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(lines: &[&str]) -> (u64, u64) {
        let mut counts = Counts::default();
        lines.iter().for_each(|line| counts.read(line));
        (counts.n_passed, counts.n_failed)
    }

    #[test]
    fn cargos_own_lines_are_summed() {
        let lines = [
            "test result: ok. 23 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s",
            "test something ... ok",
            "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s",
        ];
        assert_eq!(counted(&lines), (27, 2));
    }

    #[test]
    fn nextests_summary_is_read_in_all_its_forms() {
        assert_eq!(counted(&["     Summary [   0.151s] 23 tests run: 23 passed, 0 skipped"]), (23, 0));
        assert_eq!(counted(&["     Summary [   9.000s] 1 test run: 1 passed (1 slow), 0 skipped"]), (1, 0));
        let mixed = "     Summary [   0.1s] 9 tests run: 6 passed (1 flaky), 2 failed, 1 timed out, 3 skipped";
        assert_eq!(counted(&[mixed]), (6, 3));
        assert_eq!(counted(&["     Summary [   0.1s] 10/23 tests run: 9 passed, 1 failed, 2 skipped"]), (9, 1));
        assert_eq!(counted(&["error: could not compile"]), (0, 0));
        assert_eq!(counted(&["    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured"]), (0, 0));
    }
}
