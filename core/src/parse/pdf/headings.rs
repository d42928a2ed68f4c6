//! Which blocks are headings and of which level: by the bookmarks, by type size and weight, by numbering.

mod tagged;

use super::{
    blocks::Block,
    contents, labels,
    levels::{self, Ranked},
    outline::Bookmark,
    prose::{self, Vocabulary},
    rows::Line,
    terms,
};
use std::collections::BTreeMap;

/// A heading is set at least this much larger than the body, or bold.
const LARGER: f32 = 1.1;
/// Longer texts are no headings.
const MAX_CHARACTERS: usize = 150;
/// Deeper headings are made this deep.
const MAX_LEVEL: u8 = 6;
/// Words before the number of a chapter.
const CHAPTERS: [&str; 6] = ["chapter", "part", "appendix", "kapitel", "teil", "anhang"];
/// With fewer bookmarks found in the text, form alone decides.
const MIN_MATCHES: usize = 2;

/// A block on its page.
#[derive(Debug)]
pub(super) struct Placed {
    /// From 1.
    pub(super) page: u32,
    /// The block, in the frame of its page's main text.
    pub(super) block: Block,
    /// It is the first of a column or of a stretch between columns: a sentence may have begun in the one before.
    pub(super) starts_region: bool,
    /// It stands in a sidebar.
    pub(super) aside: bool,
    /// What it was found to be.
    pub(super) heading: Option<Heading>,
    /// It is a label in a drawing: no heading, however it is set.
    pub(super) label: bool,
    /// It is a term, and what follows and is set in defines it.
    pub(super) term: bool,
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    /// 1 is the outermost.
    pub(super) level: u8,
    /// Its text; empty for a block that is part of the heading before it.
    pub(super) text: String,
}

/// A block that is set as headings are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// Its first block.
    index: usize,
    /// How many blocks it takes.
    n_blocks: usize,
    /// Its page, from 1.
    pub(super) page: u32,
    /// How it is set.
    pub(super) look: Look,
    /// The depth of its number, if it has one.
    pub(super) depth: Option<u8>,
}

impl Candidate {
    /// One for tests, of no block.
    #[cfg(test)]
    pub(super) fn at(page: u32, look: Look, depth: Option<u8>) -> Self {
        Self { index: 0, n_blocks: 1, page, look, depth }
    }
}

/// How a text is set, as far as it ranks headings: size in tenths of points, and weight.
pub(super) type Look = (u32, bool);

/// What body text looks like in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    /// Its size in points.
    pub(super) size: f32,
    /// It is set bold throughout.
    pub(super) bold: bool,
}

impl Body {
    /// The look of most characters.
    pub(super) fn of<'l>(lines: impl Iterator<Item = (f32, bool, usize)> + 'l) -> Self {
        let mut n_characters: BTreeMap<Look, usize> = BTreeMap::new();
        for (size, bold, n) in lines {
            *n_characters.entry((tenths(size), bold)).or_default() += n;
        }
        let most = n_characters.into_iter().max_by_key(|(_, n)| *n);
        most.map_or(Self { size: 10.0, bold: false }, |((size, bold), _)| Self { size: size as f32 / 10.0, bold })
    }
}

