//! How lists and headings of OpenDocument count.

use super::styles::Level;
use crate::parse::numerals;

/// Counts along the levels of one list.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    counts: Vec<u32>,
}

impl Counter {
    /// Counts one further at a level, from 0, and gives the number as printed; empty for bullets.
    pub(super) fn next(&mut self, levels: &[Level], level: usize, start: Option<u32>) -> String {
        let first = |at: usize| levels.get(at).map_or(1, |level| level.start);
        let level = level.min(9);
        while self.counts.len() < level {
            self.counts.push(first(self.counts.len()));
        }
        self.counts.truncate(level + 1);
        match (self.counts.get_mut(level), start) {
            (Some(count), Some(start)) => *count = start,
            (Some(count), None) => *count = count.saturating_add(1),
            (None, start) => self.counts.push(start.unwrap_or_else(|| first(level))),
        }
        let Some(own) = levels.get(level).filter(|own| !own.form.is_empty()) else { return String::new() };
        let shown = (level + 1 - own.n_shown.min(level + 1))..=level;
        let numbers = shown.filter_map(|at| {
            let form = &levels.get(at)?.form;
            (!form.is_empty()).then(|| numerals::printed(*self.counts.get(at).unwrap_or(&1), named(form)))
        });
        let numbers = numbers.collect::<Vec<_>>().join(".");
        format!("{}{numbers}{}", own.prefix, own.suffix).trim().to_owned()
    }
}

/// The name that Office Open XML has for a form.
fn named(form: &str) -> &'static str {
    match form {
        "a" => "lowerLetter",
        "A" => "upperLetter",
        "i" => "lowerRoman",
        "I" => "upperRoman",
        "01, 02, 03, ..." => "decimalZero",
        "1st" => "ordinal",
        _ => "decimal",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_count_and_begin_anew() {
        let level = |form: &str, n_shown| Level {
            form: form.into(),
            suffix: ".".into(),
            n_shown,
            start: 1,
            ..Level::default()
        };
        let levels = [level("1", 1), level("a", 2), level("", 1)];
        let mut counter = Counter::default();
        let steps = [(0, None), (1, None), (1, None), (2, None), (0, None), (1, None), (0, Some(7)), (0, None)];
        let printed: Vec<String> = steps.iter().map(|(level, start)| counter.next(&levels, *level, *start)).collect();
        assert_eq!(printed, ["1.", "1.a.", "1.b.", "", "2.", "2.a.", "7.", "8."]);
        assert_eq!(Counter::default().next(&levels, 1, None), "1.a.");
        assert_eq!(Counter::default().next(&[], 400, Some(u32::MAX)), "");
    }
}
