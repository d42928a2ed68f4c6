//! Words on a page as one text, and how far two texts are apart.

/// A word and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) x0: f32,
    pub(super) y0: f32,
    pub(super) x1: f32,
    pub(super) y1: f32,
}

impl Word {
    #[cfg(feature = "scan")]
    pub(super) fn scaled(self, by: f32) -> Self {
        Self { x0: self.x0 * by, y0: self.y0 * by, x1: self.x1 * by, y1: self.y1 * by, ..self }
    }
}

/// A wider gap than this many heights of its words parts a line: columns and cells are compared each for itself.
const GAP: f32 = 1.0;

/// Two texts of the same page, word by word in the same order: the runs of `truth`, words beside one another on a line, one
/// after the other, and for each those words of `read` that lie on it. Words that lie on none come last.
pub(super) fn in_order(truth: &[Word], read: &[Word]) -> (String, String) {
    let runs = runs(truth);
    let mut of_runs: Vec<Vec<&Word>> = vec![Vec::new(); runs.len() + 1];
    for word in read {
        let overlap = |run: &Run<'_>| {
            let width = run.x1.min(word.x1) - run.x0.max(word.x0);
            let height = run.y1.min(word.y1) - run.y0.max(word.y0);
            if width > 0.0 && height > 0.0 { width * height } else { 0.0 }
        };
        let best = (0..runs.len()).max_by(|a, b| overlap(&runs[*a]).total_cmp(&overlap(&runs[*b])));
        of_runs[best.filter(|best| overlap(&runs[*best]) > 0.0).unwrap_or(runs.len())].push(word);
    }
    for (run, words) in runs.iter().zip(&mut of_runs) {
        // Text that runs up or down the page stands in runs that are higher than wide.
        let upright = run.y1 - run.y0 > 2.0 * (run.x1 - run.x0);
        words.sort_by(|a, b| if upright { b.y0.total_cmp(&a.y0) } else { a.x0.total_cmp(&b.x0) });
    }
    let join = |words: Vec<&str>| words.join(" ");
    (
        join(runs.iter().flat_map(|run| &run.words).map(|word| word.text.as_str()).collect()),
        join(of_runs.iter().flatten().map(|word| word.text.as_str()).collect()),
    )
}

/// Words beside one another, with the rectangle around them.
struct Run<'w> {
    words: Vec<&'w Word>,
    x0: f32,
    y0: f32,
    x1: f32,
    y1: f32,
}

/// The runs in which words come, which is the order in which they were set.
fn runs(words: &[Word]) -> Vec<Run<'_>> {
    let mut runs: Vec<Run<'_>> = Vec::new();
    for word in words {
        let height = word.y1 - word.y0;
        let goes_on = |run: &Run<'_>| {
            let middle = (word.y0 + word.y1) / 2.0;
            (run.y0..run.y1).contains(&middle) && (-0.5 * height..GAP * height).contains(&(word.x0 - run.x1))
        };
        match runs.last_mut().filter(|run| goes_on(run)) {
            Some(run) => {
                run.words.push(word);
                (run.x0, run.x1) = (run.x0.min(word.x0), run.x1.max(word.x1));
                (run.y0, run.y1) = (run.y0.min(word.y0), run.y1.max(word.y1));
            }
            None => runs.push(Run { words: vec![word], x0: word.x0, y0: word.y0, x1: word.x1, y1: word.y1 }),
        }
    }
    runs
}

/// The least number of characters to insert, delete or replace to make one text of the other. O(product of lengths).
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, a) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (at, b) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(diagonal + 1).min(row[at] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_levenshtein_s() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("10 Nm", "10 Nm"), 0);
    }

    #[test]
    fn words_are_compared_where_they_stand() {
        let word = |text: &str, x0: f32, y0: f32| Word { text: text.to_owned(), x0, y0, x1: x0 + 20.0, y1: y0 + 10.0 };
        // Two columns whose lines do not stand level, one word misread and one too many.
        let truth =
            [word("left", 0.0, 0.0), word("top", 25.0, 0.0), word("below", 0.0, 15.0), word("right", 90.0, 5.0)];
        let read = [
            word("speck", 200.0, 0.0),
            word("tap", 25.0, 1.0),
            word("right", 90.0, 5.0),
            word("left", 0.0, 0.5),
            word("below", 1.0, 15.0),
        ];
        assert_eq!(
            in_order(&truth, &read),
            ("left top below right".to_owned(), "left tap below right speck".to_owned())
        );
    }
}
