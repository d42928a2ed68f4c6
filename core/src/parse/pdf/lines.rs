//! From characters to words and from words to segments: runs of text on one line without a wide gap.
//!
//! Not for deciding which segments belong together: a wide gap may part columns, cells or just a justified line, and
//! that is told by the page as a whole ([`super::columns`], [`super::tables`]).

mod scripts;

use super::{
    bidi,
    font::Style,
    glyphs::{Glyph, Rule, Turn},
    paint::Hiding,
    tags::Role,
};
use crate::document::BBox;
use scripts::attach_scripts;

/// A gap wider than this, in ems, is a blank between words. Kerning and tracking stay below it; the narrowest
/// justified blanks are above it. (MuPDF takes 0.15 too, Poppler 0.1.)
const WORD_GAP: f32 = 0.15;
/// A gap wider than this, in ems, ends a segment. Blanks in justified text rarely reach it.
const SEGMENT_GAP: f32 = 1.0;
/// The same in fixed-pitch text: three blanks. Program text is put together again by [`rejoin_fixed_pitch`].
const FIXED_SEGMENT_GAP: f32 = 1.7;
/// Baselines within this part of an em are one line.
const SAME_LINE: f32 = 0.25;
/// Ascent and descent of ordinary type, in ems.
const ASCENT: f32 = 0.8;
const DESCENT: f32 = 0.22;

/// A word and where it stands along its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// What it says.
    pub(super) text: Box<str>,
    /// Where it begins.
    pub(super) u0: f32,
    /// Where it ends.
    pub(super) u1: f32,
}

/// A run of text on one line without a wide gap, in the frame of its turn.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Its words with single blanks; in fixed-pitch text as many blanks as there is room for.
    pub(super) text: String,
    /// Its words.
    pub(super) words: Vec<Word>,
    /// Around its letters.
    pub(super) bbox: BBox,
    /// Its baseline.
    pub(super) v: f32,
    /// The em of most of its characters.
    pub(super) size: f32,
    /// How most of it is set.
    pub(super) style: Style,
    /// The file calls it furniture.
    pub(super) artifact: bool,
    /// What the file's tags say it is part of.
    pub(super) role: Option<Role>,
}

/// A chain of characters that follow one another closely.
#[derive(Clone, Debug)]
struct Atom {
    text: String,
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    style: Style,
    artifact: bool,
    role: Option<Role>,
    /// A blank was drawn before it.
    after_blank: bool,
}

/// The segments of all text that runs in one direction, by line from the top, within a line by place: of the text that
/// is seen, or of that which is hidden for one reason. Vertical rules, in the frame of that turn, part words. O(n log n).
pub(super) fn segments(glyphs: &[Glyph], turn: Turn, hiding: Option<Hiding>, rules: &[Rule]) -> Vec<Segment> {
    let walls = Walls::of(rules);
    let mut atoms = atoms(glyphs.iter().filter(|glyph| glyph.turn == turn && glyph.hiding == hiding), &walls);
    atoms.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.u0.total_cmp(&b.u0)));
    let mut rows = rows(atoms);
    attach_scripts(&mut rows);
    rows.into_iter().filter(|row| !row.is_empty()).flat_map(|row| split(row, &walls)).collect()
}

/// Whether one segment after another belongs to the same text, where nothing else tells: two labels at two axes do not.
pub(super) fn stand_together(a: &Segment, b: &Segment) -> bool {
    let near = 2.0 * a.size.max(b.size);
    b.bbox.y0 - a.bbox.y1 < near && b.bbox.x0 - a.bbox.x1 < near && a.bbox.x0 - b.bbox.x1 < near
}

/// Vertical rules, by place: text does not run through them.
struct Walls(Vec<Rule>);

impl Walls {
    fn of(rules: &[Rule]) -> Self {
        let mut walls: Vec<Rule> = rules.iter().filter(|rule| !rule.horizontal).copied().collect();
        walls.sort_by(|a, b| a.at.total_cmp(&b.at));
        Self(walls)
    }

