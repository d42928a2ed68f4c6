//! Levels of headings from how they look: larger over smaller, numbers by their depth.

use super::headings::{Candidate, Look};
use std::collections::BTreeMap;

/// Levels of headings that have no bookmark: as those that look alike and have one, else below all that are larger.
/// `None` for what is larger than every bookmarked heading: a cover.
pub(super) fn by_outline(known: &BTreeMap<Look, u8>, candidates: &[Candidate]) -> Vec<Option<u8>> {
    let level = |candidate: &Candidate| {
        let alike = known.get(&candidate.look).copied();
        alike.or_else(|| Some(known.range(candidate.look..).map(|(_, level)| *level).max()?.saturating_add(1)))
    };
    candidates.iter().map(level).collect()
}

/// A heading in its place among all others of the document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    /// How it is set.
    pub(super) look: Look,
    /// The depth of its number, if it has one.
    pub(super) depth: Option<u8>,
    /// Its level; `None` if it is a cover's.
    pub(super) level: Option<u8>,
}

/// Puts clauses under their title: "0. Preamble", "1. Definitions", … after an unnumbered heading that is set like them,
/// where larger headings count to that depth already. A licence at the end of a numbered manual is such.
pub(super) fn nest_clauses(headings: &mut [Ranked]) {
    let mut counted: BTreeMap<Look, BTreeMap<u8, usize>> = BTreeMap::new();
    for heading in headings.iter() {
        if let Some(depth) = heading.depth {
            *counted.entry(heading.look).or_default().entry(depth).or_default() += 1;
        }
    }
    let counted_above = |look: Look, depth: u8| {
        counted.iter().any(|(larger, depths)| larger.0 > look.0 && depths.get(&depth).is_some_and(|n| *n > 1))
    };
    let mut title: Option<(Look, u8)> = None;
    for heading in headings {
        match (title, heading.depth, heading.level) {
            (Some((look, level)), Some(depth), Some(_)) if look == heading.look && counted_above(look, depth) => {
                heading.level = Some(level.saturating_add(depth));
            }
            (_, None, Some(level)) => title = Some((heading.look, level)),
            _ => title = None,
        }
    }
}

/// What is known of all headings of one look.
#[derive(Debug, Default)]
struct Use {
    n: usize,
    /// How many have numbers of which depth.
    depths: BTreeMap<u8, usize>,
    /// Some stand behind the first page.
    inside: bool,
}

impl Use {
    /// The depth of most of its numbers, if most have one.
    fn depth(&self) -> Option<u8> {
        let (depth, n) = self.depths.iter().max_by_key(|(_, n)| **n)?;
        (n * 2 > self.n).then_some(*depth)
    }
}

/// Levels without any bookmarks. `None` for a cover's looks.
pub(super) fn by_form(candidates: &[Candidate]) -> Vec<Option<u8>> {
    let mut uses: BTreeMap<Look, Use> = BTreeMap::new();
    for candidate in candidates {
        let of = uses.entry(candidate.look).or_default();
        of.n += 1;
        of.inside |= candidate.page > 1;
        if let Some(depth) = candidate.depth {
            *of.depths.entry(depth).or_default() += 1;
        }
    }
    // What is set like nothing else inside is the cover, if there is an inside.
    if uses.values().any(|of| of.inside && of.n > 1) {
        uses.retain(|_, of| of.inside || of.n > 2 || !of.depths.is_empty());
    }
    let levels = levels(&uses);
    let level = |candidate: &Candidate| {
        let level = levels.get(&candidate.look).copied()?;
        // Within one look numbers tell: "1 Care" and "1.1 Oil" may be set alike.
        let usual = uses.get(&candidate.look).and_then(Use::depth);
        Some(match (candidate.depth, usual) {
            (Some(depth), Some(usual)) => (level + depth).saturating_sub(usual).max(1),
            _ => level,
        })
    };
    candidates.iter().map(level).collect()
}

/// A level for each look, from the largest to the smallest: its number's depth where it is numbered, otherwise one below
/// the look before it.
fn levels(uses: &BTreeMap<Look, Use>) -> BTreeMap<Look, u8> {
    let shallowest = uses.values().filter_map(Use::depth).min().unwrap_or(1);
    let mut levels = BTreeMap::new();
    // Unnumbered titles over "1 …" push all numbers one down; over "1.1 …" they are the chapters.
    let n_above = uses.iter().rev().take_while(|(_, of)| of.depth().is_none()).filter(|(_, of)| of.n > 1).count();
    let shift = u8::try_from(n_above).unwrap_or(u8::MAX).min(2).saturating_sub(shallowest - 1);
    let numbered = uses.values().any(|of| of.depth().is_some());
    let mut above = 0_u8;
    for (look, of) in uses.iter().rev() {
        let level = match of.depth() {
            Some(depth) => depth.saturating_add(shift),
            None if numbered && above == 0 => 1,
            None => above.saturating_add(1),
        };
        levels.insert(*look, level);
        above = level;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(headings: &[(u32, u32, Option<u8>)]) -> Vec<Option<u8>> {
        let candidate = |&(page, size, depth): &(u32, u32, Option<u8>)| Candidate::at(page, (size, true), depth);
        by_form(&headings.iter().map(candidate).collect::<Vec<_>>())
    }

    #[test]
    fn larger_is_higher() {
        let levels = found(&[(1, 160, None), (1, 120, None), (2, 160, None), (2, 120, None), (2, 110, None)]);
        assert_eq!(levels, [1, 2, 1, 2, 3].map(Some));
    }

    #[test]
    fn numbers_tell_depths() {
        let chapters =
            found(&[(2, 200, None), (2, 140, Some(2)), (3, 120, Some(3)), (4, 200, None), (4, 140, Some(2))]);
        assert_eq!(chapters, [1, 2, 3, 1, 2].map(Some), "unnumbered chapters over 1.1");
        let alike = found(&[(1, 120, Some(1)), (1, 120, Some(2)), (2, 120, Some(1)), (2, 120, Some(1))]);
        assert_eq!(alike, [1, 2, 1, 1].map(Some), "all set alike");
    }

    #[test]
    fn clauses_stand_under_their_title() {
        let ranked = |size, depth, level| Ranked { look: (size, true), depth, level: Some(level) };
        let mut headings = [
            ranked(140, Some(1), 1),
            ranked(140, Some(1), 1),
            ranked(100, None, 4),
            ranked(100, Some(1), 1),
            ranked(100, Some(2), 2),
            ranked(140, Some(1), 1),
            ranked(100, Some(1), 4),
        ];
        nest_clauses(&mut headings);
        assert_eq!(headings.map(|heading| heading.level), [1, 1, 4, 5, 2, 1, 4].map(Some));
    }

    #[test]
    fn a_cover_is_no_chapter() {
        let levels = found(&[(1, 400, None), (2, 160, None), (3, 160, None)]);
        assert_eq!(levels, [None, Some(1), Some(1)]);
    }
}
