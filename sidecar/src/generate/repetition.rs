//! Notices a model that says the same over and over, which small ones do until their tokens are used up. Not for judging
//! what is said.

use std::collections::BTreeMap;

/// Characters that are looked back over.
const WINDOW_CHARS: usize = 640;
/// A unit that repeats has at most so many characters; longer ones are lines, which are counted.
const MAX_PERIOD_CHARS: usize = 160;
/// So many characters in a row must be a repetition: a ruled line or a row of dots has fewer.
const MIN_RUN_CHARS: usize = 96;
/// And the unit must stand there so often.
const MIN_TIMES: usize = 4;
/// A line or sentence of some length is said at most so often; a table's row may come twice.
const MAX_SAME_LINES: u32 = 3;
/// What counts as of some length, in characters.
const LINE_CHARS: usize = 20;
/// How many characters come between two looks.
const STEP_CHARS: usize = 16;

/// What was said lately.
#[derive(Debug, Default)]
pub(super) struct Repetition {
    tail: Vec<char>,
    line: String,
    lines: BTreeMap<String, u32>,
    unseen_chars: usize,
}

impl Repetition {
    /// Takes the next piece; whether the text now goes in circles.
    pub(super) fn hears(&mut self, piece: &str) -> bool {
        for next in piece.chars() {
            self.tail.push(next);
            self.unseen_chars += 1;
            let ends = matches!(next, '\n' | '.' | '!' | '?');
            if !ends {
                self.line.push(next);
                continue;
            }
            let line = std::mem::take(&mut self.line);
            let line = line.trim();
            if line.chars().count() >= LINE_CHARS {
                let times = self.lines.entry(line.to_owned()).or_default();
                *times += 1;
                if *times > MAX_SAME_LINES {
                    return true;
                }
            }
        }
        if self.unseen_chars < STEP_CHARS {
            return false;
        }
        self.unseen_chars = 0;
        let surplus = self.tail.len().saturating_sub(WINDOW_CHARS);
        self.tail.drain(..surplus);
        (1..=MAX_PERIOD_CHARS).any(|period| self.repeats(period))
    }

    fn repeats(&self, period: usize) -> bool {
        let needed = MIN_RUN_CHARS.max(period * MIN_TIMES);
        if self.tail.len() < needed {
            return false;
        }
        let run = &self.tail[self.tail.len() - needed..];
        run.iter().zip(&run[period..]).all(|(earlier, later)| earlier == later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After how many characters it is noticed, when they come three at a time, as a small model's tokens do.
    fn noticed(text: &str) -> Option<usize> {
        let mut repetition = Repetition::default();
        let mut n_chars = 0;
        for piece in text.chars().collect::<Vec<_>>().chunks(3) {
            n_chars += piece.len();
            if repetition.hears(&piece.iter().collect::<String>()) {
                return Some(n_chars);
            }
        }
        None
    }

    #[test]
    fn circles_are_noticed() {
        for unit in ["the ", "\n", "I do not know. ", "{\"a\": 1}, ", "Ölstand prüfen und dann das Ventil öffnen, "]
        {
            let found = noticed(&unit.repeat(400)).unwrap_or(usize::MAX);
            assert!(found < 400, "{unit:?} after {found}");
        }
        let long = "Close the inlet valve, wait until the pressure gauge shows zero, and only then open the drain cock at \
                    the lowest point of the housing so that the remaining oil can run into the tray below it. ";
        assert!(noticed(&long.repeat(5)).unwrap_or(usize::MAX) <= long.len() * 4 + 3, "a long sentence too");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        let procedure = (1..40).fold(String::new(), |text, step| {
            format!("{text}{step}. Turn screw {step} by a quarter, then measure at point {} again.\n", step * 7)
        });
        let ruled = format!("Table\n{}\n| M8 | 4 |\n{}\nDone.", "-".repeat(60), ".".repeat(60));
        let twice = "Wear gloves when you open the housing.\n".repeat(3);
        for text in [procedure, ruled, twice] {
            assert_eq!(noticed(&text), None, "{text}");
        }
    }
}