    /// Whether a rule stands between the beginnings of two texts on a line. The first may overflow its cell.
    fn part(&self, from: f32, to: f32, v: f32, size: f32) -> bool {
        let low = from + 0.1 * size;
        let start = self.0.partition_point(|wall| wall.at < low);
        let mut between = self.0[start..].iter().take_while(|wall| wall.at <= to + 0.1 * size);
        between.any(|wall| wall.from <= v - 0.3 * size && wall.to >= v - 0.2 * size)
    }
}

fn atoms<'g>(glyphs: impl Iterator<Item = &'g Glyph>, walls: &Walls) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = Vec::new();
    let mut blank = false;
    for glyph in glyphs {
        if glyph.character == ' ' {
            blank = true;
            continue;
        }
        let follows = |atom: &Atom| {
            let gap = glyph.u0 - atom.u1;
            let size = atom.size.min(glyph.size);
            !blank
                && atom.artifact == glyph.artifact
                && (glyph.v - atom.v).abs() <= 0.1 * size
                && gap >= -0.35 * size
                && gap <= WORD_GAP * atom.size.max(glyph.size)
                && !(glyph.begins && walls.part(atom.u0, glyph.u0, glyph.v, size))
        };
        match atoms.last_mut() {
            Some(atom) if follows(atom) => {
                atom.text.push(glyph.character);
                atom.u1 = atom.u1.max(glyph.u1);
                atom.size = atom.size.max(glyph.size);
                atom.style.bold &= glyph.style.bold;
                atom.style.italic &= glyph.style.italic;
                atom.style.fixed_pitch &= glyph.style.fixed_pitch;
            }
            _ => atoms.push(Atom {
                text: glyph.character.to_string(),
                u0: glyph.u0,
                u1: glyph.u1,
                v: glyph.v,
                size: glyph.size,
                style: glyph.style,
                artifact: glyph.artifact,
                role: glyph.role,
                after_blank: blank,
            }),
        }
        blank = false;
    }
    atoms
}

/// Groups atoms, sorted by baseline, into rows of nearly one baseline.
fn rows(atoms: Vec<Atom>) -> Vec<Vec<Atom>> {
    let mut rows: Vec<Vec<Atom>> = Vec::new();
    for atom in atoms {
        match rows.last_mut() {
            Some(row) if row.first().is_some_and(|first| atom.v - first.v <= SAME_LINE * first.size.min(atom.size)) => {
                row.push(atom);
            }
            _ => rows.push(vec![atom]),
        }
    }
    rows
}

/// Sorts a row along its line and cuts it at wide gaps.
fn split(mut row: Vec<Atom>, walls: &Walls) -> Vec<Segment> {
    row.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    // Bold by drawing twice, a little shifted.
    row.dedup_by(|next, kept| next.text == kept.text && next.u0 - kept.u0 < 0.3 * (kept.u1 - kept.u0).max(0.1));
    let spaced_out = tracking(&row);
    let mut segments: Vec<Segment> = Vec::new();
    let mut run: Vec<Atom> = Vec::new();
    for atom in row {
        let ends = run.last().is_some_and(|last| {
            let fixed = last.style.fixed_pitch && atom.style.fixed_pitch;
            let limit = if fixed { FIXED_SEGMENT_GAP } else { SEGMENT_GAP + spaced_out };
            atom.u0 - last.u1 > limit * last.size.max(atom.size) || walls.part(last.u0, atom.u0, atom.v, last.size)
        });
        if ends {
            segments.extend(segment(&run, spaced_out));
            run.clear();
        }
        run.push(atom);
    }
    segments.extend(segment(&run, spaced_out));
    segments
}

/// The usual gap between the letters of a row that is set "L I K E  T H I S", in ems; 0 for ordinary text.
fn tracking(row: &[Atom]) -> f32 {
    let single = row.iter().filter(|atom| atom.text.chars().count() == 1).count();
    if row.len() < 5
        || single * 10 < row.len() * 8
        || row.iter().any(|atom| !atom.text.chars().all(char::is_alphabetic))
    {
        return 0.0;
    }
    let mut gaps: Vec<f32> = row.windows(2).map(|pair| (pair[1].u0 - pair[0].u1) / pair[0].size.max(0.1)).collect();
    gaps.sort_by(f32::total_cmp);
    gaps[gaps.len() / 2].clamp(0.0, 1.0)
}

