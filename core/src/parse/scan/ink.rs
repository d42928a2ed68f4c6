//! Where the ink of a line stands: how its characters are parted, its baseline, how large it is set and how heavy.
//!
//! The recogniser says what is written and roughly where; layout needs to know to a part of a point how wide a gap is
//! and how large the type. Not for recognising.

use super::{
    crop::{HEIGHT, Strip},
    ctc::Read,
};

/// Darker than this, of the way from paper to ink, is ink.
const INK: f32 = 0.45;
/// Cap height, x-height and the height of ideographs in ems: means of the usual text faces.
const CAP_HEIGHT: f32 = 0.71;
const X_HEIGHT: f32 = 0.515;
const IDEOGRAPH_HEIGHT: f32 = 0.9;
/// A gap without a blank in it, as a part of the strip's height, up to which a word goes on: about half an em.
const LOOSE: f32 = 0.3;
/// How far ideographs reach below the baseline, in ems.
const IDEOGRAPH_DEPTH: f32 = 0.08;

/// A character with its extent along the strip, in pixels of the strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) character: char,
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) confidence: f32,
}

/// How a line is set, in pixels of the strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    /// The baseline, from the top.
    pub(super) baseline: f32,
    /// The em.
    pub(super) size: f32,
    /// How thick its upright strokes are, in ems.
    pub(super) stroke: f32,
}

/// The ink of a strip: how dark each pixel is, from 0 (paper) to 1.
#[derive(Debug)]
pub(super) struct Ink {
    width: usize,
    dark: Vec<f32>,
    /// How much ink stands in each column.
    columns: Vec<f32>,
}

impl Ink {
    /// Tells ink from paper: paper is what most of the strip is, ink what differs from it most. So light text on a dark
    /// ground is ink too.
    pub(super) fn of(strip: &Strip) -> Self {
        let luma: Vec<u8> = strip
            .pixels
            .iter()
            .map(|[r, g, b]| ((u32::from(*r) * 299 + u32::from(*g) * 587 + u32::from(*b) * 114) / 1000) as u8)
            .collect();
        let mut sorted = luma.clone();
        sorted.sort_unstable();
        let at = |part: usize| f32::from(sorted.get(sorted.len() * part / 100).copied().unwrap_or(255));
        let (paper, darkest, lightest) = (at(50), at(2), at(98));
        let ink = if paper - darkest >= lightest - paper { darkest } else { lightest };
        // Nothing but noise has no contrast.
        let contrast = if (paper - ink).abs() < 20.0 { f32::INFINITY } else { paper - ink };
        let mut dark: Vec<f32> = luma.iter().map(|l| ((paper - f32::from(*l)) / contrast).clamp(0.0, 1.0)).collect();
        rub_out_rules(&mut dark, strip.width);
        let mut columns = vec![0.0; strip.width];
        for row in dark.chunks_exact(strip.width.max(1)) {
            columns.iter_mut().zip(row).for_each(|(sum, dark)| *sum += dark);
        }
        Self { width: strip.width, dark, columns }
    }

