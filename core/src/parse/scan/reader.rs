//! The reader of scans: finds lines, decides which way up they are, recognises them, and measures how they are set.

use super::{
    ModelError, Picture, ReadScan, ScanError, Seen, SeenCharacter, SeenLine, SeenRule,
    crop::{self, HEIGHT},
    ctc::{self, Alphabet},
    detect,
    ink::{Ink, Placed, Setting},
    model::Network,
    rectangle::Rectangle,
    rules,
    upright::Upright,
};
use crate::parse::ParseError;
use std::fmt;

/// A line that was recognised with less confidence on average is no text. (PP-OCR's value.)
const MIN_CONFIDENCE: f32 = 0.5;
/// Text that is upside down is recognised with less than this.
const READABLE: f32 = 0.8;
/// Lines that are looked at to tell whether a page is upside down.
const N_SAMPLES: usize = 3;
/// The narrowest strip that the recogniser is given, in pixels.
const MIN_STRIP: usize = 64;
/// Sizes within this part of the size of most text are that size: the measure is not better.
const SAME_SIZE: f32 = 0.09;
/// Strokes this much heavier than those of most text are bold.
const BOLD: f32 = 1.35;
/// A line of fewer letters does not show how heavy it is.
const MIN_LETTERS: usize = 4;

/// Reads pictures of pages with a detector and a recogniser of PP-OCR's form.
pub struct Reader {
    detector: Network,
    recogniser: Network,
    alphabet: Alphabet,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader({} classes)", self.alphabet.n_classes())
    }
}

/// A line as recognised, before the page as a whole is known.
struct Line {
    turn: u8,
    characters: Vec<SeenCharacter>,
    baseline: f32,
    size: f32,
    stroke: f32,
}

impl Reader {
    /// A reader from the two networks in `rten`'s format and the list of characters, one a line.
    ///
    /// # Errors
    /// [`ModelError`] when they cannot be loaded or do not belong together.
    pub fn new(detector: Vec<u8>, recogniser: Vec<u8>, dictionary: &str) -> Result<Self, ModelError> {
        let reader = Self {
            detector: Network::load("detector", detector)?,
            recogniser: Network::load("recogniser", recogniser)?,
            alphabet: Alphabet::of(dictionary),
        };
        // Only running it tells how many classes it has.
        let blank = vec![0.0; 3 * HEIGHT * MIN_STRIP];
        let failed = |detail| ModelError::Load { part: "recogniser", detail };
        let (shape, _) = reader.recogniser.run(blank, MIN_STRIP, HEIGHT).map_err(failed)?;
        let (n_classes, n_listed) = (shape.last().copied().unwrap_or(0), reader.alphabet.n_classes());
        if n_classes == n_listed { Ok(reader) } else { Err(ModelError::Dictionary { n_classes, n_listed }) }
    }

    /// Recognises one line; `None` where nothing is read. With it the mean confidence.
    fn recognise(
        &self,
        picture: &Picture,
        upright: &Upright,
        region: &Rectangle,
        turn: u8,
    ) -> Result<Option<(Line, f32)>, String> {
        let rectangle = upright.line(region, turn);
        let strip = crop::strip(picture, rectangle);
        let width = strip.width.max(MIN_STRIP);
        let mut channels = vec![0.0; 3 * HEIGHT * width];
        for (channel, values) in channels.chunks_exact_mut(HEIGHT * width).enumerate() {
            for (row, pixels) in values.chunks_exact_mut(width).zip(strip.pixels.chunks_exact(strip.width)) {
                // Blue first, as in training.
                row.iter_mut().zip(pixels).for_each(|(value, rgb)| *value = f32::from(rgb[2 - channel]) / 127.5 - 1.0);
            }
        }
        let (shape, probabilities) = self.recogniser.run(channels, width, HEIGHT)?;
        let &[1, n_steps, n_classes] = &shape[..] else { return Err(format!("its text has the shape {shape:?}")) };
        if n_classes != self.alphabet.n_classes() {
            return Err(format!("it tells {n_classes} characters apart"));
        }
        let read = ctc::decode(&probabilities, &self.alphabet);
        let ink = Ink::of(&strip);
        let placed = ink.part(&read, n_steps * strip.width / width);
        if placed.is_empty() {
            return Ok(None);
        }
        let confidence = placed.iter().map(|placed| placed.confidence).sum::<f32>() / placed.len() as f32;
        // Signs whose form does not tell stand in a region grown to about one and a half times their em.
        let setting = ink.setting(&placed).unwrap_or(Setting { baseline: 34.0, size: 30.0, stroke: 0.0 });
        let (u, v) = begin(upright, rectangle, turn);
        let along = |at: f32| u + at / strip.scale_along;
        let place = |placed: &Placed| SeenCharacter {
            character: placed.character,
            from: along(placed.from),
            to: along(placed.to),
            confidence: placed.confidence,
        };
        let line = Line {
            turn,
            characters: placed.iter().map(place).collect(),
            baseline: v + setting.baseline / strip.scale_across,
            size: setting.size / strip.scale_across,
            stroke: setting.stroke,
        };
        Ok(Some((line, confidence)))
    }

