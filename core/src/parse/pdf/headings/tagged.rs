//! Headings by the file's own tags, where these can be believed.

use super::{Body, MIN_MATCHES, Placed, Vocabulary, is_candidate, set, text_of};
use crate::parse::pdf::{rows::Line, tags::Role};

/// Whether the file's own tags tell headings: most text has one, those of headings stand on few and short blocks, and
/// most of these look like headings. Many programs tag by how things were typed.
pub(super) fn are_believed(blocks: &[Placed], body: Body) -> bool {
    let (mut n_characters, mut n_tagged, mut n_heading, mut n_alike, mut n_headings) = (0, 0, 0, 0, 0);
    for lines in blocks.iter().filter_map(text_of) {
        let n: usize = lines.iter().map(|line| line.text.len()).sum();
        n_characters += n;
        n_tagged += if lines.iter().all(|line| line.role.is_some()) { n } else { 0 };
        if tagged_heading(lines).is_some() {
            n_heading += n;
            n_headings += 1;
            n_alike += usize::from(is_candidate(lines, body));
        }
    }
    n_headings >= MIN_MATCHES
        && n_tagged * 10 >= n_characters * 9
        && n_heading * 4 <= n_characters
        && n_alike * 3 >= n_headings * 2
}

/// The level of the heading that tags call a block, if they do.
fn tagged_heading(lines: &[Line]) -> Option<Option<u8>> {
    let level = |line: &Line| match line.role {
        Some(Role::Heading(level)) => Some(level),
        _ => None,
    };
    let first = level(lines.first()?)?;
    lines.iter().all(|line| level(line) == Some(first)).then_some(first)
}

/// What tags call something that may be set like a heading and is none.
pub(super) fn is_no_heading(role: Role) -> bool {
    matches!(role, Role::Cell | Role::Item | Role::Label | Role::Caption | Role::Note | Role::Code | Role::Contents)
}

/// Makes headings of the blocks that tags call so with a level; returns how many. Where bookmarks tell no levels, the
/// outermost that is used is the first.
pub(super) fn mark(blocks: &mut [Placed], alone: bool, vocabulary: &Vocabulary) -> usize {
    let tagged = blocks.iter().enumerate().filter(|(_, placed)| placed.heading.is_none());
    let tagged = tagged.filter_map(|(index, placed)| Some((index, tagged_heading(text_of(placed)?)??)));
    let tagged: Vec<(usize, u8)> = tagged.collect();
    let outermost = tagged.iter().map(|(_, level)| *level).min().filter(|_| alone).unwrap_or(1);
    for (index, level) in &tagged {
        set(&mut blocks[*index..=*index], level.saturating_sub(outermost) + 1, vocabulary);
    }
    tagged.len()
}