fn segment(run: &[Atom], spaced_out: f32) -> Option<Segment> {
    let (first, last) = (run.first()?, run.last()?);
    let n_characters = |wanted: &dyn Fn(&Atom) -> bool| -> usize {
        run.iter().filter(|atom| wanted(atom)).map(|atom| atom.text.chars().count()).sum()
    };
    let total = n_characters(&|_| true);
    let most = |wanted: &dyn Fn(&Atom) -> bool| n_characters(wanted) * 10 >= total * 8;
    let style = Style {
        bold: most(&|atom| atom.style.bold),
        italic: most(&|atom| atom.style.italic),
        fixed_pitch: most(&|atom| atom.style.fixed_pitch),
    };
    let longest = run.iter().max_by_key(|atom| atom.text.len()).unwrap_or(first);
    let mut words: Vec<Word> = Vec::new();
    let mut text = String::new();
    // Before a text from the right a blank is drawn on its right.
    let blank = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| run.get(before));
        run.get(index).is_some_and(|atom| atom.after_blank && !atom.text.starts_with(bidi::is_rtl))
            || before.is_some_and(|atom| atom.after_blank && atom.text.starts_with(bidi::is_rtl))
    };
    for (index, atom) in run.iter().enumerate() {
        let gap = index.checked_sub(1).and_then(|before| run.get(before)).map(|before| atom.u0 - before.u1);
        let parted = gap.is_some_and(|gap| {
            let limit = if spaced_out > 0.0 { 1.5 * spaced_out + WORD_GAP } else { WORD_GAP };
            gap > limit * atom.size.max(0.1) || blank(index) && spaced_out == 0.0 && gap > -0.2 * atom.size
        });
        if parted {
            let pitch = (longest.u1 - longest.u0) / longest.text.chars().count().max(1) as f32;
            let n_blanks =
                if style.fixed_pitch { (gap.unwrap_or(0.0) / pitch.max(0.1)).round().clamp(1.0, 80.0) } else { 1.0 };
            text.extend(std::iter::repeat_n(' ', n_blanks as usize));
        }
        text.push_str(&atom.text);
        match words.last_mut() {
            Some(word) if !parted => {
                word.text = format!("{}{}", word.text, atom.text).into();
                word.u1 = word.u1.max(atom.u1);
            }
            _ => words.push(Word { text: atom.text.as_str().into(), u0: atom.u0, u1: atom.u1 }),
        }
    }
    soften(&mut text, &mut words);
    if text.chars().any(bidi::is_rtl) {
        text = bidi::reorder(&text);
        words.iter_mut().for_each(|word| word.text = bidi::reorder(&word.text).into());
    }
    let (v, size) = (longest.v, longest.size);
    let u1 = run.iter().map(|atom| atom.u1).fold(last.u1, f32::max);
    Some(Segment {
        text,
        words,
        bbox: BBox { x0: first.u0, y0: v - ASCENT * size, x1: u1, y1: v + DESCENT * size },
        v,
        size,
        style,
        artifact: run.iter().all(|atom| atom.artifact),
        role: longest.role,
    })
}

/// A soft hyphen is only printed at the end of a line; inside a word it says where it could be divided.
fn soften(text: &mut String, words: &mut [Word]) {
    const SOFT: char = '\u{AD}';
    if !text.contains(SOFT) {
        return;
    }
    let divides = text.ends_with(SOFT);
    text.retain(|character| character != SOFT);
    for word in words.iter_mut().filter(|word| word.text.contains(SOFT)) {
        word.text = word.text.replace(SOFT, "").into();
    }
    if divides {
        text.push(SOFT);
        if let Some(last) = words.last_mut() {
            last.text = format!("{}-", last.text).into();
        }
    }
}