/// Marks the headings among the blocks of a document.
pub(super) fn mark(blocks: &mut [Placed], outline: &[Bookmark], body: Body, vocabulary: &Vocabulary) {
    let mut n_matches = by_outline(blocks, outline, vocabulary);
    let believed = tagged::are_believed(blocks, body);
    if believed {
        n_matches += tagged::mark(blocks, n_matches == 0, vocabulary);
    }
    terms::mark(blocks, body);
    contents::take_titles(blocks);
    let candidates = (0..blocks.len())
        .filter(|&index| blocks[index].heading.is_none() && !blocks[index].term && !blocks[index].label)
        .filter_map(|index| {
            let lines = text_of(&blocks[index])?;
            // The title of a sidebar opens no section: what is read next is not about it.
            let is_other = blocks[index].aside
                || believed && lines.first().is_some_and(|line| line.role.is_some_and(tagged::is_no_heading));
            (!is_other && is_candidate(lines, body)).then(|| {
                let depth = lines.first().and_then(|line| numbering(&line.text)).map(|(_, depth)| depth);
                Candidate { index, n_blocks: 1, page: blocks[index].page, look: look(lines), depth }
            })
        })
        .collect();
    let candidates = join_chapters(blocks, candidates);
    let levels = if n_matches >= MIN_MATCHES {
        // What is set large before the first bookmarked heading is the cover.
        let first = blocks.iter().position(|placed| placed.heading.is_some()).unwrap_or(0);
        let known = known(blocks);
        let cover = candidates.partition_point(|candidate| candidate.index < first);
        let (cover, inside) = candidates.split_at(cover);
        let is_large = |candidate: &Candidate| known.keys().all(|look| candidate.look >= *look);
        let cover = cover.iter().zip(levels::by_outline(&known, cover));
        let cover: Vec<Option<u8>> = cover.map(|(candidate, level)| level.filter(|_| !is_large(candidate))).collect();
        [cover, levels::by_outline(&known, inside)].concat()
    } else {
        levels::by_form(&candidates)
    };
    for (candidate, level) in nested(blocks, &candidates, &levels) {
        let of = candidate.index..candidate.index + candidate.n_blocks;
        set(&mut blocks[of], level, vocabulary);
    }
    contents::take_listed(blocks);
}

/// The candidates that are headings with their levels, clauses nested under their titles.
fn nested<'c>(blocks: &[Placed], candidates: &'c [Candidate], levels: &[Option<u8>]) -> Vec<(&'c Candidate, u8)> {
    let mut all: Vec<(usize, Option<&Candidate>, Ranked)> = Vec::with_capacity(candidates.len());
    for (index, placed) in blocks.iter().enumerate() {
        if let (Some(heading), Some(lines)) = (&placed.heading, text_of(placed)) {
            let chapter = lines.first().is_some_and(|line| begins_chapter(&line.text));
            let depth = if chapter { Some(1) } else { numbering(&heading.text).map(|(_, depth)| depth) };
            all.push((index, None, Ranked { look: look(lines), depth, level: Some(heading.level) }));
        }
    }
    all.extend(candidates.iter().zip(levels).map(|(candidate, level)| {
        (candidate.index, Some(candidate), Ranked { look: candidate.look, depth: candidate.depth, level: *level })
    }));
    all.sort_by_key(|(index, ..)| *index);
    let mut ranked: Vec<Ranked> = all.iter().map(|(.., ranked)| *ranked).collect();
    levels::nest_clauses(&mut ranked);
    let found = all.into_iter().zip(ranked).filter_map(|((_, candidate, _), ranked)| Some((candidate?, ranked.level?)));
    found.collect()
}

/// Makes blocks one heading: the first has its text, the others none.
fn set(blocks: &mut [Placed], level: u8, vocabulary: &Vocabulary) {
    let lines = blocks.iter().filter_map(text_of).flatten();
    let mut text = prose::join(lines.map(|line| line.text.as_str()), vocabulary);
    for placed in blocks {
        placed.heading = Some(Heading { level: level.clamp(1, MAX_LEVEL), text: std::mem::take(&mut text) });
    }
}

/// The levels of the headings found so far, by look.
fn known(blocks: &[Placed]) -> BTreeMap<Look, u8> {
    let mut votes: BTreeMap<Look, BTreeMap<u8, usize>> = BTreeMap::new();
    for placed in blocks {
        if let (Some(heading), Some(lines)) = (&placed.heading, text_of(placed))
            && !heading.text.is_empty()
        {
            *votes.entry(look(lines)).or_default().entry(heading.level).or_default() += 1;
        }
    }
    let most = |levels: BTreeMap<u8, usize>| levels.into_iter().max_by_key(|(_, n)| *n).map(|(level, _)| level);
    votes.into_iter().filter_map(|(look, levels)| Some((look, most(levels)?))).collect()
}