    /// Which way most text runs: the turn along the axis of most regions in which the longest are readable.
    fn main_turn(
        &self,
        picture: &Picture,
        upright: &Upright,
        regions: &[Rectangle],
        tick: Tick<'_>,
    ) -> Result<u8, ScanError> {
        let (first, second) = if upright.is_level { (0, 2) } else { (1, 3) };
        let mut along: Vec<&Rectangle> =
            regions.iter().filter(|r| upright.direction(r).is_some_and(|d| !d.across)).collect();
        along.sort_by(|a, b| b.along.total_cmp(&a.along));
        along.truncate(N_SAMPLES);
        let mut confidence = |turn: u8| -> Result<f32, ScanError> {
            let mut sum = 0.0;
            for region in &along {
                tick()?;
                let read = self.recognise(picture, upright, region, turn).map_err(ScanError::Failed)?;
                sum += read.map_or(0.0, |(_, confidence)| confidence);
            }
            Ok(sum / along.len().max(1) as f32)
        };
        let as_first = confidence(first)?;
        if as_first >= READABLE {
            return Ok(first);
        }
        Ok(if confidence(second)? > as_first { second } else { first })
    }
}

type Tick<'t> = &'t mut dyn FnMut() -> Result<(), ParseError>;

impl ReadScan for Reader {
    fn read(&self, picture: &Picture, tick: Tick<'_>) -> Result<Seen, ScanError> {
        tick()?;
        let regions = detect::regions(&self.detector, picture).map_err(ScanError::Failed)?;
        let upright = Upright::of(&regions, picture);
        let main = self.main_turn(picture, &upright, &regions, tick)?;
        let mut lines = Vec::new();
        for region in &regions {
            let Some(direction) = upright.direction(region) else { continue };
            let turns: &[u8] = match (direction.across, direction.doubtful) {
                (false, _) => &[0],
                (true, false) => &[1, 3],
                (true, true) => &[0, 1, 3],
            };
            let mut best: Option<(Line, f32)> = None;
            for turn in turns {
                tick()?;
                let turn = (main + turn) % 4;
                let read = self.recognise(picture, &upright, region, turn).map_err(ScanError::Failed)?;
                best = match (best, read) {
                    (Some(best), Some(read)) => Some(if read.1 > best.1 { read } else { best }),
                    (best, read) => best.or(read),
                };
            }
            lines.extend(best.filter(|(_, confidence)| *confidence >= MIN_CONFIDENCE).map(|(line, _)| line));
        }
        tick()?;
        let rules = rules::rules(&upright.luma(picture));
        let rules = rules.into_iter().filter(|rule| !regions.iter().any(|region| is_in(rule, region))).collect();
        Ok(Seen { lines: settle(lines), rules })
    }
}

/// Where a line begins, at its upper edge, in the frame of its turn.
fn begin(upright: &Upright, line: Rectangle, turn: u8) -> (f32, f32) {
    let (u, v) = upright.to_frame(turn, line.x, line.y);
    (u - line.along, v - line.across)
}

/// Whether a rule is the stroke of a letter: it stands within one region of text and is not longer than it.
fn is_in(rule: &SeenRule, region: &Rectangle) -> bool {
    let (sin, cos) = region.angle.sin_cos();
    let half_width = region.along * cos.abs() + region.across * sin.abs();
    let half_height = region.along * sin.abs() + region.across * cos.abs();
    let (at, across, middle, half) = if rule.horizontal {
        (region.y, half_height, region.x, half_width)
    } else {
        (region.x, half_width, region.y, half_height)
    };
    (rule.at - at).abs() < across && rule.from >= middle - half - 2.0 && rule.to <= middle + half + 2.0
}

