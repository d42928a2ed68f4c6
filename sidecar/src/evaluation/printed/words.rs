//! The words of the tree in reading order, and those of running heads.

use super::{Faults, Reading, Tally, reading, truth::Truth};
use millwright_core::document::NodeId;
use std::collections::BTreeMap;

/// Words that stand at most this many others apart are one run.
const MAX_GAP: usize = 3;

/// The longest common subsequence of what was read and what is true, over the whole document; texts that may stand
/// anywhere (footnotes, sidebars) count where they were read in one piece.
pub(super) fn in_order(reading: &Reading<'_>, truth: &Truth, faults: &mut Faults) -> Tally {
    let read = body(reading);
    let main = reading::tokens(&truth.main);
    let free: Vec<Vec<String>> = truth.free.iter().map(|aside| reading::tokens(&aside.text)).collect();
    let known = main.len() + free.iter().map(Vec::len).sum::<usize>();
    let (matched, missing) = common(&main, &read);
    let mut left: Vec<usize> = (0..read.len()).filter(|at| !matched.contains(at)).collect();
    let mut right = matched.len();
    for aside in &free {
        let best = runs(&left)
            .into_iter()
            .map(|run| {
                let words: Vec<String> = run.iter().map(|at| read[*at].clone()).collect();
                common(aside, &words).0.into_iter().map(|n| run[n]).collect::<Vec<_>>()
            })
            .max_by_key(Vec::len)
            .unwrap_or_default();
        right += best.len();
        if best.len() < aside.len() {
            faults.push(format!(
                "words: {} of {} beside the text: {}",
                aside.len() - best.len(),
                aside.len(),
                aside.join(" ")
            ));
        }
        left.retain(|at| !best.contains(at));
    }
    if !missing.is_empty() {
        let words: Vec<&str> = missing.iter().take(30).map(|at| main[*at].as_str()).collect();
        faults.push(format!("words: {} missing or out of order: {}", missing.len(), words.join(" ")));
    }
    if !left.is_empty() {
        let words: Vec<&str> = left.iter().take(30).map(|at| read[*at].as_str()).collect();
        faults.push(format!("words: {} too many or out of order: {}", left.len(), words.join(" ")));
    }
    Tally { right, read: read.len(), known }
}

/// What the tree says besides furniture. The title counts where no other node says it.
fn body(reading: &Reading<'_>) -> Vec<String> {
    let document = reading.document;
    let mut read = Vec::new();
    for node in &document.nodes {
        if reading::is_furniture(document, node) {
            continue;
        }
        let said_again = || document.nodes.iter().skip(1).any(|other| other.text == node.text);
        if node.id != NodeId::ROOT || !said_again() {
            read.extend(reading::tokens(&node.text));
        }
    }
    read
}

/// Stretches of ascending numbers without larger gaps.
fn runs(numbers: &[usize]) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| number - last <= MAX_GAP + 1) => run.push(*number),
            _ => runs.push(vec![*number]),
        }
    }
    runs
}

/// A longest common subsequence: the places in `read` that are in it, and those in `known` that are not.
/// O(known × read) time and space, in 16 bits a field.
fn common(known: &[String], read: &[String]) -> (Vec<usize>, Vec<usize>) {
    let width = read.len() + 1;
    let mut longest = vec![0_u16; (known.len() + 1) * width];
    for (i, word) in known.iter().enumerate().rev() {
        for (j, other) in read.iter().enumerate().rev() {
            longest[i * width + j] = if word == other {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut matched, mut missing) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    while i < known.len() {
        if j == read.len() || (known[i] != read[j] && longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            missing.push(i);
            i += 1;
        } else if known[i] == read[j] {
            matched.push(j);
            (i, j) = (i + 1, j + 1);
        } else {
            j += 1;
        }
    }
    (matched, missing)
}

/// The words of running heads and feet page by page, in any order.
pub(super) fn furniture(reading: &Reading<'_>, truth: &Truth, faults: &mut Faults) -> Tally {
    let mut tally = Tally::default();
    for (page, text) in (1..).zip(&truth.furniture) {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        let nodes = reading.document.nodes.iter().filter(|node| node.page == Some(page));
        for node in nodes.filter(|node| reading::is_furniture(reading.document, node)) {
            for word in reading::tokens(&node.text) {
                tally.read += 1;
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut missing = Vec::new();
        for word in reading::tokens(text) {
            tally.known += 1;
            let count = counts.entry(word.clone()).or_default();
            *count -= 1;
            if *count >= 0 { tally.right += 1 } else { missing.push(word) }
        }
        if !missing.is_empty() {
            faults.push(format!("furniture: page {page} lacks {}", missing.join(" ")));
        }
        let surplus: Vec<&str> = counts.iter().filter(|(_, n)| **n > 0).map(|(word, _)| word.as_str()).collect();
        if !surplus.is_empty() {
            faults.push(format!("furniture: page {page} has too much: {}", surplus.join(" ")));
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        reading::tokens(text)
    }

    #[test]
    fn the_common_words_keep_their_order() {
        let (matched, missing) = common(&words("a b c d e"), &words("b x d c e"));
        assert_eq!(matched.len(), 3);
        assert_eq!(missing.len(), 2);
        assert_eq!(common(&words("a b"), &[]), (Vec::new(), vec![0, 1]));
    }

    #[test]
    fn what_was_torn_apart_is_no_run() {
        assert_eq!(runs(&[1, 2, 4, 20, 21]), [vec![1, 2, 4], vec![20, 21]]);
    }
}