/// "Chapter 2" and the title under it are one heading, and the title's look is what ranks it.
fn join_chapters(blocks: &[Placed], candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut joined: Vec<Candidate> = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        match joined.last_mut() {
            Some(last)
                if last.index + 1 == candidate.index
                    && last.page == candidate.page
                    && candidate.depth.is_none()
                    && text_of(&blocks[last.index]).is_some_and(is_chapter_number) =>
            {
                last.n_blocks = 2;
                last.look = candidate.look;
                last.depth = Some(1);
            }
            _ => joined.push(candidate),
        }
    }
    joined
}

/// "Chapter 2", "Anhang B", and nothing more.
fn is_chapter_number(lines: &[Line]) -> bool {
    matches!(lines, [line] if begins_chapter(&line.text) && line.text.split_whitespace().count() == 2)
}

/// "Chapter 2", "Anhang B: Codes".
fn begins_chapter(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(word), Some(number)) = (words.next(), words.next()) else { return false };
    let number = number.trim_end_matches([':', '.']);
    CHAPTERS.contains(&word.to_lowercase().as_str()) && number.len() <= 5 && number.chars().all(char::is_alphanumeric)
}

fn text_of(placed: &Placed) -> Option<&[Line]> {
    match &placed.block {
        Block::Text(lines) => Some(lines),
        Block::Table(_) | Block::Contents(_) => None,
    }
}

/// Finds each bookmark's heading in the text of its page; returns how many were found.
fn by_outline(blocks: &mut [Placed], outline: &[Bookmark], vocabulary: &Vocabulary) -> usize {
    /// Bookmarks that are looked for on one page.
    const MAX_PER_PAGE: usize = 500;
    let mut by_page: BTreeMap<u32, Vec<&Bookmark>> = BTreeMap::new();
    for entry in outline {
        by_page.entry(entry.page).or_default().push(entry);
    }
    let mut n_matches = 0;
    for (page, entries) in by_page {
        let start = blocks.partition_point(|placed| placed.page < page);
        let end = blocks.partition_point(|placed| placed.page <= page);
        let of_page = &mut blocks[start..end];
        let texts: Vec<Option<String>> = of_page.iter().map(short_text).collect();
        // Bookmarks of one page come in order; one out of order is looked for from the top.
        let mut after = 0;
        for entry in entries.into_iter().take(MAX_PER_PAGE) {
            let wanted = plain(&entry.title);
            let found = find(&texts[after..], &wanted).map(|(at, n)| (after + at, n)).or_else(|| find(&texts, &wanted));
            let Some((at, n_blocks)) = found else { continue };
            if of_page[at].heading.is_none() {
                n_matches += 1;
                after = at + n_blocks;
                set(&mut of_page[at..after], entry.level, vocabulary);
            }
        }
    }
    n_matches
}

/// What a block says, if it is short enough for a heading.
fn short_text(placed: &Placed) -> Option<String> {
    let lines = text_of(placed)?;
    let short = lines.len() <= 4 && lines.iter().map(|line| line.text.len()).sum::<usize>() <= 2 * MAX_CHARACTERS;
    short.then(|| lines.iter().map(|line| plain(&line.text)).collect())
}

/// The first run of one to three blocks that together say `wanted`, with or without its number.
fn find(texts: &[Option<String>], wanted: &str) -> Option<(usize, usize)> {
    let bare = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    let bare_wanted = bare(wanted);
    let same = |text: &str| {
        let chapter = CHAPTERS.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
        !text.is_empty() && !bare_wanted.is_empty() && (bare(text) == bare_wanted || bare(chapter) == bare_wanted)
    };
    for n_blocks in [3, 2, 1] {
        for (at, run) in texts.windows(n_blocks).enumerate() {
            let all: Option<Vec<&str>> = run.iter().map(Option::as_deref).collect();
            let Some(all) = all else { continue };
            // A run is only tried where its last block does not already say it all, but for its number.
            let numbered = CHAPTERS.iter().any(|word| all[0].starts_with(word));
            if (n_blocks == 1 || numbered || !same(all[n_blocks - 1])) && same(&all.concat()) {
                return Some((at, n_blocks));
            }
        }
    }
    None
}