/// Sizes and weights of the lines, each as the page as a whole makes likely: type comes in few sizes, the measure of one
/// line is a few hundredths wrong.
fn settle(lines: Vec<Line>) -> Vec<SeenLine> {
    let weight = |line: &Line| line.characters.len();
    let stroke = weighted_median(lines.iter().filter(|l| l.stroke > 0.0).map(|line| (line.stroke, weight(line))));
    let mut sizes: Vec<(f32, usize)> = lines.iter().map(|line| (line.size, weight(line))).collect();
    let mut usual: Vec<f32> = Vec::new();
    while !sizes.is_empty() {
        // The size around which most characters are.
        let near = |size: f32, other: f32| (other / size - 1.0).abs() <= SAME_SIZE;
        let n_near =
            |size: f32| -> usize { sizes.iter().filter(|(other, _)| near(size, *other)).map(|(_, n)| n).sum() };
        let best = sizes.iter().map(|(size, _)| *size).max_by_key(|size| n_near(*size)).unwrap_or(1.0);
        let of = sizes.iter().copied().filter(|(size, _)| near(best, *size));
        usual.push(weighted_median(of).unwrap_or(best));
        sizes.retain(|(size, _)| !near(best, *size));
    }
    let settled = |size: f32| {
        let nearest = usual.iter().copied().min_by(|a, b| (a / size - 1.0).abs().total_cmp(&(b / size - 1.0).abs()));
        nearest.unwrap_or(size)
    };
    let is_bold = |line: &Line| {
        let n_letters = line.characters.iter().filter(|seen| seen.character.is_alphabetic()).count();
        n_letters >= MIN_LETTERS && stroke.is_some_and(|usual| line.stroke > BOLD * usual)
    };
    let line = |line: Line| SeenLine {
        turn: line.turn,
        baseline: line.baseline,
        size: settled(line.size),
        bold: is_bold(&line),
        characters: line.characters,
    };
    lines.into_iter().map(line).collect()
}

/// The value that half of the weight is not above; `None` without values.
fn weighted_median(values: impl Iterator<Item = (f32, usize)>) -> Option<f32> {
    let mut values: Vec<(f32, usize)> = values.collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: usize = values.iter().map(|(_, weight)| weight).sum();
    let mut seen = 0;
    let middle = values.iter().find(|(_, weight)| {
        seen += weight;
        seen * 2 >= total
    });
    middle.map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, size: f32, stroke: f32) -> Line {
        let character = |character| SeenCharacter { character, from: 0.0, to: 1.0, confidence: 0.9 };
        Line { turn: 0, characters: text.chars().map(character).collect(), baseline: 0.0, size, stroke }
    }

    #[test]
    fn sizes_settle_and_heavy_lines_are_bold() {
        let lines = vec![
            line("Maintenance", 44.0, 0.14),
            line("a long line of ordinary text", 27.4, 0.09),
            line("another long line of text", 28.1, 0.088),
            line("bold", 28.6, 0.15),
        ];
        let settled = settle(lines);
        let sizes: Vec<(f32, bool)> = settled.iter().map(|line| (line.size, line.bold)).collect();
        assert_eq!(sizes, [(44.0, true), (28.1, false), (28.1, false), (28.1, true)]);
    }

    #[test]
    fn sizes_that_differ_stay_apart() {
        let settled = settle(vec![line("large", 32.0, 0.09), line("small text that is most", 28.0, 0.09)]);
        assert_eq!(settled.iter().map(|line| line.size).collect::<Vec<_>>(), [32.0, 28.0]);
    }

    #[test]
    fn strokes_of_letters_are_no_rules() {
        let region = Rectangle { x: 100.0, y: 50.0, angle: 0.0, along: 60.0, across: 20.0 };
        let stroke = SeenRule { horizontal: false, at: 90.0, from: 35.0, to: 65.0 };
        assert!(is_in(&stroke, &region));
        assert!(!is_in(&SeenRule { from: 0.0, to: 200.0, ..stroke }, &region), "the wall of a cell");
        assert!(!is_in(&SeenRule { at: 170.0, ..stroke }, &region));
    }

    #[test]
    fn a_broken_model_says_which_part() {
        let error = Reader::new(b"not a model".to_vec(), Vec::new(), "a\n").err();
        assert!(matches!(error, Some(ModelError::Load { part: "detector", .. })), "{error:?}");
    }
}