    /// Parts the characters where there is least ink between them; blanks take the gaps. `n_steps` are spread evenly over
    /// the strip. O(width).
    pub(super) fn part(&self, read: &[Read], n_steps: usize) -> Vec<Placed> {
        let step_width = self.width as f32 / n_steps.max(1) as f32;
        let middle = |read: &Read| (read.step * step_width).clamp(0.0, self.width as f32);
        let shown: Vec<&Read> = read.iter().filter(|read| !read.character.is_whitespace()).collect();
        let mut placed: Vec<Placed> = Vec::with_capacity(read.len());
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return placed };
        let has_ink = |at: &usize| self.columns.get(*at).is_some_and(|ink| *ink > 1.0);
        let mut from =
            (0..middle(first) as usize).find(has_ink).map_or_else(|| middle(first) - step_width, |at| at as f32);
        for pair in shown.windows(2) {
            let &[this, next] = pair else { continue };
            let (mut to, mut begins) = self.gap(middle(this), middle(next));
            let parted = is_parted(read, this, next);
            // What stands loosely is still one word.
            if !parted && begins - to < LOOSE * HEIGHT as f32 {
                let boundary = (to + begins) / 2.0;
                (to, begins) = (boundary, boundary);
            }
            placed.push(Placed { character: this.character, from, to: to.max(from), confidence: this.confidence });
            if parted {
                placed.push(Placed { character: ' ', from: to, to: begins, confidence: this.confidence });
            }
            from = begins;
        }
        let end = (middle(last) as usize..self.width).rev().find(has_ink);
        let to = end.map_or_else(|| middle(last) + step_width, |at| at as f32 + 1.0);
        placed.push(Placed { character: last.character, from, to: to.max(from), confidence: last.confidence });
        placed
    }

    /// The widest run of columns without ink between two places; a point where there is none, that with least ink.
    fn gap(&self, from: f32, to: f32) -> (f32, f32) {
        let (from, to) = (from.max(0.0) as usize, (to.max(0.0) as usize).min(self.width));
        let mut widest = (0, 0);
        let mut run = from;
        let mut least = (f32::MAX, (from + to) / 2);
        for at in from..to {
            let ink = self.columns.get(at).copied().unwrap_or(0.0);
            if ink > 1.0 {
                run = at + 1;
            } else if at + 1 - run > widest.1 - widest.0 {
                widest = (run, at + 1);
            }
            if ink < least.0 {
                least = (ink, at);
            }
        }
        let (from, to) = if widest.1 > widest.0 { widest } else { (least.1, least.1) };
        (from as f32, to as f32)
    }

    /// How the line is set, from the tops and bottoms of those characters whose form is known; `None` where it has none.
    pub(super) fn setting(&self, placed: &[Placed]) -> Option<Setting> {
        let (mut bottoms, mut caps, mut xs, mut ideographs) = (vec![], vec![], vec![], vec![]);
        for character in placed {
            let Some((top, bottom)) = self.extent(character.from, character.to) else { continue };
            match Form::of(character.character) {
                Form::Capital => {
                    caps.push(top);
                    bottoms.push(bottom);
                }
                Form::Small => {
                    xs.push(top);
                    bottoms.push(bottom);
                }
                Form::Hanging => xs.push(top),
                Form::Ideograph => ideographs.push((top, bottom)),
                Form::Other => {}
            }
        }
        let (baseline, size) = match (median(&mut bottoms), median(&mut caps), median(&mut xs)) {
            (Some(baseline), Some(cap), x) => {
                let by_caps = (baseline - cap) / CAP_HEIGHT;
                // Small capitals and misread lines aside, both heights tell the same; the mean is steadier.
                let by_x = x.map(|x| (baseline - x) / X_HEIGHT).filter(|by_x| (by_x / by_caps - 1.0).abs() < 0.25);
                (baseline, by_x.map_or(by_caps, |by_x| (by_x + by_caps) / 2.0))
            }
            (Some(baseline), None, Some(x)) => (baseline, (baseline - x) / X_HEIGHT),
            _ => {
                let top = median(&mut ideographs.iter().map(|(top, _)| *top).collect::<Vec<_>>())?;
                let bottom = median(&mut ideographs.iter().map(|(_, bottom)| *bottom).collect::<Vec<_>>())?;
                let size = (bottom - top) / IDEOGRAPH_HEIGHT;
                (bottom - IDEOGRAPH_DEPTH * size, size)
            }
        };
        (size >= 4.0).then(|| Setting { baseline, size, stroke: self.stroke(baseline, size) / size })
    }

    /// The first and one past the last row with ink between two places.
    fn extent(&self, from: f32, to: f32) -> Option<(f32, f32)> {
        let (from, to) = (from.max(0.0) as usize, (to.ceil().max(0.0) as usize).min(self.width));
        let has_ink = |row: &usize| {
            self.dark.get(row * self.width + from..row * self.width + to).is_some_and(|r| r.iter().any(|d| *d > INK))
        };
        let top = (0..HEIGHT).find(has_ink)?;
        let bottom = (0..HEIGHT).rev().find(has_ink)? + 1;
        Some((top as f32, bottom as f32))
    }

    /// How thick most strokes are that rows in the middle of the small letters run through, in pixels.
    fn stroke(&self, baseline: f32, size: f32) -> f32 {
        let row = |ems: f32| (baseline - ems * size).clamp(0.0, HEIGHT as f32) as usize;
        let mut strokes = Vec::new();
        for row in self.dark.chunks_exact(self.width.max(1)).take(row(0.12)).skip(row(0.4)) {
            // Greys at the edges count as the parts of a pixel that they are.
            let (mut ink, mut has_core) = (0.0, false);
            for dark in row.iter().copied().chain([0.0]) {
                if dark > 0.05 {
                    ink += dark;
                    has_core |= dark > INK;
                } else {
                    strokes.extend(has_core.then_some(ink));
                    (ink, has_core) = (0.0, false);
                }
            }
        }
        median(&mut strokes).unwrap_or(0.0)
    }
}

/// Takes out the lines of tables that reach into a strip: what is dark along a row for longer than any letter is wide, or
/// down a whole column.
fn rub_out_rules(dark: &mut [f32], width: usize) {
    /// Lines are often grey.
    const GREY: f32 = 0.15;
    let is_grey = |dark: &[f32], row: usize, column: usize| dark.get(row * width + column).is_some_and(|d| *d > GREY);
    // Both are found before either is taken out: where they cross they belong to both.
    let is_full = |column: &usize| (0..HEIGHT).filter(|row| is_grey(dark, *row, *column)).count() + 2 >= HEIGHT;
    let full: Vec<usize> = (0..width).filter(is_full).collect();
    let longest = (HEIGHT + HEIGHT / 4).min(width * 9 / 10).max(8);
    for row in dark.chunks_exact_mut(width.max(1)) {
        let mut at = 0;
        while at < row.len() {
            let length = row[at..].iter().take_while(|dark| **dark > GREY).count();
            if length >= longest {
                row[at..at + length].fill(0.0);
            }
            at += length + 1;
        }
        for column in &full {
            row[*column] = 0.0;
        }
    }
}

