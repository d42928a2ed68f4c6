//! Ruling lines on a picture: long straight ridges that are darker than what stands on either side of them.
//!
//! Not for lines aslant: the picture is laid straight first.

use super::SeenRule;

/// How much darker a line is than what stands beside it, of 255.
const CONTRAST: u8 = 22;
/// How far beside a pixel its surroundings are looked at, in pixels. Lines up to twice the largest are found.
const REACHES: [usize; 3] = [2, 4, 7];
/// A line may be broken over this many pixels.
const MAX_BREAK: usize = 3;
/// The shortest line, as a part of the longer side of the page: a row of a table is about that high.
const MIN_LENGTH: f32 = 1.0 / 70.0;
/// Lines that are kept.
const MAX_RULES: usize = 4_000;

/// Brightness, row by row.
#[derive(Debug)]
pub(super) struct Luma {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) bytes: Vec<u8>,
}

/// The ruling lines of a page laid straight. O(pixels).
pub(super) fn rules(page: &Luma) -> Vec<SeenRule> {
    let min_length = (page.width.max(page.height) as f32 * MIN_LENGTH).max(24.0) as usize;
    let mut found =
        ridges(page.height, page.width, min_length, |row, at| page.bytes.get(row * page.width + at).copied());
    found.iter_mut().for_each(|rule| rule.horizontal = true);
    found.extend(ridges(page.width, page.height, min_length, |column, at| {
        page.bytes.get(at * page.width + column).copied()
    }));
    found
}

/// A run of ridge pixels in one row, and the rows that it went on through.
struct Run {
    from: usize,
    to: usize,
    first_row: usize,
    last_row: usize,
}

/// The ridges along `n_rows` rows of `length` pixels.
fn ridges(
    n_rows: usize,
    length: usize,
    min_length: usize,
    pixel: impl Fn(usize, usize) -> Option<u8>,
) -> Vec<SeenRule> {
    let mut open: Vec<Run> = Vec::new();
    let mut found = Vec::new();
    let is_ridge = |row: usize, at: usize| {
        let Some(here) = pixel(row, at) else { return false };
        let lighter = |other: Option<u8>| other.is_none_or(|other| other.saturating_sub(here) >= CONTRAST);
        REACHES.iter().any(|reach| {
            let before = row.checked_sub(*reach).map(|row| pixel(row, at));
            before.is_some_and(lighter) && row + reach < n_rows && lighter(pixel(row + reach, at))
        })
    };
    for row in 0..n_rows {
        let (mut at, mut runs) = (0, Vec::new());
        while at < length {
            if !is_ridge(row, at) {
                at += 1;
                continue;
            }
            let from = at;
            let mut to = at + 1;
            while at < length && at <= to + MAX_BREAK {
                if is_ridge(row, at) {
                    to = at + 1;
                }
                at += 1;
            }
            if to - from >= min_length {
                runs.push((from, to));
            }
        }
        for (from, to) in runs {
            // The next row of the same line, which is a little crooked or thick.
            let same = open
                .iter_mut()
                .find(|run| run.last_row + 2 >= row && run.from <= to + MAX_BREAK && from <= run.to + MAX_BREAK);
            match same {
                Some(run) => {
                    run.last_row = row;
                    run.from = run.from.min(from);
                    run.to = run.to.max(to);
                }
                None => open.push(Run { from, to, first_row: row, last_row: row }),
            }
        }
        let (done, still): (Vec<_>, Vec<_>) = open.into_iter().partition(|run| run.last_row + 2 < row);
        open = still;
        close(done, &mut found);
    }
    close(open, &mut found);
    found
}

fn close(runs: Vec<Run>, found: &mut Vec<SeenRule>) {
    // What is thicker than what can be a ridge is the texture of a picture.
    let max_thickness = REACHES.iter().max().map_or(0, |reach| 2 * reach);
    let lines = runs.into_iter().filter(|run| run.last_row - run.first_row <= max_thickness);
    found.extend(lines.take(MAX_RULES.saturating_sub(found.len())).map(|run| SeenRule {
        horizontal: false,
        at: (run.first_row + run.last_row + 1) as f32 / 2.0,
        from: run.from as f32,
        to: run.to as f32,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(dark: impl Fn(usize, usize) -> bool) -> Luma {
        let (width, height) = (300, 400);
        let bytes = (0..width * height).map(|at| if dark(at % width, at / width) { 90 } else { 240 }).collect();
        Luma { width, height, bytes }
    }

    #[test]
    fn lines_are_found_with_their_ends() {
        let found =
            rules(&page(|x, y| (100..103).contains(&y) && (20..280).contains(&x) || x == 50 && (60..200).contains(&y)));
        assert_eq!(
            found,
            [
                SeenRule { horizontal: true, at: 101.5, from: 20.0, to: 280.0 },
                SeenRule { horizontal: false, at: 50.5, from: 60.0, to: 200.0 }
            ]
        );
    }

    #[test]
    fn a_line_may_be_a_little_broken_and_crooked() {
        let found = rules(&page(|x, y| y == 100 + x / 100 && x % 40 > 2));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].to - found[0].from > 290.0);
    }

    #[test]
    fn blocks_and_short_strokes_are_no_lines() {
        assert_eq!(rules(&page(|x, y| (50..150).contains(&x) && (50..150).contains(&y))), []);
        assert_eq!(rules(&page(|x, y| (50..60).contains(&x) && y == 30)), []);
        // A chequered picture.
        assert_eq!(rules(&page(|x, y| (x / 10 + y / 10) % 2 == 0)), []);
    }
}