/// Puts the fixed-pitch segments of a line together again with as many blanks as stand between them: in program text a
/// gap is layout.
pub(super) fn rejoin_fixed_pitch(mut segments: Vec<Segment>) -> Vec<Segment> {
    segments.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.bbox.x0.total_cmp(&b.bbox.x0)));
    let mut joined: Vec<Segment> = Vec::new();
    for segment in segments {
        match joined.last_mut() {
            Some(last)
                if last.style.fixed_pitch
                    && segment.style.fixed_pitch
                    && (last.v - segment.v).abs() < 0.1 * last.size
                    && last.bbox.x1 <= segment.bbox.x0 =>
            {
                let pitch = (last.bbox.x1 - last.bbox.x0) / last.text.chars().count().max(1) as f32;
                let n_blanks = ((segment.bbox.x0 - last.bbox.x1) / pitch.max(0.1)).round().clamp(1.0, 200.0);
                last.text.extend(std::iter::repeat_n(' ', n_blanks as usize));
                last.text.push_str(&segment.text);
                last.words.extend(segment.words);
                last.bbox = last.bbox.union(segment.bbox);
            }
            _ => joined.push(segment),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of half an em each, from `u`, on baseline `v`.
    fn set(text: &str, u: f32, v: f32, size: f32) -> Vec<Glyph> {
        let place = |(index, character)| {
            let u0 = u + index as f32 * size / 2.0;
            Glyph {
                character,
                u0,
                u1: u0 + size / 2.0,
                v,
                size,
                style: Style::default(),
                turn: Turn(0),
                artifact: false,
                role: None,
                begins: index == 0,
                hiding: None,
            }
        };
        text.chars().enumerate().map(place).collect()
    }

    fn texts(glyphs: &[Glyph]) -> Vec<String> {
        segments(glyphs, Turn(0), None, &[]).into_iter().map(|segment| segment.text).collect()
    }

    #[test]
    fn gaps_become_blanks_and_wide_gaps_part() {
        let glyphs = [set("Close", 0.0, 100.0, 10.0), set("it", 27.5, 100.0, 10.0), set("4 Nm", 80.0, 100.0, 10.0)];
        assert_eq!(texts(&glyphs.concat()), ["Close it", "4 Nm"]);
    }

    #[test]
    fn a_rule_parts_words() {
        let glyphs = [set("Maker", 0.0, 100.0, 10.0), set("Model", 25.5, 100.0, 10.0)].concat();
        // The first text overflows its cell.
        let rule = Rule { horizontal: false, at: 18.0, from: 80.0, to: 120.0 };
        let parted: Vec<String> =
            segments(&glyphs, Turn(0), None, &[rule]).into_iter().map(|segment| segment.text).collect();
        assert_eq!(parted, ["Maker", "Model"]);
    }

    #[test]
    fn order_of_drawing_does_not_matter() {
        let glyphs = [set("second", 0.0, 112.0, 10.0), set("line", 30.0, 100.0, 10.0), set("first", 0.0, 100.3, 10.0)];
        assert_eq!(texts(&glyphs.concat()), ["first line", "second"]);
    }

    #[test]
    fn a_raised_figure_stays_raised() {
        let glyphs = [set("10", 0.0, 100.0, 10.0), set("3", 10.0, 96.0, 6.0), set("Pa", 16.0, 100.0, 10.0)];
        assert_eq!(texts(&glyphs.concat()), ["10³ Pa"]);
        let inch = [set("1", 30.0, 96.0, 6.0), set("⁄", 33.0, 100.0, 10.0), set("4", 38.0, 100.0, 6.0)];
        assert_eq!(texts(&inch.concat()), ["1⁄4"]);
        let water = [set("H", 0.0, 100.0, 10.0), set("2", 5.0, 102.0, 6.0), set("O", 8.0, 100.0, 10.0)];
        assert_eq!(texts(&water.concat()), ["H2O"]);
    }

    #[test]
    fn bold_by_drawing_twice_is_read_once() {
        let glyphs = [set("Danger", 0.0, 100.0, 10.0), set("Danger", 0.3, 100.0, 10.0)];
        assert_eq!(texts(&glyphs.concat()), ["Danger"]);
    }

    #[test]
    fn spaced_out_letters_are_a_word() {
        let letters = "WARNING".chars().enumerate();
        let glyphs: Vec<Glyph> = letters.flat_map(|(i, c)| set(&c.to_string(), i as f32 * 8.0, 100.0, 10.0)).collect();
        assert_eq!(texts(&glyphs), ["WARNING"]);
    }
}