/// Letters and digits alone, in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a block is set as headings are.
fn is_candidate(lines: &[Line], body: Body) -> bool {
    let Some((first, last)) = lines.first().zip(lines.last()) else { return false };
    if labels::label(lines, &first.text).is_some() || labels::caption(&first.text).is_some() {
        return false;
    }
    let number = numbering(&first.text).map_or("", |(number, _)| number);
    let numbered = !number.is_empty();
    let count = |wanted: fn(char) -> bool| -> usize {
        lines.iter().map(|line| line.text.chars().filter(|c| wanted(*c)).count()).sum()
    };
    let n_characters = count(|_| true) - number.chars().count();
    let n_letters = count(char::is_alphabetic) - number.chars().filter(|c| c.is_alphabetic()).count();
    // Code words such as "G41.1" are named in headings with few letters; figures alone are no heading.
    let is_text = n_letters >= if numbered { 1 } else { 2 } && n_letters * if numbered { 5 } else { 2 } >= n_characters;
    if lines.len() > 3 || n_characters > MAX_CHARACTERS || !is_text {
        return false;
    }
    let ends_open = last.text.ends_with([',', ';', ':']) || last.text.ends_with('.') && !numbered;
    let larger = first.size >= LARGER * body.size;
    let bold = first.style.bold && !body.bold && !first.style.fixed_pitch;
    let whole = lines.iter().all(|line| line.n_segments == 1) && !first.text.contains(": ");
    let bold_title = bold && whole && first.size >= 0.9 * body.size && lines.len() <= 2 && n_characters <= 90;
    let begins_small = first.text.chars().next().is_some_and(char::is_lowercase);
    !ends_open && (larger || bold_title && !begins_small)
}

/// How the first of these lines is set.
pub(super) fn look(lines: &[Line]) -> Look {
    let first = lines.first();
    (first.map_or(0, |line| tenths(line.size)), first.is_some_and(|line| line.style.bold))
}

fn tenths(size: f32) -> u32 {
    // Half points are one size: rounding in the file makes 9.96 and 10.02 of 10.
    (size * 2.0).round().clamp(0.0, 10_000.0) as u32 * 5
}

/// The number before a heading and its depth: "3.2.1 Title" is of depth 3, "A.1" of 2, "4. Title" of 1.
fn numbering(text: &str) -> Option<(&str, u8)> {
    let number = text.split_whitespace().next()?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let (first, rest) = parts.split_first()?;
    let digits = |part: &&str| !part.is_empty() && part.len() <= 3 && part.chars().all(|c| c.is_ascii_digit());
    let letter = first.len() == 1
        && first.chars().all(|c| c.is_ascii_uppercase())
        && (!rest.is_empty() || number.ends_with('.'));
    let counts = (digits(first) || letter) && rest.iter().all(digits);
    (counts && text.len() > number.len()).then(|| (number, u8::try_from(parts.len()).unwrap_or(u8::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_headings() {
        let depth = |text| numbering(text).map(|(_, depth)| depth);
        assert_eq!(depth("3.2.1 Homing"), Some(3));
        assert_eq!(depth("4. Wiring"), Some(1));
        assert_eq!(depth("A.1 Codes"), Some(2));
        assert_eq!(depth("A pump"), None);
        assert_eq!(depth("G28 Home"), None);
        assert_eq!(depth("2026"), None);
    }

    #[test]
    fn the_body_is_what_most_characters_look_like() {
        let body = Body::of([(12.02, true, 100), (9.98, false, 5_000), (14.0, true, 80)].into_iter());
        assert_eq!((body.size, body.bold), (10.0, false));
    }
}
