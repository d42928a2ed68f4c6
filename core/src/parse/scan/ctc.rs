//! From the recogniser's probabilities to characters (connectionist temporal classification, Graves et al. 2006, greedy
//! decoding: the best class of every step, repetitions merged, blanks dropped). Not for running the recogniser.

/// The characters that a recogniser knows, by class. Class 0 is CTC's blank; the one after the last is a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alphabet(Vec<Box<str>>);

impl Alphabet {
    /// One entry a line.
    pub(super) fn of(dictionary: &str) -> Self {
        // Lines, not trimmed ones: an ideographic space is an entry.
        Self(
            dictionary
                .split('\n')
                .map(|line| line.trim_end_matches('\r'))
                .filter(|l| !l.is_empty())
                .map(Box::from)
                .collect(),
        )
    }

    /// How many classes a recogniser with this alphabet tells apart.
    pub(super) fn n_classes(&self) -> usize {
        self.0.len() + 2
    }

    /// What a class says; nothing for the blank.
    fn text(&self, class: usize) -> &str {
        match class.checked_sub(1) {
            None => "",
            Some(at) => self.0.get(at).map_or(" ", |text| text),
        }
    }
}

/// A character and where along the line the recogniser saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Read {
    pub(super) character: char,
    /// The middle of the steps that showed it, in steps.
    pub(super) step: f32,
    /// The best probability among those steps.
    pub(super) confidence: f32,
}

/// Reads `probabilities`, step after step, each with one value a class. O(steps · classes).
pub(super) fn decode(probabilities: &[f32], alphabet: &Alphabet) -> Vec<Read> {
    let mut read: Vec<Read> = Vec::new();
    // The class of the last step, where it began, and how sure it was at best.
    let mut run: Option<(usize, usize, f32)> = None;
    let mut finish = |run: Option<(usize, usize, f32)>, end: usize| {
        let Some((class, from, confidence)) = run else { return };
        let step = (from + end) as f32 / 2.0;
        read.extend(alphabet.text(class).chars().map(|character| Read { character, step, confidence }));
    };
    let mut n_steps = 0;
    for (step, row) in probabilities.chunks_exact(alphabet.n_classes()).enumerate() {
        n_steps = step + 1;
        let best = row.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let (class, confidence) = best.unwrap_or((0, 0.0));
        match &mut run {
            Some((last, _, surest)) if *last == class => *surest = surest.max(confidence),
            _ => {
                finish(run, step);
                run = Some((class, step, confidence));
            }
        }
    }
    finish(run, n_steps);
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probabilities in which these classes are the best, at 0.9 and the last at 0.6.
    fn steps(classes: &[usize], n_classes: usize) -> Vec<f32> {
        let mut all = vec![0.01; classes.len() * n_classes];
        for (step, class) in classes.iter().enumerate() {
            all[step * n_classes + class] = if step + 1 == classes.len() { 0.6 } else { 0.9 };
        }
        all
    }

    #[test]
    fn repetitions_merge_and_blanks_part() {
        let alphabet = Alphabet::of("a\nb\n");
        assert_eq!(alphabet.n_classes(), 4);
        // blank a a blank a b space b
        let read = decode(&steps(&[0, 1, 1, 0, 1, 2, 3, 2], 4), &alphabet);
        let text: String = read.iter().map(|read| read.character).collect();
        assert_eq!(text, "aab b");
        assert_eq!(read[0].step, 2.0, "the middle of steps 1 and 2");
        assert_eq!((read[1].step, read[4].confidence), (4.5, 0.6));
    }

    #[test]
    fn nothing_reads_as_nothing() {
        let alphabet = Alphabet::of("a\nb\n");
        assert_eq!(decode(&[], &alphabet), []);
        assert_eq!(decode(&steps(&[0, 0, 0], 4), &alphabet), []);
        // A row that is cut off is no step.
        assert_eq!(decode(&[0.0, 1.0], &alphabet), []);
    }

    #[test]
    fn entries_of_several_characters_stay_whole() {
        let alphabet = Alphabet::of("e\u{301}\r\n\u{3000}\r\n");
        let text: String = decode(&steps(&[1, 0, 2], 4), &alphabet).iter().map(|read| read.character).collect();
        assert_eq!(text, "e\u{301}\u{3000}");
    }
}
