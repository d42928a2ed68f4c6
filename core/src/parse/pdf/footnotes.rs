//! Which blocks of a page are footnotes: what begins with a mark that the text above refers to.
//!
//! A raised figure at the beginning of a block is proof by itself. Every other mark also means something else (a bullet,
//! a step, an exponent), so that it counts only where the same mark stands raised, or as a sign, at the end of a word on
//! the page, and where the block is set smaller than the text.

use super::{blocks::Block, headings::Placed, labels, rows::Line, tags::Role};
use std::collections::{BTreeMap, BTreeSet};

/// Signs that mark notes, in the order in which they are used.
const SIGNS: [char; 6] = ['*', '†', '‡', '§', '‖', '¶'];
/// Signs and figures of one mark.
const MAX_MARK: usize = 3;
/// Notes are set at most this large, in sizes of the body.
const SMALLER: f32 = 0.96;

/// Whether a line begins with a mark that can only be that of a note: raised, or one of the daggers.
pub(super) fn begins(text: &str) -> bool {
    text.chars().next().is_some_and(|first| labels::lowered(first).is_some() || matches!(first, '†' | '‡'))
}

/// The marks of the blocks of one page that are notes, by their place among them.
pub(super) fn marks(blocks: &[Placed], body_size: f32) -> BTreeMap<usize, String> {
    let mut references = BTreeSet::new();
    let mut marks = BTreeMap::new();
    for (index, placed) in blocks.iter().enumerate() {
        match &placed.block {
            Block::Text(lines) => {
                let mark = lines.first().filter(|_| placed.heading.is_none()).and_then(|first| {
                    let is_small = first.size <= SMALLER * body_size;
                    let is_tagged = first.role == Some(Role::Note);
                    mark(first).filter(|(mark, sure)| *sure || is_tagged || is_small && references.contains(mark))
                });
                marks.extend(mark.map(|(mark, _)| (index, mark)));
                lines.iter().for_each(|line| refer(&line.text, &mut references));
            }
            Block::Table(table) => {
                table.rows.iter().flatten().for_each(|cell| refer(&cell.text, &mut references));
            }
            Block::Contents(_) => {}
        }
    }
    marks
}

/// The mark that a block may begin with, and whether that alone tells that it is a note.
fn mark(first: &Line) -> Option<(String, bool)> {
    let text = first.text.as_str();
    let raised: String = text.chars().map_while(labels::lowered).collect();
    if !raised.is_empty() {
        let sure = raised.chars().all(|c| c.is_ascii_digit());
        return (raised.len() <= MAX_MARK).then_some((raised, sure));
    }
    let lead = text.chars().next()?;
    if SIGNS.contains(&lead) {
        let mark: String = text.chars().take_while(|c| *c == lead).collect();
        return (mark.chars().count() <= MAX_MARK).then_some((mark, false));
    }
    // Set on the line, as word processors do in the note itself: "1 Not on …", "a) Not on …".
    let mark: String = text.chars().take_while(|c| c.is_ascii_digit()).collect();
    let mark = if mark.is_empty() { text.chars().take(1).filter(char::is_ascii_lowercase).collect() } else { mark };
    let rest = text.get(mark.len()..)?;
    let ends = rest.starts_with([' ', ')', '.', ':']) && rest.chars().any(char::is_alphabetic);
    (!mark.is_empty() && mark.len() <= MAX_MARK && ends).then_some((mark, false))
}

/// Collects what a text refers to: raised marks and signs that follow a word or a full stop without a blank.
fn refer(text: &str, references: &mut BTreeSet<String>) {
    let mut before: Option<char> = None;
    let mut mark = String::new();
    for character in text.chars().chain([' ']) {
        let part = labels::lowered(character).or_else(|| SIGNS.contains(&character).then_some(character));
        match part {
            Some(part) if !mark.is_empty() || before.is_some_and(|before| !before.is_whitespace()) => mark.push(part),
            _ if !mark.is_empty() => {
                references.insert(std::mem::take(&mut mark));
            }
            _ => {}
        }
        before = Some(character);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn references(text: &str) -> Vec<String> {
        let mut references = BTreeSet::new();
        refer(text, &mut references);
        references.into_iter().collect()
    }

    #[test]
    fn references_follow_words() {
        assert_eq!(references("Close the valve.¹² Oil the seal† and the ring*, 5 * 3 and §4"), ["*", "12", "†"]);
        assert_eq!(references("¹Not on all. mᵃ"), ["a"]);
    }
}