/// Whether a blank was read between two characters.
fn is_parted(read: &[Read], this: &Read, next: &Read) -> bool {
    read.iter()
        .any(|between| between.character.is_whitespace() && between.step >= this.step && between.step <= next.step)
}

/// How a character stands on the line.
enum Form {
    /// From the baseline to the height of capitals.
    Capital,
    /// From the baseline to the height of an x.
    Small,
    /// From the height of an x to below the baseline.
    Hanging,
    /// Over the whole em.
    Ideograph,
    /// Otherwise, or differently from face to face.
    Other,
}

impl Form {
    fn of(character: char) -> Self {
        match character {
            'A'..='P' | 'R'..='Z' | '0'..='9' | 'b' | 'd' | 'f' | 'h' | 'k' | 'l' => Self::Capital,
            'a' | 'c' | 'e' | 'm'..='o' | 'r' | 's' | 'u'..='x' | 'z' => Self::Small,
            'g' | 'p' | 'q' | 'y' => Self::Hanging,
            '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' => {
                Self::Ideograph
            }
            _ => Self::Other,
        }
    }
}

fn median(values: &mut [f32]) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of blocks of ink: from column, to column, from row, to row.
    fn strip(width: usize, paper: u8, blocks: &[(usize, usize, usize, usize)]) -> Strip {
        let mut pixels = vec![[paper; 3]; width * HEIGHT];
        for &(x0, x1, y0, y1) in blocks {
            for y in y0..y1 {
                pixels[y * width + x0..y * width + x1].fill([255 - paper; 3]);
            }
        }
        Strip { width, pixels, scale_along: 1.0, scale_across: 1.0 }
    }

    fn read(text: &str, steps: &[f32]) -> Vec<Read> {
        text.chars().zip(steps).map(|(character, step)| Read { character, step: *step, confidence: 0.9 }).collect()
    }

    /// An H of 22 rows, a gap, an x of 16 rows, on row 38; 10 pixels a step.
    const H_X: [(usize, usize, usize, usize); 2] = [(10, 22, 16, 38), (40, 50, 22, 38)];

    #[test]
    fn characters_end_where_their_ink_ends() {
        let ink = Ink::of(&strip(60, 255, &H_X));
        let placed = ink.part(&read("H x", &[1.6, 3.0, 4.5]), 6);
        let places: Vec<_> = placed.iter().map(|p| (p.character, p.from, p.to)).collect();
        assert_eq!(places, [('H', 10.0, 22.0), (' ', 22.0, 40.0), ('x', 40.0, 50.0)]);
    }

    #[test]
    fn a_gap_without_a_blank_stays_a_gap() {
        let ink = Ink::of(&strip(60, 255, &H_X));
        let placed = ink.part(&read("Hx", &[1.6, 4.5]), 6);
        assert_eq!((placed.len(), placed[0].to, placed[1].from), (2, 22.0, 40.0));
    }

    #[test]
    fn a_loosely_set_word_has_no_gaps() {
        let ink = Ink::of(&strip(60, 255, &[(10, 22, 16, 38), (30, 40, 22, 38)]));
        let placed = ink.part(&read("Hx", &[1.6, 3.5]), 6);
        assert_eq!((placed[0].to, placed[1].from), (26.0, 26.0));
    }

    #[test]
    fn size_and_baseline_come_from_known_forms() {
        // An x-height of 16 pixels and a cap height of 22 are both an em of 31.
        for paper in [255, 0] {
            let ink = Ink::of(&strip(60, paper, &H_X));
            let placed = ink.part(&read("H x", &[1.6, 3.0, 4.5]), 6);
            let setting = ink.setting(&placed).unwrap();
            assert_eq!(setting.baseline, 38.0);
            assert!((setting.size - 31.0).abs() < 0.2, "{setting:?}");
        }
    }

    #[test]
    fn lines_of_a_table_are_no_ink_of_its_text() {
        let [h, x] = H_X;
        let ink = Ink::of(&strip(60, 255, &[h, x, (0, 60, 2, 4), (0, 60, 46, 48), (57, 58, 0, 48)]));
        let placed = ink.part(&read("H x", &[1.6, 3.0, 4.5]), 6);
        assert_eq!(placed[2].to, 50.0);
        let setting = ink.setting(&placed).unwrap();
        assert_eq!((setting.baseline, setting.size.round()), (38.0, 31.0));
    }

    #[test]
    fn heavier_strokes_measure_heavier() {
        let stroke = |width: usize| {
            let blocks: Vec<_> = (0..4).map(|i| (10 + 20 * i, 10 + 20 * i + width, 16, 38)).collect();
            let ink = Ink::of(&strip(100, 255, &blocks));
            ink.setting(&ink.part(&read("llll", &[1.1, 3.1, 5.1, 7.1]), 10)).unwrap().stroke
        };
        assert!((stroke(6) / stroke(3) - 2.0).abs() < 0.01);
    }

    #[test]
    fn nothing_has_no_setting() {
        let ink = Ink::of(&strip(20, 255, &[]));
        assert_eq!(ink.part(&[], 2), []);
        assert_eq!(ink.setting(&ink.part(&read("a", &[1.0]), 2)), None);
    }
}
